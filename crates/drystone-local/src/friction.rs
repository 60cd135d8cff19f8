//! The friction of one contact by one multiplier for each kind, sliding, rolling and twisting, whatever the
//! number of components. Finds impulses and does not judge them: blocks that are not positive definite may
//! get a poor one.

use super::root::first_root;
use drystone_problem::{Matrix, Set, Vector};
use std::array::from_fn;

/// Kinds of friction: sliding, rolling, twisting.
const KINDS: usize = 3;

/// Steps of Newton on the multipliers before it gives way to brackets.
const MOST_STEPS: usize = 20;

/// A room this small, relative to the friction, is nothing: a few units of rounding.
const AT_REST: f64 = 32.0 * f64::EPSILON;

/// One kind of friction: the components `from..to`, no longer than `min(base + slope r_N, cap)`.
#[derive(Clone, Copy)]
struct Friction {
    from: usize,
    to: usize,
    base: f64,
    slope: f64,
    cap: f64,
}

impl Friction {
    fn radius(&self, normal: f64) -> f64 {
        (self.base + self.slope * normal).min(self.cap)
    }

    /// Whether there is nothing to find.
    fn is_none(&self) -> bool {
        self.from >= self.to || self.cap <= 0.0 || (self.base <= 0.0 && self.slope <= 0.0)
    }
}

/// The contact with its normal condensed.
///
/// Where the contact is closed, `u_N = 0` leaves `u_T = c + W̄ r_T` and `r_N = f − λ·r_T`. Friction of kind k
/// is `u_k = −α_k r_k` with `α_k ≥ 0`: zero where it sticks, else such that `r_k` lies on its border. Hence
/// `r_T(α) = −(W̄ + diag α)⁻¹ c`, and one multiplier for each kind is all there is to find. `‖r_k‖` falls as
/// its own multiplier grows, and far out it is within its border; so there is a first root and a bracket for
/// it.
pub(super) struct Contact<const D: usize> {
    condensed: Matrix<D, D>,
    c: Vector<D>,
    lambda: Vector<D>,
    frictionless: f64,
    frictions: [Friction; KINDS],
    /// Mean compliance of each kind, the scale of its multiplier.
    compliance: [f64; KINDS],
}

impl<const D: usize> Contact<D> {
    /// With `u_N = 0`; `None` where the normal alone cannot make it so.
    pub fn closed(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Option<Self> {
        let inverse = 1.0 / w[(0, 0)];
        if !(w[(0, 0)] > 0.0 && inverse.is_finite()) {
            return None;
        }
        let lambda = Vector::from_fn(|j, _| w[(0, j)] * inverse);
        let frictionless = -q[0] * inverse;
        let condensed = Matrix::from_fn(|i, j| w[(i, j)] - w[(i, 0)] * lambda[j]);
        let c = Vector::from_fn(|i, _| q[i] + w[(i, 0)] * frictionless);
        Some(Self::new(condensed, c, lambda, frictionless, set))
    }

    /// With `r_N = 0`.
    pub fn open(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Option<Self> {
        Some(Self::new(*w, *q, Vector::zeros(), 0.0, set))
    }

    fn new(condensed: Matrix<D, D>, c: Vector<D>, lambda: Vector<D>, frictionless: f64, set: &Set) -> Self {
        let parts = set.frictions::<D>();
        // wider than this no cone can be told from a half-space in sixteen digits
        let slope = |mu: f64| if mu > 0.0 { mu.min(1e16) } else { 0.0 };
        let kind = |number: usize, mu: f64| {
            let (from, to) = (parts[number].start, parts[number].end);
            Friction { from, to, base: 0.0, slope: slope(mu), cap: f64::INFINITY }
        };
        let bound = |cap: f64| if cap > 0.0 { cap } else { 0.0 };
        let only = |sliding: Friction| [sliding, kind(1, 0.0), kind(2, 0.0)];
        let frictions = match *set {
            Set::Coulomb { mu } => only(kind(0, mu)),
            Set::Orowan { mu, cap } => only(Friction { cap: bound(cap), ..kind(0, mu) }),
            Set::Tresca { cap } => only(Friction { base: bound(cap), ..kind(0, 0.0) }),
            Set::Bilateral { .. } | Set::Bearing { .. } => only(kind(0, 0.0)),
            Set::Rolling { mu, rolling, twisting, .. } => {
                [kind(0, mu), kind(1, rolling), kind(2, twisting.unwrap_or(0.0))]
            }
        };
        let mean = |friction: &Friction| {
            let sum: f64 = (friction.from..friction.to).map(|i| condensed[(i, i)].abs()).sum();
            let mean = sum / friction.to.saturating_sub(friction.from).max(1) as f64;
            if mean > 0.0 { mean } else { condensed.amax().max(f64::MIN_POSITIVE) }
        };
        let compliance = frictions.each_ref().map(mean);
        Self { condensed, c, lambda, frictionless, frictions, compliance }
    }

    /// The impulse, all kinds of friction settled: by Newton on the multipliers, and where that fails in
    /// brackets, the next multiplier inside the search for the one before.
    pub fn solve(&self) -> Vector<D> {
        let start = self.frictions.each_ref().map(|kind| if kind.is_none() { f64::INFINITY } else { 0.0 });
        if let Some(r) = self.newton(start) {
            return r;
        }
        self.impulse(self.settle(0, start))
    }

    /// Newton on the multipliers from stick: of every kind that is outside its border or already slips, the
    /// room shall be nothing. Close to linear, it takes three to six steps; `None` where it does not come to
    /// rest.
    fn newton(&self, mut alphas: [f64; KINDS]) -> Option<Vector<D>> {
        for _ in 0..MOST_STEPS {
            let (lu, exchanges) = self.factor(alphas);
            let r = self.impulse_from(&lu, &exchanges, alphas);
            let room: [f64; KINDS] = from_fn(|k| self.room(k, &r));
            let finite = |alpha: f64| alpha < f64::INFINITY;
            let slips = |k: usize| finite(alphas[k]) && (alphas[k] > 0.0 || room[k] < 0.0);
            let active: [bool; KINDS] = from_fn(slips);
            let short = |k: usize| if active[k] { room[k].abs() } else { 0.0 };
            if (0..KINDS).map(short).fold(0.0, f64::max) <= AT_REST {
                return Some(r);
            }
            // the kinds in the places behind a normal that is not there
            let mut slopes = Matrix::<{ KINDS + 1 }, { KINDS + 1 }>::identity();
            let mut steps = Vector::<{ KINDS + 1 }>::zeros();
            for by in (0..KINDS).filter(|&by| active[by]) {
                let change = self.change_with(by, &lu, &exchanges, &r, alphas);
                for of in (0..KINDS).filter(|&of| active[of]) {
                    slopes[(of + 1, by + 1)] = self.room_change(of, &r, &change);
                }
                steps[by + 1] = -room[by];
            }
            let order = eliminate_tangential(&mut slopes);
            back_substitute(&slopes, &order, &mut steps);
            let step: [f64; KINDS] = from_fn(|k| steps[k + 1]);
            for k in (0..KINDS).filter(|&k| active[k]) {
                alphas[k] = match alphas[k] + step[k] {
                    ahead if ahead > 0.0 && (alphas[k] > 0.0 || room[k] > -0.5) => ahead,
                    // far outside, where the normal pulls, a slope means nothing
                    ahead if room[k] < 0.0 => ahead.max(self.first_guess(k)).max(2.0 * alphas[k]),
                    // inside and on its way to stick
                    _ => 0.0,
                };
            }
            if !step.iter().sum::<f64>().is_finite() {
                return None;
            }
        }
        None
    }

    /// The multiplier of a kind alone, if its components were as compliant as they are on average.
    fn first_guess(&self, kind: usize) -> f64 {
        let friction = &self.frictions[kind];
        let speed = (friction.from..friction.to).map(|i| self.c[i] * self.c[i]).sum::<f64>().sqrt();
        let guess = speed / friction.radius(self.frictionless) - self.compliance[kind];
        if guess.is_finite() { guess } else { 0.0 }
    }

    /// How the impulse changes with one multiplier.
    fn change_with(
        &self,
        kind: usize,
        lu: &Matrix<D, D>,
        exchanges: &[usize; D],
        r: &Vector<D>,
        alphas: [f64; KINDS],
    ) -> Vector<D> {
        let friction = &self.frictions[kind];
        let mut change = Vector::zeros();
        for i in friction.from..friction.to {
            change[i] = -r[i];
        }
        self.clear_absent(&mut change, alphas);
        back_substitute(lu, exchanges, &mut change);
        for j in 1..D {
            change[0] -= self.lambda[j] * change[j];
        }
        change
    }

    /// How the room of a kind changes with the impulse.
    fn room_change(&self, kind: usize, r: &Vector<D>, change: &Vector<D>) -> f64 {
        let friction = &self.frictions[kind];
        let part = friction.from..friction.to;
        let square: f64 = part.clone().map(|i| r[i] * r[i]).sum();
        let along: f64 = part.map(|i| r[i] * change[i]).sum();
        let growing = friction.base + friction.slope * r[0] < friction.cap;
        let wider = if growing { friction.slope * change[0] } else { 0.0 };
        (wider - friction.radius(r[0]) * along / square) / square.sqrt()
    }

    /// Settles the kinds of friction from a number on, those before given.
    fn settle(&self, kind: usize, alphas: [f64; KINDS]) -> [f64; KINDS] {
        if kind == KINDS {
            return alphas;
        }
        let with = |alpha: f64| self.settle(kind + 1, from_fn(|k| if k == kind { alpha } else { alphas[k] }));
        match alphas[kind] == 0.0 {
            true => {
                with(first_root(self.compliance[kind], |alpha| self.room(kind, &self.impulse(with(alpha)))))
            }
            false => with(alphas[kind]),
        }
    }

    /// How far inside its border a kind of friction is, relative to its length: close to linear in its
    /// multiplier.
    fn room(&self, kind: usize, r: &Vector<D>) -> f64 {
        let friction = &self.frictions[kind];
        let length = (friction.from..friction.to).map(|i| r[i] * r[i]).sum::<f64>().sqrt();
        let radius = friction.radius(r[0]);
        match radius.is_nan() || length.is_nan() {
            // a singular block sticks nowhere in particular
            true => -1.0,
            false if length == 0.0 => {
                if radius >= 0.0 {
                    f64::INFINITY
                } else {
                    -1.0
                }
            }
            false => radius / length - 1.0,
        }
    }

    /// The impulse of given multipliers; an infinite one leaves no friction of its kind.
    fn impulse(&self, alphas: [f64; KINDS]) -> Vector<D> {
        let (lu, exchanges) = self.factor(alphas);
        self.impulse_from(&lu, &exchanges, alphas)
    }

    fn impulse_from(&self, lu: &Matrix<D, D>, exchanges: &[usize; D], alphas: [f64; KINDS]) -> Vector<D> {
        let mut r = -self.c;
        self.clear_absent(&mut r, alphas);
        back_substitute(lu, exchanges, &mut r);
        r[0] = self.frictionless;
        for j in 1..D {
            r[0] -= self.lambda[j] * r[j];
        }
        r
    }

    /// The components of an absent kind carry nothing.
    fn clear_absent(&self, x: &mut Vector<D>, alphas: [f64; KINDS]) {
        for (friction, _) in self.frictions.iter().zip(alphas).filter(|(_, alpha)| *alpha == f64::INFINITY) {
            for i in friction.from..friction.to {
                x[i] = 0.0;
            }
        }
    }

    /// The factors of `W̄ + diag α`.
    fn factor(&self, alphas: [f64; KINDS]) -> (Matrix<D, D>, [usize; D]) {
        let mut m = self.condensed;
        for (friction, alpha) in self.frictions.iter().zip(alphas) {
            for i in friction.from..friction.to {
                m[(i, i)] += alpha;
                if alpha == f64::INFINITY {
                    for j in 0..D {
                        m[(i, j)] = 0.0;
                        m[(j, i)] = 0.0;
                    }
                    m[(i, i)] = 1.0;
                }
            }
        }
        let exchanges = eliminate_tangential(&mut m);
        (m, exchanges)
    }
}

/// Factors the rows and columns behind the normal by Gauss elimination with partial pivoting, in place;
/// returns the row exchanged with each. A singular matrix leaves numbers that are not finite.
fn eliminate_tangential<const D: usize>(m: &mut Matrix<D, D>) -> [usize; D] {
    let mut exchanges = [0; D];
    for k in 1..D {
        let mut pivot = k;
        for i in k + 1..D {
            if m[(i, k)].abs() > m[(pivot, k)].abs() {
                pivot = i;
            }
        }
        exchanges[k] = pivot;
        if pivot != k {
            m.swap_rows(k, pivot);
        }
        let inverse = 1.0 / m[(k, k)];
        for i in k + 1..D {
            let factor = m[(i, k)] * inverse;
            m[(i, k)] = factor;
            for j in k + 1..D {
                m[(i, j)] -= factor * m[(k, j)];
            }
        }
    }
    exchanges
}

/// Solves with the factors, in place.
fn back_substitute<const D: usize>(lu: &Matrix<D, D>, exchanges: &[usize; D], x: &mut Vector<D>) {
    for k in 1..D {
        x.swap_rows(k, exchanges[k]);
    }
    for i in 1..D {
        for j in 1..i {
            x[i] -= lu[(i, j)] * x[j];
        }
    }
    for i in (1..D).rev() {
        for j in i + 1..D {
            x[i] -= lu[(i, j)] * x[j];
        }
        x[i] /= lu[(i, i)];
    }
}
