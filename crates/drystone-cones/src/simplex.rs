//! Linear programmes by the simplex method: an answer at a vertex, exact up to the rounding of one solve with
//! its basis. Takes equations and inequalities of free unknowns only; dense, for some hundred unknowns.
//!
//! The dual `min b·z` with `Aᵀz = −q`, `z ≥ 0` where rows are inequalities, is in the standard form; its
//! multipliers are the unknowns `x`, its rays prove that there are none (Dantzig 1963; Harris 1973).

use crate::answer::{ConeAnswer, ConeParams, ConePoint};
use crate::check::{reach, residuals, steepness};
use crate::dense::inverted;
use crate::program::{ConeBlock, ConeProgram, ProgramError};
use crate::scaled::{Scaled, largest};

/// Reduced costs and steps below this are rounding, in units in which entries are about 1.
const ROUNDING: f64 = 1e-11;

/// Smallest pivot beside the largest entry of its column.
const PIVOT: f64 = 1e-8;

/// Pivots after which the inverse is computed anew.
const RENEWED: usize = 50;

/// Pivots without progress after which the smallest index decides, so that none comes twice (Bland 1977).
const PATIENCE: usize = 200;

/// Most pivots, times the number of rows and unknowns.
const MOST: usize = 30;

/// Solves a programme by the simplex method; `None` where it is not linear.
pub fn solve_vertex(program: &ConeProgram, params: &ConeParams) -> Result<Option<ConeAnswer>, ProgramError> {
    let mut unlimited = f64::INFINITY;
    solve_vertex_within(program, params, &mut unlimited)
}

/// The same with at most so many multiplications, of which those done are taken away. Where they do not do
/// it has come to no end.
pub fn solve_vertex_within(
    program: &ConeProgram,
    params: &ConeParams,
    multiplications: &mut f64,
) -> Result<Option<ConeAnswer>, ProgramError> {
    program.checked()?;
    let curved = program.cones().iter().any(|cone| matches!(cone, ConeBlock::SecondOrder(_)));
    let scaled = Scaled::new(program);
    if curved || scaled.squares.value.iter().any(|&value| value != 0.0) {
        return Ok(None);
    }
    let mut simplex = Simplex::new(program, &scaled);
    simplex.left = *multiplications;
    let end = simplex.run();
    let answer = simplex.answer(end, program, &scaled, params);
    *multiplications = simplex.left;
    Ok(Some(answer))
}

/// How the pivots came to an end.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// At the best vertex.
    Best,
    /// The equations `Aᵀz = −q` have no solution with these signs.
    None,
    /// Along a ray: the column that enters, and its sign.
    Ray(usize, f64),
    /// Too many pivots or multiplications, or no basis.
    Lost,
}

/// The tableau: `Aᵀz = −q`, a column for each row of the programme, then an artificial one for each equation.
struct Simplex {
    /// Entries of each column.
    columns: Vec<Vec<(usize, f64)>>,
    /// Whether a column may have any sign.
    free: Vec<bool>,
    cost: Vec<f64>,
    right: Vec<f64>,
    /// Column at each place of the basis.
    basis: Vec<usize>,
    inside: Vec<bool>,
    /// Inverse of the basis, row after row.
    inverse: Vec<f64>,
    /// Values of the basis.
    values: Vec<f64>,
    /// Multipliers.
    prices: Vec<f64>,
    along: Vec<f64>,
    /// Whether artificial columns cost 1, or must be 0.
    first: bool,
    /// Entries of all columns.
    entries: usize,
    /// Multiplications that may still be done.
    left: f64,
}

impl Simplex {
    fn new(program: &ConeProgram, scaled: &Scaled) -> Self {
        let (n, m) = (program.unknowns(), program.rows());
        let mut columns = vec![Vec::new(); m];
        for unknown in 0..n {
            scaled.matrix.column(unknown).for_each(|(row, value)| columns[row].push((unknown, value)));
        }
        let right: Vec<f64> = scaled.cost.iter().map(|q| -q).collect();
        columns.extend((0..n).map(|k| vec![(k, if right[k] < 0.0 { -1.0 } else { 1.0 })]));
        let mut free = vec![false; n + m];
        for (cone, rows) in program.blocks() {
            if let ConeBlock::Zero(_) = cone {
                free[rows].fill(true);
            }
        }
        let mut inverse = vec![0.0; n * n];
        (0..n).for_each(|k| inverse[k * n + k] = columns[m + k][0].1);
        let mut inside = vec![false; n + m];
        inside[m..].fill(true);
        Self {
            columns,
            free,
            cost: scaled.right.clone(),
            values: right.iter().map(|r| r.abs()).collect(),
            right,
            basis: (m..n + m).collect(),
            inside,
            inverse,
            prices: vec![0.0; n],
            along: vec![0.0; n],
            first: true,
            entries: scaled.matrix.value.len(),
            left: f64::INFINITY,
        }
    }

    fn size(&self) -> usize {
        self.basis.len()
    }

    /// Cost of a column in the phase there is.
    fn price(&self, column: usize) -> f64 {
        match (column < self.cost.len(), self.first) {
            (true, false) => self.cost[column],
            (false, true) => 1.0,
            _ => 0.0,
        }
    }

    /// Both phases.
    fn run(&mut self) -> End {
        match self.phase() {
            End::Best => {}
            // artificial costs have a bound
            _ => return End::Lost,
        }
        let left: f64 =
            self.basis.iter().zip(&self.values).map(|(&column, value)| self.price(column) * value).sum();
        if left > 10.0 * ROUNDING * (1.0 + largest(&self.right)) {
            return End::None;
        }
        self.first = false;
        self.phase()
    }

    /// Pivots until nothing gets better.
    fn phase(&mut self) -> End {
        let mut idle = 0;
        let once = (2 * self.size() * self.size() + self.entries) as f64;
        for pivots in 1..=MOST * self.columns.len() + 100 {
            self.left -= once;
            if self.left < 0.0 {
                return End::Lost;
            }
            self.multipliers();
            let Some((entering, sign)) = self.entering(idle > PATIENCE) else { return End::Best };
            self.direction(entering);
            let Some((place, step)) = self.leaving(sign, idle > PATIENCE) else {
                return End::Ray(entering, sign);
            };
            idle = if step > ROUNDING { 0 } else { idle + 1 };
            self.exchange(entering, place, sign * step);
            if pivots % RENEWED == 0 && !self.renew() {
                return End::Lost;
            }
        }
        End::Lost
    }

    /// `y = B⁻ᵀ c`.
    fn multipliers(&mut self) {
        let n = self.size();
        self.prices.fill(0.0);
        for place in 0..n {
            let price = self.price(self.basis[place]);
            if price != 0.0 {
                let row = &self.inverse[place * n..(place + 1) * n];
                self.prices.iter_mut().zip(row).for_each(|(y, value)| *y += price * value);
            }
        }
    }

    /// What a column would cost, less what it saves.
    fn reduced(&self, column: usize) -> f64 {
        let saved: f64 = self.columns[column].iter().map(|&(k, value)| value * self.prices[k]).sum();
        self.price(column) - saved
    }

    /// The column that gains most, and in which direction; the first that gains anything if asked so.
    fn entering(&self, any: bool) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64, f64)> = None;
        let size = 1.0 + largest(&self.prices);
        for column in (0..self.cost.len()).filter(|&column| !self.inside[column]) {
            let reduced = self.reduced(column);
            let gains = reduced < -ROUNDING * size || (self.free[column] && reduced > ROUNDING * size);
            if !gains {
                continue;
            }
            let length: f64 = self.columns[column].iter().map(|&(_, value)| value * value).sum();
            // free ones first, since they never leave again
            let merit = reduced * reduced / (1.0 + length) + if self.free[column] { 1e100 } else { 0.0 };
            if best.is_none_or(|(_, _, most)| merit > most) {
                best = Some((column, -reduced.signum(), merit));
            }
            if any {
                break;
            }
        }
        best.map(|(column, sign, _)| (column, sign))
    }

    /// `B⁻¹ a` of a column.
    fn direction(&mut self, column: usize) {
        let n = self.size();
        for place in 0..n {
            let row = &self.inverse[place * n..(place + 1) * n];
            self.along[place] = self.columns[column].iter().map(|&(k, value)| row[k] * value).sum();
        }
    }

    /// The place of the basis that becomes 0 first and the step up to there: of those within rounding the one
    /// with the largest pivot, or with the smallest index.
    fn leaving(&self, sign: f64, any: bool) -> Option<(usize, f64)> {
        let least = PIVOT * largest(&self.along).max(1.0);
        let ratio = |place: usize, spare: f64| -> Option<f64> {
            let (column, rate) = (self.basis[place], sign * self.along[place]);
            let artificial = column >= self.cost.len();
            if artificial && !self.first {
                return (rate.abs() > least).then_some(0.0);
            }
            let bounded = !self.free[column] && rate > least;
            bounded.then(|| (self.values[place].max(0.0) + spare) / rate)
        };
        let most = (0..self.size()).filter_map(|place| ratio(place, ROUNDING)).fold(f64::INFINITY, f64::min);
        let mut best: Option<(usize, f64)> = None;
        for place in 0..self.size() {
            let Some(step) = ratio(place, 0.0).filter(|step| *step <= most) else { continue };
            let better = |&(other, _): &(usize, f64)| match any {
                true => self.basis[place] < self.basis[other],
                false => self.along[place].abs() > self.along[other].abs(),
            };
            if best.as_ref().is_none_or(better) {
                best = Some((place, step));
            }
        }
        best
    }

    /// Brings a column into the basis by a step, in place of another.
    fn exchange(&mut self, entering: usize, place: usize, step: f64) {
        let n = self.size();
        self.values.iter_mut().zip(&self.along).for_each(|(value, along)| *value -= step * along);
        self.values[place] = step;
        self.inside[self.basis[place]] = false;
        self.inside[entering] = true;
        self.basis[place] = entering;
        let pivot = 1.0 / self.along[place];
        let (before, rest) = self.inverse.split_at_mut(place * n);
        let (own, after) = rest.split_at_mut(n);
        own.iter_mut().for_each(|value| *value *= pivot);
        let others = before.chunks_exact_mut(n).chain(after.chunks_exact_mut(n));
        let rates = self.along[..place].iter().chain(&self.along[place + 1..]);
        for (row, rate) in others.zip(rates).filter(|(_, rate)| **rate != 0.0) {
            row.iter_mut().zip(own.iter()).for_each(|(value, own)| *value -= rate * own);
        }
    }

    /// The inverse of the basis by elimination with the largest pivots, and the values refined with it.
    fn renew(&mut self) -> bool {
        let n = self.size();
        self.left -= (n * n * n) as f64;
        let mut matrix = vec![0.0; n * n];
        for (place, &column) in self.basis.iter().enumerate() {
            self.columns[column].iter().for_each(|&(k, value)| matrix[k * n + place] = value);
        }
        let Some(inverse) = inverted(matrix, n) else { return false };
        self.inverse = inverse;
        self.values.fill(0.0);
        for _ in 0..3 {
            let mut missed = self.right.clone();
            for (&column, value) in self.basis.iter().zip(&self.values) {
                self.columns[column].iter().for_each(|&(k, entry)| missed[k] -= entry * value);
            }
            for place in 0..n {
                let row = &self.inverse[place * n..(place + 1) * n];
                self.values[place] += row.iter().zip(&missed).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        true
    }

    /// The multipliers refined: `Bᵀy = c`.
    fn refine_multipliers(&mut self) {
        let n = self.size();
        self.multipliers();
        for _ in 0..2 {
            let missed: Vec<f64> = self.basis.iter().map(|&column| self.reduced(column)).collect();
            for place in 0..n {
                let row = &self.inverse[place * n..(place + 1) * n];
                self.prices.iter_mut().zip(row).for_each(|(y, value)| *y += missed[place] * value);
            }
        }
    }

    /// The answer in the units of the caller, checked from the data.
    fn answer(
        &mut self,
        end: End,
        program: &ConeProgram,
        scaled: &Scaled,
        params: &ConeParams,
    ) -> ConeAnswer {
        let m = program.rows();
        let certain = self.renew();
        let mut z = vec![0.0; m];
        if let End::Ray(entering, sign) = end {
            self.direction(entering);
            z[entering] = sign;
            self.basis.iter().zip(&self.along).filter(|(column, _)| **column < m).for_each(
                |(&column, along)| {
                    z[column] = -sign * along;
                },
            );
        } else {
            let basis = self.basis.iter().zip(&self.values).filter(|(column, _)| **column < m);
            basis.for_each(|(&column, value)| z[column] = *value);
        }
        self.refine_multipliers();
        z.iter_mut().zip(&self.free).filter(|(_, free)| !**free).for_each(|(z, _)| *z = z.max(0.0));
        let slack = |simplex: &Self| -> Vec<f64> {
            let of = |row: usize| {
                if simplex.inside[row] || simplex.free[row] { 0.0 } else { simplex.reduced(row).max(0.0) }
            };
            (0..m).map(of).collect()
        };
        let s: Vec<f64> = scaled.slacks(&slack(self), 1.0).collect();
        let mut x: Vec<f64> = scaled.unknowns(&self.prices, 1.0).collect();
        let mut z: Vec<f64> = scaled.multipliers(&z, 1.0).collect();
        match end {
            End::Ray(..) => {
                let work: f64 = -program.right.iter().zip(&z).map(|(b, z)| b * z).sum::<f64>();
                z.iter_mut().for_each(|z| *z /= work);
                if let Some(reach) = reach(program, scaled, &z).filter(|found| *found >= params.reach) {
                    return ConeAnswer::Infeasible { z, reach };
                }
            }
            End::None => {
                let work: f64 = -program.cost.iter().zip(&x).map(|(q, x)| q * x).sum::<f64>();
                x.iter_mut().for_each(|x| *x /= work);
                let s: Vec<f64> = s.iter().map(|s| s / work).collect();
                if let Some(steep) = steepness(program, scaled, &x, &s).filter(|found| *found >= params.reach)
                {
                    return ConeAnswer::Unbounded { x, s, steep };
                }
            }
            End::Best | End::Lost => {}
        }
        let residuals = residuals(program, scaled, &x, &z, &s);
        let point = ConePoint { x, z, s, residuals };
        match certain && end == End::Best && residuals.worst() <= params.tolerance.max(params.enough) {
            true => ConeAnswer::Solved(point),
            false => ConeAnswer::Stalled(point),
        }
    }
}
