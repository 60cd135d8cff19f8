//! Factors that give the rows and columns of a programme a geometric mean of 1 (Curtis, Reid 1972): from
//! whatever units they find back to the same numbers. Changes no number itself.

use crate::program::{ConeBlock, ConeProgram};
use crate::sparse::Csc;

/// Rounds over rows and columns in turn.
const ROUNDS: usize = 30;

/// Entries so many powers of two smaller than both the largest of their row and of their column are taken for
/// rounding, until the factors are known well enough to tell.
const SMALL: f64 = 60.0;

/// Logarithm of what counts as rounding beside entries of about 1.
const ROUNDING: f64 = -24.0;

/// Nearly the logarithm of a number to the base 2: straight between powers of two.
fn logarithm(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    let bits = x.abs().to_bits();
    (bits >> 52) as f64 - 1023.0 + (bits & 0x000f_ffff_ffff_ffff) as f64 / (1u64 << 52) as f64
}

/// One entry of a matrix.
#[derive(Clone, Copy)]
struct LogEntry {
    row: usize,
    column: usize,
    logarithm: f64,
    /// Whether it is too large beside its row or column to be rounding.
    large: bool,
}

/// A mean of logarithms.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    /// What brings the mean to nothing.
    fn factor(&self) -> f64 {
        if self.count > 0.0 { -self.sum / self.count } else { 0.0 }
    }

    /// Takes in an entry times all factors but the one sought.
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.count += 1.0;
    }
}

/// Logarithms of the factors. The right side counts as one more column, the cost as one more row: they tie
/// together what the matrices leave apart.
pub(crate) struct Means {
    matrix: Vec<LogEntry>,
    squares: Vec<LogEntry>,
    right: Vec<LogEntry>,
    cost: Vec<LogEntry>,
    /// Of the quadratic cost as a whole.
    pub balance: f64,
    /// Of the rows; one number in each second-order cone.
    pub rows: Vec<f64>,
    /// Of the columns.
    pub columns: Vec<f64>,
    of_right: f64,
    of_cost: f64,
    of_rows: Vec<Mean>,
    of_columns: Vec<Mean>,
    /// Whether small entries are told by the factors there are.
    known: bool,
}

/// The entries of a matrix, and which of them are large.
fn entries(matrix: &Csc, rows: usize) -> Vec<LogEntry> {
    let (mut by_row, mut by_column) =
        (vec![f64::NEG_INFINITY; rows], vec![f64::NEG_INFINITY; matrix.columns()]);
    let mut all = Vec::with_capacity(matrix.value.len());
    for column in 0..matrix.columns() {
        for (row, value) in matrix.column(column).filter(|&(_, value)| value != 0.0) {
            let logarithm = logarithm(value);
            by_row[row] = logarithm.max(by_row[row]);
            by_column[column] = logarithm.max(by_column[column]);
            all.push(LogEntry { row, column, logarithm, large: true });
        }
    }
    for entry in &mut all {
        entry.large = entry.logarithm > by_row[entry.row].min(by_column[entry.column]) - SMALL;
    }
    all
}

/// A vector beside the matrix, each number judged after division by the largest entry of its line.
fn vector(numbers: &[f64], largest: &[f64]) -> Vec<LogEntry> {
    let relative =
        |(x, line): (&f64, &f64)| if line.is_finite() { logarithm(*x) - line } else { logarithm(*x) };
    let most = numbers.iter().zip(largest).map(relative).fold(f64::NEG_INFINITY, f64::max);
    let all = numbers.iter().zip(largest).enumerate().filter(|(_, (x, _))| **x != 0.0);
    all.map(|(k, both)| LogEntry {
        row: k,
        column: k,
        logarithm: logarithm(*both.0),
        large: relative(both) > most - SMALL,
    })
    .collect()
}

impl Means {
    pub fn new(program: &ConeProgram, matrix: &Csc, squares: &Csc) -> Self {
        let (m, n) = (program.rows(), program.unknowns());
        let entries_of_matrix = entries(matrix, m);
        let (mut by_row, mut by_column) = (vec![f64::NEG_INFINITY; m], vec![f64::NEG_INFINITY; n]);
        for entry in &entries_of_matrix {
            by_row[entry.row] = by_row[entry.row].max(entry.logarithm);
            by_column[entry.column] = by_column[entry.column].max(entry.logarithm);
        }
        Self {
            squares: entries(squares, n),
            right: vector(&program.right, &by_row),
            cost: vector(&program.cost, &by_column),
            matrix: entries_of_matrix,
            balance: 0.0,
            rows: vec![0.0; m],
            columns: vec![0.0; n],
            of_right: 0.0,
            of_cost: 0.0,
            of_rows: vec![Mean::default(); m],
            of_columns: vec![Mean::default(); n],
            known: false,
        }
    }

    /// Makes the means as even as they can be.
    pub fn even(mut self, program: &ConeProgram) -> Self {
        for round in 0..ROUNDS {
            self.known = 2 * round >= ROUNDS;
            self.wholes();
            self.even_rows(program);
            self.even_columns();
        }
        self
    }

    /// Whether an entry counts that is `scaled` with the factors there are.
    fn counts(&self, entry: &LogEntry, scaled: f64) -> bool {
        if self.known { scaled > ROUNDING } else { entry.large }
    }

    /// The factors of the right side, the cost and the quadratic cost as a whole.
    fn wholes(&mut self) {
        let (mut balance, mut right, mut cost) = (Mean::default(), Mean::default(), Mean::default());
        for entry in &self.squares {
            let rest = entry.logarithm + self.columns[entry.row] + self.columns[entry.column];
            if self.counts(entry, rest + self.balance) {
                balance.add(rest);
            }
        }
        for entry in &self.right {
            let rest = entry.logarithm + self.rows[entry.row];
            if self.counts(entry, rest + self.of_right) {
                right.add(rest);
            }
        }
        for entry in &self.cost {
            let rest = entry.logarithm + self.columns[entry.column];
            if self.counts(entry, rest + self.of_cost) {
                cost.add(rest);
            }
        }
        (self.balance, self.of_right, self.of_cost) = (balance.factor(), right.factor(), cost.factor());
    }

    fn even_rows(&mut self, program: &ConeProgram) {
        let mut means = std::mem::take(&mut self.of_rows);
        means.fill(Mean::default());
        for entry in &self.matrix {
            let rest = entry.logarithm + self.columns[entry.column];
            if self.counts(entry, rest + self.rows[entry.row]) {
                means[entry.row].add(rest);
            }
        }
        for entry in &self.right {
            let rest = entry.logarithm + self.of_right;
            if self.counts(entry, rest + self.rows[entry.row]) {
                means[entry.row].add(rest);
            }
        }
        for (cone, range) in program.blocks() {
            if let ConeBlock::SecondOrder(_) = cone {
                let all = means[range.clone()].iter().fold(Mean::default(), |all, one| Mean {
                    sum: all.sum + one.sum,
                    count: all.count + one.count,
                });
                means[range].fill(all);
            }
        }
        self.rows.iter_mut().zip(&means).for_each(|(row, mean)| *row = mean.factor());
        self.of_rows = means;
    }

    fn even_columns(&mut self) {
        let mut means = std::mem::take(&mut self.of_columns);
        means.fill(Mean::default());
        for entry in &self.matrix {
            let rest = entry.logarithm + self.rows[entry.row];
            if self.counts(entry, rest + self.columns[entry.column]) {
                means[entry.column].add(rest);
            }
        }
        for entry in &self.cost {
            let rest = entry.logarithm + self.of_cost;
            if self.counts(entry, rest + self.columns[entry.column]) {
                means[entry.column].add(rest);
            }
        }
        for entry in &self.squares {
            let scaled =
                entry.logarithm + self.balance + self.columns[entry.row] + self.columns[entry.column];
            if self.counts(entry, scaled) {
                means[entry.column].add(scaled - self.columns[entry.column]);
            }
        }
        self.columns.iter_mut().zip(&means).for_each(|(column, mean)| *column = mean.factor());
        self.of_columns = means;
    }
}
