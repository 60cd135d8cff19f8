//! Nonlinear Gauss–Seidel (Jean 1999; Dubois, Acary, Jean 2018, §3.1.7): contact after contact is solved
//! exactly with the others held, over and over.

use crate::sweep::{CheckSchedule, Sweep};
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector};

/// Solves from the guess in `r`. Works on pairs of rigid bodies and on assembled blocks alike.
///
/// A guess that is good enough is still swept once: warm-started errors then fade from step to step instead
/// of piling up below the tolerance.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    let mut report = Report::start();
    let mut sweep = Sweep::new(problem, r, params, stream);
    let mut looks = CheckSchedule::new();
    let mut still = false;
    loop {
        let next = report.iterations + 1;
        let interrupted = params.monitor.is_interrupted();
        let due = looks.due(next) || next >= params.max_iterations || still || interrupted;
        let passed = sweep.pass(due);
        report.iterations = next;
        report.updates += passed.updates;
        // contacts left out may still move
        still = !passed.moved;
        if !due {
            continue;
        }
        sweep.judge(r, params, &mut report);
        params.monitor.tell(&report);
        if !report.residual.is_finite() {
            r.fill(Vector::zeros());
            return report;
        }
        if report.converged || still || next >= params.max_iterations || params.is_called_off() {
            sweep.certify(r, params, &mut report);
            return report;
        }
    }
}
