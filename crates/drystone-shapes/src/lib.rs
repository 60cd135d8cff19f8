//! Contactors, rough and fine detection, the pair table. Pure geometry: no masses in motion, no laws, no files.

mod frame;
mod shape;

pub use frame::frame_from_normal;
pub use shape::{Contactor, Shape, Touch};
