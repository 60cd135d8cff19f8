//! `drystone check`.

use crate::failure::{DONE, Failure, say};
use crate::files::SceneFiles;
use drystone_scene::check;
use std::path::PathBuf;

/// Read a scene, build it and look it over, without running it.
///
/// Reports overlaps at the start, mass and size ratios, expected memory and output, and what looks like a
/// slip.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scene file.
    scene: PathBuf,
    #[command(flatten)]
    files: SceneFiles,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let report = check(&arguments.files.read(&arguments.scene)?)?;
    if arguments.json {
        say(serde_json::to_string(&report).map_err(Failure::other)?);
    } else {
        say(report);
    }
    Ok(DONE)
}
