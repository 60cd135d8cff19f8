//! Many bodies from a few numbers, the same ones for the same seed. Pure geometry: no file, no simulation.

mod arch;
mod grains;
mod packing;
mod polygons;

pub use arch::{Voussoir, semicircular_arch};
pub use grains::{Grain, grid_of_grains, radii};
pub use packing::packed_disks;
pub use polygons::regular_polygons;
