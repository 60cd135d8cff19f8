//! Down: from touches to the condensed problem, with the impulses of the last step as a guess.

use crate::{Interaction, Laws, Status};
use drystone_bulk::jacobian;
use drystone_laws::{Approach, Change};
use drystone_math::{Pose, Vector};
use drystone_problem::{PairRow, Pairs, Problem};
use drystone_shapes::{Contactor, Touch};
use drystone_state::{Bodies, BodyId, ContactId, ContactMemory, LAW_MEMORY};
use rayon::prelude::*;

/// The condensed problem of one step and the interactions it came from, contact by contact.
pub struct Assembly<const D: usize, const N: usize> {
    /// `u = W r + u_free` in the variables of the canonical sets.
    pub problem: Problem<D, Pairs<D, N>>,
    /// The contacts.
    pub interactions: Vec<Interaction<D>>,
    /// What the change of variables added to each relative velocity.
    pub shifts: Vec<Vector<D>>,
}

/// What the assembly needs to know of the step.
pub struct Step<'a, const D: usize, const N: usize> {
    /// The bodies at the beginning of the step.
    pub bodies: &'a Bodies<D, N>,
    /// Their contactors.
    pub contactors: &'a [Contactor<D>],
    /// The laws between their groups.
    pub laws: &'a Laws<D>,
    /// Poses at the middle configuration.
    pub middle: &'a [Pose<D>],
    /// Velocities without contact.
    pub free: &'a [Vector<N>],
    /// Time step \[s\].
    pub h: f64,
}

/// One contact on its way into the problem.
struct Row<const D: usize, const N: usize> {
    pair: PairRow<D, N>,
    interaction: Interaction<D>,
    change: Change<D>,
    u_free: Vector<D>,
}

/// Assembles the problem. `memory` holds the last step's contacts by increasing identity, as `touches` do; where an
/// identity is found in both, impulse and internal variables are carried over.
pub fn assemble<const D: usize, const N: usize>(
    step: &Step<D, N>,
    touches: &[Touch<D>],
    memory: &[ContactMemory<D>],
) -> Assembly<D, N> {
    let rows: Vec<Row<D, N>> = touches.par_iter().filter_map(|touch| row(step, touch, memory)).collect();
    let contacts = rows.len();
    let mut assembly_rows = Vec::with_capacity(contacts);
    let mut interactions = Vec::with_capacity(contacts);
    let mut shifts = Vec::with_capacity(contacts);
    let mut u_free = Vec::with_capacity(contacts);
    let mut sets = Vec::with_capacity(contacts);
    for row in rows {
        assembly_rows.push(row.pair);
        interactions.push(row.interaction);
        shifts.push(row.change.shift);
        u_free.push(row.u_free + row.change.shift);
        sets.push(row.change.set);
    }
    let w = Pairs::new(assembly_rows, step.bodies.inverse_mass.clone());
    Assembly { problem: Problem { w, u_free, sets }, interactions, shifts }
}

/// One touch as a row of the problem, or nothing where no law acts.
fn row<const D: usize, const N: usize>(
    step: &Step<D, N>,
    touch: &Touch<D>,
    memory: &[ContactMemory<D>],
) -> Option<Row<D, N>> {
    let bodies = touch.contactors.map(|contactor| step.contactors[contactor as usize].body);
    let [a, b] = bodies.map(|body| body as usize);
    let law = step.laws.between(step.bodies.group[a], step.bodies.group[b])?;
    let h = [
        jacobian::<D, N>(&touch.frame, &touch.point, &step.middle[a]),
        -jacobian::<D, N>(&touch.frame, &touch.point, &step.middle[b]),
    ];
    let u_begin = h[0] * step.bodies.velocity[a] + h[1] * step.bodies.velocity[b];
    let change = law.change(&Approach { gap: touch.gap, u_begin, h: step.h })?;
    let id = ContactId { contactors: touch.contactors, feature: touch.feature };
    let kept = memory.binary_search_by_key(&id, |kept| kept.id).ok().map(|found| memory[found]);
    let interaction = Interaction {
        id,
        bodies: bodies.map(BodyId),
        point: touch.point,
        frame: touch.frame,
        gap: touch.gap,
        u_begin,
        u: Vector::zeros(),
        r: kept.map_or_else(Vector::zeros, |kept| touch.frame.tr_mul(&kept.impulse)),
        internal: kept.map_or([0.0; LAW_MEMORY], |kept| kept.internal),
        status: Status::Open,
    };
    let u_free = h[0] * step.free[a] + h[1] * step.free[b];
    Some(Row { pair: PairRow { bodies, h }, interaction, change, u_free })
}

impl<const D: usize, const N: usize> Assembly<D, N> {
    /// The impulses carried over from the last step, admissible ones, or none at all.
    pub fn guess(&self, memory: bool) -> Vec<Vector<D>> {
        let carried = |(interaction, set): (&Interaction<D>, &drystone_problem::Set)| match memory {
            true => set.project(&interaction.r),
            false => Vector::zeros(),
        };
        self.interactions.iter().zip(&self.problem.sets).map(carried).collect()
    }

    /// Takes the solution back: impulses, velocities in the frame of the contacts, status, internal variables.
    pub fn accept(&mut self, r: &[Vector<D>], bodies: &Bodies<D, N>, laws: &Laws<D>) {
        let u = self.problem.velocities(r);
        for (alpha, interaction) in self.interactions.iter_mut().enumerate() {
            interaction.r = r[alpha];
            interaction.u = u[alpha] - self.shifts[alpha];
            interaction.judge(&self.problem.sets[alpha]);
            let [a, b] = interaction.bodies.map(|body| bodies.group[body.0 as usize]);
            if let Some(law) = laws.between(a, b) {
                law.keep(&interaction.u, &interaction.r, &mut interaction.internal);
            }
        }
    }
}
