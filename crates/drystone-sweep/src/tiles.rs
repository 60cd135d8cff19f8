//! Who is swept with whom: contacts in tiles that fit the cache, tiles in phases, and within a tile groups of
//! contacts of one colour. Depends on the problem alone, never on the machine or the number of threads.

#[cfg(all(test, not(miri)))]
mod tests;

use super::octet::WIDTH;
use drystone_math::graph::{Edge, Palette, breadth_first};
use drystone_problem::any_in_pieces;
use rayon::prelude::*;
use std::ops::Range;

/// Contacts in a tile, at least and at most: the velocities of its bodies stay in the cache nearest to the
/// core. Larger tiles have fuller groups, smaller ones are shared out more evenly.
const TILE: [usize; 2] = [1024, 4096];

/// Tiles wanted for the threads to share.
const ENOUGH: usize = 64;

/// With more contacts than this the bodies are put in an order of neighbours first; fewer are in the cache
/// anyway.
const SCATTERED: usize = 4096;

/// A body with more contacts than this is met by one contact at a time, after all the others. Grains with
/// flat faces among their like have up to a hundred, most of them open; there are colours for twice 64.
const MOST_IN_COLOURS: u32 = 128;

/// No contact in this lane.
pub(super) const NOBODY: u32 = u32::MAX;

/// The order of a sweep.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The line of every body that moves.
    pub lines: Vec<Option<u32>>,
    /// How many lines there are, with a spare one for each tile after those of the bodies.
    pub count: usize,
    pub tiles: Vec<Members>,
    /// Tiles that may be swept at once: no two of them share a line.
    pub phases: Vec<Range<usize>>,
    /// The contacts of every tile whose groups were made by colours; what is solved one by one after all
    /// others has a tile without.
    parts: Vec<Vec<u32>>,
}

/// The contacts of a tile.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Contacts of one colour, [`NOBODY`] where there are not enough.
    pub groups: Vec<[u32; WIDTH]>,
    /// Contacts solved one by one, after the groups.
    pub alone: Vec<u32>,
}

/// What the plan wants to know of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The bodies that move.
    pub bodies: Edge,
    /// Whether it may be solved in lanes.
    pub laned: bool,
    /// Whether it is likely to hold an impulse: those that do not are put together, to be skipped together.
    pub active: bool,
}

impl Candidate {
    fn bodies(&self) -> impl Iterator<Item = u32> + Clone {
        self.bodies.into_iter().flatten()
    }
}

impl Plan {
    /// Plans the sweeps over contacts between so many bodies.
    pub fn new(bodies: usize, candidates: &[Candidate]) -> Self {
        let (place, touches) = rayon::join(|| places(bodies, candidates), || count(bodies, candidates));
        let lines: Vec<_> = (0..bodies).map(|body| (touches[body] > 0).then_some(place[body])).collect();
        let sequence = by_first_body(bodies, candidates, &place);
        let crowded = |contact: &u32| {
            candidates[*contact as usize].bodies().any(|body| touches[body as usize] > MOST_IN_COLOURS)
        };
        let (last, parallel): (Vec<u32>, Vec<u32>) = match touches.iter().any(|&n| n > MOST_IN_COLOURS) {
            true => sequence.into_iter().partition(crowded),
            false => (Vec::new(), sequence),
        };

        let size = (parallel.len() / ENOUGH).clamp(TILE[0], TILE[1]);
        let size = if parallel.len() <= 2 * size { 2 * size } else { size };
        // bodies that one tile alone touches constrain no other
        let shared = |counts: &mut Vec<u32>, tile: &[u32]| {
            LineRange::of(tile, candidates, &lines).shared(tile, candidates, &touches, counts)
        };
        let shared: Vec<Vec<u32>> = parallel.par_chunks(size).map_init(Vec::new, shared).collect();
        let mut colours = Palette::new(bodies);
        let mut painted: Vec<(u32, &[u32])> = Vec::new();
        let mut rest = Members { groups: Vec::new(), alone: last };
        for (tile, shared) in parallel.chunks(size).zip(&shared) {
            match colours.paint(shared.iter().copied()) {
                Some(colour) => painted.push((colour, tile)),
                None => rest.alone.extend(tile),
            }
        }
        painted.sort_by_key(|&(colour, _)| colour);
        let phase_count = painted.last().map_or(0, |&(colour, _)| colour + 1);
        let start = |colour: u32| painted.partition_point(|&(of, _)| of < colour);
        let mut phases: Vec<Range<usize>> =
            (0..phase_count).map(|colour| start(colour)..start(colour + 1)).collect();
        let members = |palette: &mut Palette, (_, tile): &(u32, &[u32])| {
            (Members::new(tile, candidates, &lines, palette), tile.to_vec())
        };
        let tiles = painted.par_iter().map_init(Palette::default, members);
        let (mut tiles, parts): (Vec<Members>, Vec<Vec<u32>>) = tiles.unzip();
        if !rest.alone.is_empty() {
            phases.push(tiles.len()..tiles.len() + 1);
            tiles.push(rest);
        }
        Self { lines, count: bodies + tiles.len(), tiles, phases, parts }
    }

    /// The plan of other contacts, made of this one where they join the same bodies: then only tiles are
    /// coloured anew in which contacts have changed sides between holding and resting. Gives the same as
    /// [`Self::new`], and whether bodies and tiles are as they were.
    pub fn renew(&mut self, bodies: usize, before: &[Candidate], now: &[Candidate]) -> bool {
        let others = |contact: usize| before[contact].bodies != now[contact].bodies;
        if self.lines.len() != bodies || before.len() != now.len() || any_in_pieces(now.len(), others) {
            *self = Self::new(bodies, now);
            return false;
        }
        let changed = |contact: &u32| before[*contact as usize] != now[*contact as usize];
        let Self { lines, tiles, parts, .. } = self;
        let tiles = tiles.par_iter_mut().zip(parts).filter(|(_, part)| part.iter().any(changed));
        tiles.for_each_init(Palette::default, |palette, (members, part)| {
            *members = Members::new(part, now, lines, palette);
        });
        true
    }

    /// The line that a tile may use for bodies that do not move.
    pub fn spare(&self, tile: usize) -> u32 {
        (self.lines.len() + tile) as u32
    }
}

/// Place of every body in the order of lines.
fn places(bodies: usize, candidates: &[Candidate]) -> Vec<u32> {
    if candidates.len() <= SCATTERED {
        return (0..bodies as u32).collect();
    }
    let edges: Vec<Edge> = candidates.par_iter().map(|candidate| candidate.bodies).collect();
    breadth_first(bodies, &edges)
}

/// How many contacts every body has.
fn count(bodies: usize, candidates: &[Candidate]) -> Vec<u32> {
    let mut touches = vec![0u32; bodies];
    for body in candidates.iter().flat_map(Candidate::bodies) {
        touches[body as usize] += 1;
    }
    touches
}

/// The contacts by the place of the first of their bodies.
fn by_first_body(bodies: usize, candidates: &[Candidate], place: &[u32]) -> Vec<u32> {
    let key = |candidate: &Candidate| candidate.bodies().map(|body| place[body as usize]).min().unwrap_or(0);
    let keys: Vec<u32> = candidates.par_iter().with_min_len(SCATTERED).map(key).collect();
    let mut next = vec![0u32; bodies + 1];
    keys.iter().for_each(|&key| next[key as usize + 1] += 1);
    for body in 0..bodies {
        next[body + 1] += next[body];
    }
    let mut sequence = vec![0; candidates.len()];
    for (contact, &key) in (0..).zip(&keys) {
        let place = &mut next[key as usize];
        sequence[*place as usize] = contact;
        *place += 1;
    }
    sequence
}

/// The lines that a tile meets, numbered from the first of them on: they are near each other, so that what is
/// kept for each of them stays in the cache.
#[derive(Clone, Copy)]
struct LineRange<'a> {
    lines: &'a [Option<u32>],
    first: u32,
    count: usize,
}

impl<'a> LineRange<'a> {
    /// Those of the bodies of some contacts.
    fn of(tile: &[u32], candidates: &[Candidate], lines: &'a [Option<u32>]) -> Self {
        let bodies = tile.iter().flat_map(|&contact| candidates[contact as usize].bodies());
        let (mut first, mut end) = (u32::MAX, 0);
        for line in bodies.filter_map(|body| lines[body as usize]) {
            (first, end) = (first.min(line), end.max(line + 1));
        }
        Self { lines, first, count: end.saturating_sub(first) as usize }
    }

    /// The number of a body of the tile.
    fn number(&self, body: u32) -> u32 {
        self.lines[body as usize].map_or(0, |line| line - self.first)
    }

    /// The numbers of the bodies of a contact.
    fn bodies(&self, candidate: &Candidate) -> impl Iterator<Item = u32> + Clone {
        candidate.bodies().map(|body| self.number(body))
    }

    /// The bodies of a tile that have contacts elsewhere as well, `touches` of them in all. Counts in memory
    /// that is all zeros, before and after.
    fn shared(
        &self,
        tile: &[u32],
        candidates: &[Candidate],
        touches: &[u32],
        counts: &mut Vec<u32>,
    ) -> Vec<u32> {
        counts.resize(self.count.max(counts.len()), 0);
        let bodies = || tile.iter().flat_map(|&contact| candidates[contact as usize].bodies());
        bodies().for_each(|body| counts[self.number(body) as usize] += 1);
        let mut shared = Vec::new();
        for body in bodies() {
            // each of them once
            let here = std::mem::take(&mut counts[self.number(body) as usize]);
            if here > 0 && here < touches[body as usize] {
                shared.push(body);
            }
        }
        shared
    }
}

impl Members {
    /// Colours the contacts of a tile and puts those of one colour into groups.
    fn new(tile: &[u32], candidates: &[Candidate], lines: &[Option<u32>], palette: &mut Palette) -> Self {
        let mut members = Self::default();
        let range = LineRange::of(tile, candidates, lines);
        palette.reach(range.count);
        // contacts that rest get colours of their own, so that their groups can be skipped
        for active in [true, false] {
            let mut of_colour: Vec<Vec<u32>> = Vec::new();
            let wanted = |contact: &&u32| {
                let candidate = &candidates[**contact as usize];
                candidate.laned && candidate.active == active
            };
            for &contact in tile.iter().filter(wanted) {
                let Some(colour) = palette.paint(range.bodies(&candidates[contact as usize])) else {
                    members.alone.push(contact);
                    continue;
                };
                of_colour.resize_with(of_colour.len().max(colour as usize + 1), Vec::new);
                of_colour[colour as usize].push(contact);
            }
            for group in of_colour.iter().flat_map(|contacts| contacts.chunks(WIDTH)) {
                let mut lanes = [NOBODY; WIDTH];
                lanes[..group.len()].copy_from_slice(group);
                members.groups.push(lanes);
            }
            for body in tile.iter().flat_map(|&contact| range.bodies(&candidates[contact as usize])) {
                palette.forget(body);
            }
        }
        members.alone.extend(tile.iter().filter(|&&contact| !candidates[contact as usize].laned));
        members
    }
}
