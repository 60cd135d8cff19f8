//! The loop of a run: step, write, look whether to stop.

use crate::dump::Dump;
use crate::failure::{self, Failure, say};
use crate::progress::Progress;
use crate::standing::Built;
use crate::summary::{Outcome, summary, words};
use drystone::{AnySimulation, Simulation, Structure, Verdict};
use drystone_io::{RunFolder, RunWriter, Totals};
use drystone_scene::Scene;
use drystone_scene::spec::Inconsistent;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
}

impl Manner {
    /// Whether nothing but the JSON object may go to standard output.
    pub fn is_silent(&self) -> bool {
        self.json || self.quiet
    }
}

/// Where a new run goes.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The run folder.
    pub folder: &'a Path,
    /// Overwrite the run that is there.
    pub force: bool,
    /// Save the contact problem of every so many steps.
    pub dump_every: Option<u64>,
}

/// Starts a run of a scene.
pub fn start(scene: &Scene, place: &Place, goal: &Goal, manner: &Manner) -> Result<u8, Failure> {
    fn go<const D: usize>(
        mut ready: Ready,
        simulation: &mut Simulation<D>,
        place: &Place,
    ) -> Result<u8, Failure> {
        let writer = RunWriter::create(place.folder, ready.scene, simulation, place.force)?;
        let dump = place.dump_every.map(|every| Dump::start(place.folder, every, &ready.scene.title));
        ready.dump = dump.transpose()?;
        let built = Built::new(ready.scene, Structure::of(simulation));
        ready.go(simulation, writer, Totals::default(), &built)
    }
    let last = goal.last_step(scene)?;
    let mut simulation = scene.build()?;
    let ready = Ready { scene, last, manner, fresh: true, dump: None };
    match &mut simulation {
        AnySimulation::Plane(simulation) => go(ready, simulation, place),
        AnySimulation::Space(simulation) => go(ready, simulation, place),
    }
}

/// Goes on with the run of a folder.
pub fn resume(folder: &Path, goal: &Goal, manner: &Manner) -> Result<u8, Failure> {
    if let Some(summary) = finished(folder, goal)? {
        tell(&summary, folder, manner);
        let not_converged = summary["steps_not_converged"].as_u64() != Some(0);
        return Ok(if not_converged { failure::NOT_CONVERGED } else { failure::DONE });
    }
    let resumed = RunWriter::reopen(folder)?;
    let drystone_io::Resumed { writer, scene, mut simulation, totals, changes, structure } = resumed;
    if !changes.free.is_empty() && !manner.quiet {
        eprintln!("note: the scene has changed since the last checkpoint: {}", changes.granted());
    }
    let built = Built::new(&scene, structure);
    let dump = Dump::reopen(folder, &scene.title);
    let ready = Ready { scene: &scene, last: goal.last_step(&scene)?, manner, fresh: false, dump };
    match &mut simulation {
        AnySimulation::Plane(simulation) => ready.go(simulation, writer, totals, &built),
        AnySimulation::Space(simulation) => ready.go(simulation, writer, totals, &built),
    }
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
        Some("completed") => same && summary["steps"].as_u64() >= Some(last),
        _ => false,
    }))
}

/// A run about to start.
struct Ready<'a> {
    scene: &'a Scene,
    last: u64,
    manner: &'a Manner,
    fresh: bool,
    dump: Option<Dump>,
}

impl Ready<'_> {
    fn go<const D: usize>(
        self,
        simulation: &mut Simulation<D>,
        writer: RunWriter,
        totals: Totals,
        built: &Built,
    ) -> Result<u8, Failure> {
        let cores = self.manner.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().map_err(Failure::other)?;
        let threads = pool.current_num_threads();
        let every = self.scene.steps_between_outputs();
        let stop_file = writer.folder().join("stop");
        let (scene, last, dump) = (self.scene, self.last, self.dump);
        let mut run = Run { simulation, writer, totals, scene, last, every, dump };
        // a request to stop that was meant for the run before
        let _ = std::fs::remove_file(&stop_file);
        let stop = on_signal();
        let asked = || stop.load(Ordering::Relaxed) || stop_file.exists();
        let progress = Progress::new(self.manner.quiet, run.simulation.steps_done(), self.last);
        let outcome = pool.install(|| run.go(progress, self.fresh, &asked))?;
        let _ = std::fs::remove_file(&stop_file);
        let found = built.gauge(run.simulation);
        let outcome = match outcome {
            Outcome::Equilibrium if built.verdict(&found) == Some("fallen") => Outcome::Fallen,
            other => other,
        };
        let structure = built.json(&found, run.simulation);
        let summary = summary(run.simulation, &run.totals, outcome, structure, threads);
        let folder = run.writer.folder().to_owned();
        let not_converged = run.totals.steps_not_converged > 0;
        run.writer.finish(&summary)?;
        tell(&summary, &folder, self.manner);
        Ok(match outcome {
            Outcome::Stopped => failure::STOPPED,
            Outcome::Failed => failure::OTHER,
            _ if not_converged => failure::NOT_CONVERGED,
            _ => failure::DONE,
        })
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

/// A flag that SIGINT and SIGTERM raise. A second signal ends the process at once.
fn on_signal() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    // only the first run of a process can install the handler; there is only one run in a process
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(failure::STOPPED.into());
        }
    });
    flag
}

/// A run under way.
struct Run<'a, const D: usize> {
    simulation: &'a mut Simulation<D>,
    writer: RunWriter,
    totals: Totals,
    scene: &'a Scene,
    last: u64,
    every: u64,
    dump: Option<Dump>,
}

impl<const D: usize> Run<'_, D> {
    /// Steps to the end, to rest, or until asked to stop.
    ///
    /// The checkpoint of the very end is taken before its frame, so that a run which goes on later drops that
    /// frame unless it is due anyway and ends with the same files as a run that was never stopped.
    fn go(
        &mut self,
        mut progress: Progress,
        fresh: bool,
        asked_to_stop: &dyn Fn() -> bool,
    ) -> Result<Outcome, Failure> {
        if fresh {
            self.save()?;
        }
        let mut jammed = false;
        let outcome = loop {
            if jammed {
                break Outcome::Inconsistent;
            }
            if let Some(outcome) = self.verdict() {
                break outcome;
            }
            if asked_to_stop() {
                break Outcome::Stopped;
            }
            if let Some(dump) = &mut self.dump {
                dump.save(self.simulation)?;
            }
            let report = self.simulation.step();
            let clock = Instant::now();
            self.totals.add(&report);
            self.rest(report.speed);
            jammed = self.scene.solver.inconsistent == Inconsistent::Stop
                && report.trouble.is_some_and(|trouble| trouble.verdict == Verdict::Inconsistent);
            let energy = self.simulation.energy();
            self.writer.write_step(self.simulation, &report, &energy)?;
            progress.show(&report, |link| self.simulation.names(link));
            if report.step.is_multiple_of(self.every) {
                self.save()?;
            }
            self.totals.seconds_other += clock.elapsed().as_secs_f64();
        };
        progress.finish();
        if !self.simulation.steps_done().is_multiple_of(self.every) {
            self.writer.checkpoint(&self.simulation.snapshot(), &self.totals)?;
            self.writer.write_frame(self.simulation)?;
        }
        Ok(outcome)
    }

    /// A frame and the checkpoint that goes with it.
    fn save(&mut self) -> Result<(), Failure> {
        self.writer.write_frame(self.simulation)?;
        Ok(self.writer.checkpoint(&self.simulation.snapshot(), &self.totals)?)
    }

    /// Whether the run is over, and how.
    fn verdict(&self) -> Option<Outcome> {
        let resting =
            |rule: &drystone_scene::Equilibrium| self.totals.steps_at_rest >= u64::from(rule.steps.max(1));
        if !self.simulation.energy().kinetic.is_finite() {
            Some(Outcome::Failed)
        } else if self.scene.equilibrium.as_ref().is_some_and(resting) {
            Some(Outcome::Equilibrium)
        } else if self.simulation.steps_done() >= self.last {
            Some(Outcome::Completed)
        } else {
            None
        }
    }

    /// Counts steps at rest.
    fn rest(&mut self, speed: f64) {
        let slow = self.scene.equilibrium.as_ref().is_some_and(|rule| speed <= rule.speed);
        self.totals.steps_at_rest = if slow { self.totals.steps_at_rest + 1 } else { 0 };
    }
}
