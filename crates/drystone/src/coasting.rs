//! The two parts of a step in which bodies coast: to the middle configuration, and from there to the end.
//! Between them all impulses act, which are the business of `step`.

use crate::Simulation;
use drystone_bulk::{Bulk, from_touch};
use drystone_contact::Assembly;
use drystone_math::columns::dot;
use drystone_math::{PerDof, Pose, rigid_dofs};
use drystone_problem::in_pieces;
use drystone_state::{Gyroscopic, Velocities};
use std::ops::Range;

impl<const D: usize> Simulation<D> {
    /// Poses at the middle configuration. The velocities of the bodies become those with which they arrive
    /// there.
    pub(crate) fn arrive(&mut self) -> Vec<Pose<D>> {
        let (poses, velocities) = self.bodies.arrive(self.settings.step * (1.0 - self.settings.theta));
        let before = std::mem::replace(&mut self.bodies.velocity, velocities);
        self.ledger.gyroscopic += self.coasted(&before, &self.bodies.velocity);
        poses
    }

    /// From the middle configuration to the end of the step, with the velocities after its impulses; gives
    /// those before them.
    pub(crate) fn advance(&mut self, middle: &[Pose<D>], velocities: &Velocities) -> Velocities {
        let (h, theta) = (self.settings.step, self.settings.theta);
        let (poses, after) = self.bodies.depart(middle, velocities, h, theta);
        self.ledger.gyroscopic += self.coasted(velocities, &after);
        self.bodies.pose = poses;
        self.count_part();
        std::mem::replace(&mut self.bodies.velocity, after)
    }

    /// Two bodies alone that met before the middle configuration go on from where they met: positions by
    /// `τ M⁻¹ Hᵀ r`, turns by coasting back to the touch and on from there. Angular momentum and centre of
    /// mass are then what they were; what a weight may gain is brought in.
    pub(crate) fn go_on_from_impacts(
        &mut self,
        assembly: &Assembly<D>,
        middle: &[Pose<D>],
        begin: &Velocities,
        velocities: &Velocities,
    ) {
        let rest = self.settings.step * self.settings.theta;
        for &(contact, early) in &assembly.impacts {
            let row = assembly.problem.w.pair(contact as usize);
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                let impulse =
                    PerDof::<D>::from_fn(|k| dot(&row.h[side][k], &assembly.impulses()[contact as usize]));
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
                self.bodies.velocity[body].copy_from_slice(&velocity);
            }
        }
    }

    /// What coasting makes of the kinetic energy \[J\]: rounding, but for bodies with a part of their spin
    /// driven.
    fn coasted(&self, before: &Velocities, after: &Velocities) -> f64 {
        let turning = |&body: &usize| self.bodies.gyroscopic[body] == Gyroscopic::Implicit;
        let gained = |body: usize| self.gained(body, &before[body], &after[body]);
        let of = |piece: Range<usize>| piece.filter(turning).map(gained).sum::<f64>();
        in_pieces(self.bodies.len(), of, |sum, piece| *sum += piece)
    }

    /// Kinetic energy that a body gains with a change of spin \[J\], without driven components.
    fn gained(&self, body: usize, before: &[f64], after: &[f64]) -> f64 {
        let part =
            |c: usize| 0.5 * self.bodies.mass[body][c] * (after[c] - before[c]) * (after[c] + before[c]);
        (D..rigid_dofs(D)).filter(|&component| self.bodies.driven[body][component].is_none()).map(part).sum()
    }
}
