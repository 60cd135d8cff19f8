//! Columns of a run by name: of the tables in its folder, or of measures taken from its frames. Draws
//! nothing.

use crate::commands::measure;
use crate::failure::Failure;
use drystone_io::{FrameReader, RunFolder, run_tables, table_columns, table_titles};
use drystone_measure::{MEASURES, Request};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// A column of a run with the moments of its rows.
#[derive(Clone, Debug)]
pub struct RunColumn {
    /// Its title, with the unit.
    pub title: String,
    /// Name of its table or measure; empty for the table of all steps.
    table: String,
    /// Where it comes from: two columns of one source have the same rows.
    source: String,
    /// Steps done at each row.
    steps: Vec<f64>,
    /// Times of the rows \[s\].
    pub times: Vec<f64>,
    /// The values.
    pub values: Vec<f64>,
}

impl RunColumn {
    /// Its title behind the name of its table, for people.
    pub fn label(&self) -> String {
        format!("{} {}", self.table.replace('_', " "), self.title).trim_start().to_owned()
    }

    /// The times of its rows, as a column.
    pub fn times_of(&self) -> RunColumn {
        RunColumn {
            title: "time [s]".into(),
            table: String::new(),
            values: self.times.clone(),
            ..self.clone()
        }
    }

    /// The same between two times \[s\], both included.
    pub fn between(mut self, [from, to]: [f64; 2]) -> Result<Self, Failure> {
        let is_kept: Vec<bool> = self.times.iter().map(|time| (from..=to).contains(time)).collect();
        if !is_kept.contains(&true) {
            return Err(Failure::bad_input(format!(
                "no row of {} is of a time from {from} s to {to} s; its rows go from {} s to {} s",
                self.source,
                self.times.first().copied().unwrap_or(f64::NAN),
                self.times.last().copied().unwrap_or(f64::NAN),
            )));
        }
        let mut kept = is_kept.iter();
        self.steps.retain(|_| kept.next() == Some(&true));
        for list in [&mut self.values, &mut self.times] {
            let mut kept = is_kept.iter();
            list.retain(|_| kept.next() == Some(&true));
        }
        Ok(self)
    }

    /// Pairs with another column: row by row where both come from one table, else where they tell of the same
    /// step.
    pub fn against(&self, x: &RunColumn) -> Result<Vec<[f64; 2]>, Failure> {
        if self.source == x.source {
            return Ok(x.values.iter().zip(&self.values).map(|(x, y)| [*x, *y]).collect());
        }
        for column in [x, self] {
            if column.steps.windows(2).any(|pair| pair[0] >= pair[1]) {
                let (title, source) = (&column.title, &column.source);
                return Err(Failure::bad_input(format!(
                    "{source} has several rows for one step, so that its column \"{title}\" cannot stand beside one of \
                     another table; take both from {source}"
                )));
            }
        }
        let mut pairs = Vec::new();
        let mut place = 0;
        for (step, y) in self.steps.iter().zip(&self.values) {
            place += x.steps[place..].iter().take_while(|other| *other < step).count();
            if x.steps.get(place) == Some(step) {
                pairs.push([x.values[place], *y]);
            }
        }
        match pairs.is_empty() {
            true => Err(Failure::bad_input(format!(
                "\"{}\" of {} and \"{}\" of {} were never written at the same step",
                x.title, x.source, self.title, self.source
            ))),
            false => Ok(pairs),
        }
    }
}

/// A table of the folder.
struct TableFile {
    /// Its name without folder and end: `steps`.
    stem: String,
    /// Its name in the run folder.
    name: String,
    path: PathBuf,
    titles: Vec<String>,
}

impl TableFile {
    /// The column of this name; blanks may be written as underscores, and the unit left out.
    fn place(&self, name: &str) -> Option<usize> {
        let same = |title: &String| *title == name || key(bare(title)) == key(name);
        self.titles.iter().position(same)
    }

    fn read(&self, place: usize) -> Result<RunColumn, Failure> {
        let named = |name: &str| self.titles.iter().position(|title| bare(title) == name);
        let (Some(step), Some(time)) = (named("step"), named("time")) else {
            let name = self.path.display();
            return Err(Failure::bad_input(format!(
                "{name}: has no columns step and time, so it cannot be plotted"
            )));
        };
        let mut found = table_columns(&self.path, &[step, time, place])?.into_iter();
        let mut next = || found.next().unwrap_or_default();
        Ok(RunColumn {
            title: self.titles[place].clone(),
            table: if self.stem == "steps" { String::new() } else { self.stem.clone() },
            source: self.name.clone(),
            steps: next(),
            times: next(),
            values: next(),
        })
    }
}

/// A title without its unit.
fn bare(title: &str) -> &str {
    title.rsplit_once(" [").map_or(title, |(name, _)| name)
}

fn key(name: &str) -> String {
    name.replace('_', " ")
}

/// The columns of a run.
pub struct RunColumns {
    /// The run folder.
    pub run: RunFolder,
    tables: Vec<TableFile>,
    reader: OnceCell<FrameReader>,
}

impl RunColumns {
    /// Opens a run folder and looks which tables it has.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let run = RunFolder::open(folder)?;
        let mut tables = Vec::new();
        for (name, path) in run_tables(folder) {
            let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            tables.push(TableFile { stem, name, titles: table_titles(&path)?, path });
        }
        // a short name means a column of the table of all steps first
        tables.sort_by_key(|table| table.name != "probes/steps.csv");
        Ok(Self { run, tables, reader: OnceCell::new() })
    }

    /// What reads frames, made ready once.
    pub fn reader(&self) -> Result<&FrameReader, Failure> {
        if self.reader.get().is_none() {
            let _ = self.reader.set(self.run.reader()?);
        }
        self.reader.get().ok_or_else(|| Failure::other("frames cannot be read"))
    }

    /// The column of a name: of a table, or else of a measure taken from the frames.
    pub fn find(&self, name: &str) -> Result<RunColumn, Failure> {
        if let Some((table, place)) = self.in_table(name)? {
            return table.read(place);
        }
        let measured = name.split([':', '.']).next().unwrap_or(name);
        if MEASURES.iter().all(|entry| entry.name != measured) {
            return Err(self.unknown(name));
        }
        let request = Request::parse(name).map_err(measure::wrong)?;
        let history = measure::history(&self.run, self.reader()?, &request)?;
        let [steps, times, values] = [0, 1, 2].map(|k| history.rows.iter().map(|row| row[k]).collect());
        let (title, table, source) = (history.title, measured.to_owned(), format!("measure {name}"));
        Ok(RunColumn { title, table, source, steps, times, values })
    }

    fn in_table(&self, name: &str) -> Result<Option<(&TableFile, usize)>, Failure> {
        for table in &self.tables {
            let column = name.strip_prefix(&table.stem).and_then(|rest| rest.strip_prefix('.'));
            if let Some(place) = column.and_then(|column| table.place(column)) {
                return Ok(Some((table, place)));
            }
        }
        let mut found = self.tables.iter().filter_map(|table| Some((table, table.place(name)?)));
        let Some(first) = found.next() else { return Ok(None) };
        let others: Vec<String> = found
            .map(|(table, _)| format!("{}.{name}", table.stem))
            .filter(|_| first.0.stem != "steps")
            .collect();
        match others.is_empty() {
            true => Ok(Some(first)),
            false => Err(Failure::bad_input(format!(
                "\"{name}\" is a column of several tables: {}.{name}, {}; say which",
                first.0.stem,
                others.join(", ")
            ))),
        }
    }

    /// Names of all columns, table by table.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for TableFile { stem, titles, .. } in &self.tables {
            let prefix = if stem == "steps" { String::new() } else { format!("{stem}.") };
            let names: Vec<String> = titles.iter().map(|title| format!("{prefix}{title}")).collect();
            text += &format!("{stem}: {}\n", names.join(", "));
        }
        let measures: Vec<&str> =
            MEASURES.iter().filter(|entry| !entry.is_table).map(|entry| entry.name).collect();
        text + &format!("measures, as NAME.COLUMN: {}", measures.join(", "))
    }

    /// Columns of the tables of probes and measures with one row a moment, table by table and unit by unit:
    /// the unit and the names.
    pub fn by_unit(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for table in self.tables.iter().filter(|table| table.stem != "steps") {
            let rises = |column: &RunColumn| column.steps.windows(2).all(|pair| pair[0] < pair[1]);
            if !table.read(0).is_ok_and(|column| rises(&column) && column.steps.len() > 1) {
                continue;
            }
            let begin = found.len();
            for title in table.titles.iter().filter(|title| !matches!(bare(title), "step" | "time")) {
                let unit = title.rsplit_once(" [").map_or("-", |(_, unit)| unit.trim_end_matches(']'));
                let name = format!("{}.{title}", table.stem);
                match found[begin..].iter_mut().find(|(known, _)| known == unit) {
                    Some((_, names)) => names.push(name),
                    None => found.push((unit.to_owned(), vec![name])),
                }
            }
        }
        found
    }

    fn unknown(&self, name: &str) -> Failure {
        let all = self.tables.iter().flat_map(|table| {
            let prefix = if table.stem == "steps" { String::new() } else { format!("{}.", table.stem) };
            table.titles.iter().map(move |title| format!("{prefix}{}", bare(title)))
        });
        let measures = MEASURES.iter().map(|entry| entry.name.to_owned());
        let distance = |known: &String| strsim::damerau_levenshtein(known, name);
        let near = all.chain(measures).min_by_key(distance).filter(|known| distance(known) <= 3);
        let hint = near.map_or_else(String::new, |near| format!(" Did you mean \"{near}\"?"));
        let folder = self.run.path().display();
        Failure::bad_input(format!("{folder}: no column \"{name}\".{hint} There are\n{}", self.list()))
    }
}
