//! Shocks in two phases, where laws ask for them: the compression is solved before the step. The phases
//! themselves are in
//! `drystone-contact`.

use crate::Simulation;
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_solvers::{Report, solve};

impl<const D: usize> Simulation<D> {
    /// Solves the compression of a step in which bodies meet and leaves its impulses to the assembly; none
    /// without a shock.
    pub(crate) fn compress(&self, motion: &FreeMotion, assembly: &mut Assembly<D>) -> Option<Report> {
        let compression = assembly.compression(&self.bodies, &motion.velocity)?;
        let params = &self.settings.solver;
        let mut c = compression.guess(&assembly.guess(params.memory));
        let report = solve(&compression.problem, &mut c, params, self.clock());
        assembly.expand(&compression, &c);
        Some(report)
    }
}

/// One report of the two solves of a step.
pub(crate) fn both(compression: Option<Report>, step: Report) -> Report {
    let Some(first) = compression else { return step };
    Report {
        iterations: first.iterations + step.iterations,
        updates: first.updates + step.updates,
        residual: first.residual.max(step.residual),
        converged: first.converged && step.converged,
        ..step
    }
}
