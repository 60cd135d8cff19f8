//! The frame of the solvers that go from iterate to iterate: the guess is judged, the method steps until
//! nothing is left to do, the best iterate seen is given back. Judges by the one residual, from scratch;
//! knows no method.

use crate::judge::judge_guess;
use crate::progress::Progress;
use crate::sweep::CheckSchedule;
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector};

/// A method at some iterate.
pub(crate) trait Iteration<const D: usize> {
    /// One iteration; whether another is worth while.
    fn step(&mut self) -> bool;

    /// Writes the impulses it has come to \[N s\].
    fn impulses(&self, r: &mut [Vector<D>]);

    /// Factorisations done so far.
    fn factorisations(&self) -> u32 {
        0
    }
}

/// Solves from the guess in `r`, keeping the best iterate seen. `begin` starts the method at the impulses it
/// is given, the guess or rest; where it refuses, or where there is nothing to do, they are the answer.
pub(crate) fn iterate<const D: usize, W: Delassus<D>, M: Iteration<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    begin: impl FnOnce(&[Vector<D>]) -> Option<M>,
) -> Report {
    let mut report = judge_guess(problem, r, params);
    if is_done(&report) {
        return report;
    }
    let Some(mut method) = begin(r) else {
        return report;
    };
    let mut candidate = r.to_vec();
    let mut looks = CheckSchedule::new();
    let mut best = Progress { problem, params, r, report: &mut report };
    loop {
        let more = method.step();
        best.report.iterations += 1;
        let last = !more || best.left() == 0 || params.monitor.is_interrupted();
        if !looks.due(best.report.iterations) && !last {
            continue;
        }
        method.impulses(&mut candidate);
        best.offer(&candidate);
        if is_done(best.report) || last || params.is_called_off() {
            break;
        }
    }
    report.newton = method.factorisations();
    report.updates = u64::from(report.iterations) * problem.contacts() as u64;
    report
}

/// Whether there is nothing to do: the best is within the tolerance, or broken as the problem itself.
fn is_done(report: &Report) -> bool {
    report.converged || !report.residual.is_finite()
}
