//! Rest is preferred: what stood still before a step and can go on standing still does so, whatever the
//! solver came to. Finds no impulses itself: those are the memory's, or of the cone program in
//! `drystone-solvers`.

use crate::Simulation;
use crate::islands::{Island, Look, STILL_HELD};
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_math::per_dof::norm;
use drystone_math::{PerDof, Vector, rigid_dofs};
use drystone_problem::{Delassus, any_in_pieces, in_pieces};
use drystone_solvers::{Equilibrium, Report, SweepMemory, judge_spans, solve_spans};
use drystone_state::Velocities;
use rayon::prelude::*;
use std::ops::Range;

/// So many bodies are looked at by one thread: enough that parting them costs nothing beside.
const BODIES_OF_A_THREAD: usize = 512;

/// What becomes of bodies at rest that could stay where the solver sets them in motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum RestRule {
    /// They stay.
    #[default]
    Prefer,
    /// They move, and the step says that they could have stayed.
    Report,
    /// They move; nobody asks whether they could have stayed.
    Solver,
}

/// The rule of rest, and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// What becomes of bodies that could stay.
    pub rule: RestRule,
    /// Contacts up to which an island is looked at whatever it costs.
    pub contacts: usize,
    /// Larger islands are looked at where factors of the equations of their bodies, eliminated layer by layer
    /// of neighbours, take no more multiplications than this: slender ones, like towers and walls.
    pub multiplications: f64,
    /// Speed up to which a body is at rest, relative to the largest that the loads alone give a body of its
    /// island in a step.
    pub speed: f64,
    /// Speed below which a body that was slower than this stands still exactly, relative to what the loads
    /// alone give it in a step: what the solver leaves must not add up over thousands of steps.
    pub rounding: f64,
}

impl Default for Rest {
    fn default() -> Self {
        Self { rule: RestRule::Prefer, contacts: 5000, multiplications: 1e9, speed: 1e-4, rounding: 1e-9 }
    }
}

/// Islands, bodies that hang together by contacts and ties, which were at rest and which the solver set in
/// motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rested {
    /// Of these, how many could stay at rest and do.
    pub held: u32,
    /// How many could stay and move all the same.
    pub passed_over: u32,
    /// How many were not looked at: of more contacts and multiplications than allowed, with contacts or ties
    /// that give way themselves, or left undecided by the program.
    pub unchecked: u32,
}

impl Rested {
    /// Those of two parts of a step.
    pub(crate) fn with(&self, more: &Self) -> Self {
        Self {
            held: self.held + more.held,
            passed_over: self.passed_over + more.passed_over,
            unchecked: self.unchecked + more.unchecked,
        }
    }
}

/// What impulses make of the motion.
pub(crate) struct Moved {
    /// Velocities at the end of the step \[m/s, rad/s\].
    pub velocities: Velocities,
    /// What the impulses of the sets alone make of the velocities, as the operator carries it.
    pub carry: Vec<f64>,
}

impl<const D: usize> Simulation<D> {
    /// The motion at the end of the step with the impulses `r`.
    fn moved_by(&self, motion: &FreeMotion, assembly: &Assembly<D>, r: &[Vector<D>]) -> Moved {
        let w = &assembly.problem.w;
        let carry = w.carry(r);
        let truth = if assembly.is_shifted() { w.carry(&assembly.truth(r)) } else { carry.clone() };
        let mut velocities = match self.solids.is_empty() {
            true => motion.velocity.like(truth),
            false => self.lines(motion, assembly, &truth),
        };
        velocities.flat_mut().iter_mut().zip(motion.velocity.flat()).for_each(|(v, free)| *v += free);
        Moved { velocities, carry }
    }

    /// What a carry is to the rigid lines of bodies, ports of deformable ones left out.
    fn lines(&self, motion: &FreeMotion, assembly: &Assembly<D>, carry: &[f64]) -> Velocities {
        let bodies = assembly.problem.w.bodies();
        let line = |body: usize| {
            let dofs = bodies.dofs(body);
            carry.get(dofs.range()).map_or(&[][..], |all| &all[..all.len().min(rigid_dofs(D))])
        };
        let lines = (0..self.bodies.len()).flat_map(line).copied().collect();
        motion.velocity.like(lines)
    }

    /// Keeps at rest what was and can stay; gives the motion at the end of the step and what was done.
    ///
    /// Deformable bodies give way, so that their steps have one solution: with any, nobody asks.
    ///
    /// A step in which nothing at rest is set in motion costs a look at the velocities. Impulses of the last
    /// step that still hold are taken; only then a program is solved. What is taken is a solution of the step
    /// by the one residual.
    pub(crate) fn prefer_rest(
        &self,
        motion: &FreeMotion,
        assembly: &mut Assembly<D>,
        r: &mut [Vector<D>],
        report: &mut Report,
    ) -> (Moved, Rested) {
        let (mut moved, rested) = self.keep_islands(motion, assembly, r, report);
        if self.settings.rest.rule == RestRule::Prefer {
            self.round_to_rest(motion, &mut moved.velocities);
        }
        (moved, rested)
    }

    /// Takes away velocities that are what the solver left: of bodies that hardly moved before the step and
    /// hardly move after it.
    fn round_to_rest(&self, motion: &FreeMotion, velocities: &mut Velocities) {
        let round = |(body, velocity): (usize, &mut [f64])| {
            if !self.can_move(body) || self.solids.model(body).is_some() {
                return;
            }
            let small = self.settings.rest.rounding * self.load_speed(motion, body);
            let is_small = |velocity: &[f64]| self.speed_of(body, velocity) <= small;
            if is_small(&self.bodies.velocity[body]) && is_small(velocity) {
                velocity.fill(0.0);
            }
        };
        let all = velocities.flat_mut().par_chunks_mut(rigid_dofs(D)).enumerate();
        all.with_min_len(BODIES_OF_A_THREAD).for_each(round);
    }

    /// Replaces the impulses of islands that were at rest, can stay, and do not in `r`.
    fn keep_islands(
        &self,
        motion: &FreeMotion,
        assembly: &mut Assembly<D>,
        r: &mut [Vector<D>],
        report: &mut Report,
    ) -> (Moved, Rested) {
        let moved = self.moved_by(motion, assembly, r);
        let mut rested = Rested::default();
        let asked = self.settings.rest.rule != RestRule::Solver && self.solids.is_empty();
        if !asked || !self.is_stirred(motion, &moved.velocities, assembly, r) {
            return (moved, rested);
        }
        let (standing, mut trial) =
            self.islands_that_can_stand(motion, assembly, r, &moved.velocities, &mut rested);
        if standing.is_empty() {
            return (moved, rested);
        }
        let count = standing.len() as u32;
        if self.settings.rest.rule == RestRule::Prefer {
            let mut judged = *report;
            if self.is_solution(assembly, &mut trial, &mut judged) {
                let found = self.moved_by(motion, assembly, &trial);
                if standing.iter().all(|island| self.is_still(island, &found.velocities)) {
                    r.copy_from_slice(&trial);
                    assembly.set_thresholds(r);
                    *report = judged;
                    rested.held = count;
                    return (found, rested);
                }
            }
        }
        rested.passed_over = count;
        (moved, rested)
    }

    /// Puts impulses with which everything stands into a guess without any, where everything stands already
    /// and can go on; tells whether it did. The solver then finds a solution to begin with.
    pub(crate) fn start_standing(
        &self,
        motion: &FreeMotion,
        assembly: &Assembly<D>,
        r: &mut [Vector<D>],
    ) -> bool {
        if self.settings.rest.rule != RestRule::Prefer || !self.solids.is_empty() {
            return false;
        }
        let look = Look::new(self, assembly, motion);
        let islands = look.islands(r);
        let may_stand = |island: &Island| {
            self.is_still(island, &self.bodies.velocity) && look.may_stand(island) && !look.is_costly(island)
        };
        if !islands.iter().all(may_stand) {
            return false;
        }
        let mut guess = r.to_vec();
        let kept = look.kept();
        for island in &islands {
            let Equilibrium::Found(found) = look.equilibrium(island, &kept) else { return false };
            island.closed.iter().zip(found).for_each(|(&row, found)| guess[row] = found);
        }
        r.copy_from_slice(&guess);
        true
    }

    /// Lets the guess of large islands at rest follow loads that have changed a little, where everything is
    /// at rest: they then stay so without a sweep.
    pub(crate) fn follow_loads(&self, motion: &FreeMotion, assembly: &Assembly<D>, r: &mut [Vector<D>]) {
        let Rest { rule, contacts, .. } = self.settings.rest;
        let asked = rule == RestRule::Prefer && self.solids.is_empty() && self.settings.solver.memory;
        if !asked || r.len() <= contacts || !assembly.spans.is_empty() || !self.all_still(motion) {
            return;
        }
        // nothing to do where the impulses of the last step hold everything, as in most steps
        let moved = self.moved_by(motion, assembly, r).velocities;
        let holds =
            |body: usize| self.speed_of(body, &moved[body]) <= STILL_HELD * self.load_speed(motion, body);
        if !any_in_pieces(self.bodies.len(), |body| self.can_move(body) && !holds(body)) {
            return;
        }
        let look = Look::new(self, assembly, motion);
        let kept = look.kept();
        for island in look.islands(r) {
            let stands = self.is_still(&island, &self.bodies.velocity) && look.may_stand(&island);
            if !stands || !look.is_large(&island) || look.is_costly(&island) {
                continue;
            }
            if let Some(found) = look.near(&island, &kept) {
                island.open.iter().for_each(|&row| r[row] = Vector::zeros());
                island.closed.iter().zip(found).for_each(|(&row, found)| r[row] = found);
            }
        }
    }

    /// Whether all bodies are at rest, by the widest measure there is.
    fn all_still(&self, motion: &FreeMotion) -> bool {
        let still = self.settings.rest.speed * self.largest_load_speed(motion);
        let is_still = |body: usize| self.speed_of(body, &self.bodies.velocity[body]) <= still;
        !any_in_pieces(self.bodies.len(), |body| self.can_move(body) && !is_still(body))
    }

    /// The largest speed that loads alone give any body in this step \[m/s\].
    fn largest_load_speed(&self, motion: &FreeMotion) -> f64 {
        let of = |piece: Range<usize>| {
            let movable = piece.filter(|&body| self.can_move(body));
            movable.map(|body| self.load_speed(motion, body)).fold(0.0, f64::max)
        };
        in_pieces(self.bodies.len(), of, |largest: &mut f64, piece| *largest = largest.max(piece))
    }

    /// The islands that were at rest, are set in motion and could stay, and the impulses with which they do.
    fn islands_that_can_stand(
        &self,
        motion: &FreeMotion,
        assembly: &Assembly<D>,
        r: &[Vector<D>],
        velocities: &Velocities,
        rested: &mut Rested,
    ) -> (Vec<Island>, Vec<Vector<D>>) {
        let look = Look::new(self, assembly, motion);
        let mut trial = r.to_vec();
        let mut standing = Vec::new();
        let mut kept = None;
        for island in look.islands(r) {
            let was_still = self.is_still(&island, &self.bodies.velocity);
            if !was_still || self.is_still(&island, velocities) || !look.may_stand(&island) {
                continue;
            }
            let found = match look.is_costly(&island) {
                true => Equilibrium::Undecided,
                false => look.equilibrium(&island, kept.get_or_insert_with(|| look.kept())),
            };
            match found {
                Equilibrium::Found(found) => {
                    island.open.iter().for_each(|&row| trial[row] = Vector::zeros());
                    island.closed.iter().zip(found).for_each(|(&row, r)| trial[row] = r);
                    standing.push(island);
                }
                Equilibrium::None => {}
                Equilibrium::Undecided => rested.unchecked += 1,
            }
        }
        (standing, trial)
    }

    /// Whether impulses are a solution of the step, as they stand or after the solver went on from them.
    fn is_solution(&self, assembly: &Assembly<D>, trial: &mut [Vector<D>], report: &mut Report) -> bool {
        let params = &self.settings.solver;
        // no worse than the tolerance, or than what the solver leaves elsewhere
        let enough = params.tolerance.max(report.residual);
        judge_spans(&assembly.problem, &assembly.spans, trial, params, report);
        if report.residual <= enough {
            return true;
        }
        let again = solve_spans(
            &assembly.problem,
            &assembly.spans,
            trial,
            params,
            self.clock(),
            &mut SweepMemory::default(),
        );
        let (iterations, updates) = (report.iterations + again.iterations, report.updates + again.updates);
        *report = Report { iterations, updates, ..again };
        report.residual <= enough
    }

    /// Whether any island that was at rest may have been set in motion, by the widest measure there is: one
    /// of its bodies was, and none of those that push it moved before.
    fn is_stirred(
        &self,
        motion: &FreeMotion,
        velocities: &Velocities,
        assembly: &Assembly<D>,
        r: &[Vector<D>],
    ) -> bool {
        let tolerance = self.settings.rest.speed;
        let largest = self.largest_load_speed(motion);
        let moved = |body: usize| self.speed_of(body, &self.bodies.velocity[body]) > tolerance * largest;
        let is_set_off = |body: usize| {
            self.can_move(body)
                && !moved(body)
                && self.speed_of(body, &velocities[body]) > tolerance * self.load_speed(motion, body)
        };
        if !any_in_pieces(self.bodies.len(), is_set_off) {
            return false;
        }
        let mut stirred: Vec<bool> = (0..self.bodies.len()).map(is_set_off).collect();
        for (row, _) in assembly.problem.w.pairs().zip(r).filter(|(_, r)| r.iter().any(|&r| r != 0.0)) {
            let [a, b] = row.bodies.map(|body| body as usize);
            for (body, other) in [(a, b), (b, a)] {
                if stirred.get(body) == Some(&true) && other < stirred.len() {
                    stirred[body] = !(self.can_move(other) && moved(other));
                }
            }
        }
        stirred.contains(&true)
    }

    fn is_still(&self, island: &Island, velocities: &Velocities) -> bool {
        island.bodies.iter().all(|&body| self.speed_of(body, &velocities[body]) <= island.still)
    }

    /// Speed that loads alone give a body in this step \[m/s\].
    pub(crate) fn load_speed(&self, motion: &FreeMotion, body: usize) -> f64 {
        self.speed_of(body, &(PerDof::<D>::from(&motion.velocity[body]) - &self.bodies.velocity[body]))
    }

    pub(crate) fn can_move(&self, body: usize) -> bool {
        self.bodies.inverse_mass[body].iter().any(|&component| component > 0.0)
    }

    /// Speed of the fastest point of a body, spin counted at its bounding radius \[m/s\].
    pub(crate) fn speed_of(&self, body: usize, velocity: &[f64]) -> f64 {
        norm(&velocity[..D]) + norm(&velocity[D..]) * self.bodies.radius[body]
    }
}
