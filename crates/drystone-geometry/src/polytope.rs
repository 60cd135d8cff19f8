//! Convex polygons and polyhedra, ready for contact. It refuses nothing itself: the constructors beside it
//! check.

use drystone_math::{Pose, Vector};

use crate::columns::{Columns, Four, at, pack};
use crate::neighbour::Neighbour;
use drystone_math::instructions;
use fearless_simd::dispatch;

/// Cosine of the angle, 0.02 rad, within which a face stands in for a contact of edges or vertices: the face
/// gives several points, and along its normal the gap differs by this factor at most.
pub const STAND_IN: f64 = 0.9998;

/// Convex polygon (`D = 2`) or polyhedron (`D = 3`) in its own axes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Polytope<const D: usize> {
    pub(crate) vertices: Vec<Vector<D>>,
    pub(crate) faces: Vec<Face<D>>,
    pub(crate) edges: Vec<Edge>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) bounding_radius: f64,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) size: f64,
    /// The vertices once more, to be measured four at a time.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) corners: Columns<D>,
    /// Normal and first corner of every face, side by side in memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) planes: Vec<[Vector<D>; 2]>,
    /// Normals of the faces, four at a time, and the heights of their planes; without end beyond the last.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) normals: Columns<D>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) levels: Vec<Four>,
    /// Cosine of the angle between the normals at every edge.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) cosines: Vec<f64>,
    /// Other pieces of the same solid, for a piece of one.
    pub(crate) neighbours: Vec<Neighbour<D>>,
}

/// A side of a polytope: an edge of a polygon, a face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Face<const D: usize> {
    /// Unit normal, pointing out of the shape.
    pub normal: Vector<D>,
    /// Indices of its vertices: two in the plane, in space any number, counter-clockwise seen from outside.
    pub vertices: Vec<u32>,
    /// Unit directions in the face that point out of it: in space across the edge that starts at the vertex
    /// of the same rank, in the plane past the vertex of the same rank.
    pub sides: Vec<Vector<D>>,
    /// In space, the edge that starts at the vertex of the same rank; empty in the plane.
    pub edges: Vec<u32>,
}

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge {
    /// Indices of its two ends.
    pub vertices: [u32; 2],
    /// Indices of the two faces it joins; the first runs from the first vertex to the second.
    pub faces: [u32; 2],
}

impl<const D: usize> Polytope<D> {
    /// Puts checked parts together and measures them.
    pub fn assemble(vertices: Vec<Vector<D>>, faces: Vec<Face<D>>, edges: Vec<Edge>) -> Self {
        let cosine = |edge: &Edge| {
            let [one, two] = edge.faces.map(|face| &faces[face as usize].normal);
            one.dot(two)
        };
        let cosines = edges.iter().map(cosine).collect();
        let mut assembled = Self {
            vertices,
            faces,
            edges,
            bounding_radius: 0.0,
            size: 0.0,
            corners: Columns::default(),
            planes: Vec::new(),
            normals: Columns::default(),
            levels: Vec::new(),
            cosines,
            neighbours: Vec::new(),
        };
        assembled.derive();
        assembled
    }

    /// Measures vertices and faces anew.
    fn derive(&mut self) {
        (self.bounding_radius, self.size) = measure(&self.vertices);
        self.corners = Columns::of(self.vertices.iter());
        self.normals = Columns::of(self.faces.iter().map(|face| &face.normal));
        self.planes = self.faces.iter().map(|face| [face.normal, *self.corner(face, 0)]).collect();
        self.levels = pack(self.planes.iter().map(|[normal, corner]| normal.dot(corner)), f64::INFINITY);
    }

    /// The vertices, to be measured four at a time.
    #[inline]
    pub fn corners(&self) -> &Columns<D> {
        &self.corners
    }

    /// Normal and first corner of every face, side by side in memory.
    #[inline]
    pub fn planes(&self) -> &[[Vector<D>; 2]] {
        &self.planes
    }

    /// Normals of the faces, four at a time.
    #[inline]
    pub fn normals(&self) -> &Columns<D> {
        &self.normals
    }

    /// Heights of the planes of the faces, four at a time; without end beyond the last.
    #[inline]
    pub fn levels(&self) -> &[Four] {
        &self.levels
    }

    /// Cosine of the angle between the normals at every edge.
    #[inline]
    pub fn cosines(&self) -> &[f64] {
        &self.cosines
    }

    /// Other pieces of the same solid, for a piece of one.
    #[inline]
    pub fn neighbours(&self) -> &[Neighbour<D>] {
        &self.neighbours
    }

    /// The face that looks most along a direction, and the cosine.
    pub fn aligned_face(&self, direction: &Vector<D>) -> (usize, f64) {
        dispatch!(instructions::level(), simd => self.normals.foremost(simd, direction))
    }

    /// Corners of the shape \[m\].
    #[inline]
    pub fn vertices(&self) -> &[Vector<D>] {
        &self.vertices
    }

    /// Sides of the shape.
    #[inline]
    pub fn faces(&self) -> &[Face<D>] {
        &self.faces
    }

    /// Edges in space; empty in the plane, where the faces are the edges.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Largest distance of a vertex from the origin of the shape's axes \[m\].
    #[inline]
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Largest extent along an axis \[m\]: the length that tolerances are relative to.
    #[inline]
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
        moved.derive();
        moved.neighbours = self.neighbours.iter().map(|other| other.transformed(pose)).collect();
        moved
    }

    /// Corner `k` of a face.
    pub fn corner(&self, face: &Face<D>, k: usize) -> &Vector<D> {
        &self.vertices[face.vertices[k] as usize]
    }

    /// Whether another body is kept away, but for `slack` \[m\], by faces of clearly different directions:
    /// given its separations from the faces, in the order in which they are looked at, `start` first.
    pub fn has_corner(&self, start: usize, separations: &[Four], slack: f64) -> bool {
        let mut best = (start, at(separations, start));
        let mut corner = false;
        for index in 0..self.faces.len() {
            let separation = at(separations, index);
            let square = || self.planes[index][0].dot(&self.planes[best.0][0]) < 0.9;
            corner |= separation.min(best.1) >= -slack && square();
            if separation > best.1 || (separation == best.1 && index < best.0) {
                best = (index, separation);
            }
        }
        corner
    }

    /// Whether no segment leads down from a vertex, seen along the unit direction `up`, by more than `lean`
    /// as a sine: the polytope can then stand on the vertex.
    pub fn stands_on(&self, vertex: u32, up: &Vector<D>, lean: f64) -> bool {
        (0..self.segment_count()).map(|index| self.segment(index)).all(|[from, to]| {
            let other = match vertex {
                _ if vertex == from => to,
                _ if vertex == to => from,
                _ => return true,
            };
            let along = self.vertices[other as usize] - self.vertices[vertex as usize];
            up.dot(&along) >= -lean * along.norm()
        })
    }

    /// How many segments bound the faces: the edges in space, the faces themselves in the plane.
    pub fn segment_count(&self) -> usize {
        if D == 2 { self.faces.len() } else { self.edges.len() }
    }

    /// The two ends of a segment.
    pub fn segment(&self, index: usize) -> [u32; 2] {
        if D == 2 {
            let ends = &self.faces[index].vertices;
            [ends[0], ends[1]]
        } else {
            self.edges[index].vertices
        }
    }
}

/// Bounding radius about the origin and largest extent along an axis.
pub fn measure<const D: usize>(vertices: &[Vector<D>]) -> (f64, f64) {
    let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
    let size = (0..D).map(|axis| {
        let values = || vertices.iter().map(|vertex| vertex[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    });
    (radius, size.fold(0.0, f64::max))
}
