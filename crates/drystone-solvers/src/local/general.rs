//! One contact with any set and any number of components, by one scalar unknown for each kind of friction. Slower than
//! the closed forms of the Coulomb contact; refuses nothing, and where no exact impulse is found returns the best it met.

use super::exhaustive::eliminate;
use super::root::first_root;
use drystone_problem::{Matrix, Scale, Set, Vector};

/// A natural map this small beside the impulses is one of rounding.
const EXACT: f64 = 1e-13;

/// Steps of the fixed point that mends what the scalar unknowns could not: only blocks that are not positive definite
/// need it, and they may have no solution at all.
const MENDING_STEPS: usize = 60;

/// The impulse `r` with `u = w r + q` and `(u, r)` in the set.
pub(super) fn solve<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Vector<D> {
    let finite = w.iter().chain(q.iter()).all(|x| x.is_finite());
    if !finite || w.iter().all(|x| *x == 0.0) {
        return Vector::zeros();
    }
    let judge = Judge::new(w, q, set);
    let first = match *set {
        Set::Bilateral { rows } => hold(w, q, rows),
        Set::Tresca { .. } => {
            // where the normal would pull it is not there
            let closed = Contact::closed(w, q, set).map(|contact| contact.solve());
            let pushing = closed.filter(|r| r[0] >= 0.0);
            pushing.or_else(|| Contact::open(w, q, set).map(|contact| contact.solve()))
        }
        _ if q[0] >= 0.0 => Some(Vector::zeros()),
        _ => Contact::closed(w, q, set).map(|contact| contact.solve()),
    };
    let mut best = (f64::INFINITY, Vector::zeros());
    if let Some(r) = first {
        judge.propose(r, &mut best);
    }
    if best.0 > EXACT {
        mend(&judge, &mut best);
    }
    best.1
}

/// The held components at rest: `w r = −q` on the leading rows, where singular a basic solution.
fn hold<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, rows: usize) -> Option<Vector<D>> {
    let rows = rows.min(D);
    let mut held = Matrix::<D, D>::zeros();
    let mut right = Vector::<D>::zeros();
    for i in 0..rows {
        right[i] = -q[i];
        for j in 0..rows {
            held[(i, j)] = w[(i, j)];
        }
    }
    let first = eliminate(&held, &right);
    let refined = first + eliminate(&held, &(right - held * first));
    let better = (held * refined - right).norm() < (held * first - right).norm();
    Some(if better { refined } else { first })
}

/// Candidates for contacts that are not positive definite, and the fixed point from the best of them.
fn mend<const D: usize>(judge: &Judge<D>, best: &mut (f64, Vector<D>)) {
    let (w, q) = (judge.w, judge.q);
    judge.propose(Vector::zeros(), best);
    judge.propose(eliminate(w, &-q), best);
    let mut frictionless = Vector::zeros();
    frictionless[0] = -q[0] / w[(0, 0)];
    judge.propose(frictionless, best);
    let rho = 1.0 / w.norm();
    let mut r = best.1;
    for _ in 0..MENDING_STEPS {
        let levers = judge.levers;
        let u = (w * r + q).component_div(&levers);
        r = judge.scaled.answer(rho, &u, &r.component_mul(&levers)).component_div(&levers);
        judge.propose(r, best);
        if best.0 <= EXACT {
            return;
        }
    }
}

/// Judges candidates by the natural map relative to the impulses, as the residual of the whole problem does.
struct Judge<'a, const D: usize> {
    w: &'a Matrix<D, D>,
    q: &'a Vector<D>,
    set: &'a Set,
    scale: Scale,
    /// The set with its moment made comparable, and what makes it so.
    scaled: Set,
    levers: Vector<D>,
    /// The impulse the free velocity asks for.
    asked: f64,
}

impl<'a, const D: usize> Judge<'a, D> {
    fn new(w: &'a Matrix<D, D>, q: &'a Vector<D>, set: &'a Set) -> Self {
        let scale = Scale::new(w, set);
        let asked = scale.natural_map(set, q, &Vector::zeros()).norm();
        Self { w, q, set, scale, scaled: scale.set(set), levers: scale.levers(set), asked }
    }

    /// Keeps the admissible impulse next to `r` if it is better than the best.
    fn propose(&self, r: Vector<D>, best: &mut (f64, Vector<D>)) {
        if !r.iter().all(|x| x.is_finite()) {
            return;
        }
        let scaled = self.scaled.project(&r.component_mul(&self.levers));
        let r = scaled.component_div(&self.levers);
        let map = self.scale.natural_map(self.set, &(self.w * r + self.q), &r).norm();
        let error = if map == 0.0 { 0.0 } else { map / scaled.norm().max(self.asked) };
        if error < best.0 {
            *best = (error, r);
        }
    }
}

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
/// Where the contact is closed, `u_N = 0` leaves `u_T = c + W̄ r_T` and `r_N = f − λ·r_T`. Friction of kind k is
/// `u_k = −α_k r_k` with `α_k ≥ 0`: zero where it sticks, else such that `r_k` lies on its border. Hence
/// `r_T(α) = −(W̄ + diag α)⁻¹ c`, and one multiplier for each kind is all there is to find. `‖r_k‖` falls as its own
/// multiplier grows, and far out it is within its border; so there is a first root and a bracket for it.
struct Contact<const D: usize> {
    condensed: Matrix<D, D>,
    c: Vector<D>,
    lambda: Vector<D>,
    frictionless: f64,
    frictions: [Friction; 2],
    /// Mean compliance of each kind, the scale of its multiplier.
    compliance: [f64; 2],
}

impl<const D: usize> Contact<D> {
    /// With `u_N = 0`; `None` where the normal alone cannot make it so.
    fn closed(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Option<Self> {
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
    fn open(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Option<Self> {
        Some(Self::new(*w, *q, Vector::zeros(), 0.0, set))
    }

    fn new(condensed: Matrix<D, D>, c: Vector<D>, lambda: Vector<D>, frictionless: f64, set: &Set) -> Self {
        let split = set.tangential::<D>().end;
        // wider than this no cone can be told from a half-space in sixteen digits
        let slope = |mu: f64| if mu > 0.0 { mu.min(1e16) } else { 0.0 };
        let cone = |mu: f64| Friction { from: 1, to: split, base: 0.0, slope: slope(mu), cap: f64::INFINITY };
        let bound = |cap: f64| if cap > 0.0 { cap } else { 0.0 };
        let moment = |mu: f64| Friction { from: split, to: D, ..cone(mu) };
        let frictions = match *set {
            Set::Coulomb { mu } => [cone(mu), moment(0.0)],
            Set::Orowan { mu, cap } => [Friction { cap: bound(cap), ..cone(mu) }, moment(0.0)],
            Set::Tresca { cap } => [Friction { base: bound(cap), ..cone(0.0) }, moment(0.0)],
            Set::Bilateral { .. } => [cone(0.0), moment(0.0)],
            Set::Rolling { mu, rolling, .. } => [cone(mu), moment(rolling)],
        };
        let mean = |friction: &Friction| {
            let sum: f64 = (friction.from..friction.to).map(|i| condensed[(i, i)].abs()).sum();
            let mean = sum / friction.to.saturating_sub(friction.from).max(1) as f64;
            if mean > 0.0 { mean } else { condensed.amax().max(f64::MIN_POSITIVE) }
        };
        let compliance = [mean(&frictions[0]), mean(&frictions[1])];
        Self { condensed, c, lambda, frictionless, frictions, compliance }
    }

    /// The impulse, both kinds of friction settled.
    fn solve(&self) -> Vector<D> {
        let absent = |k: usize| if self.frictions[k].is_none() { f64::INFINITY } else { 0.0 };
        let start = [absent(0), absent(1)];
        let alpha = match start {
            [0.0, _] => first_root(self.compliance[0], |alpha| {
                let inner = self.settle_moment([alpha, start[1]]);
                self.room(0, &self.impulse(inner))
            }),
            _ => start[0],
        };
        let alphas = self.settle_moment([alpha, start[1]]);
        self.impulse(alphas)
    }

    /// Settles the second kind of friction with the first one given.
    fn settle_moment(&self, alphas: [f64; 2]) -> [f64; 2] {
        if alphas[1] != 0.0 {
            return alphas;
        }
        let root = first_root(self.compliance[1], |alpha| self.room(1, &self.impulse([alphas[0], alpha])));
        [alphas[0], root]
    }

    /// How far inside its border a kind of friction is, relative to its length: close to linear in its multiplier.
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
    fn impulse(&self, alphas: [f64; 2]) -> Vector<D> {
        let mut m = self.condensed;
        let mut r = -self.c;
        for (friction, alpha) in self.frictions.iter().zip(alphas) {
            for i in friction.from..friction.to {
                m[(i, i)] += alpha;
                if alpha == f64::INFINITY {
                    for j in 0..D {
                        m[(i, j)] = 0.0;
                        m[(j, i)] = 0.0;
                    }
                    m[(i, i)] = 1.0;
                    r[i] = 0.0;
                }
            }
        }
        solve_tangential(&mut m, &mut r);
        r[0] = self.frictionless;
        for j in 1..D {
            r[0] -= self.lambda[j] * r[j];
        }
        r
    }
}

/// Solves the rows and columns behind the normal by Gauss elimination with partial pivoting, in place. A singular
/// matrix leaves numbers that are not finite.
fn solve_tangential<const D: usize>(m: &mut Matrix<D, D>, x: &mut Vector<D>) {
    for k in 1..D {
        let mut pivot = k;
        for i in k + 1..D {
            if m[(i, k)].abs() > m[(pivot, k)].abs() {
                pivot = i;
            }
        }
        m.swap_rows(k, pivot);
        x.swap_rows(k, pivot);
        for i in k + 1..D {
            let factor = m[(i, k)] / m[(k, k)];
            for j in k + 1..D {
                m[(i, j)] -= factor * m[(k, j)];
            }
            x[i] -= factor * x[k];
        }
    }
    for i in (1..D).rev() {
        for j in i + 1..D {
            x[i] -= m[(i, j)] * x[j];
        }
        x[i] /= m[(i, i)];
    }
}
