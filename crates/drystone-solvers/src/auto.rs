//! The everyday solver: accelerated sweeps, and a second-order finish where the sweeps would take longer. Decides by
//! counts and residuals alone, never by the clock, so that a run gives the same bits wherever it runs.

use crate::accelerated::Accelerated;
use crate::{MOST_CONTACTS, Params, Report, proximal};
use drystone_problem::{Delassus, Problem, Vector};

/// Sweeps before the first thought of handing over: most steps end here.
const FIRST_TRY: u32 = 60;
/// After a finish that failed the next is tried so many times later.
const PATIENCE: u32 = 4;
/// Time of one contact in one sweep \[ns\].
const SWEEP: f64 = 100.0;
/// Time of one multiplication in a factorisation \[ns\].
const MULTIPLICATION: f64 = 0.15;
/// Time of one entry of the operator in a factorisation, gathering included \[ns\].
const ENTRY: f64 = 20.0;
/// Factorisations a finish usually takes.
const USUAL: f64 = 12.0;
/// Factorisations a finish may take.
const MOST: u32 = 100;

/// Solves from the guess in `r`, keeping the best iterate seen.
///
/// A guess that is a solution costs one sweep and one look.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    let mut report = Report::start();
    let contacts = problem.contacts();
    if contacts == 0 {
        return report;
    }
    let mut sweeps = Accelerated::new(problem, r, params, stream);
    let mut decay = Decay::new();
    let mut next_try = FIRST_TRY;
    while !sweeps.look(r, &mut report) {
        decay.learn(report.iterations, sweeps.best());
        let sweep_time = contacts as f64 * SWEEP;
        let sweeps_left = decay
            .left(params)
            .min(f64::from(params.max_iterations - report.iterations));
        if report.iterations < next_try
            || contacts > MOST_CONTACTS
            || sweeps_left * sweep_time < finish_time(contacts * D)
        {
            continue;
        }
        sweeps.recall(r, &mut report);
        let budget = (params.max_iterations - report.iterations).min(MOST);
        proximal::finish(problem, r, params, &mut report, budget);
        sweeps.restart(r, &mut report);
        if report.converged || report.iterations >= params.max_iterations {
            break;
        }
        next_try = report.iterations * PATIENCE;
        decay = Decay::new();
    }
    sweeps.give_back(r, report)
}

/// What a finish takes \[ns\], for so many unknowns.
fn finish_time(unknowns: usize) -> f64 {
    let n = unknowns as f64;
    USUAL * n * n * (MULTIPLICATION * n / 3.0 + ENTRY)
}

/// How fast the residual falls.
struct Decay {
    looks: Vec<(u32, f64)>,
}

impl Decay {
    fn new() -> Self {
        Self { looks: Vec::new() }
    }

    fn learn(&mut self, iterations: u32, best: f64) {
        self.looks.push((iterations, best));
    }

    /// Sweeps left to the tolerance, if the residual goes on falling as it did over the last half of the sweeps.
    fn left(&self, params: &Params) -> f64 {
        let Some(&(now, residual)) = self.looks.last() else {
            return f64::INFINITY;
        };
        let start = self.looks[0].0;
        let Some(&(then, before)) = self
            .looks
            .iter()
            .rev()
            .find(|look| look.0 <= start + (now - start) / 2)
        else {
            return f64::INFINITY;
        };
        let rate = (before / residual).ln() / f64::from(now - then);
        if rate > 0.0 {
            (residual / params.tolerance).ln() / rate
        } else {
            f64::INFINITY
        }
    }
}
