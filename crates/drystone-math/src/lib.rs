//! Small vectors, poses, block-sparse rows and graphs: what every room uses. No physics, no shapes, no files.

mod block_rows;
pub mod columns;
mod compliance;
pub mod graph;
pub mod instructions;
pub mod per_dof;
pub mod portable;
mod pose;

pub use block_rows::BlockRows;
pub use columns::Columns;
pub use compliance::{Compliance, Dofs};
pub use nalgebra;
pub use per_dof::{PerDof, rigid_dofs, rigid_turns};
pub use pose::{Orientation, Pose};

/// Column vector of `D` numbers.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// Matrix of `R` rows and `C` columns.
pub type Matrix<const R: usize, const C: usize> = nalgebra::SMatrix<f64, R, C>;
