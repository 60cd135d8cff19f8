//! `drystone bench packing`.

use crate::attempt::parse_positive;
use crate::failure::{DONE, Failure, say};
use drystone_bench::problems::packing;
use drystone_problem::{Measure, Vector};
use drystone_solvers::{Method, Params, Report, solve};
use serde_json::json;
use std::time::Instant;

/// Contact updates a second that other codes reach on spheres, at most \[1/s\] (LMGC90 2025, one core).
const OTHERS: f64 = 6e6;

/// Most sweeps of a method.
const MOST_SWEEPS: u32 = 100_000;

/// Solve one step of a settled packing of balls from rest, by plain and by accelerated sweeps.
///
/// The last column is the time that the sweeps of plain Gauss–Seidel would take at 6 million contact updates
/// a second, over the time of each method.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of balls; about three contacts for each.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    balls: u32,
    /// The residual to reach.
    #[arg(long, value_name = "T", default_value = "1e-4", value_parser = parse_positive)]
    tol: f64,
    /// Threads to use.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let problem = packing(arguments.balls as usize, 1);
    let contacts = problem.contacts();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(arguments.threads)).build();
    let pool = pool.map_err(Failure::other)?;
    let measure = |method: Method| -> (Report, f64) {
        let (tolerance, max_iterations) = (arguments.tol, MOST_SWEEPS);
        let params =
            Params { method, tolerance, max_iterations, measure: Measure::Relative, ..Params::default() };
        let mut r = vec![Vector::zeros(); contacts];
        let start = Instant::now();
        let report = pool.install(|| solve(&problem, &mut r, &params, 0));
        (report, start.elapsed().as_secs_f64())
    };
    let methods = [Method::Nlgs, Method::Accelerated, Method::Auto];
    let found: Vec<(Method, Report, f64)> = methods
        .into_iter()
        .map(|method| {
            let (report, seconds) = measure(method);
            (method, report, seconds)
        })
        .collect();
    let plain = f64::from(found[0].1.iterations) * contacts as f64 / OTHERS;
    if arguments.json {
        let object = |(method, report, seconds): &(Method, Report, f64)| {
            json!({
                "method": method.name(), "iterations": report.iterations, "seconds": seconds,
                "residual": report.residual, "converged": report.converged,
                "updates_per_second": report.updates as f64 / seconds,
                "over_plain_elsewhere": plain / seconds,
            })
        };
        let solves = found.iter().map(object).collect::<Vec<_>>();
        let version = env!("CARGO_PKG_VERSION");
        say(json!({ "balls": arguments.balls, "contacts": contacts, "solves": solves, "version": version }));
        return Ok(DONE);
    }
    say(format_args!(
        "A settled packing of {} balls with {contacts} contacts, from rest to {:.0e}, {} thread(s).\n",
        arguments.balls, arguments.tol, arguments.threads
    ));
    say("| method | sweeps | seconds | million updates a second | residual | over plain sweeps elsewhere |");
    say("|---|---:|---:|---:|---:|---:|");
    for (method, report, seconds) in &found {
        say(format_args!(
            "| {} | {} | {seconds:.3} | {:.1} | {:.1e} | {:.0} |",
            method.name(),
            report.iterations,
            report.updates as f64 / seconds / 1e6,
            report.residual,
            plain / seconds,
        ));
    }
    Ok(DONE)
}
