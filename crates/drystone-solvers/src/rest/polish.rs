//! The last digits of an equilibrium: unknowns that the interior point left near a border are put on it, and
//! the others are changed as little as balance asks for, by conjugate gradients on the factored normal
//! equations. Decides nothing: a point that gets no better stays.

use super::normal_equations::{BalanceColumn, NormalEquations, solved};
use super::program::{Bound, Program};
use drystone_sparse::Factors;

/// How near to a border an unknown counts as on it, in units of the largest load; tried in turn.
const BORDERS: [f64; 3] = [1e-5, 1e-7, 1e-9];

/// Rounds of conjugate gradients: the second mends what rounding left in the first.
const ROUNDS: usize = 3;

/// Most steps of a round: with the factors at hand a handful is usual, or it fails.
const STEPS: usize = 100;

/// Rounds in which unknowns that crossed a border are put on it.
const CROSSINGS: usize = 8;

/// What an unknown may do while it stays where it is among the borders.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Free,
    /// Keeps its value.
    Fixed(f64),
    /// Stays a multiple of another unknown.
    Tied(usize, f64),
}

/// The point with the smallest error of balance among `x` itself and what its borders give.
pub(super) fn polished(program: &Program, x: Vec<f64>) -> Vec<f64> {
    let mut best = (error(program, &x), x.clone());
    let equations = analysed(program);
    let mut last = Vec::new();
    for border in BORDERS {
        let ways = ways(program, &x, border);
        // a wider border may have met nothing else
        if ways == last {
            continue;
        }
        let found = balanced(program, &equations, &ways, &x);
        let error = error(program, &found);
        // a correction as large as the border has left it
        let moved = found.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if error < best.0 && moved <= 10.0 * border {
            best = (error, found);
        }
        last = ways;
    }
    best.1
}

/// `x` brought to balance with those on a border kept on it, however far; unknowns that would cross a border
/// are put on it, and balance is sought again. With the error of balance that is left, relative to the
/// largest load and the largest unknown.
pub(super) fn rebalanced(program: &Program, mut x: Vec<f64>, enough: f64) -> (f64, Vec<f64>) {
    let equations = analysed(program);
    let mut left = f64::INFINITY;
    for _ in 0..CROSSINGS {
        let ways = ways(program, &x, BORDERS[2]);
        let found = balanced(program, &equations, &ways, &x);
        let largest = found.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
        let error = error(program, &found) / largest;
        // another round must come nearer
        if error >= left || error.is_nan() {
            break;
        }
        (left, x) = (error, found);
        if left <= enough {
            break;
        }
    }
    (left, x)
}

/// The equations of balance, analysed.
fn analysed(program: &Program) -> NormalEquations {
    NormalEquations::new(program, &columns(program, &widest(program)))
}

/// The nearest point that balances, as far as the ways of the unknowns allow.
fn balanced(program: &Program, equations: &NormalEquations, ways: &[Way], x: &[f64]) -> Vec<f64> {
    let factors = equations.factor(&columns(program, ways));
    let mut found = x.to_vec();
    (0..ROUNDS).for_each(|_| correct(program, ways, &factors, &mut found));
    found
}

/// The directions in which the unknowns may go, by what they give to the equations of balance.
fn columns(program: &Program, ways: &[Way]) -> Vec<BalanceColumn> {
    let mut columns: Vec<BalanceColumn> = vec![Vec::new(); ways.len()];
    for &(equation, unknown, value) in &program.entries {
        let (direction, factor) = match ways[unknown] {
            Way::Free => (unknown, 1.0),
            Way::Fixed(_) => continue,
            Way::Tied(normal, factor) => (normal, factor),
        };
        let column = &mut columns[direction];
        match column.iter_mut().find(|entry| entry.0 == equation as u32) {
            Some(entry) => entry.1 += factor * value,
            None => column.push((equation as u32, factor * value)),
        }
    }
    columns.retain(|column| !column.is_empty());
    columns
}

/// Directions that together meet all equations that any others would.
fn widest(program: &Program) -> Vec<Way> {
    let mut ways = vec![Way::Free; program.unknowns.len()];
    for (group, bound) in &program.disks {
        if let Bound::Cone(normal, _) = *bound {
            group.clone().for_each(|k| ways[k] = Way::Tied(normal, 1.0));
        }
    }
    ways
}

/// What every unknown may do.
fn ways(program: &Program, x: &[f64], border: f64) -> Vec<Way> {
    let mut ways = vec![Way::Free; x.len()];
    let mut rests = |normal: usize| {
        if x[normal] <= border {
            ways[normal] = Way::Fixed(0.0);
        }
    };
    program.pushing.iter().for_each(|&normal| rests(normal));
    program.disks.iter().for_each(|(_, bound)| {
        if let Bound::Cone(normal, _) = bound {
            rests(*normal);
        }
    });
    for (group, bound) in &program.disks {
        let length = group.clone().map(|k| x[k] * x[k]).sum::<f64>().sqrt();
        for k in group.clone() {
            ways[k] = match (*bound, ways[k]) {
                (Bound::Cone(normal, _), _) if matches!(ways[normal], Way::Fixed(_)) => Way::Fixed(0.0),
                (Bound::Cone(normal, mu), Way::Free) if length >= mu * x[normal] - border => {
                    Way::Tied(normal, if length > 0.0 { mu * x[k] / length } else { 0.0 })
                }
                (Bound::Cap(cap), Way::Free | Way::Tied(..)) if length >= cap - border => {
                    Way::Fixed(if length > 0.0 { cap * x[k] / length } else { 0.0 })
                }
                (_, way) => way,
            };
        }
    }
    ways
}

/// Puts the unknowns on their borders and changes the others by the least that balances.
fn correct(program: &Program, ways: &[Way], factors: &Factors<1>, x: &mut [f64]) {
    for (k, way) in ways.iter().enumerate() {
        match *way {
            Way::Free => {}
            Way::Fixed(value) => x[k] = value,
            Way::Tied(normal, factor) => x[k] = factor * x[normal],
        }
    }
    let mut residual = missed(program, x);
    let start = dot(&residual, &residual);
    let mut direction = solved(factors, &residual);
    let (mut before, mut change) = (dot(&residual, &direction), vec![0.0; x.len()]);
    for _ in 0..STEPS {
        if dot(&residual, &residual) <= 1e-34 * start || before == 0.0 {
            break;
        }
        let along = spread(ways, &back(program, &direction));
        let image = forth(program, &along);
        let curvature = dot(&direction, &image);
        if curvature <= 0.0 || !curvature.is_finite() {
            break;
        }
        let step = before / curvature;
        change.iter_mut().zip(&along).for_each(|(change, along)| *change += step * along);
        residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
        let next = solved(factors, &residual);
        let now = dot(&residual, &next);
        let ratio = now / before;
        direction.iter_mut().zip(&next).for_each(|(d, r)| *d = r + ratio * *d);
        before = now;
    }
    x.iter_mut().zip(&change).for_each(|(x, change)| *x += change);
}

/// `G Gᵀ z`: what the unknowns do that can move.
fn spread(ways: &[Way], z: &[f64]) -> Vec<f64> {
    let mut moved = vec![0.0; z.len()];
    for (k, way) in ways.iter().enumerate() {
        match *way {
            Way::Free => moved[k] += z[k],
            Way::Fixed(_) => {}
            Way::Tied(normal, factor) => moved[normal] += factor * z[k],
        }
    }
    for (k, way) in ways.iter().enumerate() {
        match *way {
            Way::Free => {}
            Way::Fixed(_) => moved[k] = 0.0,
            Way::Tied(normal, factor) => moved[k] = factor * moved[normal],
        }
    }
    moved
}

/// `A x`.
fn forth(program: &Program, x: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; program.right.len()];
    program.entries.iter().for_each(|&(equation, unknown, value)| sum[equation] += value * x[unknown]);
    sum
}

/// `Aᵀ y`.
fn back(program: &Program, y: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; program.unknowns.len()];
    program.entries.iter().for_each(|&(equation, unknown, value)| sum[unknown] += value * y[equation]);
    sum
}

fn missed(program: &Program, x: &[f64]) -> Vec<f64> {
    program.right.iter().zip(forth(program, x)).map(|(b, found)| b - found).collect()
}

/// The largest error of balance once the unknowns are brought inside their borders.
fn error(program: &Program, x: &[f64]) -> f64 {
    let mut inside = x.to_vec();
    program.clip(&mut inside);
    missed(program, &inside).iter().fold(0.0, |error: f64, missed| error.max(missed.abs()))
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
