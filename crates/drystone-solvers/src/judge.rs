//! Impulses judged by the one residual, from scratch. Improves nothing but a guess that is NaN.

use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector, asked_impulse, residual};

/// Judges `r` by the one residual, from scratch, and writes what it came to into the report.
pub fn judge<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    judge_beside(problem, r, params, asked_impulse(problem), report);
}

/// The same where it is known what [the contacts ask for](asked_impulse).
pub(crate) fn judge_beside<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    params: &Params,
    asked: f64,
    report: &mut Report,
) {
    let judged = params.measure.judge_beside(problem, &problem.velocities(r), r, asked);
    report.judged(&judged, params.tolerance);
}

/// The report of the guess; a guess that is not finite is replaced by rest.
pub(crate) fn judge_guess<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
) -> Report {
    let mut report = Report::start();
    judge(problem, r, params, &mut report);
    if !report.residual.is_finite() {
        r.fill(Vector::zeros());
        judge(problem, r, params, &mut report);
    }
    report
}

/// The relative residual of `r`, whatever measure is asked for: it has no units, so that thresholds mean
/// something.
pub(crate) fn distance<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> f64 {
    residual(problem, &problem.velocities(r), r).relative
}
