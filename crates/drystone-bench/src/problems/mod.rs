//! Problems of many contacts from a few numbers. Knows no solver.

mod lattice;
mod packing;

pub use lattice::lattice;
pub use packing::packing;
