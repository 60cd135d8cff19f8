//! Products of edges as separating axes of polyhedra. It holds nothing of the plane, where there are none.

use drystone_math::{Pose, Vector};

use crate::convex::{Axis, Facets, Grown, Placement, Scratch};
use crate::cut::cut_polygon;
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
    /// separate nothing (Gregorius 2013).
    fn edge_axis(a: &Self, b: &Self, place: &Placement<3>, alert: f64, scratch: &mut Scratch<3>) -> Axis<3> {
        place_edges(b, place, scratch);
        let mut best = Axis::None;
        let mut largest = f64::NEG_INFINITY;
        for (i, edge_a) in a.edges.iter().enumerate() {
            let [from, to] = edge_a.vertices.map(|vertex| a.vertices[vertex as usize]);
            let along_a = to - from;
            let normals_a = edge_a.faces.map(|face| a.faces[face as usize].normal);
            for (j, edge_b) in b.edges.iter().enumerate() {
                let normals_b = edge_b.faces.map(|face| &scratch.normals[face as usize]);
                let along_b = &scratch.directions[j];
                if !arcs_cross(&normals_a, &along_a, normals_b, along_b) {
                    continue;
                }
                let product = along_a.cross(along_b);
                let square = product.norm_squared();
                if square <= PARALLEL * PARALLEL * along_a.norm_squared() * along_b.norm_squared() {
                    continue;
                }
                // out of the first body
                let outward = product.dot(&(normals_a[0] + normals_a[1]));
                let normal = product * (1.0f64.copysign(outward) / square.sqrt());
                let separation = normal.dot(&(scratch.vertices[edge_b.vertices[0] as usize] - from));
                if separation > alert {
                    return Axis::Apart;
                }
                if separation > largest {
                    largest = separation;
                    best = Axis::Edges { edges: [i as u32, j as u32], normal, separation };
                }
            }
        }
        best
    }

    fn round(
        a: Grown<3>,
        b: Grown<3>,
        alert: f64,
        _: &mut Scratch<3>,
        emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
    ) {
        if let (Some(one), Some(two)) = (form_of(&a.0), form_of(&b.0)) {
            round::contacts((one, a.1, a.2), (two, b.1, b.2), alert, emit);
        }
    }

    fn on_segment(
        core: Grown<3>,
        ends: &[Vector<3>; 2],
        alert: f64,
        emit: &mut dyn FnMut(u64, Vector<3>, Vector<3>, f64),
    ) {
        round::on_segment((form_of(&core.0), core.1, core.2), ends, alert, emit);
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

/// Vertices, reversed normals and edges of the second polyhedron in the axes of the first.
fn place_edges(b: &Polytope<3>, place: &Placement<3>, scratch: &mut Scratch<3>) {
    scratch.vertices.clear();
    scratch.vertices.extend(b.vertices.iter().map(|vertex| place.apply(vertex)));
    scratch.normals.clear();
    scratch.normals.extend(b.faces.iter().map(|face| -(place.rotation * face.normal)));
    scratch.directions.clear();
    let direction = |edge: &crate::Edge| {
        let [from, to] = edge.vertices.map(|vertex| b.vertices[vertex as usize]);
        place.rotation * (to - from)
    };
    scratch.directions.extend(b.edges.iter().map(direction));
}

/// Whether the arc between the normals of an edge of A crosses that between the reversed normals of an edge of B.
/// The edge itself is the pole of its arc.
fn arcs_cross(a: &[Vector<3>; 2], pole_a: &Vector<3>, b: [&Vector<3>; 2], pole_b: &Vector<3>) -> bool {
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
