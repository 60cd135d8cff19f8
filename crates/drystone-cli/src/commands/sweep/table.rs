//! The table of a sweep: a line for each combination, from what its run folder holds. Runs nothing.

use drystone_io::RunFolder;
use drystone_measure::{Request, evaluate};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A line of the table.
pub struct SweepLine {
    /// Name of the run folder.
    pub folder: String,
    /// `done`, `failed` or `to do`.
    pub state: &'static str,
    /// Why it failed.
    pub reason: String,
    /// Names of the columns with what stands there.
    cells: Vec<(String, String)>,
}

/// Figures of the summary: name of the column, and where it stands.
const FIGURES: [(&str, &str); 16] = [
    ("outcome", "/outcome"),
    ("answer", "/answer/word"),
    ("unbalanced", "/answer/unbalanced"),
    ("time [s]", "/time"),
    ("steps", "/steps"),
    ("steps not converged", "/steps_not_converged"),
    ("residual max", "/residual_max"),
    ("iterations", "/iterations_total"),
    ("contacts mean", "/contacts_mean"),
    ("coordination", "/coordination"),
    ("penetration max [m]", "/penetration_max"),
    ("kinetic [J]", "/energy/kinetic"),
    ("dissipated friction [J]", "/energy/dissipated_friction"),
    ("dissipated shocks [J]", "/energy/dissipated_shocks"),
    ("verdict", "/structure/verdict"),
    ("seconds", "/seconds/total"),
];

impl SweepLine {
    /// What is known of a combination.
    pub fn read(folder: &Path, keys: &[String], values: &[toml_edit::Value], requests: &[Request]) -> Self {
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let bare = |value: &toml_edit::Value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string().trim().to_owned(),
        };
        let mut cells: Vec<(String, String)> = keys.iter().cloned().zip(values.iter().map(bare)).collect();
        let summary = drystone_io::read_text(&folder.join("summary.json")).ok();
        let summary = summary.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let reason = drystone_io::read_text(&folder.with_extension("failed")).ok();
        let stopped = summary.as_ref().is_some_and(|summary| summary["outcome"] == "stopped");
        let state = match (&summary, &reason) {
            (_, Some(_)) => "failed",
            (Some(_), None) if !stopped => "done",
            _ => "to do",
        };
        for (column, place) in FIGURES {
            let value = summary.as_ref().and_then(|summary| summary.pointer(place));
            cells.push((column.into(), value.map_or_else(String::new, word)));
        }
        if state == "done" {
            cells.extend(written(folder));
            cells.extend(measured(folder, requests));
        }
        Self { folder: name, state, reason: reason.unwrap_or_default().trim().to_owned(), cells }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The last lines of the tables of measures that the scene asked for; of tables with several rows at a moment
/// none.
fn written(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(folder.join("measures")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    let mut cells = Vec::new();
    for path in paths {
        let Ok(text) = drystone_io::read_text(&path) else { continue };
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut lines = text.lines();
        let Some(header) = lines.next() else { continue };
        let mut last = lines.rev();
        let (Some(end), before) = (last.next(), last.next()) else { continue };
        let step = |line: &str| line.split(',').next().map(str::to_owned);
        if before.is_some_and(|before| step(before) == step(end)) {
            continue;
        }
        let pairs = header.split(',').zip(end.split(',')).skip(2);
        cells.extend(pairs.map(|(column, value)| (format!("{name}.{column}"), value.to_owned())));
    }
    cells
}

/// Measures of the last frame; an empty cell where one cannot be taken.
fn measured(folder: &Path, requests: &[Request]) -> Vec<(String, String)> {
    if requests.is_empty() {
        return Vec::new();
    }
    let Some(reader) = RunFolder::open(folder).ok().and_then(|run| {
        let frames = run.times().len();
        run.reader().ok().map(|reader| (reader, frames))
    }) else {
        return Vec::new();
    };
    let (reader, frames) = reader;
    let Some(frame) = frames.checked_sub(1).and_then(|last| reader.load(last).ok()) else {
        return Vec::new();
    };
    let view = frame.view();
    let mut cells = Vec::new();
    for request in requests {
        let Ok(readings) = evaluate(&view, request) else { continue };
        let Some((_, values)) = readings.rows.first() else { continue };
        for (column, value) in readings.columns.iter().zip(values) {
            if request.column.as_ref().is_none_or(|wanted| *wanted == column.name) {
                cells.push((
                    format!("{}.{} [{}]", request.name, column.name, column.unit),
                    format!("{value:?}"),
                ));
            }
        }
    }
    cells
}

/// The table as text: all columns that any line has, in the order in which they first occur.
pub fn text(lines: &[SweepLine]) -> String {
    let mut columns: Vec<&str> = Vec::new();
    for (column, _) in lines.iter().flat_map(|line| &line.cells) {
        if !columns.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    let mut all = vec![
        ["run", "state"].iter().chain(&columns).map(|c| quoted(c)).collect::<Vec<_>>().join(",") + ",reason",
    ];
    for line in lines {
        let cell = |column: &&str| {
            let found = line.cells.iter().find(|(name, _)| name == column);
            found.map_or_else(String::new, |(_, value)| quoted(value))
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        all.push(format!("{},{},{},{}", line.folder, line.state, cells.join(","), quoted(&line.reason)));
    }
    all.join("\n") + "\n"
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
