//! What a factored panel does to the columns on its right, in one order of operations on every processor.
//! What it is for is told in `lu`.
//!
//! Every entry takes its products one after the other, each rounded before it is subtracted: no fused
//! operations, no sums by parts. The widest instructions of the machine then give the bits of the plain ones,
//! and so do any number of threads, which have whole columns each.

use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use rayon::prelude::*;
use std::ops::Range;

/// Rows that share a register.
const ROWS: usize = 8;
/// Columns that go through a panel together.
const COLUMNS: usize = 8;
/// As many of them as fit into narrower registers at once.
const HALF: usize = COLUMNS / 2;
/// Multiplications that are worth being shared by threads.
const WORTH_SHARING: usize = 1 << 21;

/// A factored panel, packed.
#[derive(Default)]
pub(crate) struct Panel {
    /// Its columns.
    columns: Range<usize>,
    /// Rows of the matrix.
    size: usize,
    /// Multipliers of its own rows, row by row.
    corner: Vec<f64>,
    /// Multipliers of the rows below by tiles of rows, column by column; rows beyond the last are zeros.
    below: Vec<[f64; ROWS]>,
}

impl Panel {
    /// Packs columns of a matrix with `size` rows, of which `left` holds the first ones; in the memory of
    /// another panel.
    pub fn pack(&mut self, size: usize, columns: Range<usize>, left: &[f64]) {
        let (width, end) = (columns.len(), columns.end);
        let tiles = (size - end).div_ceil(ROWS);
        self.corner.clear();
        self.corner.resize(width * width, 0.0);
        self.below.clear();
        self.below.resize(tiles * width, [0.0; ROWS]);
        for (k, column) in left[columns.start * size..end * size].chunks_exact(size).enumerate() {
            for (row, &value) in column[columns.clone()].iter().enumerate() {
                self.corner[row * width + k] = value;
            }
            for (tile, rows) in column[end..].chunks(ROWS).enumerate() {
                self.below[tile * width + k][..rows.len()].copy_from_slice(rows);
            }
        }
        (self.columns, self.size) = (columns, size);
    }

    /// `U₁₂ = L₁₁⁻¹ A₁₂`, then `A₂₂ −= L₂₁ U₁₂`, with the rows of the panel exchanged first, each in its turn
    /// with the one that is told.
    pub fn apply(&self, right: &mut [f64], exchanges: &[usize]) {
        let some = COLUMNS * self.size;
        let group = |columns: &mut [f64]| {
            dispatch!(instructions::level(), simd => self.go(simd, columns, exchanges));
        };
        let work = right.len() * self.columns.len();
        if work >= WORTH_SHARING && rayon::current_num_threads() > 1 {
            right.par_chunks_mut(some).for_each(group);
        } else {
            right.chunks_mut(some).for_each(group);
        }
    }

    /// Up to [`COLUMNS`] columns.
    #[inline(always)]
    fn go<S: Simd>(&self, simd: S, right: &mut [f64], exchanges: &[usize]) {
        let mut upper = vec![[0.0; COLUMNS]; self.columns.len()];
        for (c, column) in right.chunks_exact_mut(self.size).enumerate() {
            self.columns.clone().zip(exchanges).for_each(|(row, &with)| column.swap(row, with));
            for (upper, value) in upper.iter_mut().zip(&column[self.columns.clone()]) {
                upper[c] = *value;
            }
        }
        self.substitute(simd, &mut upper);
        for (c, column) in right.chunks_exact_mut(self.size).enumerate() {
            for (upper, value) in upper.iter().zip(&mut column[self.columns.clone()]) {
                *value = upper[c];
            }
        }
        let width = self.columns.len();
        let ends = (self.columns.end..self.size).step_by(ROWS);
        for (row, tile) in ends.zip(self.below.chunks_exact(width.max(1))) {
            match right.len() == COLUMNS * self.size && row + ROWS <= self.size {
                true => whole(simd, tile, &upper, right, self.size, row),
                false => ragged(simd, tile, &upper, right, self.size, row),
            }
        }
    }

    /// Forward substitution with the corner, all columns side by side.
    #[inline(always)]
    fn substitute<S: Simd>(&self, simd: S, upper: &mut [[f64; COLUMNS]]) {
        let width = self.columns.len();
        for first in (0..width).step_by(ROWS) {
            let (done, rest) = upper.split_at_mut(first);
            let rest = &mut rest[..ROWS.min(width - first)];
            let multipliers = |row: usize| &self.corner[(first + row) * width..][..width];
            if let Ok(rows) = <&mut [[f64; COLUMNS]; ROWS]>::try_from(&mut *rest) {
                let mut sums = rows.map(|row| f64x8::simd_from(simd, row));
                let lines: [&[f64]; ROWS] = std::array::from_fn(|row| &multipliers(row)[..done.len()]);
                for (k, known) in done.iter().enumerate() {
                    let known = f64x8::simd_from(simd, *known);
                    for (sum, line) in sums.iter_mut().zip(&lines) {
                        *sum -= known * f64x8::splat(simd, line[k]);
                    }
                }
                rows.iter_mut().zip(sums).for_each(|(row, sum)| *row = sum.into());
            } else {
                for (row, sums) in rest.iter_mut().enumerate() {
                    for (known, times) in done.iter().zip(multipliers(row)) {
                        (0..COLUMNS).for_each(|c| sums[c] -= known[c] * times);
                    }
                }
            }
            for row in 1..rest.len() {
                let (known, sums) = rest.split_at_mut(row);
                for (known, times) in known.iter().zip(&multipliers(row)[first..]) {
                    (0..COLUMNS).for_each(|c| sums[0][c] -= known[c] * times);
                }
            }
        }
    }
}

/// A tile of rows in all columns.
#[inline(always)]
fn whole<S: Simd>(
    simd: S,
    tile: &[[f64; ROWS]],
    upper: &[[f64; COLUMNS]],
    right: &mut [f64],
    size: usize,
    row: usize,
) {
    let mut sums = [f64x8::splat(simd, 0.0); COLUMNS];
    for (c, sum) in sums.iter_mut().enumerate() {
        *sum = f64x8::from_slice(simd, &right[c * size + row..c * size + row + ROWS]);
    }
    subtract(simd, tile, upper, &mut sums);
    for (c, sum) in sums.iter().enumerate() {
        sum.store_slice(&mut right[c * size + row..c * size + row + ROWS]);
    }
}

/// The same where rows or columns are missing.
#[inline(always)]
fn ragged<S: Simd>(
    simd: S,
    tile: &[[f64; ROWS]],
    upper: &[[f64; COLUMNS]],
    right: &mut [f64],
    size: usize,
    row: usize,
) {
    let rows = row..size.min(row + ROWS);
    let mut numbers = [[0.0; ROWS]; COLUMNS];
    for (numbers, column) in numbers.iter_mut().zip(right.chunks_exact(size)) {
        numbers[..rows.len()].copy_from_slice(&column[rows.clone()]);
    }
    let mut sums = numbers.map(|numbers| f64x8::simd_from(simd, numbers));
    subtract(simd, tile, upper, &mut sums);
    for (sum, column) in sums.iter().zip(right.chunks_exact_mut(size)) {
        let numbers: [f64; ROWS] = (*sum).into();
        column[rows.clone()].copy_from_slice(&numbers[..rows.len()]);
    }
}

/// The products, one after the other; as many columns at once as there are registers for.
#[inline(always)]
fn subtract<S: Simd>(
    simd: S,
    tile: &[[f64; ROWS]],
    upper: &[[f64; COLUMNS]],
    sums: &mut [f64x8<S>; COLUMNS],
) {
    if S::f64s::LEN == ROWS {
        return subtract_from::<S, 0, COLUMNS>(simd, tile, upper, sums);
    }
    subtract_from::<S, 0, HALF>(simd, tile, upper, sums);
    subtract_from::<S, HALF, HALF>(simd, tile, upper, sums);
}

/// The same from `C` columns, beginning with the first one.
#[inline(always)]
fn subtract_from<S: Simd, const FIRST: usize, const C: usize>(
    simd: S,
    tile: &[[f64; ROWS]],
    upper: &[[f64; COLUMNS]],
    all: &mut [f64x8<S>; COLUMNS],
) {
    let mut sums: [f64x8<S>; C] = std::array::from_fn(|c| all[FIRST + c]);
    for (left, upper) in tile.iter().zip(upper) {
        let left = f64x8::simd_from(simd, *left);
        for c in 0..C {
            sums[c] -= left * f64x8::splat(simd, upper[FIRST + c]);
        }
    }
    (0..C).for_each(|c| all[FIRST + c] = sums[c]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::Level;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_instructions_give_the_bits_of_the_plain_loop() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(1);
        for (size, first, width, columns) in
            [(2, 0, 1, 1), (9, 1, 3, 5), (40, 8, 32, 8), (90, 3, 64, 7), (71, 32, 32, 8), (24, 8, 16, 3)]
        {
            let mut numbers =
                |count: usize| -> Vec<f64> { (0..count).map(|_| random.random_range(-1.0..1.0)).collect() };
            let (left, right) = (numbers(size * (first + width)), numbers(size * columns));
            let exchanges: Vec<usize> =
                (first..first + width).map(|row| random.random_range(row..size)).collect();
            let mut expected = right.clone();
            for column in expected.chunks_exact_mut(size) {
                (first..).zip(&exchanges).for_each(|(row, &with)| column.swap(row, with));
                for k in first..first + width {
                    for row in k + 1..size {
                        column[row] -= column[k] * left[k * size + row];
                    }
                }
            }
            let mut panel = Panel::default();
            // in memory that held another one
            panel.pack(3, 0..1, &[1.0, 2.0, 3.0]);
            panel.pack(size, first..first + width, &left);
            for level in [Level::new(), Level::baseline()] {
                let mut found = right.clone();
                dispatch!(level, simd => panel.go(simd, &mut found, &exchanges));
                assert_eq!(found, expected, "{size} {first} {width} {columns}");
            }
        }
    }
}
