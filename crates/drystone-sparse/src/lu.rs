//! Dense LU factorisation of the leading part of a matrix, by panels of panels so that nearly all of the work
//! is products of matrices. Refuses nothing: a zero pivot leaves numbers that are not finite, which the
//! caller must look for.

use super::update::Panel;
use drystone_math::instructions;
use drystone_math::nalgebra::DMatrix;
use fearless_simd::{Simd, dispatch};
use std::ops::Range;

/// Columns of a panel, and of a panel within it: wide enough for products to run at full speed, narrow enough
/// for what is not a product to be little.
const WIDTHS: [usize; 2] = [64, 8];

/// Eliminates the first `leading` columns of `a` in place: `[L₁₁\U₁₁, U₁₂; L₂₁, S]` with the Schur complement
/// `S`. Pivots are sought among the first `leading` rows; returned is the row exchanged with each of them in
/// turn.
pub(crate) fn eliminate_leading(a: &mut DMatrix<f64>, leading: usize) -> Vec<usize> {
    let (size, columns) = (a.nrows(), a.ncols());
    let mut elimination =
        Elimination { size, leading, exchanges: Vec::with_capacity(leading), panel: Panel::default() };
    elimination.eliminate(a.as_mut_slice(), 0..leading, columns, &WIDTHS);
    elimination.exchanges
}

struct Elimination {
    size: usize,
    leading: usize,
    exchanges: Vec<usize>,
    panel: Panel,
}

impl Elimination {
    /// Factors some columns, all rows below included, and applies them to those up to `last`; rows are
    /// exchanged within the columns from the first one to `last` only.
    fn eliminate(&mut self, a: &mut [f64], columns: Range<usize>, last: usize, widths: &[usize]) {
        let Some((&width, narrower)) = widths.split_first() else {
            dispatch!(instructions::level(), simd => self.factor(simd, a, columns));
            return;
        };
        let size = self.size;
        for start in columns.clone().step_by(width) {
            let end = (start + width).min(columns.end);
            self.eliminate(a, start..end, end, narrower);
            let exchanges = &self.exchanges[start..end];
            for column in a[columns.start * size..start * size].chunks_exact_mut(size) {
                (start..end).zip(exchanges).for_each(|(row, &with)| column.swap(row, with));
            }
            if end < last {
                let (left, right) = a[..last * size].split_at_mut(end * size);
                self.panel.pack(size, start..end, left);
                self.panel.apply(right, exchanges);
            }
        }
    }

    /// Factors the columns of the narrowest panel, one after the other.
    #[inline(always)]
    fn factor<S: Simd>(&mut self, _simd: S, a: &mut [f64], columns: Range<usize>) {
        let size = self.size;
        let a = &mut a[columns.start * size..columns.end * size];
        for (k, pivot_row) in columns.enumerate() {
            let sought = &a[k * size..][pivot_row..self.leading];
            let largest = sought.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
            // the first of them; none where nothing is a number
            let pivot = sought.iter().position(|x| x.abs() == largest).unwrap_or(0) + pivot_row;
            self.exchanges.push(pivot);
            a.chunks_exact_mut(size).for_each(|column| column.swap(pivot_row, pivot));
            let (left, right) = a.split_at_mut((k + 1) * size);
            let (top, multipliers) = left[k * size..].split_at_mut(pivot_row + 1);
            let inverse = 1.0 / top[pivot_row];
            multipliers.iter_mut().for_each(|x| *x *= inverse);
            for column in right.chunks_exact_mut(size) {
                let (top, below) = column.split_at_mut(pivot_row + 1);
                let top = top[pivot_row];
                below.iter_mut().zip(&*multipliers).for_each(|(x, multiplier)| *x -= top * multiplier);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn leaves_the_schur_complement() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(1);
        for (size, leading) in [(1, 1), (5, 2), (33, 31), (70, 32), (80, 33), (100, 70)] {
            let a = DMatrix::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
            let rest = size - leading;
            let a11 = a.view((0, 0), (leading, leading)).clone_owned();
            let a12 = a.view((0, leading), (leading, rest)).clone_owned();
            let a21 = a.view((leading, 0), (rest, leading)).clone_owned();
            let schur = a11.lu().solve(&a12).map(|x| a.view((leading, leading), (rest, rest)) - a21 * x);
            let mut factored = a.clone();
            eliminate_leading(&mut factored, leading);
            let found = factored.view((leading, leading), (rest, rest));
            assert!(schur.is_some_and(|schur| (schur - found).norm() < 1e-9), "{size} {leading}");
        }
    }

    /// Whatever goes together, every entry takes its products in one order: the bits are those of the
    /// textbook, on any number of threads.
    #[test]
    fn gives_the_bits_of_one_column_after_the_other() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(2);
        for (size, leading) in [(1, 1), (7, 3), (65, 65), (130, 66), (150, 0), (260, 200)] {
            let a = DMatrix::<f64>::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
            let (mut expected, mut expected_exchanges) = (a.clone(), Vec::new());
            for k in 0..leading {
                let pivot = (k..leading).fold(k, |pivot, row| {
                    if expected[(row, k)].abs() > expected[(pivot, k)].abs() { row } else { pivot }
                });
                expected_exchanges.push(pivot);
                expected.swap_rows(k, pivot);
                let inverse = 1.0 / expected[(k, k)];
                for row in k + 1..size {
                    expected[(row, k)] *= inverse;
                    for column in k + 1..size {
                        let product = expected[(row, k)] * expected[(k, column)];
                        expected[(row, column)] -= product;
                    }
                }
            }
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut found = a.clone();
                let exchanges = pool.install(|| eliminate_leading(&mut found, leading));
                assert_eq!(exchanges, expected_exchanges, "{size} {leading}");
                assert_eq!(found, expected, "{size} {leading}");
            }
        }
    }
}
