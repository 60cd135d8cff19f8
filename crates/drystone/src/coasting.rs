//! The two parts of a step in which bodies coast: to the middle configuration, and from there to the end. Between them all
//! impulses act, which are the business of `step`.

use crate::Simulation;
use drystone_bulk::{arrive, depart, from_touch};
use drystone_contact::Assembly;
use drystone_math::columns::dot;
use drystone_math::{Pose, Vector};
use drystone_state::Gyroscopic;

impl<const D: usize, const N: usize> Simulation<D, N> {
    /// Poses at the middle configuration. The velocities of the bodies become those with which they arrive there.
    pub(crate) fn arrive(&mut self) -> Vec<Pose<D>> {
        let (poses, velocities) = arrive(&self.bodies, self.settings.step * (1.0 - self.settings.theta));
        let before = std::mem::replace(&mut self.bodies.velocity, velocities);
        self.ledger.gyroscopic += self.coasted(&before, &self.bodies.velocity);
        poses
    }

    /// From the middle configuration to the end of the step, with the velocities after its impulses; gives those before them.
    pub(crate) fn advance(&mut self, middle: &[Pose<D>], velocities: &[Vector<N>]) -> Vec<Vector<N>> {
        let (h, theta) = (self.settings.step, self.settings.theta);
        let (poses, after) = depart(&self.bodies, middle, velocities, h, theta);
        self.ledger.gyroscopic += self.coasted(velocities, &after);
        self.bodies.pose = poses;
        self.steps_done += 1;
        std::mem::replace(&mut self.bodies.velocity, after)
    }

    /// Two bodies alone that met before the middle configuration go on from where they met: positions by `τ M⁻¹ Hᵀ r`, turns
    /// by coasting back to the touch and on from there. Angular momentum and centre of mass are then what they were; what a
    /// weight may gain is brought in.
    pub(crate) fn go_on_from_impacts(
        &mut self,
        assembly: &Assembly<D, N>,
        r: &[Vector<D>],
        (middle, begin, velocities): (&[Pose<D>], &[Vector<N>], &[Vector<N>]),
    ) {
        let rest = self.settings.step * self.settings.theta;
        for &(contact, early) in &assembly.impacts {
            let row = assembly.problem.w.pair(contact as usize);
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                let impulse = Vector::<N>::from_fn(|k, _| dot(&row.h[side][k], &r[contact as usize]));
                let way = impulse.component_mul(&self.bodies.inverse_mass[body]) * early;
                for axis in 0..D {
                    self.bodies.pose[body].position[axis] += way[axis];
                    let weight = self.bodies.mass[body][axis] * self.settings.gravity[axis];
                    self.ledger.drift -= weight * way[axis];
                }
                let around = [&begin[body], &velocities[body]];
                let (turned, velocity) = from_touch(&self.bodies, body, &middle[body], around, [early, rest]);
                self.bodies.pose[body].orientation = turned;
                self.ledger.gyroscopic += self.gained(body, &self.bodies.velocity[body], &velocity);
                self.bodies.velocity[body] = velocity;
            }
        }
    }

    /// What coasting makes of the kinetic energy \[J\]: rounding, but for bodies with a part of their spin driven.
    fn coasted(&self, before: &[Vector<N>], after: &[Vector<N>]) -> f64 {
        let turning = |&body: &usize| self.bodies.gyroscopic[body] == Gyroscopic::Implicit;
        let gained = |body: usize| self.gained(body, &before[body], &after[body]);
        (0..self.bodies.len()).filter(turning).map(gained).sum()
    }

    /// Kinetic energy that a body gains with a change of spin \[J\], without driven components.
    fn gained(&self, body: usize, before: &Vector<N>, after: &Vector<N>) -> f64 {
        let part =
            |c: usize| 0.5 * self.bodies.mass[body][c] * (after[c] - before[c]) * (after[c] + before[c]);
        (D..N).filter(|&component| self.bodies.driven[body][component].is_none()).map(part).sum()
    }
}
