//! Names of contact points that do not depend on which face was the reference. They mean nothing across pairs.

/// A vertex of the candidate (side 0) or of the antagonist (side 1).
pub(crate) fn vertex(side: u64, index: u32) -> u64 {
    side << 62 | u64::from(index)
}

/// Where an edge of the candidate passes over an edge of the antagonist inside a face contact.
pub(crate) fn crossing(candidate: u32, antagonist: u32) -> u64 {
    2 << 62 | u64::from(candidate) << 31 | u64::from(antagonist)
}

/// Where two edges are the closest features.
pub(crate) fn edges(candidate: u32, antagonist: u32) -> u64 {
    3 << 62 | u64::from(candidate) << 31 | u64::from(antagonist)
}

/// The number of a point on the rim of a cylinder's lower (0) or upper (1) cap, as a vertex.
pub(crate) fn rim(cap: u32, rank: u32) -> u32 {
    cap << 8 | rank
}

/// The same name with the two bodies exchanged.
pub(crate) fn exchanged(name: u64) -> u64 {
    const LOW: u64 = (1 << 31) - 1;
    match name >> 62 {
        side @ (0 | 1) => name & !(3 << 62) | (1 - side) << 62,
        kind => kind << 62 | (name & LOW) << 31 | name >> 31 & LOW,
    }
}

/// A contact with a feature of a surface: a facet, a ridge or a corner (kind 0, 1, 2), and what of the other body.
pub(crate) fn on_surface(kind: u64, index: u32, other: u64) -> u64 {
    // names of the other body's own features are small numbers once their kind is folded in
    let folded = (other >> 62) << 29 ^ (other >> 31 & 0x3fff) << 15 ^ (other & 0x1fff_ffff);
    kind << 62 | u64::from(index) << 31 | folded & ((1 << 31) - 1)
}
