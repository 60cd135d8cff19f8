//! A step solved again until the patches that slide press evenly. What is even is said in `drystone-contact`.

use crate::Simulation;
use drystone_contact::Assembly;
use drystone_math::Vector;
use drystone_solvers::Report;

/// A round that leaves more than so much of the unevenness of the one before is the last.
const EVENER: f64 = 0.5;

impl<const D: usize> Simulation<D> {
    /// From a solution with its report and the contacts let go for it to one whose sliding patches press
    /// evenly: made even, solved again from there, until nothing moves. What is made even rubs otherwise,
    /// which the solver answers with other resultants; its own share in the unevenness is much less each
    /// time, until it is that of its tolerance: among thousands of patches some are never even.
    pub(crate) fn even_patches(
        &mut self,
        assembly: &mut Assembly<D>,
        r: &mut [Vector<D>],
        mut report: Report,
        mut jammed: u32,
    ) -> (Report, u32) {
        let tolerance = self.settings.solver.tolerance;
        let mut last = f64::INFINITY;
        for _ in 0..self.settings.even_rounds {
            if !report.converged {
                break;
            }
            let Some((uneven, before)) = assembly.even_out(r, tolerance) else { break };
            if uneven > EVENER * last {
                r.copy_from_slice(&before);
                break;
            }
            last = uneven;
            let (again, more) = self.solve(assembly, r);
            let (iterations, updates) =
                (report.iterations + again.iterations, report.updates + again.updates);
            if !again.converged {
                // a solution in hand is worth more than an even one
                r.copy_from_slice(&before);
                return (Report { iterations, updates, ..report }, jammed);
            }
            report = Report { iterations, updates, ..again };
            jammed += more;
        }
        (report, jammed)
    }
}
