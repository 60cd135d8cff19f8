//! Dense packings of bodies and the time it takes to find their contacts. Knows no problem and no solver.

mod figures;
mod packing;
#[cfg(feature = "parry")]
mod parry;
mod tasks;

pub use figures::{DetectionFigure, detection_figure};
pub use packing::Packed;
pub use tasks::{PackedSample, PackingTask, tasks};
