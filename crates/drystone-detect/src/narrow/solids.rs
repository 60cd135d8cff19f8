//! The pair table without surfaces: which algorithm finds the contacts of which two solids, or of a solid and
//! a wall. Surfaces come in `pairs`.

use drystone_geometry::{Polytope, Shape};
use drystone_math::{Pose, Vector};

use crate::narrow::core::{Core, Placement, core};
use crate::narrow::facets::Facets;
use crate::narrow::scratch::Scratch;
use crate::narrow::{ball, convex, feature, half_space, hollow};

/// A shape and its place.
pub(crate) type PlacedShape<'a, const D: usize> = (&'a Shape<D>, &'a Pose<D>);
/// What is called with the feature, point, normal and gap of every contact.
pub(crate) type Receiver<'a, const D: usize> = &'a mut dyn FnMut(u64, Vector<D>, Vector<D>, f64);

/// All pairs but those with surfaces. Balls, points, capsules and rounded polytopes are cores grown by a
/// radius ([`core()`]); walls come second.
pub(crate) fn table<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) where
    Polytope<D>: Facets<D>,
{
    use Core::{Cylinder, Point, Polytope, Segment};
    use Shape::{HalfSpace, Hollow};
    match (a.0, b.0) {
        (_, HalfSpace) => return half_space::touch(a, b.1, alert, &mut { emit }),
        (_, Hollow { radius, half_height }) => {
            return hollow::touch(a, (*radius, *half_height, b.1), alert, &mut { emit });
        }
        (HalfSpace | Hollow { .. }, _) => return table(b, a, alert, scratch, &mut exchanged(emit)),
        _ => {}
    }
    let (Some((core_a, ra)), Some((core_b, rb))) = (core(a.0), core(b.0)) else { return };
    match (core_a, core_b) {
        (Point, Point) => ball::ball((ra, a.1), (rb, b.1), alert, &mut { emit }),
        (Point, Segment(half)) => ball::segment((ra, a.1), (half, rb, b.1), alert, &mut { emit }),
        (Point, Polytope(form)) => ball::polytope((ra, a.1), (form, rb, b.1), alert, &mut { emit }),
        (Point, Cylinder(r, h)) => {
            drystone_geometry::Polytope::<D>::point_on_cylinder((ra, a.1), (r, h, b.1), alert, emit)
        }
        (_, Point) => table(b, a, alert, scratch, &mut exchanged(emit)),
        (Polytope(one), Polytope(two)) => {
            let [place_a, place_b] = [a.1, b.1].map(Placement::of);
            scratch.separating = None;
            convex::contacts((one, ra, &place_a), (two, rb, &place_b), alert, scratch, &mut { emit });
        }
        _ => drystone_geometry::Polytope::<D>::round(
            (core_a, ra, a.1),
            (core_b, rb, b.1),
            alert,
            scratch,
            emit,
        ),
    }
}

/// Passes contacts on with the two bodies exchanged.
pub(crate) fn exchanged<'a, const D: usize>(
    emit: &'a mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) -> impl FnMut(u64, Vector<D>, Vector<D>, f64) + 'a {
    |name, point, normal, gap| emit(feature::exchanged(name), point, -normal, gap)
}
