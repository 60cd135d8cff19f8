//! `drystone info`.

use crate::failure::{BAD_INPUT, DONE, Failure, complain, quoted, say};
use crate::summary::words;
use drystone_io::{DamagedPart, RunFolder};
use indicatif::ProgressBar;
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
    /// Read all histories and tell what is damaged, with its frames; the exit code is 2 where anything is.
    #[arg(long)]
    verify: bool,
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
    let damaged = if arguments.verify { Some(verify(&run)?) } else { None };
    let code = if damaged.as_ref().is_some_and(|parts| !parts.is_empty()) { BAD_INPUT } else { DONE };
    if arguments.json {
        let parts = damaged.map(|parts| parts.iter().map(as_json).collect::<Vec<_>>());
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
            "damaged": parts,
        }));
        return Ok(code);
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
    match damaged {
        Some(parts) if parts.is_empty() => entry("histories", "every number can be read".into()),
        Some(parts) => parts.iter().for_each(|part| complain("error", &part.to_string())),
        None => {}
    }
    Ok(code)
}

/// What cannot be read of the histories, with a bar on a terminal.
fn verify(run: &RunFolder) -> Result<Vec<DamagedPart>, Failure> {
    let bar = ProgressBar::new(0);
    let damaged = run.verify(|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    Ok(damaged?)
}

fn as_json(part: &DamagedPart) -> Value {
    json!({
        "file": part.path.file_name().map(|name| name.to_string_lossy()),
        "data_set": part.data_set,
        "first_frame": part.frames.start,
        "last_frame": part.frames.end.saturating_sub(1),
        "reason": part.reason,
    })
}
