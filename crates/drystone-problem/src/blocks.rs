//! The Delassus operator as assembled blocks: any bodies, any file.

use crate::{BlockRows, Delassus, Kernel, Matrix, Vector};

/// Assembled Delassus operator. Need not be symmetric and is never symmetrised.
#[derive(Clone, Debug, Default)]
pub struct Blocks<const D: usize> {
    rows: BlockRows<D>,
    diagonal: Vec<Matrix<D, D>>,
}

impl<const D: usize> Blocks<D> {
    /// Takes the block rows of W.
    pub fn new(rows: BlockRows<D>) -> Self {
        let diagonal = (0..rows.rows()).map(|row| rows.diagonal(row)).collect();
        Self { rows, diagonal }
    }

    /// The block rows.
    pub fn rows(&self) -> &BlockRows<D> {
        &self.rows
    }
}

impl<const D: usize> Delassus<D> for Blocks<D> {
    type Carry = ();

    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn block(&self, alpha: usize) -> Matrix<D, D> {
        self.diagonal[alpha]
    }

    fn assemble(&self) -> BlockRows<D> {
        let whole = (0..self.contacts()).all(|row| self.rows.row(row).any(|(column, _)| column == row));
        if whole {
            return self.rows.clone();
        }
        let stored = (0..self.contacts()).flat_map(|row| {
            self.rows.row(row).map(move |(column, block)| (row as u32, column as u32, *block))
        });
        let diagonal = (0..self.contacts() as u32).map(|row| (row, row, Matrix::zeros()));
        BlockRows::from_triplets(self.contacts(), stored.chain(diagonal).collect())
    }

    /// Without bodies, by the number of blocks in a row: where W is symmetric and nowhere negative,
    /// `2 |x_α·W_αβ x_β| ≤ x_α·W_αα x_α + x_β·W_ββ x_β`.
    fn split(&self) -> Vec<Matrix<D, D>> {
        let share = |row: usize| self.diagonal[row] * self.rows.row(row).count() as f64;
        (0..self.contacts()).map(share).collect()
    }

    fn carry(&self, _r: &[Vector<D>]) {}

    fn row(&self, alpha: usize, r: &[Vector<D>], _carry: &()) -> Vector<D> {
        self.rows.times(alpha, r)
    }

    fn change(&self, _alpha: usize, _delta: &Vector<D>, _carry: &mut ()) {}

    fn dispatch<K: Kernel<D>>(&self, kernel: K) -> K::Output {
        kernel.blocks(self)
    }
}
