//! Sparse matrices of small blocks, factored along a nested dissection. A pattern is analysed once and
//! matrices of it are factored many times: those of contacts and bodies by [`SymbolicLu`] into [`Factors`],
//! symmetric ones of meshes by [`MultifrontalLdl`]; [`GeneralLu`] does both for one matrix of numbers. Knows
//! no contact, no cone and no element.

mod abreast;
mod bisection;
mod dissection;
mod fronts;
mod general;
mod ldl;
mod lu;
mod pattern;
mod symmetric;
mod tree;
mod update;

pub use abreast::{
    change_abreast, dots_abreast, dots_with_each, largest_squares_abreast, of_both_abreast, subtract_each,
};
pub use fronts::{Factors, SymbolicLu};
pub use general::{GeneralLu, NoFactors};
pub use ldl::{MultifrontalLdl, NoPivot};
pub use pattern::Pattern;
pub use symmetric::SymmetricBlocks;

/// Vectors side by side that share vector instructions, where there are so many: right sides of one matrix,
/// congruent bodies.
pub const ABREAST: usize = 8;

/// From how many on they go side by side: fewer are quicker one after the other.
pub const ABREAST_FROM: usize = 3;
