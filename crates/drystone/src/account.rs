//! The works of a step, entered into the ledger. Moves nothing.

use crate::Simulation;
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_laws::Dissipated;
use drystone_math::columns::dot;
use drystone_math::{PerDof, rigid_dofs};
use drystone_state::Velocities;

impl<const D: usize> Simulation<D> {
    /// Enters the works of this step into the ledger, with mean velocities; called before the bodies move on.
    pub(crate) fn account(
        &mut self,
        motion: &FreeMotion,
        velocities: &Velocities,
        assembly: &Assembly<D>,
        tied: &Dissipated,
    ) {
        let (h, theta) = (self.settings.step, self.settings.theta);
        for (body, velocity) in velocities.iter().enumerate() {
            for component in
                (0..rigid_dofs(D)).filter(|&component| self.bodies.driven[body][component].is_none())
            {
                let mean = (velocity[component] + self.bodies.velocity[body][component]) * 0.5;
                self.ledger.loads += motion.load[body][component] * mean;
                self.ledger.gyroscopic += motion.gyroscopic[body][component] * mean;
                if component < D {
                    let weight = self.bodies.mass[body][component] * self.settings.gravity[component];
                    let jump = velocity[component] - self.bodies.velocity[body][component];
                    self.ledger.scheme += h * weight * (theta - 0.5) * jump;
                }
            }
        }
        for contact in 0..self.interactions.len() {
            let spent = self.interactions[contact].spent;
            self.enter(&spent);
        }
        self.enter(tied);
        // a spring is where its ends are: what the step made of its energy is of second order only
        self.ledger.stored += assembly.restored;
        self.ledger.scheme -= assembly.restored;
        // a contact that is gone takes what it stored with it
        self.ledger.cohesion += assembly.lost;
        self.ledger.stored -= assembly.lost;
        // what the contacts take from a driven component, its drive has given
        let drives = |driven: &PerDof<D, Option<f64>>| driven.iter().any(|given| given.is_some());
        let driven: Vec<bool> = self.bodies.driven.iter().map(drives).collect();
        for (row, r) in assembly.problem.w.pairs().zip(assembly.impulses()) {
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                if !driven.get(body).is_some_and(|&driven| driven) {
                    continue;
                }
                let given = self.bodies.driven[body].iter();
                for (component, (column, given)) in row.h[side].iter().zip(given).enumerate() {
                    if given.is_some() {
                        let mean =
                            (velocities[body][component] + self.bodies.velocity[body][component]) * 0.5;
                        self.ledger.drives -= dot(column, r) * mean;
                    }
                }
            }
        }
    }

    /// Enters where the work of a contact or of ties went.
    fn enter(&mut self, spent: &Dissipated) {
        self.ledger.shocks += spent.shocks;
        self.ledger.friction += spent.friction;
        self.ledger.cohesion += spent.cohesion;
        self.ledger.viscosity += spent.viscosity;
        self.ledger.scheme += spent.scheme;
        self.ledger.drift -= spent.drift;
        self.ledger.stored += spent.stored;
    }
}
