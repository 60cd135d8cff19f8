//! Shapes from files: what a file holds of a polytope or a surface is checked and the rest measured anew, to
//! the same bits. Opens no file.

use crate::polytope::measure;
use crate::{Polytope, SkinShape, Surface, surface_build};
use drystone_math::Vector;
use serde::de::{Deserialize, Deserializer, Error};
use std::sync::Arc;

/// A shape of which a file holds no more than what cannot be measured anew.
pub trait Restored: Sized {
    /// The whole shape; none where its parts do not fit each other.
    fn restored(self) -> Option<Self>;
}

/// Reads a shape and makes it whole.
pub fn restored<'de, De: Deserializer<'de>, T: Restored + Deserialize<'de>>(
    deserializer: De,
) -> Result<Arc<T>, De::Error> {
    let shape = T::deserialize(deserializer)?.restored();
    shape.map(Arc::new).ok_or_else(|| De::Error::custom("the parts of a shape do not fit each other"))
}

fn are_finite<const D: usize>(vectors: &[Vector<D>]) -> bool {
    vectors.iter().all(|vector| vector.iter().all(|x| x.is_finite()))
}

fn are_below(indices: &[u32], count: usize) -> bool {
    indices.iter().all(|&index| (index as usize) < count)
}

impl<const D: usize> Restored for Polytope<D> {
    fn restored(self) -> Option<Self> {
        let Self { vertices, faces, edges, neighbours, .. } = self;
        let fits = |face: &crate::Face<D>| {
            let sides = face.vertices.len();
            sides > 0
                && face.sides.len() == sides
                && (face.edges.is_empty() || face.edges.len() == sides)
                && are_below(&face.vertices, vertices.len())
                && are_below(&face.edges, edges.len())
        };
        let whole = !vertices.is_empty()
            && are_finite(&vertices)
            && faces.iter().all(fits)
            && edges.iter().all(|edge| are_below(&edge.vertices, vertices.len()))
            && edges.iter().all(|edge| are_below(&edge.faces, faces.len()));
        whole.then(|| Self { neighbours, ..Self::assemble(vertices, faces, edges) })
    }
}

impl<const D: usize> Restored for SkinShape<D> {
    fn restored(self) -> Option<Self> {
        are_finite(self.vertices()).then(|| Self::new(self.vertices().to_vec(), self.facets().to_vec()))?
    }
}

impl<const D: usize> Restored for Surface<D> {
    fn restored(self) -> Option<Self> {
        let (corners, pieces) = (self.vertices.len(), self.pieces.len());
        // where the features of each piece begin, and where the last of them end
        let owns = |starts: &[u32], count: usize| {
            starts.len() == pieces + 1
                && starts.is_sorted()
                && starts.first() == Some(&0)
                && starts.last().is_some_and(|&end| end as usize == count)
        };
        let whole = are_finite(&self.vertices)
            && self.pieces.iter().all(|piece| are_below(&piece.vertices, corners))
            && self.ridges.iter().all(|ridge| are_below(&ridge.vertices, corners))
            && self.corners.iter().all(|corner| are_below(&[corner.vertex], corners))
            && owns(&self.ridges_of, self.ridges.len())
            && owns(&self.corners_of, self.corners.len());
        if !whole {
            return None;
        }
        let (bounding_radius, size) = measure(&self.vertices);
        let tree = surface_build::tree(&self.vertices, &self.pieces);
        Some(Self { tree, bounding_radius, size, ..self })
    }
}
