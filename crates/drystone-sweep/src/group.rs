//! Eight contacts of one colour, side by side: their rows, their law, and the visit of a sweep. Knows pairs
//! of bodies only as lines of velocities.

use super::body_states::Phase;
use super::coulomb::Locals;
use super::judge::project;
use super::lanes::Lanes;
use super::octet::{F64x8, WIDTH};
use super::visit::{Eight, Sums, load, visit};
use crate::backend::PassOptions;
use drystone_problem::{Matrix, Vector};

/// What does not change while a problem is solved. A lane without contact is all zeros.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Group<const D: usize, const N: usize> {
    /// The lines of the two bodies of each contact.
    lines: [[u32; WIDTH]; 2],
    /// Rows of `H M^{-1/2}`, which lead down to the contacts and, transposed, up again.
    h: [[[F64x8; N]; D]; 2],
    u_free: [F64x8; D],
    locals: Locals<D>,
}

/// The impulses \[N s\] and the multipliers of sliding \[m/s per N s, times a determinant\] of eight
/// contacts.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct State<const D: usize> {
    pub r: [F64x8; D],
    pub alpha: F64x8,
}

impl<const D: usize, const N: usize> Group<D, N> {
    /// A group without contacts, all lanes at a spare line.
    pub fn empty(spare: u32) -> Self {
        Self {
            lines: [[spare; WIDTH]; 2],
            h: [[[F64x8::ZERO; N]; D]; 2],
            u_free: [F64x8::ZERO; D],
            locals: Locals::empty(),
        }
    }

    /// Puts a contact into a lane: its lines, its scaled rows, its block, its free velocity and its friction.
    pub fn put(
        &mut self,
        lane: usize,
        lines: [u32; 2],
        h: &[Matrix<D, N>; 2],
        w: &Matrix<D, D>,
        u_free: &Vector<D>,
        mu: f64,
    ) {
        for side in 0..2 {
            self.lines[side][lane] = lines[side];
            for i in 0..D {
                for k in 0..N {
                    self.h[side][i][k].0[lane] = h[side][(i, k)];
                }
            }
        }
        for i in 0..D {
            self.u_free[i].0[lane] = u_free[i];
        }
        self.locals.put(lane, w, mu);
    }

    /// The lines this group reads and writes.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().flatten().copied()
    }

    /// Relative velocities without impulses.
    #[inline(always)]
    pub fn free<L: Lanes>(&self) -> [L; D] {
        load(&self.u_free)
    }

    /// Relative velocities at the contacts of bodies with the given velocities.
    #[inline(always)]
    pub fn down<L: Lanes>(&self, v: &[[L; N]; 2]) -> [L; D] {
        let mut u = [L::splat(0.0); D];
        for i in 0..D {
            let mut sums = [L::load(&self.u_free[i]), L::splat(0.0)];
            for side in 0..2 {
                for k in 0..N {
                    sums[side] = sums[side] + L::load(&self.h[side][i][k]) * v[side][k];
                }
            }
            u[i] = sums[0] + sums[1];
        }
        u
    }

    /// Velocities of the bodies.
    #[inline(always)]
    pub fn gather<L: Lanes>(&self, lines: &Phase) -> [[L; N]; 2] {
        [L::gather(lines, &self.lines[0]), L::gather(lines, &self.lines[1])]
    }

    /// Calls for the velocities of the bodies, to be there when they are gathered.
    #[inline(always)]
    pub fn prefetch(&self, lines: &Phase) {
        // loops of constant length: an iterator over both sides takes longer than the visit itself
        for side in 0..2 {
            for lane in 0..WIDTH {
                lines.prefetch(self.lines[side][lane]);
            }
        }
    }

    /// Adds the effect of impulses to the velocities of the bodies.
    #[inline(always)]
    pub fn up<L: Lanes>(&self, lines: &Phase, v: &[[L; N]; 2], delta: &[L; D]) {
        for side in 0..2 {
            let mut v = v[side];
            for k in 0..N {
                let mut sum = L::load(&self.h[side][0][k]) * delta[0];
                for i in 1..D {
                    sum = sum + L::load(&self.h[side][i][k]) * delta[i];
                }
                v[k] = v[k] + sum;
            }
            L::scatter(lines, &self.lines[side], &v);
        }
    }

    /// Extrapolates the impulses from those in `last`, as the lines already are, and brings them back into
    /// their cones, of which the lines are told.
    #[inline(always)]
    pub fn ahead<L: Lanes>(&self, state: &mut State<D>, last: &mut [F64x8; D], lines: &Phase, beta: f64) {
        let now: [L; D] = load(&state.r);
        let mut there = now;
        for i in 0..D {
            there[i] = now[i] + (now[i] - L::load(&last[i])) * L::splat(beta);
            now[i].store(&mut last[i]);
        }
        let back = project(self.locals.friction(), &there);
        let mut change = back;
        let zero = L::splat(0.0);
        let mut changed = zero.less(zero);
        for i in 0..D {
            change[i] = back[i] - there[i];
            changed = L::either(changed, L::either(change[i].less(zero), zero.less(change[i])));
            back[i].store(&mut state.r[i]);
        }
        if L::bits(changed) != 0 {
            self.up(lines, &self.gather::<L>(lines), &change);
        }
    }

    /// One visit: each contact is solved with the others held. With `MOMENTUM` the impulses are first
    /// extrapolated from those in `last`, as the lines already are, unless they have been ([`Self::ahead`]).
    /// Returns whether any contact holds an impulse.
    #[inline(always)]
    pub fn visit<L: Lanes, const MOMENTUM: bool>(
        &self,
        state: &mut State<D>,
        last: &mut [F64x8; D],
        lines: &Phase,
        manner: &PassOptions,
        sums: &mut Sums<L>,
    ) -> bool {
        let v = self.gather::<L>(lines);
        let u = self.down(&v);
        let now: [L; D] = load(&state.r);
        let (mut from, mut before) = (now, now);
        if MOMENTUM && manner.project {
            before = load(last);
        } else if MOMENTUM {
            for i in 0..D {
                let before = L::load(&last[i]);
                now[i].store(&mut last[i]);
                from[i] = now[i] + (now[i] - before) * L::splat(manner.beta);
            }
        }
        let visited = visit::<L, _, D, MOMENTUM>(self, [&u, &from, &before], &mut state.alpha, manner, sums);
        for i in 0..D {
            visited.r[i].store(&mut state.r[i]);
        }
        if visited.moved != 0 {
            self.up(lines, &v, &visited.delta);
        }
        visited.holds
    }
}

impl<const D: usize, const N: usize> Eight<D> for Group<D, N> {
    fn locals(&self) -> &Locals<D> {
        &self.locals
    }

    fn block(&self, lane: usize) -> Matrix<D, D> {
        let side = |side: usize| Matrix::<D, N>::from_fn(|i, k| self.h[side][i][k].0[lane]);
        side(0) * side(0).transpose() + side(1) * side(1).transpose()
    }
}
