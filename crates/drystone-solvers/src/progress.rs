//! How far a solve has come: the best impulses so far and what is to be said of them. Knows no method;
//! whatever a method offers is judged by the one residual, from scratch.

use crate::judge::judge;
use crate::{Params, Report, Stage};
use drystone_problem::{Delassus, Problem, Vector};

/// A problem and the way to its solution.
pub(crate) struct Progress<'a, const D: usize, W> {
    /// What is to be solved.
    pub problem: &'a Problem<D, W>,
    /// How it is to be solved.
    pub params: &'a Params,
    /// The impulses so far \[N s\].
    pub r: &'a mut [Vector<D>],
    /// What they were judged to be, and what was done for them.
    pub report: &'a mut Report,
}

impl<const D: usize, W: Delassus<D>> Progress<'_, D, W> {
    /// Iterations left.
    pub fn left(&self) -> u32 {
        self.params.max_iterations.saturating_sub(self.report.iterations)
    }

    /// Takes over impulses that are better than those so far; returns their residual.
    pub fn offer(&mut self, found: &[Vector<D>]) -> f64 {
        let mut there = *self.report;
        judge(self.problem, found, self.params, &mut there);
        if there.residual < self.report.residual {
            self.r.copy_from_slice(found);
            *self.report = there;
        }
        self.params.monitor.tell(self.report);
        there.residual
    }

    /// Takes over what was done aside, from this report on, and its impulses where they are better.
    pub fn take_over(&mut self, found: &[Vector<D>], there: Report) {
        (self.report.iterations, self.report.newton) = (there.iterations, there.newton);
        if there.residual < self.report.residual {
            self.r.copy_from_slice(found);
            *self.report = there;
        }
    }

    /// Does a stage and writes it into the route.
    pub fn stage(&mut self, name: &'static str, why: &'static str, work: impl FnOnce(&mut Self)) {
        let before = self.report.iterations;
        work(self);
        let iterations = self.report.iterations - before;
        self.report.route.add(Stage { name, why, iterations, residual: self.report.residual });
    }
}
