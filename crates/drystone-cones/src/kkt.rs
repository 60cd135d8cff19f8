//! The linear system of a step, `(P, Aᵀ; A, −WᵀW)`, factored with a little regularisation and refined
//! without. Knows no step and no residual of the programme.

use crate::cones::Cones;
use crate::ldl::Ldl;
use crate::scaled::Scaled;
use crate::sparse::Csc;

/// What is added to the diagonal, with the sign of the pivot, for the factors alone; the next is tried where
/// steps come to nothing. Where P leaves unknowns without a pivot of their own, the square of it must stay
/// near the rounding of entries of about 1; where P does not, nothing is lost with little.
const REGULARISED: [f64; 3] = [1e-11, 1e-8, 1e-6];

/// Diagonal of P from which on unknowns have a pivot of their own.
const CURVED: f64 = 1e-3;

/// Most rounds of refinement.
const REFINED: usize = 8;

/// Error, relative to the right side, at which refinement ends.
const EXACT: f64 = 1e-13;

/// The system with its factors.
pub(crate) struct Kkt {
    ldl: Ldl,
    /// Entries of the matrix that hold `−WᵀW`, and whether they are on the diagonal.
    square: Vec<(usize, bool)>,
    /// Entries of the diagonal of P, and what they are.
    diagonal: Vec<(usize, f64)>,
    /// What is added to the diagonal.
    added: f64,
    /// Unknowns.
    n: usize,
    error: Vec<f64>,
    best: Vec<f64>,
}

impl Kkt {
    pub fn new(scaled: &Scaled, cones: &Cones) -> Self {
        let (n, m) = (scaled.cost.len(), scaled.right.len());
        let mut entries: Vec<(u32, u32, f64)> = Vec::new();
        for column in 0..n {
            entries.push((column as u32, column as u32, 0.0));
            entries
                .extend(scaled.squares.column(column).map(|(row, value)| (row as u32, column as u32, value)));
            entries.extend(
                scaled.matrix.column(column).map(|(row, value)| (column as u32, (n + row) as u32, value)),
            );
        }
        let places = cones.places();
        entries.extend(places.iter().map(|&(i, j)| ((n + i) as u32, (n + j) as u32, -1.0)));
        let matrix = Csc::new(n + m, &entries);
        let entry = |&(i, j): &(usize, usize)| {
            let range = matrix.start[n + j]..matrix.start[n + j + 1];
            let found = matrix.row[range.clone()].binary_search(&((n + i) as u32));
            // every place was given above
            (range.start + found.unwrap_or(0), i == j)
        };
        let square = places.iter().map(entry).collect();
        // the diagonal comes last in the upper triangle of a column
        let last = |column: usize| matrix.start[column + 1] - 1;
        let diagonal = (0..n).map(|column| (last(column), matrix.value[last(column)])).collect();
        let sign: Vec<f64> = (0..n + m).map(|k| if k < n { 1.0 } else { -1.0 }).collect();
        Self {
            ldl: Ldl::new(&matrix, &sign),
            square,
            diagonal,
            added: 0.0,
            n,
            error: vec![0.0; n + m],
            best: vec![0.0; n + m],
        }
    }

    /// Multiplications of one factorisation.
    pub fn multiplications(&self) -> f64 {
        self.ldl.multiplications()
    }

    /// What may be added to the diagonal, in the order to be tried.
    pub fn levels(&self) -> &'static [f64] {
        let curved = self.diagonal.iter().all(|&(_, value)| value >= CURVED);
        if curved { &REGULARISED } else { &REGULARISED[1..] }
    }

    /// Says what is added to the diagonal.
    pub fn regularise(&mut self, added: f64) {
        self.added = added;
        self.diagonal.iter().for_each(|&(entry, value)| self.ldl.set(entry, value + added));
    }

    /// Factors the system of a scaling.
    pub fn factor(&mut self, cones: &Cones) {
        for (&(entry, diagonal), value) in self.square.iter().zip(&cones.square) {
            self.ldl.set(entry, if diagonal { -value - self.added } else { -value });
        }
        self.ldl.factor();
    }

    /// Solves for a right side; returns the error left, relative to it.
    pub fn solve(&mut self, scaled: &Scaled, cones: &Cones, right: &[f64], x: &mut [f64]) -> f64 {
        let size = largest(right).max(f64::MIN_POSITIVE);
        x.copy_from_slice(right);
        self.ldl.solve(x);
        let mut before = f64::INFINITY;
        for _ in 0..REFINED {
            let error = self.miss(scaled, cones, right, x) / size;
            if error < before {
                self.best.copy_from_slice(x);
            }
            if error >= 0.2 * before || error <= EXACT {
                before = before.min(error);
                break;
            }
            before = error;
            self.ldl.solve(&mut self.error);
            x.iter_mut().zip(&self.error).for_each(|(x, more)| *x += more);
        }
        x.copy_from_slice(&self.best);
        before
    }

    /// The error of a solution and its largest component.
    fn miss(&mut self, scaled: &Scaled, cones: &Cones, right: &[f64], x: &[f64]) -> f64 {
        self.error.copy_from_slice(right);
        let (of_x, of_z) = x.split_at(self.n);
        let (first, second) = self.error.split_at_mut(self.n);
        scaled.squares.add_symmetric(-1.0, of_x, first);
        scaled.matrix.add_transposed(-1.0, of_z, first);
        scaled.matrix.add_times(-1.0, of_x, second);
        cones.add_square(1.0, of_z, second);
        largest(&self.error)
    }
}

/// The largest component; infinite where one is not a number.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest: f64, x| if x.is_nan() { f64::INFINITY } else { largest.max(x.abs()) })
}
