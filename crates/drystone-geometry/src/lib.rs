//! Shapes: what they are made of, their mass properties, boxes around them, convex pieces. Pure geometry of
//! one shape at a time: how two of them touch is found by `drystone-detect`.

pub mod aabb;
#[cfg(feature = "serde")]
mod arrays;
pub mod columns;
mod decompose;
mod delaunay;
mod ears;
mod error;
mod frame;
mod hull;
mod mass;
mod mass_rounded;
mod merge;
mod moments;
mod neighbour;
mod outline;
pub mod pieces;
mod planar;
mod polygon;
mod polyhedron;
pub mod polytope;
#[cfg(feature = "serde")]
mod restored;
mod scaled;
mod shape;
mod skin_shape;
pub mod surface;
mod surface_build;
mod surface_mesh;
mod thickness;
pub mod tree;
mod triangles;

pub use decompose::decompose;
pub use delaunay::delaunay;
pub use ears::{EarChoice, clip_ears};
pub use error::ShapeError;
pub use frame::{common_perpendicular, frame_from_normal};
pub use hull::hull_triangles;
pub use mass::MassProperties;
pub use outline::{OutlineLink, outline, outline_area, outline_length};
pub use polytope::{Edge, Face, Polytope};
pub use shape::{Contactor, Shape};
pub use skin_shape::SkinShape;
pub use surface::Surface;
pub use surface_mesh::SurfaceMesh;
