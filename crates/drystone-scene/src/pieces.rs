//! What became of the shapes that are cut into convex pieces. It cuts nothing itself: see `geometry`.

use crate::geometry;
use crate::spec::{ShapeRef, ShapeSpec};
use crate::{Scene, validate::show};
use serde::Serialize;
use std::fmt;

/// A shape that is cut into convex pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecompositionReport {
    /// Name of the shape, or of the body whose own shape it is.
    pub shape: String,
    /// Number of pieces.
    pub pieces: usize,
    /// Volume (area in 2D) of all pieces less that of the shape, relative to the latter \[-\].
    pub volume_error: f64,
}

impl fmt::Display for DecompositionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = format!("{:.1e}", self.volume_error).parse().unwrap_or(self.volume_error);
        write!(f, "{:?} in {}, volume error {}", self.shape, self.pieces, show(error))
    }
}

/// All shapes of the scene that are cut: those with a name first, then those of bodies.
pub(crate) fn decompositions(scene: &Scene) -> Vec<DecompositionReport> {
    let mut found = Vec::new();
    for (name, shape) in &scene.shapes {
        look_at(name, shape, &mut found);
    }
    for body in &scene.bodies {
        if let ShapeRef::Inline(shape) = &body.shape {
            look_at(&body.name, shape, &mut found);
        }
    }
    found
}

fn look_at(name: &str, shape: &ShapeSpec, found: &mut Vec<DecompositionReport>) {
    if let ShapeSpec::Cluster { shapes } = shape {
        for part in shapes {
            if let ShapeRef::Inline(shape) = &part.shape {
                look_at(name, shape, found);
            }
        }
    } else if let Some((pieces, volume_error)) = geometry::cut(shape) {
        found.push(DecompositionReport { shape: name.to_owned(), pieces, volume_error });
    }
}
