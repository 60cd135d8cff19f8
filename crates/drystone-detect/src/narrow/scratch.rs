//! Buffers of the narrow phase, kept from pair to pair, and what they hold. They decide nothing.

use drystone_geometry::Polytope;
use drystone_geometry::columns::{Four, set};
use drystone_math::Vector;

use crate::narrow::patch::Patch;
use crate::narrow::region::Regions;
use crate::narrow::separating_axis::WitnessFace;
use crate::narrow::spread::SkinBuffers;

/// Buffers kept from pair to pair.
#[derive(Default)]
pub(crate) struct Scratch<const D: usize> {
    pub patch: Patch<D>,
    /// Vertices of the second polytope in the axes of the first.
    pub vertices: Vec<Vector<D>>,
    /// Over each face of either polytope, the height of the vertex of the other that comes first to mind.
    pub heights: [Vec<Four>; 2],
    /// The face that parts the two polytopes.
    pub separating: Option<WitnessFace>,
    /// Distances of one body from the faces of the other, where they may be the largest.
    pub separations: Vec<Four>,
    /// Pairs of edges that may touch, by their ranks.
    pub crossings: Vec<[u32; 2]>,
    /// Edges of one body that may matter: as a list, and as bits.
    pub candidates: Vec<u32>,
    pub marks: Vec<u64>,
    /// Edges of either polytope that may bound a separating axis, in the axes of the first.
    pub edges: [Vec<PlacedEdge<D>>; 2],
    /// Those of the second polytope once more, four by four.
    pub fours: Vec<FourEdges<D>>,
    /// Segments of the plane as polygons of two corners.
    pub flats: [Option<Polytope<D>>; 2],
    /// Axes of two polytopes, each with the body of its face.
    pub axes: Vec<(usize, Axis<D>)>,
    /// Name, point, normal and gap of contacts not yet emitted.
    pub found: Vec<(u64, Vector<D>, Vector<D>, f64)>,
    /// Features of round bodies.
    pub regions: Regions,
    /// Pieces of one surface that are near another.
    pub pieces: Vec<u32>,
    /// What is near on a surface.
    pub terrain: Hits<D>,
    /// What pairs of skins work in.
    pub skins: SkinBuffers<D>,
}

/// A contact in the axes of the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit<const D: usize> {
    /// Which point of the body.
    pub own: u64,
    pub name: u64,
    pub point: Vector<D>,
    pub normal: Vector<D>,
    pub gap: f64,
}

/// What is near on a surface, kept from pair to pair.
#[derive(Debug)]
pub(crate) struct Hits<const D: usize> {
    pub pieces: Vec<u32>,
    pub hits: Vec<Hit<D>>,
    /// Which of them are dropped.
    pub hidden: Vec<bool>,
    /// Those of facets once more.
    pub facets: Vec<Hit<D>>,
}

impl<const D: usize> Default for Hits<D> {
    fn default() -> Self {
        Self { pieces: Vec::new(), hits: Vec::new(), hidden: Vec::new(), facets: Vec::new() }
    }
}

/// An edge in the axes of the first polytope, with the outward normals of its faces; those of the second are
/// reversed.
#[derive(Clone, Copy)]
pub(crate) struct PlacedEdge<const D: usize> {
    pub index: u32,
    pub from: Vector<D>,
    pub along: Vector<D>,
    pub normals: [Vector<D>; 2],
}

/// Four edges in the axes of the first polytope, by coordinates: direction and reversed normals.
#[derive(Clone, Copy)]
pub(crate) struct FourEdges<const D: usize> {
    pub along: [Four; D],
    pub normals: [[Four; D]; 2],
}

impl<const D: usize> FourEdges<D> {
    /// No edges: their arcs cross no other.
    pub const NONE: Self = Self { along: [Four::ZERO; D], normals: [[Four::ZERO; D]; 2] };

    /// Puts an edge in a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, edge: &PlacedEdge<D>) {
        for axis in 0..D {
            set(&mut self.along[axis..], lane, edge.along[axis]);
            set(&mut self.normals[0][axis..], lane, edge.normals[0][axis]);
            set(&mut self.normals[1][axis..], lane, edge.normals[1][axis]);
        }
    }
}

/// An axis that may separate two polytopes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Axis<const D: usize> {
    /// The bodies are farther apart than asked for.
    Apart,
    /// There is none of this kind.
    None,
    /// Normal of a face, from its body to the other; `corner` if a face of clearly another direction has the
    /// bodies apart, too.
    Face { index: usize, separation: f64, corner: bool },
    /// Product of two edges; the unit normal points from the first body to the second, in the axes of the
    /// first.
    Edges { edges: [u32; 2], normal: Vector<D>, separation: f64 },
}
