//! The pair table: which algorithm finds the contacts of which two shapes. It places no contactor and keeps
//! nothing.

use drystone_math::{Pose, Vector};
use std::any::Any;

use crate::ContactPoint;
use crate::narrow::convex;
use crate::narrow::core::Placement;
use crate::narrow::facets::Facets;
use crate::narrow::scratch::Scratch;
use crate::narrow::separating_axis::WitnessFace;
use crate::narrow::solids::{PlacedShape, Receiver, exchanged};
use crate::narrow::spreads::Spreads;
use crate::narrow::{ball, skin, solids, surface_pairs, terrain};
use drystone_geometry::pieces::Verdict;
use drystone_geometry::{Polytope, Shape};

std::thread_local! {
    static PLANE: std::cell::RefCell<Scratch<2>> = Default::default();
    static SPACE: std::cell::RefCell<Scratch<3>> = Default::default();
}

/// A polytope that is no piece of a solid, and its place.
type Lone<'a, const D: usize> = (&'a Polytope<D>, &'a Placement<D>);

/// Calls `emit(feature, point, normal, gap)` for every contact of `a` (candidate) and `b` (antagonist) whose
/// gap is at most `alert`, in no particular order. A half-space meets others as antagonist only.
pub fn touch<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    // most pairs of the broad phase end here
    if let (Shape::Ball { radius: ra }, Shape::Ball { radius: rb }) = (a.0, b.0) {
        return ball::ball((*ra, a.1), (*rb, b.1), alert, emit);
    }
    if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        in_plane(a, b, alert, &mut concrete(emit));
    } else if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        in_space(a, b, alert, &mut concrete(emit));
    }
}

/// The same for a pair with a skin on either side; adds how its contacts are spread to `spreads`, by the
/// contactors.
pub(crate) fn touch_with_skin<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    (contactors, spreads): ([u32; 2], &mut Spreads),
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    match D {
        2 => PLANE.with_borrow_mut(|scratch| scratch.skins.forget_spreads()),
        _ => SPACE.with_borrow_mut(|scratch| scratch.skins.forget_spreads()),
    }
    touch(a, b, alert, emit);
    match D {
        2 => PLANE.with_borrow(|scratch| spreads.add_pair(contactors, scratch.skins.spreads())),
        _ => SPACE.with_borrow(|scratch| spreads.add_pair(contactors, scratch.skins.spreads())),
    }
}

/// The touches of two contactors alone at given places, by increasing feature, with the contactors and the
/// image of `like`.
#[doc(alias = "narrow phase")]
#[doc(alias = "manifold")]
pub fn contact_points_of_pair<const D: usize>(
    a: (&Shape<D>, Pose<D>),
    b: (&Shape<D>, Pose<D>),
    alert: f64,
    like: &ContactPoint<D>,
) -> Vec<ContactPoint<D>> {
    let mut touches = Vec::new();
    touch((a.0, &a.1), (b.0, &b.1), alert, &mut |feature, point, normal, gap| {
        touches.push(ContactPoint { feature, point, normal, gap, ..*like });
    });
    touches.sort_unstable_by_key(|touch| touch.feature);
    touches
}

// Functions of one dimension are compiled once, with the crate, and not again with everything that finds
// contacts.

fn in_plane(a: PlacedShape<2>, b: PlacedShape<2>, alert: f64, emit: Receiver<2>) {
    PLANE.with_borrow_mut(|scratch| without_cuts(a, b, alert, scratch, emit));
}

fn in_space(a: PlacedShape<3>, b: PlacedShape<3>, alert: f64, emit: Receiver<3>) {
    SPACE.with_borrow_mut(|scratch| without_cuts(a, b, alert, scratch, emit));
}

fn polygons(a: Lone<2>, b: Lone<2>, alert: f64, separating: &mut Option<WitnessFace>, emit: Receiver<2>) {
    PLANE.with_borrow_mut(|scratch| lone(a, b, alert, separating, scratch, &mut { emit }));
}

fn polyhedra(a: Lone<3>, b: Lone<3>, alert: f64, separating: &mut Option<WitnessFace>, emit: Receiver<3>) {
    SPACE.with_borrow_mut(|scratch| lone(a, b, alert, separating, scratch, &mut { emit }));
}

/// Two polytopes and nothing else, with the scratch of their dimension.
fn lone<const D: usize>(
    a: Lone<D>,
    b: Lone<D>,
    alert: f64,
    separating: &mut Option<WitnessFace>,
    scratch: &mut Scratch<D>,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    scratch.separating = *separating;
    convex::contacts((a.0, 0.0, a.1), (b.0, 0.0, b.1), alert, scratch, emit);
    *separating = scratch.separating.take();
}

/// The same for two polytopes whose rotations are known, none of them a piece of a solid: what the table
/// would do, at once. Tries the face that separating them first, and tells which face does.
#[inline]
pub(crate) fn polytopes<const D: usize>(
    a: Lone<D>,
    b: Lone<D>,
    alert: f64,
    separating: &mut Option<WitnessFace>,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        polygons(a, b, alert, separating, &mut concrete(emit));
    } else if let (Some(a), Some(b)) = (same(a.0).zip(same(a.1)), same(b.0).zip(same(b.1))) {
        polyhedra(a, b, alert, separating, &mut concrete(emit));
    }
}

/// All pairs.
fn table<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) where
    Polytope<D>: Facets<D>,
{
    use Shape::{HalfSpace, Hollow, Skin, Surface};
    match (a.0, b.0) {
        (Skin(_), _) | (_, Skin(_)) => skin::touch(a, b, alert, scratch, emit),
        (HalfSpace | Hollow { .. }, Surface(_)) => table(b, a, alert, scratch, &mut exchanged(emit)),
        (_, HalfSpace | Hollow { .. }) => solids::table(a, b, alert, scratch, emit),
        (Surface(one), Surface(two)) => {
            surface_pairs::contacts((one, a.1), (two, b.1), alert, scratch, emit);
        }
        (_, Surface(surface)) => terrain::touch(a, (surface, b.1), alert, scratch, emit),
        (Surface(_), _) => table(b, a, alert, scratch, &mut exchanged(emit)),
        _ => solids::table(a, b, alert, scratch, emit),
    }
}

/// The joined polytope of a shape, if it is one.
fn joined_form<const D: usize>(shape: &Shape<D>) -> Option<&Polytope<D>> {
    match shape {
        Shape::Polytope(form) if !form.neighbours().is_empty() => Some(form),
        _ => None,
    }
}

/// The pair table without the contacts of cuts.
fn without_cuts<const D: usize>(
    a: (&Shape<D>, &Pose<D>),
    b: (&Shape<D>, &Pose<D>),
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    let forms = [joined_form(a.0), joined_form(b.0)];
    // polytopes choose another normal instead
    let chosen = |shape: &Shape<D>| matches!(shape, Shape::Polytope(_) | Shape::Rounded { .. });
    if forms == [None; 2] || (chosen(a.0) && chosen(b.0)) {
        return table(a, b, alert, scratch, emit);
    }
    let mut found = std::mem::take(&mut scratch.found);
    found.clear();
    table(a, b, alert, scratch, &mut |name, point, normal, gap| found.push((name, point, normal, gap)));
    let judge = |&(_, point, normal, gap): &(u64, Vector<D>, Vector<D>, f64)| {
        let sides = [(forms[0], a.1, 1.0), (forms[1], b.1, -1.0)].map(|(form, pose, sign)| {
            let out = -(pose.rotation().transpose() * normal) * sign;
            let place = pose.to_local(&(point + normal * (0.5 * gap * sign)));
            form.map_or(Verdict::Free, |form| form.judge(&place, &out))
        });
        sides[0].max(sides[1])
    };
    let patch = |shape: &Shape<D>| matches!(shape, Shape::Capsule { .. } | Shape::Cylinder { .. });
    let all = (patch(a.0) || patch(b.0)) && found.iter().any(|contact| judge(contact) == Verdict::Free);
    let most = if all { Verdict::Covered } else { Verdict::Free };
    for contact in found.iter().filter(|contact| judge(contact) <= most) {
        emit(contact.0, contact.1, contact.2, contact.3);
    }
    scratch.found = found;
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
