//! The best iterate a first-order solver has seen, and when to look for a better one. Judges by the one residual, from
//! scratch; decides nothing but whether there is anything left to do.

use crate::proximal::judge;
use crate::sweep::Looks;
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector};

/// The best iterate and its report.
pub(crate) struct Best<'a, const D: usize, W> {
    problem: &'a Problem<D, W>,
    params: &'a Params,
    report: Report,
    r: Vec<Vector<D>>,
    candidate: Vec<Vector<D>>,
    iterations: u32,
    looks: Looks,
}

impl<'a, const D: usize, W: Delassus<D>> Best<'a, D, W> {
    /// Starts with the guess, or with no impulse where the guess is broken.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &'a Params) -> Self {
        let mut report = Report::start();
        let mut r = r.to_vec();
        judge(problem, &r, params, &mut report);
        if !report.residual.is_finite() {
            r.fill(Vector::zeros());
            judge(problem, &r, params, &mut report);
        }
        let candidate = r.clone();
        Self { problem, params, report, r, candidate, iterations: 0, looks: Looks::new() }
    }

    /// The best iterate.
    pub fn r(&self) -> &[Vector<D>] {
        &self.r
    }

    /// Whether there is nothing to do: the best is within the tolerance, or broken as the problem itself.
    pub fn is_done(&self) -> bool {
        self.report.converged || !self.report.residual.is_finite()
    }

    /// Counts an iteration and looks at its outcome if a look is due or if it is the last; `fill` writes the impulses.
    /// Returns whether to stop.
    pub fn step(&mut self, last: bool, fill: impl FnOnce(&mut [Vector<D>])) -> bool {
        self.iterations += 1;
        let last = last || self.iterations >= self.params.max_iterations;
        if !self.looks.due(self.iterations) && !last {
            return false;
        }
        fill(&mut self.candidate);
        let mut there = self.report;
        judge(self.problem, &self.candidate, self.params, &mut there);
        if there.residual < self.report.residual {
            self.r.copy_from_slice(&self.candidate);
            self.report = there;
        }
        self.is_done() || last || self.params.overdue()
    }

    /// Counts factorisations.
    pub fn factored(&mut self) {
        self.report.newton += 1;
    }

    /// Puts the best iterate into `r`.
    pub fn give_back(self, r: &mut [Vector<D>]) -> Report {
        r.copy_from_slice(&self.r);
        let updates = u64::from(self.iterations) * self.problem.contacts() as u64;
        Report { iterations: self.iterations, updates, ..self.report }
    }
}
