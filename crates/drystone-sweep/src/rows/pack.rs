//! Which contacts of assembled rows are swept together, and their rows in lanes. Sweeps nothing.

use super::super::build::{Build, friction};
use super::super::coulomb::Locals;
use super::super::judge::Total;
use super::super::octet::{F64x8, WIDTH};
use super::super::sleep_counter::SleepCounter;
use super::{ColourGroups, Entries, Group, ScalarContact};
use crate::backend::Passed;
use drystone_local::LocalBlock;
use drystone_problem::{Blocks, Delassus, Matrix, Scale, Vector};

/// Contacts by colour: no two of a colour have a block between them, in either direction. Those not in lanes
/// have none. Within a colour those that hold an impulse come first, so that groups of open ones can be left
/// out of sweeps, and among these the longest rows, so that the rows of a group are about as long.
pub(super) fn colour<const D: usize>(blocks: &Blocks<D>, laned: &[bool], r: &[Vector<D>]) -> Vec<Vec<u32>> {
    let contacts = laned.len();
    let neighbours = Neighbours::of(blocks);
    let mut colour_of = vec![usize::MAX; contacts];
    // the last contact that forbade each colour
    let mut forbidden: Vec<usize> = Vec::new();
    let mut colours: Vec<Vec<u32>> = Vec::new();
    for contact in (0..contacts).filter(|&contact| laned[contact]) {
        for &neighbour in neighbours.of_contact(contact) {
            if let Some(by) = forbidden.get_mut(colour_of[neighbour as usize]) {
                *by = contact;
            }
        }
        let free = forbidden.iter().position(|&by| by != contact).unwrap_or(forbidden.len());
        if free == forbidden.len() {
            forbidden.push(usize::MAX);
            colours.push(Vec::new());
        }
        colour_of[contact] = free;
        colours[free].push(contact as u32);
    }
    for members in &mut colours {
        let is_open = |contact: usize| r[contact].iter().all(|&r| r == 0.0);
        let length = |contact: usize| std::cmp::Reverse(blocks.rows().row(contact).count());
        members.sort_by_cached_key(|&contact| (is_open(contact as usize), length(contact as usize)));
    }
    colours
}

/// The contacts that have a block with each, in either direction; most of them twice.
struct Neighbours {
    /// Where those of each contact end.
    ends: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    fn of<const D: usize>(blocks: &Blocks<D>) -> Self {
        let contacts = blocks.contacts();
        let pairs = || {
            let of_row = |row: usize| blocks.rows().row(row).map(move |(column, _)| (row, column));
            (0..contacts).flat_map(of_row).filter(|(row, column)| row != column)
        };
        let mut ends = vec![0u32; contacts];
        for (row, column) in pairs() {
            ends[row] += 1;
            ends[column] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            // for now where those of the contact begin
            (total, *end) = (total + *end, total);
        }
        let mut all = vec![0; total as usize];
        for (one, other) in pairs().flat_map(|(row, column)| [(row, column), (column, row)]) {
            all[ends[one] as usize] = other as u32;
            ends[one] += 1;
        }
        Self { ends, all }
    }

    fn of_contact(&self, contact: usize) -> &[u32] {
        let first = if contact == 0 { 0 } else { self.ends[contact - 1] };
        &self.all[first as usize..self.ends[contact] as usize]
    }
}

/// What packing needs at hand.
pub(super) struct Packing<'a, const D: usize> {
    pub build: &'a Build<'a, D>,
    pub blocks: &'a Blocks<D>,
}

impl<const D: usize> Packing<'_, D> {
    /// Groups of one colour with a spare impulse.
    pub fn part(&self, contacts: &[u32], spare: u32) -> ColourGroups<D> {
        let mut entries = Entries::default();
        let groups: Vec<Group<D>> =
            contacts.chunks(WIDTH).map(|eight| self.group(eight, spare, &mut entries)).collect();
        ColourGroups {
            entries,
            alphas: vec![F64x8::ZERO; groups.len()],
            rests: contacts.chunks(WIDTH).map(|eight| SleepCounter::new(eight.len())).collect(),
            groups,
            passed: Passed::default(),
            total: Total::new(),
        }
    }

    fn group(&self, contacts: &[u32], spare: u32, entries: &mut Entries<D>) -> Group<D> {
        let first = entries.at.len();
        let mut group = Group {
            own: [spare; WIDTH],
            u_free: [F64x8::ZERO; D],
            diagonal: [[F64x8::ZERO; D]; D],
            locals: Locals::empty(),
            entries: first..first,
        };
        for (lane, &contact) in contacts.iter().enumerate() {
            let row = contact as usize;
            let w = self.blocks.block(row);
            group.own[lane] = contact;
            put(&mut group.diagonal, lane, &w);
            for i in 0..D {
                group.u_free[i].0[lane] = self.build.u_free[row][i];
            }
            group.locals.put(lane, &w, friction(&self.build.sets[row]));
            let others = self.blocks.rows().row(row).filter(|&(column, _)| column != row);
            for (place, (column, block)) in (first..).zip(others) {
                if place == entries.at.len() {
                    entries.blocks.push([[F64x8::ZERO; D]; D]);
                    entries.at.push([spare; WIDTH]);
                }
                entries.at[place][lane] = column as u32;
                put(&mut entries.blocks[place], lane, block);
            }
        }
        group.entries = first..entries.at.len();
        group
    }

    /// A contact solved by itself.
    pub fn alone(&self, contact: usize) -> ScalarContact<D> {
        let w = self.blocks.block(contact);
        let row = self.blocks.rows().row(contact).map(|(column, block)| (column as u32, *block));
        ScalarContact {
            contact: contact as u32,
            row: row.collect(),
            local: LocalBlock::new(&w),
            set: self.build.sets[contact],
            u_free: self.build.u_free[contact],
            scale: Scale::new(&w, &self.build.sets[contact]),
        }
    }
}

/// Puts a block into a lane.
fn put<const D: usize>(lanes: &mut [[F64x8; D]; D], lane: usize, block: &Matrix<D, D>) {
    for i in 0..D {
        for j in 0..D {
            lanes[i][j].0[lane] = block[(i, j)];
        }
    }
}
