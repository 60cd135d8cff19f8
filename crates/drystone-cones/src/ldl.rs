//! `L D Lᵀ` of a sparse quasi-definite matrix with a fixed pattern: analysed once, factored many times. The
//! signs of the pivots are known beforehand (Vanderbei 1995), so that no exchange of rows is needed.

use crate::order::minimum_degree;
use crate::sparse::Csc;

/// A pivot smaller than this, relative to the matrix whose entries are about 1, has lost its sign.
const LOST: f64 = 1e-14;

/// What such a pivot is replaced with.
const REPLACED: f64 = 1e-7;

/// Where L has entries.
struct Pattern {
    /// Where the columns of each row begin.
    row_start: Vec<usize>,
    /// Columns that take part in a row, in the order in which they are needed.
    row: Vec<u32>,
    /// Where each column begins.
    start: Vec<usize>,
    /// Rows of each column.
    below: Vec<u32>,
}

/// The factors of a permuted matrix.
pub(crate) struct Ldl {
    /// Vertex of the matrix at each place of the order.
    order: Vec<u32>,
    /// Upper triangle of the permuted matrix.
    upper: Csc,
    /// Place in the permuted matrix of every entry of the matrix given.
    place: Vec<u32>,
    /// Sign of the pivots, in the order.
    sign: Vec<f64>,
    pattern: Pattern,
    /// Entries of L by columns.
    value: Vec<f64>,
    inverse: Vec<f64>,
    next: Vec<usize>,
    work: Vec<f64>,
}

impl Ldl {
    /// Analyses a matrix of which the upper triangle is given, with all entries of the diagonal, and the
    /// signs of its pivots.
    pub fn new(matrix: &Csc, sign: &[f64]) -> Self {
        let size = sign.len();
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); size];
        for column in 0..size {
            for (row, _) in matrix.column(column).filter(|&(row, _)| row != column) {
                neighbours[column].push(row as u32);
                neighbours[row].push(column as u32);
            }
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        let order = minimum_degree(neighbours);
        let mut rank = vec![0u32; size];
        order.iter().enumerate().for_each(|(place, &vertex)| rank[vertex as usize] = place as u32);
        let (upper, place) = permuted(matrix, &rank);
        let pattern = Pattern::new(&upper);
        Self {
            sign: order.iter().map(|&vertex| sign[vertex as usize]).collect(),
            order,
            upper,
            place,
            next: pattern.start.clone(),
            value: vec![0.0; pattern.below.len()],
            pattern,
            inverse: vec![0.0; size],
            work: vec![0.0; size],
        }
    }

    /// Multiplications of one factorisation.
    pub fn multiplications(&self) -> f64 {
        let of_column = |ends: &[usize]| (ends[1] - ends[0]) as f64;
        self.pattern.start.windows(2).map(of_column).map(|below| 0.5 * below * (below + 3.0)).sum()
    }

    /// Sets an entry of the matrix by its place in the matrix given to [`Ldl::new`].
    pub fn set(&mut self, entry: usize, value: f64) {
        self.upper.value[self.place[entry] as usize] = value;
    }

    /// Factors the matrix; returns how many pivots had to be replaced.
    pub fn factor(&mut self) -> usize {
        let size = self.sign.len();
        let mut replaced = 0;
        let Pattern { row_start, row, start, below } = &self.pattern;
        self.next.copy_from_slice(start);
        for k in 0..size {
            let mut pivot = 0.0;
            for (above, value) in self.upper.column(k) {
                if above == k {
                    pivot = value;
                } else {
                    self.work[above] = value;
                }
            }
            for &column in &row[row_start[k]..row_start[k + 1]] {
                let c = column as usize;
                let along = std::mem::take(&mut self.work[c]);
                let done = start[c]..self.next[c];
                for (below, value) in below[done.clone()].iter().zip(&self.value[done]) {
                    self.work[*below as usize] -= value * along;
                }
                let entry = along * self.inverse[c];
                pivot -= along * entry;
                self.value[self.next[c]] = entry;
                self.next[c] += 1;
            }
            if self.sign[k] * pivot < LOST || !pivot.is_finite() {
                pivot = self.sign[k] * REPLACED;
                replaced += 1;
            }
            self.inverse[k] = 1.0 / pivot;
        }
        replaced
    }

    /// Solves for a right side in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let (work, Pattern { start, below, .. }) = (&mut self.work, &self.pattern);
        self.order.iter().zip(work.iter_mut()).for_each(|(&vertex, work)| *work = x[vertex as usize]);
        let size = work.len();
        for c in 0..size {
            let own = work[c];
            if own != 0.0 {
                let range = start[c]..start[c + 1];
                for (below, value) in below[range.clone()].iter().zip(&self.value[range]) {
                    work[*below as usize] -= value * own;
                }
            }
        }
        for c in (0..size).rev() {
            let range = start[c]..start[c + 1];
            let mut own = work[c] * self.inverse[c];
            for (below, value) in below[range.clone()].iter().zip(&self.value[range]) {
                own -= value * work[*below as usize];
            }
            work[c] = own;
        }
        self.order.iter().zip(work.iter_mut()).for_each(|(&vertex, work)| x[vertex as usize] = *work);
        work.fill(0.0);
    }
}

/// The upper triangle of the permuted matrix, and where its entries went.
fn permuted(matrix: &Csc, rank: &[u32]) -> (Csc, Vec<u32>) {
    let size = rank.len();
    let mut entries: Vec<(u32, u32, u32)> = Vec::with_capacity(matrix.value.len());
    for column in 0..size {
        for entry in matrix.start[column]..matrix.start[column + 1] {
            let (a, b) = (rank[matrix.row[entry] as usize], rank[column]);
            entries.push((a.max(b), a.min(b), entry as u32));
        }
    }
    entries.sort_unstable();
    let mut upper = Csc { start: vec![0; size + 1], row: Vec::new(), value: Vec::new() };
    let mut place = vec![0; entries.len()];
    for (at, &(column, row, entry)) in entries.iter().enumerate() {
        upper.start[column as usize + 1] += 1;
        upper.row.push(row);
        upper.value.push(matrix.value[entry as usize]);
        place[entry as usize] = at as u32;
    }
    for column in 0..size {
        upper.start[column + 1] += upper.start[column];
    }
    (upper, place)
}

impl Pattern {
    /// Along the elimination tree (Liu 1990).
    fn new(upper: &Csc) -> Self {
        const NONE: u32 = u32::MAX;
        let size = upper.columns();
        let mut parent = vec![NONE; size];
        let mut seen = vec![usize::MAX; size];
        let (mut row_start, mut rows) = (vec![0], Vec::new());
        let mut start = vec![0; size + 1];
        let (mut path, mut chain) = (Vec::new(), Vec::new());
        for k in 0..size {
            seen[k] = k;
            path.clear();
            for (row, _) in upper.column(k).filter(|&(row, _)| row != k) {
                chain.clear();
                let mut next = row;
                while seen[next] != k {
                    seen[next] = k;
                    chain.push(next as u32);
                    if parent[next] == NONE {
                        parent[next] = k as u32;
                        break;
                    }
                    next = parent[next] as usize;
                }
                // later chains end below earlier ones, which are needed after them
                path.extend(chain.iter().rev());
            }
            path.reverse();
            path.iter().for_each(|&column| start[column as usize + 1] += 1);
            rows.extend_from_slice(&path);
            row_start.push(rows.len());
        }
        for column in 0..size {
            start[column + 1] += start[column];
        }
        let mut next = start.clone();
        let mut below = vec![0; rows.len()];
        for k in 0..size {
            for &column in &rows[row_start[k]..row_start[k + 1]] {
                below[next[column as usize]] = k as u32;
                next[column as usize] += 1;
            }
        }
        Self { row_start, row: rows, start, below }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_a_quasi_definite_system() {
        // [ E  Bᵀ ; B  −F ] with B sparse, numbers from a small generator
        let (n, m) = (40, 25);
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        let mut entries: Vec<(u32, u32, f64)> = Vec::new();
        for k in 0..n + m {
            entries.push((k, k, if k < n { 1e-3 } else { -1e-2 }));
        }
        for row in 0..m {
            for _ in 0..4 {
                let column = ((random() + 1.0) * 0.4999 * n as f64) as u32;
                entries.push((column, n + row, random()));
            }
        }
        let matrix = Csc::new((n + m) as usize, &entries);
        let sign: Vec<f64> = (0..n + m).map(|k| if k < n { 1.0 } else { -1.0 }).collect();
        let mut ldl = Ldl::new(&matrix, &sign);
        for _ in 0..2 {
            assert_eq!(ldl.factor(), 0);
            let x: Vec<f64> = (0..n + m).map(|_| random()).collect();
            let mut right = vec![0.0; x.len()];
            matrix.add_symmetric(1.0, &x, &mut right);
            ldl.solve(&mut right);
            let error = x.iter().zip(&right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{error}");
        }
    }
}
