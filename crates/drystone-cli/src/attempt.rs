//! One solver on one problem from rest: timed, judged by both errors, ended by the clock where asked. Reads
//! and prints nothing.

use drystone_problem::{Delassus, Measure, Problem, Vector, residual};
use drystone_solvers::{Method, Params, solve};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Rounds with an ever smaller tolerance, where the solver has met its own and the error of Siconos is not
/// there yet.
const ROUNDS: u32 = 8;

/// Each of them asks for so much less.
const TIGHTER: f64 = 0.1;

/// Most iterations where no clock ends a solve.
const MOST_ITERATIONS: u32 = 100_000;

/// What is asked of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttemptTask {
    /// Which one.
    pub method: Method,
    /// The error of Siconos to reach \[-\].
    pub tolerance: f64,
    /// Most seconds it may take \[s\].
    pub seconds: Option<f64>,
}

/// What it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt<const D: usize> {
    /// The impulses found \[N s\].
    pub r: Vec<Vector<D>>,
    /// The figures.
    pub figures: Figures,
}

/// The figures of one solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Sweeps and factorisations.
    pub iterations: u32,
    /// Time in the solver alone \[s\].
    pub seconds: f64,
    /// The residual of Drystone.
    pub residual: f64,
    /// The error of Siconos.
    pub siconos_error: f64,
    /// Whether the error of Siconos is within the tolerance.
    pub converged: bool,
    /// The way the solver took.
    pub route: String,
    /// Why it ended.
    pub reason: &'static str,
}

impl Figures {
    /// The figures as the members of a JSON object.
    pub fn json(&self) -> Value {
        json!({
            "route": self.route,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "residual": finite(self.residual),
            "siconos_error": finite(self.siconos_error),
            "converged": self.converged,
            "reason": self.reason,
        })
    }
}

/// JSON has no infinity: what is not finite becomes null.
fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

/// How often a short solve is done.
const REPEATS: u32 = 3;
/// What counts as short \[s\].
const SHORT: f64 = 2e-3;

/// Solves from `r = 0`. `error` gives the error of Siconos of an iterate: only the file knows which one it
/// is. A short solve is repeated and the fastest counts: the first pays for memory and code that are not yet
/// at hand.
pub fn attempt<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    error: impl Fn(&[Vector<D>]) -> f64,
    task: &AttemptTask,
) -> Attempt<D> {
    let mut answer = once(problem, &error, task);
    for _ in 1..REPEATS {
        if answer.figures.seconds > SHORT {
            break;
        }
        let again = once(problem, &error, task);
        if again.figures.seconds < answer.figures.seconds {
            answer = again;
        }
    }
    answer
}

/// One solve from `r = 0`.
fn once<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    error: impl Fn(&[Vector<D>]) -> f64,
    task: &AttemptTask,
) -> Attempt<D> {
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let most = if task.seconds.is_some() { u32::MAX / 4 } else { MOST_ITERATIONS };
    let mut params = Params {
        method: task.method,
        tolerance: task.tolerance,
        measure: Measure::Siconos,
        max_iterations: most,
        ..Params::default()
    };
    let (mut iterations, mut spent, mut routes) = (0_u32, Duration::ZERO, Vec::new());
    let mut reached = f64::INFINITY;
    let mut last = None;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let left = task.seconds.map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(spent));
        params.deadline = left.and_then(|left| start.checked_add(left));
        params.max_iterations = most - iterations.min(most - 1);
        let report = solve(problem, &mut r, &params, 0);
        spent += start.elapsed();
        iterations = iterations.saturating_add(report.iterations);
        routes.push(report.route.to_string());
        reached = error(&r);
        last = Some(report);
        if reached <= task.tolerance || !report.converged || params.is_called_off() {
            break;
        }
        params.tolerance *= TIGHTER;
    }
    let converged = reached <= task.tolerance;
    let reason = match last {
        _ if converged => "converged",
        Some(_) if params.is_called_off() => "out of time",
        Some(_) if iterations >= most => "out of iterations",
        Some(report) if report.iterations == 0 && !report.converged => "not a problem for this solver",
        Some(report) if report.converged => {
            "rounding: a smaller residual does not lower the error of Siconos"
        }
        _ => "no further progress",
    };
    let judged = residual(problem, &problem.velocities(&r), &r).relative;
    let figures = Figures {
        iterations,
        seconds: spent.as_secs_f64(),
        residual: judged,
        siconos_error: reached,
        converged,
        route: routes.join("; tighter: "),
        reason,
    };
    Attempt { r, figures }
}

/// The solver of a name, for the command line.
pub fn parse_method(name: &str) -> Result<Method, String> {
    Method::named(name).ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        let near = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
        let hint = near.filter(|known| strsim::damerau_levenshtein(known, name) <= 3);
        let hint = hint.map_or_else(String::new, |known| format!("; did you mean \"{known}\"?"));
        format!("no such solver; there are: {}{hint}", names.join(", "))
    })
}

/// A positive number, for the command line.
pub fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e9 => Ok(value),
        _ => Err("allowed is a positive number, at most 1e9".into()),
    }
}
