//! Many bodies from a few numbers, the same ones for the same seed. Pure geometry: no file, no simulation.

mod arch;
mod grains;

pub use arch::{Voussoir, semicircular_arch};
pub use grains::{Grain, grid_of_grains, radii};
