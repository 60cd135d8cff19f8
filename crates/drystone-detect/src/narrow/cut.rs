//! Cutting a face by the sides of another. The full polygon is kept, however many its corners.

use drystone_math::{Pose, Vector};
use fearless_simd::Simd;

use crate::narrow::convex;
use crate::narrow::core::{Core, Grown, Placement};
use crate::narrow::facets::Facets;
use crate::narrow::patch::{Cut, Mark, Patch, PatchPoint, Side};
use crate::narrow::scratch::{Axis, Scratch};
use drystone_geometry::Polytope;

impl Facets<2> for Polytope<2> {
    fn cut(cut: &Cut<2>, patch: &mut Patch<2>) {
        let face = &cut.reference.faces()[cut.face];
        let incident = &cut.incident.faces()[cut.incident_face];
        let mut ends = [0, 1].map(|k| PatchPoint {
            point: cut.place.apply(cut.incident.corner(incident, k)),
            mark: Mark::Incident(incident.vertices[k]),
            side: Side::Reference(0),
        });
        patch.points.clear();
        for (k, side) in face.sides.iter().enumerate() {
            let beyond = ends.map(|end| side.dot(&(end.point - cut.reference.corner(face, k))));
            let outside = beyond.map(|distance| distance > cut.tolerance);
            if outside == [true, true] {
                return;
            }
            if let Some(end) = outside.iter().position(|&out| out) {
                ends[end].point =
                    between(&ends[end].point, &ends[1 - end].point, beyond[end], beyond[1 - end]);
                ends[end].mark = Mark::Reference(face.vertices[k]);
            }
        }
        patch.points.extend(ends);
    }

    fn edge_axis<S: Simd>(
        _: S,
        _: (&Self, &Self, &Placement<2>),
        _: (f64, f64),
        _: &mut Scratch<2>,
    ) -> Axis<2> {
        Axis::None
    }

    /// A segment of the plane is a polygon of two corners.
    fn round(
        a: Grown<2>,
        b: Grown<2>,
        alert: f64,
        scratch: &mut Scratch<2>,
        emit: &mut dyn FnMut(u64, Vector<2>, Vector<2>, f64),
    ) {
        let mut flats = std::mem::take(&mut scratch.flats);
        let [one, two] = &mut flats;
        if let (Some(form_a), Some(form_b)) = (polygon_of(&a.0, one), polygon_of(&b.0, two)) {
            let [place_a, place_b] = [a.2, b.2].map(Placement::of);
            scratch.separating = None;
            convex::contacts((form_a, a.1, &place_a), (form_b, b.1, &place_b), alert, scratch, &mut { emit });
        }
        scratch.flats = flats;
    }

    fn on_segment(
        _: Grown<2>,
        _: &[Vector<2>; 2],
        _: f64,
        _: &mut Scratch<2>,
        _: &mut dyn FnMut(u64, Vector<2>, Vector<2>, f64),
    ) {
    }

    fn point_on_cylinder(
        _: (f64, &Pose<2>),
        _: (f64, f64, &Pose<2>),
        _: f64,
        _: &mut dyn FnMut(u64, Vector<2>, Vector<2>, f64),
    ) {
    }
}

/// The polygon of a core: its own, or one of two corners along y, made once and then only stretched.
fn polygon_of<'a>(core: &Core<'a, 2>, flat: &'a mut Option<Polytope<2>>) -> Option<&'a Polytope<2>> {
    match core {
        Core::Polytope(form) => Some(form),
        Core::Segment(half) => {
            let flat = flat.get_or_insert_with(|| {
                Polytope::from_counter_clockwise(vec![-Vector::<2>::y(), Vector::<2>::y()])
            });
            flat.stretch(*half);
            Some(flat)
        }
        Core::Point | Core::Cylinder(..) => None,
    }
}

/// Cuts by one side of the reference face after the other (Sutherland, Hodgman 1974).
pub(crate) fn cut_polygon(cut: &Cut<3>, patch: &mut Patch<3>) {
    let face = &cut.reference.faces()[cut.face];
    let incident = &cut.incident.faces()[cut.incident_face];
    patch.points.clear();
    patch.points.extend((0..incident.vertices.len()).map(|k| PatchPoint {
        point: cut.place.apply(cut.incident.corner(incident, k)),
        mark: Mark::Incident(incident.vertices[k]),
        side: Side::Incident(incident.edges[k]),
    }));
    let corners = face.vertices.len();
    for (rank, side) in face.sides.iter().enumerate() {
        let corner = cut.reference.corner(face, rank);
        let beyond = |point: &PatchPoint<3>| side.dot(&(point.point - corner));
        // the boundary leaves or enters through this side: an edge crosses it, or another side meets it at a
        // corner
        let mark = |followed: Side| match followed {
            Side::Incident(edge) => Mark::Crossing { reference: face.edges[rank], incident: edge },
            Side::Reference(other) if other == (rank + 1) % corners => Mark::Reference(face.vertices[other]),
            Side::Reference(_) => Mark::Reference(face.vertices[rank]),
        };
        patch.spare.clear();
        for k in 0..patch.points.len() {
            let (here, next) = (patch.points[k], patch.points[(k + 1) % patch.points.len()]);
            let (out_here, out_next) = (beyond(&here), beyond(&next));
            let (inside, inside_next) = (out_here <= cut.tolerance, out_next <= cut.tolerance);
            if inside {
                patch.spare.push(here);
            }
            if inside != inside_next {
                let point = between(&here.point, &next.point, out_here, out_next);
                let followed = if inside { Side::Reference(rank) } else { here.side };
                patch.spare.push(PatchPoint { point, mark: mark(here.side), side: followed });
            }
        }
        std::mem::swap(&mut patch.points, &mut patch.spare);
    }
}

/// Where the segment from `a` to `b` crosses zero, given the signed distances at its ends.
fn between<const D: usize>(a: &Vector<D>, b: &Vector<D>, at_a: f64, at_b: f64) -> Vector<D> {
    let slope = at_a - at_b;
    let t = if slope == 0.0 { 0.0 } else { (at_a / slope).clamp(0.0, 1.0) };
    a + (b - a) * t
}
