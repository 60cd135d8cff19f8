//! Problems of many contacts from a few numbers. Knows no solver.

mod clusters;
mod lattice;
mod packing;

pub use clusters::{Cluster, ClusterKind};
pub use lattice::lattice;
pub use packing::packing;
