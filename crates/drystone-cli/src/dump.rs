//! The problems of a run, saved on the way: `problems/step-NNNNNN.hdf5` in its folder. Changes nothing of the
//! run.

use crate::failure::Failure;
use drystone::Simulation;
use drystone_io::{Info, IoError, write_problem};
use std::path::{Path, PathBuf};

/// Where a run folder keeps its problems.
const FOLDER: &str = "problems";

/// The file that tells a resumed run to go on saving: every how many steps.
const EVERY: &str = "every.txt";

/// Saves the problem of every so many steps.
pub struct Dump {
    folder: PathBuf,
    every: u64,
    title: String,
    warned: bool,
}

impl Dump {
    /// Prepares a new run, whose folder is there.
    pub fn start(run: &Path, every: u64, title: &str) -> Result<Self, Failure> {
        let folder = run.join(FOLDER);
        let failed = |error| Failure::other(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        std::fs::write(folder.join(EVERY), format!("{every}\n")).map_err(failed)?;
        Ok(Self { folder, every: every.max(1), title: title.to_owned(), warned: false })
    }

    /// Goes on as the run began; none where it saved no problems.
    pub fn reopen(run: &Path, title: &str) -> Option<Self> {
        let folder = run.join(FOLDER);
        let text = drystone_io::read_text(&folder.join(EVERY)).ok()?;
        let every = text.trim().parse().ok().filter(|&every| every > 0)?;
        Some(Self { folder, every, title: title.to_owned(), warned: false })
    }

    /// Saves the problem of the step that comes next, where it is due and has contacts.
    pub fn save<const D: usize>(&mut self, simulation: &mut Simulation<D>) -> Result<(), Failure> {
        let step = simulation.steps_done() + 1;
        if !step.is_multiple_of(self.every) {
            return Ok(());
        }
        let problem = simulation.problem();
        if problem.contacts() == 0 {
            return Ok(());
        }
        let settings = simulation.settings();
        let (h, theta) = (settings.step, settings.theta);
        let description = format!(
            "step {step}, time {} s, time step {h} s, theta {theta}, {} bodies, {} contacts; written by drystone {}",
            step as f64 * h,
            simulation.bodies().len(),
            problem.contacts(),
            env!("CARGO_PKG_VERSION")
        );
        let path = self.folder.join(format!("step-{step:06}.hdf5"));
        match write_problem(&path, &problem, &Info::new(&self.title, &description), None, None) {
            // a law the format has no words for is no reason to end the run
            Err(error @ IoError::Problem { .. }) => {
                if !std::mem::replace(&mut self.warned, true) {
                    eprintln!("warning: {error}; such steps are not saved");
                }
                Ok(())
            }
            written => Ok(written?),
        }
    }
}
