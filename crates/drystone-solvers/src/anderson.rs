//! Anderson's mixing on top of the Gauss–Seidel sweep. Refuses mixtures that lead away: it then goes back and
//! forgets what it knew.

use crate::Params;
use crate::iteration::Iteration;
use crate::sweep::Sweep;
use drystone_problem::{Delassus, Matrix, Problem, Scale, Set, Vector};

/// Changes remembered.
const DEPTH: usize = 10;

/// The change of a sweep may be so many times the least seen, in squares; otherwise it goes back to where
/// that was.
const JUMP: f64 = 2.0;

/// Relative weight that keeps the normal equations regular.
const REGULAR: f64 = 1e-10;

/// Sweeps that start from mixtures of the last ones.
///
/// With `G` the sweep and `f(y) = G(y) − y`, the next sweep starts from `G(y) − Σ γ_i ΔG_i`, projected on the
/// sets, where γ makes `f − Σ γ_i Δf_i` least over the last ten changes (Anderson 1965; Walker, Ni 2011).
pub(crate) struct Anderson<'a, const D: usize, W: Delassus<D>> {
    sets: &'a [Set],
    sweep: Sweep<'a, D, W>,
    memory: Memory<D>,
    /// Where the sweep started, where it ended, and the way between.
    y: Vec<Vector<D>>,
    g: Vec<Vector<D>>,
    f: Vec<Vector<D>>,
    /// The square of the least change seen and where it led to.
    least: f64,
    kept: Vec<Vector<D>>,
}

impl<'a, const D: usize, W: Delassus<D>> Anderson<'a, D, W> {
    /// Starts at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params, stream: u64) -> Self {
        Self {
            sets: &problem.sets,
            sweep: Sweep::new(problem, r, params, stream),
            memory: Memory::new(problem),
            y: r.to_vec(),
            g: r.to_vec(),
            f: r.to_vec(),
            least: f64::INFINITY,
            kept: r.to_vec(),
        }
    }

    /// Chooses where the next sweep starts.
    fn learn(&mut self) {
        let now = self.memory.product(&self.f, &self.f);
        // also where it is NaN
        let steady = now <= JUMP * self.least;
        if steady {
            if now < self.least {
                self.least = now;
                self.kept.copy_from_slice(&self.g);
            }
            self.memory.learn(&self.f, &self.g);
            self.y.copy_from_slice(&self.g);
            self.memory.mix(&self.f, &mut self.y, self.sets);
        } else {
            // from there the next sweep may do what it likes: plain sweeps need not shrink in this measure
            self.y.copy_from_slice(&self.kept);
            self.memory.forget();
            self.least = f64::INFINITY;
        }
        self.sweep.put(&self.y);
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Anderson<'_, D, W> {
    fn step(&mut self) -> bool {
        let moved = self.sweep.pass(true).moved;
        self.sweep.take(&mut self.g);
        for ((f, g), y) in self.f.iter_mut().zip(&self.g).zip(&self.y) {
            *f = g - y;
        }
        self.learn();
        moved
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        r.copy_from_slice(&self.g);
    }
}

/// The last changes of `f` and `G`.
struct Memory<const D: usize> {
    weights: Vec<f64>,
    changes: Vec<Change<D>>,
    /// Products of the changes of `f` with one another.
    gram: [[f64; DEPTH]; DEPTH],
    known: usize,
    oldest: usize,
    /// Whether there is a last sweep.
    started: bool,
    last_f: Vec<Vector<D>>,
    last_g: Vec<Vector<D>>,
}

#[derive(Clone)]
struct Change<const D: usize> {
    f: Vec<Vector<D>>,
    g: Vec<Vector<D>>,
}

impl<const D: usize> Memory<D> {
    fn new<W: Delassus<D>>(problem: &Problem<D, W>) -> Self {
        let zeros = vec![Vector::zeros(); problem.contacts()];
        let compliance = |(alpha, set)| Scale::new(&problem.w.block(alpha), set).compliance;
        Self {
            weights: problem.sets.iter().enumerate().map(compliance).collect(),
            changes: vec![Change { f: zeros.clone(), g: zeros.clone() }; DEPTH],
            gram: [[0.0; DEPTH]; DEPTH],
            known: 0,
            oldest: 0,
            started: false,
            last_f: zeros.clone(),
            last_g: zeros,
        }
    }

    /// Product of two changes of impulses, weighed contact by contact.
    fn product(&self, a: &[Vector<D>], b: &[Vector<D>]) -> f64 {
        self.weights.iter().zip(a).zip(b).map(|((weight, a), b)| weight * a.dot(b)).sum()
    }

    fn forget(&mut self) {
        self.known = 0;
        self.oldest = 0;
        self.started = false;
    }

    /// Remembers what changed since the last sweep.
    fn learn(&mut self, f: &[Vector<D>], g: &[Vector<D>]) {
        if self.started {
            let place = if self.known < DEPTH { self.known } else { self.oldest };
            let change = &mut self.changes[place];
            for alpha in 0..f.len() {
                change.f[alpha] = f[alpha] - self.last_f[alpha];
                change.g[alpha] = g[alpha] - self.last_g[alpha];
            }
            if self.known < DEPTH {
                self.known += 1;
            } else {
                self.oldest = (self.oldest + 1) % DEPTH;
            }
            for other in 0..self.known {
                let product = self.product(&self.changes[place].f, &self.changes[other].f);
                self.gram[place][other] = product;
                self.gram[other][place] = product;
            }
        }
        self.started = true;
        self.last_f.copy_from_slice(f);
        self.last_g.copy_from_slice(g);
    }

    /// Takes from `y`, the outcome of a sweep, what the changes say, and projects it on the sets.
    fn mix(&self, f: &[Vector<D>], y: &mut [Vector<D>], sets: &[Set]) {
        let mut right = [0.0; DEPTH];
        for k in 0..self.known {
            right[k] = self.product(&self.changes[k].f, f);
        }
        let Some(gamma) = least_squares(&self.gram, &right, self.known) else { return };
        for alpha in 0..y.len() {
            let mut mixed = y[alpha];
            for k in 0..self.known {
                mixed -= self.changes[k].g[alpha] * gamma[k];
            }
            y[alpha] = sets[alpha].project(&mixed);
        }
    }
}

/// Solves the leading part of normal equations by Cholesky's method; `None` where there is none or it fails.
fn least_squares(gram: &[[f64; DEPTH]; DEPTH], right: &[f64; DEPTH], known: usize) -> Option<[f64; DEPTH]> {
    // beyond the leading part the identity, so that nothing is allocated
    let entry = |i: usize, j: usize| match i == j {
        same if i >= known || j >= known => f64::from(u8::from(same)),
        true => gram[i][j] * (1.0 + REGULAR),
        false => gram[i][j],
    };
    let matrix = Matrix::<DEPTH, DEPTH>::from_fn(entry);
    let x = matrix.cholesky()?.solve(&Vector::<DEPTH>::from(*right));
    (known > 0 && x.iter().take(known).all(|x| x.is_finite())).then_some(x.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, nlgs, solve};
    use drystone_bench::problems::packing;
    use drystone_problem::residual;

    #[test]
    fn normal_equations_are_solved() {
        let mut gram = [[0.0; DEPTH]; DEPTH];
        let mut right = [0.0; DEPTH];
        for i in 0..4 {
            for j in 0..4 {
                gram[i][j] = 1.0 / (1 + i + j) as f64;
                right[i] += gram[i][j] * (j + 1) as f64;
            }
        }
        let x = least_squares(&gram, &right, 4).unwrap();
        assert!((0..4).all(|k| (x[k] - (k + 1) as f64).abs() < 1e-4), "{x:?}");
        assert!(least_squares(&[[f64::NAN; DEPTH]; DEPTH], &right, 3).is_none());
        assert!(least_squares(&gram, &right, 0).is_none());
    }

    #[test]
    fn mixing_needs_fewer_sweeps_and_finds_a_solution() {
        for problem in [packing(200, 1), packing(60, 2), packing(20, 3)] {
            let params = Params {
                method: Method::Anderson,
                tolerance: 1e-5,
                max_iterations: 20_000,
                ..Params::default()
            };
            let zeros = vec![Vector::zeros(); problem.contacts()];
            let (mut mixed, mut plain) = (zeros.clone(), zeros);
            let report = solve(&problem, &mut mixed, &params, 0);
            assert!(report.converged, "{report:?}");
            let judged = residual(&problem, &problem.velocities(&mixed), &mixed).relative;
            assert!(judged <= 1e-5, "{judged}");
            let swept = nlgs::solve(&problem, &mut plain, &params, 0);
            assert!(report.iterations < swept.iterations, "{report:?} {swept:?}");
        }
    }
}
