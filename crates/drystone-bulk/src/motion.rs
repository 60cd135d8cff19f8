//! The impulses of a step that are known before its contacts: gravity, given loads, the gyroscopic moment
//! where it is explicit. How bodies go on between impulses is in `coast`.

use drystone_math::per_dof::spin;
use drystone_math::{PerDof, Pose, Vector, rigid_dofs};
use drystone_state::{Bodies, Gyroscopic, Velocities};
use rayon::prelude::*;

/// What all bodies do in the step if no contact acts.
#[derive(Clone, Debug)]
pub struct FreeMotion {
    /// Free velocities.
    pub velocity: Velocities,
    /// Impulses of given loads over the step, gravity apart, conjugate to the velocities.
    pub load: Velocities,
    /// Impulses of the gyroscopic moment where it is explicit.
    pub gyroscopic: Velocities,
}

/// Free motion of every body: `v_free = v + h M⁻¹ F` (Dubois, Acary, Jean 2018, eq. 3), with driven
/// components at their prescribed velocity. `middle` holds the poses at q_m, where moments are brought to
/// body axes; the velocities of the bodies are those at q_m before the impulses of the step.
#[doc(alias = "free velocity")]
pub fn free_motion<const D: usize>(
    bodies: &Bodies<D>,
    middle: &[Pose<D>],
    gravity: &Vector<D>,
    h: f64,
) -> FreeMotion {
    let mut all = FreeMotion {
        velocity: bodies.velocity.like(Vec::new()),
        load: bodies.velocity.like(Vec::new()),
        gyroscopic: bodies.velocity.like(Vec::new()),
    };
    let dofs = rigid_dofs(D);
    let velocities = all.velocity.flat_mut().par_chunks_mut(dofs);
    let impulses =
        all.load.flat_mut().par_chunks_mut(dofs).zip(all.gyroscopic.flat_mut().par_chunks_mut(dofs));
    velocities
        .zip(impulses)
        .enumerate()
        // below this many bodies the talk between threads costs more than the work
        .with_min_len(256)
        .for_each(|(body, (free, (loaded, turned)))| {
            let mut load = bodies.load[body] * h;
            let mut gyroscopic = PerDof::<D>::zeros();
            if D == 3 {
                let moment = middle[body].orientation.inverse() * spin::<D>(&load);
                load.set_spin(&moment);
                if bodies.gyroscopic[body] == Gyroscopic::Explicit {
                    let inertia = spin::<D>(&bodies.mass[body]);
                    let turning = spin::<D>(&bodies.velocity[body]);
                    let moment = -turning.cross(&inertia.component_mul(&turning)) * h;
                    gyroscopic.set_spin(&moment);
                }
            }
            let impulse = load + gyroscopic;
            let mut velocity =
                PerDof::<D>::from(&bodies.velocity[body]) + impulse.component_mul(&bodies.inverse_mass[body]);
            for component in 0..D {
                velocity[component] += h * gravity[component];
            }
            for (component, given) in bodies.driven[body].iter().enumerate() {
                if let Some(given) = *given {
                    velocity[component] = given;
                    gyroscopic[component] = 0.0;
                }
            }
            free.copy_from_slice(&velocity);
            loaded.copy_from_slice(&load);
            turned.copy_from_slice(&gyroscopic);
        });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::nalgebra::Vector3;
    use drystone_state::{Body, GroupId};

    #[test]
    fn only_the_explicit_moment_is_an_impulse() {
        let begin = Vector3::new(0.01, 5.0, 0.02);
        let inertia = Vector3::new(1.0, 2.0, 3.0);
        let after = |gyroscopic| {
            let mut bodies = Bodies::<3>::new();
            bodies.push(Body {
                name: "racket".into(),
                group: GroupId(0),
                pose: Pose::identity(),
                velocity: [0.0, 0.0, 0.0, 0.01, 5.0, 0.02].into(),
                mass: [1.0, 1.0, 1.0, 1.0, 2.0, 3.0].into(),
                driven: [None; 6].into(),
                load: PerDof::zeros(),
                gyroscopic,
                radius: 1.0,
            });
            spin::<3>(&free_motion(&bodies, &bodies.pose, &Vector::zeros(), 1e-3).velocity[0])
        };
        assert_eq!(after(Gyroscopic::Omitted), begin);
        assert_eq!(after(Gyroscopic::Implicit), begin);
        let expected = begin - begin.cross(&inertia.component_mul(&begin)).component_div(&inertia) * 1e-3;
        assert!((after(Gyroscopic::Explicit) - expected).norm() < 1e-15);
    }
}
