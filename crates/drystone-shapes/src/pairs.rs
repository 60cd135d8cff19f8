//! The pair table: which algorithm finds the contacts of which two shapes. It places no contactor and keeps nothing.

use drystone_math::{Pose, Vector};

use crate::Shape;

/// Calls `emit(feature, point, normal, gap)` for every contact of `a` (candidate) and `b` (antagonist) whose gap is
/// at most `alert`. A half-space may only be the antagonist.
pub(crate) fn touch<const D: usize>(
    a: (&Shape<D>, &Pose<D>),
    b: (&Shape<D>, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    match (a.0, b.0) {
        (Shape::Ball { radius: ra }, Shape::Ball { radius: rb }) => {
            let between = a.1.position - b.1.position;
            let distance = between.norm();
            let gap = distance - ra - rb;
            if gap <= alert && distance > 0.0 {
                let normal = between / distance;
                emit(0, b.1.position + normal * (rb + 0.5 * gap), normal, gap);
            }
        }
        (Shape::Ball { radius }, Shape::HalfSpace) => {
            let normal = b.1.rotation().column(D - 1).into_owned();
            let gap = normal.dot(&(a.1.position - b.1.position)) - radius;
            if gap <= alert {
                emit(0, a.1.position - normal * (radius + 0.5 * gap), normal, gap);
            }
        }
        _ => {}
    }
}
