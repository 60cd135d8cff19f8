//! Contactors, rough and fine detection, the pair table. Pure geometry: no masses in motion, no laws, no files.

mod error;
mod frame;
mod mass;
mod pairs;
mod polygon;
mod polyhedron;
mod polytope;
mod rough;
mod shape;

pub use error::ShapeError;
pub use frame::frame_from_normal;
pub use mass::MassProperties;
pub use polytope::{Edge, Face, Polytope};
pub use rough::Detector;
pub use shape::{Contactor, Shape, Touch};
