//! A run folder as a sink of frames, for the command and for programs. The order of writing is the writer's.

use crate::{IoError, Resumed, RunWriter, Totals};
use drystone::{AnySimulation, HookError, Sink, StepReport};
use drystone_scene::Scene;
use std::path::Path;
use std::time::Instant;

/// Writes a run folder: a frame and a checkpoint whenever it is given a frame, a line for each step.
pub struct RunSink {
    writer: RunWriter,
    totals: Totals,
}

/// Calls the simulation of whichever dimension it is.
macro_rules! each {
    ($any:expr, $simulation:ident => $call:expr) => {
        match $any {
            AnySimulation::Plane($simulation) => $call,
            AnySimulation::Space($simulation) => $call,
        }
    };
}

impl RunSink {
    /// Starts a run folder for a simulation as the scene builds it, in which bodies may come and go.
    pub fn create(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &AnySimulation,
        force: bool,
    ) -> Result<Self, IoError> {
        let writer =
            each!(simulation, simulation => RunWriter::create_open(folder, scene, simulation, force));
        Ok(Self::new(writer?, Totals::default()))
    }

    /// Starts a run folder as the scene asks for: bodies come and go where one of its stages takes some away.
    pub fn create_for(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &AnySimulation,
        force: bool,
    ) -> Result<Self, IoError> {
        match scene.bodies_change() {
            true => Self::create(folder, scene, simulation, force),
            false => Self::create_fixed(folder, scene, simulation, force),
        }
    }

    /// The same for a run in which the bodies stay the same: its histories name them once.
    pub fn create_fixed(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &AnySimulation,
        force: bool,
    ) -> Result<Self, IoError> {
        let writer = each!(simulation, simulation => RunWriter::create(folder, scene, simulation, force));
        Ok(Self::new(writer?, Totals::default()))
    }

    /// Goes on with a folder from its last good checkpoint. Signals, hooks and laws that the program had set
    /// are to be set again.
    pub fn resume(folder: impl AsRef<Path>) -> Result<(Self, AnySimulation), IoError> {
        let Resumed { writer, simulation, totals, .. } = RunWriter::reopen(folder)?;
        Ok((Self::new(writer, totals), simulation))
    }

    /// Goes on with a writer and the totals of the steps that it has written.
    pub fn new(writer: RunWriter, totals: Totals) -> Self {
        Self { writer, totals }
    }

    /// The sums over the steps so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The same, for what belongs to the caller.
    pub fn totals_mut(&mut self) -> &mut Totals {
        &mut self.totals
    }

    /// The writer.
    pub fn writer(&self) -> &RunWriter {
        &self.writer
    }

    /// The writer, to end the run with a summary.
    pub fn into_writer(self) -> RunWriter {
        self.writer
    }

    fn write_frame(&mut self, simulation: &AnySimulation) -> Result<(), IoError> {
        each!(simulation, simulation => self.writer.write_frame(simulation))
    }

    fn checkpoint(&mut self, simulation: &AnySimulation) -> Result<(), IoError> {
        each!(simulation, simulation => self.writer.checkpoint(&simulation.snapshot(), &self.totals))
    }

    /// Adds the time since `clock` to that of the output.
    fn clocked<T>(&mut self, clock: Instant, done: T) -> T {
        self.totals.seconds_other += clock.elapsed().as_secs_f64();
        done
    }
}

impl Sink for RunSink {
    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        // a run that was stopped before its first step has that frame already
        if simulation.steps_done() == 0 && self.writer.frames() > 0 {
            return Ok(());
        }
        let clock = Instant::now();
        self.write_frame(simulation)?;
        self.checkpoint(simulation)?;
        // a run that goes on from another cannot be computed again from its scene alone
        if simulation.steps_done() == 0 && simulation.clock() > 0 {
            self.writer.keep_start()?;
        }
        self.clocked(clock, Ok(()))
    }

    fn step(&mut self, simulation: &AnySimulation, report: &StepReport) -> Result<(), HookError> {
        let clock = Instant::now();
        self.totals.add(report);
        let energy = simulation.energy();
        each!(simulation, simulation => self.writer.write_step(simulation, report, &energy))?;
        self.clocked(clock, Ok(()))
    }

    /// The checkpoint comes before the frame, so that a run which goes on later drops that frame and ends
    /// with the same files as a run that was never stopped.
    fn last_frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        self.checkpoint(simulation)?;
        Ok(self.write_frame(simulation)?)
    }
}
