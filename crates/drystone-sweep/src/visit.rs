//! The visit of a sweep to eight contacts, once their velocities are known. Does not know what their rows are
//! made of.

use super::coulomb::Locals;
use super::judge::project;
use super::lanes::Lanes;
use super::octet::{F64x8, WIDTH};
use crate::backend::{PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{Matrix, Set, Vector};

/// Eight contacts side by side.
pub(super) trait Eight<const D: usize> {
    /// Their diagonal blocks and frictions.
    fn locals(&self) -> &Locals<D>;
    /// The diagonal block of the contact in a lane.
    fn block(&self, lane: usize) -> Matrix<D, D>;
}

/// Sums over the changes that a sweep made, weighed contact by contact; see [`Passed`].
#[derive(Clone, Copy)]
pub(super) struct Sums<L> {
    pub length: L,
    pub uphill: L,
    pub moved: u8,
}

impl<L: Lanes> Sums<L> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { length: L::splat(0.0), uphill: L::splat(0.0), moved: 0 }
    }

    /// What the sweep did, after so many updates.
    #[inline(always)]
    pub fn passed(self, updates: u64) -> Passed {
        let mut spread = [F64x8::ZERO; 2];
        self.length.store(&mut spread[0]);
        self.uphill.store(&mut spread[1]);
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
pub(super) fn load<L: Lanes, const D: usize>(octets: &[F64x8; D]) -> [L; D] {
    let mut found = [L::splat(0.0); D];
    for i in 0..D {
        found[i] = L::load(&octets[i]);
    }
    found
}

/// What a visit brought.
pub(super) struct Visited<L, const D: usize> {
    /// The impulses now.
    pub r: [L; D],
    /// Their change.
    pub delta: [L; D],
    /// The lanes whose impulse changed.
    pub moved: u8,
    /// Whether any contact holds an impulse or changed.
    pub holds: bool,
}

/// Solves each contact with the others held: `u` are the velocities at the impulses `from`, which were
/// extrapolated from `last` where there is momentum; `alpha` are the multipliers of sliding.
#[inline(always)]
pub(super) fn visit<L: Lanes, E: Eight<D>, const D: usize, const MOMENTUM: bool>(
    eight: &E,
    [u, from, last]: [&[L; D]; 3],
    alpha: &mut F64x8,
    manner: &PassOptions,
    sums: &mut Sums<L>,
) -> Visited<L, D> {
    let zero = L::splat(0.0);
    let locals = eight.locals();
    let found = locals.solve(u, from, alpha);
    let mut r = found.r;
    if found.doubtful != 0 {
        r = solve_doubtful(eight, found.doubtful, [&r, u, from]);
    }
    if manner.relaxation != 1.0 {
        for i in 0..D {
            r[i] = from[i] + (r[i] - from[i]) * L::splat(manner.relaxation);
        }
        r = project(locals.friction(), &r);
    }
    let mut delta = [zero; D];
    let mut moved = zero.less(zero);
    for i in 0..D {
        delta[i] = r[i] - from[i];
        moved = L::either(moved, L::either(delta[i].less(zero), zero.less(delta[i])));
    }
    sums.moved |= L::bits(moved);
    if MOMENTUM {
        let weight = locals.weight::<L>();
        let (mut length, mut along) = (zero, zero);
        for i in 0..D {
            length = length + delta[i] * delta[i];
            // before the extrapolation the contact was at `last`
            along = along + delta[i] * (r[i] - last[i]);
        }
        sums.length = sums.length + weight * length;
        sums.uphill = sums.uphill - weight * along;
    }
    let holds = L::bits(L::either(zero.less(r[0]), moved)) != 0;
    Visited { r, delta, moved: L::bits(moved), holds }
}

/// Solves the lanes named by the bits one by one.
#[inline(always)]
fn solve_doubtful<L: Lanes, E: Eight<D>, const D: usize>(eight: &E, lanes: u8, of: [&[L; D]; 3]) -> [L; D] {
    let mut spread = [[F64x8::ZERO; D]; 3];
    for (octets, x) in spread.iter_mut().zip(of) {
        for i in 0..D {
            x[i].store(&mut octets[i]);
        }
    }
    let [mut r, u, from] = spread;
    solve_alone(eight, lanes, &mut r, &u, &from);
    load(&r)
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
