//! Sparse symmetric matrices of D×D blocks between the nodes of a mesh, and their factorisation behind one
//! small trait. Knows no elements.

mod blocks;
mod dissection;
mod fronts;
#[cfg(test)]
mod tests;

pub use blocks::{NodePattern, SymmetricBlocks};
pub use fronts::MultifrontalLdl;

use crate::error::SolidError;

/// Something that factors symmetric matrices of one pattern and solves with the last of them.
///
/// Whatever comes later (another crate's Cholesky, an iterative method) stands behind this.
pub trait SparseSolver<const D: usize>: std::fmt::Debug + Send + Sync {
    /// Factors a matrix of the pattern that was analysed.
    fn factor(&mut self, matrix: &SymmetricBlocks<D>) -> Result<(), SolidError>;

    /// Overwrites right sides, one after the other, with the solutions. Each has a number for every degree of
    /// freedom.
    fn solve(&self, right_sides: &mut [f64]);
}
