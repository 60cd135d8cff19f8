//! A run taken up again at some step, to look at it: from the last checkpoint before it, or from the start.
//! Writes nothing, and needs no lock.

use crate::IoError;
use crate::checkpoint;
use crate::files;
use crate::folder::{RunFolder, scene_error};
use drystone::{AnySimulation, Simulation};
use std::path::Path;

impl RunFolder {
    /// The simulation after `steps` steps, with the same bits as in the run.
    ///
    /// Only the last checkpoints are kept: an early step of a long run is computed again from the start.
    pub fn replay(&self, steps: u64) -> Result<AnySimulation, IoError> {
        let done = self.steps_done()?;
        if steps > done {
            return Err(IoError::NoStep { path: self.path().to_owned(), step: steps, steps: done });
        }
        let mut simulation = self.scene()?.build().map_err(|error| scene_error(self.path(), error))?;
        let checkpoints = self.path().join("checkpoints");
        match &mut simulation {
            AnySimulation::Plane(simulation) => go_back(simulation, &checkpoints, steps)?,
            AnySimulation::Space(simulation) => go_back(simulation, &checkpoints, steps)?,
        }
        // with the hooks of the scene: stages, pressure
        while simulation.steps_done() < steps {
            simulation.step().map_err(|error| IoError::damaged(self.path(), error))?;
        }
        Ok(simulation)
    }

    /// Steps that the table of all steps tells of.
    pub fn steps_done(&self) -> Result<u64, IoError> {
        Ok(self.step_lines()?.last().map_or(0, |&(step, _)| step))
    }

    /// The last step that did not converge.
    pub fn last_unconverged(&self) -> Result<Option<u64>, IoError> {
        Ok(self.step_lines()?.iter().rev().find(|(_, converged)| !converged).map(|&(step, _)| step))
    }

    /// Number of every step and whether it converged. A last line cut short is left out.
    fn step_lines(&self) -> Result<Vec<(u64, bool)>, IoError> {
        let path = self.path().join("probes/steps.csv");
        let text = files::read_text(&path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        // numbered from 1 without a gap: a damaged number must not send anybody on a long way
        let read = |(index, line): (usize, &str)| -> Option<(u64, bool)> {
            let mut cells = line.split(',');
            let step = cells.next()?.parse().ok().filter(|&step| step == index as u64)?;
            Some((step, cells.nth(5)? != "0"))
        };
        let lines = whole.lines().enumerate().skip(1).map(|(index, line)| read((index, line)).ok_or(line));
        lines
            .collect::<Result<_, _>>()
            .map_err(|line| IoError::damaged(&path, format!("\"{line}\" is no line of it")))
    }
}

/// Restores the newest good checkpoint that is not too late.
fn go_back<const D: usize>(
    simulation: &mut Simulation<D>,
    checkpoints: &Path,
    steps: u64,
) -> Result<(), IoError> {
    let list = if checkpoints.is_dir() { checkpoint::list(checkpoints)? } else { Vec::new() };
    for path in list {
        if let Ok((snapshot, _)) = checkpoint::read::<D>(&path)
            && snapshot.step <= steps
        {
            return simulation.restore(snapshot).map_err(|error| IoError::damaged(&path, error));
        }
    }
    match checkpoints.parent() {
        Some(folder) => checkpoint::to_start(simulation, folder),
        None => Ok(()),
    }
}
