//! The waist: a time step condensed on its contacts, `u = W r + u_free` with `(u_α, r_α)` in a canonical set
//! for every contact α. Knows no body, no shape, no law by name, no file.

mod auto_params;
mod blocks;
mod bodies;
mod condensed;
mod monitor;
mod pieces;
mod product;
mod report;
mod residual;
mod route;
mod set;
mod span;
mod work_gap;

pub use auto_params::{AutoParams, OutOfRange};
pub use blocks::Blocks;
pub use bodies::Compliances;
pub use condensed::{Condensed, PairRow, Row, RowSlots};
pub use drystone_math::{BlockRows, Columns, Compliance, Dofs, Matrix, Vector};

pub use monitor::{Monitor, SolveStatus};
pub use pieces::{any_in_pieces, in_pieces};
pub use product::Product;
pub use report::{Method, Order, Params, Report};
pub use residual::{
    AGREEMENT, Measure, ROUNDING, Residual, WORST_OVER_MEAN, asked_impulse, is_excess, relative_error,
    residual, residual_beside, siconos_error, square_of,
};
pub use route::{Route, Stage};
pub use set::{Scale, Set};
pub use span::{Span, SpanProblem};
pub use work_gap::{GapSums, WorkGap, work_gap};

use pieces::PIECE;
use rayon::prelude::*;

/// The Delassus operator `W = H M⁻¹ Hᵀ`, seen contact by contact.
///
/// A sweep needs one row of `W r` at a time and tells the operator of each change of `r`. What the operator
/// wants to carry along for that is its own business: the velocities `M⁻¹Hᵀr` of the bodies for matrix-free
/// pairs of bodies, nothing for assembled blocks.
#[doc(alias = "Schur complement")]
#[doc(alias = "W")]
pub trait Delassus<const D: usize>: Sync {
    /// What is carried along beside `r`.
    type Carry: Clone + Send + Sync;

    /// Number of contacts.
    fn contacts(&self) -> usize;

    /// Diagonal block `W_αα`.
    fn block(&self, alpha: usize) -> Matrix<D, D>;

    /// All blocks of the operator; every row holds its diagonal.
    fn assemble(&self) -> BlockRows<D>;

    /// Diagonal blocks `B_α` with `W ⪯ diag B`, the compliance of each contact with its share of the bodies
    /// (mass splitting: Tonge, Benevolenski, Voroshilov 2012).
    fn split(&self) -> Vec<Matrix<D, D>>;

    /// Entries of a sparse matrix whose kernel is that of the operator, the self-balanced impulses: an
    /// equation, a contact, and what its impulse adds to the equation. Equations are of similar size once
    /// every impulse is weighted by the root of its contact's compliance; a contact may appear several times
    /// in an equation.
    ///
    /// The rows of W unless an operator knows better: those of `M^{-1/2} Hᵀ` are fewer, and small numbers in
    /// them are not squared.
    fn balance(&self) -> Vec<(u32, u32, Vector<D>)> {
        let blocks = self.assemble();
        let mut entries = Vec::new();
        for alpha in 0..self.contacts() {
            let compliance = self.block(alpha).trace() / D as f64;
            let scale = if compliance > 0.0 { 1.0 / compliance.sqrt() } else { 1.0 };
            for (beta, block) in blocks.row(alpha) {
                for component in 0..D {
                    let row = block.row(component).transpose() * scale;
                    entries.push(((alpha * D + component) as u32, beta as u32, row));
                }
            }
        }
        entries
    }

    /// The carry that belongs to `r`, computed afresh; contacts beyond its end hold no impulse.
    fn carry(&self, r: &[Vector<D>]) -> Self::Carry;

    /// The same in the memory of another one.
    fn renew(&self, r: &[Vector<D>], carry: &mut Self::Carry) {
        *carry = self.carry(r);
    }

    /// Row α of `W r`.
    fn row(&self, alpha: usize, r: &[Vector<D>], carry: &Self::Carry) -> Vector<D>;

    /// Tells the carry that `r_α` has changed by `delta`.
    fn change(&self, alpha: usize, delta: &Vector<D>, carry: &mut Self::Carry);

    /// Run-time dispatch on the storage format, for solvers that lay the operator out in a way of their own.
    fn dispatch<K: Kernel<D>>(&self, kernel: K) -> K::Output;
}

/// What runs on an operator as it is stored.
pub trait Kernel<const D: usize> {
    /// What comes of it.
    type Output;

    /// It is made of pairs of bodies.
    fn condensed(self, w: &Condensed<D>) -> Self::Output;

    /// It is assembled.
    fn blocks(self, blocks: &Blocks<D>) -> Self::Output;
}

/// One step of contact dynamics, condensed: find `u = W r + u_free` with `(u_α, r_α)` in `sets[α]`.
///
/// Component 0 is the normal, compression positive; units are those of velocity \[m/s\] for `u` and impulse
/// \[N s\] for `r`. The laws' changes of variables are already in `u_free` (Dubois, Acary, Jean 2018, eq.
/// 14–16).
#[doc(alias = "complementarity problem")]
#[doc(alias = "NCP")]
#[doc(alias = "friction contact problem")]
#[derive(Clone, Debug)]
pub struct Problem<const D: usize, W> {
    /// The Delassus operator.
    pub w: W,
    /// Relative velocity without any impulse, after the change of variables.
    pub u_free: Vec<Vector<D>>,
    /// The canonical set of each contact.
    pub sets: Vec<Set>,
}

impl<const D: usize, W: Delassus<D>> Problem<D, W> {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.sets.len()
    }

    /// `u = W r + u_free`, from scratch.
    pub fn velocities(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        let mut u = vec![Vector::zeros(); self.contacts()];
        self.velocities_into(r, &self.w.carry(r), &mut u);
        u
    }

    /// The same in memory that is there, with what the operator carries along for `r`.
    pub fn velocities_into(&self, r: &[Vector<D>], carry: &W::Carry, u: &mut [Vector<D>]) {
        let row = |(alpha, u): (usize, &mut Vector<D>)| *u = self.u_free[alpha] + self.w.row(alpha, r, carry);
        match u.len() > PIECE {
            true => u.par_iter_mut().with_min_len(PIECE).enumerate().for_each(row),
            false => u.iter_mut().enumerate().for_each(row),
        }
    }
}
