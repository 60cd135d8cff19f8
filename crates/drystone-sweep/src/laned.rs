//! The sweep in lanes over pairs of bodies, tile by tile, on as many threads as there are. The order of all
//! sums and all visits is that of the plan, so that the bits do not depend on the threads.

#[cfg(test)]
mod tests;

use super::body_states::{BodyStates, Phase, Places};
use super::build::{Build, THREADS_FROM, friction, is_laned};
use super::group::{Group, OwnCompliance, State};
use super::judge::Total;
use super::lanes::Instructions;
use super::octet::{F64x8, WIDTH};
use super::sleep_counter::SleepCounter;
use super::team::Team;
use super::tile::{Ahead, Extrapolate, Judge, Pass, Raise, ScalarContact, Tile};
use super::tiles::{Candidate, Members, NOBODY, Plan};
use crate::backend::{Backend, PassOptions, Passed};
use drystone_local::LocalBlock;
use drystone_problem::{AutoParams, Condensed, Delassus, Matrix, Residual, Scale, Vector};
use rayon::prelude::*;
use std::any::Any;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

/// A thread more is called for every so many contacts.
const CONTACTS_OF_A_THREAD: usize = 2_000;

/// So many contacts are looked at by one thread while they are laid out.
const CANDIDATES_OF_A_THREAD: usize = 512;

/// Lines are made anew from the impulses at one look in so many.
const LOOKS_BETWEEN_RAISES: u32 = 8;

/// Parts in which lines are extrapolated.
const PARTS: usize = 64;

/// Pairs of bodies in lanes.
#[derive(Default)]
pub(super) struct PairLanes<const D: usize, const N: usize> {
    instructions: Instructions,
    candidates: Vec<Candidate>,
    plan: Plan,
    tiles: Vec<Tile<D, N>>,
    lines: BodyStates,
    /// The lines before the last sweep.
    last: Vec<F64x8>,
    contacts: usize,
    asked: f64,
    /// Looks at these impulses.
    looks: u32,
    /// Whether threads are worth their while.
    parallel: bool,
    /// None as long as they never were.
    team: Option<Team>,
}

impl<const D: usize, const N: usize> PairLanes<D, N> {
    /// Lays a problem out, in the memory of the lanes of another one and by their plan where it still holds.
    /// What comes of it is the same whatever they were of.
    pub fn renew(&mut self, build: &Build<D>, w: &Condensed<D>) {
        let contacts = w.contacts();
        let candidate = |contact: usize| Candidate {
            bodies: w.pair(contact).bodies.map(|body| w.bodies().moves(body as usize).then_some(body)),
            laned: is_laned(&w.block(contact), &build.sets[contact]),
            active: build.r[contact][0] > 0.0 || build.u_free[contact][0] < 0.0,
        };
        let parallel = contacts >= THREADS_FROM;
        let candidates: Vec<Candidate> = if parallel {
            (0..contacts).into_par_iter().with_min_len(CANDIDATES_OF_A_THREAD).map(candidate).collect()
        } else {
            (0..contacts).map(candidate).collect()
        };
        let is_known = self.plan.renew(w.bodies().len(), &self.candidates, &candidates);
        self.candidates = candidates;
        let plan = &self.plan;
        self.tiles.resize_with(plan.tiles.len(), Tile::default);
        let pack = |(index, (tile, members)): (usize, (&mut Tile<D, N>, &Members))| {
            Packing::<D, N> { build, w, plan, spare: plan.spare(index) }.fill(tile, members);
        };
        if parallel {
            self.tiles.par_iter_mut().zip(&plan.tiles).enumerate().for_each(pack);
        } else {
            self.tiles.iter_mut().zip(&plan.tiles).enumerate().for_each(pack);
        }
        if !is_known {
            check(&self.tiles, plan, contacts);
        }
        self.lines.renew(plan.count);
        self.last.clear();
        self.last.resize(plan.count, F64x8::ZERO);
        (self.instructions, self.contacts, self.asked) = (build.instructions, contacts, build.asked);
        self.call_team();
        self.put(build.r);
    }

    /// Calls as many threads together as are worth their while.
    fn call_team(&mut self) {
        self.parallel = false;
        if self.contacts < THREADS_FROM {
            return;
        }
        let threads = rayon::current_num_threads();
        let wanted = threads.min(self.contacts / CONTACTS_OF_A_THREAD);
        // those who are there stay for the next steps, where they are not too many
        let fits = |team: &Team| (wanted..=threads).contains(&team.members());
        if wanted > 1 && !self.team.as_ref().is_some_and(fits) {
            self.team = Some(Team::new(wanted));
        }
        self.parallel = wanted > 1;
    }

    /// Does something to the tiles, phase after phase, those of a phase side by side.
    fn in_phases(&mut self, work: impl Fn(&mut Tile<D, N>, &Phase, Instructions) + Sync) {
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all lines exist and that tiles of a phase share none; phases come one
        // after the other
        let lines = &unsafe { self.lines.phase() };
        let instructions = self.instructions;
        for phase in &self.plan.phases {
            let tiles = &mut self.tiles[phase.clone()];
            side_by_side(self.parallel, &mut self.team, tiles, |tile| work(tile, lines, instructions));
        }
    }

    /// Makes the lines those of the impulses.
    fn raise(&mut self) {
        self.lines.all().fill(F64x8::ZERO);
        self.in_phases(|tile, lines, instructions| Raise { tile, lines }.go(instructions));
    }

    /// Extrapolates the impulses, as the lines already are, and brings them back into their sets.
    fn project(&mut self, beta: f64) {
        self.in_phases(|tile, lines, instructions| Ahead { tile, lines, beta }.go(instructions));
    }

    /// Extrapolates the lines.
    fn extrapolate(&mut self, beta: f64) {
        let instructions = self.instructions;
        let size = self.lines.all().len().div_ceil(PARTS).max(1);
        let (mut lines, mut last) = (self.lines.all().chunks_mut(size), self.last.chunks_mut(size));
        let mut parts: [(&mut [F64x8], &mut [F64x8]); PARTS] =
            std::array::from_fn(|_| (lines.next().unwrap_or_default(), last.next().unwrap_or_default()));
        side_by_side(self.parallel, &mut self.team, &mut parts, |(lines, last)| {
            instructions.run(Extrapolate { lines, last, beta });
        });
    }
}

/// Does something to each of the items, on all threads where they are worth their while.
fn side_by_side<T: Send>(
    parallel: bool,
    team: &mut Option<Team>,
    items: &mut [T],
    work: impl Fn(&mut T) + Sync,
) {
    match team {
        Some(team) if parallel && items.len() > 1 => team.each(items, work),
        _ => items.iter_mut().for_each(work),
    }
}

/// Holds the plan to its word: all lines exist, no two tiles of a phase share one, and every contact is in
/// one tile.
fn check<const D: usize, const N: usize>(tiles: &[Tile<D, N>], plan: &Plan, contacts: usize) {
    let seen: Vec<AtomicBool> = (0..contacts).map(|_| AtomicBool::new(false)).collect();
    tiles.par_iter().flat_map_iter(Tile::contacts).for_each(|contact| {
        assert!(!seen[contact as usize].swap(true, Relaxed), "a contact in two places");
    });
    let user: Vec<AtomicU32> = (0..plan.count).map(|_| AtomicU32::new(u32::MAX)).collect();
    for phase in &plan.phases {
        phase.clone().into_par_iter().for_each(|tile| {
            for line in tiles[tile].lines() {
                let user = &user[line as usize];
                // whoever comes second sees who was first
                if user.load(Relaxed) as usize != tile {
                    let before = user.swap(tile as u32, Relaxed) as usize;
                    assert!(before == tile || !phase.contains(&before), "two tiles of a phase share a line");
                }
            }
        });
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
    /// Fills a tile, whatever it held before.
    fn fill(&self, tile: &mut Tile<D, N>, members: &Members) {
        let count = members.groups.len();
        // groups are large: filled where they lie
        tile.groups.resize_with(count, || Group::empty(self.spare));
        tile.groups.iter_mut().zip(&members.groups).for_each(|(group, contacts)| self.pack(group, contacts));
        tile.states.clear();
        tile.states.resize(count, State { r: [F64x8::ZERO; D], alpha: F64x8::ZERO });
        tile.compliances.clear();
        if self.w.is_compliant() {
            tile.compliances.extend(members.groups.iter().map(|group| self.compliances(group)));
        }
        tile.last.clear();
        tile.last.resize(count, [F64x8::ZERO; D]);
        tile.rests.clear();
        tile.rests.extend(members.groups.iter().map(|group| SleepCounter::new(members_of(group))));
        tile.contacts.clone_from(&members.groups);
        tile.alone.clear();
        tile.alone.extend(members.alone.iter().map(|&contact| self.alone(contact)));
        (tile.passed, tile.total) = (Passed::default(), Total::new());
    }

    /// Fills a group, whatever it held before.
    fn pack(&self, group: &mut Group<D, N>, contacts: &[u32; WIDTH]) {
        if contacts.contains(&NOBODY) {
            *group = Group::empty(self.spare);
        }
        for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
            let contact = contact as usize;
            let row = self.w.pair(contact);
            for side in 0..2 {
                self.pack_side(group, lane, side, row.bodies[side] as usize, row.h[side]);
            }
            let mu = friction(&self.build.sets[contact]);
            group.put_law(lane, &self.w.block(contact), &self.build.u_free[contact], mu);
        }
    }

    /// One body of a contact; see [`Self::row`].
    fn pack_side(&self, group: &mut Group<D, N>, lane: usize, side: usize, body: usize, h: &[[f64; D]]) {
        let Some(line) = self.plan.lines[body] else {
            return group.put_side(lane, side, self.spare, |_| [0.0; D]);
        };
        let root = self.w.bodies().diagonal_root(body).and_then(|root| root.first_chunk::<N>());
        match (h.first_chunk::<N>(), root) {
            // bodies as wide as the lanes, which most are: loops of constant length
            (Some(h), Some(root)) => group.put_side(lane, side, line, |k| h[k].map(|x| x * root[k])),
            _ => group.put_side(lane, side, line, |k| match k < h.len() {
                true => self.w.bodies().scaled(body, h, k),
                false => [0.0; D],
            }),
        }
    }

    /// What the contacts of a group give way by themselves.
    fn compliances(&self, contacts: &[u32; WIDTH]) -> OwnCompliance<D> {
        let mut own = [F64x8::ZERO; D];
        for (lane, &contact) in contacts.iter().enumerate().filter(|(_, contact)| **contact != NOBODY) {
            let compliance = self.w.compliance(contact as usize);
            (0..D).for_each(|i| own[i].0[lane] = compliance[i]);
        }
        own
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
            compliance: self.w.compliance(at),
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
        if manner.momentum && manner.project {
            self.project(manner.beta);
        }
        self.in_phases(|tile, lines, instructions| {
            tile.passed = Pass { tile, lines, manner, all }.go(instructions);
        });
        let mut passed = Passed::default();
        self.tiles.iter().for_each(|tile| passed.add(&tile.passed));
        passed
    }

    fn put(&mut self, r: &[Vector<D>]) {
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, |tile| tile.put(r));
        self.raise();
        self.looks = 0;
        self.last.copy_from_slice(self.lines.all());
    }

    fn take(&mut self, r: &mut [Vector<D>]) {
        assert_eq!(r.len(), self.contacts, "an impulse for each contact");
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that every contact is one of the problem and in one tile alone
        let places = &unsafe { Places::of(r) };
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, |tile| {
            tile.take(|contact, r| places.write(contact, r));
        });
    }

    fn judge(&mut self) -> Option<Residual> {
        // the lines follow the impulses but for rounding
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS_BETWEEN_RAISES) {
            self.raise();
        }
        #[allow(unsafe_code)]
        // SAFETY: `check` saw that all lines exist; nobody writes
        let lines = &unsafe { self.lines.phase() };
        let instructions = self.instructions;
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, |tile| {
            tile.total = Judge { tile, lines }.go(instructions);
        });
        let mut total = Total::new();
        self.tiles.iter().for_each(|tile| total.add(&tile.total));
        Some(total.residual(self.contacts, self.asked))
    }

    fn scale(&mut self, factors: &[f64]) -> bool {
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, |tile| tile.scale(factors));
        // lines are linear in the impulses, but not in factors that differ from contact to contact
        let swap = |tile: &mut Tile<D, N>| tile.swap_last();
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, swap);
        self.raise();
        self.last.copy_from_slice(self.lines.all());
        side_by_side(self.parallel, &mut self.team, &mut self.tiles, swap);
        self.raise();
        self.looks = 0;
        true
    }

    fn visit_ns(&self, params: &AutoParams) -> f64 {
        match D > 3 {
            true => params.scalar_visit_ns * (D * D) as f64,
            false => params.lane_visit_ns * D as f64,
        }
    }

    fn can_project(&self) -> bool {
        true
    }

    fn into_any(self: Box<Self>) -> Option<Box<dyn Any + Send + Sync>> {
        Some(self)
    }

    /// Each body is counted once for each tile that touches it.
    fn bytes(&self) -> Option<usize> {
        Some(self.tiles.iter().map(Tile::bytes).sum())
    }
}
