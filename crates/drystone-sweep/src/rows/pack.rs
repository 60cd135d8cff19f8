//! Which contacts of assembled rows are swept together, and their rows in lanes. Sweeps nothing.

use super::super::build::{Build, friction};
use super::super::coulomb::Locals;
use super::super::judge::Total;
use super::super::octet::{F64x8, WIDTH};
use super::super::sleep_counter::SleepCounter;
use super::{ColourGroups, Entry, Group, ScalarContact};
use crate::backend::Passed;
use drystone_local::LocalBlock;
use drystone_problem::{Blocks, Delassus, Matrix, Scale, Vector};

/// Contacts by colour: no two of a colour have a block between them, in either direction. Those not in lanes
/// have none. Within a colour those that hold an impulse come first, so that groups of open ones can be left
/// out of sweeps, and among these the longest rows, so that the rows of a group are about as long.
pub(super) fn colour<const D: usize>(blocks: &Blocks<D>, laned: &[bool], r: &[Vector<D>]) -> Vec<Vec<u32>> {
    let contacts = laned.len();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); contacts];
    for row in 0..contacts {
        for (column, _) in blocks.rows().row(row).filter(|&(column, _)| column != row) {
            neighbours[row].push(column as u32);
            neighbours[column].push(row as u32);
        }
    }
    let mut colour_of = vec![usize::MAX; contacts];
    // the last contact that forbade each colour
    let mut forbidden: Vec<usize> = Vec::new();
    let mut colours: Vec<Vec<u32>> = Vec::new();
    for contact in (0..contacts).filter(|&contact| laned[contact]) {
        for &neighbour in &neighbours[contact] {
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

/// What packing needs at hand.
pub(super) struct Packing<'a, const D: usize> {
    pub build: &'a Build<'a, D>,
    pub blocks: &'a Blocks<D>,
}

impl<const D: usize> Packing<'_, D> {
    /// Groups of one colour with a spare line.
    pub fn part(&self, contacts: &[u32], spare: u32) -> ColourGroups<D> {
        let groups: Vec<Group<D>> = contacts.chunks(WIDTH).map(|eight| self.group(eight, spare)).collect();
        ColourGroups {
            alphas: vec![F64x8::ZERO; groups.len()],
            rests: contacts.chunks(WIDTH).map(|eight| SleepCounter::new(eight.len())).collect(),
            groups,
            passed: Passed::default(),
            total: Total::new(),
        }
    }

    fn group(&self, contacts: &[u32], spare: u32) -> Group<D> {
        let mut group = Group {
            own: [spare; WIDTH],
            u_free: [F64x8::ZERO; D],
            diagonal: [[F64x8::ZERO; D]; D],
            locals: Locals::empty(),
            entries: Vec::new(),
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
            for (place, (column, block)) in others.enumerate() {
                if place == group.entries.len() {
                    group.entries.push(Entry { block: [[F64x8::ZERO; D]; D], at: [spare; WIDTH] });
                }
                group.entries[place].at[lane] = column as u32;
                put(&mut group.entries[place].block, lane, block);
            }
        }
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
