//! Multifrontal LU of a sparse matrix of blocks (Duff, Reid 1983): dense eliminations along the tree of a
//! nested dissection. The pattern is analysed once and factored many times. Refuses to pivot across fronts:
//! pivots are sought within a front, which the proximal term makes good enough for Newton.

use crate::dissection::dissect;
use crate::lu::eliminate_leading;
use crate::pattern::Pattern;
use crate::tree::{Front, along, neighbours};
use drystone_math::nalgebra::DMatrix;
use drystone_math::{Matrix, Vector};
use std::sync::Arc;

/// The analysed pattern.
pub struct SymbolicLu {
    fronts: Arc<[Front]>,
}

/// The factors of one matrix.
pub struct Factors<const D: usize> {
    fronts: Arc<[Front]>,
    dense: Vec<(DMatrix<f64>, Vec<usize>)>,
}

impl SymbolicLu {
    /// Analyses a pattern; pieces of up to `small` block rows are eliminated as one.
    pub fn new(pattern: &Pattern, small: usize) -> Self {
        let neighbours = neighbours(pattern);
        let parts = dissect(&neighbours, small);
        Self { fronts: along(pattern, &neighbours, &parts).into() }
    }

    /// The same with rows that are eliminated together where they are of one group; groups are numbered from
    /// 0 without gaps, and `small` counts them.
    pub fn grouped(pattern: &Pattern, group: &[u32], small: usize) -> Self {
        let neighbours = neighbours(pattern);
        let groups = group.iter().max().map_or(0, |&last| last as usize + 1);
        let mut between = vec![Vec::new(); groups];
        let mut members = vec![Vec::new(); groups];
        for (row, others) in neighbours.iter().enumerate() {
            let own = group[row];
            members[own as usize].push(row as u32);
            let others = others.iter().map(|&other| group[other as usize]).filter(|&other| other != own);
            between[own as usize].extend(others);
        }
        for list in &mut between {
            list.sort_unstable();
            list.dedup();
        }
        let mut parts = dissect(&between, small);
        for part in &mut parts {
            part.vertices =
                part.vertices.iter().flat_map(|&group| &members[group as usize]).copied().collect();
        }
        Self { fronts: along(pattern, &neighbours, &parts).into() }
    }

    /// Multiplications of a factorisation with blocks of `D` rows.
    pub fn multiplications<const D: usize>(&self) -> f64 {
        let of_front = |front: &Front| {
            let (own, size) = ((front.own * D) as f64, (front.rows.len() * D) as f64);
            let rest = size - own;
            own * own * own / 3.0 + own * own * rest + own * rest * rest
        };
        self.fronts.iter().map(of_front).sum()
    }

    /// Entries of the factors, with blocks of `D` rows: the multiplications of one solution.
    pub fn entries<const D: usize>(&self) -> f64 {
        let of_front = |front: &Front| {
            let (own, size) = ((front.own * D) as f64, (front.rows.len() * D) as f64);
            own * (2.0 * size - own)
        };
        self.fronts.iter().map(of_front).sum()
    }

    /// Numbers that the fronts of a factorisation hold, with blocks of `D` rows: the memory it takes.
    pub fn numbers<const D: usize>(&self) -> f64 {
        self.fronts.iter().map(|front| ((front.rows.len() * D) as f64).powi(2)).sum()
    }

    /// Factors the matrix with the given blocks.
    pub fn factor<const D: usize>(&self, blocks: &[Matrix<D, D>]) -> Factors<D> {
        let mut dense: Vec<(DMatrix<f64>, Vec<usize>)> = Vec::with_capacity(self.fronts.len());
        for front in self.fronts.iter() {
            let size = front.rows.len() * D;
            let mut matrix = DMatrix::zeros(size, size);
            for &(entry, row, column) in &front.entries {
                let mut target = matrix.fixed_view_mut::<D, D>(row as usize * D, column as usize * D);
                target += &blocks[entry];
            }
            for (child, places) in &front.children {
                let start = self.fronts[*child].own * D;
                let from = &dense[*child].0;
                for (j, &column) in places.iter().enumerate() {
                    for (i, &row) in places.iter().enumerate() {
                        let part = from.fixed_view::<D, D>(start + i * D, start + j * D);
                        let mut target = matrix.fixed_view_mut::<D, D>(row as usize * D, column as usize * D);
                        target += part;
                    }
                }
            }
            let exchanges = eliminate_leading(&mut matrix, front.own * D);
            dense.push((matrix, exchanges));
        }
        Factors { fronts: Arc::clone(&self.fronts), dense }
    }
}

impl<const D: usize> Factors<D> {
    /// Sign of the determinant.
    pub fn sign(&self) -> f64 {
        let mut sign = 1.0;
        for (front, (matrix, exchanges)) in self.fronts.iter().zip(&self.dense) {
            for (row, &with) in exchanges.iter().enumerate().take(front.own * D) {
                sign *= matrix[(row, row)].signum() * if with == row { 1.0 } else { -1.0 };
            }
        }
        sign
    }

    /// The first row eliminated without a pivot larger than this.
    pub fn vanishing(&self, bar: f64) -> Option<usize> {
        let fronts = self.fronts.iter().zip(&self.dense);
        let mut pivots = fronts.flat_map(|(front, (matrix, _))| {
            (0..front.own * D).map(move |k| (front.rows[k / D] as usize, matrix[(k, k)].abs()))
        });
        // a pivot that is NaN is none either
        pivots.find(|&(_, pivot)| !(pivot > bar && pivot.is_finite())).map(|(row, _)| row)
    }

    /// The largest multiplier below any front's own rows: within them pivots are sought, beyond not.
    pub fn steepest(&self) -> f64 {
        let of_front = |(front, (matrix, _)): (&Front, &(DMatrix<f64>, Vec<usize>))| {
            let own = front.own * D;
            matrix.view((own, 0), (matrix.nrows() - own, own)).iter().fold(0.0, |x: f64, y| x.max(y.abs()))
        };
        self.fronts.iter().zip(&self.dense).map(of_front).fold(0.0, f64::max)
    }

    /// How many fronts there are.
    #[cfg(test)]
    pub(crate) fn fronts(&self) -> usize {
        self.fronts.len()
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [Vector<D>]) {
        let mut local = Vec::new();
        for (front, (matrix, exchanges)) in self.fronts.iter().zip(&self.dense) {
            gather(front, b, &mut local);
            for (row, &with) in exchanges.iter().enumerate() {
                local.swap(row, with);
            }
            for column in 0..front.own * D {
                let (done, below) = local.split_at_mut(column + 1);
                subtract(below, done[column], &column_of(matrix, column)[column + 1..]);
            }
            scatter(front, &local, front.rows.len(), b);
        }
        for (front, (matrix, _)) in self.fronts.iter().zip(&self.dense).rev() {
            gather(front, b, &mut local);
            for column in (0..local.len()).rev() {
                let values = column_of(matrix, column);
                if column < front.own * D {
                    local[column] /= values[column];
                }
                let above = column.min(front.own * D);
                let (above, rest) = local.split_at_mut(above);
                subtract(above, rest[column - above.len()], &values[..above.len()]);
            }
            scatter(front, &local, front.own, b);
        }
    }
}

/// A column of a dense matrix.
fn column_of(matrix: &DMatrix<f64>, column: usize) -> &[f64] {
    let rows = matrix.nrows();
    &matrix.as_slice()[column * rows..(column + 1) * rows]
}

/// Takes so many times a column from another one.
fn subtract(from: &mut [f64], times: f64, column: &[f64]) {
    from.iter_mut().zip(column).for_each(|(x, y)| *x -= times * y);
}

/// The rows of a front, in the memory of another one's.
fn gather<const D: usize>(front: &Front, b: &[Vector<D>], local: &mut Vec<f64>) {
    local.clear();
    local.extend(front.rows.iter().flat_map(|&row| b[row as usize].iter()));
}

/// Writes the first `rows` block rows of a front back.
fn scatter<const D: usize>(front: &Front, local: &[f64], rows: usize, b: &mut [Vector<D>]) {
    for (&row, values) in front.rows[..rows].iter().zip(local.chunks_exact(D)) {
        b[row as usize] = Vector::from_column_slice(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::nalgebra::DVector;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn solves_what_a_dense_factorisation_solves() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(3);
        for size in [1, 2, 40, 150] {
            // a chain with some shortcuts, not symmetric
            let mut starts = vec![0];
            let mut columns = Vec::new();
            for row in 0..size {
                let chain = (0..size).filter(|&column: &usize| column.abs_diff(row) <= 1);
                let mut row: Vec<u32> = chain.map(|column| column as u32).collect();
                row.extend((0..1).map(|_| random.random_range(0..size as u32)));
                row.sort_unstable();
                row.dedup();
                columns.extend(row);
                starts.push(columns.len());
            }
            let pattern = Pattern { starts, columns };
            let mut dense = DMatrix::zeros(2 * size, 2 * size);
            let mut blocks = Vec::new();
            for row in 0..size {
                for entry in pattern.entries(row) {
                    let column = pattern.columns[entry] as usize;
                    let mut block = Matrix::<2, 2>::from_fn(|_, _| random.random_range(-1.0..1.0));
                    block += Matrix::identity() * if row == column { 3.0 } else { 0.0 };
                    dense.fixed_view_mut::<2, 2>(2 * row, 2 * column).copy_from(&block);
                    blocks.push(block);
                }
            }
            let x: Vec<Vector<2>> =
                (0..size).map(|_| Vector::from_fn(|_, _| random.random_range(-1.0..1.0))).collect();
            let mut b = pattern.times(&blocks, &x);
            let flat = DVector::from_fn(2 * size, |k, _| b[k / 2][k % 2]);
            SymbolicLu::new(&pattern, 16).factor(&blocks).solve(&mut b);
            let oracle = dense.lu().solve(&flat);
            for (k, (found, x)) in b.iter().zip(&x).enumerate() {
                assert!((found - x).norm() < 1e-9, "{size}");
                assert!(
                    oracle
                        .as_ref()
                        .is_some_and(|oracle| (oracle.fixed_rows::<2>(2 * k) - found).norm() < 1e-9)
                );
            }
        }
    }
}
