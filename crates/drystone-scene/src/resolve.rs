//! Writes out every default of a valid scene, and one way of saying each thing: radians, quaternions. Doing
//! it twice changes nothing, to the bit.

use crate::spec::{BodySpec, Components, Rotation, SceneSpec};
use drystone_math::nalgebra::{Quaternion, Unit, Vector3};
use drystone_math::portable;

/// The scene with every default written out, but for the gyroscopic treatment, which the inertia decides.
pub(crate) fn resolve(mut spec: SceneSpec) -> SceneSpec {
    let dimension = spec.dimension;
    spec.gravity = Some(spec.gravity());
    spec.output.interval = Some(spec.interval());
    if let Some(cell) = &mut spec.cell {
        cell.origin.get_or_insert_with(|| vec![0.0; dimension]);
    }
    for body in &mut spec.bodies {
        resolve_body(body, dimension);
    }
    spec
}

/// One body with every default but the gyroscopic treatment.
pub(crate) fn resolve_body(body: &mut BodySpec, dimension: usize) {
    body.position.get_or_insert_with(|| vec![0.0; dimension]);
    body.velocity.get_or_insert_with(|| vec![0.0; dimension]);
    if dimension == 2 {
        body.spin.get_or_insert(Components::One(0.0));
        let angle = body.angle.or(body.angle_degrees.map(f64::to_radians)).unwrap_or(0.0);
        body.angle = Some(angle);
        body.angle_degrees = None;
    } else {
        body.spin.get_or_insert_with(|| Components::Three(vec![0.0; 3]));
        let given = body.orientation_wxyz.as_deref().map(unit).or(body.rotation.as_ref().map(turn));
        body.orientation_wxyz = Some(given.unwrap_or([1.0, 0.0, 0.0, 0.0]).to_vec());
        body.rotation = None;
    }
}

/// The quaternion brought to length 1, unless it has it up to rounding: then its bits stay.
fn unit(wxyz: &[f64]) -> [f64; 4] {
    let [w, x, y, z] = *wxyz else {
        return [1.0, 0.0, 0.0, 0.0];
    };
    let norm = (w * w + x * x + y * y + z * z).sqrt();
    if (norm - 1.0).abs() < 1e-14 { [w, x, y, z] } else { [w / norm, x / norm, y / norm, z / norm] }
}

fn turn(rotation: &Rotation) -> [f64; 4] {
    let [x, y, z] = *rotation.axis.as_slice() else {
        return [1.0, 0.0, 0.0, 0.0];
    };
    // scaled first, so that the squares of its parts neither overflow nor vanish
    let axis = Vector3::new(x, y, z) / x.abs().max(y.abs()).max(z.abs());
    let angle = rotation.angle.or(rotation.angle_degrees.map(f64::to_radians)).unwrap_or(0.0);
    let turn = portable::turn(&Unit::new_normalize(axis), angle);
    let q: &Quaternion<f64> = turn.quaternion();
    unit(&[q.w, q.i, q.j, q.k])
}
