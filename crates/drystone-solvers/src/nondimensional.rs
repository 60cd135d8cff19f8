//! The problem without units and without its matrix: what the first-order solvers share. Holds no method;
//! refuses problems with numbers that are not finite.

use crate::scales::{scale_velocity, scales};
use drystone_problem::{Delassus, Matrix, Problem, Product, Scale, Set, Vector};
use drystone_sparse::Pattern;

/// `y = Ŵ x + q` in scaled variables, `r = s S x` and `y = S u / s`, with `S = diag(p_i d_α^{-1/2} / ℓ_i)`:
/// `d_α` the mean compliance of a contact, `ℓ` the lever of a moment (see [`Scale`]), `p` the share of
/// friction and `s = max |S q|`. The sets are the same, their coefficients and caps in scaled variables.
pub(crate) struct Nondimensional<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    /// The set of each contact, for scaled impulses.
    pub sets: Vec<Set>,
    /// The scaled free velocity.
    pub q: Vec<Vector<D>>,
    /// `s S`.
    impulse: Vec<Vector<D>>,
    /// `s²`.
    square: f64,
    r: Vec<Vector<D>>,
    product: Product<'a, D, W>,
}

impl<'a, const D: usize, W: Delassus<D>> Nondimensional<'a, D, W> {
    /// Scales a problem; `None` where it holds a number that is not finite.
    ///
    /// Friction of a cone narrower than 45° is divided by √μ, half way to a round cone: measured on saved
    /// problems, that asks for fewer iterations than either end.
    pub fn new(problem: &'a Problem<D, W>) -> Option<Self> {
        let contacts = problem.contacts();
        let mut sets = Vec::with_capacity(contacts);
        let mut impulse = Vec::with_capacity(contacts);
        for (alpha, set) in problem.sets.iter().enumerate() {
            let scale = Scale::new(&problem.w.block(alpha), set);
            impulse.push(scales(&scale, set, share(set)));
            sets.push(scale.set(set));
        }
        let (q, size) = scale_velocity(&problem.u_free, &mut impulse);
        for (set, scales) in sets.iter_mut().zip(&impulse) {
            *set = shared(set, scales);
        }
        let finite = |x: &[Vector<D>]| x.iter().all(|x| x.sum().is_finite());
        let r = vec![Vector::zeros(); contacts];
        let whole = finite(&q) && finite(&impulse) && sets.iter().all(is_number);
        let product = Product::new(&problem.w);
        whole.then_some(Self { problem, sets, q, impulse, square: size * size, r, product })
    }

    /// Scaled impulses, admissible.
    pub fn scale(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        let scaled = r.iter().zip(&self.impulse).map(|(r, scales)| r.component_div(scales));
        scaled.zip(&self.sets).map(|(x, set)| set.settle(&x)).collect()
    }

    /// Impulses, brought back into their sets where rounding left them.
    pub fn impulses(&self, x: &[Vector<D>], r: &mut [Vector<D>]) {
        for (alpha, r) in r.iter_mut().enumerate() {
            *r = self.problem.sets[alpha].settle(&x[alpha].component_mul(&self.impulse[alpha]));
        }
    }

    /// `y = Ŵ x`, without the free velocity.
    pub fn times(&mut self, x: &[Vector<D>], y: &mut [Vector<D>]) {
        for (alpha, x) in x.iter().enumerate() {
            self.r[alpha] = x.component_mul(&self.impulse[alpha]);
        }
        for ((y, u), scales) in y.iter_mut().zip(self.product.rows(&self.r)).zip(&self.impulse) {
            *y = u.component_mul(scales) / self.square;
        }
    }

    /// The blocks of `Ŵ` and where they are.
    pub fn assemble(&self) -> (Pattern, Vec<Matrix<D, D>>) {
        let (pattern, mut blocks) = Pattern::of(self.problem.w.assemble());
        for row in 0..pattern.rows() {
            for entry in pattern.entries(row) {
                let column = pattern.columns[entry] as usize;
                let scales = self.impulse[row] * self.impulse[column].transpose() / self.square;
                blocks[entry].component_mul_assign(&scales);
            }
        }
        (pattern, blocks)
    }
}

/// What sliding friction is divided by.
fn share(set: &Set) -> f64 {
    match *set {
        Set::Coulomb { mu } | Set::Orowan { mu, .. } | Set::Rolling { mu, .. } if mu > 0.0 => {
            mu.min(1.0).sqrt()
        }
        _ => 1.0,
    }
}

/// The set where friction was divided by its share, and caps by the scale of friction.
fn shared<const D: usize>(set: &Set, scales: &Vector<D>) -> Set {
    let (slope, friction) = (|mu: f64| mu / share(set), scales[1.min(D - 1)]);
    match *set {
        Set::Coulomb { mu } => Set::Coulomb { mu: slope(mu) },
        Set::Orowan { mu, cap } => Set::Orowan { mu: slope(mu), cap: cap / friction },
        Set::Tresca { cap } => Set::Tresca { cap: cap / friction },
        Set::Bilateral { rows } => Set::Bilateral { rows },
        Set::Rolling { mu, rolling, twisting, sliding } => {
            Set::Rolling { mu: slope(mu), rolling, twisting, sliding }
        }
        // the lever is in it already
        Set::Bearing { held, base, factor, apart } => {
            Set::Bearing { held, base: base / scales[0], factor, apart }
        }
    }
}

fn is_number(set: &Set) -> bool {
    match *set {
        Set::Coulomb { mu } => !mu.is_nan(),
        Set::Orowan { mu, cap } => !(mu + cap).is_nan(),
        Set::Tresca { cap } => !cap.is_nan(),
        Set::Bilateral { .. } => true,
        Set::Rolling { mu, rolling, twisting, .. } => !(mu + rolling + twisting.unwrap_or(0.0)).is_nan(),
        Set::Bearing { base, factor, .. } => !(base + factor).is_nan(),
    }
}
