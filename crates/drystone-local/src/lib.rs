//! One contact solved exactly: the impulse `r` with `u = w r + q` and `(u, r)` in a canonical set. Refuses
//! convexified laws and inexact steps; where no exact impulse exists it returns the best finite one it met.

mod exhaustive;
mod friction;
mod general;
mod quartic;
mod root;
mod secular;

use drystone_problem::{Matrix, Set, Vector};
use secular::Secular;

/// How far the everyday path may be trusted with a block.
///
/// Decided on the symmetric part `S` of `w` by Hadamard's ratio `det S / Π S_ii`, in `(0, 1]` for positive
/// definite `S`, near 0 where rounding decides, and blind to the units of each component.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trust {
    /// `S` comfortably positive definite: closed forms and Newton on α, nothing to check.
    Full,
    /// `S` positive definite but close to singular, or small beside the skew part: same path, then polished.
    Polished,
    /// Singular, indefinite or broken: every candidate is enumerated and judged by the natural map.
    None,
}

/// Above this ratio condensing the normal loses no more than two or three digits of the sixteen.
const FULL_TRUST: f64 = 1e-2;

/// Below this ratio the condensed block carries an error of 1e-8, and one Newton polish no longer squares it
/// away.
const SOME_TRUST: f64 = 1e-8;

/// The diagonal block of one contact, prepared once and solved for many `q`.
#[doc(alias = "local solver")]
#[doc(alias = "one-contact problem")]
#[derive(Clone, Copy, Debug)]
pub struct LocalBlock<const D: usize> {
    /// The block itself.
    w: Matrix<D, D>,
    /// `[1/w_NN, w_NT/w_NN; w_TN, W̄]` with `W̄ = w_TT − w_TN w_NT / w_NN`, the block with its normal
    /// condensed.
    condensed: Matrix<D, D>,
    /// `1 / det W̄`; with more than three components nobody asks.
    inverse_determinant: f64,
    trust: Trust,
}

/// The exact impulse of one contact; see [`LocalBlock::solve`].
pub fn solve_local<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, set: &Set) -> Vector<D> {
    LocalBlock::new(w).solve(q, set)
}

impl<const D: usize> LocalBlock<D> {
    /// Prepares a block: any numbers, two components or more.
    pub fn new(w: &Matrix<D, D>) -> Self {
        const { assert!(D >= 2) };
        let mut condensed = *w;
        let inverse_normal = 1.0 / w[(0, 0)];
        condensed[(0, 0)] = inverse_normal;
        for j in 1..D {
            condensed[(0, j)] *= inverse_normal;
            for i in 1..D {
                condensed[(i, j)] -= w[(i, 0)] * condensed[(0, j)];
            }
        }
        let determinant = if D == 2 {
            condensed[(1, 1)]
        } else {
            condensed[(1, 1)] * condensed[(2, 2)] - condensed[(1, 2)] * condensed[(2, 1)]
        };
        let trust = if D <= 3 { trust(w) } else { Trust::None };
        Self { w: *w, condensed, inverse_determinant: 1.0 / determinant, trust }
    }

    /// Whether closed forms need no polish and no check.
    pub fn is_trusted(&self) -> bool {
        self.trust == Trust::Full
    }

    /// The block itself.
    #[inline]
    pub fn w(&self) -> &Matrix<D, D> {
        &self.w
    }

    /// The impulse `r` with `u = w r + q` and `(u, r)` in the set; component 0 is the normal.
    ///
    /// A contact may have several solutions (Painlevé). The order of preference is: open (`r = 0`, whenever
    /// `q_N ≥ 0`); stick (`u = 0`); slip, the one met first by Newton's bracketed descent from α = 0, the
    /// side of sticking. With symmetric positive definite `w` and no more than moderate `μ w_NT` there is
    /// only one. A contact without solution (possible only where the symmetric part of `w` is not positive
    /// definite) gets the finite candidate with the smallest natural map. Zero blocks and numbers that are
    /// not finite get `r = 0`.
    ///
    /// The Coulomb contact of two or three components has its closed forms; Orowan's is that one as long as
    /// its friction is below the cap; the others take one scalar unknown for each kind of friction.
    #[inline]
    pub fn solve(&self, q: &Vector<D>, set: &Set) -> Vector<D> {
        match *set {
            Set::Coulomb { mu } if D <= 3 => self.solve_coulomb(q, mu),
            Set::Orowan { mu, cap } if D <= 3 => {
                let r = self.solve_coulomb(q, mu);
                let friction: f64 = (1..D).map(|i| r[i] * r[i]).sum();
                if friction.sqrt() <= cap { r } else { general::solve(&self.w, q, set) }
            }
            _ => general::solve(&self.w, q, set),
        }
    }

    /// The answer of a contact that has the velocity `u` with the impulse `from`, the others held: the exact
    /// impulse, taken over by the factor `relaxation`.
    #[inline]
    pub fn answer(&self, u: &Vector<D>, from: &Vector<D>, set: &Set, relaxation: f64) -> Vector<D> {
        // velocity the contact would have without its own impulse
        let r = self.solve(&(u - self.w * from), set);
        if relaxation == 1.0 { r } else { set.project(&(from + (r - from) * relaxation)) }
    }

    #[inline]
    fn solve_coulomb(&self, q: &Vector<D>, mu: f64) -> Vector<D> {
        // written so that a velocity that is NaN counts as open
        let closing = q[0] < 0.0;
        if !closing {
            return Vector::zeros();
        }
        // a cone this wide cannot be told from a half-space in sixteen digits, and its square stays finite
        let mu = mu.clamp(0.0, 1e16);
        let mu = if mu.is_nan() { 0.0 } else { mu };
        if self.trust != Trust::None {
            let found = if D == 2 { self.everyday_2d(q, mu) } else { self.everyday_3d(q, mu) };
            if let Some(r) = found {
                return r;
            }
        }
        exhaustive::solve(&self.w, q, mu)
    }

    /// Closed form in 2D, `S` positive definite, `q_N < 0`.
    ///
    /// Condensing the normal (`u_N = 0`) leaves `u_T = c + W̄ r_T` with `W̄ > 0`. Stick is `r_T = −c/W̄`.
    /// Where that leaves the cone the contact slides, `u_T = −α r_T` with `α > 0`, hence `r_T = −c/(W̄ + α)`
    /// keeps the sign of the stick impulse, and `|r_T| = μ r_N` gives `r_N (w_NN + μ w_NT sign r_T) = −q_N`.
    /// The factor is positive: `|r_T| − μ r_N` is linear in `r_T`, negative at 0 and positive at the stick
    /// impulse.
    #[inline]
    fn everyday_2d(&self, q: &Vector<D>, mu: f64) -> Option<Vector<D>> {
        let coupling = self.condensed[(0, 1)];
        let frictionless = -q[0] * self.condensed[(0, 0)];
        let c = q[1] + self.w[(1, 0)] * frictionless;
        let mut tangential = -c * self.inverse_determinant;
        let mut normal = frictionless - coupling * tangential;
        let stick = tangential.abs() <= mu * normal;
        if !stick {
            let side = tangential.signum();
            normal = frictionless / (1.0 + mu * coupling * side);
            tangential = mu * normal * side;
        }
        let mut r = Vector::<D>::zeros();
        r[0] = normal;
        r[1] = tangential;
        if stick && self.trust == Trust::Polished {
            // the inverse again, on what it left: u = 0 to rounding however close to singular
            let u = self.w * r + q;
            let correction =
                -(u[1] - self.w[(1, 0)] * u[0] * self.condensed[(0, 0)]) * self.inverse_determinant;
            r[0] -= u[0] * self.condensed[(0, 0)] + coupling * correction;
            r[1] += correction;
            // better known, the impulse may turn out not to stick after all
            if r[1].abs() > mu * r[0] {
                return None;
            }
        }
        (r[0] >= 0.0 && r.sum().is_finite()).then_some(r)
    }

    /// Stick in closed form and slip by one scalar unknown in 3D, `S` positive definite, `q_N < 0`.
    ///
    /// Condensing the normal leaves `u_T = c + W̄ r_T`. Slip is `u_T = −α r_T`, `α ≥ 0`, hence with
    /// `Δ(α) = det(W̄ + αI)`, `a = adj(W̄) c` and `λ = w_NT/w_NN`
    ///
    /// `r_T(α) = −(a + αc)/Δ`, `r_N(α) = g/Δ`, `g(α) = −q_N Δ/w_NN + λ·(a + αc)`,
    ///
    /// and α = 0 is stick. `Δ > 0` on `α ≥ 0` because a Schur complement inherits positive definiteness. The
    /// root of `h(α) = μ g(α)/‖a + αc‖ − 1` is the answer: `h < 0` at 0 where stick leaves the cone and
    /// `h → ∞`, so that a bracket exists; `h` is close to linear (exactly so for a ball, and concave without
    /// coupling, as the secular equation of trust regions: Moré, Sorensen 1983), so that Newton from 0 needs
    /// two to five steps.
    #[inline]
    fn everyday_3d(&self, q: &Vector<D>, mu: f64) -> Option<Vector<D>> {
        let m = &self.condensed;
        let w = &self.w;
        let frictionless = -q[0] * m[(0, 0)];
        let c = [q[1] + w[(1, 0)] * frictionless, q[2] + w[(2, 0)] * frictionless];
        let a = [m[(2, 2)] * c[0] - m[(1, 2)] * c[1], m[(1, 1)] * c[1] - m[(2, 1)] * c[0]];
        let trace = m[(1, 1)] + m[(2, 2)];
        let determinant = m[(1, 1)] * m[(2, 2)] - m[(1, 2)] * m[(2, 1)];

        // coefficients of g and of ‖a + αc‖²
        let g0 = frictionless * determinant + m[(0, 1)] * a[0] + m[(0, 2)] * a[1];
        let aa = a[0] * a[0] + a[1] * a[1];
        let reach = mu * g0;
        if g0 >= 0.0 && aa <= reach * reach {
            let mut r = Vector::<D>::zeros();
            r[0] = g0 * self.inverse_determinant;
            r[1] = -a[0] * self.inverse_determinant;
            r[2] = -a[1] * self.inverse_determinant;
            return self.stick(q, mu, r);
        }
        // no friction, no α: it is infinite
        if mu == 0.0 {
            let mut r = Vector::<D>::zeros();
            r[0] = frictionless;
            return frictionless.is_finite().then_some(r);
        }
        let g1 = frictionless * trace + m[(0, 1)] * c[0] + m[(0, 2)] * c[1];
        let secular = Secular {
            mu,
            g: [g0, g1, frictionless],
            aa,
            ac: a[0] * c[0] + a[1] * c[1],
            cc: c[0] * c[0] + c[1] * c[1],
            coupling: [m[(0, 1)], m[(0, 2)]],
            floor: determinant / trace,
        };
        let alpha = secular.root()?;
        self.slip(q, mu, [-(a[0] + alpha * c[0]), -(a[1] + alpha * c[1])])
    }

    /// The impulse of a contact that sticks in 3D, as found; `None` where it turns out not to stick.
    #[inline]
    fn stick(&self, q: &Vector<D>, mu: f64, mut r: Vector<D>) -> Option<Vector<D>> {
        if self.trust == Trust::Polished {
            self.refine_stick(q, &mut r);
            // better known, the impulse may turn out not to stick after all
            if r[1] * r[1] + r[2] * r[2] > mu * mu * r[0] * r[0] {
                return None;
            }
        }
        (r[0] >= 0.0 && r.sum().is_finite()).then_some(r)
    }

    /// The impulse of a contact that slides in 3D against a direction: the rest from `u_N = 0` and the cone,
    /// which then hold to rounding.
    #[inline]
    fn slip(&self, q: &Vector<D>, mu: f64, against: [f64; 2]) -> Option<Vector<D>> {
        let m = &self.condensed;
        let length = (against[0] * against[0] + against[1] * against[1]).sqrt();
        let t = [against[0] / length, against[1] / length];
        if self.trust == Trust::Polished {
            let r = exhaustive::slip_along(&self.w, q, mu, t);
            return (r[0] > 0.0 && r.sum().is_finite()).then_some(r);
        }
        let frictionless = -q[0] * m[(0, 0)];
        let normal = frictionless / (1.0 + mu * (m[(0, 1)] * t[0] + m[(0, 2)] * t[1]));
        let mut r = Vector::<D>::zeros();
        r[0] = normal;
        r[1] = mu * normal * t[0];
        r[2] = mu * normal * t[1];
        (normal >= 0.0 && r.sum().is_finite()).then_some(r)
    }

    /// One step of iterative refinement of `w r + q = 0` with the condensed inverse.
    fn refine_stick(&self, q: &Vector<D>, r: &mut Vector<D>) {
        let m = &self.condensed;
        let u = self.w * *r + q;
        let normal = -u[0] * m[(0, 0)];
        let c = [u[1] + self.w[(1, 0)] * normal, u[2] + self.w[(2, 0)] * normal];
        let t = [
            -(m[(2, 2)] * c[0] - m[(1, 2)] * c[1]) * self.inverse_determinant,
            -(m[(1, 1)] * c[1] - m[(2, 1)] * c[0]) * self.inverse_determinant,
        ];
        r[0] += normal - m[(0, 1)] * t[0] - m[(0, 2)] * t[1];
        r[1] += t[0];
        r[2] += t[1];
    }
}

/// Trust in a block, from the leading minors of its symmetric part.
fn trust<const D: usize>(w: &Matrix<D, D>) -> Trust {
    let s = |i: usize, j: usize| 0.5 * (w[(i, j)] + w[(j, i)]);
    let plane = s(0, 0) * s(1, 1) - s(0, 1) * s(0, 1);
    let (determinant, product) = if D == 2 {
        (plane, s(0, 0) * s(1, 1))
    } else {
        let determinant = s(2, 2) * plane - s(0, 2) * (s(0, 2) * s(1, 1) - s(0, 1) * s(1, 2))
            + s(1, 2) * (s(0, 1) * s(0, 2) - s(0, 0) * s(1, 2));
        (determinant, s(0, 0) * s(1, 1) * s(2, 2))
    };
    // comparisons that are false for numbers that are not finite
    if !(s(0, 0) > 0.0 && plane > 0.0 && determinant > SOME_TRUST * product && product < f64::INFINITY) {
        return Trust::None;
    }
    let mut skew: f64 = 0.0;
    for i in 0..D {
        for j in 0..i {
            let k = 0.5 * (w[(i, j)] - w[(j, i)]);
            skew = skew.max(k * k / (s(i, i) * s(j, j)));
        }
    }
    // a product that underflows is no measure of anything
    if product < f64::MIN_POSITIVE || !skew.is_finite() {
        Trust::None
    } else if determinant > FULL_TRUST * product && skew < 1.0 {
        Trust::Full
    } else {
        Trust::Polished
    }
}
