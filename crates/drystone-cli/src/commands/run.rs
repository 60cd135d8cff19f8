//! `drystone run`.

use crate::driver::{self, Destination, Goal, Manner};
use crate::failure::Failure;
use crate::files::SceneFiles;
use std::path::PathBuf;

/// Run a scene.
///
/// Writes a run folder: bodies and contacts over time for ParaView, PyVista and h5py, probes as CSV,
/// checkpoints, a summary. Ctrl-C, SIGTERM or a file named `stop` in the folder end the run with a
/// checkpoint; `resume` goes on.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scene file.
    scene: PathBuf,
    #[command(flatten)]
    files: SceneFiles,
    /// The run folder; `runs/NAME` after the scene's name unless told otherwise.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Overwrite the run that is there.
    #[arg(long)]
    force: bool,
    /// Save the contact problem of every EVERY steps as an FCLIB file in the folder `problems` of the run.
    #[arg(long, value_name = "EVERY", value_parser = clap::value_parser!(u64).range(1..))]
    dump_problems: Option<u64>,
    #[command(flatten)]
    goal: Goal,
    #[command(flatten)]
    manner: Manner,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let scene = arguments.files.read(&arguments.scene)?;
    let folder = arguments.output.clone().unwrap_or_else(|| {
        let name = arguments.scene.file_stem().unwrap_or_else(|| "run".as_ref());
        PathBuf::from("runs").join(name)
    });
    if folder.is_file() {
        let message = format!("{}: is a file; name a folder for the run", folder.display());
        return Err(Failure::bad_input(message));
    }
    let place = Destination { folder: &folder, force: arguments.force, dump_every: arguments.dump_problems };
    driver::start(&scene, &place, &arguments.goal, &arguments.manner)
}
