//! Douglas and Rachford's splitting (Lions, Mercier 1979) with De Saxcé's shift lagging behind the iterates:
//! one factorisation, many cheap steps, to a point near a solution from which the proximal point finds it.
//! Orowan's set, which is not associated, it takes for a cone.

use super::scaled::Scaled;
use crate::operator::{Diagonals, Factored};
use drystone_problem::{Set, Vector};

/// Weight of the proximal terms in scaled variables.
const WEIGHT: f64 = 0.2;
/// Over-relaxation.
const RELAXATION: f64 = 1.6;
/// Share of the way by which the shift follows the iterates. With the shift held the problem is convex and
/// the splitting converges; a shift that follows at once makes it run in circles on impacts in large packings
/// (at 1e-2 where a share of 0.05 to 0.3 gets to 1e-4).
const LAG: f64 = 0.3;
/// Change of an iterate, relative to its size, at which it stands still.
const STILL: f64 = 1e-7;

/// The splitting at some iterate.
pub(super) struct Splitting<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    factors: Box<dyn Factored<D> + 'a>,
    v: Vec<Vector<D>>,
    /// De Saxcé's shift, `slope ‖y_T‖` with a lag.
    shift: Vec<f64>,
    /// The scaled impulses of the smallest change seen, and the square of that change.
    best: (Vec<Vector<D>>, f64),
}

impl<'a, const D: usize> Splitting<'a, D> {
    /// Starts from rest.
    pub fn new(scaled: &'a Scaled<D>) -> Self {
        let v = vec![Vector::zeros(); scaled.sets.len()];
        let (best, shift) = ((v.clone(), f64::INFINITY), vec![0.0; v.len()]);
        let factors = scaled.operator.factor(&Diagonals::shifted(v.len(), WEIGHT));
        Self { scaled, factors, best, shift, v }
    }

    /// Goes on from scaled impulses instead.
    pub fn put(&mut self, x: &[Vector<D>]) {
        let velocities = self.scaled.operator.times(x);
        for (contact, product) in velocities.iter().enumerate() {
            let mut y = product + self.scaled.q[contact];
            self.shift[contact] = shift(&self.scaled.sets[contact], &y);
            y[0] += self.shift[contact];
            self.v[contact] = x[contact] - y / WEIGHT;
        }
    }

    /// The best scaled impulses so far.
    pub fn best(&self) -> &[Vector<D>] {
        &self.best.0
    }

    /// Goes so many steps; returns whether it is worth going on.
    pub fn go(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            let (change, size, z) = self.step();
            if !change.is_finite() {
                return false;
            }
            if change < self.best.1 {
                self.best = (z, change);
            }
            if change <= STILL * STILL * size {
                return false;
            }
        }
        true
    }

    /// One step: the squares of its change and of the impulses, and these.
    fn step(&mut self) -> (f64, f64, Vec<Vector<D>>) {
        let scaled = self.scaled;
        let contacts = self.v.len();
        let mut z = Vec::with_capacity(contacts);
        let mut next = Vec::with_capacity(contacts);
        for contact in 0..contacts {
            let (v, set) = (&self.v[contact], &scaled.sets[contact]);
            let impulse = project(set, v);
            let y = (impulse - v) * WEIGHT;
            let mut right = (impulse * 2.0 - v) * WEIGHT - scaled.q[contact];
            self.shift[contact] += (shift(set, &y) - self.shift[contact]) * LAG;
            right[0] -= self.shift[contact];
            z.push(impulse);
            next.push(right);
        }
        self.factors.solve(&mut next);
        let (mut change, mut size) = (0.0, 0.0);
        for contact in 0..contacts {
            let step = next[contact] - z[contact];
            change += step.norm_squared();
            size += z[contact].norm_squared();
            self.v[contact] += step * RELAXATION;
        }
        (change, size, z)
    }
}

/// De Saxcé's shift.
fn shift<const D: usize>(set: &Set, y: &Vector<D>) -> f64 {
    set.conjugate(y)[0] - y[0]
}

/// Nearest point of the set.
fn project<const D: usize>(set: &Set, x: &Vector<D>) -> Vector<D> {
    let projected = set.project(x);
    match set {
        // a cone without width keeps no pull
        Set::Coulomb { .. } if projected[0] <= 0.0 => Vector::zeros(),
        _ => projected,
    }
}
