//! The problem in scaled variables and block by block: no units, every contact about as compliant as the next. Holds
//! no method; refuses problems with numbers that are not finite and with other sets than Coulomb's.

use crate::sparse::Pattern;
use drystone_problem::{Delassus, Matrix, Problem, Set, Vector};

/// `y = W x + q` in scaled variables, `r = s P D x` and `y = P D u / s`, with `D = diag d_α^{-1/2}`, `d_α = tr W_αα / D`,
/// `P_α = diag(1, p, p)` and `s = max |D q|`.
///
/// With `p = μ` the Coulomb cone becomes Lorentz's `x_N ≥ ‖x_T‖`; cones wider than 45° keep `p = 1`, lest the scaling
/// blow up, and have slope `μ`. Contacts without friction have slope 0.
pub(crate) struct Scaled<const D: usize> {
    /// Slope of each scaled cone: `‖x_T‖ ≤ slope x_N`.
    pub slope: Vec<f64>,
    /// Where the operator has blocks.
    pub pattern: Pattern,
    /// The blocks of the scaled operator.
    pub w: Vec<Matrix<D, D>>,
    /// The scaled free velocity.
    pub q: Vec<Vector<D>>,
    /// `s P D`, contact by contact.
    impulse: Vec<Vector<D>>,
}

/// Friction beyond which scaling to Lorentz's cone costs too many digits.
const WIDEST: f64 = 1e3;

impl<const D: usize> Scaled<D> {
    /// Gathers and scales a problem; `None` where it holds a number that is not finite or another set than Coulomb's.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>) -> Option<Self> {
        Self::with_widest(problem, 1.0)
    }

    /// The same with all cones scaled to Lorentz's; `None` also where one is too wide for that.
    pub fn lorentz<W: Delassus<D>>(problem: &Problem<D, W>) -> Option<Self> {
        let scaled = Self::with_widest(problem, WIDEST)?;
        scaled.slope.iter().all(|&slope| slope <= 1.0).then_some(scaled)
    }

    fn with_widest<W: Delassus<D>>(problem: &Problem<D, W>, widest: f64) -> Option<Self> {
        let mut slope = Vec::new();
        let mut impulse = Vec::new();
        for contact in 0..problem.contacts() {
            let Set::Coulomb { mu } = problem.sets[contact] else {
                return None;
            };
            let d = problem.w.block(contact).trace() / D as f64;
            let d = if d > 0.0 && d.is_finite() { 1.0 / d.sqrt() } else { 1.0 };
            // written so that a friction that is no number counts as none
            let mu = if mu > 0.0 { mu.min(1e16) } else { 0.0 };
            let narrow = if mu > 0.0 { mu.min(widest) } else { 1.0 };
            slope.push(mu / narrow);
            let mut scales = Vector::repeat(narrow * d);
            scales[0] = d;
            impulse.push(scales);
        }
        let mut q: Vec<Vector<D>> =
            problem.u_free.iter().zip(&impulse).map(|(u, p)| u.component_mul(p)).collect();
        let size = q.iter().map(|q| q.amax()).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let (pattern, mut w) = Pattern::of(problem.w.assemble());
        for row in 0..slope.len() {
            for entry in pattern.entries(row) {
                let column = pattern.columns[entry] as usize;
                w[entry].component_mul_assign(&(impulse[row] * impulse[column].transpose()));
            }
        }
        q.iter_mut().for_each(|q| *q /= size);
        impulse.iter_mut().for_each(|scales| *scales *= size);
        let finite = w.iter().all(|w| w.iter().all(|x| x.is_finite()))
            && q.iter().all(|q| q.iter().all(|x| x.is_finite()));
        finite.then_some(Self { slope, pattern, w, q, impulse })
    }

    /// Scaled impulses.
    pub fn scale_impulses(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        let without_friction = |x: Vector<D>, slope: f64| if slope > 0.0 { x } else { normal_only(x) };
        let scaled = r.iter().zip(&self.impulse).map(|(r, scales)| r.component_div(scales));
        scaled.zip(&self.slope).map(|(x, &slope)| without_friction(x, slope)).collect()
    }

    /// Impulses, brought back into their cones where rounding left them.
    pub fn to_impulses(&self, x: &[Vector<D>], sets: &[Set], r: &mut [Vector<D>]) {
        for (contact, r) in r.iter_mut().enumerate() {
            let found = x[contact].component_mul(&self.impulse[contact]);
            // rounding may leave a pull, which a cone without width would keep
            *r = if found[0] > 0.0 { sets[contact].project(&found) } else { Vector::zeros() };
        }
    }
}

fn normal_only<const D: usize>(x: Vector<D>) -> Vector<D> {
    let mut normal = Vector::zeros();
    normal[0] = x[0];
    normal
}
