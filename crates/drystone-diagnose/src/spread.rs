//! How far contact forces depend on the way they were computed: the same problem solved in several orders
//! from several starts. Judges nothing: rigid contact forces are not unique, and no one answer is truer than
//! another.

use drystone_problem::{Delassus, Order, Params, Problem, Report, Vector};
use drystone_solvers::solve;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Impulses over several solves of one problem, contact by contact \[N s\].
#[derive(Clone, Debug, PartialEq)]
pub struct Spread<const D: usize> {
    /// What every solve said; only those that converged count below.
    pub reports: Vec<Report>,
    /// Solves that converged.
    pub converged: usize,
    /// Mean impulse.
    pub mean: Vec<Vector<D>>,
    /// Smallest of each component.
    pub smallest: Vec<Vector<D>>,
    /// Largest of each component.
    pub largest: Vec<Vector<D>>,
    /// Standard deviation of each component about the mean.
    pub deviation: Vec<Vector<D>>,
}

impl<const D: usize> Spread<D> {
    /// The largest difference between two solves in any component, relative to the rms of the mean normal
    /// impulses that are not zero; 0 where there are none.
    pub fn relative(&self) -> f64 {
        let widest = self.largest.iter().zip(&self.smallest).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
        let normals = self.mean.iter().map(|r| r[0] * r[0]).filter(|&square| square > 0.0);
        let (sum, count) = normals.fold((0.0, 0u32), |(sum, count), square| (sum + square, count + 1));
        if count == 0 { 0.0 } else { widest / (sum / f64::from(count)).sqrt() }
    }
}

/// Solves the problem `count` times: once from `guess` in the order of `params`, then in random orders from
/// random admissible impulses, drawn from `seed`.
pub fn spread<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    guess: &[Vector<D>],
    params: &Params,
    count: usize,
    seed: u64,
) -> Spread<D> {
    let contacts = problem.contacts();
    let mut reports = Vec::with_capacity(count);
    let mut answers: Vec<Vec<Vector<D>>> = Vec::with_capacity(count);
    let mut typical = guess.to_vec();
    for attempt in 0..count as u64 {
        let mut r = guess.to_vec();
        let mut params = params.clone();
        if attempt > 0 {
            params.order = Order::Random { seed: seed.wrapping_add(attempt) };
            r = start(problem, &typical, seed.wrapping_add(attempt));
        }
        let report = solve(problem, &mut r, &params, attempt);
        reports.push(report);
        if report.converged {
            if attempt == 0 {
                typical.clone_from(&r);
            }
            answers.push(r);
        }
    }
    let each = |of: &dyn Fn(&mut dyn Iterator<Item = f64>) -> f64| -> Vec<Vector<D>> {
        let component = |contact: usize, i: usize| match answers.is_empty() {
            true => 0.0,
            false => of(&mut answers.iter().map(|r| r[contact][i])),
        };
        (0..contacts).map(|contact| Vector::from_fn(|i, _| component(contact, i))).collect()
    };
    let number = answers.len() as f64;
    let mean = each(&|values| values.sum::<f64>() / number);
    let square = each(&|values| {
        let values: Vec<f64> = values.collect();
        let mean = values.iter().sum::<f64>() / number;
        values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / number
    });
    Spread {
        converged: answers.len(),
        mean,
        smallest: each(&|values| values.fold(f64::INFINITY, f64::min)),
        largest: each(&|values| values.fold(f64::NEG_INFINITY, f64::max)),
        deviation: square.into_iter().map(|square| square.map(f64::sqrt)).collect(),
        reports,
    }
}

/// Normal impulses between nothing and twice the typical one at every contact.
fn start<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    typical: &[Vector<D>],
    seed: u64,
) -> Vec<Vector<D>> {
    let mut random = Pcg64::seed_from_u64(seed);
    let weight = |contact: usize| {
        let trace = problem.w.block(contact).trace();
        if trace > 0.0 && trace.is_finite() { trace.sqrt() } else { 1.0 }
    };
    let squares = typical.iter().enumerate().map(|(contact, r)| (weight(contact) * r[0]).powi(2));
    let (sum, count) = squares.filter(|&s| s > 0.0).fold((0.0, 0u32), |(sum, count), s| (sum + s, count + 1));
    let size = (sum / f64::from(count.max(1))).sqrt();
    let mut impulse = |contact: usize| {
        let mut r = Vector::<D>::zeros();
        r[0] = 2.0 * size * random.random::<f64>() / weight(contact);
        problem.sets[contact].project(&r)
    };
    (0..problem.contacts()).map(&mut impulse).collect()
}
