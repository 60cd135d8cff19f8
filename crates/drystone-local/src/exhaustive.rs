//! The contact nobody can trust: singular, indefinite or strongly non-symmetric blocks. Enumerates every way
//! to stick or slip and lets the natural map judge; refuses nothing but is some twenty times slower than the
//! everyday path.

use super::quartic::roots_and_stationary_points;
use drystone_math::portable;
use drystone_problem::{Matrix, Set, Vector};

/// Stick, frictionless, and in 3D two charts of four roots and three stationary points plus six fixed
/// directions.
const MOST_CANDIDATES: usize = 24;

/// Candidates with a natural map below this, relative to the impulses, are all solutions: an evaluation of
/// the map in sixteen digits cannot tell them apart.
const ALIKE: f64 = 2e-15;

/// Candidate impulses and their natural maps, in the order of preference.
struct Candidates<'a, const D: usize> {
    w: &'a Matrix<D, D>,
    q: &'a Vector<D>,
    mu: f64,
    /// Mean compliance, the scale of the natural map.
    d: f64,
    /// The impulse the free velocity asks for.
    asked: f64,
    all: [(f64, f64, Vector<D>); MOST_CANDIDATES],
    count: usize,
}

impl<const D: usize> Candidates<'_, D> {
    /// Judges the admissible impulse next to `r` and keeps it, with `α = ‖u_T‖/‖r_T‖` to rank it, unless it
    /// is broken or pulls.
    fn propose(&mut self, r: Vector<D>) {
        if self.count == MOST_CANDIDATES || r[0].is_nan() || r[0] < 0.0 {
            return;
        }
        let set = Set::Coulomb { mu: self.mu };
        let r = set.project(&r);
        let u = self.w * r + self.q;
        let map = set.natural_map(1.0 / self.d, &u, &r).norm();
        // relative to the impulse found or asked for, as the residual of the whole problem
        let size = r.norm().max(self.asked);
        let (mut sliding, mut friction) = (0.0, 0.0);
        for i in 1..D {
            sliding += u[i] * u[i];
            friction += r[i] * r[i];
        }
        let alpha = if friction > 0.0 { (sliding / friction).sqrt() } else { f64::INFINITY };
        let error = map / size;
        if error.is_finite() && r.norm().is_finite() {
            self.all[self.count] = (error, alpha, r);
            self.count += 1;
        }
    }

    /// Of the candidates as good as the best, the one that slides least for its friction; zero if there is
    /// none.
    fn best(&self) -> Vector<D> {
        let all = &self.all[..self.count];
        let least = all.iter().fold(f64::INFINITY, |least, candidate| least.min(candidate.0));
        let enough = f64::max(4.0 * least, ALIKE);
        let mut best = (f64::INFINITY, Vector::zeros());
        let mut any = false;
        for &(error, alpha, r) in all {
            if error <= enough && (!any || alpha < best.0) {
                best = (alpha, r);
                any = true;
            }
        }
        best.1
    }
}

/// The best impulse of a closing contact (`q_N < 0`) with any block.
pub(super) fn solve<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, mu: f64) -> Vector<D> {
    if w.iter().all(|entry| *entry == 0.0) {
        return Vector::zeros();
    }
    let mean = w.trace() / D as f64;
    let d = if mean > 0.0 && mean.is_finite() { mean } else { w.norm() };
    let set = Set::Coulomb { mu };
    let asked = set.answer(1.0 / d, q, &Vector::zeros()).norm();
    let none = (0.0, 0.0, Vector::zeros());
    let mut candidates = Candidates { w, q, mu, d, asked, all: [none; MOST_CANDIDATES], count: 0 };
    candidates.propose(Vector::zeros());
    candidates.propose(stick(w, q));
    let mut frictionless = Vector::zeros();
    frictionless[0] = -q[0] / w[(0, 0)];
    candidates.propose(frictionless);
    if D == 2 {
        for side in [1.0, -1.0] {
            let mut r = Vector::zeros();
            r[0] = -q[0] / (w[(0, 0)] + mu * w[(0, 1)] * side);
            r[1] = mu * side * r[0];
            candidates.propose(r);
        }
    } else {
        slip_directions(w, q, mu, |t| {
            candidates.propose(slip_along(w, q, mu, t));
        });
    }
    candidates.best()
}

/// `r = −w⁻¹q` by Gauss elimination with complete pivoting and one step of refinement. Where `w` is singular
/// to rounding, a basic solution: the components without pivot stay zero.
fn stick<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>) -> Vector<D> {
    let first = eliminate(w, &-q);
    let again = eliminate(w, &-(w * first + q));
    let refined = first + again;
    if (w * refined + q).norm() < (w * first + q).norm() { refined } else { first }
}

/// Solves `w x = b` by complete pivoting; components whose pivot vanishes to rounding are zero.
pub(super) fn eliminate<const D: usize>(w: &Matrix<D, D>, b: &Vector<D>) -> Vector<D> {
    let mut m = *w;
    let mut b = *b;
    let mut columns = [0; D];
    for (k, column) in columns.iter_mut().enumerate() {
        *column = k;
    }
    let smallest = w.amax() * f64::EPSILON;
    let mut rank = 0;
    while rank < D {
        let mut pivot = (rank, rank);
        for i in rank..D {
            for j in rank..D {
                if m[(i, j)].abs() > m[pivot].abs() {
                    pivot = (i, j);
                }
            }
        }
        // also ends where the pivot is NaN
        if m[pivot].is_nan() || m[pivot].abs() <= smallest {
            break;
        }
        m.swap_rows(rank, pivot.0);
        b.swap_rows(rank, pivot.0);
        m.swap_columns(rank, pivot.1);
        columns.swap(rank, pivot.1);
        for i in rank + 1..D {
            let factor = m[(i, rank)] / m[(rank, rank)];
            for j in rank..D {
                m[(i, j)] -= factor * m[(rank, j)];
            }
            b[i] -= factor * b[rank];
        }
        rank += 1;
    }
    let mut x = Vector::zeros();
    for i in (0..rank).rev() {
        let mut sum = b[i];
        for j in i + 1..rank {
            sum -= m[(i, j)] * x[columns[j]];
        }
        x[columns[i]] = sum / m[(i, i)];
    }
    x
}

/// Every direction `t` of friction that may solve the slip of a 3D contact.
///
/// With friction `r = r_N (1, μt)`, `‖t‖ = 1`, the normal equation gives `r_N = −q_N/(w_NN + μ w_NT·t)` and
/// slip wants `u_T` along `−t`: the cross product `t × u_T` vanishes. Times `w_NN + μ w_NT·t` that is
///
/// `P t₁ + Q t₂ + E t₁² + F t₁t₂ + G t₂² = 0`,
///
/// a quartic in `z = tan(θ/2)`. Two charts, `t` and `−t`, keep `z` in `[−1, 1]`. The signs (`r_N > 0`, `u_T`
/// against `t`) are left to the natural map. The fixed directions serve degenerate blocks, for which every
/// `t` is a root.
fn slip_directions<const D: usize>(
    w: &Matrix<D, D>,
    q: &Vector<D>,
    mu: f64,
    mut visit: impl FnMut([f64; 2]),
) {
    let p = w[(0, 0)] * q[2] - q[0] * w[(2, 0)];
    let qq = q[0] * w[(1, 0)] - w[(0, 0)] * q[1];
    let e = mu * (w[(0, 1)] * q[2] - q[0] * w[(2, 1)]);
    let f = mu * (w[(0, 2)] * q[2] - w[(0, 1)] * q[1] - q[0] * (w[(2, 2)] - w[(1, 1)]));
    let g = mu * (q[0] * w[(1, 2)] - w[(0, 2)] * q[1]);
    for chart in [1.0, -1.0] {
        let (p, qq) = (chart * p, chart * qq);
        let quartic = [p + e, 2.0 * (qq + f), 4.0 * g - 2.0 * e, 2.0 * (qq - f), e - p];
        roots_and_stationary_points(&quartic, |z| {
            let scale = chart / (1.0 + z * z);
            visit([(1.0 - z * z) * scale, 2.0 * z * scale]);
        });
    }
    let coupling = portable::hypot(w[(0, 1)], w[(0, 2)]);
    if coupling > 0.0 {
        let along = [w[(0, 1)] / coupling, w[(0, 2)] / coupling];
        visit(along);
        visit([-along[0], -along[1]]);
    }
    for t in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
        visit(t);
    }
}

/// Newton on the angle of slip, `t × u_T(t) = 0`, with the block itself and not its condensed or expanded
/// forms; then the impulse along `t`.
///
/// With `s = w_NN + μ w_NT·t` and `b = w_TN + μ w_TT t` the impulse `r_N (1, μt)` has to make both
/// `u_N = q_N + s r_N` and `t × u_T = t × q_T + (t × b) r_N` vanish. Where `s` is small beside `w` the first
/// determines `r_N` badly, for `t` is known to rounding only: `r_N` solves both in the least squares, so that
/// the error stays one of rounding in `w r`.
pub(super) fn slip_along<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, mu: f64, t: [f64; 2]) -> Vector<D> {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let times = |i: usize, t: [f64; 2]| mu * (w[(i, 1)] * t[0] + w[(i, 2)] * t[1]);
    let q_t = [q[1], q[2]];
    let mut best = (f64::INFINITY, Vector::<D>::zeros());
    let mut t = t;
    // a simple root takes two or three steps; a double one gains a bit per step, half of the 52 are missing
    for _ in 0..30 {
        let turned = [-t[1], t[0]];
        let s = w[(0, 0)] + times(0, t);
        let b = [w[(1, 0)] + times(1, t), w[(2, 0)] + times(2, t)];
        let normal = -q[0] / s;
        let u = [q[1] + normal * b[0], q[2] + normal * b[1]];
        let short = cross(t, u);
        if short.abs() < best.0 {
            let lever = cross(t, b);
            let both = -(s * q[0] + lever * cross(t, q_t)) / (s * s + lever * lever);
            let mut r = Vector::<D>::zeros();
            r[0] = both;
            r[1] = mu * both * t[0];
            r[2] = mu * both * t[1];
            best = (short.abs(), r);
        } else {
            break;
        }
        // the slope of t × u_T with the angle, through t, r_N and b
        let normal_slope = -normal * times(0, turned) / s;
        let u_slope = [
            normal_slope * b[0] + normal * times(1, turned),
            normal_slope * b[1] + normal * times(2, turned),
        ];
        let angle = -short / (cross(turned, u) + cross(t, u_slope));
        // a polish, not a search
        if angle.is_nan() || angle.abs() > 0.1 {
            break;
        }
        let moved = [t[0] + angle * turned[0], t[1] + angle * turned[1]];
        let length = portable::hypot(moved[0], moved[1]);
        t = [moved[0] / length, moved[1] / length];
    }
    best.1
}
