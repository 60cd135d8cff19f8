//! Contactors, rough and fine detection, the pair table. Pure geometry: no masses in motion, no laws, no files.

mod ball;
mod cells;
mod convex;
mod cut;
mod edges;
mod error;
mod feature;
mod frame;
mod half_space;
mod hull;
mod mass;
mod merge;
mod pairs;
mod patch;
mod polygon;
mod polyhedron;
mod polytope;
mod rough;
mod segment;
mod shape;
mod single;

pub use error::ShapeError;
pub use frame::frame_from_normal;
pub use mass::MassProperties;
pub use polytope::{Edge, Face, Polytope};
pub use rough::Detector;
pub use shape::{Contactor, Shape, Touch};
