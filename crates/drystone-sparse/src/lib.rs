//! Sparse matrices of small blocks, factored along a nested dissection: what the second-order solvers share.
//! Knows no contact and no cone.

mod dissection;
mod fronts;
mod lu;
mod update;

pub use fronts::{Factors, Pattern, SymbolicLu};
