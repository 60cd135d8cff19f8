//! How far a run is, and how it is asked to wait or to end: by files in its folder that the run looks for
//! before every step. Changes nothing else.

use crate::ServeError;
use drystone_io::RunFolder;
use serde_json::{Value, json};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// While this file is there the run waits.
const PAUSE: &str = "pause";
/// When this file is there the run ends with a checkpoint.
const STOP: &str = "stop";

/// How far the run is.
pub(crate) fn status(run: &RunFolder) -> Value {
    let (running, folder) = (run.is_running(), run.path());
    let summary = run.summary().ok().flatten();
    json!({
        "frames": run.times().len(),
        "time": run.times().last(),
        "running": running,
        "paused": running && folder.join(PAUSE).exists(),
        "stopping": running && folder.join(STOP).exists(),
        "outcome": summary.as_ref().filter(|_| !running).map_or(Value::Null, |summary| summary["outcome"].clone()),
        "last": last_step(&folder.join("probes/steps.csv")),
    })
}

/// The last whole line of the table of all steps, by its titles.
fn last_step(path: &Path) -> Value {
    let read = || -> Option<Value> {
        let mut file = drystone_io::open_regular(path).ok()?;
        let mut head = String::new();
        (&mut file).take(4096).read_to_string(&mut head).ok()?;
        let titles: Vec<&str> = head.lines().next()?.split(',').collect();
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(4096))).ok()?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail).ok()?;
        let tail = String::from_utf8_lossy(&tail).into_owned();
        let whole = &tail[..tail.rfind('\n')?];
        let line = whole.rsplit('\n').next()?;
        let wanted = ["step", "time [s]", "contacts", "iterations", "residual", "converged"];
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| -> Option<f64> {
            let column = titles.iter().position(|title| *title == name)?;
            cells.get(column)?.parse::<f64>().ok().filter(|number| number.is_finite())
        };
        number("step")?;
        Some(wanted.iter().map(|name| ((*name).to_owned(), json!(number(name)))).collect())
    };
    read().unwrap_or(Value::Null)
}

/// Asks a run in progress for something.
pub(crate) fn ask(run: &RunFolder, what: &str) -> Result<(), ServeError> {
    let word = match what {
        "pause" => PAUSE,
        "stop" => STOP,
        _ => "continue",
    };
    if !run.is_running() {
        return Err(ServeError::NotRunning(word));
    }
    let path = run.path().join(if word == STOP { STOP } else { PAUSE });
    let done = match word {
        "continue" => match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
        _ => std::fs::write(&path, "asked for by the viewer\n"),
    };
    done.map_err(|source| ServeError::Write { path, source })
}
