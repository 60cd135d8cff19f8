//! Over-relaxed proximal point with semismooth Newton inside: a second-order finish. Refuses problems too
//! large for its factors or with numbers that are not finite; it then changes nothing.

mod newton;
mod scaled;
mod splitting;

use crate::judge::{distance, judge_guess};
use crate::progress::Progress;
use crate::{AutoParams, Params, Report};
use drystone_problem::{Delassus, Problem, Vector};
use newton::Newton;
pub(crate) use scaled::Scaled;
use splitting::Splitting;

/// A guess worse than this is improved by the splitting first.
const FAR: f64 = 1e-2;

/// A residual that is rounding and nothing else.
const ROUNDING: f64 = 1e-14;

/// Largest α: beyond it the regularisation is lost in rounding.
const STIFFEST: f64 = 1e9;
/// Smallest α: below it a proximal step moves less than a sweep.
const SOFTEST: f64 = 1e-3;
/// Outer steps without a better residual after which it gives up where the residual is within the tolerance.
const MOST_IDLE_WITHIN: u32 = 5;
/// A residual that rounding may hold up, in a problem with large impulses.
const NEARLY: f64 = 1e-12;
/// Steps of the splitting before the first look at the residual.
const FIRST_LOOK: u32 = 100;
/// Most steps of the splitting between two looks.
const RAREST_LOOK: u32 = 400;

/// Where the splitting starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Start {
    /// Without any impulse.
    Rest,
    /// From the iterate at hand.
    Here,
}

/// How boldly the proximal point goes on.
pub(crate) struct Pace {
    /// α to begin with, far from a solution and near one.
    first: [f64; 2],
    /// How much less Newton is to leave of the residual of an outer step.
    inner: f64,
    /// Whether Newton goes on where no step along its direction is better.
    stubborn: bool,
    /// By how much α grows where Newton finds it easy.
    growth: f64,
    /// By how much α shrinks where Newton fails.
    retreat: f64,
    /// Outer steps without a better residual after which it gives up.
    patience: u32,
    /// Whether an answer that Newton did not finish is taken over where it is better.
    hasty: bool,
    /// Over-relaxation close to the solution.
    relaxation: f64,
}

impl Pace {
    /// From a good guess: a few large steps, or none.
    pub const BRISK: Self = Self {
        first: CAREFUL,
        inner: INNER,
        stubborn: false,
        growth: 5.0,
        retreat: 10.0,
        patience: 25,
        hasty: true,
        relaxation: 1.0,
    };
    /// Nearly plain Newton, from anywhere: where cones are wide and narrow in one problem, careful steps
    /// lead to places from which no step leads on, and bold ones over them.
    pub const BOLD: Self =
        Self { first: [1e6, 1e6], inner: 1e-6, stubborn: true, patience: 8, ..Self::BRISK };
    /// Where all else failed: small steps and many, always over-relaxed.
    pub const PATIENT: Self =
        Self { growth: 2.0, retreat: 5.0, patience: 400, hasty: false, relaxation: OVER, ..Self::BRISK };
}

/// Far from the solution the regularised problem should not be much harder than the last one.
const CAREFUL: [f64; 2] = [1e2, 1e3];
/// Outer steps need not be exact.
const INNER: f64 = 1e-2;

/// Over-relaxation (Eckstein, Bertsekas 1992): without it five times as many factorisations.
const OVER: f64 = 1.8;

/// Solves from the guess in `r`, keeping the best iterate seen. An iteration is one factorisation or one step
/// of the splitting that comes first.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
) -> Report {
    let mut report = judge_guess(problem, r, params);
    let Some(proximal) = Proximal::new(problem, &params.auto) else {
        return report;
    };
    let mut progress = Progress { problem, params, r, report: &mut report };
    if progress.report.residual > FAR {
        let steps = params.auto.splitting_steps.min(progress.left());
        progress.stage("splitting", "", |progress| proximal.approach(progress, steps, Start::Rest));
    }
    let budget = progress.left();
    progress.stage("proximal", "", |progress| proximal.run(progress, &Pace::PATIENT, budget));
    report
}

/// A problem made ready: scaled, gathered, its pattern analysed.
pub(crate) struct Proximal<const D: usize> {
    scaled: Scaled<D>,
}

impl<const D: usize> Proximal<D> {
    /// Makes a problem ready; `None` where it is refused.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>, params: &AutoParams) -> Option<Self> {
        if problem.contacts() > params.most_contacts as usize {
            return None;
        }
        let scaled = Scaled::new(problem, params)?;
        (scaled.operator.multiplications() <= params.most_multiplications).then_some(Self { scaled })
    }

    /// The problem in scaled variables.
    pub fn scaled(&self) -> &Scaled<D> {
        &self.scaled
    }

    /// Multiplications of one solution with the factors at hand.
    pub fn entries(&self) -> f64 {
        self.scaled.operator.entries()
    }

    /// Whether the operator is assembled and has columns that take its place.
    pub fn is_spanned(&self) -> bool {
        self.scaled.operator.is_spanned()
    }

    /// Rows of the matrix that is factored.
    pub fn unknowns(&self) -> usize {
        self.scaled.operator.unknowns()
    }

    /// Multiplications of one factorisation.
    pub fn multiplications(&self) -> f64 {
        self.scaled.operator.multiplications()
    }

    /// Takes `r` to the neighbourhood of a solution by Douglas and Rachford's splitting, from rest or from
    /// where it is.
    pub fn approach<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, steps: u32, start: Start) {
        let mut splitting = Splitting::new(&self.scaled);
        if start == Start::Here {
            splitting.put(&self.scaled.scale_impulses(progress.r));
        }
        let (mut taken, mut chunk) = (0, FIRST_LOOK);
        while taken < steps && !progress.report.converged && !progress.params.is_called_off() {
            let go = chunk.min(steps - taken);
            taken += go;
            chunk = (chunk + chunk / 2).min(RAREST_LOOK);
            let more = splitting.go(go);
            progress.report.iterations += go;
            self.offer(progress, splitting.best());
            if !more {
                break;
            }
        }
    }

    /// Takes over scaled impulses that are better than those so far; returns their residual.
    fn offer<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, x: &[Vector<D>]) -> f64 {
        let mut found = progress.r.to_vec();
        self.scaled.to_impulses(x, &progress.problem.sets, &mut found);
        progress.offer(&found)
    }

    /// Improves the impulses by at most `budget` factorisations; never for the worse.
    ///
    /// Each outer step solves the problem with `W + I/α` around the last answer, which is regular even where
    /// `W` is singular, and goes further than the answer says (Rockafellar 1976; Eckstein, Bertsekas 1992); α
    /// grows where Newton finds it easy and shrinks where it fails. Once within the tolerance it goes on to
    /// rounding where solutions are polished, which costs a factorisation or two unless the problem is large:
    /// errors left in the velocities would come back at every later step.
    pub fn run<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, pace: &Pace, budget: u32) {
        if !progress.report.residual.is_finite() {
            return;
        }
        let mut newton = Newton::new(&self.scaled, pace.stubborn);
        let mut x = self.scaled.scale_impulses(progress.r);
        let near = distance(progress.problem, progress.r) < 1e-4;
        let mut alpha = pace.first[usize::from(near)];
        let (mut used, mut idle) = (0, 0);
        while used < budget && progress.report.residual > ROUNDING && alpha > SOFTEST && idle < pace.patience
        {
            if progress.params.is_called_off() {
                break;
            }
            let here = newton.residual(&x);
            let mut next = x.clone();
            let outcome = newton.solve(
                1.0 / alpha,
                &mut next,
                pace.inner * here,
                budget - used,
                &progress.params.monitor,
            );
            used += outcome.steps;
            progress.report.iterations += outcome.steps;
            progress.report.newton += outcome.steps;
            let before = progress.report.residual;
            let there = self.offer(progress, &next);
            idle = if there < 0.5 * before { 0 } else { idle + 1 };
            if progress.report.converged && idle >= enough(progress) {
                break;
            }
            if outcome.converged {
                let relaxation = if progress.report.residual < 1e-6 { pace.relaxation } else { OVER };
                for (x, next) in x.iter_mut().zip(&next) {
                    *x += (next - *x) * relaxation;
                }
                alpha = (alpha * growth(outcome.steps, pace)).min(STIFFEST);
            } else {
                if pace.hasty && there < 0.9 * before {
                    x = next;
                }
                alpha /= pace.retreat;
            }
        }
    }
}

/// Outer steps without a better residual that are enough within the tolerance.
fn enough<const D: usize, W: Delassus<D>>(progress: &Progress<D, W>) -> u32 {
    let params = progress.params;
    let polish = params.polish && progress.problem.contacts() <= params.auto.small as usize;
    match progress.report.residual < NEARLY {
        _ if !polish => 0,
        true => 1,
        false => MOST_IDLE_WITHIN,
    }
}

/// By how much α grows after so many Newton steps.
fn growth(steps: u32, pace: &Pace) -> f64 {
    match steps {
        0..8 => pace.growth,
        8..15 => 1.2,
        _ => 0.7,
    }
}
