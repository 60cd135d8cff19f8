//! Products of edges as separating axes of polyhedra. It holds nothing of the plane, where there are none.

use drystone_math::{Pose, Vector};
use wide::f64x4;

use crate::columns::{at, for_each_from};
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
        let Scratch { heights, edges, marks, candidates, crossings, .. } = scratch;
        keep_edges(a, &heights[0], least, (marks, candidates), &mut edges[0], |edge| edge);
        keep_edges(b, &heights[1], least, (marks, candidates), &mut edges[1], |edge| PlacedEdge {
            index: edge.index,
            from: place.apply(&edge.from),
            along: place.rotation * edge.along,
            normals: [-(place.rotation * edge.normals[0]), -(place.rotation * edge.normals[1])],
        });
        let mut best = Axis::None;
        let mut largest = f64::NEG_INFINITY;
        cross(edges, crossings);
        for &[one, two] in crossings.iter() {
            let (one, two) = (&edges[0][one as usize], &edges[1][two as usize]);
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
    heights: &[f64x4],
    least: f64,
    (marks, candidates): (&mut Vec<u64>, &mut Vec<u32>),
    kept: &mut Vec<PlacedEdge<3>>,
    placed: impl Fn(PlacedEdge<3>) -> PlacedEdge<3>,
) {
    kept.clear();
    // a vertex below both faces is not between them: of the few faces that it is not below, the edges
    marks.clear();
    marks.resize(form.edges.len().div_ceil(64), 0);
    for_each_from(heights, least.min(0.0), |face| {
        form.faces[face].edges.iter().for_each(|edge| marks[*edge as usize / 64] |= 1 << (edge % 64));
    });
    candidates.clear();
    candidates.extend(bits(marks));
    // few edges pass, and no branch foretells which
    let mut count = 0;
    for rank in 0..candidates.len() {
        let index = candidates[rank] as usize;
        let [one, two] = form.edges[index].faces;
        let (t, s, c) = (at(heights, one as usize), at(heights, two as usize), form.cosines[index]);
        let between = (t - c * s > 0.0) & (s - c * t > 0.0);
        // rounding must keep an edge rather than drop it
        let far = t * t + s * s - 2.0 * c * t * s >= 0.999_999 * least * least.abs() * (1.0 - c * c);
        candidates[count] = index as u32;
        count += usize::from((t >= least) | (s >= least) | (between & far));
    }
    for &index in &candidates[..count] {
        let edge = &form.edges[index as usize];
        let [from, to] = edge.vertices;
        let (from, to) = (form.vertices[from as usize], form.vertices[to as usize]);
        let [one, two] = edge.faces;
        let normals = [form.planes[one as usize][0], form.planes[two as usize][0]];
        kept.push(placed(PlacedEdge { index, from, along: to - from, normals }));
    }
}

/// Replaces `crossings` by the ranks of the edges whose arcs cross: few of all pairs, and no branch foretells which.
fn cross(edges: &[Vec<PlacedEdge<3>>; 2], crossings: &mut Vec<[u32; 2]>) {
    crossings.clear();
    crossings.resize(edges[0].len() * edges[1].len() + 1, [0; 2]);
    let mut count = 0;
    for (i, one) in edges[0].iter().enumerate() {
        for (j, two) in edges[1].iter().enumerate() {
            crossings[count] = [i as u32, j as u32];
            count += usize::from(arcs_cross(&one.normals, &one.along, &two.normals, &two.along));
        }
    }
    crossings.truncate(count);
}

/// The places of the bits that are set, in order.
fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(rank, &word)| {
        let rest = |&left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
        let all = std::iter::successors(Some(word).filter(|word| *word != 0), rest);
        all.map(move |left| 64 * rank as u32 + left.trailing_zeros())
    })
}

/// Whether the arc between the normals of an edge of A crosses that between the reversed normals of an edge of B.
/// The edge itself is the pole of its arc.
fn arcs_cross(a: &[Vector<3>; 2], pole_a: &Vector<3>, b: &[Vector<3>; 2], pole_b: &Vector<3>) -> bool {
    let [b0, b1] = [b[0].dot(pole_a), b[1].dot(pole_a)];
    let [a0, a1] = [a[0].dot(pole_b), a[1].dot(pole_b)];
    // on opposite sides of each other, and on the same half of the sphere
    (b0 * b1 < 0.0) & (a0 * a1 < 0.0) & (b0 * a1 > 0.0)
}
