//! `drystone info`.

use crate::failure::{DONE, Failure, quoted, say};
use crate::summary::words;
use drystone_io::RunFolder;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Tell what was run, how it ended and its figures.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let run = RunFolder::open(&arguments.folder)?;
    let scene = run.scene()?;
    let summary = run.summary()?;
    let state = match (&summary, run.is_running()) {
        (_, true) => "running",
        (Some(_), _) => "ended",
        (None, _) => "interrupted",
    };
    if arguments.json {
        say(json!({
            "state": state,
            "title": scene.title,
            "dimension": scene.dimension,
            "bodies": run.body_count(),
            "step": scene.time.step,
            "duration": scene.time.duration,
            "frames": run.times().len(),
            "last_frame": run.times().last(),
            "summary": summary.unwrap_or(Value::Null),
        }));
        return Ok(DONE);
    }
    let entry = |name: &str, value: String| say(format_args!("{name:<14}{value}"));
    if !scene.title.is_empty() {
        entry("scene", scene.title.clone());
    }
    let bodies = scene.body_names().len();
    entry("size", format!("{bodies} bodies in {} dimensions", scene.dimension));
    entry(
        "time step",
        format!("{} s, to {} s, theta {}", scene.time.step, scene.time.duration, scene.time.theta),
    );
    let last = run.times().last().map_or_else(String::new, |time| format!(", the last at {time} s"));
    entry("frames", format!("{}{last}", run.times().len()));
    match &summary {
        Some(summary) => say(words(summary)),
        None if state == "running" => entry("outcome", "still running".into()),
        None => {
            let folder = quoted(&arguments.folder);
            entry("outcome", format!("interrupted; go on with: drystone resume {folder}"));
        }
    }
    Ok(DONE)
}
