//! The problem in scaled variables: no units, every contact about as compliant as the next. Holds no method;
//! refuses problems with numbers that are not finite.

use crate::operator::{Operator, make_ready};
use crate::scales::{scale_velocity, scales};
use drystone_problem::{AutoParams, Delassus, Problem, Scale, Set, Vector};

/// `y = W x + q` in scaled variables, `r = s P D x` and `y = P D u / s`, with `D = diag d_α^{-1/2}`, `d_α`
/// the mean compliance of a contact (moments counted by their lever, see [`Scale`]), `P_α = diag(1, p, p)`
/// and `s = max |D q|`.
///
/// With `p = μ` the Coulomb cone becomes Lorentz's `x_N ≥ ‖x_T‖`; cones wider than 45° keep `p = 1`, lest the
/// scaling blow up, and have slope `μ`. Contacts without friction have slope 0. Other sets keep `p = 1`.
pub(crate) struct Scaled<const D: usize> {
    /// The set of each contact, for scaled impulses.
    pub sets: Vec<Set>,
    /// The scaled operator.
    pub operator: Box<dyn Operator<D>>,
    /// The scaled free velocity.
    pub q: Vec<Vector<D>>,
    /// `s P D`, contact by contact.
    impulse: Vec<Vector<D>>,
}

/// Friction beyond which scaling to Lorentz's cone costs too many digits.
const WIDEST: f64 = 1e3;

/// Friction that is as good as sticking, so that products with it stay finite.
const STICKING: f64 = 1e16;

impl<const D: usize> Scaled<D> {
    /// Makes a problem ready, small ones assembled; `None` where it holds a number that is not finite.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>, params: &AutoParams) -> Option<Self> {
        let scales = scales_up_to(problem, 1.0);
        let operator = make_ready(&problem.w, &scales, params);
        operator.is_finite().then_some(())?;
        Self::with(problem, scales, operator)
    }

    /// The same with all cones scaled to Lorentz's, those too wide for that as wide as can be; `None` where
    /// there is another set.
    pub fn lorentz<W: Delassus<D>>(&self, problem: &Problem<D, W>) -> Option<Self> {
        problem.sets.iter().all(|set| matches!(set, Set::Coulomb { .. })).then_some(())?;
        let (narrow, wide) = (scales_up_to(problem, 1.0), scales_up_to(problem, WIDEST));
        let by: Vec<Vector<D>> =
            wide.iter().zip(&narrow).map(|(wide, narrow)| wide.component_div(narrow)).collect();
        Self::with(problem, wide, self.operator.rescaled(&by))
    }

    fn with<W: Delassus<D>>(
        problem: &Problem<D, W>,
        mut impulse: Vec<Vector<D>>,
        operator: Box<dyn Operator<D>>,
    ) -> Option<Self> {
        let (q, _) = scale_velocity(&problem.u_free, &mut impulse);
        let sets = problem.sets.iter().zip(&impulse).map(|(set, scales)| scaled_set(set, scales)).collect();
        let finite = q.iter().all(|q| q.iter().all(|x| x.is_finite()));
        finite.then_some(Self { sets, operator, q, impulse })
    }

    /// Whether no cone was too wide to be scaled to Lorentz's.
    pub fn is_exact(&self) -> bool {
        // rounding leaves slopes of 1 a little wider
        (0..self.sets.len()).all(|contact| self.slope(contact) < 1.5)
    }

    /// Slope of a cone; zero for other sets.
    pub fn slope(&self, contact: usize) -> f64 {
        match self.sets[contact] {
            Set::Coulomb { mu } => mu,
            _ => 0.0,
        }
    }

    /// Scaled impulses.
    pub fn scale_impulses(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        let without_friction = |x: Vector<D>, set: &Set| match *set {
            Set::Coulomb { mu: 0.0 } => normal_only(x),
            _ => x,
        };
        let scaled = r.iter().zip(&self.impulse).map(|(r, scales)| r.component_div(scales));
        scaled.zip(&self.sets).map(|(x, set)| without_friction(x, set)).collect()
    }

    /// Impulses, brought back into their sets where rounding left them.
    pub fn to_impulses(&self, x: &[Vector<D>], sets: &[Set], r: &mut [Vector<D>]) {
        for (contact, r) in r.iter_mut().enumerate() {
            let found = x[contact].component_mul(&self.impulse[contact]);
            *r = match sets[contact] {
                // rounding may leave a pull, which a cone without width would keep
                Set::Coulomb { .. } if found[0] > 0.0 => sets[contact].project(&found),
                Set::Coulomb { .. } => Vector::zeros(),
                _ => sets[contact].settle(&found),
            };
        }
    }
}

/// A coefficient of friction; written so that one that is NaN counts as none.
fn friction(mu: f64) -> f64 {
    if mu > 0.0 { mu.min(STICKING) } else { 0.0 }
}

/// `P D` of every contact, with `p` at most `widest`.
fn scales_up_to<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, widest: f64) -> Vec<Vector<D>> {
    let of_contact = |(contact, set): (usize, &Set)| {
        let scale = Scale::new(&problem.w.block(contact), set);
        let narrow = match *set {
            Set::Coulomb { mu } | Set::Orowan { mu, .. } if mu > 0.0 => mu.min(widest),
            _ => 1.0,
        };
        scales(&scale, set, narrow)
    };
    problem.sets.iter().enumerate().map(of_contact).collect()
}

/// The set of scaled impulses.
fn scaled_set<const D: usize>(set: &Set, scales: &Vector<D>) -> Set {
    let tangential = scales[1.min(D - 1)];
    let narrow = scales[0] / tangential;
    let cap = |cap: f64| if cap > 0.0 { cap / tangential } else { 0.0 };
    match *set {
        Set::Coulomb { mu } => Set::Coulomb { mu: friction(mu) * narrow },
        Set::Orowan { mu, cap: most } => Set::Orowan { mu: friction(mu) * narrow, cap: cap(most) },
        Set::Tresca { cap: most } => Set::Tresca { cap: cap(most) },
        Set::Bilateral { rows } => Set::Bilateral { rows },
        Set::Rolling { mu, rolling, twisting, sliding } => {
            let arm = |arm: f64| friction(arm) * scales[0] / scales[D - 1];
            Set::Rolling { mu: friction(mu), rolling: arm(rolling), twisting: twisting.map(arm), sliding }
        }
        Set::Bearing { held, base, factor, apart } => Set::Bearing {
            held,
            apart,
            base: base.max(0.0) / scales[D - 1],
            factor: friction(factor) * scales[0] / scales[D - 1],
        },
    }
}

fn normal_only<const D: usize>(x: Vector<D>) -> Vector<D> {
    let mut normal = Vector::zeros();
    normal[0] = x[0];
    normal
}
