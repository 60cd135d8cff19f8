//! What a convex piece of a solid knows of another one. What it means for contacts is told by `pieces.rs`.

use drystone_math::Vector;

/// Another piece of the same solid that touches this one.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Neighbour<const D: usize> {
    pub(crate) vertices: Vec<Vector<D>>,
    /// Outward normals of the faces and heights of their planes.
    pub(crate) planes: Vec<(Vector<D>, f64)>,
    /// Size of the whole solid.
    pub(crate) solid: f64,
}
