//! A run of the command: where it goes, how far, and how it ends. The loop is the library's, what is watched
//! on the way `watch`'s.

use crate::answer;
use crate::dump::Dump;
use crate::failure::{self, Failure, say};
use crate::outcome::Outcome;
use crate::progress::ProgressDisplay;
use crate::standing::Built;
use crate::summary::{summary, words};
use crate::watch::{Stop, Watched};
use drystone::{AnySimulation, ChangeError, Monitor, Simulation, Sink, Structure};
use drystone_io::{RunFolder, RunSink, RunWriter};
use drystone_scene::Scene;
use drystone_serve::{Server, Stopper};
use serde_json::Value;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a step that goes on is looked at: for a file that asks to stop, and to show how far it is.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// How far a run goes.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Goal {
    /// End after this step instead of at the end of the scene.
    #[arg(long, value_name = "N", conflicts_with = "until")]
    steps: Option<u64>,
    /// End at this time [s] instead of at the end of the scene.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    until: Option<f64>,
}

impl Goal {
    /// The last step of the run.
    fn last_step(&self, scene: &Scene) -> Result<u64, Failure> {
        match (self.steps, self.until) {
            (Some(steps), _) => Ok(steps),
            (_, Some(until)) if until > 0.0 && until / scene.time.step < 1e15 => {
                Ok((until / scene.time.step).round() as u64)
            }
            (_, Some(until)) => {
                Err(Failure::bad_input(format!("--until {until:e}: allowed is a positive time in s")))
            }
            (None, None) => Ok(scene.steps()),
        }
    }
}

/// How a run shows itself.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Manner {
    /// Threads to use; all cores unless told otherwise. The result has the same bits on any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// End with one JSON object on standard output.
    #[arg(long)]
    json: bool,
    /// Show no progress and no warnings.
    #[arg(long, short)]
    quiet: bool,
    /// Show the run in the browser as it goes, and until Ctrl-C after its end.
    #[arg(long)]
    view: bool,
}

impl Manner {
    /// Whether nothing but the JSON object may go to standard output.
    pub fn is_silent(&self) -> bool {
        self.json || self.quiet
    }
}

/// Where a new run goes.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The run folder.
    pub folder: &'a Path,
    /// Overwrite the run that is there.
    pub force: bool,
    /// Save the contact problem of every so many steps.
    pub dump_every: Option<u64>,
}

/// Starts a run of a scene.
pub fn start(scene: &Scene, place: &Destination, goal: &Goal, manner: &Manner) -> Result<u8, Failure> {
    let last = goal.last_step(scene)?;
    // a copy of a scene would have to be laid out again
    let mut later;
    let (scene, simulation) = match scene.origin() {
        None => (scene, scene.build()?),
        Some(_) => {
            later = scene.clone();
            let simulation = drystone_io::begin(&mut later)?;
            (&later, simulation)
        }
    };
    let sink = RunSink::create_for(place.folder, scene, &simulation, place.force)?;
    let dump = place.dump_every.map(|every| Dump::start(place.folder, every, &scene.title)).transpose()?;
    let structure = match &simulation {
        AnySimulation::Plane(simulation) => Structure::of(simulation),
        AnySimulation::Space(simulation) => Structure::of(simulation),
    };
    let built = Built::new(scene, structure);
    Run { scene, last, manner, built }.go(simulation, sink, dump)
}

/// Goes on with the run of a folder.
pub fn resume(folder: &Path, goal: &Goal, manner: &Manner) -> Result<u8, Failure> {
    if let Some(summary) = finished(folder, goal)? {
        tell(&summary, folder, manner);
        let not_converged = summary["steps_not_converged"].as_u64() != Some(0);
        return Ok(if not_converged { failure::NOT_CONVERGED } else { failure::DONE });
    }
    let resumed = RunWriter::reopen(folder)?;
    let drystone_io::Resumed { writer, scene, simulation, totals, changes, structure } = resumed;
    if !changes.free.is_empty() && !manner.quiet {
        eprintln!("note: the scene has changed since the last checkpoint: {}", changes.granted());
    }
    let built = Built::new(&scene, structure);
    let dump = Dump::reopen(folder, &scene.title);
    let run = Run { scene: &scene, last: goal.last_step(&scene)?, manner, built };
    run.go(simulation, RunSink::new(writer, totals), dump)
}

/// The summary of a run that has nothing left to do: it came to rest, or as far as it is asked to go, and the
/// scene says so still.
fn finished(folder: &Path, goal: &Goal) -> Result<Option<Value>, Failure> {
    let run = RunFolder::open(folder)?;
    let scene = run.scene()?;
    let last = goal.last_step(&scene)?;
    let same = run.changes(&scene)?.free.is_empty();
    Ok(run.summary()?.filter(|summary| match summary["outcome"].as_str() {
        Some("equilibrium" | "fallen") => same,
        Some("completed") => {
            let finished = summary["stages"]["finished"].as_bool() == Some(true);
            same && (finished || summary["steps"].as_u64() >= Some(last))
        }
        _ => false,
    }))
}

/// A run about to start.
struct Run<'a> {
    scene: &'a Scene,
    last: u64,
    manner: &'a Manner,
    built: Built,
}

impl Run<'_> {
    fn go(&self, mut simulation: AnySimulation, sink: RunSink, dump: Option<Dump>) -> Result<u8, Failure> {
        let cores = self.manner.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().map_err(Failure::other)?;
        let progress = ProgressDisplay::new(self.manner.quiet, simulation.steps_done(), self.last);
        let [file, pause] = ["stop", "pause"].map(|name| sink.writer().folder().join(name));
        let stop = Stop { monitor: on_signal(), file, pause };
        stop.clear();
        let page = self.manner.view.then(|| Page::open(sink.writer().folder(), self.manner)).transpose()?;
        simulation.watch(&stop.monitor);
        let (scene, last) = (self.scene, self.last);
        let (looker, looker_progress) = (stop.clone(), progress.inside());
        let mut watched =
            Watched { sink, scene, last, dump, progress, stop, is_inconsistent: false, failure: None };
        let every = scene.steps_between_outputs();
        let ran = std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            scope.spawn(move || {
                while ended.recv_timeout(LOOK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    looker.look();
                    looker_progress.show(&looker.monitor);
                }
            });
            let ran = pool.install(|| simulation.run_to_step(last, every, &mut watched));
            drop(done);
            ran
        });
        let mut outcome = watched.end(&simulation).unwrap_or(Outcome::Stopped);
        let mut collapsed = None;
        if let Err(error @ ChangeError::Solid { .. }) = &ran {
            // the state is that before the step: worth a frame and a summary
            (outcome, collapsed) = (Outcome::Failed, Some(Failure::other(error)));
            if !simulation.steps_done().is_multiple_of(every) {
                let shown = watched.last_frame(&simulation);
                shown.map_err(|error| watched.failure.take().unwrap_or_else(|| Failure::other(error)))?;
            }
        }
        let Watched { sink, progress, stop, failure, .. } = watched;
        progress.finish();
        if collapsed.is_none() {
            ran.map_err(|error| failure.unwrap_or_else(|| Failure::other(error)))?;
        }
        let asked = stop.file.exists();
        if asked {
            // the file may have been seen between two steps: the next signal ends the process either way
            stop.monitor.interrupt();
        }
        stop.clear();
        let threads = pool.current_num_threads();
        let stages = answer::stages(scene, &simulation);
        let code = match &simulation {
            AnySimulation::Plane(simulation) => self.end(simulation, sink, outcome, stages, threads),
            AnySimulation::Space(simulation) => self.end(simulation, sink, outcome, stages, threads),
        }?;
        if let Some(page) = page {
            page.stay(&stop.monitor, asked);
        }
        collapsed.map_or(Ok(code), Err)
    }

    /// Judges the structure and writes the summary.
    fn end<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        sink: RunSink,
        outcome: Outcome,
        stages: Value,
        threads: usize,
    ) -> Result<u8, Failure> {
        let found = self.built.gauge(simulation);
        let outcome = match outcome {
            Outcome::Equilibrium if self.built.verdict(&found) == Some("fallen") => Outcome::Fallen,
            other => other,
        };
        let structure = self.built.json(&found, simulation);
        let mut summary = summary(simulation, sink.totals(), outcome, structure, threads);
        summary["answer"] = answer::answer(self.scene, simulation, outcome, self.built.verdict(&found));
        summary["stages"] = stages;
        let folder = sink.writer().folder().to_owned();
        let not_converged = sink.totals().steps_not_converged > 0;
        sink.into_writer().finish(&summary)?;
        tell(&summary, &folder, self.manner);
        if outcome == Outcome::Stopped && !self.manner.quiet {
            eprintln!("go on with: drystone resume {}", failure::quoted(&folder));
        }
        Ok(match outcome {
            Outcome::Stopped => failure::STOPPED,
            Outcome::Failed => failure::OTHER,
            _ if not_converged => failure::NOT_CONVERGED,
            _ => failure::DONE,
        })
    }
}

/// The page of a run in progress, served by a thread of its own.
struct Page {
    stopper: Stopper,
    serving: JoinHandle<()>,
    address: String,
    quiet: bool,
}

impl Page {
    fn open(folder: &Path, manner: &Manner) -> Result<Self, Failure> {
        let server = Server::open(folder, None)?;
        let address = format!("http://{}", server.address());
        eprintln!("watch it at {address}");
        let stopper = server.stopper();
        let serving = std::thread::spawn(move || server.serve());
        Ok(Self { stopper, serving, address, quiet: manner.quiet })
    }

    /// Goes on showing the run that has ended, until a signal. One that a file `asked` to end has interrupted
    /// the monitor already; the next signal then ends the process.
    fn stay(self, monitor: &Monitor, asked: bool) {
        let goes_on = || asked || !monitor.is_interrupted();
        if goes_on() && !self.quiet {
            eprintln!("the run has ended; still shown at {} (Ctrl-C ends)", self.address);
        }
        while goes_on() && !self.serving.is_finished() {
            std::thread::sleep(Duration::from_millis(50));
        }
        self.stopper.stop();
        let _ = self.serving.join();
    }
}

/// Ends a run with its summary.
fn tell(summary: &Value, folder: &Path, manner: &Manner) {
    if manner.json {
        say(summary);
    } else if !manner.quiet {
        say(words(summary));
        say(format_args!("{:<14}{}", "run folder", folder.display()));
    }
}

/// What SIGINT and SIGTERM interrupt. A second signal ends the process at once.
pub fn on_signal() -> Monitor {
    let monitor = Monitor::new();
    let interrupted = monitor.clone();
    // only the first run of a process can install the handler; there is only one run in a process
    let _ = ctrlc::set_handler(move || {
        if interrupted.is_interrupted() {
            std::process::exit(failure::STOPPED.into());
        }
        interrupted.interrupt();
    });
    monitor
}
