//! `drystone stress`.

use crate::failure::{DONE, Failure, say};
use drystone_io::{RunFolder, StressLine};
use drystone_view::{Plot, PlotAxis, Series, plot};
use serde_json::json;
use std::path::PathBuf;

/// Tell the mean stress of a sample in a periodic cell, and plot its history.
///
/// The mean is taken over the second half of the run, or from the time that is given.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// Take the mean from this time on [s].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    from: Option<f64>,
    /// The plot to write, .png or .svg.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let run = RunFolder::open(&arguments.folder)?;
    let scene = run.scene()?;
    if scene.cell.is_none() {
        let folder = arguments.folder.display();
        let message =
            format!("{folder}: its scene has no periodic cell; stress is told of runs with a table [cell]");
        return Err(Failure::bad_input(message));
    }
    let lines = run.stress()?;
    let end = lines.last().map_or(0.0, |line| line.time);
    let from = arguments.from.unwrap_or(0.5 * end);
    let late: Vec<&StressLine> = lines.iter().filter(|line| line.time >= from).collect();
    let Some(first) = late.first() else {
        let message = format!("{}: no step at or after {from} s", arguments.folder.display());
        return Err(Failure::bad_input(message));
    };
    let dimension = first.dimension;
    let mean = Mean::of(&late);
    if let Some(path) = &arguments.output {
        plot(&history(&lines, dimension, &scene.title), path)?;
    }
    if arguments.json {
        let value = json!({
            "from": from, "to": end, "steps": late.len(), "volume": mean.volume,
            "contacts": mean.contacts, "kinetic": mean.kinetic,
            "friction": mean.friction(dimension), "asymmetry": mean.asymmetry(dimension),
        });
        say(format_args!("{value}"));
    } else {
        say(format_args!("{}", mean.words(dimension, [from, end], late.len())));
        if let Some(path) = &arguments.output {
            say(format_args!("wrote {}", path.display()));
        }
    }
    Ok(DONE)
}

/// Means over steps; tensors row by row \[Pa\].
struct Mean {
    volume: f64,
    contacts: Vec<f64>,
    kinetic: Vec<f64>,
}

impl Mean {
    fn of(lines: &[&StressLine]) -> Self {
        let count = lines.len() as f64;
        let mean = |of: &dyn Fn(&StressLine) -> &[f64]| -> Vec<f64> {
            let parts = lines.first().map_or(0, |line| of(line).len());
            (0..parts).map(|part| lines.iter().map(|line| of(line)[part]).sum::<f64>() / count).collect()
        };
        Self {
            volume: lines.iter().map(|line| line.volume).sum::<f64>() / count,
            contacts: mean(&|line| &line.contacts),
            kinetic: mean(&|line| &line.kinetic),
        }
    }

    /// A component of both parts together \[Pa\].
    fn total(&self, part: usize) -> f64 {
        self.contacts[part] + self.kinetic[part]
    }

    /// Shear over pressure on level planes.
    fn friction(&self, dimension: usize) -> f64 {
        let up = dimension - 1;
        let shear = (0..up).map(|axis| self.total(axis * dimension + up).powi(2)).sum::<f64>().sqrt();
        shear / self.total(up * dimension + up)
    }

    /// How far the part of the contacts is from symmetric, relative to its size.
    fn asymmetry(&self, dimension: usize) -> f64 {
        let size = |values: &dyn Fn(usize, usize) -> f64| {
            let all = (0..dimension).flat_map(|i| (0..dimension).map(move |j| (i, j)));
            all.map(|(i, j)| values(i, j).powi(2)).sum::<f64>().sqrt()
        };
        let part = |i: usize, j: usize| self.contacts[i * dimension + j];
        size(&|i, j| part(i, j) - part(j, i)) / size(&part)
    }

    fn words(&self, dimension: usize, [from, to]: [f64; 2], steps: usize) -> String {
        let row = |values: &[f64]| values.iter().map(|x| format!("{x:>14.6e}")).collect::<String>();
        let mut text = format!("mean of {steps} steps from {from:.4} to {to:.4} s, compression positive\n");
        for (name, values) in [("contacts [Pa]", &self.contacts), ("kinetic [Pa]", &self.kinetic)] {
            for (index, values) in values.chunks(dimension).enumerate() {
                text += &format!("{:<16}{}\n", if index == 0 { name } else { "" }, row(values));
            }
        }
        text += &format!("shear / pressure {:.4}\n", self.friction(dimension));
        text + &format!("asymmetry        {:.2e}", self.asymmetry(dimension))
    }
}

/// Pressure and shear on level planes, and the pressure on upright ones, over time.
fn history(lines: &[StressLine], dimension: usize, title: &str) -> Plot {
    let up = dimension - 1;
    let mut parts = vec![(up, up, "pressure on level planes"), (0, up, "shear on level planes, along x")];
    parts.push((0, 0, "pressure along x"));
    let series = parts.into_iter().map(|(i, j, name)| {
        let part = i * dimension + j;
        let point = |line: &StressLine| [line.time, line.contacts[part] + line.kinetic[part]];
        Series { name: name.into(), points: thinned(lines).map(point).collect() }
    });
    Plot {
        title: title.into(),
        x: PlotAxis { label: "time [s]".into(), ..PlotAxis::default() },
        y: PlotAxis { label: "stress [Pa]".into(), ..PlotAxis::default() },
        series: series.collect(),
        ..Plot::default()
    }
}

/// At most about a thousand of the lines: more than a plot has pixels.
fn thinned(lines: &[StressLine]) -> impl Iterator<Item = &StressLine> {
    lines.iter().step_by(lines.len().div_ceil(1000).max(1))
}
