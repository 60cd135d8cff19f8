//! A run folder as a sink of frames, for programs. The order of writing is the writer's.

use crate::{IoError, Resumed, RunWriter, Totals};
use drystone::{AnySimulation, HookError, Sink, StepReport};
use drystone_scene::Scene;
use std::path::Path;

/// Writes a run folder: a frame and a checkpoint whenever it is given a frame, a line for each step.
pub struct RunSink {
    writer: RunWriter,
    totals: Totals,
}

impl RunSink {
    /// Starts a run folder for a simulation as the scene builds it, in which bodies may come and go.
    pub fn create(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &AnySimulation,
        force: bool,
    ) -> Result<Self, IoError> {
        let writer = match simulation {
            AnySimulation::Plane(simulation) => RunWriter::create_open(folder, scene, simulation, force),
            AnySimulation::Space(simulation) => RunWriter::create_open(folder, scene, simulation, force),
        }?;
        Ok(Self { writer, totals: Totals::default() })
    }

    /// Goes on with a folder from its last good checkpoint. Signals, hooks and laws that the program had set
    /// are to be set again.
    pub fn resume(folder: impl AsRef<Path>) -> Result<(Self, AnySimulation), IoError> {
        let Resumed { writer, simulation, totals, .. } = RunWriter::reopen(folder)?;
        Ok((Self { writer, totals }, simulation))
    }

    /// The writer, to end the run with a summary.
    pub fn into_writer(self) -> RunWriter {
        self.writer
    }
}

impl Sink for RunSink {
    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        match simulation {
            AnySimulation::Plane(simulation) => {
                self.writer.write_frame(simulation)?;
                self.writer.checkpoint(&simulation.snapshot(), &self.totals)?;
            }
            AnySimulation::Space(simulation) => {
                self.writer.write_frame(simulation)?;
                self.writer.checkpoint(&simulation.snapshot(), &self.totals)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, simulation: &AnySimulation, report: &StepReport) -> Result<(), HookError> {
        self.totals.add(report);
        match simulation {
            AnySimulation::Plane(simulation) => {
                self.writer.write_step(simulation, report, &simulation.energy())?;
            }
            AnySimulation::Space(simulation) => {
                self.writer.write_step(simulation, report, &simulation.energy())?;
            }
        }
        Ok(())
    }
}
