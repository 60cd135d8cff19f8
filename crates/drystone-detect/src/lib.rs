//! Detection: from placed shapes to contact points, by a broad phase (`broad`) and a narrow phase (`narrow`).
//! No masses, no motion, no laws, no files.

mod broad;
mod contact_point;
mod detector;
mod figures;
mod narrow;
mod packing;

pub use broad::cell::{Cell, LEVEL_AXES, Misfit};
pub use broad::periodic::PeriodicDetector;
pub use contact_point::ContactPoint;
pub use detector::Detector;
pub use figures::{DetectionFigure, detection_figure};
pub use narrow::pairs::contact_points_of_pair;
pub use narrow::passing::{PLACES, Passing, is_wide};
pub use narrow::reduce::reduce_patches;
pub use narrow::share::shares;
pub use packing::Packed;
