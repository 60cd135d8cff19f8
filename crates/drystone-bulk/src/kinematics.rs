//! Where bodies are and how points of them move.

use drystone_math::nalgebra::Vector3;
use drystone_math::per_dof::{linear, spin};
use drystone_math::portable::turn_by;
use drystone_math::{Columns, Matrix, Orientation, Pose, Vector, rigid_dofs};
use drystone_state::{Bodies, Gyroscopic};

/// The middle configuration `q_m = q_n + (1 − θ) h v_n`, where contacts are sought (Moreau, Jean 1996, §4),
/// of a body whose spin in its own axes is constant.
pub fn middle<const D: usize>(pose: &Pose<D>, velocity: &[f64], dt: f64) -> Pose<D> {
    advance(pose, velocity, dt)
}

/// Where a body is after `dt` with constant velocity and spin. Rotations are composed and never leave the
/// group.
pub fn advance<const D: usize>(pose: &Pose<D>, velocity: &[f64], dt: f64) -> Pose<D> {
    Pose {
        position: pose.position + linear::<D>(velocity) * dt,
        orientation: renormalised(pose.orientation * turn_by(&(spin::<D>(velocity) * dt))),
    }
}

/// Rounding makes the quaternion drift off the unit sphere by about 1e-16 a step: bring it back every time. A
/// body that does not turn keeps its bits.
pub(crate) fn renormalised(orientation: Orientation) -> Orientation {
    Orientation::new_normalize(orientation.into_inner())
}

/// Row block of H for one side of a contact: `H v` is the velocity of the body's particle at `point`, in the
/// contact `frame`. Columns: translation in world axes, then spin in body axes, `Rᵀ(a × t)` with the arm `a`.
#[doc(alias = "H")]
#[doc(alias = "contact Jacobian")]
pub fn jacobian<const D: usize>(frame: &Matrix<D, D>, point: &Vector<D>, pose: &Pose<D>) -> Columns<D> {
    let arm = point - pose.position;
    let mut h = Columns::<D>::zeros(rigid_dofs(D));
    for axis in 0..D {
        h[axis] = std::array::from_fn(|row| frame[(axis, row)]);
    }
    if D == 2 {
        for row in 0..D {
            h[D][row] = arm[0] * frame[(1, row)] - arm[1] * frame[(0, row)];
        }
    } else {
        let to_body = pose.orientation.inverse();
        let arm = Vector3::new(arm[0], arm[1], arm[2]);
        for row in 0..D {
            let direction = Vector3::new(frame[(0, row)], frame[(1, row)], frame[(2, row)]);
            let moment = to_body * arm.cross(&direction);
            for axis in 0..3 {
                h[D + axis][row] = moment[axis];
            }
        }
    }
    h
}

/// Rate of the velocity of a body's particle at `point` \[m/s²\], where other particles come to lie because
/// the point moves with the velocity `moving`, while the body coasts: `ω × (ċ − v) + ω̇ × a` with the arm
/// `a`.
pub fn particle_rate<const D: usize>(
    bodies: &Bodies<D>,
    body: usize,
    pose: &Pose<D>,
    point: &Vector<D>,
    moving: &Vector<D>,
) -> Vector<D> {
    let velocity = &bodies.velocity[body];
    let in_space = |v: &Vector<D>| Vector3::from_fn(|axis, _| if axis < D { v[axis] } else { 0.0 });
    let away = in_space(&(moving - linear::<D>(velocity)));
    let turning = spin::<D>(velocity);
    let mut rate = (pose.orientation * turning).cross(&away);
    if D == 3 && bodies.gyroscopic[body] == Gyroscopic::Implicit {
        let inertia = spin::<D>(&bodies.mass[body]);
        let moment = turning.cross(&inertia.component_mul(&turning));
        let bent = Vector3::from_fn(|axis, _| match bodies.driven[body][D + axis] {
            Some(_) => 0.0,
            None => -moment[axis] / inertia[axis],
        });
        rate += (pose.orientation * bent).cross(&in_space(&(point - pose.position)));
    }
    Vector::from_fn(|axis, _| rate[axis])
}

/// Row block of the relative spin for one side of a contact: `rows` name the axes of the frame about which it
/// is taken, component by component; in the plane, where a body turns about the third axis alone, any axis
/// but the normal is that one.
pub fn spin_rows<const D: usize>(
    frame: &Matrix<D, D>,
    rows: [Option<usize>; D],
    pose: &Pose<D>,
) -> Columns<D> {
    let mut h = Columns::<D>::zeros(rigid_dofs(D));
    for (row, axis) in rows.into_iter().enumerate() {
        match axis {
            Some(axis) if D == 2 => h[D][row] = if axis == 0 { 0.0 } else { 1.0 },
            Some(axis) => {
                let about = Vector3::new(frame[(0, axis)], frame[(1, axis)], frame[(2, axis)]);
                let body = pose.orientation.inverse() * about;
                (0..3).for_each(|k| h[D + k][row] = body[k]);
            }
            None => {}
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::PerDof;

    /// H against finite differences of the position of a particle: the sign test no energy balance can
    /// replace.
    fn check_jacobian<const D: usize>(pose: Pose<D>, point: Vector<D>, frame: Matrix<D, D>) {
        let h = jacobian::<D>(&frame, &point, &pose);
        let particle = pose.to_local(&point);
        for dof in 0..rigid_dofs(D) {
            let mut velocity = PerDof::<D>::zeros();
            velocity[dof] = 1.0;
            let dt = 1e-5;
            let after = middle(&pose, &velocity, dt).to_world(&particle);
            let before = middle(&pose, &velocity, -dt).to_world(&particle);
            let expected = frame.transpose() * (after - before) / (2.0 * dt);
            assert!((h.times(&velocity) - expected).norm() < 1e-9, "dof {dof}");
        }
    }

    #[test]
    fn jacobian_is_the_derivative_of_the_motion() {
        let turn = Orientation::from_euler_angles(0.4, -0.9, 2.2);
        let frame = *Orientation::from_euler_angles(1.0, 0.3, -0.5).to_rotation_matrix().matrix();
        let pose = Pose { position: Vector::<3>::new(1.0, 2.0, -0.5), orientation: turn };
        check_jacobian::<3>(pose, Vector::<3>::new(0.3, 2.4, 0.7), frame);
        let flat = Orientation::from_axis_angle(&Vector3::z_axis(), 0.8);
        let frame = Matrix::<2, 2>::new(0.6, 0.8, 0.8, -0.6);
        let pose = Pose { position: Vector::<2>::new(1.0, 2.0), orientation: flat };
        check_jacobian::<2>(pose, Vector::<2>::new(-0.4, 2.9), frame);
    }

    #[test]
    fn spin_rows_give_the_world_spin_in_the_frame() {
        let turn = Orientation::from_euler_angles(0.4, -0.9, 2.2);
        let frame = *Orientation::from_euler_angles(1.0, 0.3, -0.5).to_rotation_matrix().matrix();
        let pose = Pose { position: Vector::<3>::zeros(), orientation: turn };
        let velocity = Vector::<6>::new(9.0, 9.0, 9.0, 0.3, -0.2, 0.7);
        let world = frame.transpose() * (turn * Vector3::new(0.3, -0.2, 0.7));
        let found = spin_rows::<3>(&frame, [Some(0), None, Some(2)], &pose).times(velocity.as_slice());
        assert!((found - Vector::<3>::new(world[0], 0.0, world[2])).norm() < 1e-14);
        let flat = Pose { position: Vector::<2>::zeros(), orientation: turn };
        let rows = spin_rows::<2>(&Matrix::identity(), [None, Some(1)], &flat);
        assert_eq!(rows.times(&[1.0, 2.0, 0.5]), Vector::<2>::new(0.0, 0.5));
    }

    #[test]
    fn orientation_stays_orthonormal_over_a_million_steps() {
        let mut pose = Pose::<3>::identity();
        let velocity = Vector::<6>::new(0.0, 0.0, 0.0, 3.0, -1.0, 2.0);
        for _ in 0..1_000_000 {
            pose = advance(&pose, velocity.as_slice(), 1e-2);
        }
        let r = pose.rotation();
        assert!((r.transpose() * r - Matrix::<3, 3>::identity()).norm() < 1e-14);
    }

    #[test]
    fn constant_spin_turns_by_spin_times_time() {
        let mut pose = Pose::<2>::identity();
        for _ in 0..100 {
            pose = advance(&pose, &[0.0, 0.0, 0.7], 0.1);
        }
        let expected = 7.0 - std::f64::consts::TAU;
        assert!((pose.angle() - expected).abs() < 1e-13);
    }
}
