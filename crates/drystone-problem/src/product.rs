//! The product of the operator with impulses that change, without its matrix. Allocates nothing but at the
//! beginning; knows of the problem its operator alone.

use crate::{Delassus, Vector};

/// `W r`, row by row, with what the operator carries along for it.
pub struct Product<'a, const D: usize, W: Delassus<D>> {
    w: &'a W,
    carry: W::Carry,
}

impl<'a, const D: usize, W: Delassus<D>> Product<'a, D, W> {
    /// The product with no impulse at all.
    pub fn new(w: &'a W) -> Self {
        Self { w, carry: w.carry(&[]) }
    }

    /// The product with the impulses `r`.
    pub fn at(w: &'a W, r: &[Vector<D>]) -> Self {
        Self { w, carry: w.carry(r) }
    }

    /// Row α of the product with `r`, of which every change was told.
    #[inline]
    pub fn row(&self, alpha: usize, r: &[Vector<D>]) -> Vector<D> {
        self.w.row(alpha, r, &self.carry)
    }

    /// Tells that `r_α` has changed by `delta`.
    #[inline]
    pub fn change(&mut self, alpha: usize, delta: &Vector<D>) {
        self.w.change(alpha, delta, &mut self.carry);
    }

    /// Makes the carry anew for the impulses `r`.
    pub fn renew(&mut self, r: &[Vector<D>]) {
        self.w.renew(r, &mut self.carry);
    }

    /// What the operator carries along for the impulses `r`, from scratch.
    pub fn carry(&mut self, r: &[Vector<D>]) -> &W::Carry {
        self.renew(r);
        &self.carry
    }

    /// All rows of the product with `r`, from scratch.
    pub fn rows(&mut self, r: &[Vector<D>]) -> impl Iterator<Item = Vector<D>> {
        self.renew(r);
        (0..r.len()).map(|alpha| self.row(alpha, r))
    }
}
