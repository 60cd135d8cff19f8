//! `drystone bench run`. Runs whole steps of built-in scenes and tells where their time goes; judges nothing.

pub(super) mod cases;

use crate::failure::{DONE, Failure, say};
use crate::progress::Count;
use cases::{Case, Criterion};
use drystone::{AnySimulation, StepReport};
use drystone_scene::Scene;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;

/// Time whole steps of built-in scenes: packings at rest, a wall, a drum that turns.
///
/// Every scene first settles, then the steps are timed. Columns: seconds a step and their parts, sweeps a
/// step, the largest residual, how far the forces of the last step are from being in balance.
#[derive(clap::Args)]
pub struct Arguments {
    /// Which; all unless named.
    #[arg(value_name = "CASE")]
    cases: Vec<Case>,
    /// Bodies that move, about; each case has its usual numbers. Several make a table over sizes.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    bodies: Vec<u64>,
    /// Threads; several make a table over them.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Vec<u64>,
    /// Steps that are timed.
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Steps before them; each case has its usual number.
    #[arg(long, value_name = "N")]
    settle: Option<u64>,
    /// Tolerance of the solver.
    #[arg(long = "tol", value_name = "T", default_value = "1e-4", value_parser = positive)]
    tolerance: f64,
    /// What the tolerance is about.
    #[arg(long, value_name = "WHAT", default_value = "worst")]
    criterion: Criterion,
    /// Print the scenes instead, for other programs.
    #[arg(long)]
    scene: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("a number greater than 0 and less than 1".into()),
    }
}

/// One case on so many threads.
struct Timed {
    case: Case,
    bodies: usize,
    threads: u64,
    reports: Vec<StepReport>,
    /// Wall-clock time of each step \[s\].
    seconds: Vec<f64>,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let cases = if arguments.cases.is_empty() { Case::ALL.to_vec() } else { arguments.cases.clone() };
    let sizes = |case: Case| match arguments.bodies.is_empty() {
        true => case.defaults().bodies.to_vec(),
        false => arguments.bodies.clone(),
    };
    let tasks: Vec<(Case, u64)> =
        cases.iter().flat_map(|&case| sizes(case).into_iter().map(move |bodies| (case, bodies))).collect();
    if arguments.scene {
        tasks
            .iter()
            .for_each(|&(case, bodies)| say(case.scene(bodies, arguments.tolerance, arguments.criterion)));
        return Ok(DONE);
    }
    let mut count = Count::new(arguments.quiet, (tasks.len() * arguments.threads.len()) as u64, "runs");
    let mut timed = Vec::new();
    for &(case, bodies) in &tasks {
        for &threads in &arguments.threads {
            count.advance(&format!("{bodies} {}, {threads} threads: built", case.name()));
            timed.push(measure(case, bodies, threads, arguments, &mut count)?);
        }
    }
    count.finish();
    match arguments.json {
        true => say(json!({
            "tolerance": arguments.tolerance,
            "criterion": arguments.criterion.name(),
            "runs": timed.iter().map(Timed::json).collect::<Vec<_>>(),
        })),
        false => say(markdown(&timed, arguments).trim_end()),
    }
    Ok(DONE)
}

fn measure(
    case: Case,
    bodies: u64,
    threads: u64,
    arguments: &Arguments,
    count: &mut Count,
) -> Result<Timed, Failure> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().map_err(Failure::other)?;
    let scene = Scene::parse(&case.scene(bodies, arguments.tolerance, arguments.criterion), case.name())?;
    let mut simulation = scene.build()?;
    let settle = arguments.settle.unwrap_or(case.defaults().settle);
    let mut tell = |what: &str, step: u64, of: u64| {
        count.tell(&format!("{bodies} {}, {threads} threads: {what} {step} of {of}", case.name()));
    };
    pool.install(|| {
        for step in 1..=settle {
            tell("step to rest or motion", step, settle);
            simulation.step().map_err(Failure::other)?;
        }
        time_steps(&mut simulation, arguments.steps, |step| tell("timed step", step, arguments.steps))
    })
    .map(|(reports, seconds)| Timed {
        case,
        bodies: simulation.bodies().len(),
        threads,
        reports,
        seconds,
    })
}

type Steps = (Vec<StepReport>, Vec<f64>);

fn time_steps(
    simulation: &mut AnySimulation,
    steps: u64,
    mut tell: impl FnMut(u64),
) -> Result<Steps, Failure> {
    let (mut reports, mut seconds) = (Vec::new(), Vec::new());
    for step in 1..=steps {
        tell(step);
        let clock = Instant::now();
        reports.push(simulation.step().map_err(Failure::other)?);
        seconds.push(clock.elapsed().as_secs_f64());
    }
    Ok((reports, seconds))
}

impl Timed {
    fn mean(&self, of: impl Fn(&StepReport) -> f64) -> f64 {
        self.reports.iter().map(of).sum::<f64>() / self.reports.len().max(1) as f64
    }

    fn seconds(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }

    /// The dearest step over the median one.
    fn worst_ratio(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.last().copied().unwrap_or(0.0) / sorted[sorted.len() / 2].max(f64::MIN_POSITIVE)
    }

    fn residual(&self) -> f64 {
        self.reports.iter().map(|report| report.residual).fold(0.0, f64::max)
    }

    fn not_converged(&self) -> usize {
        self.reports.iter().filter(|report| !report.converged).count()
    }

    fn gap(&self) -> Option<f64> {
        self.reports.last().and_then(|report| report.gap).map(|gap| gap.signed)
    }

    fn json(&self) -> Value {
        json!({
            "case": self.case.name(), "bodies": self.bodies, "threads": self.threads,
            "contacts": self.mean(|report| report.contacts as f64),
            "seconds_per_step": self.seconds(),
            "detection": self.mean(|report| report.seconds.detection),
            "assembly": self.mean(|report| report.seconds.assembly),
            "solver": self.mean(|report| report.seconds.solver),
            "dearest_step_over_median": self.worst_ratio(),
            "sweeps_per_step": self.mean(|report| f64::from(report.iterations)),
            "residual_max": self.residual(), "not_converged": self.not_converged(), "work_gap": self.gap(),
        })
    }
}

fn markdown(timed: &[Timed], arguments: &Arguments) -> String {
    let (tolerance, criterion) = (arguments.tolerance, arguments.criterion.name());
    let mut text = format!(
        "Milliseconds a step to a residual of {tolerance:e} ({criterion}); dearest: the longest step over the median one.\n\n\
         | case | bodies | contacts | threads | ms a step | detection | assembly | solver | dearest | sweeps | \
         residual | not converged | balance |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in timed {
        let milliseconds =
            |part: fn(&drystone::Seconds) -> f64| 1e3 * row.mean(|report| part(&report.seconds));
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1} | {:.0e} | {} | {} |",
            row.case.name(),
            row.bodies,
            row.mean(|report| report.contacts as f64),
            row.threads,
            1e3 * row.seconds(),
            milliseconds(|part| part.detection),
            milliseconds(|part| part.assembly),
            milliseconds(|part| part.solver),
            row.worst_ratio(),
            row.mean(|report| f64::from(report.iterations)),
            row.residual(),
            row.not_converged(),
            row.gap().map_or("–".into(), |gap| format!("{:.1} %", 100.0 * gap)),
        );
    }
    text
}
