//! The residual of `drystone_problem::residual` in lanes: the same formula, for the looks in between. What a
//! solver reports at its end is judged by the original.

use super::coulomb::Locals;
use super::octet::F64x8;
use drystone_problem::{GapSums, ROUNDING, Residual, Scale, Set, Vector, relative_error, square_of};
use fearless_simd::{Simd, f64x8, prelude::*};

/// Projection on the cones `‖r_T‖ ≤ μ r_N`; what is not a number stays none.
#[inline(always)]
pub(super) fn project<S: Simd, const D: usize>(mu: f64x8<S>, r: &[f64x8<S>; D]) -> [f64x8<S>; D] {
    let simd = mu.token();
    let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    let tangential = tangential_norm(r);
    let inside = zero.simd_le(r[0]) & tangential.simd_le(mu * r[0]);
    let along = r[0] + mu * tangential;
    let polar = along.simd_le(zero);
    let normal = along / (one + mu * mu);
    let factor = zero.simd_lt(tangential).select(mu * normal / tangential, zero);
    let mut projected = [zero; D];
    for i in 0..D {
        let surface = if i == 0 { normal } else { r[i] * factor };
        projected[i] = inside.select(r[i], polar.select(zero, surface));
    }
    projected
}

#[inline(always)]
fn tangential_norm<S: Simd, const D: usize>(r: &[f64x8<S>; D]) -> f64x8<S> {
    let mut sum = f64x8::splat(r[0].token(), 0.0);
    for i in 1..D {
        sum += r[i] * r[i];
    }
    sum.sqrt()
}

#[inline(always)]
fn norm_squared<S: Simd, const D: usize>(r: &[f64x8<S>; D]) -> f64x8<S> {
    let mut sum = f64x8::splat(r[0].token(), 0.0);
    for i in 0..D {
        sum += r[i] * r[i];
    }
    sum
}

/// Sums of the residual over some contacts, lane by lane.
#[derive(Clone, Copy)]
pub(super) struct Shares<S: Simd> {
    worst: f64x8<S>,
    squares: f64x8<S>,
    found: [f64x8<S>; 2],
    finite: f64x8<S>,
    signed: f64x8<S>,
    absolute: f64x8<S>,
    work: f64x8<S>,
}

impl<S: Simd> Shares<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = f64x8::splat(simd, 0.0);
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
    pub fn add<const D: usize>(&mut self, locals: &Locals<D>, [free, u, r]: [&[f64x8<S>; D]; 3]) {
        let simd = u[0].token();
        let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
        let (mu, d) = (locals.friction(simd), locals.compliance(simd));
        let there = zero.simd_lt(d) & d.simd_lt(f64x8::splat(simd, f64::INFINITY));
        let d = there.select(d, one);
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
            sum += u[i] + r[i];
        }
        self.finite += sum * zero;
        // what rounding makes of the velocity is no error
        let rounding = norm_squared(u) * rho * f64x8::splat(simd, ROUNDING * ROUNDING);
        let counts = rounding.simd_lt(here);
        self.worst = (counts & self.worst.simd_lt(here)).select(here, self.worst);
        self.squares += counts.select(here, zero);
        count(&mut self.found, d * norm_squared(r));
        // the work gap
        let (mut wasted, mut work) = (r[0] * shift, zero);
        for i in 0..D {
            wasted += r[i] * u[i];
            work += r[i] * (u[i] - free[i]);
        }
        self.signed += wasted;
        self.absolute += wasted.simd_lt(zero).select(zero - wasted, wasted);
        self.work += work;
    }

    /// The sums over the lanes, in their order.
    #[inline(always)]
    pub fn total(self) -> Total {
        let mut worst = F64x8::ZERO;
        worst.store(self.worst);
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
fn sum<S: Simd>(lanes: f64x8<S>) -> f64 {
    let mut octet = F64x8::ZERO;
    octet.store(lanes);
    octet.0.iter().sum()
}

/// Adds a square, and one to the count, where it is not zero.
#[inline(always)]
fn count<S: Simd>(mean: &mut [f64x8<S>; 2], square: f64x8<S>) {
    let simd = square.token();
    let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    let counts = zero.simd_lt(square);
    mean[0] += counts.select(square, zero);
    mean[1] += counts.select(one, zero);
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
