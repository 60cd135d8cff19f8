//! The search for near boxes from row to row. It fills no rows: see `grid`.
//!
//! Eight boxes of a row look at once, in single precision and generously, at one other after the other; what
//! is left is compared exactly. So few others are in reach that asking one by one would cost more in branches
//! guessed wrong than in comparisons.

use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f32x8, prelude::*};

use crate::broad::grid::Grid;
use crate::broad::row_key::{BITS, LANES, LAST, SLACK, level_of, number, side};

/// Boxes of one row that look together.
#[derive(Clone, Copy)]
struct Block<S: Simd, const D: usize> {
    /// Rank of the first.
    first: usize,
    /// A bit for each.
    all: u64,
    middles: [f32x8<S>; D],
    radii: f32x8<S>,
    /// Places along the row, of the first and of the last.
    along: [f32; 2],
    /// The largest radius.
    most: f32,
}

/// Boxes near those of a block: eight bits for each of eight others, one for each box of the block.
#[derive(Clone, Copy, Debug)]
struct Hits<const D: usize> {
    bits: u64,
    /// First ranks of the block and of the others.
    first: [u32; 2],
    /// Corner of the row of the others from that of the block.
    corner: [f32; D],
}

/// A part of another row that moves along with the box that looks.
#[derive(Clone, Copy, Debug)]
struct Window<const D: usize> {
    /// First rank that is not too far behind.
    first: usize,
    /// End of the row.
    end: usize,
    /// Half the largest side of its boxes.
    half: f32,
    /// Corner of the row from the corner of the row that looks, across.
    corner: [f32; D],
}

/// Pairs found by one task, kept from call to call.
#[derive(Debug)]
pub(crate) struct Near<const D: usize> {
    /// Ranks of two boxes that overlap.
    pub pairs: Vec<[u32; 2]>,
    windows: Vec<Window<D>>,
    hits: Vec<Hits<D>>,
}

impl<const D: usize> Default for Near<D> {
    fn default() -> Self {
        Self { pairs: Vec::new(), windows: Vec::new(), hits: Vec::new() }
    }
}

impl<const D: usize> Grid<D> {
    /// Replaces the pairs by those that boxes of these ranks make with boxes ahead of them and with larger
    /// ones, the lower index first, where `may_meet` lets the two bodies meet.
    pub fn search(
        &self,
        ranks: std::ops::Range<usize>,
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        near: &mut Near<D>,
    ) {
        near.hits.clear();
        dispatch!(instructions::level(), simd => self.search_rows(simd, ranks, near));
        self.meet(may_meet, near);
    }

    /// Finds the hits, on the instructions that the machine has.
    #[inline(always)]
    fn search_rows<S: Simd>(&self, simd: S, ranks: std::ops::Range<usize>, near: &mut Near<D>) {
        let Near { windows, hits, .. } = near;
        let mut row = self.rows.partition_point(|row| row.start as usize <= ranks.start).saturating_sub(1);
        let mut first = ranks.start;
        while first < ranks.end {
            let (key, end) = (self.rows[row].key, self.rows[row + 1].start as usize);
            self.windows(key, windows);
            let half = 0.5 * side(level_of::<D>(key)) as f32;
            let own = Window { first: 0, end, half, corner: [0.0; D] };
            self.open(windows, self.middles[0][first], half);
            let stop = end.min(ranks.end);
            while first < stop {
                let block = self.block(simd, first, (stop - first).min(LANES));
                self.look(simd, &block, &Window { first: first + 1, ..own }, hits);
                let behind = behind(block.along[0], half);
                for window in windows.iter_mut() {
                    self.advance(simd, window, behind);
                    self.look(simd, &block, window, hits);
                }
                first += LANES;
            }
            first = end;
            row += 1;
        }
    }

    /// Some boxes that follow one another in a row.
    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, first: usize, count: usize) -> Block<S, D> {
        let eight = |numbers: &[f32]| f32x8::from_slice(simd, &numbers[first..first + LANES]);
        let last = first + count - 1;
        Block {
            first,
            all: (1 << count) - 1,
            middles: std::array::from_fn(|axis| eight(&self.middles[axis])),
            radii: eight(&self.radii),
            along: [first, last].map(|rank| self.middles[0][rank]),
            most: self.radii[first..=last].iter().fold(0.0, |most, &one| if one > most { one } else { most }),
        }
    }

    /// Moves a window on to the first box that is not too far behind.
    #[inline(always)]
    fn advance<S: Simd>(&self, simd: S, window: &mut Window<D>, behind: f32) {
        let behind = behind - window.half;
        while window.first < window.end && self.middles[0][window.first] < behind {
            let eight = f32x8::from_slice(simd, &self.middles[0][window.first..window.first + LANES]);
            let passed = eight.simd_lt(f32x8::splat(simd, behind)).to_bitmask().trailing_ones() as usize;
            window.first = (window.first + passed).min(window.end);
        }
    }

    /// Looks at the boxes of a window one after the other, up to where they are too far ahead.
    #[inline(always)]
    fn look<S: Simd>(&self, simd: S, block: &Block<S, D>, window: &Window<D>, hits: &mut Vec<Hits<D>>) {
        let own: [f32x8<S>; D] =
            std::array::from_fn(|axis| block.middles[axis] - f32x8::splat(simd, window.corner[axis]));
        // no side of a box is longer than twice the radius of its ball
        let ahead = (block.along[1] + block.most + window.half) * (1.0 + 4.0 * f32::EPSILON);
        let mut first = window.first;
        while first < window.end && self.middles[0][first] <= ahead {
            let others = first..first + LANES;
            let middles = self.middles.each_ref().map(|middles| &middles[others.clone()]);
            let radii = &self.radii[others];
            let within = f32x8::from_slice(simd, middles[0]).simd_le(f32x8::splat(simd, ahead));
            let count = (within.to_bitmask().trailing_ones() as usize).min(window.end - first).min(LANES);
            // one bit each, so that only the end of a list must be guessed, not the outcome of every look
            let mut bits = 0;
            for k in 0..count {
                let reach = block.radii + f32x8::splat(simd, radii[k]);
                let mut square = f32x8::splat(simd, 0.0);
                for axis in 0..D {
                    let between = own[axis] - f32x8::splat(simd, middles[axis][k]);
                    square += between * between;
                }
                // what is NaN is looked at; a box of the row itself meets those before it only
                let near = !square.simd_gt(reach * reach).to_bitmask();
                let before = (1u64 << (first + k).wrapping_sub(block.first).min(LANES)) - 1;
                bits |= (near & block.all & before) << (LANES * k);
            }
            if bits != 0 {
                hits.push(Hits {
                    bits,
                    first: [block.first, first].map(|rank| rank as u32),
                    corner: window.corner,
                });
            }
            first += count;
        }
    }

    /// Replaces the pairs by those of the hits whose boxes overlap and whose bodies may meet.
    fn meet(&self, may_meet: &(dyn Fn(u32, u32) -> bool + Sync), near: &mut Near<D>) {
        let Near { pairs, hits, .. } = near;
        let most: usize = hits.iter().map(|hits| hits.bits.count_ones() as usize).sum();
        // written over one another until one is a pair
        pairs.resize(most.max(pairs.len()), [0; 2]);
        let mut count = 0;
        for Hits { bits, first, corner } in hits {
            let mut bits = *bits;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let ranks = [first[0] + bit % LANES as u32, first[1] + bit / LANES as u32];
                let [here, there] = ranks.map(|rank| rank as usize);
                let apart = !self.round
                    && (0..D).fold(false, |any, axis| {
                        let between = self.middles[axis][here] - corner[axis] - self.middles[axis][there];
                        any | (between.abs() > self.halves[here][axis] + self.halves[there][axis])
                    });
                let [a, b] = [&self.places[here], &self.places[there]];
                pairs[count] = if a.index < b.index { ranks } else { [ranks[1], ranks[0]] };
                // whether bodies may meet is mostly the same answer, whether boxes overlap is not
                let may = a.body != b.body && may_meet(a.body, b.body);
                count += usize::from(may & !apart);
            }
        }
        pairs.truncate(count);
    }

    /// The rows that boxes of one row look at: those of its level ahead of it, and those of larger boxes
    /// within reach.
    fn windows(&self, key: u64, windows: &mut Vec<Window<D>>) {
        windows.clear();
        let level = level_of::<D>(key);
        let [y, z] = [1, 2].map(|axis| number::<D>(key, axis));
        if y < LAST {
            self.add_rows(key, level, [z, z], [y + 1, y + 1], windows);
        }
        if D == 3 {
            self.add_rows(key, level, [z + 1, z + 1], [y.saturating_sub(1), y + 1], windows);
        }
        for &larger in self.used.iter().take_while(|&&larger| larger < level) {
            // in halves of a row of ours: a row and a half of ours, and half of theirs, around the middle of
            // ours
            let wide = 1u64 << (level - larger);
            let reach = |number: u64| {
                let low = (2 * number).saturating_sub(1 + wide) / (2 * wide);
                [low, if number == LAST { LAST } else { (2 * number + 3 + wide) / (2 * wide) }]
            };
            let layers = if D == 3 { reach(z) } else { [0, 0] };
            self.add_rows(key, larger, layers, reach(y), windows);
        }
    }

    /// Appends the rows of a level with numbers in these ranges.
    fn add_rows(&self, own: u64, level: u32, z: [u64; 2], y: [u64; 2], windows: &mut Vec<Window<D>>) {
        let half = (0.5 * side(level)) as f32;
        let corner = |key: u64, axis: usize| number::<D>(key, axis) as f64 * side(level_of::<D>(key));
        let mut layer = z[0];
        while layer <= z[1].min(LAST) {
            let key = |y: u64| {
                let above = if D == 3 { u64::from(level) << BITS | layer } else { u64::from(level) };
                above << BITS | y.min(LAST)
            };
            let mut row = self.rows.partition_point(|row| row.key < key(y[0]));
            while self.rows[row].key <= key(y[1]) {
                let [first, end] = [row, row + 1].map(|row| self.rows[row].start as usize);
                let other = self.rows[row].key;
                let from = |axis| if axis == 0 { 0.0 } else { corner(other, axis) - corner(own, axis) };
                let corner = std::array::from_fn(|axis| from(axis) as f32);
                windows.push(Window { first, end, half, corner });
                row += 1;
            }
            // on to the next layer that holds anything
            let next = self.rows[row].key;
            let follows = D == 3 && level_of::<D>(next) == level;
            layer = if follows { number::<D>(next, 2).max(layer + 1) } else { LAST + 1 };
        }
    }

    /// Moves the windows to the first box that looks.
    fn open(&self, windows: &mut [Window<D>], along: f32, half: f32) {
        let behind = behind(along, half);
        for window in windows {
            let row = &self.middles[0][window.first..window.end];
            window.first += row.partition_point(|&along| along < behind - window.half);
        }
    }
}

/// Where a box at this place along its row, and half as long, may begin.
fn behind(along: f32, half: f32) -> f32 {
    along * (1.0 - 4.0 * f32::EPSILON) - half * (1.0 + SLACK as f32)
}
