//! The impulses of a step that are known before its contacts: gravity, given loads, the gyroscopic moment where it is
//! explicit. How bodies go on between impulses is in `coast`.

use crate::spin_of;
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
    /// Impulse of the gyroscopic moment where it is explicit.
    pub gyroscopic: Vector<N>,
}

/// Free motion of every body: `v_free = v + h M⁻¹ F` (Dubois, Acary, Jean 2018, eq. 3), with driven components at their
/// prescribed velocity. `middle` holds the poses at q_m, where moments are brought to body axes; the velocities of the
/// bodies are those at q_m before the impulses of the step.
pub fn free_motion<const D: usize, const N: usize>(
    bodies: &Bodies<D, N>,
    middle: &[Pose<D>],
    gravity: &Vector<D>,
    h: f64,
) -> Vec<FreeMotion<N>> {
    (0..bodies.len())
        .into_par_iter()
        // below this many bodies the talk between threads costs more than the work
        .with_min_len(256)
        .map(|body| {
            let mut load = bodies.load[body] * h;
            let mut gyroscopic = Vector::<N>::zeros();
            if D == 3 {
                let moment = middle[body].orientation.inverse() * spin_of::<D, N>(&load);
                load.fixed_rows_mut::<3>(N - 3).copy_from(&moment);
                if bodies.gyroscopic[body] == Gyroscopic::Explicit {
                    let inertia = bodies.mass[body].fixed_rows::<3>(N - 3).into_owned();
                    let spin = spin_of::<D, N>(&bodies.velocity[body]);
                    let moment = -spin.cross(&inertia.component_mul(&spin)) * h;
                    gyroscopic.fixed_rows_mut::<3>(N - 3).copy_from(&moment);
                }
            }
            let impulse = load + gyroscopic;
            let mut velocity = bodies.velocity[body] + impulse.component_mul(&bodies.inverse_mass[body]);
            for component in 0..D {
                velocity[component] += h * gravity[component];
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

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::nalgebra::Vector3;
    use drystone_state::{Body, GroupId};

    #[test]
    fn only_the_explicit_moment_is_an_impulse() {
        let spin = Vector3::new(0.01, 5.0, 0.02);
        let inertia = Vector3::new(1.0, 2.0, 3.0);
        let after = |gyroscopic| {
            let mut bodies = Bodies::<3, 6>::new();
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
            spin_of::<3, 6>(&free_motion(&bodies, &bodies.pose, &Vector::zeros(), 1e-3)[0].velocity)
        };
        assert_eq!(after(Gyroscopic::Omitted), spin);
        assert_eq!(after(Gyroscopic::Implicit), spin);
        let expected = spin - spin.cross(&inertia.component_mul(&spin)).component_div(&inertia) * 1e-3;
        assert!((after(Gyroscopic::Explicit) - expected).norm() < 1e-15);
    }
}
