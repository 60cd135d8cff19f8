//! `drystone resume`.

use crate::driver::{self, Goal, Manner};
use crate::failure::Failure;
use std::path::PathBuf;

/// Go on with a run from its last checkpoint, with the same bits as if it had never stopped.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    #[command(flatten)]
    goal: Goal,
    #[command(flatten)]
    manner: Manner,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    driver::resume(&arguments.folder, &arguments.goal, &arguments.manner)
}
