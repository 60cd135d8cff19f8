//! The everyday solver: accelerated sweeps, and a second-order finish where the sweeps would take longer. Decides by
//! counts and residuals alone, never by the clock, so that a run gives the same bits wherever it runs.

use crate::accelerated::Accelerated;
use crate::finish::Finish;
use crate::judge::judge;
use crate::progress::Progress;
use crate::proximal::{FEW, MOST_CONTACTS};
use crate::route::Stage;
use crate::{Params, Report};
use drystone_math::portable;
use drystone_problem::{Delassus, Measure, Problem, Vector};

/// A guess this far below the tolerance is good and is left as it is. A sweep over it would do harm: it mends an
/// error in the velocities by impulses that the next step, starting from them, applies again, and slow modes begin
/// to swing.
const GOOD: f64 = 1e-3;
/// With few contacts ([`FEW`]) every step within the tolerance is finished until its residual is this small, whatever the
/// tolerance: a step at rest then costs one look for many steps to come, and a tower does not creep.
const EXACT: f64 = 1e-10;
/// Factorisations such a last touch may take: near the solution a handful is usual, or it fails.
const TOUCH: u32 = 40;
/// The sweeps hand over once they have taken this share of what a finish would; all of it in large problems and for short
/// tries, which come in a run, where the sweeps start well.
const HASTE: f64 = 0.2;
/// Share of its cost at which a finish is weighed that comes anyway, see [`FEW`].
const SUNK: f64 = 0.2;
/// Sweeps that a step of a run with many contacts takes beyond the tolerance.
const FURTHER: u32 = 20;
/// This far below the tolerance they end.
const WELL_WITHIN: f64 = 0.1;
/// Sweeps before the first thought of handing over: most steps end here.
const FIRST_TRY: u32 = 60;
/// After a finish that failed the next is tried so many times later.
const PATIENCE: u32 = 4;
/// Sweeps that will not do are ended after one in so many of those allowed.
const LAST_CALL: u32 = 3;
/// Short tries before the long finish, in a run.
const TRIES: u32 = 3;
/// A finish may take so many times what the sweeps left would, and at least [`LEAST`] factorisations.
const PERSISTENCE: f64 = 3.0;
/// See [`PERSISTENCE`].
const LEAST: f64 = 400.0;
/// Time of one multiplication in a factorisation \[ns\].
const MULTIPLICATION: f64 = 0.4;
/// Time to assemble and analyse the operator, for each contact \[ns\].
const ANALYSIS: f64 = 5000.0;

/// Solves from the guess in `r`, keeping the best iterate seen. A guess that is a solution costs one look.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    let mut report = Report::start();
    judge(problem, r, params, &mut report);
    // a saved problem has no next step
    let few = problem.contacts() <= FEW && params.measure == Measure::Relative;
    let good = GOOD * params.tolerance;
    if report.residual <= if few { good.min(EXACT) } else { good } {
        return report;
    }
    let mut plan = Plan::new(problem, params);
    if report.converged && few {
        plan.touch(r, &mut report);
        return report;
    }
    if !report.residual.is_finite() {
        r.fill(Vector::zeros());
    }
    let mut sweeps = Accelerated::new(problem, r, params, stream);
    plan.one_sweep = sweeps.nanoseconds();
    let mut since = report.iterations;
    while !sweeps.look(r, &mut report) {
        plan.learn(report.iterations, sweeps.best());
        if !plan.finish_pays(report.iterations) {
            continue;
        }
        if plan.tries_left() {
            swept(&mut report, since);
            plan.try_from_here(r, &mut report);
        } else {
            sweeps.recall(r, &mut report);
            swept(&mut report, since);
            plan.finish(r, &mut report);
        }
        sweeps.restart(r, &mut report);
        since = report.iterations;
        if report.converged || report.iterations >= params.max_iterations || params.overdue() {
            break;
        }
    }
    if report.converged && !few && params.measure == Measure::Relative {
        go_further(&mut sweeps, r, params, &mut report);
    }
    report = sweeps.give_back(r, report);
    swept(&mut report, since);
    if report.converged && few && report.residual > EXACT {
        plan.touch(r, &mut report);
    }
    report
}

/// Sweeps on for a while: what one step leaves below the tolerance adds up, step after step, while a packing is at rest.
fn go_further<const D: usize, W: Delassus<D>>(
    sweeps: &mut Accelerated<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    let end = params.max_iterations.min(report.iterations + FURTHER);
    while report.iterations < end && report.residual > WELL_WITHIN * params.tolerance {
        sweeps.look(r, report);
    }
}

/// Writes the sweeps since then into the route.
fn swept(report: &mut Report, since: u32) {
    let iterations = report.iterations - since;
    report.route.add(Stage { name: "sweeps", why: "", iterations, residual: report.residual });
}

/// When to hand over.
struct Plan<'a, const D: usize, W> {
    problem: &'a Problem<D, W>,
    params: &'a Params,
    /// The best residual after so many iterations, since the last finish.
    looks: Vec<(u32, f64)>,
    next_try: u32,
    /// Time of one sweep \[ns\].
    one_sweep: f64,
    /// Short tries so far.
    tries: u32,
    /// The finish, once it was worth making ready; `Some(None)` where it refused.
    finish: Option<Option<Finish<D>>>,
}

impl<'a, const D: usize, W: Delassus<D>> Plan<'a, D, W> {
    fn new(problem: &'a Problem<D, W>, params: &'a Params) -> Self {
        Self {
            problem,
            params,
            looks: Vec::new(),
            next_try: FIRST_TRY,
            one_sweep: 0.0,
            tries: 0,
            finish: None,
        }
    }

    fn learn(&mut self, iterations: u32, best: f64) {
        self.looks.push((iterations, best));
    }

    /// Whether to hand over: the sweeps have taken a good part of what a finish would, and those left would take
    /// longer. Who waits a while before changing horses never pays much more than the better one would have cost.
    fn finish_pays(&mut self, iterations: u32) -> bool {
        let (contacts, short) = (self.problem.contacts(), self.tries_left());
        if iterations < self.next_try || contacts > MOST_CONTACTS {
            return false;
        }
        let (needed, allowed) = (self.sweeps_left(), f64::from(self.params.max_iterations - iterations));
        let left = needed.min(allowed);
        let (swept, sweeping) = (f64::from(iterations) * self.one_sweep, left * self.one_sweep);
        let few = contacts <= FEW && self.params.measure == Measure::Relative;
        let weight = if few { SUNK } else { 1.0 };
        let gathering = weight * contacts as f64 * ANALYSIS;
        if self.finish.is_none() && (swept / HASTE).min(sweeping) < 2.0 * gathering {
            return false;
        }
        let finish = self.finish.get_or_insert_with(|| Finish::new(self.problem));
        let Some(finish) = finish else {
            return false;
        };
        let haste = if finish.large() || short { 1.0 } else { HASTE };
        let cost = weight * if short { finish.short() } else { finish.usual() };
        // whatever it costs, before the sweeps come to their end without a solution
        let last_call = iterations > self.params.max_iterations / LAST_CALL && needed > allowed;
        last_call || (swept / haste).min(sweeping) > cost * MULTIPLICATION
    }

    /// Whether short tries come first: in a run the sweeps start from the last step and soon are near. With few contacts
    /// the long finish is short enough.
    fn tries_left(&self) -> bool {
        let in_a_run = self.params.measure == Measure::Relative;
        in_a_run && self.problem.contacts() > FEW && self.tries < TRIES
    }

    /// Sweeps left to the tolerance, if the residual goes on falling as it did over the last half of them.
    fn sweeps_left(&self) -> f64 {
        let (Some(&(start, _)), Some(&(now, residual))) = (self.looks.first(), self.looks.last()) else {
            return f64::INFINITY;
        };
        let middle = start + (now - start) / 2;
        let then = self.looks.iter().rev().find(|look| look.0 <= middle);
        let rate =
            then.map_or(0.0, |&(then, before)| portable::ln(before / residual) / f64::from(now - then));
        if rate > 0.0 { portable::ln(residual / self.params.tolerance) / rate } else { f64::INFINITY }
    }

    /// A short try from where the sweeps are.
    fn try_from_here(&mut self, r: &mut [Vector<D>], report: &mut Report) {
        if let Some(Some(finish)) = &self.finish {
            let mut progress = Progress { problem: self.problem, params: self.params, r, report };
            let left = progress.left();
            finish.try_from_here(&mut progress, left);
        }
        self.tries += 1;
        self.next_try = report.iterations + (report.iterations / 3).min(500);
    }

    /// Finishes, and is patient before the next attempt.
    fn finish(&mut self, r: &mut [Vector<D>], report: &mut Report) {
        if let Some(finish) = self.finish.get_or_insert_with(|| Finish::new(self.problem)) {
            let mut progress = Progress { problem: self.problem, params: self.params, r, report };
            let left = progress.left();
            let sweeping = f64::from(left) * self.one_sweep;
            let budget = (PERSISTENCE * sweeping / (finish.once() * MULTIPLICATION)).max(LEAST) as u32;
            finish.run(&mut progress, budget.min(left));
        }
        self.next_try = report.iterations.saturating_mul(PATIENCE);
        self.looks.clear();
    }

    /// A last touch to an iterate within the tolerance.
    fn touch(&mut self, r: &mut [Vector<D>], report: &mut Report) {
        if let Some(finish) = self.finish.get_or_insert_with(|| Finish::new(self.problem)) {
            let mut progress = Progress { problem: self.problem, params: self.params, r, report };
            let left = progress.left();
            finish.touch(&mut progress, TOUCH.min(left));
        }
    }
}
