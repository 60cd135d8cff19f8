//! Dense LU factorisation of the leading part of a matrix, by panels so that nearly all of the work is one
//! matrix product. Refuses nothing: a zero pivot leaves numbers that are not finite, which the caller must
//! look for.

use super::update::{PANEL, subtract_product};
use drystone_math::nalgebra::DMatrix;

/// Eliminates the first `leading` columns of `a` in place: `[L₁₁\U₁₁, U₁₂; L₂₁, S]` with the Schur complement
/// `S`. Pivots are sought among the first `leading` rows; returned is the row exchanged with each of them in
/// turn.
pub(crate) fn eliminate_leading(a: &mut DMatrix<f64>, leading: usize) -> Vec<usize> {
    let mut exchanges = Vec::with_capacity(leading);
    let mut start = 0;
    while start < leading {
        let end = (start + PANEL).min(leading);
        factor_panel(a, start, end, leading, &mut exchanges);
        for row in start..end {
            exchange_outside(a, row, exchanges[row], start, end);
        }
        if end < a.ncols() {
            apply_panel(a, start, end);
        }
        start = end;
    }
    exchanges
}

/// Factors columns `start..end`, all rows below included, exchanging rows within the panel only.
fn factor_panel(a: &mut DMatrix<f64>, start: usize, end: usize, leading: usize, exchanges: &mut Vec<usize>) {
    let size = a.nrows();
    for column in start..end {
        let mut pivot = column;
        for row in column + 1..leading {
            if a[(row, column)].abs() > a[(pivot, column)].abs() {
                pivot = row;
            }
        }
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
            let mut below = other.rows_mut(column + 1, size - column - 1);
            below.axpy(-top, &multipliers, 1.0);
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
fn apply_panel(a: &mut DMatrix<f64>, start: usize, end: usize) {
    let size = a.nrows();
    let width = end - start;
    let (left, mut right) = a.columns_range_pair_mut(start..end, end..size);
    let mut upper = right.rows(start, width).clone_owned();
    for mut column in upper.column_iter_mut() {
        for k in 0..width {
            let value = column[k];
            for row in k + 1..width {
                column[row] -= left[(start + row, k)] * value;
            }
        }
    }
    right.rows_mut(start, width).copy_from(&upper);
    let (left, right) = a.as_mut_slice().split_at_mut(end * size);
    subtract_product(size, end, &left[start * size..], upper.as_slice(), right);
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
}
