//! The sweep in lanes over pairs of bodies, tile by tile, on as many threads as there are. The order of all
//! sums and all visits is that of the plan, so that the bits do not depend on the threads.

use super::body_states::BodyStates;
use super::build::{Build, THREADS_FROM, friction, is_laned};
use super::group::{Group, State};
use super::judge::Total;
use super::lanes::Instructions;
use super::octet::F64x8;
use super::sleep_counter::SleepCounter;
use super::tile::{Judge, Pass, Raise, ScalarContact, Tile};
use super::tiles::{Candidate, Members, NOBODY, Plan};
use crate::backend::{Backend, PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{AutoParams, Condensed, Delassus, Matrix, Scale, Vector};
use rayon::prelude::*;
use std::ops::Range;

/// Pairs of bodies in lanes.
pub(super) struct PairLanes<const D: usize, const N: usize> {
    instructions: Instructions,
    tiles: Vec<Tile<D, N>>,
    phases: Vec<Range<usize>>,
    lines: BodyStates,
    /// The lines before the last sweep.
    last: Vec<F64x8>,
    contacts: usize,
    asked: f64,
}

impl<const D: usize, const N: usize> PairLanes<D, N> {
    pub fn new(build: &Build<D>, w: &Condensed<D>) -> Self {
        let contacts = w.contacts();
        let candidate = |contact: usize| Candidate {
            bodies: w.pair(contact).bodies.map(|body| w.bodies().moves(body as usize).then_some(body)),
            laned: is_laned(&w.block(contact), &build.sets[contact]),
            active: build.r[contact][0] > 0.0 || build.u_free[contact][0] < 0.0,
        };
        let parallel = contacts >= THREADS_FROM;
        let candidates: Vec<Candidate> = if parallel {
            (0..contacts).into_par_iter().map(candidate).collect()
        } else {
            (0..contacts).map(candidate).collect()
        };
        let plan = Plan::new(w.bodies().len(), &candidates);
        let pack = |(tile, members): (usize, &Members)| {
            Packing::<D, N> { build, w, plan: &plan, spare: plan.spare(tile) }.tile(members)
        };
        let tiles: Vec<Tile<D, N>> = if parallel {
            plan.tiles.par_iter().enumerate().map(pack).collect()
        } else {
            plan.tiles.iter().enumerate().map(pack).collect()
        };
        check(&tiles, &plan);
        let mut lanes = Self {
            instructions: build.instructions,
            tiles,
            phases: plan.phases,
            lines: BodyStates::new(plan.count),
            last: vec![F64x8::ZERO; plan.count],
            contacts,
            asked: build.asked,
        };
        lanes.put(build.r);
        lanes
    }

    /// Whether threads are worth their while.
    fn parallel(&self) -> bool {
        self.contacts >= THREADS_FROM && rayon::current_num_threads() > 1
    }

    /// Makes the lines those of the impulses.
    fn raise(&mut self) {
        self.lines.all().fill(F64x8::ZERO);
        let (instructions, parallel) = (self.instructions, self.parallel());
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all lines exist and that tiles of a phase share none; phases come one
        // after the other
        let lines = &unsafe { self.lines.phase() };
        for phase in &self.phases {
            let tiles = &self.tiles[phase.clone()];
            let raise = |tile: &Tile<D, N>| Raise { tile, lines }.go(instructions);
            if parallel && tiles.len() > 1 {
                tiles.par_iter().with_max_len(1).for_each(raise);
            } else {
                tiles.iter().for_each(raise);
            }
        }
    }

    /// Extrapolates the lines; they are linear in the impulses.
    fn extrapolate(&mut self, beta: f64) {
        let parallel = self.parallel();
        let ahead = |(line, last): (&mut F64x8, &mut F64x8)| {
            for k in 0..8 {
                let now = line.0[k];
                line.0[k] = now + (now - last.0[k]) * beta;
                last.0[k] = now;
            }
        };
        let lines = self.lines.all();
        if parallel {
            lines.par_iter_mut().with_min_len(4096).zip(&mut self.last).for_each(ahead);
        } else {
            lines.iter_mut().zip(&mut self.last).for_each(ahead);
        }
    }
}

/// Holds the plan to its word: all lines exist, and no two tiles of a phase share one.
fn check<const D: usize, const N: usize>(tiles: &[Tile<D, N>], plan: &Plan) {
    let mut user = vec![usize::MAX; plan.count];
    for phase in &plan.phases {
        for tile in phase.clone() {
            for line in tiles[tile].lines() {
                let user = &mut user[line as usize];
                assert!(*user == tile || !phase.contains(user), "two tiles of a phase share a line");
                *user = tile;
            }
        }
    }
}

/// How many lanes of a group hold a contact.
fn members_of(group: &[u32]) -> usize {
    group.iter().filter(|&&contact| contact != NOBODY).count()
}

/// What packing needs at hand.
struct Packing<'a, const D: usize, const N: usize> {
    build: &'a Build<'a, D>,
    w: &'a Condensed<D>,
    plan: &'a Plan,
    spare: u32,
}

impl<const D: usize, const N: usize> Packing<'_, D, N> {
    fn tile(&self, members: &Members) -> Tile<D, N> {
        let count = members.groups.len();
        let zero = State { r: [F64x8::ZERO; D], alpha: F64x8::ZERO };
        Tile {
            groups: members.groups.iter().map(|contacts| self.group(contacts)).collect(),
            states: vec![zero; count],
            last: vec![[F64x8::ZERO; D]; count],
            rests: members.groups.iter().map(|group| SleepCounter::new(members_of(group))).collect(),
            contacts: members.groups.clone(),
            alone: members.alone.iter().map(|&contact| self.alone(contact)).collect(),
            passed: Passed::default(),
            total: Total::new(),
        }
    }

    fn group(&self, contacts: &[u32]) -> Group<D, N> {
        let mut group = Group::empty(self.spare);
        for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
            let (lines, h) = self.row(contact);
            let contact = contact as usize;
            let w = self.w.block(contact);
            group.put(lane, lines, &h, &w, &self.build.u_free[contact], friction(&self.build.sets[contact]));
        }
        group
    }

    fn alone(&self, contact: u32) -> ScalarContact<D, N> {
        let (lines, h) = self.row(contact);
        let at = contact as usize;
        let w = self.w.block(at);
        ScalarContact {
            contact,
            lines,
            h,
            local: LocalBlock::new(&w),
            set: self.build.sets[at],
            u_free: self.build.u_free[at],
            scale: Scale::new(&w, &self.build.sets[at]),
            r: Vector::zeros(),
            last: Vector::zeros(),
        }
    }

    /// BodyStates and rows of `H M^{-1/2}`; a body that does not move has the spare line and a row of zeros.
    fn row(&self, contact: u32) -> ([u32; 2], [Matrix<D, N>; 2]) {
        let row = self.w.pair(contact as usize);
        let mut h = [Matrix::<D, N>::zeros(); 2];
        let lines = [0, 1].map(|side| {
            let body = row.bodies[side] as usize;
            let Some(line) = self.plan.lines[body] else { return self.spare };
            for k in 0..row.h[side].len() {
                h[side].set_column(k, &Vector::from(self.w.bodies().scaled(body, row.h[side], k)));
            }
            line
        });
        (lines, h)
    }
}

impl<const D: usize, const N: usize> Backend<D> for PairLanes<D, N> {
    fn pass(&mut self, manner: PassOptions, all: bool) -> Passed {
        if manner.momentum {
            self.extrapolate(manner.beta);
        }
        let (instructions, parallel) = (self.instructions, self.parallel());
        #[allow(unsafe_code)]
        // SAFETY: as in `raise`
        let lines = &unsafe { self.lines.phase() };
        let mut passed = Passed::default();
        for phase in &self.phases {
            let tiles = &mut self.tiles[phase.clone()];
            let sweep = |tile: &mut Tile<D, N>| {
                tile.passed = Pass { tile, lines, manner, all }.go(instructions);
            };
            if parallel && tiles.len() > 1 {
                tiles.par_iter_mut().with_max_len(1).for_each(sweep);
            } else {
                tiles.iter_mut().for_each(sweep);
            }
        }
        self.tiles.iter().for_each(|tile| passed.add(&tile.passed));
        passed
    }

    fn put(&mut self, r: &[Vector<D>]) {
        if self.parallel() {
            self.tiles.par_iter_mut().for_each(|tile| tile.put(r));
        } else {
            self.tiles.iter_mut().for_each(|tile| tile.put(r));
        }
        self.raise();
        self.last.copy_from_slice(self.lines.all());
    }

    fn take(&self, r: &mut [Vector<D>]) {
        self.tiles.iter().for_each(|tile| tile.take(r));
    }

    fn judge(&mut self) -> Option<f64> {
        self.raise();
        let (instructions, parallel) = (self.instructions, self.parallel());
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all lines exist; nobody writes
        let lines = &unsafe { self.lines.phase() };
        let judge = |tile: &mut Tile<D, N>| tile.total = Judge { tile, lines }.go(instructions);
        if parallel {
            self.tiles.par_iter_mut().with_max_len(1).for_each(judge);
        } else {
            self.tiles.iter_mut().for_each(judge);
        }
        let mut total = Total::new();
        self.tiles.iter().for_each(|tile| total.add(&tile.total));
        Some(total.relative(self.asked))
    }

    fn visit_ns(&self, params: &AutoParams) -> f64 {
        params.lane_visit_ns * D as f64
    }

    /// Each body is counted once for each tile that touches it.
    fn bytes(&self) -> Option<usize> {
        Some(self.tiles.iter().map(Tile::bytes).sum())
    }
}
