//! The boundary of a mesh: faces of one element alone, and the linear facets that contact sees of them.

use super::{ElementFace, Mesh};
use crate::element::MOST_FACE_NODES;
use std::collections::BTreeMap;

/// A linear piece of a face of the skin: a segment in the plane, a triangle in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinFacet {
    /// The face it is cut from.
    pub face: ElementFace,
    /// Its corners, nodes of the mesh; the first `D` count.
    pub corners: [u32; 3],
    /// The same as numbers of the face's own nodes, for its shape functions.
    pub local: [u8; 3],
}

/// The boundary of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Nodes on the boundary, increasing.
    pub nodes: Vec<u32>,
    /// Faces of one element alone, increasing.
    pub faces: Vec<ElementFace>,
    /// The faces cut into linear pieces, in the order of the faces.
    pub facets: Vec<SkinFacet>,
}

/// Corners of a face in increasing order; unused places are the largest number.
pub(super) type FaceKey = [u32; 4];

impl<const D: usize> Mesh<D> {
    /// Corners of a face, sorted: the same for the two elements that share it.
    pub(super) fn face_key(&self, face: ElementFace) -> FaceKey {
        let mut key = [u32::MAX; 4];
        // a face has as many corners as its linear form has nodes
        let count = match (D, self.face_nodes(face).count()) {
            (2, _) => 2,
            (_, 3 | 6) => 3,
            _ => 4,
        };
        key.iter_mut().zip(self.face_nodes(face).take(count)).for_each(|(place, node)| *place = node);
        key.sort_unstable();
        key
    }

    /// All faces by their corners.
    pub(super) fn faces_by_key(&self) -> BTreeMap<FaceKey, Vec<ElementFace>> {
        let mut all: BTreeMap<FaceKey, Vec<ElementFace>> = BTreeMap::new();
        for element in 0..self.element_count() {
            for face in 0..self.kind(element).reference().faces.len() {
                let face = ElementFace { element: element as u32, face: face as u8 };
                all.entry(self.face_key(face)).or_default().push(face);
            }
        }
        all
    }

    /// Faces of one element alone, increasing.
    pub fn skin_faces(&self) -> Vec<ElementFace> {
        let all = self.faces_by_key();
        let mut faces: Vec<ElementFace> =
            all.into_values().filter(|faces| faces.len() == 1).map(|faces| faces[0]).collect();
        faces.sort_unstable();
        faces
    }

    /// The boundary.
    pub fn skin(&self) -> Skin {
        let faces = self.skin_faces();
        let mut skin = Skin::default();
        for &face in &faces {
            let mut nodes = [0; MOST_FACE_NODES];
            self.face_nodes(face).enumerate().for_each(|(place, node)| nodes[place] = node);
            let kind = self.kind(face.element as usize).reference().face_kind(face.face as usize);
            skin.nodes.extend(self.face_nodes(face));
            for &piece in kind.facets() {
                let mut local = [0; 3];
                local[..piece.len()].copy_from_slice(piece);
                let corners = local.map(|a| nodes[a as usize]);
                skin.facets.push(SkinFacet { face, corners, local });
            }
        }
        skin.nodes.sort_unstable();
        skin.nodes.dedup();
        skin.faces = faces;
        skin
    }
}
