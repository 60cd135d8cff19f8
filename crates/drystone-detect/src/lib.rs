//! Detection: from placed shapes to contact points, by a broad phase (`broad`) and a narrow phase (`narrow`).
//! No masses, no motion, no laws, no files.

mod broad;
mod contact_point;
mod detector;
mod narrow;

pub use broad::cell::{Cell, LEVEL_AXES, Misfit};
pub use broad::periodic::PeriodicDetector;
pub use contact_point::ContactPoint;
pub use detector::Detector;
pub use narrow::own::contact_points_with_itself;
pub use narrow::pairs::{contact_points_of_pair, touch};
pub use narrow::passing::{PLACES, Passing, breadth};
pub use narrow::reduce::reduce_patches;
pub use narrow::share::shares;
pub use narrow::skin::{SkinFeature, skin_area, skin_feature};
pub use narrow::spread::{SkinBuffers, SkinPair};
pub use narrow::spreads::{FacetPlace, SpreadContact, SpreadPoint, SpreadSides, Spreads};
