//! Up: what the solution of the problem means for the contacts. Moves no body.

use crate::assembly::{Assembly, is_velocity};
use crate::context::Common;
use crate::rows::approach;
use crate::section::sever;
use crate::{Interaction, Laws, Status, Ties};
use drystone_laws::{Change, Dissipated, Outcome};
use drystone_math::columns::times;
use drystone_math::{Matrix, Vector};
use drystone_problem::{Delassus, Set, in_pieces};
use drystone_state::{BRANCHES, Bodies, ContactMemory, TieMemory};
use rayon::prelude::*;
use std::ops::Range;

/// So many contacts are taken back by one thread: enough that parting them costs nothing beside.
const CONTACTS_OF_A_THREAD: usize = 512;

/// How many times the error that a residual stands for counts as none in a velocity.
const SLACK: f64 = 10.0;

impl<const D: usize> Assembly<D> {
    /// Gives the rows of spans the thresholds that belong to impulses, for whoever looks at rows one by one.
    pub fn set_thresholds(&mut self, r: &[Vector<D>]) {
        for (row, cap) in self.spans.iter().flat_map(|span| span.thresholds(r)) {
            self.problem.sets[row] = match self.problem.sets[row] {
                Set::Bearing { held, factor, apart, .. } => Set::Bearing { held, base: cap, factor, apart },
                _ => Set::Tresca { cap },
            };
        }
    }

    /// Rows whose threshold grows with the normal impulse of another: row, the other, factor.
    pub fn followed(&self) -> Vec<(usize, usize, f64)> {
        let contacts = self.interactions.len();
        let branches = self.branches.iter().enumerate();
        let entry = |(branch, &(contact, _)): (usize, &(u32, u8))| {
            let row = contacts + branch;
            (row, contact as usize, self.changes[row].follows)
        };
        branches.map(entry).filter(|&(_, _, follows)| follows > 0.0).collect()
    }

    /// The impulses of the laws where `r` are those of the sets.
    pub fn truth(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        r.iter().zip(&self.changes).map(|(r, change)| r - change.impulse).collect()
    }

    /// Takes the solution back: impulses and velocities in the frame of the contacts, status, internal
    /// variables, and where the work went; the true impulses of all rows are then [`Self::impulses`].
    /// `residual` is that of the solution, `carry` what its operator carries. Gives what the contacts come to
    /// together.
    pub fn accept(
        &mut self,
        r: &[Vector<D>],
        carry: &Vec<f64>,
        residual: f64,
        bodies: &Bodies<D>,
        laws: &Laws<D>,
    ) -> ContactSums {
        let mut interactions = std::mem::take(&mut self.interactions);
        let error = SLACK * residual * rms(&r[..interactions.len()]);
        let mut impulses = std::mem::take(&mut self.impulses);
        if self.asks.shifted {
            let truth = |(r, change): (&Vector<D>, &Change<D>)| r - change.impulse;
            let rows = r.par_iter().zip(&self.changes).with_min_len(CONTACTS_OF_A_THREAD);
            rows.map(truth).collect_into_vec(&mut impulses);
        } else {
            impulses.clear();
            impulses.extend_from_slice(r);
        }
        self.impulses = impulses;
        let solved = Solved { assembly: self, r, carry, error };
        let sums = if self.branches.is_empty() {
            each(&mut interactions, |alpha, interaction| {
                solved.settle(alpha, interaction);
                solved.keep(alpha, interaction, [Vector::zeros(); 2], bodies, laws);
            })
        } else {
            each(&mut interactions, |alpha, interaction| solved.settle(alpha, interaction));
            let spins = solved.add_branches(&mut interactions, bodies);
            each(&mut interactions, |alpha, interaction| {
                solved.keep(alpha, interaction, spins[alpha], bodies, laws);
            })
        };
        if laws.want_area() {
            sever(&mut interactions, self.step.h, bodies, laws);
        }
        self.interactions = interactions;
        sums
    }

    /// The impulses of the laws, row by row, once a solution was taken back.
    pub fn impulses(&self) -> &[Vector<D>] {
        &self.impulses
    }
}

/// What contacts leave to the next step, in their order.
pub fn keep_contacts<const D: usize>(interactions: &[Interaction<D>], memory: &mut Vec<ContactMemory<D>>) {
    let kept = |interaction: &Interaction<D>| ContactMemory {
        id: interaction.id,
        impulse: interaction.frame * interaction.r,
        beside: interaction.beside.map(|beside| interaction.frame * beside),
        point: interaction.point,
        stored: interaction.stored,
        mark: interaction.mark,
        internal: interaction.internal,
    };
    interactions.par_iter().with_min_len(CONTACTS_OF_A_THREAD).map(kept).collect_into_vec(memory);
}

/// What the contacts of a step come to together. Summed up in pieces of so many each, so that the bits do not
/// depend on the threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSums {
    /// Where their work went.
    pub spent: Dissipated,
    /// Squares of their impulses \[N² s²\].
    pub squares: f64,
    /// Normal impulses of those that push \[N s\].
    pub pushing: f64,
    /// How many push.
    pub pushing_count: usize,
    /// How many hold any impulse.
    pub active: usize,
    /// Deepest overlap \[m\]; 0 where there is none.
    pub deepest: f64,
}

impl ContactSums {
    fn count<const D: usize>(&mut self, contact: &Interaction<D>) {
        self.spent.add(&contact.spent);
        self.squares += contact.r.norm_squared();
        if contact.r[0] > 0.0 {
            self.pushing += contact.r[0];
            self.pushing_count += 1;
        }
        self.active += usize::from(contact.r.iter().any(|&r| r != 0.0));
        self.deepest = self.deepest.max(-contact.gap);
    }

    fn add(mut self, other: &Self) -> Self {
        self.spent.add(&other.spent);
        self.squares += other.squares;
        self.pushing += other.pushing;
        self.pushing_count += other.pushing_count;
        self.active += other.active;
        self.deepest = self.deepest.max(other.deepest);
        self
    }
}

/// Does something to every contact, on as many threads as there are; gives what they then come to together.
fn each<const D: usize>(
    interactions: &mut [Interaction<D>],
    go: impl Fn(usize, &mut Interaction<D>) + Sync + Send,
) -> ContactSums {
    let piece = |(number, piece): (usize, &mut [Interaction<D>])| {
        let mut sums = ContactSums::default();
        for (alpha, interaction) in (number * CONTACTS_OF_A_THREAD..).zip(piece) {
            go(alpha, interaction);
            sums.count(interaction);
        }
        sums
    };
    let pieces: Vec<ContactSums> =
        interactions.par_chunks_mut(CONTACTS_OF_A_THREAD).enumerate().map(piece).collect();
    pieces.iter().fold(ContactSums::default(), ContactSums::add)
}

/// A solution on its way back to the contacts.
struct Solved<'a, const D: usize> {
    assembly: &'a Assembly<D>,
    /// Impulses in the variables of the sets.
    r: &'a [Vector<D>],
    carry: &'a Vec<f64>,
    /// What errors the impulses may have \[N s\].
    error: f64,
}

impl<const D: usize> Solved<'_, D> {
    /// Velocity of a row in the variables of its set.
    fn velocity(&self, row: usize) -> Vector<D> {
        let problem = &self.assembly.problem;
        problem.u_free[row] + problem.w.row(row, self.r, self.carry)
    }

    fn still(&self, alpha: usize, size: f64) -> f64 {
        still(&self.assembly.step, size, self.error, &self.assembly.block(alpha))
    }

    /// Impulse, velocity and status of a contact from its first row.
    fn settle(&self, alpha: usize, interaction: &mut Interaction<D>) {
        let (assembly, r) = (self.assembly, &self.r[alpha]);
        let (change, u) = (&assembly.changes[alpha], self.velocity(alpha));
        (interaction.u, interaction.r) = change.to_law(&u, r);
        interaction.beside = [Vector::zeros(); BRANCHES];
        let way = assembly.step.h * interaction.u[0];
        interaction.mark = assembly.step.push.moved(interaction.mark, way);
        let still = self.still(alpha, interaction.size);
        interaction.judge(&assembly.problem.sets[alpha], &u, r, still);
        if change.returns > 0.0 && interaction.status == Status::Open && assembly.impulses[alpha][0] > 0.0 {
            // the set knows no more than what came on top of the two phases
            let slides = interaction.u.rows_range(1..).norm() > still;
            interaction.status = if slides { Status::Slip } else { Status::Stick };
        }
    }

    /// Adds the impulses of further branches; gives the spins at the two ends of the step where some act on
    /// them.
    fn add_branches(&self, interactions: &mut [Interaction<D>], bodies: &Bodies<D>) -> Vec<[Vector<D>; 2]> {
        let (assembly, contacts) = (self.assembly, interactions.len());
        let mut spins = vec![[Vector::zeros(); 2]; contacts];
        for (row, &(contact, number)) in (contacts..).zip(&assembly.branches) {
            let interaction = &mut interactions[contact as usize];
            let (change, impulse) = (&assembly.changes[row], assembly.impulses[row]);
            interaction.beside[number as usize] = impulse;
            if is_velocity(change) {
                interaction.r += impulse;
            } else {
                let pair = assembly.problem.w.pair(row);
                let of = |side: usize| times(pair.h[side], &bodies.velocity[pair.bodies[side] as usize]);
                let begin = of(0) + of(1);
                let (end, _) = change.to_law(&self.velocity(row), &self.r[row]);
                let spin = &mut spins[contact as usize];
                *spin = spun(*spin, change.along, &begin, &end);
            }
        }
        spins
    }

    /// Lets the law of a contact keep what it keeps, and say where the work went.
    fn keep(
        &self,
        alpha: usize,
        interaction: &mut Interaction<D>,
        spin: [Vector<D>; 2],
        bodies: &Bodies<D>,
        laws: &Laws<D>,
    ) {
        let assembly = self.assembly;
        let [a, b] = interaction.bodies.map(|body| bodies.group[body.0 as usize]);
        let Some(entry) = laws.between(a, b) else { return };
        let outcome = Outcome {
            u: interaction.u,
            r: interaction.r,
            beside: interaction.beside,
            spin,
            open: interaction.status == Status::Open,
            sticks: interaction.status == Status::Stick,
            still: self.still(alpha, interaction.size),
        };
        let mut internal = interaction.internal;
        let seen = approach(&assembly.step, interaction, &assembly.block(alpha));
        interaction.spent = entry.law.keep(&seen, &outcome, &mut internal);
        if let Some(Some(pushed)) = assembly.pushes.get(alpha).filter(|_| self.r[alpha][0] > 0.0) {
            // what the law cannot know: part of the velocity is none of its own
            let impulse = assembly.impulses[alpha][0];
            let work = pushed.work(impulse, interaction.u_begin[0], interaction.u[0]);
            interaction.spent.shocks += work;
            interaction.spent.drift -= work;
        }
        interaction.stored += interaction.spent.stored;
        interaction.internal = internal;
    }
}

impl<const D: usize> Assembly<D> {
    /// Takes the solution back into the state of the ties, `r` being the impulses in the variables of the
    /// sets. Gives where their work went, and how many of them broke.
    pub fn accept_ties(
        &self,
        r: &[Vector<D>],
        ties: &Ties<D>,
        memory: &mut [TieMemory<D>],
    ) -> (Dissipated, u32) {
        let mut sum = Dissipated::default();
        for kept in memory.iter_mut() {
            (kept.impulse, kept.friction, kept.stops) = ([Vector::zeros(); 2], Vector::zeros(), [0.0; 2]);
        }
        if self.ties.is_empty() {
            return (sum, 0);
        }
        let whole = |memory: &[TieMemory<D>]| memory.iter().filter(|kept| !kept.broken).count();
        let before = whole(memory);
        let first = self.changes.len() - self.ties.len();
        let carry = self.problem.w.carry(r);
        for (row, bound) in (first..).zip(&self.ties) {
            let change = &self.changes[row];
            let u = self.problem.u_free[row] + self.problem.w.row(row, r, &carry);
            let (u, truth) = change.to_law(&u, &r[row]);
            let kept = &mut memory[bound.tie as usize];
            let spent = ties.accept(bound, &u, &truth, &self.step, kept);
            sum.add(&spent);
        }
        (sum, (before - whole(memory)) as u32)
    }
}

/// Root of the mean square of the impulses \[N s\].
fn rms<const D: usize>(r: &[Vector<D>]) -> f64 {
    let squares = |piece: Range<usize>| r[piece].iter().map(Vector::norm_squared).sum::<f64>();
    (in_pieces(r.len(), squares, |sum, piece| *sum += piece) / r.len().max(1) as f64).sqrt()
}

/// Relative speed that counts as none at a contact \[m/s\]: a way in the step within the tolerance of its
/// size, or what errors of so much in the impulses \[N s\] come to.
fn still<const D: usize>(step: &Common, size: f64, error: f64, block: &Matrix<D, D>) -> f64 {
    step.tolerances.sliding * size / step.h + error * block.trace() / D as f64
}

/// Spins of a contact with those of one more branch: rolling in its own components, twisting as component 0.
fn spun<const D: usize>(
    mut spins: [Vector<D>; 2],
    along: drystone_laws::Along,
    begin: &Vector<D>,
    end: &Vector<D>,
) -> [Vector<D>; 2] {
    for (spin, found) in spins.iter_mut().zip([begin, end]) {
        if along == drystone_laws::Along::Twisting {
            spin[0] = found[1];
        } else {
            (1..D).for_each(|axis| spin[axis] = found[axis]);
        }
    }
    spins
}
