//! Names of contact points that do not depend on which face was the reference. They mean nothing across
//! pairs.

/// The second of two numbers in a name.
const LOW: u64 = (1 << 31) - 1;

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
    match name >> 62 {
        side @ (0 | 1) => name & !(3 << 62) | (1 - side) << 62,
        kind => kind << 62 | (name & LOW) << 31 | name >> 31 & LOW,
    }
}

/// A contact with a feature of a surface: a facet, a ridge or a corner (kind 0, 1, 2), and what of the other
/// body.
///
/// `other` names a vertex of fewer than 2²⁹, or a crossing of a side of the body, one of fewer than 2²⁵, with
/// one of the few of a segment: it then fits into 31 bits as it is, and no two of them get one name. Bonds
/// hang on that.
pub(crate) fn on_surface(kind: u64, index: u32, other: u64) -> u64 {
    let (own, first, second) = (other >> 62, other >> 31 & LOW, other & LOW);
    let packed = match own {
        0 | 1 => {
            debug_assert!(first == 0 && second < 1 << 29, "vertex {second}");
            second
        }
        _ => {
            debug_assert!(first < 1 << 25 && second < 1 << SECOND, "side {first} and {second}");
            first << SECOND | second
        }
    };
    kind << 62 | u64::from(index) << 31 | own << 29 | packed & ((1 << 29) - 1)
}

/// Bits of the second number of a crossing on a surface.
const SECOND: u32 = 4;

/// A corner of one surface and what it meets of the other: a facet, a ridge or a corner (kind 0, 1, 2).
pub(crate) fn between_surfaces(kind: u64, index: u32, corner: u32) -> u64 {
    debug_assert!(corner < 1 << 27, "corner {corner}");
    on_surface(0, index, kind << 27 | u64::from(corner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Numbers about every power of two up to the largest.
    fn numbers(largest: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> =
            (0..31).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
        numbers.retain(|&number| number <= largest);
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    #[test]
    fn no_two_features_on_a_surface_share_a_name() {
        let mut features = Vec::new();
        for side in [0, 1] {
            features.extend(numbers((1 << 29) - 1).into_iter().map(|index| vertex(side, index)));
        }
        for first in numbers((1 << 25) - 1) {
            for second in 0..16 {
                features.extend([crossing(first, second), edges(first, second)]);
            }
        }
        let mut names = BTreeMap::new();
        for &feature in &features {
            for (kind, index) in [(0, 0), (0, 1), (1, 1), (2, (1 << 31) - 1)] {
                let name = on_surface(kind, index, feature);
                let known = names.insert(name, (kind, index, feature));
                assert_eq!(known, None, "{name:x}: {kind} {index} {feature:x}");
            }
        }
    }

    #[test]
    fn no_two_corners_on_another_surface_share_a_name() {
        let mut names = BTreeMap::new();
        for kind in 0..3 {
            for index in [0, 1, 77] {
                for corner in numbers((1 << 27) - 1) {
                    let name = between_surfaces(kind, index, corner);
                    let known = names.insert(name, (kind, index, corner));
                    assert_eq!(known, None, "{name:x}: {kind} {index} {corner}");
                }
            }
        }
    }
}
