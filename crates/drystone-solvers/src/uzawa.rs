//! Uzawa's method with the combined update of A-CD²: reactions and thresholds of friction in one sequence.
//! Slow and plain; refuses problems with numbers that are not finite.

use crate::Params;
use crate::iteration::Iteration;
use crate::nondimensional::Nondimensional;
use crate::power::{self, MARGIN};
use drystone_problem::{Delassus, Problem, Vector};

/// Iterations over which the steps must shrink, since single ones may grow while thresholds move.
const WINDOW: u32 = 50;
/// What a path that is too long is cut to.
const SHORTER: f64 = 0.7;
/// How often it may be cut: to a fiftieth, beyond which nothing would move.
const MOST_CUTS: u32 = 11;

/// The ascent on the dual problem (Dal Pont, Dimnet 2008, §4.2.1 and §4.2.2); an iteration is one product.
///
/// The multipliers of the constraints are the impulses. With them held, the minimisation over the velocities
/// of the bodies is one product, `u = W r + u_free`; then every multiplier goes along its own constraint by a
/// path ρ and is brought back to where it is admissible:
///
/// `λ ← max(0, λ − ρ u_N)`, `ξ ← P_g(ξ − ρ u_T)` with the threshold `g = μ λ` of the λ just found,
///
/// where `P_g` brings a vector to the ball of radius g: a contact whose `|ξ|` stays below the threshold holds
/// still, another slides on it. That is the combined update: thresholds and reactions in one sequence, where
/// solving for one given threshold after the other would need two, one inside the other. Its fixed points are
/// the exact law's.
///
/// The text has slips here. Its updates `μ ← max(0, ρ φ)` and `ζ ← ϱ ψ` lack the multiplier itself on the
/// right-hand side, and its eq. 16 exchanges λ and ξ, holding a contact still where `|λ| ≤ μ|ξ|`: it is
/// `|ξ| ≤ μ|λ|`, the tangential one below the threshold of the normal one.
///
/// The path is the same for all contacts in variables scaled by their compliances: `relaxation` over the
/// largest eigenvalue of the operator, shorter where moving thresholds make the steps grow.
pub(crate) struct Uzawa<'a, const D: usize, W: Delassus<D>> {
    nondimensional: Nondimensional<'a, D, W>,
    /// The multipliers and their `Ŵ x`.
    x: Vec<Vector<D>>,
    wx: Vec<Vector<D>>,
    path: f64,
    /// Largest squares of the steps of this window and the one before, and how far this one is.
    moved: f64,
    before: f64,
    done: u32,
    cuts: u32,
}

impl<'a, const D: usize, W: Delassus<D>> Uzawa<'a, D, W> {
    /// Starts at the impulses `r`; `None` where the problem is refused.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params) -> Option<Self> {
        let mut nondimensional = Nondimensional::new(problem)?;
        let x = nondimensional.scale(r);
        let wx = x.clone();
        let path = params.relaxation / (MARGIN * largest(&mut nondimensional));
        Some(Self { nondimensional, x, wx, path, moved: 0.0, before: f64::INFINITY, done: 0, cuts: 0 })
    }

    /// Cuts the path where the steps of a window are no smaller than those of the window before.
    fn learn(&mut self, square: f64) {
        self.moved = self.moved.max(square);
        self.done += 1;
        if self.done == WINDOW {
            if self.moved >= self.before && self.cuts < MOST_CUTS {
                self.path *= SHORTER;
                self.cuts += 1;
            }
            (self.before, self.moved, self.done) = (self.moved, 0.0, 0);
        }
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Uzawa<'_, D, W> {
    fn step(&mut self) -> bool {
        self.nondimensional.times(&self.x, &mut self.wx);
        let mut square = 0.0;
        for (k, x) in self.x.iter_mut().enumerate() {
            let velocity = self.wx[k] + self.nondimensional.q[k];
            // the normal first, then friction below the threshold of that normal
            let there = self.nondimensional.sets[k].settle(&(*x - velocity * self.path));
            square += (there - *x).norm_squared();
            *x = there;
        }
        self.learn(square);
        square > 0.0 && square.is_finite()
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        self.nondimensional.impulses(&self.x, r);
    }
}

/// The largest eigenvalue of the scaled operator, from below.
fn largest<const D: usize, W: Delassus<D>>(nondimensional: &mut Nondimensional<D, W>) -> f64 {
    let contacts = nondimensional.q.len();
    let product = |v: &[Vector<D>], wv: &mut [Vector<D>]| nondimensional.times(v, wv);
    let value = power::largest(contacts, product, |_, v| v.norm_squared(), |_, wv| *wv);
    if value > 0.0 && value.is_finite() { value } else { 1.0 }
}
