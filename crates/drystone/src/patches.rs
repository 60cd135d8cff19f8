//! A step solved again until the patches that slide press evenly. What is even is said in `drystone-contact`.

use crate::Simulation;
use drystone_contact::Assembly;
use drystone_math::Vector;
use drystone_solvers::Report;

impl<const D: usize> Simulation<D> {
    /// Solves a step so that the patches that slide press evenly: solved, made even, solved again from there,
    /// until nothing moves. What is made even rubs otherwise, which the solver answers with other resultants; its
    /// own share in the unevenness is much less each time.
    ///
    /// Solutions of small problems, which are polished by factorisations, are polished once they are even: on the
    /// way they need be no better than the tolerance.
    pub(crate) fn solve_evenly(&mut self, assembly: &mut Assembly<D>, r: &mut [Vector<D>]) -> (Report, u32) {
        let solver = &self.settings.solver;
        let (tolerance, polish) = (solver.tolerance, solver.polish);
        let by_factors = assembly.problem.contacts() <= solver.auto.small as usize;
        let late = polish && by_factors && self.settings.even_rounds > 0;
        let (mut report, mut jammed) = self.solve(assembly, r, polish && !late);
        for _ in 0..self.settings.even_rounds {
            let before = r.to_vec();
            if !report.converged || !assembly.even_out(r, tolerance) {
                break;
            }
            let (again, more) = self.solve(assembly, r, polish && !late);
            if !again.converged {
                // a solution in hand is worth more than an even one
                r.copy_from_slice(&before);
                report = after(&again, &report);
                break;
            }
            report = after(&report, &again);
            jammed += more;
        }
        if late && report.converged {
            let (polished, more) = self.solve(assembly, r, true);
            report = after(&report, &polished);
            jammed += more;
        }
        (report, jammed)
    }
}

/// The report of a solve that counts, with the work of another one.
fn after(other: &Report, last: &Report) -> Report {
    let (iterations, updates) = (other.iterations + last.iterations, other.updates + last.updates);
    Report { iterations, updates, ..*last }
}
