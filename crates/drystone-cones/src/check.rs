//! What a point or a certificate is worth, computed anew from the programme alone. Solves nothing and trusts
//! nobody.

use crate::program::{ConeBlock, ConeProgram};
use crate::scaled::{Scaled, largest};

/// How far a point is from solving a programme, free of units: rows, columns, cost and right side are
/// brought to about 1 first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Largest error of `A x + s = b`, relative to the largest `x` or `s` where that is more than 1.
    pub primal: f64,
    /// Largest error of `P x + Aᵀz + q = 0`, relative to the largest `z` or `P x` where that is more than 1.
    pub dual: f64,
    /// By how much `s` or `z` leaves its cone, each relative to its largest component.
    pub outside: f64,
    /// `½ xᵀP x + q·x` and `−½ xᵀP x − b·z`, in the units of the programme.
    pub values: [f64; 2],
    /// The difference of the two, relative to the smaller one where that is more than 1.
    pub gap: f64,
}

impl Residuals {
    /// The largest of all.
    pub fn worst(&self) -> f64 {
        [self.dual, self.outside, self.gap]
            .into_iter()
            .fold(self.primal, |worst, next| if next.is_nan() { f64::INFINITY } else { worst.max(next) })
    }
}

/// A sum with the rounding errors of its terms kept (Ogita, Rump, Oishi 2005), and the sum of their sizes.
#[derive(Clone, Copy, Default)]
struct Sum {
    high: f64,
    low: f64,
    size: f64,
}

impl Sum {
    fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        let ([a_high, a_low], [b_high, b_low]) = (halves(a), halves(b));
        self.low += ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
        self.add(product);
    }

    fn add(&mut self, x: f64) {
        let sum = self.high + x;
        let back = sum - self.high;
        self.low += (self.high - (sum - back)) + (x - back);
        self.high = sum;
        self.size += x.abs();
    }

    fn value(&self) -> f64 {
        self.high + self.low
    }
}

/// A number as the sum of two with half of the digits (Dekker 1971).
fn halves(x: f64) -> [f64; 2] {
    let scaled = 134_217_729.0 * x;
    let high = scaled - (scaled - x);
    [high, x - high]
}

/// `P x + Aᵀz + factor·q`.
fn gradient(program: &ConeProgram, x: &[f64], z: &[f64], factor: f64) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); x.len()];
    sums.iter_mut().zip(&program.cost).for_each(|(sum, q)| sum.add_product(factor, *q));
    for (row, column, value) in program.entries() {
        sums[column].add_product(value, z[row]);
    }
    for (row, column, value) in program.square_entries() {
        sums[column].add_product(value, x[row]);
        if row != column {
            sums[row].add_product(value, x[column]);
        }
    }
    sums
}

/// `A x + s − factor·b`.
fn rows(program: &ConeProgram, x: &[f64], s: &[f64], factor: f64) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); s.len()];
    for row in 0..s.len() {
        sums[row].add(s[row]);
        sums[row].add_product(-factor, program.right[row]);
    }
    for (row, column, value) in program.entries() {
        sums[row].add_product(value, x[column]);
    }
    sums
}

/// The largest of some sizes; infinite where one is not a number.
fn most(sizes: impl Iterator<Item = f64>) -> f64 {
    sizes.fold(0.0, |most: f64, next| if next.is_nan() { f64::INFINITY } else { most.max(next.abs()) })
}

/// By how much a vector leaves the cones; `free` says whether the rows of equations may be anything.
fn outside(program: &ConeProgram, x: &[f64], free: bool) -> f64 {
    let mut most: f64 = 0.0;
    for (cone, rows) in program.blocks() {
        let x = &x[rows];
        most = most.max(match cone {
            ConeBlock::Zero(_) if free => 0.0,
            ConeBlock::Zero(_) => largest(x),
            ConeBlock::Nonnegative(_) => x.iter().fold(0.0, |most: f64, x| most.max(-x)),
            ConeBlock::SecondOrder(_) => {
                let size = largest(x).max(f64::MIN_POSITIVE);
                let square: f64 = x[1..].iter().map(|x| (x / size) * (x / size)).sum();
                // rounding of the root is no violation
                let length = square.sqrt() * (1.0 - 4.0 * f64::EPSILON);
                size * (length - x[0] / size)
            }
        });
    }
    most / largest(x).max(f64::MIN_POSITIVE)
}

/// The residuals of a point: unknowns `x`, multipliers `z`, slack `s`.
///
/// `None` where the lengths are not those of the programme.
pub fn check_point(program: &ConeProgram, x: &[f64], z: &[f64], s: &[f64]) -> Option<Residuals> {
    program.checked().ok()?;
    if x.len() != program.unknowns() || z.len() != program.rows() || s.len() != program.rows() {
        return None;
    }
    Some(residuals(program, &Scaled::new(program), x, z, s))
}

/// The same with the units known.
pub(crate) fn residuals(
    program: &ConeProgram,
    scaled: &Scaled,
    x: &[f64],
    z: &[f64],
    s: &[f64],
) -> Residuals {
    let each =
        |x: &[f64], unit: &dyn Fn(usize, f64) -> f64| most(x.iter().enumerate().map(|(k, x)| unit(k, *x)));
    let values = |sums: Vec<Sum>| sums.iter().map(Sum::value).collect::<Vec<f64>>();
    let (mut square, mut cost, mut right) = (Sum::default(), Sum::default(), Sum::default());
    for (row, column, value) in program.square_entries() {
        square.add_product(if row == column { 0.5 * value } else { value } * x[row], x[column]);
    }
    x.iter().zip(&program.cost).for_each(|(x, q)| cost.add_product(*q, *x));
    z.iter().zip(&program.right).for_each(|(z, b)| right.add_product(*b, *z));
    let both = [square.value() + cost.value(), -square.value() - right.value()];
    let least = both[0].abs().min(both[1].abs());
    let unit = |column: usize, q: f64| scaled.gradient(column, q);
    let slope = each(&values(gradient(program, x, &vec![0.0; z.len()], 0.0)), &unit);
    let of_x = each(x, &|k, x| scaled.unknown(k, x)).max(each(s, &|k, s| scaled.slack(k, s)));
    let of_z = each(z, &|k, z| scaled.multiplier(k, z)).max(slope);
    let primal = each(&values(rows(program, x, s, 1.0)), &|k, s| scaled.slack(k, s));
    Residuals {
        primal: primal / of_x.max(1.0),
        dual: each(&values(gradient(program, x, z, 1.0)), &unit) / of_z.max(1.0),
        outside: outside(program, s, false).max(outside(program, z, true)),
        values: both,
        gap: scaled.value(both[0] - both[1]).abs() / scaled.value(least).max(1.0),
    }
}

/// How far out the points of a programme must lie, if there are any, by multipliers `z ∈ K*` with `b·z < 0`:
/// `Σ |x_j| ≥ |b·z| / max_j |Aᵀz|_j` for all of them, in the units in which rows, columns and the right side
/// are about 1.
///
/// A lower bound: rounding counts against the certificate. Infinite where `Aᵀz` vanishes to the last bit;
/// `None` where `z` proves nothing.
pub fn check_infeasible(program: &ConeProgram, z: &[f64]) -> Option<f64> {
    program.checked().ok()?;
    let right = z.len() == program.rows();
    right.then(|| reach(program, &Scaled::new(program), z)).flatten()
}

/// The same with the units known.
pub(crate) fn reach(program: &ConeProgram, scaled: &Scaled, z: &[f64]) -> Option<f64> {
    if outside(program, z, true) > 0.0 {
        return None;
    }
    let mut work = Sum::default();
    z.iter().zip(&program.right).for_each(|(z, b)| work.add_product(*b, *z));
    let gain = -work.value() - rounding(&work);
    if !(gain > 0.0 && gain.is_finite()) {
        return None;
    }
    let sums = gradient(program, &vec![0.0; program.unknowns()], z, 0.0);
    let error = |(column, sum): (usize, &Sum)| scaled.gradient(column, sum.value().abs() + rounding(sum));
    Some(scaled.value(gain) / most(sums.iter().enumerate().map(error)))
}

/// How steeply the cost falls along a ray `x`, relative to how far the ray leaves the cones and the kernel of
/// P: `|q·x| / max(error of A x + s = 0, error of P x = 0)`, in the units in which rows, columns and cost are
/// about 1. `None` where the cost does not fall or `s` is not in the cones.
pub fn check_unbounded(program: &ConeProgram, x: &[f64], s: &[f64]) -> Option<f64> {
    program.checked().ok()?;
    let right = x.len() == program.unknowns() && s.len() == program.rows();
    right.then(|| steepness(program, &Scaled::new(program), x, s)).flatten()
}

/// The same with the units known.
pub(crate) fn steepness(program: &ConeProgram, scaled: &Scaled, x: &[f64], s: &[f64]) -> Option<f64> {
    if outside(program, s, false) > 0.0 {
        return None;
    }
    let mut work = Sum::default();
    x.iter().zip(&program.cost).for_each(|(x, q)| work.add_product(*q, *x));
    let gain = -work.value() - rounding(&work);
    if !(gain > 0.0 && gain.is_finite()) {
        return None;
    }
    let size = |sum: &Sum| sum.value().abs() + rounding(sum);
    let of_rows = rows(program, x, s, 0.0);
    let of_rows = most(of_rows.iter().enumerate().map(|(row, sum)| scaled.slack(row, size(sum))));
    let slope = gradient(program, x, &vec![0.0; s.len()], 0.0);
    let slope = most(slope.iter().enumerate().map(|(column, sum)| scaled.gradient(column, size(sum))));
    Some(scaled.value(gain) / of_rows.max(slope))
}

/// What rounding may have changed in a sum that keeps its errors.
fn rounding(sum: &Sum) -> f64 {
    2.0 * f64::EPSILON * sum.value().abs() + 1e-28 * sum.size
}
