//! Shapes as points and polygons, for pictures and files. It is never used to find a contact: round shapes
//! are only approached.

use drystone_math::Vector;
use drystone_math::portable;

use crate::{Polytope, Shape, SkinShape};

/// Points and the loops or faces between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh<const D: usize> {
    /// The points, in the axes of the shape \[m\].
    pub points: Vec<Vector<D>>,
    /// In space, the indices around each face, counter-clockwise seen from its outer side; in the plane,
    /// along each line.
    pub faces: Vec<Vec<u32>>,
    /// In the plane, whether each line returns to its first point; true in space.
    pub closed: bool,
}

impl<const D: usize> Shape<D> {
    /// The surface of the shape; a full turn of what is round gets `segments` segments (at least 8). Empty
    /// for a half-space, a single point for a point.
    pub fn skin(&self, segments: usize) -> SurfaceMesh<D> {
        let segments = segments.max(8) as u32;
        match self {
            Shape::HalfSpace => SurfaceMesh { closed: true, ..SurfaceMesh::default() },
            Shape::Point => SurfaceMesh { points: vec![Vector::zeros()], faces: vec![vec![0]], closed: true },
            Shape::Polytope(form) => grown(form, 0.0, segments),
            Shape::Rounded { core, radius } => grown(core, *radius, segments),
            Shape::Ball { radius } => round(*radius, 0.0, segments),
            Shape::Capsule { half_length, radius } => round(*radius, *half_length, segments),
            Shape::Hollow { radius, .. } if D == 2 => {
                let mut skin = round(*radius, 0.0, segments);
                // seen from within
                skin.faces.iter_mut().for_each(|face| face.reverse());
                skin
            }
            Shape::Cylinder { radius, half_height } => {
                let mut skin = turned(&[(*radius, -half_height), (*radius, *half_height)], segments);
                skin.faces.push((0..segments).rev().collect());
                skin.faces.push((segments..2 * segments).collect());
                skin
            }
            Shape::Hollow { radius, half_height } => {
                turned(&[(*radius, *half_height), (*radius, -half_height)], segments)
            }
            Shape::Surface(surface) if D == 3 => SurfaceMesh {
                points: surface.vertices().to_vec(),
                faces: surface.pieces().map(|piece| piece.to_vec()).collect(),
                closed: true,
            },
            Shape::Skin(skin) => {
                SurfaceMesh { points: skin.vertices().to_vec(), faces: skin_faces(skin), closed: true }
            }
            Shape::Surface(surface) => SurfaceMesh {
                points: surface.vertices().to_vec(),
                faces: vec![(0..surface.vertices().len() as u32).collect()],
                closed: surface.is_closed(),
            },
        }
    }
}

/// The facets of a skin, in the plane the lines around the body.
fn skin_faces<const D: usize>(skin: &SkinShape<D>) -> Vec<Vec<u32>> {
    if D == 3 {
        return skin.facets().iter().map(|facet| facet[..D].to_vec()).collect();
    }
    let mut next = vec![u32::MAX; skin.vertices().len()];
    skin.facets().iter().for_each(|facet| next[facet[0] as usize] = facet[1]);
    let mut lines = Vec::new();
    for start in 0..next.len() as u32 {
        let (mut line, mut at) = (Vec::new(), start);
        while let Some(&after) = next.get(at as usize).filter(|&&after| after != u32::MAX) {
            next[at as usize] = u32::MAX;
            line.push(at);
            at = after;
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// A point in the plane of the last two axes turned about the last; in the plane the radius is x.
fn place<const D: usize>(radius: f64, height: f64, angle: f64) -> Vector<D> {
    let coordinates = if D == 2 {
        [radius, height, 0.0]
    } else {
        [radius * portable::cos(angle), radius * portable::sin(angle), height]
    };
    Vector::from_fn(|row, _| coordinates[row])
}

/// Rings of points, and quadrilaterals from ring to ring; each entry is radius and height, from below.
fn turned<const D: usize>(profile: &[(f64, f64)], segments: u32) -> SurfaceMesh<D> {
    let mut skin = SurfaceMesh { closed: true, ..SurfaceMesh::default() };
    let step = std::f64::consts::TAU / f64::from(segments);
    for &(radius, height) in profile {
        skin.points.extend((0..segments).map(|k| place(radius, height, step * f64::from(k))));
    }
    for ring in 1..profile.len() as u32 {
        for k in 0..segments {
            let [here, next] = [k, (k + 1) % segments].map(|k| k + (ring - 1) * segments);
            skin.faces.push(vec![here, next, next + segments, here + segments]);
        }
    }
    skin
}

/// A ball or a capsule.
fn round<const D: usize>(radius: f64, half_length: f64, segments: u32) -> SurfaceMesh<D> {
    use std::f64::consts::{FRAC_PI_2, TAU};
    let step = TAU / f64::from(segments);
    let cap = |angle: f64| {
        (
            radius * portable::cos(angle),
            radius * portable::sin(angle) + half_length.copysign(portable::sin(angle)),
        )
    };
    if D == 2 {
        let points = (0..segments).map(|k| cap(step * (f64::from(k) + 0.5)));
        let points: Vec<Vector<D>> = points.map(|(x, y)| place(x, y, 0.0)).collect();
        return SurfaceMesh { faces: vec![(0..segments).collect()], points, closed: true };
    }
    // two arcs from pole to pole, both with the equator where a capsule has its straight part
    let quarter = segments / 4;
    let arc = |from: f64| (0..=quarter).map(move |k| from + FRAC_PI_2 * f64::from(k) / f64::from(quarter));
    let lower = arc(-FRAC_PI_2)
        .map(|angle| (radius * portable::cos(angle), radius * portable::sin(angle) - half_length));
    let upper =
        arc(0.0).map(|angle| (radius * portable::cos(angle), radius * portable::sin(angle) + half_length));
    let skip = usize::from(half_length == 0.0);
    turned(&lower.chain(upper.skip(skip)).collect::<Vec<_>>(), segments)
}

/// A polytope whose faces are moved out by a radius. In the plane its corners are round, in space bevelled.
fn grown<const D: usize>(form: &Polytope<D>, radius: f64, segments: u32) -> SurfaceMesh<D> {
    if radius == 0.0 {
        let faces = if D == 2 {
            vec![(0..form.vertices().len() as u32).collect()]
        } else {
            form.faces().iter().map(|face| face.vertices.clone()).collect()
        };
        return SurfaceMesh { points: form.vertices().to_vec(), faces, closed: true };
    }
    if D == 2 { round_polygon(form, radius, segments) } else { bevelled(form, radius) }
}

fn round_polygon<const D: usize>(form: &Polytope<D>, radius: f64, segments: u32) -> SurfaceMesh<D> {
    let mut points: Vec<Vector<D>> = Vec::new();
    let count = form.faces.len();
    for k in 0..count {
        let [from, to] = [k, (k + 1) % count].map(|face| form.faces[face].normal);
        let corner = form.corner(&form.faces[k], 1);
        let start = portable::atan2(from[1], from[0]);
        let turn = portable::atan2(from[0] * to[1] - from[1] * to[0], from.dot(&to));
        // the two ends of a flat core turn by half a circle, whichever way rounding has it
        let turn = if turn <= 0.0 { turn + std::f64::consts::TAU } else { turn };
        let steps = (turn / std::f64::consts::TAU * f64::from(segments)).ceil().max(1.0);
        points.extend((0..=steps as u32).map(|step| {
            let angle = start + turn * f64::from(step) / steps;
            corner + place::<D>(radius * portable::cos(angle), radius * portable::sin(angle), 0.0)
        }));
    }
    SurfaceMesh { faces: vec![(0..points.len() as u32).collect()], points, closed: true }
}

fn bevelled<const D: usize>(form: &Polytope<D>, radius: f64) -> SurfaceMesh<D> {
    let mut skin = SurfaceMesh { closed: true, ..SurfaceMesh::default() };
    let mut first = Vec::with_capacity(form.faces.len());
    for face in &form.faces {
        let start = skin.points.len() as u32;
        first.push(start);
        skin.points.extend((0..face.vertices.len()).map(|k| form.corner(face, k) + face.normal * radius));
        skin.faces.push((start..skin.points.len() as u32).collect());
    }
    // the copy of a vertex that belongs to a face
    let copy = |face: u32, vertex: u32| {
        let ranks = form.faces[face as usize].vertices.iter().zip(0u32..);
        ranks.filter(|(other, _)| **other == vertex).map(|(_, rank)| first[face as usize] + rank).next()
    };
    for edge in &form.edges {
        let ([p, q], [one, two]) = (edge.vertices, edge.faces);
        skin.faces
            .push([copy(one, q), copy(one, p), copy(two, p), copy(two, q)].into_iter().flatten().collect());
    }
    for vertex in 0..form.vertices.len() as u32 {
        skin.faces.push(around(form, vertex).into_iter().filter_map(|face| copy(face, vertex)).collect());
    }
    skin
}

/// The faces around a vertex, counter-clockwise seen from outside.
fn around<const D: usize>(form: &Polytope<D>, vertex: u32) -> Vec<u32> {
    let at = |face: &crate::Face<D>| face.vertices.iter().position(|&other| other == vertex);
    let Some(start) = form.faces.iter().position(|face| at(face).is_some()) else {
        return Vec::new();
    };
    let mut faces = vec![start as u32];
    let mut face = start;
    for _ in 0..form.faces.len() {
        // across the edge that ends in the vertex
        let Some(rank) = at(&form.faces[face]) else { break };
        let count = form.faces[face].vertices.len();
        let edge = form.edges[form.faces[face].edges[(rank + count - 1) % count] as usize];
        face = edge.faces[usize::from(edge.faces[0] as usize == face)] as usize;
        if face == start {
            break;
        }
        faces.push(face as u32);
    }
    faces
}
