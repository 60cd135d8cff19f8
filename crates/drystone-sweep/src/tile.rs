//! A part of a problem that one thread sweeps at a time: its groups and the contacts solved one by one. What
//! it works on beside its own are the lines of its bodies.

use super::body_states::Phase;
use super::group::{Group, OwnCompliance, State, give_way};
use super::judge::{Shares, Total};
use super::lanes::{Instructions, Work};
use super::octet::{F64x8, WIDTH, bits};
use super::sleep_counter::SleepCounter;
use super::tiles::NOBODY;
use super::visit::{Sums, load};
use super::visit_order::VisitOrder;
use crate::backend::{PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{Matrix, Scale, Set, Vector};
use fearless_simd::{Simd, f64x8, prelude::*};

/// The contacts of a tile.
#[derive(Default)]
pub(super) struct Tile<const D: usize, const N: usize> {
    pub groups: Vec<Group<D, N>>,
    /// What the contacts of each group give way by themselves; empty where none does.
    pub compliances: Vec<OwnCompliance<D>>,
    pub states: Vec<State<D>>,
    /// The impulses before the last sweep.
    pub last: Vec<[F64x8; D]>,
    pub rests: Vec<SleepCounter>,
    /// The contacts in each group.
    pub contacts: Vec<[u32; WIDTH]>,
    pub alone: Vec<ScalarContact<D, N>>,
    /// What the last sweep did here.
    pub passed: Passed,
    /// What the last look found here.
    pub total: Total,
}

/// A contact solved by itself.
pub(super) struct ScalarContact<const D: usize, const N: usize> {
    pub contact: u32,
    pub lines: [u32; 2],
    /// Rows of `H M^{-1/2}`.
    pub h: [Matrix<D, N>; 2],
    pub local: LocalBlock<D>,
    pub set: Set,
    pub u_free: Vector<D>,
    /// What it gives way by itself \[1/kg\].
    pub compliance: Vector<D>,
    pub scale: Scale,
    pub r: Vector<D>,
    pub last: Vector<D>,
}

/// How many groups ahead of its visit a group's bodies are called for.
const AHEAD: usize = 2;

/// Sweeps a tile once.
pub(super) struct Pass<'a, const D: usize, const N: usize> {
    pub tile: &'a mut Tile<D, N>,
    pub lines: &'a Phase<'a>,
    pub manner: PassOptions,
    /// Leave nothing out.
    pub all: bool,
}

impl<const D: usize, const N: usize> Pass<'_, D, N> {
    /// Groups first, then the others.
    pub fn go(self, instructions: Instructions) -> Passed {
        let (tile, lines, manner) = (&mut *self.tile, self.lines, self.manner);
        let mut passed = instructions.run(Pass { tile, lines, manner, all: self.all });
        let order = VisitOrder::new(self.tile.alone.len(), self.manner.drawn);
        for place in 0..self.tile.alone.len() {
            self.tile.alone[order.at(place)].visit(self.lines, &self.manner, &mut passed);
        }
        passed
    }

    #[inline(always)]
    fn groups<S: Simd, const MOMENTUM: bool>(&mut self, simd: S) -> Passed {
        let mut sums = Sums::new(simd);
        let mut visited = 0;
        let tile = &mut *self.tile;
        let records = tile.groups.iter().zip(&mut tile.states).zip(&mut tile.last).zip(&mut tile.rests);
        for (index, (((group, state), last), rest)) in records.enumerate() {
            // the bodies of a group to come are on their way while this one is solved
            if let Some(coming) = tile.groups.get(index + AHEAD) {
                coming.prefetch(self.lines);
            }
            if rest.leaves_out(self.all) {
                continue;
            }
            let own = tile.compliances.get(index);
            let holds = group.visit::<S, MOMENTUM>(own, state, last, self.lines, &self.manner, &mut sums);
            rest.learn(holds);
            visited += u64::from(rest.members);
        }
        sums.passed(visited)
    }

    /// The same without momentum, in an order drawn for the sweep.
    #[inline(always)]
    fn drawn<S: Simd>(&mut self, simd: S) -> Passed {
        let mut sums = Sums::new(simd);
        let mut visited = 0;
        let tile = &mut *self.tile;
        let order = VisitOrder::new(tile.groups.len(), self.manner.drawn);
        for place in 0..tile.groups.len() {
            let index = order.at(place);
            let (group, rest) = (&tile.groups[index], &mut tile.rests[index]);
            if rest.leaves_out(self.all) {
                continue;
            }
            let (state, last) = (&mut tile.states[index], &mut tile.last[index]);
            let own = tile.compliances.get(index);
            let holds = group.visit::<S, false>(own, state, last, self.lines, &self.manner, &mut sums);
            rest.learn(holds);
            visited += u64::from(rest.members);
        }
        sums.passed(visited)
    }
}

impl<const D: usize, const N: usize> Work for Pass<'_, D, N> {
    type Output = Passed;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Passed {
        // options are chosen outside the loop
        match (self.manner.momentum, self.manner.drawn) {
            (true, _) => self.groups::<S, true>(simd),
            (false, None) => self.groups::<S, false>(simd),
            (false, Some(_)) => self.drawn(simd),
        }
    }
}

/// Extrapolates some lines; they are linear in the impulses.
pub(super) struct Extrapolate<'a> {
    pub lines: &'a mut [F64x8],
    /// The lines before the last sweep.
    pub last: &'a mut [F64x8],
    pub beta: f64,
}

impl Work for Extrapolate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let beta = f64x8::splat(simd, self.beta);
        for (line, last) in self.lines.iter_mut().zip(self.last) {
            let (now, before) = (line.load(simd), last.load(simd));
            line.store(now + (now - before) * beta);
            last.store(now);
        }
    }
}

/// Extrapolates the impulses of a tile and brings them back into their sets.
pub(super) struct Ahead<'a, const D: usize, const N: usize> {
    pub tile: &'a mut Tile<D, N>,
    pub lines: &'a Phase<'a>,
    pub beta: f64,
}

impl<const D: usize, const N: usize> Ahead<'_, D, N> {
    pub fn go(self, instructions: Instructions) {
        let (tile, lines, beta) = (&mut *self.tile, self.lines, self.beta);
        instructions.run(Ahead { tile, lines, beta });
        for alone in &mut self.tile.alone {
            let there = alone.r + (alone.r - alone.last) * beta;
            let back = alone.set.project(&there);
            alone.last = std::mem::replace(&mut alone.r, back);
            alone.up(lines, &(back - there));
        }
    }
}

impl<const D: usize, const N: usize> Work for Ahead<'_, D, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let tile = self.tile;
        for ((group, state), last) in tile.groups.iter().zip(&mut tile.states).zip(&mut tile.last) {
            group.ahead(simd, state, last, self.lines, self.beta);
        }
    }
}

/// Adds the effect of the impulses of a tile to the lines.
pub(super) struct Raise<'a, const D: usize, const N: usize> {
    pub tile: &'a Tile<D, N>,
    pub lines: &'a Phase<'a>,
}

impl<const D: usize, const N: usize> Raise<'_, D, N> {
    pub fn go(self, instructions: Instructions) {
        let (tile, lines) = (self.tile, self.lines);
        instructions.run(self);
        for alone in &tile.alone {
            alone.up(lines, &alone.r);
        }
    }
}

impl<const D: usize, const N: usize> Work for Raise<'_, D, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let zero = f64x8::splat(simd, 0.0);
        for (group, state) in self.tile.groups.iter().zip(&self.tile.states) {
            let r: [f64x8<S>; D] = load(simd, &state.r);
            // where most contacts are open, so are most groups
            if r.iter().any(|&r| bits(r.simd_eq(zero)) != u8::MAX) {
                group.up(self.lines, &group.gather(simd, self.lines), &r);
            }
        }
    }
}

/// Judges a tile by the residual, the lines being those of the impulses of all tiles.
pub(super) struct Judge<'a, const D: usize, const N: usize> {
    pub tile: &'a Tile<D, N>,
    pub lines: &'a Phase<'a>,
}

impl<const D: usize, const N: usize> Judge<'_, D, N> {
    pub fn go(self, instructions: Instructions) -> Total {
        let (tile, lines) = (self.tile, self.lines);
        let mut total = instructions.run(self);
        for alone in &tile.alone {
            let u = alone.down(lines, &alone.r);
            total.add_one(&alone.scale, &alone.set, [&alone.u_free, &u, &alone.r]);
        }
        total
    }
}

impl<const D: usize, const N: usize> Work for Judge<'_, D, N> {
    type Output = Total;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Total {
        let mut shares = Shares::new(simd);
        for (index, (group, state)) in self.tile.groups.iter().zip(&self.tile.states).enumerate() {
            let mut u = group.down(&group.gather(simd, self.lines));
            let r = load(simd, &state.r);
            give_way(self.tile.compliances.get(index), &r, &mut u);
            shares.add(group.locals(), [&group.free(simd), &u, &r]);
        }
        shares.total()
    }
}

impl<const D: usize, const N: usize> Tile<D, N> {
    /// Takes over impulses, with no memory of others.
    pub fn put(&mut self, r: &[Vector<D>]) {
        for (group, contacts) in self.contacts.iter().enumerate() {
            for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
                for i in 0..D {
                    self.states[group].r[i].0[lane] = r[contact as usize][i];
                }
            }
            self.last[group] = self.states[group].r;
            self.rests[group] = SleepCounter::new(self.rests[group].members as usize);
        }
        for alone in &mut self.alone {
            alone.r = r[alone.contact as usize];
            alone.last = alone.r;
        }
    }

    /// Multiplies the impulses, and those before them, contact by contact.
    pub fn scale(&mut self, factors: &[f64]) {
        for (group, contacts) in self.contacts.iter().enumerate() {
            for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
                let factor = factors[contact as usize];
                for i in 0..D {
                    self.states[group].r[i].0[lane] *= factor;
                    self.last[group][i].0[lane] *= factor;
                }
            }
        }
        for alone in &mut self.alone {
            alone.r *= factors[alone.contact as usize];
            alone.last *= factors[alone.contact as usize];
        }
    }

    /// Puts the impulses before in the place of the impulses, and these in theirs.
    pub fn swap_last(&mut self) {
        for (state, last) in self.states.iter_mut().zip(&mut self.last) {
            std::mem::swap(&mut state.r, last);
        }
        for alone in &mut self.alone {
            std::mem::swap(&mut alone.r, &mut alone.last);
        }
    }

    /// Gives the impulses, contact by contact.
    pub fn take(&self, mut give: impl FnMut(u32, Vector<D>)) {
        for (state, contacts) in self.states.iter().zip(&self.contacts) {
            for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
                give(contact, Vector::from_fn(|i, _| state.r[i].0[lane]));
            }
        }
        self.alone.iter().for_each(|alone| give(alone.contact, alone.r));
    }

    /// Its contacts.
    pub fn contacts(&self) -> impl Iterator<Item = u32> {
        let laned = self.contacts.iter().flatten().copied().filter(|&contact| contact != NOBODY);
        laned.chain(self.alone.iter().map(|alone| alone.contact))
    }

    /// Bytes that a sweep reads and writes here, without momentum.
    pub fn bytes(&self) -> usize {
        let mut lines: Vec<u32> = self.lines().collect();
        lines.sort_unstable();
        lines.dedup();
        let group = size_of::<Group<D, N>>() + 2 * size_of::<State<D>>() + 2 * size_of::<SleepCounter>();
        self.groups.len() * group
            + self.compliances.len() * size_of::<OwnCompliance<D>>()
            + self.alone.len() * size_of::<ScalarContact<D, N>>()
            + 2 * lines.len() * size_of::<F64x8>()
    }

    /// All lines it reads and writes.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().flat_map(Group::lines).chain(self.alone.iter().flat_map(|alone| alone.lines))
    }
}

impl<const D: usize, const N: usize> ScalarContact<D, N> {
    /// Its velocity where bodies move as the lines say and its own impulse is `r`.
    fn down(&self, lines: &Phase, r: &Vector<D>) -> Vector<D> {
        (0..2).fold(self.u_free + self.compliance.component_mul(r), |u, side| {
            let line = lines.read(self.lines[side]);
            u + self.h[side] * Vector::<N>::from_fn(|k, _| line.0[k])
        })
    }

    fn up(&self, lines: &Phase, delta: &Vector<D>) {
        for side in 0..2 {
            let mut line = lines.read(self.lines[side]);
            let change = self.h[side].tr_mul(delta);
            for k in 0..N {
                line.0[k] += change[k];
            }
            lines.write(self.lines[side], &line);
        }
    }

    fn visit(&mut self, lines: &Phase, manner: &PassOptions, passed: &mut Passed) {
        let mut from = self.r;
        if manner.momentum && !manner.project {
            from += (self.r - self.last) * manner.beta;
            self.last = self.r;
        }
        self.r = self.local.answer(&self.down(lines, &from), &from, &self.set, manner.relaxation);
        let delta = self.r - from;
        if passed.visited(self.scale.compliance, &delta, &(self.r - self.last)) {
            self.up(lines, &delta);
        }
    }
}
