//! The pair table: which algorithm finds the contacts of which two shapes. It places no contactor and keeps nothing.

use drystone_math::{Pose, Vector};
use std::any::Any;

use crate::convex::{self, Scratch};
use crate::{Polytope, Shape, ball, half_space};

std::thread_local! {
    static PLANE: std::cell::RefCell<Scratch<2>> = Default::default();
    static SPACE: std::cell::RefCell<Scratch<3>> = Default::default();
}

/// Calls `emit(feature, point, normal, gap)` for every contact of `a` (candidate) and `b` (antagonist) whose gap is
/// at most `alert`, in no particular order. A half-space meets others as antagonist only.
pub(crate) fn touch<const D: usize>(
    a: (&Shape<D>, &Pose<D>),
    b: (&Shape<D>, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    use Shape::{Ball, HalfSpace};
    match (a.0, b.0) {
        (Ball { radius: ra }, Ball { radius: rb }) => ball::ball((*ra, a.1), (*rb, b.1), alert, emit),
        (Ball { radius }, HalfSpace) => ball::half_space((*radius, a.1), b.1, alert, emit),
        (Ball { radius }, Shape::Polytope(b_form)) => {
            ball::polytope((*radius, a.1), (b_form, b.1), alert, emit);
        }
        (Shape::Polytope(a_form), Ball { radius }) => {
            let mut exchanged = |feature, point, normal: Vector<D>, gap| emit(feature, point, -normal, gap);
            ball::polytope((*radius, b.1), (a_form, a.1), alert, &mut exchanged);
        }
        (Shape::Polytope(a_form), HalfSpace) => half_space::polytope((a_form, a.1), b.1, alert, emit),
        (Shape::Polytope(a_form), Shape::Polytope(b_form)) => {
            polytopes((a_form, a.1), (b_form, b.1), alert, emit);
        }
        _ => {}
    }
}

/// Chooses between the plane and space, which differ in how faces are cut and in having edges.
fn polytopes<const D: usize>(
    (a_form, a_pose): (&Polytope<D>, &Pose<D>),
    (b_form, b_pose): (&Polytope<D>, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    if let (Some(a), Some(b)) = (same(a_form).zip(same(a_pose)), same(b_form).zip(same(b_pose))) {
        PLANE.with_borrow_mut(|scratch| {
            convex::contacts::<2>(a, b, alert, scratch, &mut |feature, point, normal, gap| {
                if let (Some(point), Some(normal)) = (same(&point), same(&normal)) {
                    emit(feature, *point, *normal, gap);
                }
            });
        });
    } else if let (Some(a), Some(b)) = (same(a_form).zip(same(a_pose)), same(b_form).zip(same(b_pose))) {
        SPACE.with_borrow_mut(|scratch| {
            convex::contacts::<3>(a, b, alert, scratch, &mut |feature, point, normal, gap| {
                if let (Some(point), Some(normal)) = (same(&point), same(&normal)) {
                    emit(feature, *point, *normal, gap);
                }
            });
        });
    }
}

/// The value under its concrete type, if that is the type it has: decided when the code is compiled.
fn same<T: Any, U: Any>(value: &T) -> Option<&U> {
    (value as &dyn Any).downcast_ref()
}
