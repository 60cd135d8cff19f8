//! `drystone bench detection`. It measures and writes; the packings are those of `drystone-bench`.

use crate::failure::{DONE, Failure, say};
use crate::progress::Count;
use drystone_bench::detection::{DetectionFigure, PackingTask, tasks};
use drystone_view::{Plot, PlotAxis, Scale, Series};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Time the search for contacts in dense packings.
///
/// Every row is the best of several steps in which bodies move a little, beside a plain loop over the pairs
/// that the rough search left: its narrow phase alone, the least that any search must do. Built with
/// `--features parry` it also runs parry's bounding volumes and contact queries on the same bodies.
#[derive(clap::Args)]
pub struct Arguments {
    /// Numbers of disks and of spheres to measure; a tenth as many polyhedra.
    #[arg(long, value_name = "N", default_values_t = [1_000, 10_000, 100_000, 1_000_000], value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    bodies: Vec<u32>,
    /// Numbers of threads to measure.
    #[arg(long, value_name = "N", default_values_t = [1, 2], value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: Vec<u16>,
    /// Steps to take the best of.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the table and a plot of the time per body into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// One line of the table.
struct DetectionRow {
    name: &'static str,
    /// DetectionFigure on each number of threads.
    on: Vec<DetectionFigure>,
    /// Seconds of parry, on one thread.
    parry: Option<f64>,
}

impl DetectionRow {
    /// The least number of threads asked for.
    fn first(&self) -> &DetectionFigure {
        &self.on[0]
    }
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::bad_input(format!("{}: {error}; name a folder", folder.display())))?;
    }
    let tasks = tasks(&arguments.bodies);
    let mut count = Count::new(arguments.quiet, tasks.len() as u64, "packings");
    let mut rows = Vec::new();
    for task in &tasks {
        count.advance(&format!("{} {}", task.bodies, task.name));
        rows.push(measure(task, arguments)?);
    }
    count.finish();
    let text = markdown(&rows, &arguments.threads);
    if let Some(folder) = &arguments.output {
        let path = folder.join("detection-table.md");
        std::fs::write(&path, &text)
            .map_err(|error| Failure::other(format!("{}: {error}", path.display())))?;
        drystone_view::plot(&plot(&rows), &folder.join("detection.svg"))?;
    }
    if arguments.json {
        say(json!({
            "packings": rows.iter().map(|row| object(row, &arguments.threads)).collect::<Vec<_>>(),
            "parry": cfg!(feature = "parry"),
            "version": env!("CARGO_PKG_VERSION"),
        }));
    } else {
        say(text.trim_end());
    }
    Ok(DONE)
}

fn measure(task: &PackingTask, arguments: &Arguments) -> Result<DetectionRow, Failure> {
    let repeats = usize::from(arguments.repeats);
    let packing = task.pack().map_err(Failure::other)?;
    let mut on = Vec::new();
    for &threads in &arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
        on.push(pool.map_err(Failure::other)?.install(|| packing.measure(repeats)));
    }
    Ok(DetectionRow { name: task.name, on, parry: packing.parry(repeats.min(3)) })
}

/// The table for people.
fn markdown(rows: &[DetectionRow], threads: &[u16]) -> String {
    let mut text = String::from("| packing | bodies | contacts |");
    threads.iter().for_each(|threads| {
        let _ = write!(text, " ms, {threads} thread{} |", if *threads == 1 { "" } else { "s" });
    });
    text.push_str(
        " ns a body | ns a contact | over the plain loop | parry [ms] | parry over ours |\n|---|---:|---:|",
    );
    text.push_str(&"---:|".repeat(threads.len() + 5));
    text.push('\n');
    for row in rows {
        let first = row.first();
        let _ = write!(text, "| {} | {} | {} |", row.name, first.contactors, first.contacts);
        row.on.iter().for_each(|measured| {
            let _ = write!(text, " {} |", digits(measured.seconds * 1e3));
        });
        let per = |count: usize| format!("{:.0}", first.seconds * 1e9 / count.max(1) as f64);
        let parry =
            |value: &dyn Fn(f64) -> f64| row.parry.map_or("–".into(), |seconds| digits(value(seconds)));
        let _ = writeln!(
            text,
            " {} | {} | {} | {} | {} |",
            per(first.contactors),
            per(first.contacts),
            digits(first.seconds / first.plain_seconds),
            parry(&|seconds| seconds * 1e3),
            parry(&|seconds| seconds / first.seconds),
        );
    }
    text
}

/// Two or three digits that count.
fn digits(value: f64) -> String {
    match value {
        value if value < 0.995 => format!("{value:.2}"),
        value if value < 9.95 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

fn object(row: &DetectionRow, threads: &[u16]) -> Value {
    let first = row.first();
    let on = |(measured, threads): (&DetectionFigure, &u16)| json!({ "threads": threads, "seconds": measured.seconds });
    json!({
        "packing": row.name,
        "bodies": first.contactors,
        "pairs": first.pairs,
        "contacts": first.contacts,
        "runs": row.on.iter().zip(threads).map(on).collect::<Vec<_>>(),
        "seconds_per_body": first.seconds / first.contactors as f64,
        "plain_seconds": first.plain_seconds,
        "ratio_to_plain": first.seconds / first.plain_seconds,
        "parry_seconds": row.parry,
        "parry_ratio": row.parry.map(|seconds| seconds / first.seconds),
    })
}

/// Time per body against the number of bodies, a line for each packing that comes in several sizes.
fn plot(rows: &[DetectionRow]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    let mut add = |name: &str, bodies: usize, seconds: f64| {
        let point = [bodies as f64, seconds * 1e9 / bodies as f64];
        match series.iter_mut().find(|series| series.name == name) {
            Some(line) => line.points.push(point),
            None => series.push(Series { name: name.to_owned(), points: vec![point] }),
        }
    };
    for row in rows {
        add(row.name, row.first().contactors, row.first().seconds);
        if let Some(seconds) = row.parry {
            add(&format!("{}, parry", row.name), row.first().contactors, seconds);
        }
    }
    series.retain(|series| series.points.len() > 1);
    Plot {
        title: "Search for contacts, one step".into(),
        x: PlotAxis { label: "bodies [-]".into(), scale: Scale::Log },
        y: PlotAxis { label: "time per body [ns]".into(), scale: Scale::Log },
        series,
        ..Plot::default()
    }
}
