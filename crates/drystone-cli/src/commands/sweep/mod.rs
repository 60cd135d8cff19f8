//! `drystone sweep`.

mod plan;
mod slurm;
mod table;

use crate::failure::{self, DONE, Failure, say};
use crate::files::SceneFiles;
use crate::progress::Count;
use drystone::Monitor;
use drystone_measure::Request;
use drystone_scene::{Scene, SceneError};
use plan::{Varied, combinations, with_values};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use table::SweepLine;

/// Run a scene for all combinations of some values.
///
/// Each combination has a run folder of its own, and a line in `sweep.csv`: its values, how it ended, figures
/// of its summary and the last measures. A run that fails is noted there, and the others go on. The same
/// command again picks up where it stopped.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scene file.
    scene: PathBuf,
    #[command(flatten)]
    files: SceneFiles,
    /// A key of the scene and its values, `KEY=V1,V2,…`, or with --sample a range, `KEY=LOW..HIGH`; may be
    /// given several times. Parts of the key are separated by dots; of lists, such as body or law, a part is
    /// the name of an entry or its number from 0: `law.0.inelastic.friction=0.3,0.5`.
    #[arg(long = "set", value_name = "KEY=VALUES", required = true)]
    set: Vec<String>,
    /// Draw so many combinations instead of taking all: of ranges evenly (Latin hypercube).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: Option<u32>,
    /// Seed of the drawing.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Runs at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Threads of each run; the cores shared evenly unless told otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// A measure of the last frame to put into the table, as `drystone measure` takes it; may be given
    /// several times.
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// The folder of the sweep; `sweeps/NAME` after the scene's name unless told otherwise.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Try runs again that failed.
    #[arg(long)]
    retry: bool,
    /// Run nothing: write `sweep.sbatch`, a job array for Slurm, one task for each combination.
    #[arg(long, conflicts_with = "only")]
    slurm: bool,
    /// Run this combination only, from 0; the table is left alone.
    #[arg(long, value_name = "K")]
    only: Option<usize>,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
    /// End with one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let sweep = Sweep::plan(arguments)?;
    if arguments.slurm {
        return sweep.slurm();
    }
    if let Some(only) = arguments.only {
        if only >= sweep.combinations.len() {
            let count = sweep.combinations.len();
            return Err(Failure::bad_input(format!("--only {only}: there are {count} combinations, from 0")));
        }
        let stop = crate::driver::on_signal();
        sweep.run_one(only, &stop)?;
        return Ok(if stop.is_interrupted() { failure::STOPPED } else { DONE });
    }
    sweep.run()
}

/// A sweep about to start.
struct Sweep<'a> {
    arguments: &'a Arguments,
    folder: PathBuf,
    keys: Vec<String>,
    combinations: Vec<Vec<toml_edit::Value>>,
    /// The scenes, a text each.
    scenes: Vec<String>,
    requests: Vec<Request>,
}

impl<'a> Sweep<'a> {
    /// Reads and checks everything before anything runs: the scene itself, the keys, and that with some of
    /// the values it is still a scene; single values that are none are found out by their runs.
    fn plan(arguments: &'a Arguments) -> Result<Self, Failure> {
        let varied: Vec<Varied> =
            arguments.set.iter().map(|text| Varied::parse(text)).collect::<Result<_, _>>()?;
        let combinations = combinations(&varied, arguments.sample.map(|n| n as usize), arguments.seed)?;
        let keys: Vec<String> = varied.into_iter().map(|one| one.key).collect();
        let requests = arguments.measures.iter().map(|text| Request::parse(text));
        let requests: Vec<Request> = requests
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::bad_input(format!("--measure: {error}")))?;
        // the scene itself must be right, so that an error below speaks of a value
        let scene = arguments.files.read(&arguments.scene)?;
        for request in &requests {
            let entry = request
                .check(scene.dimension)
                .map_err(|error| Failure::bad_input(format!("--measure: {error}")))?;
            if entry.is_table {
                let message = format!(
                    "--measure {}: it is a table, a line has room for measures of one row",
                    entry.name
                );
                return Err(Failure::bad_input(message));
            }
        }
        let text = drystone_io::read_text(&arguments.scene).map_err(Failure::bad_input)?;
        let names: Vec<&str> = keys.iter().map(String::as_str).collect();
        let scenes: Vec<String> =
            combinations.iter().map(|values| with_values(&text, &names, values)).collect::<Result<_, _>>()?;
        let folder = arguments.output.clone().unwrap_or_else(|| {
            let name = arguments.scene.file_stem().unwrap_or_else(|| "sweep".as_ref());
            PathBuf::from("sweeps").join(name)
        });
        let sweep = Self { arguments, folder, keys, combinations, scenes, requests };
        sweep.check_values()?;
        sweep.claim()?;
        Ok(sweep)
    }

    /// Refuses a sweep of which no combination is a scene: a key that does not exist, or a value of another
    /// kind.
    fn check_values(&self) -> Result<(), Failure> {
        let mut first = None;
        for index in 0..self.scenes.len() {
            match self.parse(index) {
                Ok(_) => return Ok(()),
                Err(error) => drop(first.get_or_insert((index, error))),
            }
        }
        let Some((index, error)) = first else { return Ok(()) };
        Err(Failure::bad_input(format!(
            "--set: no combination is a scene; with {}: {error}",
            self.words(index)
        )))
    }

    /// The scene of a combination, as if it lay beside the scene of the sweep, whose files it names.
    fn parse(&self, index: usize) -> Result<Scene, SceneError> {
        let beside = self.arguments.scene.with_file_name("scene of the sweep");
        Scene::parse(&self.scenes[index], &beside.display().to_string())
    }

    /// Makes the folder ours; one that holds a sweep of other values or of another scene is refused.
    fn claim(&self) -> Result<(), Failure> {
        let path = self.folder.join("sweep.json");
        let values: Vec<Vec<String>> = self
            .combinations
            .iter()
            .map(|one| one.iter().map(|value| value.to_string().trim().to_owned()).collect())
            .collect();
        let mine = json!({ "keys": self.keys, "values": values, "scenes": digest(&self.scenes) });
        if let Ok(text) = drystone_io::read_text(&path) {
            if serde_json::from_str::<Value>(&text).ok().as_ref() != Some(&mine) {
                return Err(Failure::bad_input(format!(
                    "{}: holds a sweep of other values or of another scene; choose another folder by --output",
                    self.folder.display()
                )));
            }
            return Ok(());
        }
        if fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_some()) {
            let folder = self.folder.display();
            return Err(Failure::bad_input(format!(
                "{folder}: is not empty and no sweep; choose another folder"
            )));
        }
        fs::create_dir_all(&self.folder).map_err(|error| self.io(&self.folder, error))?;
        fs::write(&path, format!("{mine:#}\n")).map_err(|error| self.io(&path, error))
    }

    fn io(&self, path: &Path, error: std::io::Error) -> Failure {
        Failure::other(format!("{}: {error}", path.display()))
    }

    fn run_folder(&self, index: usize) -> PathBuf {
        let digits = self.combinations.len().saturating_sub(1).to_string().len().max(3);
        self.folder.join(format!("run-{index:0digits$}"))
    }

    /// The words of a combination.
    fn words(&self, index: usize) -> String {
        let pairs = self.keys.iter().zip(&self.combinations[index]);
        pairs
            .map(|(key, value)| format!("{key} = {}", value.to_string().trim()))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Runs one combination in a process of its own, so that one that dies takes nothing with it, unless it
    /// has been run; notes why it failed beside its folder.
    fn run_one(&self, index: usize, stop: &Monitor) -> Result<(), Failure> {
        let folder = self.run_folder(index);
        let note = folder.with_extension("failed");
        let has_failed = note.exists();
        let is_left_alone = if has_failed { !self.arguments.retry } else { self.is_done(&folder) };
        if is_left_alone {
            return Ok(());
        }
        let _ = fs::remove_file(&note);
        let program = std::env::current_exe().map_err(Failure::other)?;
        let mut command = Command::new(program);
        let threads = self.arguments.threads.map_or_else(|| self.share_of_cores(), usize::from);
        // what failed once is begun anew
        if !has_failed && has_entry(&folder.join("checkpoints")) {
            command.arg("resume").arg(&folder);
        } else {
            let scene = self.write_scene(index)?;
            command.arg("run").arg(&scene).arg("--output").arg(&folder).arg("--force");
        }
        command.args(["--quiet", "--threads", &threads.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = ended(&mut command, &folder, stop).map_err(Failure::other)?;
        let code = output.status.code();
        let is_fine = [failure::DONE, failure::NOT_CONVERGED].iter().any(|&fine| code == Some(fine.into()));
        if !is_fine && code != Some(failure::STOPPED.into()) {
            let said = String::from_utf8_lossy(&output.stderr);
            let why = said.trim().strip_prefix("error: ").unwrap_or(said.trim());
            let ended = code.map_or("killed".into(), |code| format!("exit code {code}"));
            let text = format!("{ended}: {}\n", why.lines().next().unwrap_or("no message"));
            fs::write(&note, text).map_err(|error| self.io(&note, error))?;
        }
        Ok(())
    }

    /// The scene of a combination, beside the scene of the sweep for the files that it names.
    fn write_scene(&self, index: usize) -> Result<PathBuf, Failure> {
        let name = format!("{}", self.run_folder(index).with_extension("toml").display());
        // everything that the scene names is put into it, so that it may lie anywhere
        let text = match self.parse(index) {
            Ok(scene) => scene.to_toml(),
            // the run says what is wrong with it, at its line
            Err(_) => self.scenes[index].clone(),
        };
        let path = PathBuf::from(name);
        fs::write(&path, text).map_err(|error| self.io(&path, error))?;
        Ok(path)
    }

    fn share_of_cores(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores / usize::from(self.arguments.jobs)).max(1)
    }

    /// Whether a run has come to its end.
    fn is_done(&self, folder: &Path) -> bool {
        let outcome = |summary: &Value| summary["outcome"].as_str().map(str::to_owned);
        let summary = drystone_io::read_text(&folder.join("summary.json")).ok();
        let summary = summary.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        summary.as_ref().and_then(outcome).is_some_and(|outcome| outcome != "stopped")
    }

    /// Runs all of them, some at a time, and writes the table whenever one has ended.
    fn run(&self) -> Result<u8, Failure> {
        let count = self.combinations.len();
        let stop = crate::driver::on_signal();
        let display = Mutex::new(Count::new(self.arguments.quiet, count as u64, "runs"));
        let next = AtomicUsize::new(0);
        let began = Instant::now();
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        let writing = Mutex::new(());
        let work = || {
            while !stop.is_interrupted() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    return;
                }
                if let Ok(mut display) = display.lock() {
                    display.advance(&format!("{}{}", self.words(index), left(&began, index, count)));
                }
                let done = self.run_one(index, &stop).and_then(|()| {
                    let _held = writing.lock();
                    self.write_table().map(drop)
                });
                if let Err(error) = done {
                    if let Ok(mut first) = failed.lock() {
                        first.get_or_insert(error);
                    }
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            (0..self.arguments.jobs).for_each(|_| drop(scope.spawn(work)));
        });
        if let Ok(display) = display.into_inner() {
            display.finish();
        }
        if let Some(failure) = failed.into_inner().ok().flatten() {
            return Err(failure);
        }
        let lines = self.write_table()?;
        self.tell(&lines);
        if stop.is_interrupted() { Ok(failure::STOPPED) } else { Ok(DONE) }
    }

    fn write_table(&self) -> Result<Vec<SweepLine>, Failure> {
        let all = (0..self.combinations.len()).map(|index| {
            SweepLine::read(&self.run_folder(index), &self.keys, &self.combinations[index], &self.requests)
        });
        let lines: Vec<SweepLine> = all.collect();
        let path = self.folder.join("sweep.csv");
        let new = self.folder.join("sweep.csv.new");
        fs::write(&new, table::text(&lines)).map_err(|error| self.io(&new, error))?;
        fs::rename(&new, &path).map_err(|error| self.io(&path, error))?;
        Ok(lines)
    }

    fn tell(&self, lines: &[SweepLine]) {
        let count = |state: &str| lines.iter().filter(|line| line.state == state).count();
        let (done, failed, left) = (count("done"), count("failed"), count("to do"));
        let path = self.folder.join("sweep.csv");
        if self.arguments.json {
            let path = path.display().to_string();
            say(json!({ "runs": lines.len(), "done": done, "failed": failed, "to_do": left, "table": path }));
        } else {
            say(format_args!("{} runs: {done} done, {failed} failed, {left} to do", lines.len()));
            for line in lines.iter().filter(|line| line.state == "failed").take(5) {
                say(format_args!("  {} failed: {}", line.folder, line.reason));
            }
            say(format_args!("table {}", path.display()));
        }
    }

    /// Writes a job array whose tasks run one combination each of this very sweep.
    fn slurm(&self) -> Result<u8, Failure> {
        let path = self.folder.join("sweep.sbatch");
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let mut words = vec![quoted(&self.arguments.scene.display().to_string())];
        words.extend(self.arguments.set.iter().map(|set| format!("--set {}", quoted(set))));
        if let Some(sample) = self.arguments.sample {
            words.push(format!("--sample {sample} --seed {}", self.arguments.seed));
        }
        words.extend(self.arguments.measures.iter().map(|name| format!("--measure {}", quoted(name))));
        words.extend(self.arguments.files.word().map(str::to_owned));
        words.push(format!("--output {}", quoted(&self.folder.display().to_string())));
        let job = slurm::Job {
            path: &path,
            words: words.join(" "),
            last: self.combinations.len() - 1,
            jobs: self.arguments.jobs,
            threads: self.arguments.threads.unwrap_or(1),
        };
        fs::write(&path, job.script()).map_err(|error| self.io(&path, error))?;
        say(format_args!("wrote {}: {} tasks; submit it with sbatch", path.display(), job.last + 1));
        Ok(DONE)
    }
}

/// The time that is left, if all runs take as long as those before, in words.
fn left(began: &Instant, index: usize, count: usize) -> String {
    if index == 0 {
        return String::new();
    }
    let seconds = began.elapsed().as_secs_f64() * (count - index) as f64 / index as f64;
    format!("; about {seconds:.0} s left")
}

fn has_entry(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// A number that changes with any letter of the scenes (FNV-1a), as text.
fn digest(scenes: &[String]) -> String {
    let bytes = scenes.iter().flat_map(|scene| scene.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// How often it is looked whether a run is to stop.
const LOOKING: Duration = Duration::from_millis(100);

/// Runs a command that writes a run folder to its end. A signal to this process alone does not reach that
/// one, which is asked to stop by the file that it looks for.
fn ended(command: &mut Command, folder: &Path, stop: &Monitor) -> std::io::Result<Output> {
    let child = command.spawn()?;
    let (file, has_ended) = (folder.join("stop"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !has_ended.load(Ordering::Relaxed) {
                if stop.is_interrupted() {
                    // again and again: a run that begins takes old requests back
                    let _ = fs::write(&file, "");
                }
                std::thread::sleep(LOOKING);
            }
            if stop.is_interrupted() {
                let _ = fs::remove_file(&file);
            }
        });
        let output = child.wait_with_output();
        has_ended.store(true, Ordering::Relaxed);
        output
    })
}
