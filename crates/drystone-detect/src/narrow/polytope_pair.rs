//! Two convex polytopes near each other. How their contacts are found is told by `convex`.

use drystone_geometry::Polytope;

use crate::narrow::core::Placement;

/// Two polytopes near each other: everything that the search of their contacts reads.
pub(crate) struct PolytopePair<'a, const D: usize> {
    pub forms: [&'a Polytope<D>; 2],
    /// Rotations and positions in the world.
    pub world: [&'a Placement<D>; 2],
    /// Place of the other body in the axes of each.
    pub places: [Placement<D>; 2],
    /// Largest separation of the polytopes that matters: what they are grown by, and the alert distance.
    pub alert: f64,
    /// Sum of what the two are grown by.
    pub grown: f64,
    /// Lengths below this are zero.
    pub tolerance: f64,
}
