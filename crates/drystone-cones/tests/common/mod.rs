//! Random programmes of known kinds, and the same programmes solved by another solver.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use drystone_cones::{ConeBlock, ConeProgram};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub fn generator(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// Between −1 and 1.
pub fn number(random: &mut impl Rng) -> f64 {
    random.random_range(-1.0..1.0)
}

/// A programme in plain tables, so that it can be permuted, scaled and handed to anybody.
#[derive(Clone, Default)]
pub struct Tables {
    pub cost: Vec<f64>,
    /// Upper triangle.
    pub squares: Vec<(usize, usize, f64)>,
    pub rows: Vec<Vec<(usize, f64)>>,
    pub right: Vec<f64>,
    pub cones: Vec<ConeBlock>,
}

impl Tables {
    pub fn program(&self) -> ConeProgram {
        let mut program = ConeProgram::new(self.cost.len());
        self.cost.iter().enumerate().for_each(|(i, &q)| program.add_cost(i, q));
        self.squares.iter().for_each(|&(i, j, value)| program.add_square(i, j, value));
        self.rows.iter().zip(&self.right).for_each(|(row, b)| program.row(row.iter().copied(), *b));
        self.cones.iter().for_each(|cone| program.cone(*cone));
        program
    }

    /// The status and value that clarabel finds.
    pub fn oracle(&self) -> (SolverStatus, f64) {
        let n = self.cost.len();
        let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for (row, entries) in self.rows.iter().enumerate() {
            for &(column, value) in entries {
                i.push(row);
                j.push(column);
                v.push(value);
            }
        }
        let matrix = CscMatrix::new_from_triplets(self.rows.len(), n, i, j, v);
        let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for &(row, column, value) in &self.squares {
            i.push(row.min(column));
            j.push(row.max(column));
            v.push(value);
        }
        let squares = CscMatrix::new_from_triplets(n, n, i, j, v);
        let cones: Vec<SupportedConeT<f64>> = self
            .cones
            .iter()
            .map(|cone| match *cone {
                ConeBlock::Zero(rows) => ZeroConeT(rows),
                ConeBlock::Nonnegative(rows) => NonnegativeConeT(rows),
                ConeBlock::SecondOrder(rows) => SecondOrderConeT(rows),
            })
            .collect();
        let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
        let mut solver =
            DefaultSolver::new(&squares, &self.cost, &matrix, &self.right, &cones, settings).unwrap();
        solver.solve();
        (solver.solution.status, solver.solution.obj_val)
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().map(|&(j, a)| a * x[j]).sum()).collect()
    }

    /// `Aᵀ z`.
    pub fn transposed(&self, z: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.cost.len()];
        for (row, z) in self.rows.iter().zip(z) {
            row.iter().for_each(|&(j, a)| sum[j] += a * z);
        }
        sum
    }

    /// `P x`.
    pub fn slope(&self, x: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; x.len()];
        for &(i, j, value) in &self.squares {
            sum[i] += value * x[j];
            if i != j {
                sum[j] += value * x[i];
            }
        }
        sum
    }

    /// Random rows and cones, nothing else; with or without second-order cones.
    pub fn shape(random: &mut impl Rng, curved: bool) -> Self {
        let n = random.random_range(2..25);
        let equations = random.random_range(0..=n / 2);
        let mut cones = vec![ConeBlock::Zero(equations), ConeBlock::Nonnegative(random.random_range(1..15))];
        for _ in 0..if curved { random.random_range(0..8) } else { 0 } {
            cones.push(ConeBlock::SecondOrder(random.random_range(2..7)));
        }
        cones.retain(|cone| cone.rows() > 0);
        let count = cones.iter().map(ConeBlock::rows).sum();
        let row = |_| {
            let mut row: Vec<(usize, f64)> = Vec::new();
            for column in 0..n {
                if random.random_bool(0.3) {
                    row.push((column, number(random)));
                }
            }
            if row.is_empty() {
                row.push((random.random_range(0..n), 1.0));
            }
            row
        };
        let rows = (0..count).map(row).collect();
        Self { cost: vec![0.0; n], squares: Vec::new(), rows, right: vec![0.0; count], cones }
    }

    /// A point of the cones, inside or on the border; `free` gives the rows of equations any value.
    pub fn cone_point(&self, random: &mut impl Rng, border: f64, free: bool) -> Vec<f64> {
        let mut point = Vec::new();
        for cone in &self.cones {
            match *cone {
                ConeBlock::Zero(rows) => {
                    point.extend((0..rows).map(|_| if free { number(random) } else { 0.0 }));
                }
                ConeBlock::Nonnegative(rows) => point.extend(
                    (0..rows).map(|_| if random.random_bool(border) { 0.0 } else { number(random).abs() }),
                ),
                ConeBlock::SecondOrder(rows) => {
                    let side: Vec<f64> = (1..rows).map(|_| number(random)).collect();
                    let length = side.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let more = if random.random_bool(border) { 0.0 } else { number(random).abs() };
                    point.push(length + more);
                    point.extend(side);
                }
            }
        }
        point
    }

    /// A random positive semidefinite P of some rank.
    pub fn add_squares(&mut self, random: &mut impl Rng) {
        let n = self.cost.len();
        for _ in 0..random.random_range(1..=n) {
            let factor: Vec<f64> =
                (0..n).map(|_| if random.random_bool(0.3) { number(random) } else { 0.0 }).collect();
            for j in 0..n {
                for i in 0..=j {
                    if factor[i] * factor[j] != 0.0 {
                        self.squares.push((i, j, factor[i] * factor[j]));
                    }
                }
            }
        }
    }

    /// With a solution: a point of rows and cones, and multipliers inside the dual cones.
    pub fn solvable(random: &mut impl Rng, border: f64, curved: bool) -> Self {
        let mut tables = Self::shape(random, curved);
        if curved && random.random_bool(0.4) {
            tables.add_squares(random);
        }
        let x: Vec<f64> = tables.cost.iter().map(|_| number(random)).collect();
        let s = tables.cone_point(random, border, false);
        let z = tables.cone_point(random, border, true);
        tables.right = tables.times(&x).iter().zip(&s).map(|(a, s)| a + s).collect();
        let sum = tables.transposed(&z).into_iter().zip(tables.slope(&x));
        tables.cost = sum.map(|(a, p)| -a - p).collect();
        tables
    }

    /// Without any point: `Aᵀz = 0` and `b·z = −1` for some `z ∈ K*`.
    pub fn infeasible(random: &mut impl Rng, curved: bool) -> Self {
        let mut tables = Self::solvable(random, 0.0, curved);
        let z = tables.cone_point(random, 0.3, true);
        // one more row of A makes Aᵀz vanish: the last row of a nonnegative cone at the end
        let sum = tables.transposed(&z);
        tables.rows.push(sum.iter().enumerate().map(|(j, a)| (j, -a)).collect());
        tables.cones.push(ConeBlock::Nonnegative(1));
        let work: f64 = tables.right.iter().zip(&z).map(|(b, z)| b * z).sum();
        tables.right.push(-work - 1.0);
        tables
    }

    /// With a point, and a ray along which the cost falls.
    pub fn unbounded(random: &mut impl Rng, curved: bool) -> Self {
        let mut tables = Self::shape(random, curved);
        let ray: Vec<f64> = tables.cost.iter().map(|_| number(random)).collect();
        let slack = tables.cone_point(random, 0.3, false);
        // one more unknown makes A x + s vanish along the ray
        let gap = tables.times(&ray);
        for (row, (a, s)) in tables.rows.iter_mut().zip(gap.iter().zip(&slack)) {
            row.push((tables.cost.len(), -a - s));
        }
        tables.cost = ray.iter().map(|_| number(random)).collect();
        let fall: f64 = tables.cost.iter().zip(&ray).map(|(q, x)| q * x).sum();
        tables.cost.push(-fall - 1.0);
        let x: Vec<f64> = tables.cost.iter().map(|_| number(random)).collect();
        let s = tables.cone_point(random, 0.0, false);
        tables.right = tables.times(&x).iter().zip(&s).map(|(a, s)| a + s).collect();
        tables
    }

    /// Equations repeated, some of them as sums of others.
    pub fn repeat_equations(&mut self, random: &mut impl Rng) {
        let Some(&ConeBlock::Zero(equations)) = self.cones.first() else { return };
        let (mut rows, mut right) = (Vec::new(), Vec::new());
        for k in 0..equations {
            let (other, factor) = (random.random_range(0..equations), number(random));
            let mut row = self.rows[k].clone();
            row.extend(self.rows[other].iter().map(|&(j, a)| (j, factor * a)));
            rows.push(row);
            right.push(self.right[k] + factor * self.right[other]);
        }
        self.rows.splice(0..0, rows);
        self.right.splice(0..0, right);
        self.cones[0] = ConeBlock::Zero(2 * equations);
    }

    /// The same programme with rows and unknowns in other units, up to 10 to the power given.
    pub fn rescaled(&self, random: &mut impl Rng, power: f64) -> Self {
        let mut unit = || 10f64.powf(power * random.random_range(-1.0..1.0));
        let columns: Vec<f64> = self.cost.iter().map(|_| unit()).collect();
        let mut rows: Vec<f64> = Vec::new();
        for cone in &self.cones {
            let one = unit();
            match cone {
                ConeBlock::SecondOrder(size) => rows.extend((0..*size).map(|_| one)),
                _ => rows.extend((0..cone.rows()).map(|_| unit())),
            }
        }
        let mut scaled = self.clone();
        for ((row, b), factor) in scaled.rows.iter_mut().zip(&mut scaled.right).zip(&rows) {
            row.iter_mut().for_each(|(j, a)| *a *= factor * columns[*j]);
            *b *= factor;
        }
        scaled.cost.iter_mut().zip(&columns).for_each(|(q, factor)| *q *= factor);
        scaled.squares.iter_mut().for_each(|(i, j, p)| *p *= columns[*i] * columns[*j]);
        scaled
    }

    /// Self-balanced impulses between equal disks on a square grid in a box: those with normal impulses that
    /// sum up to 1 and work hardest against random velocities. Many directions are balanced.
    pub fn network(random: &mut impl Rng, side: usize, mu: f64) -> Self {
        let disk = |x: usize, y: usize| 3 * (y * side + x);
        // body below or left (none for a wall), body above or right, whether upright
        let mut contacts: Vec<(Option<usize>, Option<usize>, bool)> = Vec::new();
        for line in 0..side {
            for k in 0..=side {
                let both = |place: &dyn Fn(usize) -> usize| {
                    (k.checked_sub(1).map(place), (k < side).then(|| place(k)))
                };
                let (left, right) = both(&|x| disk(x, line));
                contacts.push((left, right, false));
                let (below, above) = both(&|y| disk(line, y));
                contacts.push((below, above, true));
            }
        }
        let n = 2 * contacts.len();
        let mut balance = vec![Vec::new(); 3 * side * side];
        for (c, &(first, second, upright)) in contacts.iter().enumerate() {
            let (normal, tangent) =
                if upright { ([0.0, 1.0], [-1.0, 0.0]) } else { ([1.0, 0.0], [0.0, 1.0]) };
            for (body, sign) in [(first, -1.0), (second, 1.0)] {
                let Some(body) = body else { continue };
                for axis in 0..2 {
                    balance[body + axis].push((2 * c, sign * normal[axis]));
                    balance[body + axis].push((2 * c + 1, sign * tangent[axis]));
                }
                balance[body + 2].push((2 * c + 1, -1.0));
            }
        }
        balance.iter_mut().for_each(|row| row.retain(|entry| entry.1 != 0.0));
        let mut tables = Self { cost: (0..n).map(|_| number(random)).collect(), ..Self::default() };
        tables.right = vec![0.0; balance.len()];
        tables.rows = balance;
        tables.rows.push((0..contacts.len()).map(|c| (2 * c, 1.0)).collect());
        tables.right.push(1.0);
        tables.cones.push(ConeBlock::Zero(tables.rows.len()));
        for c in 0..contacts.len() {
            for sign in [1.0, -1.0] {
                tables.rows.push(vec![(2 * c, -mu), (2 * c + 1, sign)]);
                tables.right.push(0.0);
            }
        }
        tables.cones.push(ConeBlock::Nonnegative(2 * contacts.len()));
        tables
    }

    /// The same programme with its unknowns, equations and inequalities in another order.
    pub fn permuted(&self, random: &mut impl Rng) -> Self {
        let mut shuffled = |count: usize| {
            let mut order: Vec<usize> = (0..count).collect();
            for k in (1..count).rev() {
                order.swap(k, random.random_range(0..=k));
            }
            order
        };
        let unknowns = shuffled(self.cost.len());
        let mut tables = self.clone();
        (0..unknowns.len()).for_each(|k| tables.cost[unknowns[k]] = self.cost[k]);
        let mut start = 0;
        for cone in &self.cones {
            let order = shuffled(cone.rows());
            for (k, &to) in order.iter().enumerate() {
                let row = self.rows[start + k].iter().map(|&(j, a)| (unknowns[j], a)).collect();
                (tables.rows[start + to], tables.right[start + to]) = (row, self.right[start + k]);
            }
            start += cone.rows();
        }
        tables
    }
}
