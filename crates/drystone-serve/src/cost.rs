//! What the frames of a run cost the server, from its files to the bytes that are sent. Judges nothing.

use crate::ServeError;
use crate::cache::FrameDepth;
use crate::shown::Shown;
use std::path::Path;
use std::time::{Duration, Instant};

/// The cost of one frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameCost {
    /// From its number to its bytes, none of it kept from before.
    pub time: Duration,
    /// Of that, the time on a processor: what it would take on a machine that does nothing else. None where
    /// the system does not tell.
    pub busy: Option<Duration>,
    /// How many bytes they are.
    pub bytes: usize,
}

/// What each frame of a run costs with as much of it as is wanted, one after the other, `rounds` times.
pub fn frame_cost(folder: &Path, depth: FrameDepth, rounds: u32) -> Result<Vec<FrameCost>, ServeError> {
    let shown = Shown::open(folder, false)?;
    // told once, before the first frame
    shown.description()?;
    let measure = |index: usize| {
        let (begun, before) = (Instant::now(), busy());
        let bytes = shown.made(index, depth)?.len();
        let busy = busy().zip(before).map(|(after, before)| after.saturating_sub(before));
        Ok(FrameCost { time: begun.elapsed(), busy, bytes })
    };
    let frames = shown.times()?.len();
    (0..rounds).flat_map(|_| 0..frames).map(measure).collect()
}

/// Time that this thread has been on a processor, as Linux tells.
fn busy() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
