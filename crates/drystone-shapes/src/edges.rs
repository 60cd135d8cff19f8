//! Products of edges as separating axes of polyhedra. It holds nothing of the plane, where there are none.

use drystone_math::{Matrix, Pose, Vector};

use crate::cut::cut_polygon;
use crate::facets::{Axis, Facets, Grown, PlacedEdge, Placement, Scratch};
use crate::pairs::Core;
use crate::patch::{Cut, Patch};
use crate::solid::Form;
use crate::{Polytope, round};

/// Edges whose angle has a smaller sine are parallel: a face carries their contact.
const PARALLEL: f64 = 1e-7;

impl Facets<3> for Polytope<3> {
    fn cut(cut: &Cut<3>, patch: &mut Patch<3>) {
        cut_polygon(cut, patch);
    }

    /// Only two edges whose arcs cross on the Gauss map bound a face of the Minkowski difference; the other products
    /// separate nothing (Gregorius 2013). Of those, only edges that some vertex of the other body lets pass.
    fn edge_axis(
        a: &Self,
        b: &Self,
        place: &Placement<3>,
        (least, alert): (f64, f64),
        scratch: &mut Scratch<3>,
    ) -> Axis<3> {
        let own = Placement { rotation: Matrix::identity(), position: Vector::zeros() };
        let Scratch { heights, edges, candidates, .. } = scratch;
        keep_edges(a, &own, 1.0, &heights[0], least, (candidates, &mut edges[0]));
        keep_edges(b, place, -1.0, &heights[1], least, (candidates, &mut edges[1]));
        let mut best = Axis::None;
        let mut largest = f64::NEG_INFINITY;
        for one in &edges[0] {
            for two in &edges[1] {
                if !arcs_cross(&one.normals, &one.along, &two.normals, &two.along) {
                    continue;
                }
                let product = one.along.cross(&two.along);
                let square = product.norm_squared();
                if square <= PARALLEL * PARALLEL * one.along.norm_squared() * two.along.norm_squared() {
                    continue;
                }
                // out of the first body
                let outward = product.dot(&(one.normals[0] + one.normals[1]));
                let normal = product * (1.0f64.copysign(outward) / square.sqrt());
                let separation = normal.dot(&(two.from - one.from));
                if separation > alert {
                    return Axis::Apart;
                }
                if separation > largest {
                    largest = separation;
                    best = Axis::Edges { edges: [one.index, two.index], normal, separation };
                }
            }
        }
        best
    }

    fn round(
        a: Grown<3>,
        b: Grown<3>,
        alert: f64,
        scratch: &mut Scratch<3>,
        emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
    ) {
        if let (Some(one), Some(two)) = (form_of(&a.0), form_of(&b.0)) {
            round::contacts((one, a.1, a.2), (two, b.1, b.2), alert, &mut scratch.regions, emit);
        }
    }

    fn on_segment(
        core: Grown<3>,
        ends: &[Vector<3>; 2],
        alert: f64,
        scratch: &mut Scratch<3>,
        emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
    ) {
        round::on_segment((form_of(&core.0), core.1, core.2), ends, alert, &mut scratch.regions, emit);
    }

    fn point_on_cylinder(
        ball: (f64, &Pose<3>),
        cylinder: (f64, f64, &Pose<3>),
        alert: f64,
        emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
    ) {
        round::point_on_cylinder(ball, cylinder, alert, emit);
    }
}

/// The solid of a core; none for a point.
fn form_of<'a>(core: &Core<'a, 3>) -> Option<Form<'a>> {
    match *core {
        Core::Point => None,
        Core::Segment(half_length) => Some(Form::Segment { half_length }),
        Core::Polytope(form) => Some(Form::Polyhedron(form)),
        Core::Cylinder(radius, half_height) => Some(Form::Cylinder { radius, half_height }),
    }
}

/// The edges whose separation may exceed `least`, given the heights of one vertex of the other body over all faces.
///
/// Along any normal between those of its two faces, an edge is no farther from the other body than from that vertex. With
/// the heights `t`, `s` over the faces and the cosine `c` of their normals, the largest distance over these normals is
/// `√((t² + s² − 2cts) / (1 − c²))` if the vertex lies between them, else the larger of `t` and `s`.
fn keep_edges(
    form: &Polytope<3>,
    place: &Placement<3>,
    sign: f64,
    heights: &[f64],
    least: f64,
    (candidates, kept): (&mut Vec<u32>, &mut Vec<PlacedEdge<3>>),
) {
    kept.clear();
    // a vertex below both faces is not between them; few edges pass, and no branch foretells which
    let floor = least.min(0.0);
    candidates.clear();
    candidates.resize(form.edges.len(), 0);
    let mut count = 0;
    for (index, edge) in form.edges.iter().enumerate() {
        let [t, s] = edge.faces.map(|face| heights[face as usize]);
        candidates[count] = index as u32;
        count += usize::from(t.max(s) >= floor);
    }
    for &candidate in &candidates[..count] {
        let index = candidate as usize;
        let edge = &form.edges[index];
        let [t, s] = edge.faces.map(|face| heights[face as usize]);
        if t.max(s) < least {
            let c = form.cosines[index];
            let between = t - c * s > 0.0 && s - c * t > 0.0;
            // rounding must keep an edge rather than drop it
            if !between || t * t + s * s - 2.0 * c * t * s < 0.999_999 * least * least.abs() * (1.0 - c * c) {
                continue;
            }
        }
        let [from, to] = edge.vertices.map(|vertex| form.vertices[vertex as usize]);
        kept.push(PlacedEdge {
            index: candidate,
            from: place.apply(&from),
            along: place.rotation * (to - from),
            normals: edge.faces.map(|face| place.rotation * form.planes[face as usize].0 * sign),
        });
    }
}

/// Whether the arc between the normals of an edge of A crosses that between the reversed normals of an edge of B.
/// The edge itself is the pole of its arc.
fn arcs_cross(a: &[Vector<3>; 2], pole_a: &Vector<3>, b: &[Vector<3>; 2], pole_b: &Vector<3>) -> bool {
    let b0 = b[0].dot(pole_a);
    let b1 = b[1].dot(pole_a);
    if b0 * b1 >= 0.0 {
        return false;
    }
    let a0 = a[0].dot(pole_b);
    let a1 = a[1].dot(pole_b);
    // on opposite sides of each other, and on the same half of the sphere
    a0 * a1 < 0.0 && b0 * a1 > 0.0
}
