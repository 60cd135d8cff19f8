//! Up: what the solution of the problem means for the contacts. Moves no body.

use crate::assembly::{Assembly, Common, approach, is_velocity};
use crate::section::sever;
use crate::{Laws, Status, Ties};
use drystone_laws::{Dissipated, Outcome};
use drystone_math::{Matrix, Vector};
use drystone_problem::{Delassus, Set};
use drystone_state::{BRANCHES, Bodies, TieMemory};

/// How many times the error that a residual stands for counts as none in a velocity.
const SLACK: f64 = 10.0;

impl<const D: usize> Assembly<D> {
    /// Gives the rows of spans the thresholds that belong to impulses, for whoever looks at rows one by one.
    pub fn set_thresholds(&mut self, r: &[Vector<D>]) {
        for (row, cap) in self.spans.iter().flat_map(|span| span.thresholds(r)) {
            self.problem.sets[row] = Set::Tresca { cap };
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
    /// variables, and where the work went. Gives the true impulse of every row, that of the laws and not of
    /// the sets. `residual` is that of the solution.
    pub fn accept(
        &mut self,
        r: &[Vector<D>],
        residual: f64,
        bodies: &Bodies<D>,
        laws: &Laws<D>,
    ) -> Vec<Vector<D>> {
        let u = self.problem.velocities(r);
        let error = SLACK * residual * rms(&r[..self.interactions.len()]);
        let truth = self.truth(r);
        let contacts = self.interactions.len();
        for alpha in 0..contacts {
            let change = &self.changes[alpha];
            let interaction = &mut self.interactions[alpha];
            (interaction.u, interaction.r) = change.to_law(&u[alpha], &r[alpha]);
            interaction.beside = [Vector::zeros(); BRANCHES];
            let way = self.step.h * interaction.u[0];
            interaction.mark = self.step.push.moved(interaction.mark, way);
            let still = still(&self.step, interaction.size, error, &self.blocks[alpha]);
            interaction.judge(&self.problem.sets[alpha], &u[alpha], &r[alpha], still);
            if change.returns > 0.0 && interaction.status == Status::Open && truth[alpha][0] > 0.0 {
                // the set knows no more than what came on top of the two phases
                let slides = interaction.u.rows_range(1..).norm() > still;
                interaction.status = if slides { Status::Slip } else { Status::Stick };
            }
        }
        let mut spins = vec![[Vector::zeros(); 2]; if self.branches.is_empty() { 0 } else { contacts }];
        for (branch, &(contact, number)) in self.branches.iter().enumerate() {
            let (row, contact) = (contacts + branch, contact as usize);
            let interaction = &mut self.interactions[contact];
            interaction.beside[number as usize] = truth[row];
            let change = &self.changes[row];
            if is_velocity(change) {
                interaction.r += truth[row];
            } else {
                let pair = self.problem.w.pair(row).to_pair();
                let of = |side: usize| pair.h[side].times(&bodies.velocity[pair.bodies[side] as usize]);
                let begin = of(0) + of(1);
                let (end, _) = change.to_law(&u[row], &r[row]);
                spins[contact] = spun(spins[contact], change.along, &begin, &end);
            }
        }
        for (alpha, interaction) in self.interactions.iter_mut().enumerate() {
            let [a, b] = interaction.bodies.map(|body| bodies.group[body.0 as usize]);
            let Some(entry) = laws.between(a, b) else { continue };
            let outcome = Outcome {
                u: interaction.u,
                r: interaction.r,
                beside: interaction.beside,
                spin: spins.get(alpha).copied().unwrap_or([Vector::zeros(); 2]),
                open: interaction.status == Status::Open,
                sticks: interaction.status == Status::Stick,
                still: still(&self.step, interaction.size, error, &self.blocks[alpha]),
            };
            let mut internal = interaction.internal;
            let seen = approach(&self.step, interaction, &self.blocks[alpha]);
            interaction.spent = entry.law.keep(&seen, &outcome, &mut internal);
            if let Some(Some(pushed)) = self.pushes.get(alpha).filter(|_| r[alpha][0] > 0.0) {
                // what the law cannot know: part of the velocity is none of its own
                let work = pushed.work(truth[alpha][0], interaction.u_begin[0], interaction.u[0]);
                interaction.spent.shocks += work;
                interaction.spent.drift -= work;
            }
            interaction.stored += interaction.spent.stored;
            interaction.internal = internal;
        }
        if laws.want_area() {
            sever(&mut self.interactions, self.step.h, bodies, laws);
        }
        truth
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
    (r.iter().map(Vector::norm_squared).sum::<f64>() / r.len().max(1) as f64).sqrt()
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
