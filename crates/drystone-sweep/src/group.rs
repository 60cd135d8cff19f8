//! Eight contacts of one colour, side by side: their rows, their law, and the visit of a sweep. Knows pairs
//! of bodies only as lines of velocities.

use super::body_states::Phase;
use super::coulomb::Locals;
use super::judge::project;
use super::octet::{F64x8, WIDTH, bits};
use super::visit::{Eight, Sums, load, visit};
use crate::backend::PassOptions;
use drystone_problem::{Matrix, Vector};
use fearless_simd::{Simd, f64x8, prelude::*};

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

    /// Puts a body of a contact into a lane: its line and its scaled row, column by column.
    #[inline(always)]
    pub fn put_side(&mut self, lane: usize, side: usize, line: u32, column: impl Fn(usize) -> [f64; D]) {
        self.lines[side][lane] = line;
        for k in 0..N {
            let column = column(k);
            for i in 0..D {
                self.h[side][i][k].0[lane] = column[i];
            }
        }
    }

    /// Puts the law of a contact into a lane: its block, its free velocity and its friction.
    #[inline]
    pub fn put_law(&mut self, lane: usize, w: &Matrix<D, D>, u_free: &Vector<D>, mu: f64) {
        for i in 0..D {
            self.u_free[i].0[lane] = u_free[i];
        }
        self.locals.put(lane, w, mu);
    }

    /// Diagonal blocks, condensed, and frictions.
    #[inline(always)]
    pub fn locals(&self) -> &Locals<D> {
        &self.locals
    }

    /// The lines this group reads and writes.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().flatten().copied()
    }

    /// Relative velocities without impulses.
    #[inline(always)]
    pub fn free<S: Simd>(&self, simd: S) -> [f64x8<S>; D] {
        load(simd, &self.u_free)
    }

    /// Relative velocities at the contacts of bodies with the given velocities.
    #[inline(always)]
    pub fn down<S: Simd>(&self, v: &[[f64x8<S>; N]; 2]) -> [f64x8<S>; D] {
        let simd = v[0][0].token();
        let mut u = [f64x8::splat(simd, 0.0); D];
        for i in 0..D {
            let mut sums = [self.u_free[i].load(simd), f64x8::splat(simd, 0.0)];
            for side in 0..2 {
                for k in 0..N {
                    sums[side] += self.h[side][i][k].load(simd) * v[side][k];
                }
            }
            u[i] = sums[0] + sums[1];
        }
        u
    }

    /// Velocities of the bodies.
    #[inline(always)]
    pub fn gather<S: Simd>(&self, simd: S, lines: &Phase) -> [[f64x8<S>; N]; 2] {
        [lines.gather(simd, &self.lines[0]), lines.gather(simd, &self.lines[1])]
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
    pub fn up<S: Simd>(&self, lines: &Phase, v: &[[f64x8<S>; N]; 2], delta: &[f64x8<S>; D]) {
        let simd = delta[0].token();
        for side in 0..2 {
            let mut v = v[side];
            for k in 0..N {
                let mut sum = self.h[side][0][k].load(simd) * delta[0];
                for i in 1..D {
                    sum += self.h[side][i][k].load(simd) * delta[i];
                }
                v[k] += sum;
            }
            lines.scatter(&self.lines[side], &v);
        }
    }

    /// Extrapolates the impulses from those in `last`, as the lines already are, and brings them back into
    /// their cones, of which the lines are told.
    #[inline(always)]
    pub fn ahead<S: Simd>(
        &self,
        simd: S,
        state: &mut State<D>,
        last: &mut [F64x8; D],
        lines: &Phase,
        beta: f64,
    ) {
        let now: [f64x8<S>; D] = load(simd, &state.r);
        let mut there = now;
        for i in 0..D {
            there[i] = now[i] + (now[i] - last[i].load(simd)) * f64x8::splat(simd, beta);
            last[i].store(now[i]);
        }
        let back = project(self.locals.friction(simd), &there);
        let mut change = back;
        let zero = f64x8::splat(simd, 0.0);
        let mut changed = zero.simd_lt(zero);
        for i in 0..D {
            change[i] = back[i] - there[i];
            changed |= change[i].simd_lt(zero) | zero.simd_lt(change[i]);
            state.r[i].store(back[i]);
        }
        if bits(changed) != 0 {
            self.up(lines, &self.gather(simd, lines), &change);
        }
    }

    /// One visit: each contact is solved with the others held. With `MOMENTUM` the impulses are first
    /// extrapolated from those in `last`, as the lines already are, unless they have been ([`Self::ahead`]).
    /// Where contacts give way by themselves, `own` says how much. Returns whether any contact holds an
    /// impulse.
    #[inline(always)]
    pub fn visit<S: Simd, const MOMENTUM: bool>(
        &self,
        own: Option<&OwnCompliance<D>>,
        state: &mut State<D>,
        last: &mut [F64x8; D],
        lines: &Phase,
        manner: &PassOptions,
        sums: &mut Sums<S>,
    ) -> bool {
        let simd = sums.length.token();
        let v = self.gather(simd, lines);
        let mut u = self.down(&v);
        let now: [f64x8<S>; D] = load(simd, &state.r);
        let (mut from, mut before) = (now, now);
        if MOMENTUM && manner.project {
            before = load(simd, last);
        } else if MOMENTUM {
            for i in 0..D {
                let before = last[i].load(simd);
                last[i].store(now[i]);
                from[i] = now[i] + (now[i] - before) * f64x8::splat(simd, manner.beta);
            }
        }
        give_way(own, &from, &mut u);
        let eight = Contacts { group: self, own };
        let visited =
            visit::<S, _, D, MOMENTUM>(&eight, [&u, &from, &before], &mut state.alpha, manner, sums);
        for i in 0..D {
            state.r[i].store(visited.r[i]);
        }
        if visited.moved != 0 {
            self.up(lines, &v, &visited.delta);
        }
        visited.holds
    }
}

/// What eight contacts give way by themselves, beside their bodies \[1/kg\], component by component.
pub(super) type OwnCompliance<const D: usize> = [F64x8; D];

/// Adds what contacts give way by themselves under impulses to their velocities.
#[inline(always)]
pub(super) fn give_way<S: Simd, const D: usize>(
    own: Option<&OwnCompliance<D>>,
    r: &[f64x8<S>; D],
    u: &mut [f64x8<S>; D],
) {
    if let Some(own) = own {
        for i in 0..D {
            u[i] += own[i].load(r[i].token()) * r[i];
        }
    }
}

/// The contacts of a group and what they give way by themselves.
struct Contacts<'a, const D: usize, const N: usize> {
    group: &'a Group<D, N>,
    own: Option<&'a OwnCompliance<D>>,
}

impl<const D: usize, const N: usize> Eight<D> for Contacts<'_, D, N> {
    #[inline(always)]
    fn locals(&self) -> &Locals<D> {
        &self.group.locals
    }

    fn block(&self, lane: usize) -> Matrix<D, D> {
        let side = |side: usize| Matrix::<D, N>::from_fn(|i, k| self.group.h[side][i][k].0[lane]);
        let bodies = side(0) * side(0).transpose() + side(1) * side(1).transpose();
        let own = |own: &OwnCompliance<D>| Matrix::from_diagonal(&Vector::from_fn(|i, _| own[i].0[lane]));
        self.own.map_or(bodies, |compliances| bodies + own(compliances))
    }
}
