//! One solver on one problem from rest: timed, judged by both errors, ended by the clock where asked. Reads
//! and prints nothing.

use drystone_diagnose::{Verdict, glance};
use drystone_problem::{AGREEMENT, Delassus, Measure, Problem, Vector, is_excess, residual};
use drystone_solvers::{Method, Params, Report, solve};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Rounds with an ever smaller tolerance, where the solver has met its own and the error of Siconos that
/// belongs to the file is not there yet.
const ROUNDS: u32 = 8;

/// Each of them asks for so much less.
const TIGHTER: f64 = 0.1;

/// Most iterations, in turn, each from where the one before ended. A limit of time cuts them short and
/// changes nothing else, so that it never makes a solve better. After the first the problem is looked into:
/// where impulses run away, more iterations are in vain.
const ITERATIONS: [u32; 2] = [100_000, 1_000_000];

/// The largest residual of Drystone of a problem that counts as solved, unless more is allowed by the
/// tolerance itself: impulses that run away leave about 1e-3.
const LARGEST_RESIDUAL: f64 = 3e-4;

/// The residual of Drystone up to which a problem counts as solved to a tolerance for the error of Siconos.
pub fn residual_allowed(tolerance: f64) -> f64 {
    tolerance.max((AGREEMENT * tolerance).min(LARGEST_RESIDUAL))
}

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
    /// Whether the error of Siconos is within the tolerance and the residual within [`residual_allowed`].
    pub converged: bool,
    /// What a look of bounded work says of a problem that was not solved.
    pub verdict: Option<Verdict>,
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
            "verdict": self.verdict.map(Verdict::words),
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
    let mut going = Going {
        r: vec![Vector::zeros(); problem.contacts()],
        iterations: 0,
        spent: Duration::ZERO,
        routes: Vec::new(),
        reached: f64::INFINITY,
        residual: f64::INFINITY,
        report: Report::start(),
    };
    let (mut verdict, mut most) = (None, 0);
    for (turn, iterations) in ITERATIONS.into_iter().enumerate() {
        most = iterations;
        going.solve(problem, &error, task, most);
        if going.solved(task) || going.overdue(task) || going.refused() {
            break;
        }
        verdict = glance(problem, &going.r, false).verdict;
        if verdict == Some(Verdict::Inconsistent) || turn > 0 {
            break;
        }
    }
    let converged = going.solved(task);
    if !converged && verdict.is_none() {
        verdict = glance(problem, &going.r, false).verdict;
    }
    let figures = Figures {
        iterations: going.iterations,
        seconds: going.spent.as_secs_f64(),
        residual: going.residual,
        siconos_error: going.reached,
        converged,
        verdict: verdict.filter(|_| !converged),
        route: going.routes.join("; tighter: "),
        reason: going.reason(problem, task, verdict, most),
    };
    Attempt { r: going.r, figures }
}

/// A solve on its way.
struct Going<const D: usize> {
    r: Vec<Vector<D>>,
    iterations: u32,
    spent: Duration,
    routes: Vec<String>,
    /// The error of Siconos.
    reached: f64,
    /// The residual of Drystone.
    residual: f64,
    report: Report,
}

impl<const D: usize> Going<D> {
    /// Solves on from where it is, with at most so many iterations in all.
    fn solve<W: Delassus<D>>(
        &mut self,
        problem: &Problem<D, W>,
        error: impl Fn(&[Vector<D>]) -> f64,
        task: &AttemptTask,
        most: u32,
    ) {
        let mut params = Params {
            method: task.method,
            tolerance: task.tolerance,
            measure: Measure::Siconos { agreement: residual_allowed(task.tolerance) / task.tolerance },
            ..Params::default()
        };
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let left =
                task.seconds.map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(self.spent));
            params.deadline = left.and_then(|left| start.checked_add(left));
            params.max_iterations = most - self.iterations.min(most - 1);
            self.report = solve(problem, &mut self.r, &params, 0);
            self.spent += start.elapsed();
            self.iterations = self.iterations.saturating_add(self.report.iterations);
            self.routes.push(self.report.route.to_string());
            self.reached = error(&self.r);
            self.residual = residual(problem, &problem.velocities(&self.r), &self.r).relative;
            if self.solved(task) || !self.report.converged || self.overdue(task) {
                break;
            }
            params.tolerance *= TIGHTER;
        }
    }

    fn solved(&self, task: &AttemptTask) -> bool {
        self.reached <= task.tolerance && self.residual <= residual_allowed(task.tolerance)
    }

    fn overdue(&self, task: &AttemptTask) -> bool {
        task.seconds.is_some_and(|seconds| self.spent.as_secs_f64() >= seconds)
    }

    /// Whether the solver did nothing with the problem.
    fn refused(&self) -> bool {
        self.report.iterations == 0 && !self.report.converged
    }

    /// Why it ended.
    fn reason<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        task: &AttemptTask,
        verdict: Option<Verdict>,
        most: u32,
    ) -> &'static str {
        if self.solved(task) {
            "converged"
        } else if self.refused() {
            "not a problem for this solver"
        } else if verdict == Some(Verdict::Inconsistent) || is_excess(problem, &self.r) {
            "impulses run away"
        } else if self.overdue(task) {
            "out of time"
        } else if self.iterations >= most {
            "out of iterations"
        } else if self.reached <= task.tolerance {
            "the error of Siconos is within the tolerance, the residual is not"
        } else if self.report.converged {
            "rounding: a smaller residual does not lower the error of Siconos"
        } else {
            "no further progress"
        }
    }
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
