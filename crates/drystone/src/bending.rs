//! Newton's method around the contacts, where deformable bodies are not linear: their free velocities and
//! compliances are taken anew and the contacts solved again, until both agree. The bodies' own iterations are
//! in `drystone-elements`.

use crate::{ChangeError, Simulation};
use drystone_bulk::{FreeMotion, NewtonStage, SolidFailure};
use drystone_contact::Assembly;
use drystone_math::{Pose, Vector};
use drystone_solvers::Report;

/// What of a step stays as it is while the contacts are solved again.
pub(crate) struct Around<'a, const D: usize> {
    pub middle: &'a [Pose<D>],
    pub motion: &'a FreeMotion,
}

/// A solution: what its solves tell, and how many contacts had to be let go for it.
#[derive(Clone, Copy)]
pub(crate) struct SolvedContacts {
    pub report: Report,
    pub jammed: u32,
}

impl<const D: usize> Simulation<D> {
    /// From a solution `r` to one with which all deformable bodies are in balance; the contacts stay those
    /// that were found. Nothing to do where all bodies are linear.
    pub(crate) fn bend(
        &mut self,
        around: &Around<'_, D>,
        assembly: &mut Assembly<D>,
        r: &mut Vec<Vector<D>>,
        mut solved: SolvedContacts,
    ) -> Result<SolvedContacts, SolidFailure> {
        if !self.solids.are_nonlinear() {
            return Ok(solved);
        }
        loop {
            match self.solids.correct(&assembly.port_impulses_of(r))? {
                NewtonStage::Converged => return Ok(solved),
                NewtonStage::Alone => continue,
                NewtonStage::Contacts if self.settings.solver.monitor.is_interrupted() => return Ok(solved),
                NewtonStage::Contacts => solved = self.solve_again(around, assembly, r, &solved),
            }
        }
    }

    /// Solves the contacts with the free velocities and compliances there are now, from the last solution.
    fn solve_again(
        &mut self,
        around: &Around<'_, D>,
        assembly: &mut Assembly<D>,
        r: &mut Vec<Vector<D>>,
        before: &SolvedContacts,
    ) -> SolvedContacts {
        let (touches, spreads) = self.detection.spread_touches();
        assembly.fill(&self.context(around.middle, around.motion), touches, spreads);
        let compression = self.compress(around.motion, assembly);
        if assembly.problem.u_free.len() != r.len() {
            assembly.guess_into(self.settings.solver.memory, r);
        }
        let (report, jammed) = self.solve(assembly, r);
        let (report, jammed) = self.even_patches(assembly, r, report, jammed);
        let report = crate::impact::both(compression, report);
        let sum = Report {
            iterations: before.report.iterations + report.iterations,
            newton: before.report.newton + report.newton,
            updates: before.report.updates + report.updates,
            work: before.report.work.saturating_add(report.work),
            ..report
        };
        SolvedContacts { report: sum, jammed }
    }

    /// The solution; where a body found none, that is kept for [`Self::take_failure`], and the step is to be
    /// abandoned.
    pub(crate) fn or_failure(
        &mut self,
        bent: Result<SolvedContacts, SolidFailure>,
        before: SolvedContacts,
    ) -> SolvedContacts {
        if self.has_failed() {
            // of an earlier step, which nobody asked for
            self.controls.failed = None;
        }
        bent.unwrap_or_else(|SolidFailure { body, error }| {
            let body = self.bodies.name.get(body as usize).cloned().unwrap_or_default();
            let (time, why) = (self.time(), error.to_string());
            self.controls.failed = Some(ChangeError::Solid { body, time, why, parts: 1 });
            before
        })
    }

    /// Whether a deformable body found no end of this step.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.controls.failed, Some(ChangeError::Solid { .. }))
    }
}
