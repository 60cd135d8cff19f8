//! The residual of `drystone_problem::residual` in lanes: the same formula, for the looks in between. What a
//! solver reports at its end is judged by the original.

use super::coulomb::Locals;
use super::lanes::Lanes;
use super::octet::F64x8;
use drystone_problem::{GapSums, ROUNDING, Residual, Scale, Set, Vector, relative_error, square_of};

/// Projection on the cones `‖r_T‖ ≤ μ r_N`; what is not a number stays none.
#[inline(always)]
pub(super) fn project<L: Lanes, const D: usize>(mu: L, r: &[L; D]) -> [L; D] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let tangential = tangential_norm(r);
    let inside = L::both(zero.at_most(r[0]), tangential.at_most(mu * r[0]));
    let along = r[0] + mu * tangential;
    let polar = along.at_most(zero);
    let normal = along / (one + mu * mu);
    let factor = L::select(zero.less(tangential), mu * normal / tangential, zero);
    let mut projected = [zero; D];
    for i in 0..D {
        let surface = if i == 0 { normal } else { r[i] * factor };
        projected[i] = L::select(inside, r[i], L::select(polar, zero, surface));
    }
    projected
}

#[inline(always)]
fn tangential_norm<L: Lanes, const D: usize>(r: &[L; D]) -> L {
    let mut sum = L::splat(0.0);
    for i in 1..D {
        sum = sum + r[i] * r[i];
    }
    sum.sqrt()
}

#[inline(always)]
fn norm_squared<L: Lanes, const D: usize>(r: &[L; D]) -> L {
    let mut sum = L::splat(0.0);
    for i in 0..D {
        sum = sum + r[i] * r[i];
    }
    sum
}

/// Sums of the residual over some contacts, lane by lane.
#[derive(Clone, Copy)]
pub(super) struct Shares<L> {
    worst: L,
    squares: L,
    found: [L; 2],
    finite: L,
    signed: L,
    absolute: L,
    work: L,
}

impl<L: Lanes> Shares<L> {
    #[inline(always)]
    pub fn new() -> Self {
        let zero = L::splat(0.0);
        Self {
            worst: zero,
            squares: zero,
            found: [zero; 2],
            finite: zero,
            signed: zero,
            absolute: zero,
            work: zero,
        }
    }

    /// Adds eight contacts with their velocities, without and with impulses, and their impulses.
    #[inline(always)]
    pub fn add<const D: usize>(&mut self, locals: &Locals<D>, [free, u, r]: [&[L; D]; 3]) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (mu, d) = (locals.friction::<L>(), locals.compliance::<L>());
        let there = L::both(zero.less(d), d.less(L::splat(f64::INFINITY)));
        let d = L::select(there, d, one);
        // De Saxcé's shift, then the natural map
        let shift = mu * tangential_norm(u);
        let rho = one / d;
        let mut ahead = *r;
        for i in 0..D {
            let velocity = if i == 0 { u[0] + shift } else { u[i] };
            ahead[i] = r[i] - velocity * rho;
        }
        let projected = project(mu, &ahead);
        let mut error = *r;
        for i in 0..D {
            error[i] = r[i] - projected[i];
        }
        let here = d * norm_squared(&error);
        // a projection may well answer to a number that is none
        let mut sum = here;
        for i in 0..D {
            sum = sum + (u[i] + r[i]);
        }
        self.finite = self.finite + sum * zero;
        // what rounding makes of the velocity is no error
        let rounding = norm_squared(u) * rho * L::splat(ROUNDING * ROUNDING);
        let counts = rounding.less(here);
        self.worst = L::select(L::both(counts, self.worst.less(here)), here, self.worst);
        self.squares = self.squares + L::select(counts, here, zero);
        count(&mut self.found, d * norm_squared(r));
        // the work gap
        let (mut wasted, mut work) = (r[0] * shift, zero);
        for i in 0..D {
            wasted = wasted + r[i] * u[i];
            work = work + r[i] * (u[i] - free[i]);
        }
        self.signed = self.signed + wasted;
        self.absolute = self.absolute + L::select(wasted.less(zero), zero - wasted, wasted);
        self.work = self.work + work;
    }

    /// The sums over the lanes, in their order.
    #[inline(always)]
    pub fn total(self) -> Total {
        let mut worst = F64x8::ZERO;
        self.worst.store(&mut worst);
        Total {
            worst: worst.0.into_iter().fold(0.0, f64::max),
            squares: sum(self.squares),
            found: self.found.map(sum),
            finite: sum(self.finite) == 0.0,
            gap: GapSums { signed: sum(self.signed), absolute: sum(self.absolute), work: sum(self.work) },
        }
    }
}

/// The sum over the lanes, in their order.
#[inline(always)]
fn sum<L: Lanes>(lanes: L) -> f64 {
    let mut octet = F64x8::ZERO;
    lanes.store(&mut octet);
    octet.0.iter().sum()
}

/// Adds a square, and one to the count, where it is not zero.
#[inline(always)]
fn count<L: Lanes>(mean: &mut [L; 2], square: L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let counts = zero.less(square);
    mean[0] = mean[0] + L::select(counts, square, zero);
    mean[1] = mean[1] + L::select(counts, one, zero);
}

/// Sums of the residual over some contacts: the largest error, the squares of errors, the squares of impulses
/// and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    worst: f64,
    squares: f64,
    found: [f64; 2],
    finite: bool,
    gap: GapSums,
}

impl Default for Total {
    fn default() -> Self {
        Self::new()
    }
}

impl Total {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { worst: 0.0, squares: 0.0, found: [0.0; 2], finite: true, gap: GapSums::default() }
    }

    /// Adds one contact: the square of its error and of its impulse, and whether it is made of numbers.
    fn count(&mut self, error: f64, impulse: f64, finite: bool) {
        self.finite &= finite && error.is_finite();
        self.worst = self.worst.max(error);
        self.squares += error;
        if impulse > 0.0 {
            self.found[0] += impulse;
            self.found[1] += 1.0;
        }
    }

    /// Adds one contact, whatever its set: its velocities, without and with impulses, and its impulse.
    pub fn add_one<const D: usize>(&mut self, scale: &Scale, set: &Set, [free, u, r]: [&Vector<D>; 3]) {
        self.gap.add(set, u, free, r);
        let error = square_of(scale, set, u, r);
        let impulse = r.component_mul(&scale.levers(set)).norm_squared();
        self.count(error, scale.compliance * impulse, (u.sum() + r.sum()).is_finite());
    }

    /// Adds other contacts.
    pub fn add(&mut self, other: &Self) {
        self.worst = self.worst.max(other.worst);
        self.squares += other.squares;
        self.found[0] += other.found[0];
        self.found[1] += other.found[1];
        self.finite &= other.finite;
        self.gap.merge(&other.gap);
    }

    /// The residual of so many contacts in all, given the mean impulse asked for. Which one is the worst is
    /// not known.
    pub fn residual(&self, contacts: usize, asked: f64) -> Residual {
        let found = (self.found[0] / self.found[1].max(1.0)).sqrt();
        let relative = |error: f64| match self.finite {
            true => relative_error(error, found, asked),
            false => f64::INFINITY,
        };
        let mean = (self.squares / contacts.max(1) as f64).sqrt();
        Residual {
            relative: relative(self.worst.sqrt()),
            mean: relative(mean),
            worst: None,
            gap: self.finite.then(|| self.gap.gap()),
        }
    }
}
