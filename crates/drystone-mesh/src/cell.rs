//! A convex polyhedron that planes cut parts off. Never cuts one that is not convex.

use drystone_math::Vector;
use drystone_math::portable;
use std::collections::BTreeMap;

/// A plane: `normal · x = offset`, with what counts as below where the left side is smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) normal: Vector<3>,
    pub(crate) offset: f64,
}

impl Plane {
    pub(crate) fn height(&self, point: &Vector<3>) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub(crate) fn turned(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// Vertices and the loops around the faces, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) vertices: Vec<Vector<3>>,
    pub(crate) faces: Vec<Vec<u32>>,
}

impl Cell {
    /// A box.
    pub(crate) fn cuboid(low: Vector<3>, high: Vector<3>) -> Self {
        let vertex =
            |k: usize| Vector::from_fn(|axis, _| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
        const FACES: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self {
            vertices: (0..8).map(vertex).collect(),
            faces: FACES.iter().map(|face| face.to_vec()).collect(),
        }
    }

    /// The part below a plane; `None` if nothing is, vertices closer to it than `near` being on it.
    pub(crate) fn below(&self, plane: &Plane, near: f64) -> Option<Self> {
        let heights: Vec<f64> = self.vertices.iter().map(|vertex| plane.height(vertex)).collect();
        if heights.iter().all(|&height| height >= -near) {
            return None;
        }
        if heights.iter().all(|&height| height <= near) {
            return Some(self.clone());
        }
        let mut vertices = self.vertices.clone();
        let mut on: Vec<bool> = heights.iter().map(|height| height.abs() <= near).collect();
        let mut made: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut faces = Vec::with_capacity(self.faces.len() + 1);
        for face in &self.faces {
            let mut kept = Vec::with_capacity(face.len() + 1);
            for (rank, &from) in face.iter().enumerate() {
                let to = face[(rank + 1) % face.len()];
                let (start, end) = (heights[from as usize], heights[to as usize]);
                if start <= near {
                    kept.push(from);
                }
                if (start < -near && end > near) || (start > near && end < -near) {
                    let new = *made.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                        let [p, q] = [from.min(to), from.max(to)].map(|end| end as usize);
                        let share = heights[p] / (heights[p] - heights[q]);
                        vertices.push(vertices[p] + (vertices[q] - vertices[p]) * share);
                        on.push(true);
                        vertices.len() as u32 - 1
                    });
                    kept.push(new);
                }
            }
            if kept.len() >= 3 && kept.iter().any(|&corner| !on[corner as usize]) {
                faces.push(kept);
            }
        }
        let cap = cap(&vertices, &faces, &on, plane)?;
        faces.push(cap);
        Some(Self { vertices, faces }.compact())
    }

    /// Without vertices that no face has.
    pub(crate) fn compact(self) -> Self {
        let mut number = vec![u32::MAX; self.vertices.len()];
        let mut vertices = Vec::new();
        let mut faces = self.faces;
        for corner in faces.iter_mut().flatten() {
            let number = &mut number[*corner as usize];
            if *number == u32::MAX {
                *number = vertices.len() as u32;
                vertices.push(self.vertices[*corner as usize]);
            }
            *corner = *number;
        }
        Self { vertices, faces }
    }

    /// The mean of the vertices, which is inside.
    pub(crate) fn middle(&self) -> Vector<3> {
        self.vertices.iter().sum::<Vector<3>>() / self.vertices.len().max(1) as f64
    }

    /// The faces as fans of triangles.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.faces.iter().flat_map(|face| face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]))
    }

    /// Volume \[cube of the unit of length\].
    pub(crate) fn volume(&self) -> f64 {
        crate::mass::of(&self.vertices, self.triangles()).volume
    }

    /// The plane of a face.
    pub(crate) fn plane(&self, face: usize) -> Option<Plane> {
        let corners: Vec<Vector<3>> =
            self.faces[face].iter().map(|&corner| self.vertices[corner as usize]).collect();
        let area: Vector<3> =
            corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(&(pair[1] - corners[0]))).sum();
        let normal = area.try_normalize(0.0)?;
        Some(Plane { normal, offset: normal.dot(&corners[0]) })
    }
}

/// The new face: the vertices on the plane that faces still have, in order about their middle.
fn cap(vertices: &[Vector<3>], faces: &[Vec<u32>], on: &[bool], plane: &Plane) -> Option<Vec<u32>> {
    let mut corners: Vec<u32> =
        faces.iter().flatten().copied().filter(|&corner| on[corner as usize]).collect();
    corners.sort_unstable();
    corners.dedup();
    if corners.len() < 3 {
        return None;
    }
    let at = |corner: u32| vertices[corner as usize];
    let middle = corners.iter().map(|&corner| at(corner)).sum::<Vector<3>>() / corners.len() as f64;
    let first = (at(corners[0]) - middle).try_normalize(0.0)?;
    let second = plane.normal.cross(&first);
    let angle = |corner: u32| {
        let arm = at(corner) - middle;
        portable::atan2(arm.dot(&second), arm.dot(&first))
    };
    corners.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)).then(a.cmp(&b)));
    Some(corners)
}
