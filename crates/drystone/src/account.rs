//! The works of a step, entered into the ledger. Moves nothing.

use crate::Simulation;
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_laws::Dissipated;
use drystone_math::columns::dot;
use drystone_math::{PerDof, Vector, rigid_dofs};
use drystone_problem::{Row, in_pieces};
use drystone_state::Velocities;
use std::ops::Range;

impl<const D: usize> Simulation<D> {
    /// Enters the works of this step into the ledger, with mean velocities; called before the bodies move on.
    pub(crate) fn account(
        &mut self,
        motion: &FreeMotion,
        velocities: &Velocities,
        assembly: &Assembly<D>,
        spent: [&Dissipated; 2],
    ) {
        let [loads, gyroscopic, scheme] = self.works_of_loads(motion, velocities);
        self.ledger.loads += loads;
        self.ledger.gyroscopic += gyroscopic;
        self.ledger.scheme += scheme;
        spent.into_iter().for_each(|spent| self.enter(spent));
        // a spring is where its ends are: what the step made of its energy is of second order only
        self.ledger.stored += assembly.restored;
        self.ledger.scheme -= assembly.restored;
        // a contact that is gone takes what it stored with it
        self.ledger.cohesion += assembly.lost;
        self.ledger.stored -= assembly.lost;
        self.ledger.drives -= self.taken_from_drives(velocities, assembly);
    }

    /// The works of given loads and of the explicit gyroscopic moment, and what the θ-scheme makes of that of
    /// weights, on components that are not driven \[J\].
    fn works_of_loads(&self, motion: &FreeMotion, velocities: &Velocities) -> [f64; 3] {
        let (h, theta, bodies) = (self.settings.step, self.settings.theta, &self.bodies);
        let piece = |piece: Range<usize>| {
            let mut works = [0.0; 3];
            for body in piece {
                let (velocity, before) = (&velocities[body], &bodies.velocity[body]);
                let (load, moment) = (&motion.load[body], &motion.gyroscopic[body]);
                for component in
                    (0..rigid_dofs(D)).filter(|&component| bodies.driven[body][component].is_none())
                {
                    let mean = (velocity[component] + before[component]) * 0.5;
                    works[0] += load[component] * mean;
                    works[1] += moment[component] * mean;
                    if component < D {
                        let weight = bodies.mass[body][component] * self.settings.gravity[component];
                        let jump = velocity[component] - before[component];
                        works[2] += h * weight * (theta - 0.5) * jump;
                    }
                }
            }
            works
        };
        in_pieces(bodies.len(), piece, |sum, piece| sum.iter_mut().zip(piece).for_each(|(sum, x)| *sum += x))
    }

    /// What the contacts take from driven components, which their drives have given \[J\].
    fn taken_from_drives(&self, velocities: &Velocities, assembly: &Assembly<D>) -> f64 {
        let drives = |driven: &PerDof<D, Option<f64>>| driven.iter().any(|given| given.is_some());
        let driven: Vec<bool> = self.bodies.driven.iter().map(drives).collect();
        let (w, impulses) = (&assembly.problem.w, assembly.impulses());
        let of_side = |row: &Row<D>, r: &Vector<D>, side: usize| {
            let body = row.bodies[side] as usize;
            if !driven.get(body).is_some_and(|&driven| driven) {
                return 0.0;
            }
            let mean = |k: usize| (velocities[body][k] + self.bodies.velocity[body][k]) * 0.5;
            let given = row.h[side].iter().zip(&*self.bodies.driven[body]).enumerate();
            let given = given.filter(|(_, (_, given))| given.is_some());
            given.map(|(k, (column, _))| dot(column, r) * mean(k)).sum()
        };
        let piece = |piece: Range<usize>| -> f64 {
            let both = |alpha: usize| {
                let (row, r) = (w.pair(alpha), &impulses[alpha]);
                of_side(&row, r, 0) + of_side(&row, r, 1)
            };
            piece.map(both).sum()
        };
        in_pieces(impulses.len(), piece, |sum, piece| *sum += piece)
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
