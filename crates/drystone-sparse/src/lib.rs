//! Sparse matrices of small blocks, factored along a nested dissection: a pattern is analysed once
//! ([`SymbolicLu`]), matrices of it are factored many times ([`Factors`]); [`GeneralLu`] does both for one
//! matrix of numbers. Knows no contact and no cone.

mod dissection;
mod fronts;
mod general;
mod lu;
mod update;

pub use fronts::{Factors, Pattern, SymbolicLu};
pub use general::{GeneralLu, NoFactors};
