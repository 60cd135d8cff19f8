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
    /// How many they are.
    pub bytes: usize,
}

/// What each frame of a run costs with as much of it as is wanted, one after the other.
pub fn frame_cost(folder: &Path, depth: FrameDepth) -> Result<Vec<FrameCost>, ServeError> {
    let shown = Shown::open(folder, false)?;
    // told once, before the first frame
    shown.description()?;
    let measure = |index: usize| {
        let begun = Instant::now();
        let bytes = shown.frame(index, depth)?.len();
        Ok(FrameCost { time: begun.elapsed(), bytes })
    };
    (0..shown.times()?.len()).map(measure).collect()
}
