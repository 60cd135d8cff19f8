//! Why a shape cannot be built, and where in the scene that is to be said. Decides nothing.

use crate::place::{Place, Problems};
use drystone::ShapeError;

/// Why a shape was refused.
pub(crate) enum Refusal {
    /// Its numbers make no shape.
    Shape(ShapeError),
    /// The mesh it names or holds: a sentence for each thing that is wrong.
    Mesh(Vec<String>),
    /// A sentence about the whole.
    Whole(String),
    /// One of the shapes of a cluster, with its kind if it is written there.
    Part(usize, Option<&'static str>, Box<Refusal>),
}

impl From<ShapeError> for Refusal {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl Refusal {
    /// Reports it, at the vertex or face it speaks of where it speaks of one.
    pub(crate) fn note(&self, place: &Place, problems: &mut Problems) {
        let (vertices, faces) = (place.key("vertices"), place.key("faces"));
        let error = match self {
            Self::Shape(error) => error,
            Self::Mesh(sentences) => {
                return sentences
                    .iter()
                    .for_each(|text| problems.of(&place.key("file"), format!(": {text}")));
            }
            Self::Whole(text) => return problems.of(place, format!(": {text}")),
            Self::Part(index, kind, inner) => {
                let list = place.key("shapes");
                let item = list.item(*index);
                let shape = item.key("shape");
                return match kind {
                    Some(kind) => inner.note(&shape.key(kind), problems),
                    None => inner.note(&shape, problems),
                };
            }
        };
        let hint = match error {
            ShapeError::ReflexVertex { .. } => {
                "; treat = \"decompose\" cuts it into convex pieces, treat = \"surface\" takes its outline"
            }
            _ => "",
        };
        let text = format!(": {error}{hint}");
        match *error {
            ShapeError::ReflexVertex { vertex: index }
            | ShapeError::NotFinite { vertex: index }
            | ShapeError::UnusedVertex { vertex: index }
            | ShapeError::InteriorPoints { first: index, .. }
            | ShapeError::RepeatedVertex { second: index, .. } => problems.of(&vertices.item(index), text),
            ShapeError::FaceTooSmall { face, .. }
            | ShapeError::VertexOutOfRange { face, .. }
            | ShapeError::RepeatedInFace { face, .. }
            | ShapeError::FlatFace { face }
            | ShapeError::OpenEdge { face, .. }
            | ShapeError::NotPlanar { face, .. } => problems.of(&faces.item(face), text),
            _ => problems.of(place, text),
        }
    }
}
