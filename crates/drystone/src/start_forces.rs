//! Contact forces known from outside, from another program or an earlier run: where the first step starts
//! from. A guess, no more; the solver judges it as any other.

use crate::{BuildError, Simulation, Vector};
use drystone_contact::Assembly;
use drystone_state::BodyId;

/// A contact force that is known before the first step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartForce<const D: usize> {
    /// The two bodies, in any order.
    pub bodies: [BodyId; 2],
    /// Mean force over a step on the first of them, in world axes \[N\].
    pub force: Vector<D>,
    /// Where it acts \[m\]: the nearest contact of the two bodies takes it. Without a place all of them share
    /// it.
    pub at: Option<Vector<D>>,
}

impl<const D: usize> Simulation<D> {
    /// The same with contact forces from which the first step starts, for states that another program or an
    /// earlier run brought to rest: without them the solver has to find all of them anew.
    pub fn with_forces(mut self, forces: Vec<StartForce<D>>) -> Result<Self, BuildError> {
        for force in &forces {
            let numbers = force.force.iter().chain(force.at.iter().flat_map(|at| at.iter()));
            let missing = force.bodies.iter().find(|body| body.0 as usize >= self.bodies.len());
            if let Some(&BodyId(body)) = missing {
                return Err(BuildError::NoForceOn { body, bodies: self.bodies.len() });
            }
            if let Some(&value) = numbers.into_iter().find(|x| !x.is_finite()) {
                let name = "a contact force to start from";
                return Err(BuildError::Setting { name, value, allowed: "finite numbers" });
            }
        }
        self.start_forces = forces;
        Ok(self)
    }

    /// Puts the forces that are known into the guess of the first step; contacts that are not there take
    /// none.
    pub(crate) fn start_from_forces(&self, assembly: &Assembly<D>, r: &mut [Vector<D>]) {
        if self.steps_done + self.part.done > 0 || self.start_forces.is_empty() {
            return;
        }
        let pair = |[a, b]: [BodyId; 2]| [a.min(b), a.max(b)];
        let mut contacts: Vec<(_, usize)> = assembly
            .interactions
            .iter()
            .enumerate()
            .map(|(row, contact)| (pair(contact.bodies), row))
            .collect();
        contacts.sort_unstable();
        for known in &self.start_forces {
            let wanted = pair(known.bodies);
            let first = contacts.partition_point(|(pair, _)| *pair < wanted);
            let rows: Vec<usize> = contacts[first..]
                .iter()
                .take_while(|(pair, _)| *pair == wanted)
                .map(|&(_, row)| row)
                .collect();
            let distance =
                |at: &Vector<D>, row: usize| (assembly.interactions[row].point - at).norm_squared();
            let nearest = known.at.and_then(|at| {
                rows.iter().copied().min_by(|&a, &b| distance(&at, a).total_cmp(&distance(&at, b)))
            });
            let rows = nearest.map_or(rows, |row| vec![row]);
            for &row in &rows {
                let contact = &assembly.interactions[row];
                let side = if contact.bodies[0] == known.bodies[0] { 1.0 } else { -1.0 };
                let impulse = known.force * (side * self.settings.step / rows.len() as f64);
                r[row] += contact.frame.transpose() * impulse;
            }
        }
        for (r, set) in r.iter_mut().zip(&assembly.problem.sets) {
            *r = set.project(r);
        }
    }
}
