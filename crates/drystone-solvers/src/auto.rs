//! The everyday solver: accelerated sweeps, and a second-order finish where the sweeps would take longer.
//! Decides by counts and residuals alone, never by the clock; the decisions themselves are in
//! `auto/decide.rs`, their numbers in
//! [`AutoParams`](crate::AutoParams).

mod anew;
mod balance;
mod decide;
mod work;

use crate::accelerated::Accelerated;
use crate::finish::Finish;
use crate::judge::judge_beside;
use crate::operator::{is_crowded, is_dear};
use crate::progress::Progress;
use crate::raised;
use crate::sweep::SweepMemory;
use crate::{AutoParams, Params, Report, Stage};
use balance::BalanceWatch;
use decide::{Action, Closing, Cost, FinishCost, History, Opening, Task};
use drystone_problem::{Delassus, Problem, Vector, asked_impulse};
use work::Work;

/// Why sweeps have no momentum.
const SHUFFLED: &str = "in random order: they ran in circles";

/// Why sweeps begin anew.
const ANEW: &str = "from rest without momentum: they ran in circles";

/// Solves from the guess in `r`, keeping the best iterate seen. A guess that is a solution costs one look.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
    memory: &mut SweepMemory,
) -> Report {
    let policy = &params.auto;
    let in_a_run = !params.measure.is_of_saved();
    let work = work::limit(params, problem.contacts(), in_a_run);
    let task = Task {
        contacts: problem.contacts(),
        in_a_run,
        polish: params.polish,
        dear: in_a_run && is_dear(&problem.w, policy),
        is_loose: !in_a_run && !is_crowded(&problem.w, policy),
        tolerance: params.tolerance,
        allowed: params.max_iterations.min(work.unwrap_or(u32::MAX)),
        work,
    };
    let mut report = Report::start();
    let asked = asked_impulse(problem);
    judge_beside(problem, r, params, asked, &mut report);
    let mut second = SecondOrder { problem, params, finish: None };
    match decide::open(&task, report.residual, policy) {
        Opening::Accept => return report,
        Opening::Polish => {
            second.polish(r, &mut report);
            return report;
        }
        Opening::Sweep => {}
    }
    if !report.residual.is_finite() {
        r.fill(Vector::zeros());
    }
    if !task.in_a_run && report.residual.is_finite() && raised::is_for(problem) {
        let mut progress = Progress { problem, params, r, report: &mut report };
        progress.stage("raised", "friction far beyond sticking", raised::run);
        if report.converged {
            return report;
        }
    }
    let mut sweeps = Accelerated::new(problem, r, (params, stream), asked, memory);
    // in a run the guess answers to another step
    if !task.in_a_run && report.residual.is_finite() {
        sweeps = sweeps.with_guess(r, &report);
    }
    if task.in_a_run && task.contacts > policy.wave_contacts as usize {
        sweeps = sweeps.with_waves(&report).with_regions(&report);
    }
    let mut history = History::new(policy);
    let sweep = sweeps.nanoseconds();
    let mut work = Work::new(&task, sweep);
    let (mut since, mut why) = (report.iterations, "");
    let mut counted = since;
    while !sweeps.look(r, &mut report) {
        work.swept(report.iterations - counted);
        counted = report.iterations;
        if work.is_spent() {
            report.is_limited = true;
            break;
        }
        history.iterations = report.iterations;
        history.looks.push((report.iterations, sweeps.best()));
        match next(&task, sweep, &history, &mut second) {
            Action::ShortTry => {
                swept(&mut report, since, why);
                second.try_from_here(r, &mut report, &mut work);
                history.tried(report.iterations, policy);
            }
            Action::Finish => {
                sweeps.recall(r, &mut report);
                swept(&mut report, since, why);
                second.finish(r, sweep, &mut report, &mut work);
                history.finished(report.iterations, policy);
            }
            Action::Turn => {
                sweeps.recall(r, &mut report);
                swept(&mut report, since, why);
                if task.is_loose && !history.is_begun_anew {
                    let mut progress = Progress { problem, params, r, report: &mut report };
                    progress.stage("sweeps", ANEW, anew::run);
                    history.is_begun_anew = true;
                }
                history.turned(report.iterations);
                sweeps.shuffle();
                why = SHUFFLED;
            }
            Action::Sweep | Action::Analyse => continue,
        }
        sweeps.restart(r, &mut report);
        since = report.iterations;
        counted = since;
        if report.converged || report.iterations >= params.max_iterations || params.is_called_off() {
            break;
        }
    }
    if report.converged && decide::close(&task, report.residual, policy) == Closing::PolishBySweeps {
        polish_by_sweeps(&mut sweeps, r, params, &mut report);
    }
    report = sweeps.give_back(r, report, memory);
    work.swept(report.iterations - counted);
    swept(&mut report, since, why);
    report.work = work.sweeps();
    report.is_limited &= !report.converged;
    if report.converged && decide::close(&task, report.residual, policy) == Closing::PolishByFactors {
        second.polish(r, &mut report);
    }
    report
}

/// What to do next; the operator is analysed on the way where its cost must be known.
fn next<const D: usize, W: Delassus<D>>(
    task: &Task,
    sweep: f64,
    history: &History,
    second: &mut SecondOrder<D, W>,
) -> Action {
    let policy = &second.params.auto;
    let action = decide::decide(task, &Cost { sweep, finish: second.cost() }, history, policy);
    if action != Action::Analyse {
        return action;
    }
    second.ready();
    decide::decide(task, &Cost { sweep, finish: second.cost() }, history, policy)
}

/// Sweeps on until forces are in balance, as long as it helps: a residual within the tolerance does not see
/// that a pile carries half of its weight, and what one step leaves adds up while a packing is at rest.
fn polish_by_sweeps<const D: usize, W: Delassus<D>>(
    sweeps: &mut Accelerated<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    report: &mut Report,
) {
    let mut balance = BalanceWatch::new(report);
    while !params.is_called_off() && balance.wants_more(report, params) {
        sweeps.look(r, report);
    }
}

/// How often something of so many multiplications may be done with the work that is left.
fn affordable(work: &Work, multiplications: f64, params: &AutoParams) -> u32 {
    (work.multiplications_left(params) / multiplications.max(1.0)) as u32
}

/// Writes the sweeps since then into the route, and why they were made.
fn swept(report: &mut Report, since: u32, why: &'static str) {
    let iterations = report.iterations - since;
    report.route.add(Stage { name: "sweeps", why, iterations, residual: report.residual });
}

/// The second-order finish, made ready once it is worth it.
struct SecondOrder<'a, const D: usize, W> {
    problem: &'a Problem<D, W>,
    params: &'a Params,
    /// `Some(None)` where it refused.
    finish: Option<Option<Finish<D>>>,
}

impl<const D: usize, W: Delassus<D>> SecondOrder<'_, D, W> {
    /// Assembles and analyses the operator, the first time.
    fn ready(&mut self) -> Option<&Finish<D>> {
        let (problem, params) = (self.problem, &self.params.auto);
        self.finish.get_or_insert_with(|| Finish::new(problem, params)).as_ref()
    }

    /// What it costs, as far as it is known.
    fn cost(&self) -> FinishCost {
        match &self.finish {
            None => FinishCost::Unknown,
            Some(None) => FinishCost::Refused,
            Some(Some(finish)) => FinishCost::Known {
                short: finish.short(),
                long: finish.usual(),
                large: finish.large(),
                spanned: finish.is_spanned(),
                slender: finish.is_slender(),
            },
        }
    }

    /// A short try from where the sweeps are.
    fn try_from_here(&mut self, r: &mut [Vector<D>], report: &mut Report, work: &mut Work) {
        let (problem, params) = (self.problem, self.params);
        if let Some(finish) = self.ready() {
            let mut progress = Progress { problem, params, r, report };
            let left = progress.left().min(affordable(work, finish.once(), &params.auto));
            let newton = progress.report.newton;
            finish.try_from_here(&mut progress, left);
            work.multiplied(f64::from(progress.report.newton - newton) * finish.once(), &params.auto);
        }
    }

    /// The long finish, instead of sweeps that cost so much each \[ns\].
    fn finish(&mut self, r: &mut [Vector<D>], sweep: f64, report: &mut Report, work: &mut Work) {
        let (problem, params) = (self.problem, self.params);
        if let Some(finish) = self.ready() {
            let mut progress = Progress { problem, params, r, report };
            let most = affordable(work, finish.once(), &params.auto);
            let budget = decide::budget(progress.left(), sweep, finish.once(), &params.auto).min(most);
            let splitting = affordable(work, finish.splitting_once(), &params.auto);
            let (newton, iterations) = (progress.report.newton, progress.report.iterations);
            finish.run(&mut progress, budget, most, splitting);
            let factored = progress.report.newton - newton;
            let split = (progress.report.iterations - iterations).saturating_sub(factored);
            let done = f64::from(factored) * finish.once() + f64::from(split) * finish.splitting_once();
            work.multiplied(done, &params.auto);
        }
    }

    /// Polishes an iterate that is within the tolerance.
    fn polish(&mut self, r: &mut [Vector<D>], report: &mut Report) {
        let (problem, params) = (self.problem, self.params);
        if let Some(finish) = self.ready() {
            let mut progress = Progress { problem, params, r, report };
            let budget = params.auto.polish_factorisations.min(progress.left());
            finish.polish(&mut progress, budget);
        }
    }
}
