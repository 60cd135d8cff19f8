//! `drystone bench view`.

use crate::failure::{DONE, Failure, say};
use drystone_io::RunFolder;
use drystone_serve::{FrameDepth, frame_cost};
use std::path::PathBuf;

/// What a frame of a run costs the server of `drystone view`: from the files to the bytes that are sent.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// How often all frames are made.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: u32,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let run = RunFolder::open(&arguments.folder)?;
    say(format_args!("{} bodies, {} frames", run.body_count(), run.times().len()));
    say(format_args!("{:<28} {:>10} {:>12} {:>12}", "what is in a frame", "MB", "median ms", "worst ms"));
    let kinds = [
        ("places and velocities", FrameDepth::Motion),
        ("all of the bodies", FrameDepth::Bodies),
        ("bodies and contacts", FrameDepth::All),
    ];
    for (name, depth) in kinds {
        let mut costs = Vec::new();
        for _ in 0..arguments.rounds.max(1) {
            costs.extend(frame_cost(&arguments.folder, depth)?);
        }
        costs.sort_by_key(|cost| cost.time);
        let (Some(median), Some(worst)) = (costs.get(costs.len() / 2), costs.last()) else { continue };
        let largest = costs.iter().map(|cost| cost.bytes).max().unwrap_or(0) as f64 / 1e6;
        let [median, worst] = [median, worst].map(|cost| 1e3 * cost.time.as_secs_f64());
        say(format_args!("{name:<28} {largest:>10.2} {median:>12.1} {worst:>12.1}"));
    }
    Ok(DONE)
}
