//! Dense LU factorisation with partial pivoting, by panels so that nearly all of the work is one matrix product.
//! Refuses nothing: a zero pivot leaves numbers that are not finite, which the caller must look for.

use drystone_math::nalgebra::{DMatrix, DVector};

/// Columns of a panel: wide enough for the matrix product to run at full speed, narrow enough for the panel to stay
/// in the cache.
const PANEL: usize = 32;

/// `A = Pᵀ L U`, in the room of `A`.
pub(super) struct Lu {
    factors: DMatrix<f64>,
    /// Row exchanged with row `k` before column `k` was eliminated.
    exchanges: Vec<usize>,
}

impl Lu {
    /// Factors a square matrix.
    pub fn new(mut a: DMatrix<f64>) -> Self {
        let size = a.nrows();
        let mut exchanges = Vec::with_capacity(size);
        let mut start = 0;
        while start < size {
            let end = (start + PANEL).min(size);
            factor_panel(&mut a, start, end, &mut exchanges);
            for row in start..end {
                exchange_outside(&mut a, row, exchanges[row], start, end);
            }
            if end < size {
                eliminate(&mut a, start, end);
            }
            start = end;
        }
        Self {
            factors: a,
            exchanges,
        }
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut DVector<f64>) {
        let a = &self.factors;
        let size = a.nrows();
        for (row, &with) in self.exchanges.iter().enumerate() {
            b.swap_rows(row, with);
        }
        for column in 0..size {
            let value = b[column];
            for row in column + 1..size {
                b[row] -= a[(row, column)] * value;
            }
        }
        for column in (0..size).rev() {
            let value = b[column] / a[(column, column)];
            b[column] = value;
            for row in 0..column {
                b[row] -= a[(row, column)] * value;
            }
        }
    }
}

/// Factors columns `start..end`, all rows below included, exchanging rows within the panel only.
fn factor_panel(a: &mut DMatrix<f64>, start: usize, end: usize, exchanges: &mut Vec<usize>) {
    let size = a.nrows();
    for column in start..end {
        let pivot = (column..size).fold(column, |best, row| {
            if a[(row, column)].abs() > a[(best, column)].abs() {
                row
            } else {
                best
            }
        });
        exchanges.push(pivot);
        if pivot != column {
            for other in start..end {
                a.swap((column, other), (pivot, other));
            }
        }
        let inverse = 1.0 / a[(column, column)];
        let (mut left, mut right) = a.columns_range_pair_mut(column..column + 1, column + 1..end);
        let mut pivot_column = left.column_mut(0);
        let mut multipliers = pivot_column.rows_mut(column + 1, size - column - 1);
        multipliers *= inverse;
        for mut other in right.column_iter_mut() {
            let top = other[column];
            other
                .rows_mut(column + 1, size - column - 1)
                .axpy(-top, &multipliers, 1.0);
        }
    }
}

/// Exchanges two rows in the columns that do not belong to the panel.
fn exchange_outside(a: &mut DMatrix<f64>, row: usize, with: usize, start: usize, end: usize) {
    if row != with {
        for column in (0..start).chain(end..a.ncols()) {
            a.swap((row, column), (with, column));
        }
    }
}

/// Applies the panel to everything on its right: `U₁₂ = L₁₁⁻¹ A₁₂`, then `A₂₂ −= L₂₁ U₁₂`.
fn eliminate(a: &mut DMatrix<f64>, start: usize, end: usize) {
    let size = a.nrows();
    let (left, mut right) = a.columns_range_pair_mut(start..end, end..size);
    let mut upper = right.rows(start, end - start).clone_owned();
    for mut column in upper.column_iter_mut() {
        for k in 0..end - start {
            let value = column[k];
            for row in k + 1..end - start {
                column[row] -= left[(start + row, k)] * value;
            }
        }
    }
    right.rows_mut(start, end - start).copy_from(&upper);
    right
        .rows_mut(end, size - end)
        .gemm(-1.0, &left.rows(end, size - end), &upper, 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn solves_systems_of_every_size_around_the_panel() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(1);
        for size in [0, 1, 2, 31, 32, 33, 64, 100] {
            let a = DMatrix::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
            let x = DVector::from_fn(size, |_, _| random.random_range(-1.0..1.0));
            let mut b = &a * &x;
            Lu::new(a).solve(&mut b);
            assert!((b - x).norm() < 1e-10, "size {size}");
        }
    }
}
