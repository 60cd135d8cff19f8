//! Where a sparse matrix of blocks has entries. Holds no numbers.

use drystone_math::{BlockRows, Matrix, Vector};
use std::ops::Range;

/// Block rows of one pattern, the blocks themselves kept apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// Where each row starts, and the number of entries at the end.
    pub starts: Vec<usize>,
    /// Column of each entry, increasing within a row; every row has its diagonal.
    pub columns: Vec<u32>,
}

impl Pattern {
    /// The pattern of a matrix and, apart, its blocks. Every row must hold its diagonal.
    pub fn of<const D: usize>(matrix: BlockRows<D>) -> (Self, Vec<Matrix<D, D>>) {
        let (starts, columns, blocks) = matrix.into_parts();
        (Self { starts, columns }, blocks)
    }

    /// From lists of rows that all see each other, those of the nodes of an element for instance.
    pub fn of_cliques<'a>(rows: usize, cliques: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut counts = vec![1usize; rows + 1];
        for clique in cliques.clone() {
            clique.iter().for_each(|&row| counts[row as usize] += clique.len());
        }
        // room for all, then sorted and without repetitions
        let mut first = vec![0; rows + 1];
        (0..rows).for_each(|k| first[k + 1] = first[k] + counts[k]);
        let mut next = first.clone();
        let mut all = vec![0u32; first[rows]];
        let mut put = |row: usize, column: u32| {
            all[next[row]] = column;
            next[row] += 1;
        };
        (0..rows).for_each(|k| put(k, k as u32));
        for clique in cliques {
            for &row in clique {
                clique.iter().for_each(|&column| put(row as usize, column));
            }
        }
        let mut pattern = Self { starts: vec![0], columns: Vec::new() };
        for ends in first.windows(2) {
            let row = &mut all[ends[0]..ends[1]];
            row.sort_unstable();
            for k in 0..row.len() {
                if k == 0 || row[k] != row[k - 1] {
                    pattern.columns.push(row[k]);
                }
            }
            pattern.starts.push(pattern.columns.len());
        }
        pattern
    }

    /// Number of block rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Entries of a row.
    pub fn entries(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// Columns of a row, increasing.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.entries(row)]
    }

    /// The entry of a row in a column, where the pattern has it.
    pub fn find(&self, row: usize, column: u32) -> Option<usize> {
        self.row(row).binary_search(&column).ok().map(|place| self.starts[row] + place)
    }

    /// `A x` for the blocks given.
    pub fn times<const D: usize>(&self, blocks: &[Matrix<D, D>], x: &[Vector<D>]) -> Vec<Vector<D>> {
        (0..self.rows())
            .map(|row| {
                self.entries(row)
                    .fold(Vector::zeros(), |sum, entry| sum + blocks[entry] * x[self.columns[entry] as usize])
            })
            .collect()
    }
}
