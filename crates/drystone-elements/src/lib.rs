//! Deformable solids alone.

pub mod dual;
pub mod element;
mod error;
pub mod law;
pub mod mesh;
pub mod model;
pub mod scheme;
pub mod sparse;
pub mod tensor;

pub use error::{MeshFault, ParameterError, SolidError};
