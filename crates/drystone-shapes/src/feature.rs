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
