//! Small dense matrices of any size: products, solutions and roots of what is symmetric. Knows no contact.

use std::ops::{Index, IndexMut};

/// A pivot must be so large, relative to the largest.
const PIVOT: f64 = 1e-11;

/// A matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    columns: usize,
    values: Vec<f64>,
}

impl Index<(usize, usize)> for Dense {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[row * self.columns + column]
    }
}

impl Dense {
    /// Nothing but zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { columns, values: vec![0.0; rows * columns] }
    }

    fn from_fn(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        let values = (0..rows * columns).map(|at| value(at / columns, at % columns)).collect();
        Self { columns, values }
    }

    fn height(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Some of the rows.
    pub fn rows(&self, rows: &[usize]) -> Self {
        Self::from_fn(rows.len(), self.columns, |i, j| self[(rows[i], j)])
    }

    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.height(), |i, j| self[(j, i)])
    }

    /// The mean of the matrix and its transpose.
    pub fn symmetric(&self) -> Self {
        Self::from_fn(self.columns, self.columns, |i, j| 0.5 * (self[(i, j)] + self[(j, i)]))
    }

    pub fn times(&self, other: &Self) -> Self {
        let product = |i: usize, j: usize| (0..self.columns).map(|k| self[(i, k)] * other[(k, j)]).sum();
        Self::from_fn(self.height(), other.columns, product)
    }

    pub fn subtract(&mut self, other: &Self) {
        self.values.iter_mut().zip(&other.values).for_each(|(value, other)| *value -= other);
    }

    /// Writes a part from a row and a column on.
    pub fn put(&mut self, row: usize, column: usize, part: &Self) {
        for i in 0..part.height() {
            for j in 0..part.columns {
                self[(row + i, column + j)] = part[(i, j)];
            }
        }
    }

    /// The solution of the square system; `None` where it is close to singular.
    pub fn solve(&self, right: &Self) -> Option<Self> {
        let (size, mut left, mut x) = (self.columns, self.clone(), right.clone());
        let bar = PIVOT * self.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        for k in 0..size {
            let pivot = (k..size).max_by(|&i, &j| left[(i, k)].abs().total_cmp(&left[(j, k)].abs()))?;
            let found = left[(pivot, k)];
            (found.is_finite() && found.abs() > bar).then_some(())?;
            for matrix in [&mut left, &mut x] {
                for j in 0..matrix.columns {
                    let here = matrix[(k, j)];
                    matrix[(k, j)] = matrix[(pivot, j)];
                    matrix[(pivot, j)] = here;
                }
            }
            for i in (0..size).filter(|&i| i != k) {
                let share = left[(i, k)] / found;
                for matrix in [&mut left, &mut x] {
                    for j in 0..matrix.columns {
                        let above = share * matrix[(k, j)];
                        matrix[(i, j)] -= above;
                    }
                }
            }
        }
        Some(Self::from_fn(size, x.columns, |i, j| x[(i, j)] / left[(i, i)]))
    }
}

/// `L` with `L Lᵀ` the symmetric matrix, of at most so many columns, by Cholesky's factorisation with the
/// largest pivots first; the rows that were pivots, and the largest entry of the diagonal that is left.
pub(super) fn roots(matrix: &Dense, most: usize) -> (Dense, Vec<usize>, f64) {
    let size = matrix.columns;
    let (mut left, mut columns, mut pivots) = (matrix.clone(), Vec::new(), Vec::new());
    let largest = |left: &Dense| {
        (0..size).map(|i| (i, left[(i, i)])).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    };
    let bar = PIVOT * largest(&left).1;
    while columns.len() < most {
        let (pivot, value) = largest(&left);
        if value.is_nan() || value <= bar {
            break;
        }
        let column: Vec<f64> = (0..size).map(|i| left[(i, pivot)] / value.sqrt()).collect();
        for i in 0..size {
            for j in 0..size {
                left[(i, j)] -= column[i] * column[j];
            }
        }
        (0..size).for_each(|i| (left[(i, pivot)], left[(pivot, i)]) = (0.0, 0.0));
        columns.push(column);
        pivots.push(pivot);
    }
    let root = Dense::from_fn(size, columns.len(), |i, j| columns[j][i]);
    let rest = (0..size).map(|i| left[(i, i)].abs()).fold(0.0, f64::max);
    (root, pivots, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize) -> Dense {
        Dense::from_fn(rows, columns, |i, j| ((i * i + 2 * i * j + 3 * j * j + 1) as f64).sin())
    }

    fn distance(one: &Dense, other: &Dense) -> f64 {
        one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn solutions_and_roots_multiply_back() {
        let (square, right) = (matrix(5, 5), matrix(5, 3));
        let x = square.solve(&right).unwrap();
        assert!(distance(&square.times(&x), &right) < 1e-12);
        let half = matrix(7, 3);
        let low = half.times(&half.transposed());
        let (root, pivots, left) = roots(&low, 6);
        assert_eq!((root.columns(), pivots.len()), (3, 3));
        assert!(distance(&root.times(&root.transposed()), &low) < 1e-12 && left < 1e-12);
        assert!(low.solve(&matrix(7, 1)).is_none(), "singular");
    }
}
