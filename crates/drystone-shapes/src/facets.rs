//! What the search of contacts between polytopes does in one way in the plane and in another in space, and the words both
//! use. It searches nothing itself: see `convex`.

use drystone_math::{Matrix, Pose, Vector};
use fearless_simd::Simd;

use crate::Polytope;
use crate::columns::{Four, set};
use crate::pairs::Core;
use crate::parted::Face;
use crate::patch::{Cut, Patch};
use crate::region::Regions;
use crate::terrain::Hits;

/// What the plane and space do in their own ways.
pub(crate) trait Facets<const D: usize> {
    /// Cuts a face of the incident polytope by the sides of a face of the reference, in the axes of the reference.
    fn cut(cut: &Cut<D>, patch: &mut Patch<D>);

    /// The best axis among products of edges of two bodies, the second where it is in the axes of the first; none in the
    /// plane. Separations below the first of `range` are not sought,
    /// beyond the second the bodies are apart. Needs the heights over the faces.
    fn edge_axis<S: Simd>(
        simd: S,
        bodies: (&Polytope<D>, &Polytope<D>, &Placement<D>),
        range: (f64, f64),
        scratch: &mut Scratch<D>,
    ) -> Axis<D>;

    /// Contacts of two cores of which one at least is a segment or a cylinder, and neither a point.
    fn round(
        a: Grown<D>,
        b: Grown<D>,
        alert: f64,
        scratch: &mut Scratch<D>,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );

    /// Contacts of a core with the segment between two points, as antagonist; none in the plane.
    fn on_segment(
        core: Grown<D>,
        ends: &[Vector<D>; 2],
        alert: f64,
        scratch: &mut Scratch<D>,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );

    /// Contact of a ball with a cylinder, given by radius and half its height.
    fn point_on_cylinder(
        ball: (f64, &Pose<D>),
        cylinder: (f64, f64, &Pose<D>),
        alert: f64,
        emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
    );
}

/// A core, the radius it is grown by, and its place.
pub(crate) type Grown<'a, const D: usize> = (Core<'a, D>, f64, &'a Pose<D>);

/// Where a polytope stands in the world, or in the axes of another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<const D: usize> {
    pub rotation: Matrix<D, D>,
    pub position: Vector<D>,
}

impl<const D: usize> Placement<D> {
    pub fn of(pose: &Pose<D>) -> Self {
        Self { rotation: pose.rotation(), position: pose.position }
    }

    pub fn apply(&self, point: &Vector<D>) -> Vector<D> {
        self.position + self.rotation * point
    }
}

/// An edge in the axes of the first polytope, with the outward normals of its faces; those of the second are reversed.
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

/// Buffers kept from pair to pair.
#[derive(Default)]
pub(crate) struct Scratch<const D: usize> {
    pub patch: Patch<D>,
    /// Vertices of the second polytope in the axes of the first.
    pub vertices: Vec<Vector<D>>,
    /// Over each face of either polytope, the height of the vertex of the other that comes first to mind.
    pub heights: [Vec<Four>; 2],
    /// The face that parts the two polytopes.
    pub parted: Option<Face>,
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
}

/// An axis that may separate two polytopes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Axis<const D: usize> {
    /// The bodies are farther apart than asked for.
    Apart,
    /// There is none of this kind.
    None,
    /// Normal of a face, from its body to the other; `corner` if a face of clearly another direction has the bodies
    /// apart, too.
    Face { index: usize, separation: f64, corner: bool },
    /// Product of two edges; the unit normal points from the first body to the second, in the axes of the first.
    Edges { edges: [u32; 2], normal: Vector<D>, separation: f64 },
}
