//! What lanes are made of, and which contacts they take. Makes none.

use super::lanes::Instructions;
use drystone_local::LocalBlock;
use drystone_problem::{Matrix, Set, Vector};

/// With fewer contacts than this a sweep stays on one thread: meeting would take longer than the work.
pub(super) const THREADS_FROM: usize = 6_000;

/// A problem of which lanes are to be made, but for its operator.
pub(super) struct Build<'a, const D: usize> {
    pub u_free: &'a [Vector<D>],
    pub sets: &'a [Set],
    pub r: &'a [Vector<D>],
    pub asked: f64,
    pub instructions: Instructions,
}

/// Whether a contact may be solved in lanes.
pub(super) fn is_laned<const D: usize>(w: &Matrix<D, D>, set: &Set) -> bool {
    matches!(set, Set::Coulomb { .. }) && LocalBlock::new(w).is_trusted()
}

/// Friction of a contact in lanes, as the scalar solve takes it.
pub(super) fn friction(set: &Set) -> f64 {
    match *set {
        Set::Coulomb { mu } if !mu.is_nan() => mu.clamp(0.0, 1e16),
        _ => 0.0,
    }
}
