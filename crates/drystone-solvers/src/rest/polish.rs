//! The last digits of an equilibrium: unknowns that the interior point left near a border are put on it, and
//! the others are changed as little as balance asks for, by conjugate gradients. Decides nothing: a point
//! that gets no better stays.

use super::program::{Bound, Program};

/// How near to a border an unknown counts as on it, in units of the largest load; tried in turn.
const BORDERS: [f64; 3] = [1e-5, 1e-7, 1e-9];

/// Rounds of conjugate gradients: the second mends what rounding left in the first.
const ROUNDS: usize = 3;

/// What an unknown may do while it stays where it is among the borders.
#[derive(Clone, Copy)]
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
    for border in BORDERS {
        let ways = ways(program, &x, border);
        let mut found = x.clone();
        (0..ROUNDS).for_each(|_| correct(program, &ways, &mut found));
        let error = error(program, &found);
        // a correction as large as the border has left it
        let moved = found.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if error < best.0 && moved <= 10.0 * border {
            best = (error, found);
        }
    }
    best.1
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
fn correct(program: &Program, ways: &[Way], x: &mut [f64]) {
    for (k, way) in ways.iter().enumerate() {
        match *way {
            Way::Free => {}
            Way::Fixed(value) => x[k] = value,
            Way::Tied(normal, factor) => x[k] = factor * x[normal],
        }
    }
    let mut residual = missed(program, x);
    let start = square(&residual);
    let mut direction = residual.clone();
    let (mut before, mut change) = (start, vec![0.0; x.len()]);
    for _ in 0..3 * program.right.len() + 100 {
        if before <= 1e-34 * start || before == 0.0 {
            break;
        }
        let along = spread(ways, &back(program, &direction));
        let image = forth(program, &along);
        let curvature: f64 = direction.iter().zip(&image).map(|(a, b)| a * b).sum();
        if curvature <= 0.0 || !curvature.is_finite() {
            break;
        }
        let step = before / curvature;
        change.iter_mut().zip(&along).for_each(|(change, along)| *change += step * along);
        residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
        let now = square(&residual);
        let ratio = now / before;
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + ratio * *d);
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

fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}
