//! Run folders: histories for VTK, ParaView and h5py, tables of numbers, checkpoints. Computes nothing and prints
//! nothing.

mod checkpoint;
mod error;
mod files;
mod folder;
mod hdf5;
mod probes;
mod records;
mod series;
mod surfaces;
mod table;
mod totals;
mod twin;
mod writer;

pub use error::IoError;
pub use folder::{BodyRecord, ContactRecord, Frame, RunFolder};
pub use totals::Totals;
pub use writer::{Resumed, RunWriter};
