//! `drystone runs`: an overview of run folders, a line each. Reads summaries and the ends of tables, no
//! history.

use crate::failure::{DONE, Failure, say};
use drystone_io::RunFolder;
use serde_json::{Value, json};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How deep run folders are looked for: sweeps hold theirs one folder deeper.
const DEPTH: usize = 3;

/// Longest end of a table that is read \[byte\]; a line has a few hundred.
const TAIL: u64 = 8192;

/// Show all runs below a folder: how they ended and how far they came.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds run folders, or one of them.
    #[arg(default_value = "runs")]
    folder: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if !arguments.folder.is_dir() {
        let folder = arguments.folder.display();
        return Err(Failure::bad_input(format!(
            "{folder}: no such folder; name the one that holds the runs"
        )));
    }
    let mut found = Vec::new();
    collect(&arguments.folder, DEPTH, &mut found);
    found.sort();
    let runs: Vec<Overview> = found.iter().map(|path| Overview::read(path, &arguments.folder)).collect();
    if arguments.json {
        let list: Vec<Value> = runs.iter().map(Overview::json).collect();
        say(json!({ "runs": list }));
        return Ok(DONE);
    }
    if runs.is_empty() {
        eprintln!("no run folder in {}", arguments.folder.display());
    }
    let rows: Vec<[String; 9]> = runs.iter().map(Overview::cells).collect();
    table(&HEADER, &rows);
    Ok(DONE)
}

/// Folders that are runs, in a folder and those in it. Links are not followed, since they may lead round.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join("scene.toml").is_file() && folder.join("run.lock").exists() {
        found.push(folder.to_owned());
        return;
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&entry.path(), depth, found);
        }
    }
}

const HEADER: [&str; 9] =
    ["run", "outcome", "answer", "time [s]", "of [s]", "bodies", "contacts", "residual", "wall time"];

/// What is told of a run.
struct Overview {
    name: String,
    /// How it ended, or `running`, `interrupted`, `damaged`.
    outcome: String,
    answer: Option<String>,
    time: Option<f64>,
    duration: Option<f64>,
    bodies: Option<u64>,
    /// Of the last step.
    contacts: Option<u64>,
    /// The largest, while it runs that of the last step.
    residual: Option<f64>,
    not_converged: u64,
    /// Wall-clock time of the steps \[s\].
    seconds: Option<f64>,
    /// Why it could not be read.
    reason: Option<String>,
}

impl Overview {
    fn read(path: &Path, home: &Path) -> Self {
        let name = path.strip_prefix(home).ok().filter(|name| !name.as_os_str().is_empty()).unwrap_or(path);
        let mut found = Self {
            name: name.display().to_string(),
            outcome: "damaged".into(),
            answer: None,
            time: None,
            duration: None,
            bodies: None,
            contacts: None,
            residual: None,
            not_converged: 0,
            seconds: None,
            reason: None,
        };
        if let Err(failure) = found.fill(path) {
            found.reason = Some(failure.message);
        }
        found
    }

    fn fill(&mut self, path: &Path) -> Result<(), Failure> {
        let run = RunFolder::open(path)?;
        self.bodies = Some(run.body_count() as u64);
        let scene = run.scene()?;
        self.duration = Some(scene.time.duration);
        if self.bodies == Some(0) {
            self.bodies = Some(scene.body_names().len() as u64);
        }
        let summary = run.summary()?.filter(|_| !run.is_running());
        let last = last_step(&path.join("probes/steps.csv"));
        match summary {
            Some(summary) => self.take(&summary),
            None => {
                self.outcome = if run.is_running() { "running" } else { "interrupted" }.into();
                let number = |key: usize| last.as_ref().and_then(|line| line.get(key)?.parse::<f64>().ok());
                self.time = Some(number(1).unwrap_or(0.0));
                self.residual = number(5);
            }
        }
        let contacts = last.as_ref().and_then(|line| line.get(2)?.parse().ok());
        self.contacts = contacts.or(self.contacts);
        Ok(())
    }

    fn take(&mut self, summary: &Value) {
        let text = |place: &str| summary.pointer(place).and_then(Value::as_str).map(str::to_owned);
        let number = |place: &str| summary.pointer(place).and_then(Value::as_f64);
        self.outcome = text("/outcome").unwrap_or_else(|| "unknown".into());
        self.answer = text("/answer/word");
        self.time = number("/time");
        self.bodies = summary.pointer("/bodies").and_then(Value::as_u64).or(self.bodies);
        self.residual = number("/residual_max");
        self.not_converged = summary.pointer("/steps_not_converged").and_then(Value::as_u64).unwrap_or(0);
        self.seconds = number("/seconds/total");
    }

    fn cells(&self) -> [String; 9] {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        let short = |x: f64| format!("{}", (x * 1e4).round() / 1e4);
        let outcome = match self.not_converged {
            0 => self.outcome.clone(),
            count => format!("{}, {count} not converged", self.outcome),
        };
        [
            self.name.clone(),
            outcome,
            or_dash(self.answer.clone().or_else(|| self.reason.clone())),
            or_dash(self.time.map(short)),
            or_dash(self.duration.map(short)),
            or_dash(self.bodies.map(|count| count.to_string())),
            or_dash(self.contacts.map(|count| count.to_string())),
            or_dash(self.residual.map(|residual| format!("{residual:.1e}"))),
            or_dash(self.seconds.map(lasting)),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name, "outcome": self.outcome, "answer": self.answer, "time": self.time,
            "duration": self.duration, "bodies": self.bodies, "contacts": self.contacts, "residual": self.residual,
            "steps_not_converged": self.not_converged, "seconds": self.seconds, "reason": self.reason,
        })
    }
}

/// A time as people say it: `0.4 s`, `12 min`, `3.1 h`.
fn lasting(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// The cells of the last whole line of a table.
fn last_step(path: &Path) -> Option<Vec<String>> {
    let mut file = drystone_io::open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let whole = &text[..text.rfind('\n')?];
    let line = whole.rsplit('\n').next()?;
    line.starts_with(|c: char| c.is_ascii_digit()).then(|| line.split(',').map(str::to_owned).collect())
}

/// Prints rows under a header, names to the left and numbers to the right.
fn table(header: &[&str; 9], rows: &[[String; 9]]) {
    let wide = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(wide).collect();
    let line = |cells: &[&str]| {
        let cell = |(column, text): (usize, &&str)| match column < 3 {
            true => format!("{text:<0$}", widths[column]),
            false => format!("{text:>0$}", widths[column]),
        };
        cells.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
    };
    if !rows.is_empty() {
        say(line(header).trim_end());
    }
    for row in rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        say(line(&cells).trim_end());
    }
}
