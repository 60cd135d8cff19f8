//! Several shapes as one. Its mass is that of all they fill together: what two of them share counts once.

use super::{FromSpec, Made, Refusal, vector};
use crate::resolve::resolve_body;
use crate::spec::{PartSpec, SceneSpec, ShapeRef};
use crate::validate::shape::placed;
use drystone::{Polytope, Pose};
use drystone_math::Orientation;
use drystone_math::nalgebra::Vector3;
use drystone_math::portable;

pub(super) fn made<const D: usize>(shapes: &[PartSpec], scene: &SceneSpec) -> Result<Made<D>, Refusal>
where
    Polytope<D>: FromSpec<D>,
{
    let mut parts = Vec::new();
    for (index, part) in shapes.iter().enumerate() {
        let (form, kind) = match &part.shape {
            ShapeRef::Inline(form) => (Some(form), Some(form.kind())),
            ShapeRef::Named(name) => (scene.shapes.get(name), None),
        };
        // names were checked before
        let Some(form) = form else { continue };
        let made = <Polytope<D> as FromSpec<D>>::made(form)
            .map_err(|refusal| Refusal::Part(index, kind, Box::new(refusal)))?;
        let place = place::<D>(part);
        parts.extend(made.parts.into_iter().map(|(shape, pose)| (shape, place.compose(&pose))));
    }
    let mass = <Polytope<D> as FromSpec<D>>::union(&parts)?;
    Ok(Made { parts, mass })
}

/// Where a part sits in the axes of the cluster.
fn place<const D: usize>(part: &PartSpec) -> Pose<D> {
    let mut body = placed(part);
    resolve_body(&mut body, D);
    let orientation = match (body.angle, body.orientation_wxyz.as_deref()) {
        (Some(angle), _) => portable::turn(&Vector3::z_axis(), angle),
        (None, Some(&[w, x, y, z])) => Pose::<D>::orientation_from_wxyz([w, x, y, z]),
        _ => Orientation::identity(),
    };
    Pose { position: vector(body.position.as_deref().unwrap_or(&[])), orientation }
}
