//! One contact with any set and any number of components, by one scalar unknown for each kind of friction.
//! Slower than the closed forms of the Coulomb contact; refuses nothing, and where no exact impulse is found
//! returns the best it met.

use super::exhaustive::eliminate;
use super::friction::Contact;
use super::root::first_root;
use drystone_problem::{Matrix, Scale, Set, Vector};
use std::ops::Range;

/// A natural map this small beside the impulses is one of rounding.
const EXACT: f64 = 1e-13;

/// Steps of the fixed point that mends what the scalar unknowns could not: only blocks that are not positive
/// definite need it, and they may have no solution at all.
const MENDING_STEPS: usize = 60;

/// The impulse `r` with `u = w r + q` and `(u, r)` in the set.
pub(super) fn solve<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Vector<D> {
    let finite = w.iter().chain(q.iter()).all(|x| x.is_finite());
    if !finite || w.iter().all(|x| *x == 0.0) {
        return Vector::zeros();
    }
    let judge = CandidateJudge::new(w, q, set);
    let first = match *set {
        Set::Bilateral { rows } => hold(w, q, rows),
        Set::Bearing { held, .. } => bear(w, q, held, set),
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

fn bear<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, held: usize, set: &Set) -> Option<Vector<D>> {
    let held = held.min(D);
    if held == D || set.threshold(1.0) <= 0.0 {
        return hold(w, q, held);
    }
    let bearing = Bearing { w, q, set, held, parts: set.frictions::<D>() };
    match bearing.settle(0, [0.0; 3]) {
        alphas if alphas.iter().all(|alpha| alpha.is_finite()) => Some(bearing.impulse(alphas)),
        _ => hold(w, q, held),
    }
}

/// A bearing: `u_R = 0` and `u_k = −α_k r_k` for each of the parts k that rub make `(w + diag(0, α)) r = −q`,
/// one multiplier `α_k ≥ 0` for each part again, zero where it sticks, else such that friction is on its
/// border. Far out there is no friction left and the border is that of the load alone, so that there is a
/// bracket.
struct Bearing<'a, const D: usize> {
    w: &'a Matrix<D, D>,
    q: &'a Vector<D>,
    set: &'a Set,
    held: usize,
    parts: [Range<usize>; 3],
}

impl<const D: usize> Bearing<'_, D> {
    fn impulse(&self, alphas: [f64; 3]) -> Vector<D> {
        let mut slipping = *self.w;
        for (part, alpha) in self.parts.iter().zip(alphas) {
            part.clone().for_each(|i| slipping[(i, i)] += alpha);
        }
        eliminate(&slipping, &-self.q)
    }

    /// How far inside its border the friction of a part is, relative to its length.
    fn room(&self, part: usize, r: &Vector<D>) -> f64 {
        let radius = self.set.threshold(r.rows_range(..self.held).norm());
        let length = r.rows_range(self.parts[part].clone()).norm();
        match (radius / length - 1.0).is_nan() {
            // no friction where none is asked for, and where a singular block sticks nowhere
            true => {
                if length == 0.0 {
                    0.0
                } else {
                    -1.0
                }
            }
            false => radius / length - 1.0,
        }
    }

    /// Settles the multipliers from a part on, those before given, the next ones inside the search.
    fn settle(&self, part: usize, alphas: [f64; 3]) -> [f64; 3] {
        let Some(components) = self.parts.get(part).filter(|components| !components.is_empty()) else {
            return alphas;
        };
        let with = |alpha: f64| {
            let mut alphas = alphas;
            alphas[part] = alpha;
            self.settle(part + 1, alphas)
        };
        let mean = components.clone().map(|i| self.w[(i, i)].abs()).sum::<f64>() / components.len() as f64;
        let scale = if mean > 0.0 { mean } else { self.w.amax() };
        with(first_root(scale, |alpha| self.room(part, &self.impulse(with(alpha)))))
    }
}

/// Candidates for contacts that are not positive definite, and the fixed point from the best of them.
fn mend<const D: usize>(judge: &CandidateJudge<D>, best: &mut (f64, Vector<D>)) {
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
struct CandidateJudge<'a, const D: usize> {
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

impl<'a, const D: usize> CandidateJudge<'a, D> {
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
