//! Many bodies from a few numbers, the same ones for the same seed. Pure geometry: no file, no simulation.

mod arch;
mod container;
mod error;
mod feed;
mod forms;
mod grains;
mod masonry;
mod near;
mod packing;
mod packings;
mod polygons;
mod random;
mod rock;
mod rough;
mod sizes;

pub use arch::{Voussoir, semicircular_arch};
pub use container::{BetweenWalls, Container, Cuboid, Inside, RoundContainer, Tube};
pub use error::SampleError;
pub use feed::{Arrival, FeedRate, GrainSource, Outlet};
pub use forms::{GrainForm, GrainShape, PolyhedronForm, ShapePart, ShapedGrain};
pub use grains::{Grain, grid_of_grains, radii};
pub use masonry::{
    Arch, Arena, BarrelVault, BatteredWall, Beds, Bond, Capital, Column, CrossVault, Dome, Stone,
    TwoLeafWall, Wall, WallOpening, extruded,
};
pub use packing::packed_disks;
pub use packings::{
    GrowthParams, Lattice, deposit, fill_by_deposit, grow, lattice, random_sequential, solid_fraction,
};
pub use polygons::regular_polygons;
pub use random::Random;
pub use rock::{ConvexCell, CutPlane, JointSet, cut_rock, voronoi, voronoi_cells};
pub use rough::{rough_floor, rough_line};
pub use sizes::{CountBy, GrainSizes, SieveCurve, ball_volume};
