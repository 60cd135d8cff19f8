//! Solvers of the condensed problem, a file each: one interface, one residual. Knows no body, shape or file.

mod accelerated;
mod admm;
mod anderson;
mod apgd;
mod auto;
mod coarse;
mod cpg;
mod finish;
mod interior;
mod iteration;
mod jacobi;
mod judge;
mod mended;
mod momentum;
mod nlgs;
mod nondimensional;
mod operator;
mod power;
mod progress;
mod proximal;
mod raised;
mod remedy;
mod rest;
mod scales;
mod shuffled;
mod spans;
mod stride;
mod uzawa;
mod verdict;
mod waves;

pub use drystone_local::{LocalBlock, solve_local};
pub use drystone_problem::{AutoParams, Method, Order, OutOfRange, Params, Report, Route, Stage};
pub use judge::judge;
pub use remedy::{Remedy, remedies};
pub use rest::{Equilibrium, Part, equilibrium, rebalanced};
pub use spans::{judge_spans, solve_spans};
pub use verdict::Verdict;

use admm::Admm;
use anderson::Anderson;
use apgd::Apgd;
use cpg::Cpg;
use drystone_problem::{Delassus, Problem, Vector};
use drystone_sweep as sweep;
pub use drystone_sweep::SweepMemory;
use iteration::iterate;
use jacobi::Jacobi;
use uzawa::Uzawa;

/// Solves `problem` from the guess in `r` with the method that `params` name. `stream` tells one solve from
/// the next (the number of the step) where the order is random, so that a resumed run draws the same orders.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    solve_within(problem, r, params, stream, &mut SweepMemory::default())
}

/// [`solve`] in the memory of another solve; the result is the same whatever that was.
pub fn solve_within<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
    memory: &mut SweepMemory,
) -> Report {
    if problem.contacts() == 0 {
        return Report::start();
    }
    let mut report = match params.method {
        Method::Nlgs => nlgs::solve(problem, r, params, stream),
        Method::Accelerated => accelerated::solve(problem, r, params, stream, memory),
        Method::Anderson => iterate(problem, r, params, |r| Some(Anderson::new(problem, r, params, stream))),
        Method::Proximal => proximal::solve(problem, r, params),
        Method::Interior => interior::solve(problem, r, params),
        Method::Jacobi => iterate(problem, r, params, |r| Some(Jacobi::new(problem, r, params))),
        Method::Cpg => iterate(problem, r, params, |r| Cpg::new(problem, r)),
        Method::Apgd => iterate(problem, r, params, |r| Apgd::new(problem, r)),
        Method::Admm => iterate(problem, r, params, |r| Admm::new(problem, r, &params.auto)),
        Method::Uzawa => iterate(problem, r, params, |r| Uzawa::new(problem, r, params)),
        Method::Auto => auto::solve(problem, r, params, stream, memory),
    };
    if report.route.stages().next().is_none() {
        let (name, iterations, residual) = (params.method.name(), report.iterations, report.residual);
        report.route.add(Stage { name, why: "", iterations, residual });
    }
    report
}
