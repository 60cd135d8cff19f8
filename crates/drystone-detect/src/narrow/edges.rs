//! Products of edges as separating axes of polyhedra. It holds nothing of the plane, where there are none.

use drystone_math::{Pose, Vector};
use fearless_simd::{Simd, f64x4, prelude::*};

use crate::narrow::core::{Core, Grown, Placement};
use crate::narrow::cut::cut_polygon;
use crate::narrow::facets::Facets;
use crate::narrow::patch::{Cut, Patch};
use crate::narrow::round;
use crate::narrow::scratch::{Axis, FourEdges, PlacedEdge, Scratch};
use crate::narrow::solid::SolidForm;
use drystone_geometry::Polytope;
use drystone_geometry::columns::{Four, Spread, WIDTH, at, for_each_from};

/// Edges whose angle has a smaller sine are parallel: a face carries their contact.
const PARALLEL: f64 = 1e-7;

impl Facets<3> for Polytope<3> {
    fn cut(cut: &Cut<3>, patch: &mut Patch<3>) {
        cut_polygon(cut, patch);
    }

    /// Only two edges whose arcs cross on the Gauss map bound a face of the Minkowski difference; the other
    /// products separate nothing (Gregorius 2013). Of those, only edges that some vertex of the other body
    /// lets pass.
    #[inline(always)]
    fn edge_axis<S: Simd>(
        simd: S,
        (a, b, place): (&Self, &Self, &Placement<3>),
        (least, alert): (f64, f64),
        scratch: &mut Scratch<3>,
    ) -> Axis<3> {
        let Scratch { heights, edges, fours, marks, candidates, crossings, .. } = scratch;
        keep_edges(simd, (a, &heights[0]), least, (marks, candidates), &mut edges[0], |edge| edge);
        keep_edges(simd, (b, &heights[1]), least, (marks, candidates), &mut edges[1], |edge| PlacedEdge {
            index: edge.index,
            from: place.apply(&edge.from),
            along: place.rotation * edge.along,
            normals: [-(place.rotation * edge.normals[0]), -(place.rotation * edge.normals[1])],
        });
        let mut best = Axis::None;
        let mut largest = f64::NEG_INFINITY;
        let count = cross(simd, edges, fours, crossings);
        for &[one, two] in &crossings[..count] {
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
fn form_of<'a>(core: &Core<'a, 3>) -> Option<SolidForm<'a>> {
    match *core {
        Core::Point => None,
        Core::Segment(half_length) => Some(SolidForm::Segment { half_length }),
        Core::Polytope(form) => Some(SolidForm::Polyhedron(form)),
        Core::Cylinder(radius, half_height) => Some(SolidForm::Cylinder { radius, half_height }),
    }
}

/// The edges whose separation may exceed `least`, given the heights of one vertex of the other body over all
/// faces.
///
/// Along any normal between those of its two faces, an edge is no farther from the other body than from that
/// vertex. With the heights `t`, `s` over the faces and the cosine `c` of their normals, the largest distance
/// over these normals is `√((t² + s² − 2cts) / (1 − c²))` if the vertex lies between them, else the larger of
/// `t` and `s`.
#[inline(always)]
fn keep_edges<S: Simd>(
    simd: S,
    (form, heights): (&Polytope<3>, &[Four]),
    least: f64,
    (marks, candidates): (&mut Vec<u64>, &mut Vec<u32>),
    kept: &mut Vec<PlacedEdge<3>>,
    placed: impl Fn(PlacedEdge<3>) -> PlacedEdge<3>,
) {
    kept.clear();
    // a vertex below both faces is not between them: of the few faces that it is not below, the edges
    marks.clear();
    marks.resize(form.edges().len().div_ceil(64), 0);
    for_each_from(
        simd,
        heights,
        least.min(0.0),
        #[inline(always)]
        |face| {
            form.faces()[face].edges.iter().for_each(|edge| marks[*edge as usize / 64] |= 1 << (edge % 64));
        },
    );
    make_room(candidates, form.edges().len());
    // few edges pass, and no branch foretells which
    let mut count = 0;
    for (rank, &word) in marks.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            let index = 64 * rank + left.trailing_zeros() as usize;
            left &= left - 1;
            let [one, two] = form.edges()[index].faces;
            let (t, s, c) = (at(heights, one as usize), at(heights, two as usize), form.cosines()[index]);
            let between = (t - c * s > 0.0) & (s - c * t > 0.0);
            // rounding must keep an edge rather than drop it
            let far = t * t + s * s - 2.0 * c * t * s >= 0.999_999 * least * least.abs() * (1.0 - c * c);
            candidates[count] = index as u32;
            count += usize::from((t >= least) | (s >= least) | (between & far));
        }
    }
    for &index in &candidates[..count] {
        let edge = &form.edges()[index as usize];
        let [from, to] = edge.vertices;
        let (from, to) = (form.vertices()[from as usize], form.vertices()[to as usize]);
        let [one, two] = edge.faces;
        let normals = [form.planes()[one as usize][0], form.planes()[two as usize][0]];
        kept.push(placed(PlacedEdge { index, from, along: to - from, normals }));
    }
}

/// Writes the ranks of the edges whose arcs cross to the front of `crossings`, and tells how many: few of all
/// pairs, and no branch foretells which.
#[inline(always)]
fn cross<S: Simd>(
    simd: S,
    edges: &[Vec<PlacedEdge<3>>; 2],
    fours: &mut Vec<FourEdges<3>>,
    crossings: &mut Vec<[u32; 2]>,
) -> usize {
    fours.clear();
    fours.resize(edges[1].len().div_ceil(WIDTH), FourEdges::NONE);
    edges[1].iter().enumerate().for_each(|(rank, edge)| fours[rank / WIDTH].set(rank % WIDTH, edge));
    make_room(crossings, (edges[0].len() * fours.len() + 1) * WIDTH);
    let mut count = 0;
    for (i, one) in edges[0].iter().enumerate() {
        for (group, four) in fours.iter().enumerate() {
            let mut found = arcs_cross(simd, one, four);
            for lane in 0..WIDTH {
                crossings[count] = [i as u32, (group * WIDTH + lane) as u32];
                count += (found & 1) as usize;
                found >>= 1;
            }
        }
    }
    count
}

/// Makes a list as long as asked for at least; what it holds has no meaning.
fn make_room<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() < length {
        list.resize(length, T::default());
    }
}

/// Whether the arc between the normals of an edge of A crosses those between the reversed normals of edges of
/// B, one bit each. The edge itself is the pole of its arc.
#[inline(always)]
fn arcs_cross<S: Simd>(simd: S, one: &PlacedEdge<3>, four: &FourEdges<3>) -> u64 {
    let along = Spread::of(simd, &one.along);
    let (b0, b1) = (along.dot(simd, &four.normals[0]), along.dot(simd, &four.normals[1]));
    let a0 = Spread::of(simd, &one.normals[0]).dot(simd, &four.along);
    let a1 = Spread::of(simd, &one.normals[1]).dot(simd, &four.along);
    // on opposite sides of each other, and on the same half of the sphere
    let none = f64x4::splat(simd, 0.0);
    ((b0 * b1).simd_lt(none) & (a0 * a1).simd_lt(none) & (b0 * a1).simd_gt(none)).to_bitmask()
}
