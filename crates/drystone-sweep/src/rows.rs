//! The sweep over assembled rows in lanes: eight contacts of one colour at a time, colour after colour, each
//! colour on as many threads as there are. Refuses problems whose contacts touch one another so much that the
//! lanes would stay empty.

mod pack;
// nothing is swept there, and Miri takes its time over the assembling
#[cfg(all(test, not(miri)))]
mod tests;

use super::body_states::{ImpulsePhase, ImpulseStates};
use super::build::{Build, THREADS_FROM, is_laned};
use super::coulomb::Locals;
use super::judge::{Shares, Total};
use super::lanes::{Instructions, Work};
use super::octet::{F64x8, WIDTH};
use super::sleep_counter::SleepCounter;
use super::tile::Extrapolate;
use super::visit::{Eight, Sums, load, visit};
use super::visit_order::VisitOrder;
use crate::backend::{Backend, PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{AutoParams, Blocks, Delassus, Matrix, Residual, Scale, Set, Vector};
use fearless_simd::{Simd, f64x8, prelude::*};
use pack::{Packing, colour};
use rayon::prelude::*;
use std::ops::Range;

/// Groups that one thread sweeps at a time.
const PART: usize = 32;

/// Fewer contacts in a group than this on average, and one after the other is faster.
const FILLED: usize = 3;

/// Assembled rows in lanes. What is swept are the impulses themselves, contact by contact.
pub(super) struct RowLanes<const D: usize> {
    instructions: Instructions,
    parts: Vec<ColourGroups<D>>,
    /// The parts of each colour.
    colours: Vec<Range<usize>>,
    alone: Vec<ScalarContact<D>>,
    impulses: ImpulseStates<D>,
    last: ImpulseStates<D>,
    contacts: usize,
    asked: f64,
}

/// Groups of one colour.
struct ColourGroups<const D: usize> {
    groups: Vec<Group<D>>,
    entries: Entries<D>,
    alphas: Vec<F64x8>,
    rests: Vec<SleepCounter>,
    passed: Passed,
    total: Total,
}

/// Eight contacts of one colour; a lane without contact is all zeros and has the spare impulse of its part.
#[repr(C, align(64))]
struct Group<const D: usize> {
    own: [u32; WIDTH],
    u_free: [F64x8; D],
    /// The diagonal blocks.
    diagonal: [[F64x8; D]; D],
    locals: Locals<D>,
    /// Where the other blocks of its rows are among the entries, in the order of the rows.
    entries: Range<usize>,
}

/// Blocks of eight rows each, and whose impulses they take: a sweep reads all of them in this order.
#[derive(Default)]
struct Entries<const D: usize> {
    blocks: Vec<[[F64x8; D]; D]>,
    at: Vec<[u32; WIDTH]>,
}

/// A contact solved by itself, after the others.
struct ScalarContact<const D: usize> {
    contact: u32,
    row: Vec<(u32, Matrix<D, D>)>,
    local: LocalBlock<D>,
    set: Set,
    u_free: Vector<D>,
    scale: Scale,
}

impl<const D: usize> RowLanes<D> {
    /// The lanes of a problem; `None` where they would be too empty.
    pub fn new(build: &Build<D>, blocks: &Blocks<D>) -> Option<Self> {
        let contacts = blocks.contacts();
        let laned: Vec<bool> =
            (0..contacts).map(|contact| is_laned(&blocks.block(contact), &build.sets[contact])).collect();
        let colours = colour(blocks, &laned, build.r);
        let groups: usize = colours.iter().map(|members| members.len().div_ceil(WIDTH)).sum();
        let members: usize = colours.iter().map(Vec::len).sum();
        if members < FILLED * groups || 2 * members < contacts {
            return None;
        }
        let packing = Packing { build, blocks };
        let (mut parts, mut ranges) = (Vec::new(), Vec::new());
        for members in &colours {
            let first = parts.len();
            for part in members.chunks(PART * WIDTH) {
                parts.push(packing.part(part, (contacts + parts.len()) as u32));
            }
            ranges.push(first..parts.len());
        }
        let alone = (0..contacts).filter(|&contact| !laned[contact]).map(|contact| packing.alone(contact));
        let lines = contacts + parts.len();
        let mut lanes = Self {
            instructions: build.instructions,
            alone: alone.collect(),
            parts,
            colours: ranges,
            impulses: ImpulseStates::new(lines),
            last: ImpulseStates::new(lines),
            contacts,
            asked: build.asked,
        };
        lanes.check();
        lanes.put(build.r);
        Some(lanes)
    }

    /// How many blocks of eight rows it holds, but for the diagonal ones.
    fn entries(&self) -> usize {
        self.parts.iter().map(|part| part.entries.at.len()).sum()
    }

    /// Holds the colours to their word: all impulses exist, no contact is written twice in a colour, and what
    /// a colour writes no other thread uses meanwhile.
    fn check(&self) {
        let lines = self.contacts + self.parts.len();
        let mut written = vec![usize::MAX; lines];
        for (colour, parts) in self.colours.iter().enumerate() {
            for part in parts.clone() {
                let spare = self.contacts + part;
                for own in self.parts[part].groups.iter().flat_map(|group| group.own) {
                    let before = std::mem::replace(&mut written[own as usize], colour);
                    let once = own as usize == spare || own < self.contacts as u32 && before != colour;
                    assert!(once, "a colour writes a contact twice");
                }
            }
            for (part, entries) in parts.clone().map(|part| (part, &self.parts[part].entries)) {
                let spare = (self.contacts + part) as u32;
                for &at in entries.at.iter().flatten() {
                    assert!(at == spare || written[at as usize] != colour, "two of a colour share a block");
                }
            }
        }
        let alone =
            self.alone.iter().flat_map(|alone| alone.row.iter().map(|entry| entry.0).chain([alone.contact]));
        assert!(alone.into_iter().all(|at| (at as usize) < lines), "a block of a contact that is not there");
    }

    fn parallel(&self) -> bool {
        self.contacts >= THREADS_FROM && rayon::current_num_threads() > 1
    }

    /// Extrapolates all impulses.
    fn extrapolate(&mut self, beta: f64) {
        let (lines, last) = (self.impulses.lines(), self.last.lines());
        self.instructions.run(Extrapolate { lines, last, beta });
    }
}

impl<const D: usize> Group<D> {
    /// Velocities, where `r` are the impulses of these contacts.
    #[inline(always)]
    fn velocities<S: Simd>(
        &self,
        entries: &Entries<D>,
        impulses: &ImpulsePhase<D>,
        r: &[f64x8<S>; D],
    ) -> [f64x8<S>; D] {
        let simd = r[0].token();
        let mut u = [f64x8::splat(simd, 0.0); D];
        for i in 0..D {
            u[i] = self.u_free[i].load(simd);
            for j in 0..D {
                u[i] += self.diagonal[i][j].load(simd) * r[j];
            }
        }
        let (blocks, at) = (&entries.blocks[self.entries.clone()], &entries.at[self.entries.clone()]);
        for (block, at) in blocks.iter().zip(at) {
            let other = impulses.gather(simd, at);
            for i in 0..D {
                for j in 0..D {
                    u[i] += block[i][j].load(simd) * other[j];
                }
            }
        }
        u
    }
}

impl<const D: usize> Eight<D> for Group<D> {
    fn locals(&self) -> &Locals<D> {
        &self.locals
    }

    fn block(&self, lane: usize) -> Matrix<D, D> {
        Matrix::from_fn(|i, j| self.diagonal[i][j].0[lane])
    }
}

/// Sweeps the groups of a part once.
struct Pass<'a, const D: usize> {
    part: &'a mut ColourGroups<D>,
    impulses: &'a ImpulsePhase<'a, D>,
    last: &'a ImpulsePhase<'a, D>,
    manner: PassOptions,
    all: bool,
}

impl<const D: usize> Pass<'_, D> {
    #[inline(always)]
    fn groups<S: Simd, const MOMENTUM: bool>(self, simd: S) -> Passed {
        let mut sums = Sums::new(simd);
        let mut visited = 0;
        let part = self.part;
        for ((group, alpha), rest) in part.groups.iter().zip(&mut part.alphas).zip(&mut part.rests) {
            if rest.leaves_out(self.all) {
                continue;
            }
            let from: [f64x8<S>; D] = self.impulses.gather(simd, &group.own);
            let last: [f64x8<S>; D] = if MOMENTUM { self.last.gather(simd, &group.own) } else { from };
            let u = group.velocities(&part.entries, self.impulses, &from);
            let outcome =
                visit::<S, _, D, MOMENTUM>(group, [&u, &from, &last], alpha, &self.manner, &mut sums);
            if outcome.moved != 0 {
                self.impulses.scatter(&group.own, &outcome.r);
            }
            rest.learn(outcome.holds);
            visited += u64::from(rest.members);
        }
        sums.passed(visited)
    }
}

impl<const D: usize> Work for Pass<'_, D> {
    type Output = Passed;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Passed {
        if self.manner.momentum { self.groups::<S, true>(simd) } else { self.groups::<S, false>(simd) }
    }
}

/// Judges the groups of a part.
struct Judge<'a, const D: usize> {
    part: &'a ColourGroups<D>,
    impulses: &'a ImpulsePhase<'a, D>,
}

impl<const D: usize> Work for Judge<'_, D> {
    type Output = Total;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Total {
        let mut shares = Shares::new(simd);
        for group in &self.part.groups {
            let r: [f64x8<S>; D] = self.impulses.gather(simd, &group.own);
            let u = group.velocities(&self.part.entries, self.impulses, &r);
            shares.add(&group.locals, [&load(simd, &group.u_free), &u, &r]);
        }
        shares.total()
    }
}

impl<const D: usize> ScalarContact<D> {
    fn velocity(&self, impulses: &ImpulsePhase<D>) -> Vector<D> {
        self.row.iter().fold(self.u_free, |u, (at, block)| u + block * impulses.read(*at))
    }

    fn visit(&self, [impulses, last]: [&ImpulsePhase<D>; 2], manner: &PassOptions, passed: &mut Passed) {
        let from = impulses.read(self.contact);
        let r = self.local.answer(&self.velocity(impulses), &from, &self.set, manner.relaxation);
        let way = r - last.read(self.contact);
        if passed.visited(self.scale.compliance, &(r - from), &way) {
            impulses.write(self.contact, &r);
        }
    }
}

impl<const D: usize> Backend<D> for RowLanes<D> {
    fn pass(&mut self, manner: PassOptions, all: bool) -> Passed {
        if manner.momentum {
            self.extrapolate(manner.beta);
        }
        let (instructions, parallel) = (self.instructions, self.parallel());
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all impulses exist and that no two groups of a colour use one that one of
        // them writes; colours, and after them those that go alone, come one after the other; nobody writes
        // the last impulses
        let (impulses, last) = unsafe { (&self.impulses.phase(), &self.last.phase()) };
        let order = VisitOrder::new(self.colours.len(), manner.drawn);
        for place in 0..self.colours.len() {
            let parts = &mut self.parts[self.colours[order.at(place)].clone()];
            let sweep = |part: &mut ColourGroups<D>| {
                part.passed = instructions.run(Pass { part, impulses, last, manner, all });
            };
            if parallel && parts.len() > 1 {
                parts.par_iter_mut().with_max_len(1).for_each(sweep);
            } else {
                parts.iter_mut().for_each(sweep);
            }
        }
        let mut passed = Passed::default();
        self.parts.iter().for_each(|part| passed.add(&part.passed));
        for alone in &self.alone {
            alone.visit([impulses, last], &manner, &mut passed);
        }
        passed
    }

    fn put(&mut self, r: &[Vector<D>]) {
        for (contact, r) in r.iter().enumerate() {
            self.impulses.set(contact, r);
            self.last.set(contact, r);
        }
        for rest in self.parts.iter_mut().flat_map(|part| &mut part.rests) {
            *rest = SleepCounter::new(rest.members as usize);
        }
    }

    fn take(&mut self, r: &mut [Vector<D>]) {
        for (contact, r) in r.iter_mut().enumerate() {
            *r = self.impulses.get(contact);
        }
    }

    fn judge(&mut self) -> Option<Residual> {
        let (instructions, parallel) = (self.instructions, self.parallel());
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all impulses exist; nobody writes
        let impulses = &unsafe { self.impulses.phase() };
        let judge = |part: &mut ColourGroups<D>| part.total = instructions.run(Judge { part, impulses });
        if parallel {
            self.parts.par_iter_mut().with_max_len(1).for_each(judge);
        } else {
            self.parts.iter_mut().for_each(judge);
        }
        let mut total = Total::new();
        self.parts.iter().for_each(|part| total.add(&part.total));
        for alone in &self.alone {
            let (u, r) = (alone.velocity(impulses), impulses.read(alone.contact));
            total.add_one(&alone.scale, &alone.set, [&alone.u_free, &u, &r]);
        }
        Some(total.residual(self.contacts, self.asked))
    }

    /// The blocks of the rows are most of the work, where there are many.
    fn visit_ns(&self, params: &AutoParams) -> f64 {
        let blocks = self.entries() as f64 / self.contacts.max(1) as f64;
        params.lane_visit_ns * D as f64 + params.lane_block_ns * (D * D) as f64 * blocks
    }

    fn bytes(&self) -> Option<usize> {
        let entries = self.entries();
        let groups: usize = self.parts.iter().map(|part| part.groups.len()).sum();
        let alone: usize = self.alone.iter().map(|alone| alone.row.len()).sum();
        let bytes = groups * (size_of::<Group<D>>() + 2 * size_of::<F64x8>() + 2 * size_of::<SleepCounter>())
            + entries * (size_of::<[[F64x8; D]; D]>() + size_of::<[u32; WIDTH]>())
            + alone * size_of::<(u32, Matrix<D, D>)>()
            + 2 * self.contacts * size_of::<F64x8>();
        Some(bytes)
    }
}
