//! `drystone measure`.

use crate::failure::{DONE, Failure, say};
use drystone_io::{FrameReader, RunFolder, measured_cells, measured_header};
use drystone_measure::{KEYS, MEASURES, MeasureEntry, MeasureError, Readings, Request, evaluate};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Measure a run after it ended, or while it goes on.
///
/// A measure is NAME, NAME:KEY=VALUE or NAME.COLUMN:KEY=VALUE:KEY=VALUE, as in `stress`,
/// `stress.yy:group=sand:box=0,0,1,2`. Measures of one row are told of all frames, in one CSV table; tables
/// of the last one.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: Option<PathBuf>,
    /// The measures.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Show all measures and what they take.
    #[arg(long)]
    list: bool,
    /// Only this frame, from 0; counted from the end where it is negative.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    frame: Option<i64>,
    /// All frames, also of measures that are tables.
    #[arg(long, conflicts_with = "frame")]
    all: bool,
    /// Displacements and strains count from this time of the run \[s\], from the frame nearest to it; from
    /// the start unless told otherwise.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    since: Option<f64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if arguments.list {
        list(arguments.json);
        return Ok(DONE);
    }
    let Some(folder) = &arguments.folder else {
        return Err(Failure::bad_input(
            "no run folder is named; `drystone measure --list` shows what can be measured",
        ));
    };
    if arguments.names.is_empty() {
        let message = "no measure is named; `drystone measure --list` shows all of them";
        return Err(Failure::bad_input(message));
    }
    let requests: Vec<Request> =
        arguments.names.iter().map(|text| Request::parse(text).map_err(wrong)).collect::<Result<_, _>>()?;
    let run = RunFolder::open(folder)?;
    let scene = run.scene()?;
    let entries = requests.iter().map(|request| request.check(scene.dimension).map_err(wrong));
    let entries: Vec<&MeasureEntry> = entries.collect::<Result<_, _>>()?;
    entries.iter().try_for_each(|entry| has_contacts(&run, scene.output.contacts, entry))?;
    let count = run.times().len();
    let is_table = entries.iter().any(|entry| entry.is_table);
    let frames = match arguments.frame {
        Some(frame) => vec![index(frame, count, folder)?],
        None if is_table && !arguments.all => vec![index(-1, count, folder)?],
        None => (0..count).collect(),
    };
    let mut reader = run.reader()?;
    if let Some(since) = arguments.since {
        reader.count_from(nearest_frame(since, run.times(), folder)?)?;
    }
    let found = Measurements::new(&reader, &requests, &frames)?;
    match (arguments.json, is_table) {
        (true, _) => say(found.json(&requests)),
        (false, false) => say(found.wide(&requests).trim_end()),
        (false, true) => say(found.long(&requests).trim_end()),
    }
    Ok(DONE)
}

/// Whether what a measure looks at was written.
fn has_contacts(run: &RunFolder, written: bool, entry: &MeasureEntry) -> Result<(), Failure> {
    if written || !entry.uses_contacts() {
        return Ok(());
    }
    Err(Failure::bad_input(format!(
        "{}: its scene has output.contacts = false, and {} looks at contacts; run it again with contacts, or let the \
         scene measure it",
        run.path().display(),
        entry.name
    )))
}

/// One column of a measure over the frames of a run.
pub struct MeasuredHistory {
    /// Name and unit of the column.
    pub title: String,
    /// Of each row the steps done, the time \[s\] and the value.
    pub rows: Vec<[f64; 3]>,
}

/// Measures all frames of a run, where the measure is a table the last one alone. A request of a measure with
/// several columns must name one.
pub fn history(run: &RunFolder, reader: &FrameReader, request: &Request) -> Result<MeasuredHistory, Failure> {
    let scene = run.scene()?;
    let entry = request.check(scene.dimension).map_err(wrong)?;
    has_contacts(run, scene.output.contacts, entry)?;
    let count = run.times().len();
    let frames = if entry.is_table { count.saturating_sub(1)..count } else { 0..count };
    let found = Measurements::new(reader, std::slice::from_ref(request), &frames.collect::<Vec<_>>())?;
    let Some((_, _, first)) = found.frames.first() else {
        return Err(Failure::bad_input(format!("{}: holds no frame yet", run.path().display())));
    };
    let [column] = first[0].columns.as_slice() else {
        let known = first[0].columns.iter().map(|column| format!("{}.{}", request.name, column.name));
        let known = known.collect::<Vec<_>>().join(", ");
        let message = format!("\"{}\" has several columns: {known}; say which", request.name);
        return Err(Failure::bad_input(message));
    };
    let rows = found.frames.iter().flat_map(|(step, time, readings)| {
        readings[0].rows.iter().map(move |(_, values)| [*step as f64, *time, values[0]])
    });
    let title = format!("{} [{}]", column.name, column.unit);
    Ok(MeasuredHistory { title, rows: rows.collect() })
}

/// A frame counted from the end where it is negative.
pub fn index(frame: i64, count: usize, folder: &std::path::Path) -> Result<usize, Failure> {
    let from_start = if frame < 0 { frame + count as i64 } else { frame };
    usize::try_from(from_start).ok().filter(|&index| index < count).ok_or_else(|| {
        let folder = folder.display();
        Failure::bad_input(format!("{folder}: no frame {frame}, it holds {count} (counted from 0)"))
    })
}

/// The frame nearest to a time \[s\]; a time that is not of the run is refused.
fn nearest_frame(time: f64, times: &[f64], folder: &std::path::Path) -> Result<usize, Failure> {
    let apart = |frame: &usize| (times[*frame] - time).abs();
    let nearest = (0..times.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
    let last = times.last().copied().unwrap_or(0.0);
    nearest.filter(|_| (0.0..=last).contains(&time)).ok_or_else(|| {
        let folder = folder.display();
        Failure::bad_input(format!("{folder}: no time {time} s, it has frames from 0 to {last} s"))
    })
}

/// What is wrong with a request, with the name that was perhaps meant.
pub fn wrong(error: MeasureError) -> Failure {
    let hint = match &error {
        MeasureError::Unknown { name, .. } => nearest(name),
        _ => None,
    };
    let hint = hint.map_or_else(String::new, |near| format!(". Did you mean \"{near}\"?"));
    Failure::bad_input(format!("{error}{hint}"))
}

fn nearest(name: &str) -> Option<&'static str> {
    let distance = |known: &str| strsim::damerau_levenshtein(known, name);
    let near = MEASURES.iter().map(|entry| entry.name).min_by_key(|known| distance(known))?;
    (distance(near) <= 3).then_some(near)
}

/// The readings of every measure in every frame.
struct Measurements {
    /// Steps, time, and of each measure the readings.
    frames: Vec<(u64, f64, Vec<Readings>)>,
}

impl Measurements {
    fn new(reader: &FrameReader, requests: &[Request], frames: &[usize]) -> Result<Self, Failure> {
        let mut found = Vec::new();
        for &frame in frames {
            let frame = reader.load(frame)?;
            let view = frame.view();
            let mut readings = Vec::new();
            for request in requests {
                let one = evaluate(&view, request).map_err(wrong)?;
                readings.push(chosen(one, request)?);
            }
            found.push((frame.step, frame.time, readings));
        }
        Ok(Self { frames: found })
    }

    /// One line for each frame, the columns of all measures beside each other.
    fn wide(&self, requests: &[Request]) -> String {
        let mut text = String::from("step,time [s]");
        let Some((_, _, first)) = self.frames.first() else { return text };
        for (request, readings) in requests.iter().zip(first) {
            for column in &readings.columns {
                let _ = write!(text, ",{}.{} [{}]", request.name, column.name, column.unit);
            }
        }
        for (step, time, readings) in &self.frames {
            let _ = write!(text, "\n{step},{time:?}");
            for row in readings.iter().flat_map(|one| &one.rows) {
                let _ = write!(text, ",{}", measured_cells(row));
            }
        }
        text
    }

    /// One table after the other, a line for each row and frame.
    fn long(&self, requests: &[Request]) -> String {
        let mut text = String::new();
        for (index, request) in requests.iter().enumerate() {
            if requests.len() > 1 {
                let _ = writeln!(text, "# {}", request.name);
            }
            if let Some((_, _, first)) = self.frames.first() {
                let _ = writeln!(text, "{}", measured_header(&first[index]));
            }
            for (step, time, readings) in &self.frames {
                for row in &readings[index].rows {
                    let _ = writeln!(text, "{step},{time:?},{}", measured_cells(row));
                }
            }
        }
        text
    }

    fn json(&self, requests: &[Request]) -> Value {
        let one = |(index, request): (usize, &Request)| {
            let columns = self.frames.first().map(|(_, _, readings)| &readings[index]);
            let heading = |readings: &Readings| -> Vec<Value> {
                readings.columns.iter().map(|c| json!({ "name": c.name, "unit": c.unit })).collect()
            };
            let rows: Vec<Value> = self
                .frames
                .iter()
                .flat_map(|(step, time, readings)| {
                    readings[index].rows.iter().map(move |row| (step, time, row))
                })
                .map(|(step, time, (labels, values))| {
                    let values: Vec<Value> = values.iter().map(|&value| finite(value)).collect();
                    json!({ "step": step, "time": time, "labels": labels, "values": values })
                })
                .collect();
            json!({
                "name": request.name,
                "labels": columns.map(|readings| readings.labels.clone()),
                "columns": columns.map(heading),
                "rows": rows,
                "over_time": self.statistics(index),
            })
        };
        json!({ "measures": requests.iter().enumerate().map(one).collect::<Vec<_>>() })
    }

    /// Of every column of a measure of one row: least, mean, largest, last, and the slope of the line that
    /// fits it best.
    fn statistics(&self, index: usize) -> Value {
        let mut all = Map::new();
        let Some((_, _, first)) = self.frames.first() else { return Value::Null };
        if self.frames.iter().any(|(_, _, readings)| readings[index].rows.len() != 1) {
            return Value::Null;
        }
        for (place, column) in first[index].columns.iter().enumerate() {
            let points: Vec<[f64; 2]> = self
                .frames
                .iter()
                .map(|(_, time, readings)| [*time, readings[index].rows[0].1[place]])
                .filter(|[_, value]| value.is_finite())
                .collect();
            all.insert(column.name.clone(), statistics(&points));
        }
        Value::Object(all)
    }
}

/// Keeps the column of the request, where it names one.
fn chosen(mut readings: Readings, request: &Request) -> Result<Readings, Failure> {
    let Some(name) = &request.column else { return Ok(readings) };
    let Some(place) = readings.column(name) else {
        let known = readings.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
        let error = MeasureError::Column { measure: request.name.clone(), column: name.clone(), known };
        return Err(wrong(error));
    };
    readings.columns = vec![readings.columns[place].clone()];
    for (_, values) in &mut readings.rows {
        *values = vec![values[place]];
    }
    Ok(readings)
}

/// Least, mean, largest, last and rate of change of a column over time.
fn statistics(points: &[[f64; 2]]) -> Value {
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / count;
    let (time, value) = (mean(0), mean(1));
    let spread: f64 = points.iter().map(|[t, _]| (t - time).powi(2)).sum();
    let together: f64 = points.iter().map(|[t, x]| (t - time) * (x - value)).sum();
    let values = || points.iter().map(|point| point[1]);
    json!({
        "least": finite(values().fold(f64::INFINITY, f64::min)),
        "mean": finite(value),
        "largest": finite(values().fold(f64::NEG_INFINITY, f64::max)),
        "last": points.last().map_or(Value::Null, |point| finite(point[1])),
        "rate": finite(together / spread),
    })
}

/// JSON has neither infinity nor NaN: what is not finite becomes null.
fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

fn list(as_json: bool) {
    if as_json {
        let entry = |entry: &MeasureEntry| {
            json!({
                "name": entry.name, "about": entry.about, "keys": entry.keys, "needs": entry.needs,
                "table": entry.is_table, "plane_only": entry.only == Some(2),
            })
        };
        let keys: Map<String, Value> =
            KEYS.iter().map(|(key, about)| ((*key).to_owned(), json!(about))).collect();
        let measures = MEASURES.iter().map(entry).collect::<Vec<_>>();
        say(json!({ "measures": measures, "keys": keys }));
        return;
    }
    for entry in MEASURES {
        let kind = if entry.is_table { "table" } else { "" };
        say(format_args!("{:<18}{kind:<7}{}", entry.name, entry.about));
        let keys = entry.keys.iter().map(|key| match entry.needs.contains(key) {
            true => (*key).to_owned(),
            false => format!("[{key}]"),
        });
        let keys: Vec<String> = keys.collect();
        if !keys.is_empty() {
            say(format_args!("{:<25}{}", "", keys.join(" ")));
        }
    }
    say("\nkeys:");
    for (key, about) in KEYS {
        say(format_args!("{key:<18}{about}"));
    }
}
