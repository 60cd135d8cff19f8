//! Why bytes are no mesh, or a mesh is no solid. Each message is one sentence; it names no file.

use crate::MeshProblem;

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The bytes do not follow their format.
    #[error("{place}: found {found}, but {allowed}")]
    Read {
        /// Line from 1 of a text, or offset from 0 in bytes.
        place: String,
        /// What stands there.
        found: String,
        /// What may stand there.
        allowed: String,
    },
    /// A face that names a vertex the mesh does not have.
    #[error("face {face} names vertex {vertex}, but the mesh has {vertices}, numbered from 0")]
    VertexOutOfRange {
        /// Number of the face, from 0.
        face: usize,
        /// The vertex it names, from 0.
        vertex: usize,
        /// How many there are.
        vertices: usize,
    },
    /// A face of one or two corners.
    #[error("face {face} has {found} corners, but at least 3 are needed")]
    FaceTooSmall {
        /// Number of the face, from 0.
        face: usize,
        /// How many corners it has.
        found: usize,
    },
    /// A face of more corners than are cut into triangles.
    #[error("face {face} has {found} corners, but at most {allowed} are allowed")]
    FaceTooLarge {
        /// Number of the face, from 0.
        face: usize,
        /// How many corners it has.
        found: usize,
        /// How many it may have.
        allowed: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite; every coordinate must be a finite number")]
    NotFinite {
        /// Number of the vertex, from 0.
        vertex: usize,
    },
    /// Coordinates whose products overflow or vanish.
    #[error("the mesh measures {size}, but sizes from 1e-60 to 1e60 are allowed")]
    OutOfScale {
        /// Largest extent or coordinate, in the unit of the mesh.
        size: f64,
    },
    /// A face that crosses itself, so that it has no inside to fill.
    #[error("face {face} crosses itself or has no area, and cannot be cut into triangles")]
    TangledFace {
        /// Number of the face, from 0.
        face: usize,
    },
    /// Nothing to work with.
    #[error("the mesh has no faces")]
    Empty,
    /// More than indices can count.
    #[error("the mesh has {found} vertices or faces, but at most {allowed} are allowed")]
    TooMany {
        /// How many there are.
        found: usize,
        /// How many may be.
        allowed: usize,
    },
    /// A surface that bounds no solid.
    #[error("the mesh bounds no solid: {0}")]
    NotSolid(MeshProblem),
    /// More convex pieces than were allowed.
    #[error(
        "more than {allowed} convex pieces would be needed; give a larger tolerance than {tolerance}, or a simpler mesh"
    )]
    TooManyPieces {
        /// How many were allowed.
        allowed: usize,
        /// Depth of hollows that were to be left, relative to the size of the mesh.
        tolerance: f64,
    },
    /// Elements that make no mesh.
    #[error(transparent)]
    Elements(#[from] drystone_elements::MeshFault),
    /// A tolerance outside its range.
    #[error("the tolerance of a decomposition is {found}, but it must be from 0 to 0.5")]
    Tolerance {
        /// What was given.
        found: f64,
    },
}

/// Most vertices or faces of a mesh: indices and sides of triangles fit in 32 bits.
pub(crate) const MOST: usize = 1 << 28;
