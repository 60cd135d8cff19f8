//! The exact elimination of the bodies from a global problem: `W = Hᵀ M⁻¹ H`. Factors a square matrix piece
//! by piece; refuses a singular one and one whose factors would not fit in memory.

use super::sparse::Sparse;
use drystone_math::graph::{Edge, breadth_first};

/// Most numbers in the factors of one piece: 1 GiB.
const MOST_NUMBERS: usize = 1 << 27;

/// Why a matrix has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoFactors {
    /// A pivot vanishes; the unknown it belongs to.
    Singular(usize),
    /// The factors would be too large; unknowns coupled and the half width of their band.
    TooLarge(usize, usize),
}

/// LU factors with partial pivoting of every connected piece of a square matrix, each in a band after the
/// breadth-first order of Cuthill and McKee (1969). Rigid bodies give pieces of one or a few unknowns, a mesh
/// one piece with a narrow band.
#[derive(Debug)]
pub(crate) struct Factors {
    pieces: Vec<BandPiece>,
    size: usize,
}

/// One connected piece.
#[derive(Debug)]
pub(crate) struct BandPiece {
    /// The unknowns, in the order of the band.
    pub unknowns: Vec<u32>,
    band: Band,
}

impl Factors {
    /// Factors a square matrix.
    pub fn new(matrix: &Sparse) -> Result<Self, NoFactors> {
        let entries = matrix.summed();
        let between = |&(row, column, _): &(u32, u32, f64)| [row.min(column), row.max(column)];
        let mut coupled: Vec<[u32; 2]> = entries.iter().map(between).filter(|[a, b]| a != b).collect();
        coupled.sort_unstable();
        coupled.dedup();
        let edges: Vec<Edge> = coupled.into_iter().map(|edge| edge.map(Some)).collect();
        let orders = pieces(matrix.rows, &edges);
        // where each unknown went
        let mut home = vec![(0, 0); matrix.rows];
        for (piece, order) in orders.iter().enumerate() {
            for (place, &unknown) in order.iter().enumerate() {
                home[unknown as usize] = (piece, place);
            }
        }
        let mut inside = vec![Vec::new(); orders.len()];
        for &(row, column, value) in &entries {
            let (piece, row) = home[row as usize];
            inside[piece].push((row, home[column as usize].1, value));
        }
        let piece = |(unknowns, entries): (Vec<u32>, Vec<(usize, usize, f64)>)| {
            Ok(BandPiece { band: Band::new(&unknowns, &entries)?, unknowns })
        };
        let pieces = orders.into_iter().zip(inside).map(piece).collect::<Result<_, _>>()?;
        Ok(Self { pieces, size: matrix.rows })
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let mut part = Vec::new();
        for piece in &self.pieces {
            part.clear();
            part.extend(piece.unknowns.iter().map(|&unknown| x[unknown as usize]));
            piece.band.solve(&mut part);
            for (&unknown, &value) in piece.unknowns.iter().zip(&part) {
                x[unknown as usize] = value;
            }
        }
    }

    /// `Lᵀ K⁻¹ R` for the factored matrix K, as entries in no order; places may occur more than once.
    pub fn condense(&self, left: &Sparse, right: &Sparse) -> Vec<(u32, u32, f64)> {
        let rows_of = |matrix: &Sparse| {
            let mut rows = vec![Vec::new(); self.size];
            for (row, column, value) in matrix.summed() {
                rows[row as usize].push((column, value));
            }
            rows
        };
        let (left, right) = (rows_of(left), rows_of(right));
        self.pieces.iter().flat_map(|piece| piece.condense(&left, &right)).collect()
    }
}

/// The entries of each row of a matrix.
type SparseRows = [Vec<(u32, f64)>];

impl BandPiece {
    fn condense(&self, left: &SparseRows, right: &SparseRows) -> Vec<(u32, u32, f64)> {
        let columns_of = |rows: &SparseRows| {
            let entries = self.unknowns.iter().flat_map(|&unknown| &rows[unknown as usize]);
            let mut columns: Vec<u32> = entries.map(|entry| entry.0).collect();
            columns.sort_unstable();
            columns.dedup();
            columns
        };
        let (across, down) = (columns_of(right), columns_of(left));
        let mut entries = Vec::with_capacity(across.len() * down.len());
        let mut x = vec![0.0; self.unknowns.len()];
        let mut product = vec![0.0; down.len()];
        for column in across {
            for (x, &unknown) in x.iter_mut().zip(&self.unknowns) {
                let found = right[unknown as usize].iter().find(|entry| entry.0 == column);
                *x = found.map_or(0.0, |entry| entry.1);
            }
            self.band.solve(&mut x);
            product.fill(0.0);
            for (x, &unknown) in x.iter().zip(&self.unknowns) {
                for (row, value) in &left[unknown as usize] {
                    if let Ok(place) = down.binary_search(row) {
                        product[place] += value * x;
                    }
                }
            }
            let here = down.iter().zip(&product).filter(|(_, value)| **value != 0.0);
            entries.extend(here.map(|(&row, &value)| (row, column, value)));
        }
        entries
    }
}

/// The connected pieces of a graph, each in a breadth-first order.
fn pieces(unknowns: usize, edges: &[Edge]) -> Vec<Vec<u32>> {
    let place = breadth_first(unknowns, edges);
    let mut order = vec![0; unknowns];
    // whatever is found from an earlier unknown belongs to its piece
    let mut begins = vec![true; unknowns];
    for (unknown, &place) in place.iter().enumerate() {
        order[place as usize] = unknown as u32;
    }
    for &edge in edges {
        if let [Some(one), Some(other)] = edge {
            let later = place[one as usize].max(place[other as usize]);
            begins[later as usize] = false;
        }
    }
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    for (place, &unknown) in order.iter().enumerate() {
        match pieces.last_mut() {
            Some(piece) if !begins[place] => piece.push(unknown),
            _ => pieces.push(vec![unknown]),
        }
    }
    pieces
}

/// LU factors in a band: row `i` holds the columns `i − below ..= i + below + above`, the room that exchanges
/// of rows need included.
#[derive(Debug)]
struct Band {
    size: usize,
    below: usize,
    width: usize,
    numbers: Vec<f64>,
    pivots: Vec<u32>,
}

impl Band {
    fn new(unknowns: &[u32], entries: &[(usize, usize, f64)]) -> Result<Self, NoFactors> {
        let size = unknowns.len();
        let below = entries.iter().map(|entry| entry.0.saturating_sub(entry.1)).max().unwrap_or(0);
        let above = entries.iter().map(|entry| entry.1.saturating_sub(entry.0)).max().unwrap_or(0);
        let width = 2 * below + above + 1;
        if size.saturating_mul(width) > MOST_NUMBERS {
            return Err(NoFactors::TooLarge(size, below.max(above)));
        }
        let mut band = Self { size, below, width, numbers: vec![0.0; size * width], pivots: Vec::new() };
        for &(row, column, value) in entries {
            let place = band.place(row, column);
            band.numbers[place] += value;
        }
        band.factor().map_err(|row| NoFactors::Singular(unknowns[row] as usize))?;
        Ok(band)
    }

    fn place(&self, row: usize, column: usize) -> usize {
        row * self.width + column + self.below - row
    }

    /// Gaussian elimination with exchange of rows; fails with the row whose pivot vanishes beside its column.
    fn factor(&mut self) -> Result<(), usize> {
        let largest = self.numbers.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        for step in 0..self.size {
            let last = (step + self.below).min(self.size - 1);
            let size_of = |row: &usize| self.numbers[self.place(*row, step)].abs();
            let best =
                (step..=last).max_by(|a, b| size_of(a).total_cmp(&size_of(b)).then(b.cmp(a))).unwrap_or(step);
            let pivot = self.numbers[self.place(best, step)];
            if pivot.abs() <= largest * f64::EPSILON * 1e-3 || !pivot.is_finite() {
                return Err(step);
            }
            self.pivots.push(best as u32);
            let end = (step + self.width - self.below).min(self.size);
            if best != step {
                for column in step..end {
                    let (here, there) = (self.place(step, column), self.place(best, column));
                    self.numbers.swap(here, there);
                }
            }
            for row in step + 1..=last {
                let place = self.place(row, step);
                let factor = self.numbers[place] / pivot;
                self.numbers[place] = factor;
                if factor != 0.0 {
                    let from = self.place(step, step);
                    let (head, tail) = self.numbers.split_at_mut(place);
                    let pivot_row = &head[from + 1..from + end - step];
                    for (value, above) in tail[1..end - step].iter_mut().zip(pivot_row) {
                        *value -= factor * above;
                    }
                }
            }
        }
        Ok(())
    }

    fn solve(&self, x: &mut [f64]) {
        for step in 0..self.size {
            x.swap(step, self.pivots[step] as usize);
            let last = (step + self.below).min(self.size - 1);
            for row in step + 1..=last {
                x[row] -= self.numbers[self.place(row, step)] * x[step];
            }
        }
        for step in (0..self.size).rev() {
            let end = (step + self.width - self.below).min(self.size);
            let known: f64 =
                (step + 1..end).map(|column| self.numbers[self.place(step, column)] * x[column]).sum();
            x[step] = (x[step] - known) / self.numbers[self.place(step, step)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::nalgebra::{DMatrix, DVector};

    /// A repeatable number in ±½.
    fn number(k: usize) -> f64 {
        (k * 7919 % 1013) as f64 / 1013.0 - 0.5
    }

    /// Three pieces scattered over the unknowns: a chain with zeros on its diagonal, a dense block, single
    /// unknowns.
    fn scattered(size: usize) -> Sparse {
        let place = |k: usize| (k * 37 % size) as u32;
        let mut entries = Vec::new();
        let mut put =
            |row: usize, column: usize, value: f64| entries.push((place(row), place(column), value));
        for k in 0..size / 3 {
            // the sum of duplicates counts, and every other pivot of the chain must be exchanged
            put(k, k, if k % 2 == 0 { 0.0 } else { 1.5 });
            if k > 0 {
                put(k, k - 1, 1.0 + number(k));
                put(k - 1, k, 0.5);
                put(k - 1, k, 0.6 + number(k + 5));
            }
        }
        for row in size / 3..size / 3 + 9 {
            for column in size / 3..size / 3 + 9 {
                put(row, column, number(row * 31 + column) + if row == column { 0.1 } else { 0.0 });
            }
        }
        for k in size / 3 + 9..size {
            put(k, k, 2.0 + number(k));
        }
        Sparse { rows: size, columns: size, entries }
    }

    fn dense(matrix: &Sparse) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(matrix.rows, matrix.columns);
        for &(row, column, value) in &matrix.entries {
            dense[(row as usize, column as usize)] += value;
        }
        dense
    }

    #[test]
    fn solves_and_condenses_like_a_dense_matrix() {
        let size = 60;
        let matrix = scattered(size);
        let factors = Factors::new(&matrix).unwrap();
        assert_eq!(factors.pieces.len(), 2 + size - size / 3 - 9);
        let lu = dense(&matrix).lu();
        let b = DVector::from_fn(size, |k, _| number(3 * k + 1));
        let mut x: Vec<f64> = b.iter().copied().collect();
        factors.solve(&mut x);
        let reference = lu.solve(&b).unwrap();
        assert!((DVector::from_vec(x) - &reference).norm() < 1e-10 * reference.norm());

        let shape = |columns: usize, salt: usize| {
            let entries =
                (0..3 * size).map(|k| ((k * 7 % size) as u32, (k % columns) as u32, number(k + salt)));
            Sparse { rows: size, columns, entries: entries.collect() }
        };
        let (left, right) = (shape(8, 3), shape(5, 11));
        let condensed = Sparse { rows: 8, columns: 5, entries: factors.condense(&left, &right) };
        let reference = dense(&left).transpose() * lu.solve(&dense(&right)).unwrap();
        assert!((dense(&condensed) - &reference).norm() < 1e-10 * reference.norm());
    }

    #[test]
    fn a_singular_matrix_names_its_unknown() {
        let mut matrix = scattered(60);
        matrix.entries.retain(|entry| entry.0 != 59 * 37 % 60);
        assert_eq!(Factors::new(&matrix).unwrap_err(), NoFactors::Singular(59 * 37 % 60));
    }
}
