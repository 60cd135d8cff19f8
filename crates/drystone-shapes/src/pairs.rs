//! The pair table: which algorithm finds the contacts of which two shapes. It places no contactor and keeps nothing.

use drystone_math::{Pose, Vector};
use std::any::Any;

use crate::convex;
use crate::facets::{Facets, Placement, Scratch};
use crate::parted::Face;
use crate::{Polytope, Shape, Touch, ball, feature, half_space, hollow, joined, surface_pairs, terrain};

std::thread_local! {
    static PLANE: std::cell::RefCell<Scratch<2>> = Default::default();
    static SPACE: std::cell::RefCell<Scratch<3>> = Default::default();
}

/// A shape where it is set.
type Set<'a, const D: usize> = (&'a Shape<D>, &'a Pose<D>);
/// A polytope that is no piece of a solid, where it is set.
type Lone<'a, const D: usize> = (&'a Polytope<D>, &'a Placement<D>);
/// What is called with the feature, point, normal and gap of every contact.
type Receiver<'a, const D: usize> = &'a mut dyn FnMut(u64, Vector<D>, Vector<D>, f64);

/// Calls `emit(feature, point, normal, gap)` for every contact of `a` (candidate) and `b` (antagonist) whose gap is
/// at most `alert`, in no particular order. A half-space meets others as antagonist only.
pub(crate) fn touch<const D: usize>(
    a: Set<D>,
    b: Set<D>,
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    // most pairs of the rough detection end here
    if let (Shape::Ball { radius: ra }, Shape::Ball { radius: rb }) = (a.0, b.0) {
        return ball::ball((*ra, a.1), (*rb, b.1), alert, emit);
    }
    if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        in_plane(a, b, alert, &mut concrete(emit));
    } else if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        in_space(a, b, alert, &mut concrete(emit));
    }
}

/// The touches of two contactors alone at given places, by increasing feature, with the contactors and the image of `like`.
pub fn touches_of_pair<const D: usize>(
    a: (&Shape<D>, Pose<D>),
    b: (&Shape<D>, Pose<D>),
    alert: f64,
    like: &Touch<D>,
) -> Vec<Touch<D>> {
    let mut touches = Vec::new();
    touch((a.0, &a.1), (b.0, &b.1), alert, &mut |feature, point, normal, gap| {
        touches.push(Touch { feature, point, normal, gap, ..*like });
    });
    touches.sort_unstable_by_key(|touch| touch.feature);
    touches
}

// Functions of one dimension are compiled once, with the crate, and not again with everything that finds contacts.

fn in_plane(a: Set<2>, b: Set<2>, alert: f64, emit: Receiver<2>) {
    PLANE.with_borrow_mut(|scratch| joined::table(a, b, alert, scratch, emit));
}

fn in_space(a: Set<3>, b: Set<3>, alert: f64, emit: Receiver<3>) {
    SPACE.with_borrow_mut(|scratch| joined::table(a, b, alert, scratch, emit));
}

fn polygons(a: Lone<2>, b: Lone<2>, alert: f64, parted: &mut Option<Face>, emit: Receiver<2>) {
    PLANE.with_borrow_mut(|scratch| lone(a, b, alert, parted, scratch, &mut { emit }));
}

fn polyhedra(a: Lone<3>, b: Lone<3>, alert: f64, parted: &mut Option<Face>, emit: Receiver<3>) {
    SPACE.with_borrow_mut(|scratch| lone(a, b, alert, parted, scratch, &mut { emit }));
}

/// Two polytopes and nothing else, with the scratch of their dimension.
fn lone<const D: usize>(
    a: Lone<D>,
    b: Lone<D>,
    alert: f64,
    parted: &mut Option<Face>,
    scratch: &mut Scratch<D>,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    scratch.parted = *parted;
    convex::contacts((a.0, 0.0, a.1), (b.0, 0.0, b.1), alert, scratch, emit);
    *parted = scratch.parted.take();
}

/// The same for two polytopes whose rotations are known, none of them a piece of a solid: what the table would do, at once.
/// Tries the face that parted them first, and tells which face does.
#[inline]
pub(crate) fn polytopes<const D: usize>(
    a: Lone<D>,
    b: Lone<D>,
    alert: f64,
    parted: &mut Option<Face>,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        polygons(a, b, alert, parted, &mut concrete(emit));
    } else if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        polyhedra(a, b, alert, parted, &mut concrete(emit));
    }
}

/// All pairs. Balls, points, capsules and rounded polytopes are cores grown by a radius ([`core`]); walls come second.
pub(crate) fn table<const D: usize>(
    a: Set<D>,
    b: Set<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) where
    Polytope<D>: Facets<D>,
{
    use Core::{Cylinder, Point, Polytope, Segment};
    use Shape::{HalfSpace, Hollow, Surface};
    match (a.0, b.0) {
        (_, HalfSpace) => return half_space::touch(a, b.1, alert, &mut { emit }),
        (_, Hollow { radius, half_height }) => {
            return hollow::touch(a, (*radius, *half_height, b.1), alert, &mut { emit });
        }
        (HalfSpace | Hollow { .. }, _) => return table(b, a, alert, scratch, &mut exchanged(emit)),
        (Surface(one), Surface(two)) => {
            return surface_pairs::contacts((one, a.1), (two, b.1), alert, scratch, emit);
        }
        (_, Surface(surface)) => return terrain::touch(a, (surface, b.1), alert, scratch, emit),
        (Surface(_), _) => return table(b, a, alert, scratch, &mut exchanged(emit)),
        _ => {}
    }
    let (Some((core_a, ra)), Some((core_b, rb))) = (core(a.0), core(b.0)) else { return };
    match (core_a, core_b) {
        (Point, Point) => ball::ball((ra, a.1), (rb, b.1), alert, &mut { emit }),
        (Point, Segment(half)) => ball::segment((ra, a.1), (half, rb, b.1), alert, &mut { emit }),
        (Point, Polytope(form)) => ball::polytope((ra, a.1), (form, rb, b.1), alert, &mut { emit }),
        (Point, Cylinder(r, h)) => {
            crate::Polytope::<D>::point_on_cylinder((ra, a.1), (r, h, b.1), alert, emit)
        }
        (_, Point) => table(b, a, alert, scratch, &mut exchanged(emit)),
        (Polytope(one), Polytope(two)) => {
            let [place_a, place_b] = [a.1, b.1].map(Placement::of);
            scratch.parted = None;
            convex::contacts((one, ra, &place_a), (two, rb, &place_b), alert, scratch, &mut { emit });
        }
        _ => crate::Polytope::<D>::round((core_a, ra, a.1), (core_b, rb, b.1), alert, scratch, emit),
    }
}

/// Passes contacts on with the two bodies exchanged.
fn exchanged<'a, const D: usize>(
    emit: &'a mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) -> impl FnMut(u64, Vector<D>, Vector<D>, f64) + 'a {
    |name, point, normal, gap| emit(feature::exchanged(name), point, -normal, gap)
}

/// What is grown by a radius.
#[derive(Clone, Copy)]
pub(crate) enum Core<'a, const D: usize> {
    /// The origin.
    Point,
    /// Half the length of a segment along the last axis.
    Segment(f64),
    Polytope(&'a Polytope<D>),
    /// Radius and half the height of a cylinder about the last axis.
    Cylinder(f64, f64),
}

/// The core of a solid shape and what it is grown by; none for walls.
pub(crate) fn core<const D: usize>(shape: &Shape<D>) -> Option<(Core<'_, D>, f64)> {
    match shape {
        Shape::Ball { radius } => Some((Core::Point, *radius)),
        Shape::Point => Some((Core::Point, 0.0)),
        Shape::Capsule { half_length, radius } => Some((Core::Segment(*half_length), *radius)),
        Shape::Polytope(form) => Some((Core::Polytope(form), 0.0)),
        Shape::Rounded { core, radius } => Some((Core::Polytope(core), *radius)),
        Shape::Cylinder { radius, half_height } => Some((Core::Cylinder(*radius, *half_height), 0.0)),
        Shape::HalfSpace | Shape::Hollow { .. } | Shape::Surface(_) => None,
    }
}

/// The value under its concrete type, if that is the type it has: decided when the code is compiled.
fn same<T: Any, U: Any>(value: &T) -> Option<&U> {
    (value as &dyn Any).downcast_ref()
}

/// The same receiver of contacts for a dimension that is known to be `D`.
fn concrete<const D: usize, const K: usize>(
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) -> impl FnMut(u64, Vector<K>, Vector<K>, f64) {
    move |name, point, normal, gap| {
        if let (Some(point), Some(normal)) = (same(&point), same(&normal)) {
            emit(name, *point, *normal, gap);
        }
    }
}
