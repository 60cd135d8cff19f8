//! Convex polyhedra from vertices and faces. It refuses what is not closed, oriented, planar and convex.

use drystone_math::Vector;

use crate::polytope::{Edge, Face, Polytope, measure};
use crate::{ShapeError, error};

impl Polytope<3> {
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
        const FACES: [[u32; 4]; 6] = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        Ok(Self::from_loops(
            vertices,
            FACES.iter().map(|face| face.to_vec()).collect(),
        ))
    }

    /// Assembles checked loops: closed, planar, convex, counter-clockwise seen from outside.
    pub(crate) fn from_loops(vertices: Vec<Vector<3>>, loops: Vec<Vec<u32>>) -> Self {
        let mut faces: Vec<Face<3>> = loops
            .into_iter()
            .map(|corners| face_of(&vertices, corners))
            .collect();
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
            edges.push(Edge {
                vertices: pair[0].0,
                faces: [pair[0].2, pair[1].2],
            });
        }
        let (bounding_radius, size) = measure(&vertices);
        Self {
            vertices,
            faces,
            edges,
            bounding_radius,
            size,
        }
    }
}

fn face_of(vertices: &[Vector<3>], corners: Vec<u32>) -> Face<3> {
    let at = |k: usize| vertices[corners[k % corners.len()] as usize];
    let normal = area_vector(vertices, &corners).normalize();
    let sides = (0..corners.len())
        .map(|k| (at(k + 1) - at(k)).cross(&normal).normalize())
        .collect();
    Face {
        normal,
        sides,
        edges: vec![0; corners.len()],
        vertices: corners,
    }
}

/// Twice the area of a loop times its normal, from one of its corners so that it is right far from the origin.
pub(crate) fn area_vector(vertices: &[Vector<3>], corners: &[u32]) -> Vector<3> {
    let origin = vertices[corners[0] as usize];
    corners
        .windows(2)
        .map(|pair| (vertices[pair[0] as usize] - origin).cross(&(vertices[pair[1] as usize] - origin)))
        .sum()
}
