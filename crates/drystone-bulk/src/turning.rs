//! How two frames are turned against each other, and the rows of H for that. Knows no tie and no force.

use crate::spin_rows;
use drystone_math::nalgebra::Vector3;
use drystone_math::per_dof::{linear, spin};
use drystone_math::portable;
use drystone_math::{Columns, Matrix, Orientation, PerDof, Pose, Vector, rigid_dofs};

/// Row block of the relative spin for one side of a tie: component by component about the axes of `frame`. In
/// the plane the first component is the spin about the third axis, and the second nothing.
pub fn turn_rows<const D: usize>(frame: &Matrix<D, D>, pose: &Pose<D>) -> Columns<D> {
    if D == 2 {
        let mut h = Columns::<D>::zeros(rigid_dofs(D));
        h[D][0] = 1.0;
        return h;
    }
    spin_rows(frame, std::array::from_fn(Some), pose)
}

/// How far the frame `a` is turned off the frame `b` \[rad\], in axes of `b`, as a vector whose rate is the
/// relative spin where it is small. With all `held` turns it is the rotation vector (in the plane the angle,
/// as first component); with one turn less, the one about the last axis is free and the last axes alone are
/// compared.
pub fn turned_off<const D: usize>(a: &Orientation, b: &Orientation, held: usize) -> Vector<D> {
    let relative = b.inverse() * a;
    let mut off = Vector::<D>::zeros();
    if D == 2 {
        if held > 0 {
            off[0] = twist::<D>(a, b);
        }
        return off;
    }
    let turned = if held >= 3 {
        portable::scaled_axis(&relative)
    } else {
        Vector3::z().cross(&(relative * Vector3::z()))
    };
    for axis in 0..held.min(3) {
        off[axis] = turned[axis];
    }
    off
}

/// Angle by which the frame `a` is turned off the frame `b` about the first axis of `b`, in the plane about
/// the third, in (−π, π] \[rad\].
pub fn twist<const D: usize>(a: &Orientation, b: &Orientation) -> f64 {
    let relative = b.inverse() * a;
    let q = relative.quaternion();
    let along = if D == 2 { q.k } else { q.i };
    let angle = 2.0 * portable::atan2(along, q.w);
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

/// Angle by which the frame `a` is turned off the frame `b` about the last axis of `b`, in the plane as well
/// about the third, in (−π, π] \[rad\].
pub fn turn_about_last(a: &Orientation, b: &Orientation) -> f64 {
    let relative = b.inverse() * a;
    let q = relative.quaternion();
    let angle = 2.0 * portable::atan2(q.k, q.w);
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

/// A row on velocities whose spin part is given in world axes, as a row on velocities of a body.
pub fn row_in_body_axes<const D: usize>(row: &[f64], pose: &Pose<D>) -> PerDof<D> {
    if D == 2 {
        return row.into();
    }
    PerDof::new(linear(row), pose.orientation.inverse() * spin::<D>(row))
}

/// A moment given about the axes of a frame, component by component as [`turn_rows`] has them, in world axes.
pub fn moment_in_world<const D: usize>(frame: &Matrix<D, D>, moment: &Vector<D>) -> [f64; 3] {
    if D == 2 {
        return [0.0, 0.0, moment[0]];
    }
    let world = frame * moment;
    std::array::from_fn(|axis| world[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::middle;

    /// The rate of [`turned_off`] is the relative spin in axes of `b`, where the error is small.
    #[test]
    fn the_rate_of_the_error_is_the_relative_spin() {
        let b = Pose::<3> {
            position: Vector::<3>::zeros(),
            orientation: Orientation::from_euler_angles(0.4, -0.9, 2.2),
        };
        let a =
            Pose::<3> { orientation: b.orientation * Orientation::from_euler_angles(1e-7, -2e-7, 3e-7), ..b };
        let velocities = [
            Vector::<6>::new(0.0, 0.0, 0.0, 0.3, -0.2, 0.7),
            Vector::<6>::new(0.0, 0.0, 0.0, -0.1, 0.5, 0.2),
        ];
        let frame = b.rotation();
        let expected = turn_rows::<3>(&frame, &a).times(velocities[0].as_slice())
            - turn_rows::<3>(&frame, &b).times(velocities[1].as_slice());
        let at = |dt: f64, held: usize| {
            let [a, b] = [middle(&a, velocities[0].as_slice(), dt), middle(&b, velocities[1].as_slice(), dt)];
            turned_off::<3>(&a.orientation, &b.orientation, held)
        };
        for held in [2, 3] {
            let rate = (at(1e-6, held) - at(-1e-6, held)) / 2e-6;
            for axis in 0..held {
                assert!((rate[axis] - expected[axis]).abs() < 1e-5, "{rate} {expected}");
            }
        }
        assert_eq!(spin::<3>(velocities[0].as_slice())[2], 0.7);
    }

    #[test]
    fn a_twist_is_the_angle_about_the_axis() {
        let b = Orientation::from_euler_angles(0.4, -0.9, 2.2);
        let a = b * Orientation::from_axis_angle(&Vector3::x_axis(), -1.3);
        assert!((twist::<3>(&a, &b) + 1.3).abs() < 1e-14);
        let flat = |angle: f64| Orientation::from_axis_angle(&Vector3::z_axis(), angle);
        assert!((twist::<2>(&flat(3.0), &flat(-3.0)) - (6.0 - std::f64::consts::TAU)).abs() < 1e-14);
    }

    #[test]
    fn a_row_on_world_spin_gives_the_world_spin() {
        let pose = Pose::<3> {
            position: Vector::<3>::zeros(),
            orientation: Orientation::from_euler_angles(0.4, -0.9, 2.2),
        };
        let velocity = Vector::<6>::new(1.0, 2.0, 3.0, 0.3, -0.2, 0.7);
        let row = Vector::<6>::new(0.5, 0.0, 0.0, 0.1, 0.2, 0.3);
        let world = pose.orientation * spin::<3>(velocity.as_slice());
        let expected = 0.5 + 0.1 * world[0] + 0.2 * world[1] + 0.3 * world[2];
        assert!(
            (row_in_body_axes::<3>(row.as_slice(), &pose).dot(velocity.as_slice()) - expected).abs() < 1e-14
        );
    }
}
