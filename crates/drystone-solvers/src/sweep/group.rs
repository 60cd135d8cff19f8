//! Eight contacts of one colour, side by side: their rows, their law, and the visit of a sweep. Knows pairs of bodies
//! only as lines of velocities.

use super::coulomb::Locals;
use super::judge::project;
use super::lanes::{Lanes, Octet, WIDTH};
use super::lines::Lines;
use crate::LocalBlock;
use drystone_problem::{Matrix, Set, Vector};

/// What does not change while a problem is solved. A lane without contact is all zeros.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Group<const D: usize, const N: usize> {
    /// The lines of the two bodies of each contact.
    lines: [[u32; WIDTH]; 2],
    /// Rows of `H M^{-1/2}`, which lead down to the contacts and, transposed, up again.
    h: [[[Octet; N]; D]; 2],
    u_free: [Octet; D],
    locals: Locals<D>,
}

/// The impulses \[N s\] and the multipliers of sliding \[m/s per N s, times a determinant\] of eight contacts.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct State<const D: usize> {
    pub r: [Octet; D],
    pub alpha: Octet,
}

/// Sums over the changes that a sweep made, weighed contact by contact; see [`super::Passed`].
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
}

/// Numbers of eight contacts into registers.
#[inline(always)]
pub(super) fn load<L: Lanes, const D: usize>(octets: &[Octet; D]) -> [L; D] {
    let mut found = [L::splat(0.0); D];
    for i in 0..D {
        found[i] = L::load(&octets[i]);
    }
    found
}

/// How a sweep goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Extrapolate first, and sum up the changes.
    pub momentum: bool,
    /// Weight of the extrapolation.
    pub beta: f64,
    /// Each local answer is taken over by this factor.
    pub relaxation: f64,
}

impl<const D: usize, const N: usize> Group<D, N> {
    /// A group without contacts, all lanes at a spare line.
    pub fn empty(spare: u32) -> Self {
        Self {
            lines: [[spare; WIDTH]; 2],
            h: [[[Octet::ZERO; N]; D]; 2],
            u_free: [Octet::ZERO; D],
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

    pub fn locals(&self) -> &Locals<D> {
        &self.locals
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
    pub fn gather<L: Lanes>(&self, lines: &Lines) -> [[L; N]; 2] {
        [L::gather(lines, &self.lines[0]), L::gather(lines, &self.lines[1])]
    }

    /// Calls for the velocities of the bodies, to be there when they are gathered.
    #[inline(always)]
    pub fn prefetch(&self, lines: &Lines) {
        for line in self.lines.iter().flatten() {
            lines.prefetch(*line);
        }
    }

    /// Adds the effect of impulses to the velocities of the bodies.
    #[inline(always)]
    pub fn up<L: Lanes>(&self, lines: &Lines, v: &[[L; N]; 2], delta: &[L; D]) {
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

    /// One visit: each contact is solved with the others held. With `MOMENTUM` the impulses are first extrapolated from
    /// those in `last`, as the lines already are. Returns whether any contact holds an impulse.
    #[inline(always)]
    pub fn visit<L: Lanes, const MOMENTUM: bool>(
        &self,
        state: &mut State<D>,
        last: &mut [Octet; D],
        lines: &Lines,
        manner: &Manner,
        sums: &mut Sums<L>,
    ) -> bool {
        let zero = L::splat(0.0);
        let v = self.gather::<L>(lines);
        let u = self.down(&v);
        let mut from: [L; D] = load(&state.r);
        if MOMENTUM {
            for i in 0..D {
                let before = L::load(&last[i]);
                from[i].store(&mut last[i]);
                from[i] = from[i] + (from[i] - before) * L::splat(manner.beta);
            }
        }
        let found = self.locals.solve(&u, &from, &mut state.alpha);
        let mut r = found.r;
        if found.doubtful != 0 {
            r = self.solve_doubtful(found.doubtful, &r, &u, &from);
        }
        if manner.relaxation != 1.0 {
            for i in 0..D {
                r[i] = from[i] + (r[i] - from[i]) * L::splat(manner.relaxation);
            }
            r = project(self.locals.friction(), &r);
        }
        let mut delta = [zero; D];
        let mut moved = L::splat(0.0).less(zero);
        let mut holding = moved;
        for i in 0..D {
            delta[i] = r[i] - from[i];
            moved = L::either(moved, L::either(delta[i].less(zero), zero.less(delta[i])));
            r[i].store(&mut state.r[i]);
        }
        holding = L::either(holding, zero.less(r[0]));
        sums.moved |= L::bits(moved);
        if MOMENTUM {
            let weight = self.locals.weight::<L>();
            let (mut length, mut along) = (zero, zero);
            for i in 0..D {
                length = length + delta[i] * delta[i];
                // before the extrapolation the contact was at `last`
                along = along + delta[i] * (r[i] - L::load(&last[i]));
            }
            sums.length = sums.length + weight * length;
            sums.uphill = sums.uphill - weight * along;
        }
        if L::bits(moved) != 0 {
            self.up(lines, &v, &delta);
        }
        L::bits(L::either(holding, moved)) != 0
    }

    /// Solves the lanes named by the bits one by one.
    #[inline(always)]
    fn solve_doubtful<L: Lanes>(&self, lanes: u8, r: &[L; D], u: &[L; D], from: &[L; D]) -> [L; D] {
        let mut spread = [[Octet::ZERO; D]; 3];
        for (octets, x) in spread.iter_mut().zip([r, u, from]) {
            for i in 0..D {
                x[i].store(&mut octets[i]);
            }
        }
        let [mut r, u, from] = spread;
        self.solve_alone(lanes, &mut r, &u, &from);
        load(&r)
    }

    #[cold]
    #[inline(never)]
    fn solve_alone(&self, lanes: u8, r: &mut [Octet; D], u: &[Octet; D], from: &[Octet; D]) {
        let of = |x: &[Octet; D], lane: usize| Vector::<D>::from_fn(|i, _| x[i].0[lane]);
        for lane in (0..WIDTH).filter(|lane| lanes >> lane & 1 == 1) {
            let side = |side: usize| Matrix::<D, N>::from_fn(|i, k| self.h[side][i][k].0[lane]);
            let w = side(0) * side(0).transpose() + side(1) * side(1).transpose();
            let (u, from) = (of(u, lane), of(from, lane));
            let set = Set::Coulomb { mu: self.locals.mu(lane) };
            let solved = LocalBlock::new(&w).solve(&(u - w * from), &set);
            for i in 0..D {
                r[i].0[lane] = solved[i];
            }
        }
    }
}
