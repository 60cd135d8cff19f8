//! `drystone bench view`.

use crate::failure::{DONE, Failure, say};
use drystone_io::RunFolder;
use drystone_serve::{FrameCost, FrameDepth, frame_cost};
use std::path::PathBuf;
use std::time::Duration;

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
    say(format_args!(
        "{:<28} {:>10} {:>12} {:>12} {:>14}",
        "what is in a frame", "MB", "median ms", "worst ms", "processor ms"
    ));
    let kinds = [
        ("places and velocities", FrameDepth::Motion),
        ("all of the bodies", FrameDepth::Bodies),
        ("bodies and contacts", FrameDepth::All),
    ];
    for (name, depth) in kinds {
        let costs = frame_cost(&arguments.folder, depth, arguments.rounds.max(1))?;
        let sorted = |of: &dyn Fn(&FrameCost) -> Option<Duration>| {
            let mut times: Vec<f64> =
                costs.iter().filter_map(of).map(|time| 1e3 * time.as_secs_f64()).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        let (times, busy) = (sorted(&|cost| Some(cost.time)), sorted(&|cost| cost.busy));
        let (Some(median), Some(worst)) = (times.get(times.len() / 2), times.last()) else { continue };
        let busy = busy.get(busy.len() / 2).map_or("-".into(), |time| format!("{time:.1}"));
        let largest = costs.iter().map(|cost| cost.bytes).max().unwrap_or(0) as f64 / 1e6;
        say(format_args!("{name:<28} {largest:>10.2} {median:>12.1} {worst:>12.1} {busy:>14}"));
    }
    Ok(DONE)
}
