//! One-sided polylines and triangulated surfaces, ready for contact. It checks nothing itself: see
//! `surface_build`.

use drystone_math::Vector;

use crate::tree::Tree;

/// Cosine beyond which two normals are one; a facet and a ridge of it may differ a little.
const ALONG: f64 = 0.999;

/// A polyline (`D = 2`) or a triangulated surface (`D = 3`), open or closed, touched from its outer side
/// only.
///
/// Contacts are made by three kinds of features: pieces (segments, triangles), in space the ridges between
/// pieces that meet convexly, and convex corners. Where pieces meet in a plane or in a valley there is
/// nothing to bump into: a body that rolls or slides over a plane cut into triangles feels the plane.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface<const D: usize> {
    pub(crate) vertices: Vec<Vector<D>>,
    pub(crate) pieces: Vec<Piece<D>>,
    pub(crate) ridges: Vec<Ridge<D>>,
    pub(crate) corners: Vec<Corner<D>>,
    /// Ridges of piece `k`, each owned by one piece, are `ridges[ridges_of[k]..ridges_of[k + 1]]`; corners
    /// likewise.
    pub(crate) ridges_of: Vec<u32>,
    pub(crate) corners_of: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) tree: Tree<D>,
    pub(crate) closed: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) bounding_radius: f64,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) size: f64,
}

/// A segment of a polyline, a triangle of a surface.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece<const D: usize> {
    /// Indices of its vertices.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub vertices: [u32; D],
    /// Unit normal, to the outer side.
    pub normal: Vector<D>,
    /// Unit directions in the piece that point out of it: in space across the edge that starts at the vertex
    /// of the same rank, in the plane past the vertex of the same rank.
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    pub sides: [Vector<D>; D],
    /// Pieces in one plane that hang together share this number: their contacts have one name.
    pub facet: u32,
}

/// An edge where two pieces meet convexly, or the rim of an open surface.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ridge<const D: usize> {
    /// Indices of its ends.
    pub vertices: [u32; 2],
    /// The ridge can push along `m` if `m` is square to it and leans towards both of these.
    pub sides: [Vector<D>; 2],
}

/// A vertex that stands out.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Corner<const D: usize> {
    /// Index of the vertex.
    pub vertex: u32,
    /// The corner can push along `m` if `m` leans towards none of these unit directions.
    pub away: Vec<Vector<D>>,
}

impl<const D: usize> Surface<D> {
    /// The vertices \[m\].
    pub fn vertices(&self) -> &[Vector<D>] {
        &self.vertices
    }

    /// Indices of the vertices of each piece: the outer side is on the right of a segment, in front of a
    /// triangle whose vertices are seen counter-clockwise.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = [u32; D]> + '_ {
        self.pieces.iter().map(|piece| piece.vertices)
    }

    /// Its segments or triangles with their normals.
    #[inline]
    pub fn elements(&self) -> &[Piece<D>] {
        &self.pieces
    }

    /// Edges that can push.
    #[inline]
    pub fn ridges(&self) -> &[Ridge<D>] {
        &self.ridges
    }

    /// Vertices that can push.
    #[inline]
    pub fn corners(&self) -> &[Corner<D>] {
        &self.corners
    }

    /// Which pieces are near a box.
    #[inline]
    pub fn tree(&self) -> &Tree<D> {
        &self.tree
    }

    /// Whether the surface encloses a region: then it is the boundary of a solid.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Largest distance of a vertex from the origin of the shape's axes \[m\].
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Largest extent along an axis \[m\].
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The numbers of the ridges that a piece owns.
    pub fn ridges_of_piece(&self, piece: u32) -> std::ops::Range<u32> {
        self.ridges_of[piece as usize]..self.ridges_of[piece as usize + 1]
    }

    /// The corners that a piece owns.
    pub fn corners_of_piece(&self, piece: u32) -> &[Corner<D>] {
        &self.corners[self.corners_of[piece as usize] as usize..self.corners_of[piece as usize + 1] as usize]
    }

    /// The vertex of this rank of a piece.
    pub fn corner(&self, piece: &Piece<D>, rank: usize) -> &Vector<D> {
        &self.vertices[piece.vertices[rank] as usize]
    }
}

/// Whether two contacts, given by point and normal, are one: at one place and along one normal, since a body
/// in a corner has two normals at one place.
pub fn is_same<const D: usize>(
    (p, n): (&Vector<D>, &Vector<D>),
    (q, m): (&Vector<D>, &Vector<D>),
    none: f64,
) -> bool {
    (p - q).norm() <= 10.0 * none && n.dot(m) >= ALONG
}
