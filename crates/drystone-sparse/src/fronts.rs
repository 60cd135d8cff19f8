//! Multifrontal LU of a sparse matrix of blocks (Duff, Reid 1983): dense eliminations along the tree of a
//! nested dissection. The pattern is analysed once and factored many times. Refuses to pivot across fronts:
//! pivots are sought within a front, which the proximal term makes good enough for Newton.

use crate::dissection::{Supernode, dissect};
use crate::lu::eliminate_leading;
use crate::pattern::Pattern;
use crate::tree::{Front, along, neighbours};
use drystone_math::nalgebra::DMatrix;
use drystone_math::{Matrix, Vector};
use rayon::prelude::*;
use std::sync::Arc;

/// Multiplications of a factorisation that several threads are worth their while for.
const WORTH_SHARING: f64 = 1e6;

/// The analysed pattern.
pub struct SymbolicLu {
    fronts: Arc<[Front]>,
    /// Their numbers, those that do not wait for each other together.
    levels: Arc<[Vec<usize>]>,
}

/// The factors of one matrix.
pub struct Factors<const D: usize> {
    fronts: Arc<[Front]>,
    dense: Vec<DenseFront>,
}

impl SymbolicLu {
    /// Analyses a pattern; pieces of up to `small` block rows are eliminated as one.
    pub fn new(pattern: &Pattern, small: usize) -> Self {
        let neighbours = neighbours(pattern);
        let parts = dissect(&neighbours, small);
        Self::along(pattern, &neighbours, &parts)
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
        Self::along(pattern, &neighbours, &parts)
    }

    fn along(pattern: &Pattern, neighbours: &[Vec<u32>], parts: &[Supernode]) -> Self {
        let fronts = along(pattern, neighbours, parts);
        Self { levels: levels(&fronts), fronts: fronts.into() }
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

    /// Factors the matrix with the given blocks: fronts that do not wait for each other side by side, to the
    /// same bits.
    pub fn factor<const D: usize>(&self, blocks: &[Matrix<D, D>]) -> Factors<D> {
        let mut dense: Vec<DenseFront> = Vec::new();
        dense.resize_with(self.fronts.len(), || (DMatrix::zeros(0, 0), Vec::new()));
        let shared = rayon::current_num_threads() > 1 && self.multiplications::<D>() >= WORTH_SHARING;
        for level in &*self.levels {
            if shared && level.len() > 1 {
                let made = level.par_iter().map(|&front| self.eliminate(front, blocks, &dense));
                let made: Vec<DenseFront> = made.collect();
                level.iter().zip(made).for_each(|(&front, made)| dense[front] = made);
            } else {
                for &front in level {
                    dense[front] = self.eliminate(front, blocks, &dense);
                }
            }
        }
        Factors { fronts: Arc::clone(&self.fronts), dense }
    }

    /// One front, its children being there.
    fn eliminate<const D: usize>(
        &self,
        front: usize,
        blocks: &[Matrix<D, D>],
        dense: &[DenseFront],
    ) -> DenseFront {
        let front = &self.fronts[front];
        let size = front.rows.len() * D;
        let mut matrix = DMatrix::zeros(size, size);
        for &(entry, row, column) in &front.entries {
            let mut target = matrix.fixed_view_mut::<D, D>(row as usize * D, column as usize * D);
            target += &blocks[entry];
        }
        for (child, places) in &front.children {
            let (start, from) = (self.fronts[*child].own * D, &dense[*child].0);
            for (j, column) in
                places.iter().flat_map(|&place| (0..D).map(move |k| place as usize * D + k)).enumerate()
            {
                let from = &column_of(from, start + j)[start..];
                let target = &mut matrix.as_mut_slice()[column * size..(column + 1) * size];
                for (&row, part) in places.iter().zip(from.chunks_exact(D)) {
                    let first = row as usize * D;
                    target[first..first + D].iter_mut().zip(part).for_each(|(x, y)| *x += y);
                }
            }
        }
        let exchanges = eliminate_leading(&mut matrix, front.own * D);
        (matrix, exchanges)
    }
}

/// The dense matrix of a front, eliminated as far as its own rows go, and the rows exchanged.
type DenseFront = (DMatrix<f64>, Vec<usize>);

/// Fronts that do not wait for each other: those without children, those whose children are all among the
/// first, and so on.
fn levels(fronts: &[Front]) -> Arc<[Vec<usize>]> {
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut height = vec![0; fronts.len()];
    for (index, front) in fronts.iter().enumerate() {
        height[index] = front.children.iter().map(|&(child, _)| height[child] + 1).max().unwrap_or(0);
        levels.resize_with(levels.len().max(height[index] + 1), Vec::new);
        levels[height[index]].push(index);
    }
    levels.into()
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
        let of_front = |(front, (matrix, _)): (&Front, &DenseFront)| {
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

    /// Fronts side by side give the bits of one after the other.
    #[test]
    fn threads_change_no_bit() {
        let (wide, count) = (24, 24 * 24);
        let mut pattern = Pattern { starts: vec![0], columns: Vec::new() };
        for row in 0..count {
            let near = |column: &usize| {
                let apart = |of: fn(usize) -> usize| of(*column).abs_diff(of(row)) <= 1;
                apart(|k| k % 24) && apart(|k| k / 24)
            };
            pattern.columns.extend((0..count).filter(near).map(|column| column as u32));
            pattern.starts.push(pattern.columns.len());
        }
        let mut random = rand_pcg::Pcg64::seed_from_u64(4);
        let mut block = || Matrix::<3, 3>::from_fn(|_, _| random.random_range(-1.0..1.0));
        let blocks: Vec<_> = pattern.columns.iter().map(|_| block() + Matrix::identity()).collect();
        let b: Vec<Vector<3>> = (0..count).map(|k| Vector::from_fn(|i, _| (k * wide + i) as f64)).collect();
        let symbolic = SymbolicLu::new(&pattern, 4);
        assert!(symbolic.multiplications::<3>() > WORTH_SHARING);
        let solve = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut x = b.clone();
            pool.install(|| symbolic.factor(&blocks)).solve(&mut x);
            x
        };
        assert_eq!(solve(1), solve(3));
    }
}
