//! Times of detection on packings, for benches. It judges nothing and prints nothing.

use super::Packed;
use drystone_detect::{Detector, touch};
use std::time::Instant;

/// The time of one detection beside that of a plain loop over the same candidate pairs, on the current thread
/// pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectionFigure {
    /// How many contactors.
    pub contactors: usize,
    /// How many pairs the broad phase left.
    pub pairs: usize,
    /// How many contacts there are.
    pub contacts: usize,
    /// Time of a whole detection, the best of several \[s\].
    pub seconds: f64,
    /// Time of the narrow phase of all pairs one after the other on one thread \[s\].
    pub plain_seconds: f64,
}

/// Measures a packing: the best of so many detections, the bodies moving a little before each.
pub fn detection_figure<const D: usize>(packed: &Packed<D>, repeats: usize) -> DetectionFigure {
    let Packed { contactors, frames, margins, skin } = packed;
    let mut detector = Detector::with_skin(*skin);
    let mut touches = Vec::new();
    // the first fills the buffers
    let step = |turn: usize| {
        let start = Instant::now();
        detector.find(contactors, &frames[turn % frames.len()], margins, &|_, _| true, &mut touches);
        start.elapsed().as_secs_f64()
    };
    let seconds = best(repeats, step);
    let poses = &frames[repeats % frames.len()];
    let pairs = detector.candidate_pairs();
    let mut contacts = 0;
    let plain_seconds = best(repeats, |_| {
        let start = Instant::now();
        contacts = 0;
        for &[a, b] in &pairs {
            let [one, two] = [a, b].map(|k| (&contactors[k as usize].shape, &poses[k as usize]));
            let alert = margins[a as usize] + margins[b as usize];
            touch(one, two, alert, &mut |_, _, _, _| contacts += 1);
        }
        start.elapsed().as_secs_f64()
    });
    let contactors = contactors.len();
    DetectionFigure { contactors, pairs: pairs.len(), contacts, seconds, plain_seconds }
}

/// The least of so many times, after one that does not count.
fn best(repeats: usize, mut step: impl FnMut(usize) -> f64) -> f64 {
    step(0);
    (1..=repeats).map(step).fold(f64::INFINITY, f64::min)
}
