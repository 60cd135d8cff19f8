//! A programme in units of its own: rows, columns, cost and right side of about 1 (Curtis, Reid 1972; Ruiz
//! 2001). All factors are powers of two, so that no number loses a digit on the way there or back.

use crate::means::Means;
use crate::program::{ConeBlock, ConeProgram};
use crate::sparse::Csc;

/// Rounds towards even largest entries; each takes the square root of what is uneven.
const ROUNDS: usize = 10;

/// Rows or columns whose largest entries differ by more than this are in different units: only then means
/// tell the units, since small entries of a programme in its own units may be anything.
const SPREAD: f64 = 1e6;

/// The programme `min ½ x̂ᵀP̂ x̂ + q̂·x̂` with `Â x̂ + ŝ = b̂`, where `x = β E x̂`, `s = β D⁻¹ ŝ` and
/// `z = (β/k) D ẑ`.
pub(crate) struct Scaled {
    /// Upper triangle of `P̂ = k E P E`.
    pub squares: Csc,
    /// `Â = D A E`.
    pub matrix: Csc,
    /// `q̂ = (k/β) E q`.
    pub cost: Vec<f64>,
    /// `b̂ = (1/β) D b`.
    pub right: Vec<f64>,
    /// `E`.
    columns: Vec<f64>,
    /// `D`, one factor in each second-order cone.
    rows: Vec<f64>,
    /// `k` as far as it comes from the matrices.
    balance: f64,
    /// `k`.
    price: f64,
    /// `β`.
    unit: f64,
}

/// The power of two next to a positive number, by the ratio.
fn power_of_two(x: f64) -> f64 {
    if !(x.is_finite() && x >= f64::MIN_POSITIVE) {
        return 1.0;
    }
    let bits = x.to_bits();
    // √2 = 1.414… has the mantissa 0x6a09e667f3bcd
    let up = u64::from(bits & 0x000f_ffff_ffff_ffff > 0x0006_a09e_667f_3bcd);
    let exponent = ((bits >> 52) + up).min(0x7fe);
    f64::from_bits(exponent << 52)
}

pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
}

impl Scaled {
    pub fn new(program: &ConeProgram) -> Self {
        let mut scaled = Self {
            squares: program.squares(),
            matrix: program.matrix(),
            cost: vec![0.0; program.unknowns()],
            right: vec![0.0; program.rows()],
            columns: vec![1.0; program.unknowns()],
            rows: vec![1.0; program.rows()],
            balance: 1.0,
            price: 1.0,
            unit: 1.0,
        };
        scaled.equilibrate(program);
        scaled.load(&program.cost, &program.right);
        scaled
    }

    fn equilibrate(&mut self, program: &ConeProgram) {
        if self.spread() > SPREAD {
            self.even_means(program);
        }
        let (mut by_column, mut by_row) = (vec![0.0; self.columns.len()], vec![0.0; self.rows.len()]);
        for _ in 0..ROUNDS {
            by_column.fill(0.0);
            by_row.fill(0.0);
            self.norms(&mut by_column, &mut by_row);
            for (cone, rows) in program.blocks() {
                if let ConeBlock::SecondOrder(_) = cone {
                    let norm = largest(&by_row[rows.clone()]);
                    by_row[rows].fill(norm);
                }
            }
            let apply = |factors: &mut [f64], norms: &[f64]| {
                for (factor, norm) in factors.iter_mut().zip(norms).filter(|(_, norm)| **norm > 0.0) {
                    *factor /= norm.sqrt();
                }
            };
            apply(&mut self.columns, &by_column);
            apply(&mut self.rows, &by_row);
        }
        self.columns.iter_mut().chain(&mut self.rows).for_each(|factor| *factor = power_of_two(*factor));
        for column in 0..self.columns.len() {
            let of_column = self.columns[column];
            for entry in self.matrix.start[column]..self.matrix.start[column + 1] {
                self.matrix.value[entry] *= of_column * self.rows[self.matrix.row[entry] as usize];
            }
            for entry in self.squares.start[column]..self.squares.start[column + 1] {
                let other = self.columns[self.squares.row[entry] as usize];
                self.squares.value[entry] *= self.balance * of_column * other;
            }
        }
    }

    /// The ratio of the largest entries of any two rows, or of any two columns.
    fn spread(&self) -> f64 {
        let (mut by_column, mut by_row) = (vec![0.0; self.columns.len()], vec![0.0; self.rows.len()]);
        self.norms(&mut by_column, &mut by_row);
        let ratio = |norms: &[f64]| {
            let least =
                norms.iter().filter(|norm| **norm > 0.0).fold(f64::INFINITY, |least, norm| norm.min(least));
            largest(norms) / least
        };
        ratio(&by_column).max(ratio(&by_row))
    }

    /// Rows and columns with a geometric mean of 1, as nearly as they can all have it.
    fn even_means(&mut self, program: &ConeProgram) {
        let means = Means::new(program, &self.matrix, &self.squares).even(program);
        let power = |x: f64| f64::from_bits(((x.round().clamp(-1000.0, 1000.0) as i64 + 1023) as u64) << 52);
        self.balance = power(means.balance);
        self.columns.iter_mut().zip(&means.columns).for_each(|(to, x)| *to = power(*x));
        self.rows.iter_mut().zip(&means.rows).for_each(|(to, x)| *to = power(*x));
    }

    /// The largest entries of the columns and rows, scaled as far as they are.
    fn norms(&self, by_column: &mut [f64], by_row: &mut [f64]) {
        for column in 0..self.columns.len() {
            for (row, value) in self.matrix.column(column) {
                let size = value.abs() * self.rows[row] * self.columns[column];
                by_column[column] = by_column[column].max(size);
                by_row[row] = by_row[row].max(size);
            }
            for (row, value) in self.squares.column(column) {
                let size = self.balance * value.abs() * self.columns[row] * self.columns[column];
                by_column[column] = by_column[column].max(size);
                by_column[row] = by_column[row].max(size);
            }
        }
    }

    /// Takes in a cost and a right side.
    pub fn load(&mut self, cost: &[f64], right: &[f64]) {
        let scaled = |to: &mut [f64], from: &[f64], by: &[f64]| {
            to.iter_mut().zip(from).zip(by).for_each(|((to, from), by)| *to = from * by);
        };
        scaled(&mut self.cost, cost, &self.columns);
        scaled(&mut self.right, right, &self.rows);
        let (of_cost, of_right) = (largest(&self.cost), largest(&self.right));
        let quadratic = self.squares.value.iter().any(|&value| value != 0.0);
        (self.unit, self.price) = if quadratic {
            (power_of_two(of_right.max(self.balance * of_cost)), self.balance)
        } else {
            let unit = power_of_two(of_right);
            (unit, if of_cost > 0.0 { power_of_two(unit / of_cost) } else { 1.0 })
        };
        let (of_cost, of_right) = (self.price / self.unit, 1.0 / self.unit);
        self.cost.iter_mut().for_each(|cost| *cost *= of_cost);
        self.right.iter_mut().for_each(|right| *right *= of_right);
    }

    /// `x̂` of an unknown of the caller.
    pub fn unknown(&self, column: usize, x: f64) -> f64 {
        x / self.columns[column] / self.unit
    }

    /// `ŝ` of a slack, or of anything in the units of a row.
    pub fn slack(&self, row: usize, s: f64) -> f64 {
        s * self.rows[row] / self.unit
    }

    /// `ẑ` of a multiplier.
    pub fn multiplier(&self, row: usize, z: f64) -> f64 {
        z / self.rows[row] / self.unit * self.price
    }

    /// A number in the units of the cost of an unknown.
    pub fn gradient(&self, column: usize, q: f64) -> f64 {
        q * self.columns[column] / self.unit * self.price
    }

    /// A number in the units of the whole cost.
    pub fn value(&self, value: f64) -> f64 {
        value / self.unit / self.unit * self.price
    }

    /// `x` of the caller.
    pub fn unknowns<'a>(&'a self, x: &'a [f64], over: f64) -> impl Iterator<Item = f64> + 'a {
        x.iter().zip(&self.columns).map(move |(x, column)| x / over * column * self.unit)
    }

    /// `s` of the caller.
    pub fn slacks<'a>(&'a self, s: &'a [f64], over: f64) -> impl Iterator<Item = f64> + 'a {
        s.iter().zip(&self.rows).map(move |(s, row)| s / over / row * self.unit)
    }

    /// `z` of the caller.
    pub fn multipliers<'a>(&'a self, z: &'a [f64], over: f64) -> impl Iterator<Item = f64> + 'a {
        let unit = self.unit / self.price;
        z.iter().zip(&self.rows).map(move |(z, row)| z / over * row * unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two() {
        for (x, power) in [(1.0, 1.0), (1.4, 1.0), (1.5, 2.0), (3.0, 4.0), (0.6, 0.5), (1e-9, 2f64.powi(-30))]
        {
            assert_eq!(power_of_two(x), power, "{x}");
        }
        assert_eq!(power_of_two(0.0), 1.0);
        assert_eq!(power_of_two(f64::INFINITY), 1.0);
    }
}
