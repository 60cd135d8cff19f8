//! Over-relaxed proximal point with semismooth Newton inside: a second-order finish. Refuses problems too large for
//! its factors, with other sets than Coulomb's or with numbers that are not finite; it then changes nothing.

mod newton;
mod scaled;

use crate::sparse::Fronts;
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector, residual};
use newton::Newton;
use scaled::Scaled;

/// Most contacts the proximal point takes on: gathering the operator grows with their square.
pub const MOST_CONTACTS: usize = 5_000;

/// Most multiplications of one factorisation: about a second.
const MOST_MULTIPLICATIONS: f64 = 5e9;

/// A residual that is rounding and nothing else.
const ROUNDING: f64 = 1e-14;

/// Largest α: beyond it the regularisation is lost in rounding.
const STIFFEST: f64 = 1e9;
/// Smallest α: below it a proximal step moves less than a sweep.
const SOFTEST: f64 = 1e-3;
/// Outer steps without a better residual after which it gives up.
const MOST_IDLE: u32 = 25;
/// The same where the residual is within the tolerance.
const MOST_IDLE_WITHIN: u32 = 5;
/// A residual that rounding may hold up, in a problem with large impulses.
const NEARLY: f64 = 1e-12;

/// Solves from the guess in `r`, keeping the best iterate seen. An iteration is one factorisation.
pub fn solve<const D: usize, W: Delassus<D>>(
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
    if let Some(finish) = Finish::new(problem) {
        finish.run(problem, r, params, &mut report, params.max_iterations);
    }
    report
}

/// A problem made ready: scaled, gathered, its pattern analysed.
pub(crate) struct Finish<const D: usize> {
    scaled: Scaled<D>,
    fronts: Fronts,
}

impl<const D: usize> Finish<D> {
    /// Makes a problem ready; `None` where it is refused.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>) -> Option<Self> {
        if problem.contacts() > MOST_CONTACTS {
            return None;
        }
        let scaled = Scaled::new(problem)?;
        let fronts = Fronts::new(&scaled.pattern);
        (fronts.multiplications::<D>() <= MOST_MULTIPLICATIONS).then_some(Self { scaled, fronts })
    }

    /// Multiplications of one factorisation.
    pub fn multiplications(&self) -> f64 {
        self.fronts.multiplications::<D>()
    }

    /// Improves `r`, whose report is given, by at most `budget` factorisations; never for the worse.
    ///
    /// Each outer step solves the problem with `W + I/α` around the last answer, which is regular even where `W` is
    /// singular, and goes 1.8 times as far as the answer says (Rockafellar 1976; Eckstein, Bertsekas 1992); α grows
    /// where Newton finds it easy and shrinks where it fails. Once within the tolerance it goes on to rounding, which
    /// costs a factorisation or two: errors left in the velocities would come back at every later step.
    pub fn run<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        params: &Params,
        report: &mut Report,
        budget: u32,
    ) {
        if !report.residual.is_finite() {
            return;
        }
        let mut newton = Newton::new(&self.scaled, &self.fronts);
        let mut x = self.scaled.scale_impulses(r);
        let mut found = r.to_vec();
        // far from the solution the regularised problem should not be much harder than the last one
        let mut alpha: f64 = if report.residual < 1e-4 { 1e3 } else { 1e2 };
        let (mut used, mut idle) = (0, 0);
        while used < budget && report.residual > ROUNDING && alpha > SOFTEST && idle < MOST_IDLE {
            if params.overdue() {
                break;
            }
            let here = newton.residual(&x);
            let mut next = x.clone();
            let outcome = newton.solve(1.0 / alpha, &mut next, 1e-2 * here, budget - used);
            used += outcome.steps;
            report.iterations += outcome.steps;
            report.newton += outcome.steps;
            self.scaled.to_impulses(&next, &problem.sets, &mut found);
            let before = report.residual;
            let mut there = *report;
            judge(problem, &found, params, &mut there);
            if there.residual < before {
                r.copy_from_slice(&found);
                *report = there;
            }
            idle = if there.residual < 0.5 * before { 0 } else { idle + 1 };
            if report.converged && idle >= if report.residual < NEARLY { 1 } else { MOST_IDLE_WITHIN } {
                break;
            }
            if outcome.converged {
                let relaxation = if report.residual < 1e-6 { 1.0 } else { 1.8 };
                for (x, next) in x.iter_mut().zip(&next) {
                    *x += (next - *x) * relaxation;
                }
                alpha = (alpha * growth(outcome.steps)).min(STIFFEST);
            } else {
                if there.residual < 0.9 * before {
                    x = next;
                }
                alpha /= 10.0;
            }
        }
    }
}

/// By how much α grows after so many Newton steps.
fn growth(steps: u32) -> f64 {
    match steps {
        0..8 => 5.0,
        8..15 => 1.2,
        _ => 0.7,
    }
}

/// Judges `r` by the one residual, from scratch.
pub(crate) fn judge<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    let judged = residual(problem, &problem.velocities(r), r);
    report.residual = judged.relative;
    report.worst = judged.worst;
    report.converged = judged.relative <= params.tolerance;
}
