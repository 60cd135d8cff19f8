//! Convex polygons and polyhedra, ready for contact. It refuses nothing itself: the constructors beside it check.

use drystone_math::{Pose, Vector};

use crate::joined::Neighbour;

/// Convex polygon (`D = 2`) or polyhedron (`D = 3`) in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<const D: usize> {
    pub(crate) vertices: Vec<Vector<D>>,
    pub(crate) faces: Vec<Face<D>>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) bounding_radius: f64,
    pub(crate) size: f64,
    /// Normal and height of the plane of every face, side by side in memory.
    pub(crate) planes: Vec<(Vector<D>, f64)>,
    /// Cosine of the angle between the normals at every edge.
    pub(crate) cosines: Vec<f64>,
    /// Other pieces of the same solid, for a piece of one.
    pub(crate) neighbours: Vec<Neighbour<D>>,
}

/// A side of a polytope: an edge of a polygon, a face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Face<const D: usize> {
    /// Unit normal, pointing out of the shape.
    pub normal: Vector<D>,
    /// Indices of its vertices: two in the plane, in space any number, counter-clockwise seen from outside.
    pub vertices: Vec<u32>,
    /// Unit directions in the face that point out of it: in space across the edge that starts at the vertex of
    /// the same rank, in the plane past the vertex of the same rank.
    pub(crate) sides: Vec<Vector<D>>,
    /// In space, the edge that starts at the vertex of the same rank; empty in the plane.
    pub(crate) edges: Vec<u32>,
}

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Indices of its two ends.
    pub vertices: [u32; 2],
    /// Indices of the two faces it joins; the first runs from the first vertex to the second.
    pub faces: [u32; 2],
}

impl<const D: usize> Polytope<D> {
    /// Puts checked parts together and measures them.
    pub(crate) fn assemble(vertices: Vec<Vector<D>>, faces: Vec<Face<D>>, edges: Vec<Edge>) -> Self {
        let (bounding_radius, size) = measure(&vertices);
        let planes = planes(&vertices, &faces);
        let cosine = |edge: &Edge| {
            let [one, two] = edge.faces.map(|face| &faces[face as usize].normal);
            one.dot(two)
        };
        let cosines = edges.iter().map(cosine).collect();
        Self { vertices, faces, edges, bounding_radius, size, planes, cosines, neighbours: Vec::new() }
    }

    /// Corners of the shape \[m\].
    pub fn vertices(&self) -> &[Vector<D>] {
        &self.vertices
    }

    /// Sides of the shape.
    pub fn faces(&self) -> &[Face<D>] {
        &self.faces
    }

    /// Edges in space; empty in the plane, where the faces are the edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Largest distance of a vertex from the origin of the shape's axes \[m\].
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Largest extent along an axis \[m\]: the length that tolerances are relative to.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The same shape described in other axes: `pose` is where the present axes stand in the new ones.
    pub fn transformed(&self, pose: &Pose<D>) -> Self {
        let rotation = pose.rotation();
        let mut moved = self.clone();
        moved.vertices.iter_mut().for_each(|vertex| *vertex = pose.position + rotation * *vertex);
        for face in &mut moved.faces {
            face.normal = rotation * face.normal;
            face.sides.iter_mut().for_each(|side| *side = rotation * *side);
        }
        (moved.bounding_radius, moved.size) = measure(&moved.vertices);
        moved.planes = planes(&moved.vertices, &moved.faces);
        moved.neighbours = self.neighbours.iter().map(|other| other.transformed(pose)).collect();
        moved
    }

    /// Corner `k` of a face.
    pub(crate) fn corner(&self, face: &Face<D>, k: usize) -> &Vector<D> {
        &self.vertices[face.vertices[k] as usize]
    }

    /// How many segments bound the faces: the edges in space, the faces themselves in the plane.
    pub(crate) fn segment_count(&self) -> usize {
        if D == 2 { self.faces.len() } else { self.edges.len() }
    }

    /// The two ends of a segment.
    pub(crate) fn segment(&self, index: usize) -> [u32; 2] {
        if D == 2 {
            let ends = &self.faces[index].vertices;
            [ends[0], ends[1]]
        } else {
            self.edges[index].vertices
        }
    }
}

/// Normal and height of the plane of every face.
fn planes<const D: usize>(vertices: &[Vector<D>], faces: &[Face<D>]) -> Vec<(Vector<D>, f64)> {
    let plane = |face: &Face<D>| (face.normal, face.normal.dot(&vertices[face.vertices[0] as usize]));
    faces.iter().map(plane).collect()
}

/// Bounding radius about the origin and largest extent along an axis.
pub(crate) fn measure<const D: usize>(vertices: &[Vector<D>]) -> (f64, f64) {
    let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
    let size = (0..D).map(|axis| {
        let values = || vertices.iter().map(|vertex| vertex[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    });
    (radius, size.fold(0.0, f64::max))
}
