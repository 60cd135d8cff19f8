//! The bodies of a source that are no disks or spheres: shapes drawn by number, with their mass and inertia.
//! Finds no place for them.

use crate::build::newcomer;
use crate::generate::{form, shape_of};
use crate::spec::{BodySpec, SceneSpec, ShapeRef, SourceSpec};
use drystone::Newcomer;
use drystone_math::Vector;
use drystone_samples::{Grain, GrainForm, GrainShape, ShapedGrain};

/// What a source makes its bodies of.
pub(super) struct Mould {
    source: SourceSpec,
    form: GrainForm,
    /// Dimension, materials and shapes of the scene, without its bodies.
    scene: SceneSpec,
}

impl Mould {
    /// That of a source; none where it drops disks or spheres.
    pub(super) fn of(source: &SourceSpec, spec: &SceneSpec) -> Option<Self> {
        let form = match source.shapes.len() {
            0 => form(source.form.as_ref(), 0),
            count => GrainForm::Listed { count },
        };
        let scene = SceneSpec {
            shapes: spec.shapes.clone(),
            materials: spec.materials.clone(),
            ..SceneSpec::new(spec.dimension, spec.time.step, spec.time.duration)
        };
        (!matches!(form, GrainForm::Ball)).then(|| Self { source: source.clone(), form, scene })
    }

    /// The body of a number about the origin, within a circle or sphere of this radius \[m\] where its shape
    /// is not one of a list; none where it has no mass.
    pub(super) fn body<const D: usize>(&self, name: String, number: u64, radius: f64) -> Option<Newcomer<D>>
    where
        drystone::Polytope<D>: crate::geometry::FromSpec<D>,
    {
        let grain = Grain { position: Vector::zeros(), radius };
        let seed = (u64::from(self.source.seed) << 32) ^ number.wrapping_add(1);
        let shaped: Vec<ShapedGrain<D>> = self.form.replace(&[grain], seed);
        let one = shaped.first()?;
        let shape: ShapeRef = match &one.shape {
            GrainShape::Listed(index, _) => ShapeRef::Named(self.source.shapes.get(*index)?.clone()),
            _ => shape_of(one, &[]).into(),
        };
        let mut body = BodySpec::new(name, shape);
        body.density = Some(self.source.density);
        body.velocity.clone_from(&self.source.velocity);
        if D == 2 {
            body.angle = Some(one.angle);
        } else {
            let q = one.orientation.quaternion();
            body.orientation_wxyz = Some(vec![q.w, q.i, q.j, q.k]);
        }
        newcomer(&body, &self.scene)
    }
}
