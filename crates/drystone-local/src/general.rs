//! One contact with any set and any number of components, by one scalar unknown for each kind of friction.
//! Slower than the closed forms of the Coulomb contact; refuses nothing, and where no exact impulse is found
//! returns the best it met.

use super::exhaustive::eliminate;
use super::friction::Contact;
use super::root::first_root;
use drystone_problem::{Matrix, Scale, Set, Vector};

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
        Set::Bearing { apart: true, .. } => None,
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
    if let Set::Bearing { held, base, factor, apart: true } = *set {
        bear_apart(&judge, held.min(D), [base.max(0.0), factor.max(0.0)], &mut best);
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

/// A bearing: `u_R = 0` and `u_T = −α r_T` make `(w + α diag(0, 1)) r = −q`, one multiplier α ≥ 0 again, zero
/// where it sticks, else such that friction is on its border. Far out there is no friction left and the
/// border is that of the load alone, so that there is a bracket.
fn bear<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, held: usize, set: &Set) -> Option<Vector<D>> {
    let held = held.min(D);
    if held == D || set.threshold(1.0) <= 0.0 {
        return hold(w, q, held);
    }
    let impulse = |alpha: f64| {
        let mut slipping = *w;
        (held..D).for_each(|i| slipping[(i, i)] += alpha);
        eliminate(&slipping, &-q)
    };
    let room = |r: &Vector<D>| {
        let radius = set.threshold(r.rows_range(..held).norm());
        let length = r.rows_range(held..).norm();
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
    };
    let mean = (held..D).map(|i| w[(i, i)].abs()).sum::<f64>() / (D - held) as f64;
    let scale = if mean > 0.0 { mean } else { w.amax() };
    match first_root(scale, |alpha| room(&impulse(alpha))) {
        alpha if alpha < f64::INFINITY => Some(impulse(alpha)),
        _ => hold(w, q, held),
    }
}

/// A bearing whose components rub apart: each of them sticks, or slips one way or the other at the threshold
/// `c + a ℓ` of the load ℓ. For every choice the impulse is `r = r₀ + ℓ r₁`, and `ℓ = ‖r_R‖` is a root of a
/// quadratic; the law itself tells which choice is right.
fn bear_apart<const D: usize>(
    judge: &CandidateJudge<D>,
    held: usize,
    [base, factor]: [f64; 2],
    best: &mut (f64, Vector<D>),
) {
    for choice in 0..3_u32.pow((D - held) as u32) {
        let mut rows = *judge.w;
        let (mut fixed, mut grows) = (-judge.q, Vector::<D>::zeros());
        let mut ways = choice;
        for i in held..D {
            let sign = [0.0, 1.0, -1.0][ways as usize % 3];
            ways /= 3;
            if sign != 0.0 {
                rows.row_mut(i).fill(0.0);
                rows[(i, i)] = 1.0;
                (fixed[i], grows[i]) = (sign * base, sign * factor);
            }
        }
        let (fixed, grows) = (eliminate(&rows, &fixed), eliminate(&rows, &grows));
        let (at, by) = (fixed.rows_range(..held), grows.rows_range(..held));
        for load in loads(at.norm_squared(), at.dot(&by), by.norm_squared()) {
            judge.propose(fixed + grows * load, best);
            if best.0 <= EXACT {
                return;
            }
        }
    }
}

/// The roots `ℓ ≥ 0` of `‖a + ℓ b‖ = ℓ`, from `a·a`, `a·b` and `b·b`; not a number where there are none.
fn loads(square: f64, cross: f64, slope: f64) -> [f64; 2] {
    if square == 0.0 {
        return [0.0, f64::NAN];
    }
    // (1 − b·b) ℓ² − 2 a·b ℓ − a·a = 0, by the root that does not cancel
    let lead = 1.0 - slope;
    let sum = cross + (cross * cross + lead * square).sqrt().copysign(cross);
    [sum / lead, -square / sum].map(|load| if load >= 0.0 { load } else { f64::NAN })
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
