//! Rock: regions cut into convex blocks by sets of joints or around points (Voronoi). No cohesion, no water:
//! that is up to the laws between the blocks.

mod cell;
mod joints;
mod voronoi;

pub use cell::{ConvexCell, CutPlane};
pub use joints::{JointSet, cut_rock};
pub use voronoi::{voronoi, voronoi_cells};
