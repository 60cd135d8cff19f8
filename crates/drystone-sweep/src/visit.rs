//! The visit of a sweep to eight contacts, once their velocities are known. Does not know what their rows are
//! made of.

use super::coulomb::Locals;
use super::judge::project;
use super::octet::{F64x8, WIDTH, bits};
use crate::backend::{PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{Matrix, Set, Vector};
use fearless_simd::{Simd, f64x8, prelude::*};

/// Eight contacts side by side.
pub(super) trait Eight<const D: usize> {
    /// Their diagonal blocks and frictions.
    fn locals(&self) -> &Locals<D>;
    /// The diagonal block of the contact in a lane.
    fn block(&self, lane: usize) -> Matrix<D, D>;
}

/// Sums over the changes that a sweep made, weighed contact by contact; see [`Passed`].
#[derive(Clone, Copy)]
pub(super) struct Sums<S: Simd> {
    pub length: f64x8<S>,
    pub uphill: f64x8<S>,
    pub moved: u8,
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        Self { length: f64x8::splat(simd, 0.0), uphill: f64x8::splat(simd, 0.0), moved: 0 }
    }

    /// What the sweep did, after so many updates.
    #[inline(always)]
    pub fn passed(self, updates: u64) -> Passed {
        let mut spread = [F64x8::ZERO; 2];
        spread[0].store(self.length);
        spread[1].store(self.uphill);
        Passed {
            moved: self.moved != 0,
            length: spread[0].0.iter().sum(),
            uphill: spread[1].0.iter().sum(),
            updates,
        }
    }
}

/// Numbers of eight contacts into registers.
#[inline(always)]
pub(super) fn load<S: Simd, const D: usize>(simd: S, octets: &[F64x8; D]) -> [f64x8<S>; D] {
    let mut found = [f64x8::splat(simd, 0.0); D];
    for i in 0..D {
        found[i] = octets[i].load(simd);
    }
    found
}

/// What a visit brought.
pub(super) struct Visited<S: Simd, const D: usize> {
    /// The impulses now.
    pub r: [f64x8<S>; D],
    /// Their change.
    pub delta: [f64x8<S>; D],
    /// The lanes whose impulse changed.
    pub moved: u8,
    /// Whether any contact holds an impulse or changed.
    pub holds: bool,
}

/// Solves each contact with the others held: `u` are the velocities at the impulses `from`, which were
/// extrapolated from `last` where there is momentum; `alpha` are the multipliers of sliding.
#[inline(always)]
pub(super) fn visit<S: Simd, E: Eight<D>, const D: usize, const MOMENTUM: bool>(
    eight: &E,
    [u, from, last]: [&[f64x8<S>; D]; 3],
    alpha: &mut F64x8,
    manner: &PassOptions,
    sums: &mut Sums<S>,
) -> Visited<S, D> {
    let simd = u[0].token();
    let zero = f64x8::splat(simd, 0.0);
    let locals = eight.locals();
    let found = locals.solve(u, from, alpha);
    let mut r = found.r;
    if found.doubtful != 0 {
        r = solve_doubtful(eight, found.doubtful, [&r, u, from]);
    }
    if manner.relaxation != 1.0 {
        for i in 0..D {
            r[i] = from[i] + (r[i] - from[i]) * f64x8::splat(simd, manner.relaxation);
        }
        r = project(locals.friction(simd), &r);
    }
    let mut delta = [zero; D];
    let mut moved = zero.simd_lt(zero);
    for i in 0..D {
        delta[i] = r[i] - from[i];
        moved |= delta[i].simd_lt(zero) | zero.simd_lt(delta[i]);
    }
    sums.moved |= bits(moved);
    if MOMENTUM {
        let weight = locals.weight(simd);
        let (mut length, mut along) = (zero, zero);
        for i in 0..D {
            length += delta[i] * delta[i];
            // before the extrapolation the contact was at `last`
            along += delta[i] * (r[i] - last[i]);
        }
        sums.length += weight * length;
        sums.uphill -= weight * along;
    }
    let holds = bits(zero.simd_lt(r[0]) | moved) != 0;
    Visited { r, delta, moved: bits(moved), holds }
}

/// Solves the lanes named by the bits one by one.
#[inline(always)]
fn solve_doubtful<S: Simd, E: Eight<D>, const D: usize>(
    eight: &E,
    lanes: u8,
    of: [&[f64x8<S>; D]; 3],
) -> [f64x8<S>; D] {
    let mut spread = [[F64x8::ZERO; D]; 3];
    for (octets, x) in spread.iter_mut().zip(of) {
        for i in 0..D {
            octets[i].store(x[i]);
        }
    }
    let [mut r, u, from] = spread;
    solve_alone(eight, lanes, &mut r, &u, &from);
    load(of[0][0].token(), &r)
}

#[cold]
#[inline(never)]
fn solve_alone<E: Eight<D>, const D: usize>(
    eight: &E,
    lanes: u8,
    r: &mut [F64x8; D],
    u: &[F64x8; D],
    from: &[F64x8; D],
) {
    let of = |x: &[F64x8; D], lane: usize| Vector::<D>::from_fn(|i, _| x[i].0[lane]);
    for lane in (0..WIDTH).filter(|lane| lanes >> lane & 1 == 1) {
        let w = eight.block(lane);
        let set = Set::Coulomb { mu: eight.locals().mu(lane) };
        let solved = LocalBlock::new(&w).solve(&(of(u, lane) - w * of(from, lane)), &set);
        for i in 0..D {
            r[i].0[lane] = solved[i];
        }
    }
}
