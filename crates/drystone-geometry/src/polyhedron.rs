//! Convex polyhedra from vertices and faces. It refuses what is not closed, oriented, planar and convex.

use drystone_math::Vector;

use crate::planar::{PLANAR, REPEATED, area_vector};
use crate::polytope::{Edge, Face, Polytope, measure};
use crate::{ShapeError, error, merge};

impl Polytope<3> {
    /// A convex polyhedron from the loops of vertices around its faces, counter-clockwise seen from outside,
    /// or all clockwise. Faces in one plane become one face, vertices that are then no corners are dropped.
    pub fn polyhedron(vertices: Vec<Vector<3>>, faces: Vec<Vec<usize>>) -> Result<Self, ShapeError> {
        error::check_vertices(&vertices)?;
        let (_, size) = measure(&vertices);
        error::check_repeated(&vertices, REPEATED * size)?;
        let mut loops = checked_loops(&vertices, &faces)?;
        check_closed(&loops)?;
        let volume = signed_volume(&vertices, &loops);
        if volume.abs() <= REPEATED * size.powi(3) {
            return Err(ShapeError::Flat { dimension: 3 });
        }
        if volume < 0.0 {
            loops.iter_mut().for_each(|corners| corners.reverse());
        }
        check_planar_and_convex(&vertices, &loops, size)?;
        let (vertices, loops) = merge::coplanar(vertices, loops, size)?;
        Ok(Self::from_loops(vertices, loops))
    }

    /// A box of these sides about the origin.
    pub fn cuboid(size: [f64; 3]) -> Result<Self, ShapeError> {
        error::check_sides(&size)?;
        let [x, y, z] = size.map(|side| 0.5 * side);
        let vertices: Vec<Vector<3>> = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                Vector::<3>::new(sign(0) * x, sign(1) * y, sign(2) * z)
            })
            .collect();
        error::check_vertices(&vertices)?;
        const FACES: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Ok(Self::from_loops(vertices, FACES.iter().map(|face| face.to_vec()).collect()))
    }

    /// Assembles checked loops: closed, planar, convex, counter-clockwise seen from outside.
    pub fn from_loops(vertices: Vec<Vector<3>>, loops: Vec<Vec<u32>>) -> Self {
        let mut faces: Vec<Face<3>> = loops.into_iter().map(|corners| face_of(&vertices, corners)).collect();
        // half-edges sorted by their unordered ends bring the two faces of each edge together
        let mut halves: Vec<([u32; 2], bool, u32, u32)> = Vec::new();
        for (index, face) in faces.iter().enumerate() {
            for (rank, &from) in face.vertices.iter().enumerate() {
                let to = face.vertices[(rank + 1) % face.vertices.len()];
                halves.push(([from.min(to), from.max(to)], from > to, index as u32, rank as u32));
            }
        }
        halves.sort_unstable();
        let mut edges = Vec::with_capacity(halves.len() / 2);
        for pair in halves.chunks_exact(2) {
            for half in pair {
                faces[half.2 as usize].edges[half.3 as usize] = edges.len() as u32;
            }
            edges.push(Edge { vertices: pair[0].0, faces: [pair[0].2, pair[1].2] });
        }
        Self::assemble(vertices, faces, edges)
    }
}

/// The loops as indices that exist, each vertex once in a loop and in one loop at least.
fn checked_loops(vertices: &[Vector<3>], faces: &[Vec<usize>]) -> Result<Vec<Vec<u32>>, ShapeError> {
    if faces.len() > error::MOST {
        return Err(ShapeError::TooMany { found: faces.len(), allowed: error::MOST });
    }
    let mut last_face = vec![usize::MAX; vertices.len()];
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            return Err(ShapeError::FaceTooSmall { face, found: corners.len() });
        }
        for &vertex in corners {
            match last_face.get_mut(vertex) {
                None => {
                    return Err(ShapeError::VertexOutOfRange { face, vertex, vertices: vertices.len() });
                }
                Some(last) if *last == face => return Err(ShapeError::RepeatedInFace { face, vertex }),
                Some(last) => *last = face,
            }
        }
    }
    if let Some(vertex) = last_face.iter().position(|&face| face == usize::MAX) {
        return Err(ShapeError::UnusedVertex { vertex });
    }
    Ok(faces.iter().map(|corners| corners.iter().map(|&vertex| vertex as u32).collect()).collect())
}

/// Every edge runs once in each direction.
fn check_closed(loops: &[Vec<u32>]) -> Result<(), ShapeError> {
    let mut halves: Vec<([u32; 2], bool, usize)> = Vec::new();
    for (face, corners) in loops.iter().enumerate() {
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[(k + 1) % corners.len()];
            halves.push(([from.min(to), from.max(to)], from > to, face));
        }
    }
    halves.sort_unstable();
    for group in halves.chunk_by(|a, b| a.0 == b.0) {
        let ([from, to], face) = (group[0].0.map(|vertex| vertex as usize), group[0].2);
        match group {
            [one] => {
                let (from, to) = if one.1 { (to, from) } else { (from, to) };
                return Err(ShapeError::OpenEdge { from, to, face });
            }
            [one, two] if one.1 == two.1 => {
                return Err(ShapeError::MixedOrientation { first: one.2, second: two.2 });
            }
            [_, _] => {}
            _ => return Err(ShapeError::CrowdedEdge { from, to }),
        }
    }
    Ok(())
}

/// The vertices of each face in its plane, all others below it, and some of them well below it.
pub fn check_planar_and_convex(
    vertices: &[Vector<3>],
    loops: &[Vec<u32>],
    size: f64,
) -> Result<(), ShapeError> {
    for (face, corners) in loops.iter().enumerate() {
        let area = area_vector(vertices, corners);
        if area.norm() <= REPEATED * size * size {
            return Err(ShapeError::FlatFace { face });
        }
        let normal = area.normalize();
        let origin = vertices[corners[0] as usize];
        let height = |vertex: usize| normal.dot(&(vertices[vertex] - origin));
        let indices = corners.iter().map(|&vertex| vertex as usize);
        let out_of_plane = indices.max_by(|&i, &j| height(i).abs().total_cmp(&height(j).abs()));
        if let Some(vertex) = out_of_plane.filter(|&vertex| height(vertex).abs() > PLANAR * size) {
            return Err(ShapeError::NotPlanar { face, vertex });
        }
        if let Some(vertex) = (0..vertices.len()).find(|&vertex| height(vertex) > PLANAR * size) {
            return Err(ShapeError::NotConvex { face, vertex });
        }
        // thinner than this, the two sides of a plate would be one plane
        if (0..vertices.len()).all(|vertex| height(vertex) > -10.0 * PLANAR * size) {
            return Err(ShapeError::Flat { dimension: 3 });
        }
    }
    Ok(())
}

fn signed_volume(vertices: &[Vector<3>], loops: &[Vec<u32>]) -> f64 {
    let origin = vertices[0];
    let cone = |corners: &Vec<u32>| {
        area_vector(vertices, corners).dot(&(vertices[corners[0] as usize] - origin)) / 6.0
    };
    loops.iter().map(cone).sum()
}

fn face_of(vertices: &[Vector<3>], corners: Vec<u32>) -> Face<3> {
    let at = |k: usize| vertices[corners[k % corners.len()] as usize];
    let normal = area_vector(vertices, &corners).normalize();
    let sides = (0..corners.len()).map(|k| (at(k + 1) - at(k)).cross(&normal).normalize()).collect();
    Face { normal, sides, edges: vec![0; corners.len()], vertices: corners }
}
