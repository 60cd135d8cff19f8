//! `drystone validate`: numbers the field agrees on, each computed by running a scene of `scenes/validation`.

mod bands;
mod cases;
mod cohesion;
mod collapse;
mod cycles;
mod deformable;
mod drift;
mod energy;
mod flight;
mod friction;
mod impacts;
mod inconsistency;
mod joints;
mod limits;
mod mindlin;
mod patches;
mod peers;
mod percussions;
mod rocking;
mod samples;
mod seams;
mod shocks;
mod solids;
mod spin;
mod standing;
mod statics;
mod ties;

use crate::failure::{DONE, Failure, OTHER, say};
use cases::{CASES, SLOW};
use drystone::{AnySimulation, Simulation};
use drystone_scene::Scene;
use serde_json::{Value, json};
use std::time::Instant;

/// Run the validation cases and print a table of reference, value and error.
///
/// Ends with code 1 if a case fails.
#[derive(clap::Args)]
pub struct Arguments {
    /// Cases to run; all of them unless named, but for the slow ones.
    names: Vec<String>,
    /// Run the cases that take minutes, and no others.
    #[arg(long, conflicts_with = "names")]
    slow: bool,
    /// Print one JSON object with a list `cases`.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table as Markdown, as it stands in the book.
    #[arg(long)]
    markdown: bool,
}

/// A case: one scene or a few runs of it, and what they must show.
pub struct Case {
    name: &'static str,
    reference: &'static str,
    run: fn() -> Result<Vec<Comparison>, Failure>,
}

/// One figure against its reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    what: String,
    reference: f64,
    value: f64,
    error: f64,
    tolerance: f64,
}

impl Comparison {
    /// Judged by the absolute difference.
    pub fn absolute(what: impl Into<String>, reference: f64, value: f64, tolerance: f64) -> Self {
        Self { what: what.into(), reference, value, error: (value - reference).abs(), tolerance }
    }

    /// Judged by the difference relative to the reference.
    pub fn relative(what: impl Into<String>, reference: f64, value: f64, tolerance: f64) -> Self {
        let error = ((value - reference) / reference).abs();
        Self { what: what.into(), reference, value, error, tolerance }
    }

    /// A statement that holds or does not.
    pub fn fact(what: impl Into<String>, holds: bool) -> Self {
        Self::absolute(what, 1.0, if holds { 1.0 } else { 0.0 }, 0.5)
    }

    /// Not a number never passes.
    fn passes(&self) -> bool {
        self.error <= self.tolerance
    }
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let chosen = choose(&arguments.names, arguments.slow)?;
    // the cases are tiny: one thread is faster than the talk between two
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Failure::other)?;
    let mut rows = Vec::new();
    let mut failed = 0;
    if !arguments.json {
        say(heading(arguments.markdown));
    }
    for case in chosen {
        let clock = Instant::now();
        let results = pool.install(case.run)?;
        let seconds = clock.elapsed().as_secs_f64() / results.len().max(1) as f64;
        for row in results {
            failed += usize::from(!row.passes());
            if !arguments.json {
                say(line(case, &row, arguments.markdown));
            }
            rows.push(entry(case, &row, seconds));
        }
    }
    let total = rows.len();
    if arguments.json {
        say(json!({ "cases": rows, "passed": total - failed, "failed": failed }));
    } else if !arguments.markdown {
        say(format_args!("{} of {total} figures within tolerance", total - failed));
    }
    Ok(if failed == 0 { DONE } else { OTHER })
}

fn choose(names: &[String], slow: bool) -> Result<Vec<&'static Case>, Failure> {
    if names.is_empty() {
        return Ok(if slow { SLOW } else { CASES }.iter().collect());
    }
    let all = || CASES.iter().chain(SLOW);
    names
        .iter()
        .map(|name| {
            all().find(|case| case.name == name).ok_or_else(|| {
                let known: Vec<&str> = all().map(|case| case.name).collect();
                Failure::bad_input(format!("no validation case \"{name}\"; there are: {}", known.join(", ")))
            })
        })
        .collect()
}

fn entry(case: &Case, row: &Comparison, seconds: f64) -> Value {
    json!({
        "case": format!("{}: {}", case.name, row.what),
        "source": case.reference,
        "reference": row.reference,
        "value": row.value,
        "error": row.error,
        "tolerance": row.tolerance,
        "pass": row.passes(),
        "seconds": seconds,
    })
}

fn heading(markdown: bool) -> String {
    if markdown {
        "| case | figure | reference | ours | error | tolerance |\n|---|---|---|---|---|---|".into()
    } else {
        format!(
            "{:<12}{:<46}{:>14}{:>14}{:>11}{:>11}",
            "case", "figure", "reference", "ours", "error", "tolerance"
        )
    }
}

fn line(case: &Case, row: &Comparison, markdown: bool) -> String {
    let Comparison { what, reference, value, error, tolerance } = row;
    if markdown {
        return format!(
            "| {} | {what} | {reference:.8} | {value:.8} | {error:.1e} | {tolerance:.1e} |",
            case.name
        );
    }
    let verdict = if row.passes() { "" } else { "  FAILED" };
    format!(
        "{:<12}{what:<46}{reference:>14.8}{value:>14.8}{error:>11.1e}{tolerance:>11.1e}{verdict}",
        case.name
    )
}

/// A scene of `scenes/validation`, by the text that was built in.
fn scene(text: &str) -> Result<Scene, Failure> {
    Ok(Scene::parse(text, "validation scene")?)
}

fn plane(scene: &Scene) -> Result<Simulation<2>, Failure> {
    match scene.build()? {
        AnySimulation::Plane(simulation) => Ok(simulation),
        AnySimulation::Space(_) => Err(Failure::other("the scene is not of the plane")),
    }
}

fn space(scene: &Scene) -> Result<Simulation<3>, Failure> {
    match scene.build()? {
        AnySimulation::Space(simulation) => Ok(simulation),
        AnySimulation::Plane(_) => Err(Failure::other("the scene is not of space")),
    }
}

/// Sets the friction of every inelastic law of a scene.
fn set_friction(scene: &mut Scene, friction: f64) {
    for law in &mut scene.laws {
        if let Some(inelastic) = &mut law.inelastic {
            inelastic.friction = friction;
        }
    }
}

/// Takes as many steps as the scene lasts.
fn run_through<const D: usize>(scene: &Scene, simulation: &mut Simulation<D>) {
    for _ in 0..scene.steps() {
        simulation.step();
    }
}

/// Where between `low` and `high` an answer turns from no to yes, to `width`.
fn threshold(
    mut low: f64,
    mut high: f64,
    width: f64,
    mut yes: impl FnMut(f64) -> Result<bool, Failure>,
) -> Result<f64, Failure> {
    if yes(low)? || !yes(high)? {
        return Ok(f64::NAN);
    }
    while high - low > width {
        let middle = 0.5 * (low + high);
        if yes(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(0.5 * (low + high))
}
