//! `drystone bench drift`. Runs scenes with every way of dealing with overlaps and writes what each leaves
//! and brings in.

use crate::failure::{DONE, Failure, say};
use crate::progress::Count;
use drystone::{AnySimulation, Simulation};
use drystone_scene::Scene;
use drystone_scene::spec::Drift;
use drystone_view::{Plot, PlotAxis, Scale, Series};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Compare the ways of dealing with overlaps on scenes.
///
/// Every scene is run with each of them, on one thread. The overlap is that at the end of a step, relative to
/// the radius of the smaller body.
#[derive(clap::Args)]
pub struct Arguments {
    /// Scenes; a plank that rocks on a cylinder, a disk in a bowl and a box that spins on cobbles unless
    /// named.
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Most steps of a scene.
    #[arg(long, value_name = "N", default_value = "4000", value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the table and a plot of the overlap over time of the first scene into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// All ways, with their names.
const WAYS: [(&str, Drift); 5] = [
    ("none", Drift::None),
    ("curvature", Drift::Curvature),
    ("device", Drift::Device),
    ("two_steps", Drift::TwoSteps),
    ("projection", Drift::Projection),
];

/// Overlaps below this are drawn as this: a logarithm has no place for none.
const LEAST: f64 = 1e-16;

/// One scene run one way.
struct DriftRow {
    scene: String,
    way: &'static str,
    /// Deepest overlap at the end of any step and of the last one, relative to the radius of the smaller
    /// body.
    deepest: f64,
    last: f64,
    /// Energy brought in \[J\], and the same relative to the largest kinetic energy.
    gained: f64,
    relative: f64,
    /// Rounds of the projection, in all.
    rounds: u64,
    /// What the energy balance is off by.
    error: f64,
    /// Seconds a step.
    seconds: f64,
    /// Overlap over time.
    history: Vec<[f64; 2]>,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::bad_input(format!("{}: {error}; name a folder", folder.display())))?;
    }
    let scenes = scenes(&arguments.scenes)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Failure::other)?;
    let mut count = Count::new(arguments.quiet, (scenes.len() * WAYS.len()) as u64, "runs");
    let mut rows = Vec::new();
    for scene in scenes {
        for (way, drift) in WAYS {
            count.advance(&format!("{}, {way}", scene.title));
            let mut scene = scene.clone();
            scene.time.drift = drift;
            rows.push(pool.install(|| measure(&scene, way, arguments.steps))?);
        }
    }
    count.finish();
    let text = markdown(&rows);
    if let Some(folder) = &arguments.output {
        let path = folder.join("drift-table.md");
        std::fs::write(&path, &text)
            .map_err(|error| Failure::other(format!("{}: {error}", path.display())))?;
        drystone_view::plot(&plot(&rows[..WAYS.len()]), &folder.join("drift.svg"))?;
    }
    match arguments.json {
        true => say(json!({ "runs": rows.iter().map(object).collect::<Vec<_>>() })),
        false => say(text.trim_end()),
    }
    Ok(DONE)
}

fn scenes(paths: &[PathBuf]) -> Result<Vec<Scene>, Failure> {
    if paths.is_empty() {
        let texts = [
            include_str!("../../../../../scenes/validation/plank.toml"),
            include_str!("../../../../../scenes/validation/bowl.toml"),
            include_str!("../../../../../scenes/cobbles.toml"),
        ];
        return texts.iter().map(|text| Ok(Scene::parse(text, "built-in scene")?)).collect();
    }
    paths.iter().map(|path: &PathBuf| Ok(Scene::from_file(Path::new(path))?)).collect()
}

fn measure(scene: &Scene, way: &'static str, most: u64) -> Result<DriftRow, Failure> {
    let steps = scene.steps().min(most);
    Ok(match scene.build()? {
        AnySimulation::Plane(simulation) => run(scene, way, steps, simulation),
        AnySimulation::Space(simulation) => run(scene, way, steps, simulation),
    })
}

fn run<const D: usize>(
    scene: &Scene,
    way: &'static str,
    steps: u64,
    mut simulation: Simulation<D>,
) -> DriftRow {
    // looking at all overlaps takes as long as a step: of long runs some steps are enough
    let every = (steps / 400).max(1);
    let (mut deepest, mut last, mut rounds, mut kinetic) = (0.0_f64, 0.0, 0, 0.0_f64);
    let (mut error, mut seconds) = (0.0_f64, 0.0);
    let mut history = Vec::new();
    for step in 1..=steps {
        let clock = std::time::Instant::now();
        let report = simulation.step();
        seconds += clock.elapsed().as_secs_f64() / steps as f64;
        rounds += report.projection.map_or(0, |done| u64::from(done.rounds));
        let energy = simulation.energy();
        kinetic = kinetic.max(energy.kinetic);
        error = error.max(energy.balance_error);
        if step % every == 0 || step == steps {
            last = overlap(&simulation);
            deepest = deepest.max(last);
            history.push([simulation.time(), last.max(LEAST)]);
        }
    }
    let gained = simulation.energy().drift;
    let relative = if kinetic > 0.0 { gained / kinetic } else { 0.0 };
    DriftRow {
        scene: scene.title.clone(),
        way,
        deepest,
        last,
        gained,
        relative,
        rounds,
        error,
        seconds,
        history,
    }
}

/// Deepest overlap relative to the radius of the smaller body.
fn overlap<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let radius = |body: drystone::BodyId| simulation.bodies().radius[body.0 as usize];
    let of = |overlap: &drystone::Overlap| {
        overlap.depth / radius(overlap.bodies[0]).min(radius(overlap.bodies[1]))
    };
    simulation.overlaps().iter().map(of).fold(0.0, f64::max)
}

fn markdown(rows: &[DriftRow]) -> String {
    let mut text = String::from(
        "| scene | `drift` | deepest overlap | at the end | energy brought in [J] | of the kinetic energy | rounds | \
         balance error | ms a step |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | `\"{}\"` | {:.1e} | {:.1e} | {:.2e} | {:.1e} | {} | {:.0e} | {:.3} |",
            row.scene,
            row.way,
            row.deepest,
            row.last,
            row.gained,
            row.relative,
            row.rounds,
            row.error,
            1e3 * row.seconds
        );
    }
    text
}

fn object(row: &DriftRow) -> Value {
    json!({
        "scene": row.scene,
        "drift": row.way,
        "overlap_deepest": row.deepest,
        "overlap_last": row.last,
        "energy_brought_in": row.gained,
        "rounds": row.rounds,
        "balance_error": row.error,
        "seconds_per_step": row.seconds,
    })
}

fn plot(rows: &[DriftRow]) -> Plot {
    let series = |row: &DriftRow| Series { name: row.way.into(), points: row.history.clone() };
    Plot {
        title: rows.first().map_or_else(String::new, |row| row.scene.clone()),
        x: PlotAxis { label: "time [s]".into(), ..PlotAxis::default() },
        y: PlotAxis { label: "overlap, of the smaller radius [-]".into(), scale: Scale::Log },
        series: rows.iter().map(series).collect(),
        ..Plot::default()
    }
}
