//! Coulomb's law solved at eight contacts at once, without branches. Refuses blocks that are not comfortably
//! positive definite: those are solved one by one.

use super::octet::{F64x8, bits};
use drystone_problem::Matrix;
use fearless_simd::{Simd, f64x8, mask64x8, prelude::*};

/// Steps on the multipliers at one visit, at most. One is enough once the sweeps have settled.
const MOST_STEPS: usize = 24;

/// Another step is taken where the last one changed a multiplier by more than this.
const SETTLED: f64 = 0.05;

/// The diagonal blocks of eight contacts, symmetric, the normal condensed; see [`drystone_local::LocalBlock`]
/// for the letters.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Locals<const D: usize> {
    /// `1/w_NN`, then `w_NT/w_NN`.
    normal: [F64x8; D],
    /// `W̄`: its only entry in the plane; `W̄_11`, `W̄_12`, `W̄_22` in space.
    condensed: [F64x8; D],
    /// `1 / det W̄`.
    inverse_determinant: F64x8,
    mu: F64x8,
}

/// What a visit to eight contacts finds.
pub(super) struct Found<S: Simd, const D: usize> {
    pub r: [f64x8<S>; D],
    /// Where the closed forms failed: solve these one by one.
    pub doubtful: u8,
}

impl<const D: usize> Locals<D> {
    /// No contact anywhere.
    pub fn empty() -> Self {
        Self {
            normal: [F64x8::ZERO; D],
            condensed: [F64x8::ZERO; D],
            inverse_determinant: F64x8::ZERO,
            mu: F64x8::ZERO,
        }
    }

    /// Puts the block of one contact into a lane.
    pub fn put(&mut self, lane: usize, w: &Matrix<D, D>, mu: f64) {
        let inverse = 1.0 / w[(0, 0)];
        self.normal[0].0[lane] = inverse;
        for i in 1..D {
            self.normal[i].0[lane] = w[(0, i)] * inverse;
        }
        let condensed = |i: usize, j: usize| w[(i, j)] - w[(i, 0)] * (w[(0, j)] * inverse);
        let determinant = if D == 2 {
            self.condensed[0].0[lane] = condensed(1, 1);
            condensed(1, 1)
        } else {
            self.condensed[0].0[lane] = condensed(1, 1);
            self.condensed[1].0[lane] = condensed(1, 2);
            self.condensed[2].0[lane] = condensed(2, 2);
            condensed(1, 1) * condensed(2, 2) - condensed(1, 2) * condensed(1, 2)
        };
        self.inverse_determinant.0[lane] = 1.0 / determinant;
        self.mu.0[lane] = mu;
    }

    /// Friction of the contact in a lane.
    pub fn mu(&self, lane: usize) -> f64 {
        self.mu.0[lane]
    }

    /// Friction of all.
    #[inline(always)]
    pub fn friction<S: Simd>(&self, simd: S) -> f64x8<S> {
        self.mu.load(simd)
    }

    /// `tr W̄`, by which changes of impulses are weighed.
    #[inline(always)]
    pub fn weight<S: Simd>(&self, simd: S) -> f64x8<S> {
        let first = self.condensed[0].load(simd);
        if D == 2 { first } else { first + self.condensed[2].load(simd) }
    }

    /// `tr w / D`; infinite or NaN where there is no contact.
    #[inline(always)]
    pub fn compliance<S: Simd>(&self, simd: S) -> f64x8<S> {
        let mut coupling = f64x8::splat(simd, 1.0);
        for i in 1..D {
            let k = self.normal[i].load(simd);
            coupling += k * k;
        }
        let normal = coupling / self.normal[0].load(simd);
        (normal + self.weight(simd)) * f64x8::splat(simd, 1.0 / D as f64)
    }

    /// The impulses that solve the contacts, given their velocities `u` at the impulses `r`.
    ///
    /// Condensing the normal, `u_N = 0`, leaves `u_T = c + W̄ r_T`. In terms of `u` and `r`, with
    /// `k = w_NT/w_NN`, the impulse without friction is `f = r_N + k·r_T − u_N/w_NN` and
    /// `c = u_T − k u_N − W̄ r_T`: the block itself is not needed, and the rounding of one sweep is mended by
    /// the next.
    #[inline(always)]
    pub fn solve<S: Simd>(&self, u: &[f64x8<S>; D], r: &[f64x8<S>; D], alpha: &mut F64x8) -> Found<S, D> {
        if D == 2 { self.solve_plane(u, r) } else { self.solve_space(u, r, alpha) }
    }

    /// In the plane all is in closed form; the derivation is that of [`drystone_local::LocalBlock`].
    #[inline(always)]
    fn solve_plane<S: Simd>(&self, u: &[f64x8<S>; D], r: &[f64x8<S>; D]) -> Found<S, D> {
        let simd = u[0].token();
        let zero = f64x8::splat(simd, 0.0);
        let one = f64x8::splat(simd, 1.0);
        let k = self.normal[1].load(simd);
        let mu = self.mu.load(simd);
        let f = (r[0] + k * r[1]) - u[0] * self.normal[0].load(simd);
        let c = (u[1] - k * u[0]) - self.condensed[0].load(simd) * r[1];
        let tangential = (zero - c) * self.inverse_determinant.load(simd);
        let normal = f - k * tangential;
        let reach = mu * normal;
        let stick = tangential.simd_le(reach) & (zero - tangential).simd_le(reach);
        let side = tangential.simd_lt(zero).select(zero - one, one);
        let slip = f / (one + mu * k * side);
        let closing = zero.simd_lt(f);
        let chosen = stick.select(normal, slip);
        let mut found = [zero; D];
        found[0] = closing.select(chosen, zero);
        found[1] = closing.select(stick.select(tangential, mu * slip * side), zero);
        doubt(found, closing)
    }

    /// In space a sliding contact has one unknown, the multiplier `α = ‖u_T‖/‖r_T‖`, kept from sweep to
    /// sweep. With `r_T = −(W̄ + αI)⁻¹c` the numerators of `r_T` and `r_N` over the same determinant are
    /// `−(a + αc)` and a quadratic `g(α)`; Newton goes for `μ g/‖a + αc‖ = 1`, which is nearly straight (the
    /// secular equation of Moré, Sorensen 1983). The impulse is then built from the direction `a + αc` with
    /// `u_N = 0` and on the cone.
    #[inline(always)]
    fn solve_space<S: Simd>(&self, u: &[f64x8<S>; D], r: &[f64x8<S>; D], alpha: &mut F64x8) -> Found<S, D> {
        let simd = u[0].token();
        let zero = f64x8::splat(simd, 0.0);
        let [k1, k2] = [self.normal[1].load(simd), self.normal[2].load(simd)];
        let [m11, m12] = [self.condensed[0].load(simd), self.condensed[1].load(simd)];
        let m22 = self.condensed[2].load(simd);
        let mu = self.mu.load(simd);
        let f = (r[0] + (k1 * r[1] + k2 * r[2])) - u[0] * self.normal[0].load(simd);
        let c1 = (u[1] - k1 * u[0]) - (m11 * r[1] + m12 * r[2]);
        let c2 = (u[2] - k2 * u[0]) - (m12 * r[1] + m22 * r[2]);
        let (a1, a2) = (m22 * c1 - m12 * c2, m11 * c2 - m12 * c1);
        let determinant = m11 * m22 - m12 * m12;
        let g0 = f * determinant + (k1 * a1 + k2 * a2);
        let aa = a1 * a1 + a2 * a2;
        let reach = mu * g0;
        let closing = zero.simd_lt(f);
        let stick = zero.simd_le(g0) & aa.simd_le(reach * reach);
        let scale = self.inverse_determinant.load(simd);
        let mut found = [zero; D];
        found[0] = g0 * scale;
        found[1] = zero - a1 * scale;
        found[2] = zero - a2 * scale;

        let rough = zero.simd_lt(mu);
        let sliding = bits(closing) & !bits(stick) & bits(rough);
        if bits(closing) & !bits(stick) != 0 {
            let slide = Slide {
                mu,
                f,
                k: [k1, k2],
                trace: m11 + m22,
                determinant,
                g0,
                g1: f * (m11 + m22) + (k1 * c1 + k2 * c2),
                aa,
                ac: a1 * c1 + a2 * c2,
                cc: c1 * c1 + c2 * c2,
            };
            let now = slide.multiplier(alpha.load(simd), sliding);
            // never anything but a number: it is where the next visit starts
            let usable = closing & (rough & now.simd_lt(f64x8::splat(simd, f64::INFINITY)));
            alpha.store(usable.select(stick.select(zero, now), zero));
            let (b1, b2) = (a1 + now * c1, a2 + now * c2);
            let length = (b1 * b1 + b2 * b2).sqrt();
            let share = f / (length - mu * (k1 * b1 + k2 * b2));
            let lever = mu * share;
            // without friction there is no direction either
            let rough = rough & zero.simd_lt(length);
            found[0] = stick.select(found[0], rough.select(share * length, f));
            found[1] = stick.select(found[1], rough.select(zero - lever * b1, zero));
            found[2] = stick.select(found[2], rough.select(zero - lever * b2, zero));
        }
        for k in 0..D {
            found[k] = closing.select(found[k], zero);
        }
        doubt(found, closing)
    }
}

/// The equation of the multipliers of eight contacts that slide in space; see [`Locals::solve_space`].
struct Slide<S: Simd> {
    mu: f64x8<S>,
    /// The normal impulse without friction, which is also the last coefficient of `g`.
    f: f64x8<S>,
    k: [f64x8<S>; 2],
    /// Of `W̄`.
    trace: f64x8<S>,
    determinant: f64x8<S>,
    g0: f64x8<S>,
    g1: f64x8<S>,
    /// `a·a`, `a·c` and `c·c`.
    aa: f64x8<S>,
    ac: f64x8<S>,
    cc: f64x8<S>,
}

impl<S: Simd> Slide<S> {
    /// Newton's steps in a bracket until the multipliers of the `sliding` have settled.
    #[inline(always)]
    fn multiplier(&self, from: f64x8<S>, sliding: u8) -> f64x8<S> {
        let Self { mu, f, trace, determinant, g0, g1, aa, ac, cc, .. } = *self;
        let simd = from.token();
        let zero = f64x8::splat(simd, 0.0);
        let mut now = from;
        let (mut low, mut high) = (zero, f64x8::splat(simd, f64::INFINITY));
        for _ in 0..MOST_STEPS {
            let g = (f * now + g1) * now + g0;
            let slope = (f + f) * now + g1;
            let along = cc * now + ac;
            let squared = (along + ac) * now + aa;
            let short = squared.sqrt() - mu * g;
            let step = (short * squared) / (mu * (slope * squared - g * along));
            let below = zero.simd_lt(short);
            low = below.select(now, low);
            high = below.select(high, now);
            let mut next = now + step;
            let inside = low.simd_le(next) & next.simd_le(high);
            if !bits(inside) & sliding != 0 {
                let bounded = high.simd_lt(f64x8::splat(simd, f64::INFINITY));
                let middle = bounded.select((low + high) * f64x8::splat(simd, 0.5), self.bound());
                next = inside.select(next, middle);
            }
            let (change, size) = (next - now, next * trace + determinant);
            let large = (size * size * f64x8::splat(simd, SETTLED * SETTLED))
                .simd_lt(change * change * (trace * trace));
            now = next;
            if bits(large) & sliding == 0 {
                break;
            }
        }
        now
    }

    /// No root is larger: `‖r_T‖ ≤ ‖c‖/α`, so that there `μ r_N ≥ ‖r_T‖` whatever the direction.
    #[inline(always)]
    fn bound(&self) -> f64x8<S> {
        let coupling = (self.k[0] * self.k[0] + self.k[1] * self.k[1]).sqrt();
        self.cc.sqrt() * (f64x8::splat(coupling.token(), 1.0) + self.mu * coupling) / (self.mu * self.f)
    }
}

/// Marks the closing contacts whose impulse pulls or is not a number.
#[inline(always)]
fn doubt<S: Simd, const D: usize>(r: [f64x8<S>; D], closing: mask64x8<S>) -> Found<S, D> {
    let simd = r[0].token();
    let zero = f64x8::splat(simd, 0.0);
    let mut sum = r[0];
    for k in 1..D {
        sum += r[k] * zero;
    }
    let fine = zero.simd_le(sum) & sum.simd_lt(f64x8::splat(simd, f64::INFINITY));
    Found { r, doubtful: bits(closing) & !bits(fine) }
}
