//! What the command watches while a run goes on: progress, requests to stop, rest, problems to save. Frames,
//! tables and checkpoints are the sink's.

use crate::dump::Dump;
use crate::failure::Failure;
use crate::progress::ProgressDisplay;
use crate::summary::Outcome;
use drystone::{AnySimulation, HookError, Monitor, Sink, StepReport, Verdict};
use drystone_io::{IoError, RunSink};
use drystone_scene::spec::Inconsistent;
use drystone_scene::{Equilibrium, Scene, stage_state};
use std::path::PathBuf;
use std::time::Duration;

/// How somebody asks a run to stop.
#[derive(Clone)]
pub struct Stop {
    /// Interrupted by SIGINT and SIGTERM.
    pub monitor: Monitor,
    /// A file that asks for it.
    pub file: PathBuf,
    /// While this file is there the run waits.
    pub pause: PathBuf,
}

/// How often a run that waits looks whether it may go on.
const WAITING: Duration = Duration::from_millis(50);

impl Stop {
    fn is_asked_for(&self) -> bool {
        self.monitor.is_interrupted() || self.file.exists()
    }

    /// Interrupts the step that is going on where a file asks for it.
    pub fn look(&self) {
        if self.file.exists() {
            self.monitor.interrupt();
        }
    }

    /// Waits as long as somebody wants the run to wait and not to stop.
    fn wait(&self) {
        while self.pause.exists() && !self.is_asked_for() {
            std::thread::sleep(WAITING);
        }
    }

    /// Takes requests back: those meant for the run before, or those that were met.
    pub fn clear(&self) {
        let _ = std::fs::remove_file(&self.file);
        let _ = std::fs::remove_file(&self.pause);
    }
}

/// A run folder being written, and what the command looks at beside it.
pub struct Watched<'a> {
    /// The run folder.
    pub sink: RunSink,
    /// The scene of the run.
    pub scene: &'a Scene,
    /// Its last step.
    pub last: u64,
    /// Problems to be saved on the way.
    pub dump: Option<Dump>,
    /// What a person sees.
    pub progress: ProgressDisplay,
    /// How to stop it.
    pub stop: Stop,
    /// Whether the last step had no solution and the scene asks to end there.
    pub is_inconsistent: bool,
    /// Why the sink failed: the loop keeps its words only.
    pub failure: Option<Failure>,
}

impl Watched<'_> {
    /// Whether the run is over, and how.
    pub fn end(&self, simulation: &AnySimulation) -> Option<Outcome> {
        let at_rest = self.sink.totals().steps_at_rest;
        let resting = |rule: &Equilibrium| at_rest >= u64::from(rule.steps.max(1));
        if self.is_inconsistent {
            Some(Outcome::Inconsistent)
        } else if !simulation.energy().kinetic.is_finite() {
            Some(Outcome::Failed)
        } else if self.scene.equilibrium.as_ref().is_some_and(resting) {
            Some(Outcome::Equilibrium)
        } else if simulation.steps_done() >= self.last || self.has_no_stage_left(simulation) {
            Some(Outcome::Completed)
        } else {
            None
        }
    }

    /// Whether the last stage of the scene has ended.
    fn has_no_stage_left(&self, simulation: &AnySimulation) -> bool {
        stage_state(self.scene, simulation).is_some_and(|state| state.finished)
    }

    /// Counts steps at rest.
    fn rest(&mut self, speed: f64) {
        let slow = self.scene.equilibrium.as_ref().is_some_and(|rule| speed <= rule.speed);
        let totals = self.sink.totals_mut();
        totals.steps_at_rest = if slow { totals.steps_at_rest + 1 } else { 0 };
    }

    /// Remembers why writing failed, with its exit code.
    fn remember<T>(&mut self, done: Result<T, HookError>) -> Result<T, HookError> {
        done.map_err(|error| match error.downcast::<IoError>() {
            Ok(error) => {
                let failure = Failure::from(*error);
                let message = failure.message.clone();
                self.failure = Some(failure);
                message.into()
            }
            Err(error) => error,
        })
    }
}

impl Sink for Watched<'_> {
    fn wants_step(&mut self, simulation: &mut AnySimulation) -> Result<bool, HookError> {
        if self.end(simulation).is_some() {
            return Ok(false);
        }
        self.stop.wait();
        if self.stop.is_asked_for() {
            return Ok(false);
        }
        let saved = match (&mut self.dump, simulation) {
            (None, _) => Ok(()),
            (Some(dump), AnySimulation::Plane(simulation)) => dump.save(simulation),
            (Some(dump), AnySimulation::Space(simulation)) => dump.save(simulation),
        };
        saved.map(|()| true).map_err(|failure| {
            let message = failure.message.clone();
            self.failure = Some(failure);
            message.into()
        })
    }

    fn step(&mut self, simulation: &AnySimulation, report: &StepReport) -> Result<(), HookError> {
        let written = self.sink.step(simulation, report);
        self.remember(written)?;
        self.rest(report.speed);
        self.is_inconsistent = self.scene.solver.inconsistent == Inconsistent::Stop
            && report.trouble.is_some_and(|trouble| trouble.verdict == Verdict::Inconsistent);
        self.progress.show(report, |link| match simulation {
            AnySimulation::Plane(simulation) => simulation.names(link),
            AnySimulation::Space(simulation) => simulation.names(link),
        });
        Ok(())
    }

    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        let written = self.sink.frame(simulation);
        self.remember(written)
    }

    fn last_frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        let written = self.sink.last_frame(simulation);
        self.remember(written)
    }
}
