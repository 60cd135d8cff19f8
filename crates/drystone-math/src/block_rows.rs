//! A sparse matrix of D×D blocks, row by row.

use crate::{Matrix, Vector};

/// Block rows in compressed form: blocks of row `i` are `columns[starts[i]..starts[i + 1]]`, sorted by
/// column.
#[derive(Clone, Debug, Default)]
pub struct BlockRows<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<Matrix<D, D>>,
}

impl<const D: usize> BlockRows<D> {
    /// Builds `rows` rows from `(row, column, block)` triplets in any order; blocks at the same place are
    /// summed.
    pub fn from_triplets(rows: usize, mut triplets: Vec<(u32, u32, Matrix<D, D>)>) -> Self {
        triplets.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix = Self { starts: vec![0; rows + 1], columns: Vec::new(), blocks: Vec::new() };
        let mut last = None;
        for (row, column, block) in triplets {
            if last == Some((row, column)) {
                if let Some(sum) = matrix.blocks.last_mut() {
                    *sum += block;
                }
                continue;
            }
            last = Some((row, column));
            matrix.columns.push(column);
            matrix.blocks.push(block);
            matrix.starts[row as usize + 1] = matrix.blocks.len();
        }
        // rows without blocks start where the row before them ended
        for row in 1..=rows {
            matrix.starts[row] = matrix.starts[row].max(matrix.starts[row - 1]);
        }
        matrix
    }

    /// Adds a row behind those that are there, from blocks by increasing column; those at the same place are
    /// summed.
    pub fn push_row(&mut self, entries: impl IntoIterator<Item = (u32, Matrix<D, D>)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let first = self.blocks.len();
        for (column, block) in entries {
            match self.columns[first..].last() {
                Some(&last) if last == column => {
                    if let Some(sum) = self.blocks.last_mut() {
                        *sum += block;
                    }
                }
                _ => {
                    self.columns.push(column);
                    self.blocks.push(block);
                }
            }
        }
        self.starts.push(self.blocks.len());
    }

    /// Where each row starts, the column of every block, and the blocks.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<Matrix<D, D>>) {
        (self.starts, self.columns, self.blocks)
    }

    /// Number of block rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Column and block of every entry of one row, by increasing column.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Matrix<D, D>)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().map(|&column| column as usize).zip(&self.blocks[range])
    }

    /// The block on the diagonal of a row, zero where none is stored.
    pub fn diagonal(&self, row: usize) -> Matrix<D, D> {
        self.row(row).find(|&(column, _)| column == row).map_or_else(Matrix::zeros, |(_, block)| *block)
    }

    /// Row times vector.
    #[inline]
    pub fn times(&self, row: usize, x: &[Vector<D>]) -> Vector<D> {
        let mut sum = Vector::zeros();
        for (column, block) in self.row(row) {
            // loops of known length: the product of nalgebra is a call for each column
            let x = &x[column];
            for i in 0..D {
                sum[i] += (1..D).fold(block[(i, 0)] * x[0], |part, j| part + block[(i, j)] * x[j]);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_summed_and_empty_rows_are_empty() {
        let one = Matrix::<2, 2>::identity();
        let m = BlockRows::from_triplets(3, vec![(2, 0, one), (0, 0, one), (2, 0, one)]);
        assert_eq!(m.rows(), 3);
        assert_eq!(m.row(1).count(), 0);
        assert_eq!(m.row(2).next(), Some((0, &(one * 2.0))));
        assert_eq!(m.diagonal(0), one);
        assert_eq!(m.diagonal(2), Matrix::<2, 2>::zeros());
        let x = [Vector::<2>::new(1.0, 2.0), Vector::zeros(), Vector::zeros()];
        assert_eq!(m.times(2, &x), Vector::<2>::new(2.0, 4.0));
        let mut pushed = BlockRows::default();
        let rows = [vec![(0, one)], vec![], vec![(0, one), (0, one)]];
        rows.into_iter().for_each(|row| pushed.push_row(row));
        assert_eq!(pushed.into_parts(), m.into_parts());
    }
}
