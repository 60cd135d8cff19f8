//! The matrix product of the factorisation in one order of operations on every processor. What it is for is
//! told in `lu`.
//!
//! Every entry takes its products one after the other, each rounded before it is subtracted: no fused
//! operations, no sums by parts. The widest instructions of the machine then give the bits of the plain ones.

use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};

/// Rows of a tile, and the columns that share it.
const ROWS: usize = 8;
const COLUMNS: usize = 4;
/// Columns of a panel: wide enough for the product to run at full speed, narrow enough for the panel to stay
/// in the cache.
pub(crate) const PANEL: usize = 32;

/// `A₂₂ ← A₂₂ − L₂₁ U₁₂`, all by columns: `left` and `right` are whole columns of `size` numbers, of which
/// the rows from `first` on count; `upper` has as many rows as `left` has columns, at most [`PANEL`].
pub(crate) fn subtract_product(size: usize, first: usize, left: &[f64], upper: &[f64], right: &mut [f64]) {
    let update = Update { size, first, left, upper };
    dispatch!(instructions::level(), simd => update.run(simd, right));
}

#[derive(Clone, Copy)]
struct Update<'a> {
    size: usize,
    first: usize,
    left: &'a [f64],
    upper: &'a [f64],
}

impl Update<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S, right: &mut [f64]) {
        let depth = self.left.len() / self.size;
        let whole = self.first + (self.size - self.first) / ROWS * ROWS;
        let mut tile = [[0.0; ROWS]; PANEL];
        for row in (self.first..whole).step_by(ROWS) {
            for (tile, column) in tile.iter_mut().zip(self.left.chunks_exact(self.size)) {
                tile.copy_from_slice(&column[row..row + ROWS]);
            }
            let mut wide = right.chunks_exact_mut(COLUMNS * self.size);
            let mut uppers = self.upper.chunks_exact(COLUMNS * depth);
            for (right, upper) in wide.by_ref().zip(uppers.by_ref()) {
                strip::<S, COLUMNS>(simd, &tile[..depth], upper, right, row);
            }
            let single = wide.into_remainder().chunks_exact_mut(self.size);
            for (right, upper) in single.zip(uppers.remainder().chunks_exact(depth)) {
                strip::<S, 1>(simd, &tile[..depth], upper, right, row);
            }
        }
        for (right, upper) in right.chunks_exact_mut(self.size).zip(self.upper.chunks_exact(depth)) {
            for row in whole..self.size {
                for (left, upper) in self.left.chunks_exact(self.size).zip(upper) {
                    right[row] -= left[row] * upper;
                }
            }
        }
    }
}

/// One tile of the left times `C` columns.
#[inline(always)]
fn strip<S: Simd, const C: usize>(
    simd: S,
    tile: &[[f64; ROWS]],
    upper: &[f64],
    right: &mut [f64],
    row: usize,
) {
    let (size, depth) = (right.len() / C, tile.len());
    let mut sums = [f64x8::splat(simd, 0.0); C];
    for (c, sum) in sums.iter_mut().enumerate() {
        *sum = f64x8::from_slice(simd, &right[c * size + row..c * size + row + ROWS]);
    }
    for (k, left) in tile.iter().enumerate() {
        let left = f64x8::from_slice(simd, left);
        for (c, sum) in sums.iter_mut().enumerate() {
            *sum -= left * f64x8::splat(simd, upper[c * depth + k]);
        }
    }
    for (c, sum) in sums.iter().enumerate() {
        sum.store_slice(&mut right[c * size + row..c * size + row + ROWS]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::Level;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_instructions_give_the_bits_of_the_plain_loop() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(1);
        for (size, first, depth, columns) in
            [(1, 0, 1, 1), (9, 1, 3, 5), (40, 8, 32, 7), (71, 32, 32, 39), (8, 8, 4, 4)]
        {
            let mut numbers =
                |count: usize| -> Vec<f64> { (0..count).map(|_| random.random_range(-1.0..1.0)).collect() };
            let (left, upper, right) =
                (numbers(size * depth), numbers(depth * columns), numbers(size * columns));
            let mut expected = right.clone();
            for column in 0..columns {
                for row in first..size {
                    for k in 0..depth {
                        expected[column * size + row] -= left[k * size + row] * upper[column * depth + k];
                    }
                }
            }
            for level in [Level::new(), Level::baseline()] {
                let (mut found, update) = (right.clone(), Update { size, first, left: &left, upper: &upper });
                dispatch!(level, simd => update.run(simd, &mut found));
                assert_eq!(found, expected, "{size} {first} {depth} {columns}");
            }
        }
    }
}
