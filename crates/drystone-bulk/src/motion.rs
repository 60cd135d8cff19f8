//! The step without contacts: gravity, given loads and the gyroscopic moment.

use crate::spin_of;
use drystone_math::nalgebra::{Matrix3, Vector3};
use drystone_math::{Pose, Vector};
use drystone_state::{Bodies, Gyroscopic};
use rayon::prelude::*;

/// Velocity of one body at the end of the step if no contact acts.
#[derive(Clone, Copy, Debug)]
pub struct FreeMotion<const N: usize> {
    /// Free velocity.
    pub velocity: Vector<N>,
    /// Impulse of the given load over the step, gravity apart, conjugate to the velocity.
    pub load: Vector<N>,
    /// Impulse of the gyroscopic moment over the step.
    pub gyroscopic: Vector<N>,
}

/// Free motion of every body: `v_free = v + h M⁻¹(F_ext + F_quad)` (Dubois, Acary, Jean 2018, eq. 3 and §3.1.5), with
/// driven components at their prescribed velocity. `middle` holds the poses at q_m, where moments are brought to
/// body axes. The implicit gyroscopic moment is the mid-point rule on the free motion; contact impulses are added
/// to its outcome, so that W stays symmetric.
pub fn free_motion<const D: usize, const N: usize>(
    bodies: &Bodies<D, N>,
    middle: &[Pose<D>],
    gravity: &Vector<D>,
    h: f64,
    theta: f64,
) -> Vec<FreeMotion<N>> {
    (0..bodies.len())
        .into_par_iter()
        // below this many bodies the talk between threads costs more than the work
        .with_min_len(256)
        .map(|body| {
            let mut load = bodies.load[body] * h;
            if D == 3 {
                let moment = middle[body].orientation.inverse() * spin_of::<D, N>(&load);
                load.fixed_rows_mut::<3>(N - 3).copy_from(&moment);
            }
            let mut velocity = bodies.velocity[body] + load.component_mul(&bodies.inverse_mass[body]);
            for component in 0..D {
                velocity[component] += h * gravity[component];
            }
            let mut gyroscopic = Vector::<N>::zeros();
            if D == 3 && bodies.gyroscopic[body] != Gyroscopic::Omitted {
                let spin = spin_of::<D, N>(&bodies.velocity[body]);
                let turned = Spin { bodies, body, h, theta }.turn(&spin, &spin_of::<D, N>(&load));
                let inertia = bodies.mass[body].fixed_rows::<3>(N - 3).into_owned();
                let impulse = inertia.component_mul(&(turned - spin)) - spin_of::<D, N>(&load);
                gyroscopic.fixed_rows_mut::<3>(N - 3).copy_from(&impulse);
                velocity.fixed_rows_mut::<3>(N - 3).copy_from(&turned);
            }
            for (component, given) in bodies.driven[body].iter().enumerate() {
                if let Some(given) = *given {
                    velocity[component] = given;
                    gyroscopic[component] = 0.0;
                }
            }
            FreeMotion { velocity, load, gyroscopic }
        })
        .collect()
}

/// Euler's equation of one body over one step.
struct Spin<'a, const D: usize, const N: usize> {
    bodies: &'a Bodies<D, N>,
    body: usize,
    h: f64,
    theta: f64,
}

impl<const D: usize, const N: usize> Spin<'_, D, N> {
    /// Spin at the end of the step, from the spin at its beginning and the impulse of the given moment.
    fn turn(&self, spin: &Vector3<f64>, load: &Vector3<f64>) -> Vector3<f64> {
        let inertia = self.bodies.mass[self.body].fixed_rows::<3>(N - 3).into_owned();
        let explicit = spin + (load - self.quadratic(&inertia, spin)).component_div(&inertia);
        match self.bodies.gyroscopic[self.body] {
            Gyroscopic::Omitted => spin + load.component_div(&inertia),
            Gyroscopic::Explicit => explicit,
            Gyroscopic::Implicit => self.implicit(&inertia, spin, load).unwrap_or(explicit),
        }
    }

    /// `h Ω × JΩ`.
    fn quadratic(&self, inertia: &Vector3<f64>, spin: &Vector3<f64>) -> Vector3<f64> {
        spin.cross(&inertia.component_mul(spin)) * self.h
    }

    /// Newton's method on `J(Ω − Ω_n) + h Ω_θ × JΩ_θ = load`, to the last bit it can reach. `None` if it fails, which
    /// takes a body that turns by a large part of a revolution in one step.
    fn implicit(
        &self,
        inertia: &Vector3<f64>,
        begin: &Vector3<f64>,
        load: &Vector3<f64>,
    ) -> Option<Vector3<f64>> {
        let driven = |axis: usize| self.bodies.driven[self.body][N - 3 + axis];
        let mut spin = *begin;
        let mut last = f64::INFINITY;
        for _ in 0..50 {
            let mean = spin * self.theta + begin * (1.0 - self.theta);
            let angular = inertia.component_mul(&mean);
            let mut residual = inertia.component_mul(&(spin - begin)) + self.quadratic(inertia, &mean) - load;
            let mut tangent = Matrix3::from_diagonal(inertia)
                + (mean.cross_matrix() * Matrix3::from_diagonal(inertia) - angular.cross_matrix())
                    * (self.h * self.theta);
            for axis in 0..3 {
                if let Some(given) = driven(axis) {
                    tangent.set_row(axis, &Vector3::ith(axis, inertia[axis]).transpose());
                    residual[axis] = inertia[axis] * (spin[axis] - given);
                }
            }
            let change = tangent.try_inverse()? * residual;
            spin -= change;
            let size = change.norm();
            // quadratic convergence: stop once the change is rounding and no longer shrinks
            if size == 0.0 || (size <= 1e-15 * spin.norm() && size >= 0.5 * last) {
                return Some(spin);
            }
            last = size;
        }
        (last <= 1e-12 * spin.norm()).then_some(spin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advance;
    use drystone_state::{Body, GroupId};

    fn tumbling(gyroscopic: Gyroscopic) -> Bodies<3, 6> {
        let mut bodies = Bodies::new();
        bodies.push(Body {
            name: "racket".into(),
            group: GroupId(0),
            pose: Pose::identity(),
            velocity: Vector::<6>::new(0.0, 0.0, 0.0, 0.01, 5.0, 0.02),
            mass: Vector::<6>::new(1.0, 1.0, 1.0, 1.0, 2.0, 3.0),
            driven: [None; 6],
            load: Vector::zeros(),
            gyroscopic,
            radius: 1.0,
        });
        bodies
    }

    #[test]
    fn implicit_mid_point_conserves_energy_and_the_vector_of_angular_momentum() {
        let mut bodies = tumbling(Gyroscopic::Implicit);
        let inertia = Vector3::new(1.0, 2.0, 3.0);
        let momentum = |b: &Bodies<3, 6>| {
            b.pose[0].orientation * inertia.component_mul(&spin_of::<3, 6>(&b.velocity[0]))
        };
        let energy = |b: &Bodies<3, 6>| 0.5 * b.velocity[0].component_mul(&b.mass[0]).dot(&b.velocity[0]);
        let (l0, e0) = (momentum(&bodies), energy(&bodies));
        for _ in 0..20_000 {
            let pose = bodies.pose[0];
            let free = free_motion(&bodies, &[pose], &Vector::zeros(), 1e-2, 0.5);
            let mean = (bodies.velocity[0] + free[0].velocity) * 0.5;
            bodies.pose[0] = advance(&pose, &mean, 1e-2, Gyroscopic::Implicit);
            bodies.velocity[0] = free[0].velocity;
        }
        assert!((momentum(&bodies) - l0).norm() / l0.norm() < 1e-11);
        assert!((energy(&bodies) - e0).abs() / e0 < 1e-12);
    }

    #[test]
    fn explicit_and_omitted_do_what_they_say() {
        let spin = Vector3::new(0.01, 5.0, 0.02);
        let inertia = Vector3::new(1.0, 2.0, 3.0);
        let after = |g| {
            let b = tumbling(g);
            spin_of::<3, 6>(&free_motion(&b, &b.pose, &Vector::zeros(), 1e-3, 0.5)[0].velocity)
        };
        assert_eq!(after(Gyroscopic::Omitted), spin);
        let expected = spin - spin.cross(&inertia.component_mul(&spin)).component_div(&inertia) * 1e-3;
        assert!((after(Gyroscopic::Explicit) - expected).norm() < 1e-15);
    }
}
