//! `drystone bench tolerance`. Runs a packing, a wall and a flow at several tolerances and tells what each
//! buys and costs; what to choose is told by the book.

use super::run::cases::{Case, Criterion};
use crate::failure::{DONE, Failure, say};
use crate::progress::Count;
use drystone::{AnySimulation, Simulation, StepReport};
use drystone_scene::Scene;
use drystone_view::{Plot, PlotAxis, Scale, Series};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// What a tolerance buys and costs: floor force, overlap and run-out at several of them.
///
/// Columns: sweeps a step; force on the floor over the weight, averaged over the last steps; deepest overlap
/// over the mean radius; how far the flow ran, over the width of its column; how far forces are from being in
/// balance, on average; steps that did not converge.
#[derive(clap::Args)]
pub struct Arguments {
    /// Which; all unless named.
    #[arg(value_name = "CASE")]
    cases: Vec<ToleranceCase>,
    /// The tolerances, loosest first.
    #[arg(long = "tol", value_name = "T,...", value_delimiter = ',', default_value = "1e-2,1e-3,1e-4,1e-5,1e-6", value_parser = super::run::positive)]
    tolerances: Vec<f64>,
    /// Bodies that move, about; each case has its usual number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    bodies: Option<u64>,
    /// What the tolerance is about.
    #[arg(long, value_name = "WHAT", default_value = "worst")]
    criterion: Criterion,
    /// Draw floor forces and run-out over the tolerance into this file (.png or .svg).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// A kind of scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ToleranceCase {
    /// Disks deposited in a box, at rest.
    Packing,
    /// A wall of bricks, at rest.
    Wall,
    /// A column of disks that collapses.
    Flow,
}

/// What is run and what is measured.
struct TolerancePlan {
    scene: String,
    /// Steps in all, and the last of them over which forces are averaged.
    steps: u64,
    averaged: u64,
    /// Name of the body that carries the weight.
    floor: &'static str,
    /// Width of the column \[m\], where run-out is measured.
    width: Option<f64>,
}

impl ToleranceCase {
    const ALL: [Self; 3] = [Self::Packing, Self::Wall, Self::Flow];

    fn name(self) -> &'static str {
        match self {
            Self::Packing => "packing",
            Self::Wall => "wall",
            Self::Flow => "flow",
        }
    }

    fn plan(self, bodies: Option<u64>, tolerance: f64, criterion: Criterion) -> TolerancePlan {
        match self {
            Self::Packing => TolerancePlan {
                scene: Case::Disks.scene(bodies.unwrap_or(1000), tolerance, criterion),
                steps: 120,
                averaged: 40,
                floor: "floor",
                width: None,
            },
            Self::Wall => TolerancePlan {
                scene: Case::Wall.scene(bodies.unwrap_or(60), tolerance, criterion),
                steps: 60,
                averaged: 40,
                floor: "ground",
                width: None,
            },
            Self::Flow => {
                let (scene, width) = column(bodies.unwrap_or(300), tolerance, criterion);
                TolerancePlan { scene, steps: 500, averaged: 50, floor: "floor", width: Some(width) }
            }
        }
    }
}

/// A column of disks, three times as high as wide, at a wall; its width \[m\].
fn column(bodies: u64, tolerance: f64, criterion: Criterion) -> (String, f64) {
    let width = 0.01 * (bodies as f64 / 3.0).sqrt();
    let (high, criterion) = (6.0 * width, criterion.name());
    let scene = format!(
        "title = \"bench: a column of {bodies} disks\"\ndimension = 2\n\
         time = {{ step = 1e-3, duration = 10.0 }}\noutput.interval = 10.0\nsolver.tolerance = {tolerance:e}\n\
         solver.criterion = \"{criterion}\"\n[[body]]\nname = \"floor\"\nshape.line = {{}}\nfixed = true\n\
         [[body]]\nname = \"left\"\nshape.line = {{}}\nfixed = true\nangle_degrees = -90\n\
         [[sample]]\nname = \"disk\"\ndensity = 2600\nseed = 1\n\
         grains.region.box = {{ low = [0.0, 0.0], high = [{width:.6}, {high:.6}] }}\n\
         grains.sizes.uniform = {{ smallest = 0.004, largest = 0.006, by = \"number\" }}\n\
         grains.packing.deposit = {{}}\ngrains.count = {bodies}\n\
         [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n"
    );
    (scene, width)
}

/// What a run at one tolerance came to.
#[derive(Clone, Copy, Debug, Default)]
struct ToleranceFigures {
    tolerance: f64,
    sweeps: f64,
    floor: f64,
    overlap: f64,
    run_out: Option<f64>,
    balance: f64,
    not_converged: u64,
}

impl ToleranceFigures {
    fn json(&self) -> Value {
        json!({
            "tolerance": self.tolerance, "sweeps_per_step": self.sweeps, "floor_over_weight": self.floor,
            "overlap_over_radius": self.overlap, "run_out": self.run_out, "work_gap_mean": self.balance,
            "steps_not_converged": self.not_converged,
        })
    }
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let tasks =
        if arguments.cases.is_empty() { ToleranceCase::ALL.to_vec() } else { arguments.cases.clone() };
    let runs = (tasks.len() * arguments.tolerances.len()) as u64;
    let mut count = Count::new(arguments.quiet, runs, "runs");
    let mut found: Vec<(ToleranceCase, Vec<ToleranceFigures>)> = Vec::new();
    for task in tasks {
        let mut rows = Vec::new();
        for &tolerance in &arguments.tolerances {
            count.advance(&format!("{} at {tolerance:e}", task.name()));
            rows.push(measure(&task.plan(arguments.bodies, tolerance, arguments.criterion), tolerance)?);
        }
        found.push((task, rows));
    }
    count.finish();
    if let Some(path) = &arguments.plot {
        drystone_view::plot(&picture(&found), path).map_err(Failure::other)?;
    }
    let rows = |rows: &[ToleranceFigures]| rows.iter().map(ToleranceFigures::json).collect::<Vec<_>>();
    match arguments.json {
        true => say(json!(
            found
                .iter()
                .map(|(task, all)| json!({ "case": task.name(), "runs": rows(all) }))
                .collect::<Vec<_>>()
        )),
        false => say(markdown(&found).trim_end()),
    }
    Ok(DONE)
}

fn measure(plan: &TolerancePlan, tolerance: f64) -> Result<ToleranceFigures, Failure> {
    let mut simulation = Scene::parse(&plan.scene, "bench")?.build()?;
    let mut found = ToleranceFigures { tolerance, ..ToleranceFigures::default() };
    for step in 0..plan.steps {
        let report = simulation.step().map_err(Failure::other)?;
        let averaged = step + plan.averaged >= plan.steps;
        let share = match (&simulation, averaged) {
            (_, false) => 0.0,
            (AnySimulation::Plane(simulation), true) => floor_share(simulation, plan.floor),
            (AnySimulation::Space(simulation), true) => floor_share(simulation, plan.floor),
        };
        found.enter(&report, share / plan.averaged as f64, plan.steps as f64);
    }
    (found.overlap, found.run_out) = match &simulation {
        AnySimulation::Plane(simulation) => shape(simulation, found.overlap, plan.width),
        AnySimulation::Space(simulation) => shape(simulation, found.overlap, plan.width),
    };
    Ok(found)
}

impl ToleranceFigures {
    fn enter(&mut self, report: &StepReport, floor: f64, steps: f64) {
        self.sweeps += f64::from(report.iterations) / steps;
        self.floor += floor;
        self.overlap = self.overlap.max(report.penetration);
        self.balance += report.gap.map_or(0.0, |gap| gap.signed.abs()) / steps;
        self.not_converged += u64::from(!report.converged);
    }
}

/// Bodies that nothing holds.
fn movable<const D: usize>(simulation: &Simulation<D>) -> impl Iterator<Item = usize> + '_ {
    let bodies = simulation.bodies();
    (0..bodies.len()).filter(|&body| !bodies.is_driven(body))
}

/// Vertical force on the floor over the weight.
fn floor_share<const D: usize>(simulation: &Simulation<D>, floor: &str) -> f64 {
    let bodies = simulation.bodies();
    let gravity = simulation.settings().gravity[D - 1].abs();
    let weight: f64 = movable(simulation).map(|body| bodies.mass[body][0] * gravity).sum();
    let forces = drystone_measure::contact_forces(simulation);
    let carried =
        |(name, force): (&String, &drystone::Vector<D>)| if name == floor { -force[D - 1] } else { 0.0 };
    bodies.name.iter().zip(&forces).map(carried).sum::<f64>() / weight
}

/// The deepest overlap over the mean radius, and how far the front has run, over the width of the column: the
/// place that all but one in fifty have not passed.
fn shape<const D: usize>(simulation: &Simulation<D>, deepest: f64, width: Option<f64>) -> (f64, Option<f64>) {
    let bodies = simulation.bodies();
    let count = movable(simulation).count().max(1);
    let radius = movable(simulation).map(|body| bodies.radius[body]).sum::<f64>() / count as f64;
    let mut x: Vec<f64> = movable(simulation).map(|body| bodies.pose[body].position[0]).collect();
    x.sort_by(f64::total_cmp);
    let front = x.get((49 * count) / 50).copied().unwrap_or(0.0);
    (deepest / radius, width.map(|width| (front - width) / width))
}

fn picture(found: &[(ToleranceCase, Vec<ToleranceFigures>)]) -> Plot {
    let line = |name: String, points: Vec<[f64; 2]>| Series { name, points };
    let mut series = Vec::new();
    for (task, rows) in found {
        let points =
            |of: &dyn Fn(&ToleranceFigures) -> f64| rows.iter().map(|row| [row.tolerance, of(row)]).collect();
        match task {
            ToleranceCase::Flow => {
                series.push(line("flow: run-out".into(), points(&|row| row.run_out.unwrap_or(f64::NAN))));
            }
            _ => series.push(line(format!("{}: floor / weight", task.name()), points(&|row| row.floor))),
        }
    }
    Plot {
        title: "What a tolerance buys".into(),
        x: PlotAxis { label: "tolerance [-]".into(), scale: Scale::Log },
        y: PlotAxis {
            label: "floor force over weight; run-out over width [-]".into(),
            ..PlotAxis::default()
        },
        series,
        ..Plot::default()
    }
}

fn markdown(found: &[(ToleranceCase, Vec<ToleranceFigures>)]) -> String {
    let mut text = String::from(
        "| case | tolerance | sweeps a step | floor / weight | overlap / radius | run-out / width | balance | \
         not converged |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (task, rows) in found {
        for row in rows {
            let _ = writeln!(
                text,
                "| {} | {:.0e} | {:.1} | {:.3} | {:.1e} | {} | {:.1} % | {} |",
                task.name(),
                row.tolerance,
                row.sweeps,
                row.floor,
                row.overlap,
                row.run_out.map_or("–".into(), |run_out| format!("{run_out:.3}")),
                100.0 * row.balance,
                row.not_converged,
            );
        }
    }
    text
}
