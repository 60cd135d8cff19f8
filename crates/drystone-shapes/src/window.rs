//! The search for near boxes from row to row. It fills no rows: see `rows`.
//!
//! A box looks at eight others at a time, in single precision and generously; what is left is compared exactly. So few
//! others are in reach that asking one by one would cost more in branches guessed wrong than in comparisons.

use wide::f32x8;

use crate::rows::{BITS, LAST, Rows, SLACK, level_of, number, side};

/// Boxes looked at together.
pub(crate) const LANES: usize = 8;
/// Twice the relative error of a place along a row in single precision.
pub(crate) const SINGLE: f64 = 2.0 * f32::EPSILON as f64;

/// Boxes that passed the first look, eight groups of eight at a time: one bit each, so that only the end of a list must be
/// guessed, not the outcome of every look.
#[derive(Clone, Copy, Debug)]
struct Hits<const D: usize> {
    bits: u64,
    groups: usize,
    /// The box that looks, by group, and its middle from the corner of the row it looks at.
    ranks: [u32; LANES],
    middles: [[f32; D]; LANES],
    /// The first of the boxes looked at, by group.
    firsts: [u32; LANES],
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
}

impl<const D: usize> Default for Near<D> {
    fn default() -> Self {
        Self { pairs: Vec::new(), windows: Vec::new() }
    }
}

impl<const D: usize> Rows<D> {
    /// Replaces the pairs by those that boxes of these ranks make with boxes ahead of them and with larger ones, the lower
    /// index first, where `may_meet` lets the two bodies meet.
    pub fn search(
        &self,
        ranks: std::ops::Range<usize>,
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        near: &mut Near<D>,
    ) {
        let Near { pairs, windows } = near;
        pairs.clear();
        let none = [0; LANES];
        let mut hits = Hits { bits: 0, groups: 0, ranks: none, middles: [[0.0; D]; LANES], firsts: none };
        let mut meet = |hits: &mut Hits<D>| self.meet(hits, may_meet, pairs);
        let mut row = self.rows.partition_point(|row| row.start as usize <= ranks.start).saturating_sub(1);
        let mut first = ranks.start;
        while first < ranks.end {
            let (key, end) = (self.rows[row].key, self.rows[row + 1].start as usize);
            self.windows(key, windows);
            let half = 0.5 * side(level_of::<D>(key)) as f32;
            let own = Window { first: 0, end, half, corner: [0.0; D] };
            self.open(windows, self.middles[0][first], half);
            for rank in first..end.min(ranks.end) {
                self.look(rank, &Window { first: rank + 1, ..own }, &mut hits, &mut meet);
                let behind = behind(self.middles[0][rank], half);
                for window in windows.iter_mut() {
                    self.advance(window, behind);
                    self.look(rank, window, &mut hits, &mut meet);
                }
            }
            first = end;
            row += 1;
        }
        meet(&mut hits);
    }

    /// Appends the pairs of all hits whose boxes overlap and whose bodies may meet.
    #[inline(never)]
    fn meet(
        &self,
        hits: &mut Hits<D>,
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let mut count = pairs.len();
        // written over one another until one is a pair
        pairs.resize(count + hits.bits.count_ones() as usize, [0; 2]);
        while hits.bits != 0 {
            let bit = hits.bits.trailing_zeros() as usize;
            hits.bits &= hits.bits - 1;
            let group = bit / LANES;
            let (rank, other) = (hits.ranks[group], hits.firsts[group] + (bit % LANES) as u32);
            let [here, there] = [rank as usize, other as usize];
            let apart = !self.round
                && (0..D).fold(false, |any, axis| {
                    let between = hits.middles[group][axis] - self.middles[axis][there];
                    any | (between.abs() > self.halves[here][axis] + self.halves[there][axis])
                });
            let [a, b] = [&self.places[here], &self.places[there]];
            pairs[count] = if a.index < b.index { [rank, other] } else { [other, rank] };
            // whether bodies may meet is mostly the same answer, whether boxes overlap is not
            let may = a.body != b.body && may_meet(a.body, b.body);
            count += usize::from(may & !apart);
        }
        pairs.truncate(count);
        hits.groups = 0;
    }

    /// Moves a window on by whole steps, so that the step is easily guessed.
    #[inline]
    fn advance(&self, window: &mut Window<D>, behind: f32) {
        const STEP: usize = LANES / 2;
        while window.first + STEP < window.end && self.middles[0][window.first + STEP] < behind - window.half
        {
            window.first += STEP;
        }
    }

    /// Looks at the boxes of a window, up to where they are too far ahead.
    #[inline(always)]
    fn look(&self, rank: usize, window: &Window<D>, hits: &mut Hits<D>, meet: &mut impl FnMut(&mut Hits<D>)) {
        // one length for all: one check of bounds
        let count = self.radii.len();
        let middles = self.middles.each_ref().map(|middles| &middles[..count]);
        let radius = self.radii[rank];
        let own: [f32; D] = std::array::from_fn(|axis| middles[axis][rank] - window.corner[axis]);
        // no side of the box is longer than twice the radius of its ball
        let ahead = (middles[0][rank] + radius + window.half) * (1.0 + 4.0 * f32::EPSILON);
        let mut first = window.first;
        while first < window.end && middles[0][first] <= ahead {
            let Some(radii) = lanes(&self.radii, first) else { return };
            let mut square = f32x8::ZERO;
            for axis in 0..D {
                let Some(others) = lanes(middles[axis], first) else { return };
                let between = others - f32x8::splat(own[axis]);
                square += between * between;
            }
            let reach = radii + f32x8::splat(radius);
            // what is no number is looked at; beyond the end of the row is another
            let mut found = !square.simd_gt(reach * reach).to_bitmask() & ((1 << LANES) - 1);
            found &= ((1u64 << (window.end - first).min(LANES)) - 1) as u32;
            let group = hits.groups;
            hits.bits |= u64::from(found) << (LANES * group);
            (hits.ranks[group], hits.firsts[group], hits.middles[group]) = (rank as u32, first as u32, own);
            hits.groups += 1;
            if hits.groups == LANES {
                meet(hits);
            }
            first += LANES;
        }
    }

    /// The rows that boxes of one row look at: those of its level ahead of it, and those of larger boxes within reach.
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
            // in halves of a row of ours: a row and a half of ours, and half of theirs, around the middle of ours
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

/// Eight numbers from this place on.
#[inline(always)]
fn lanes(numbers: &[f32], first: usize) -> Option<f32x8> {
    let eight: [f32; LANES] = numbers.get(first..first + LANES)?.try_into().ok()?;
    Some(f32x8::new(eight))
}
