//! Boxes in rows of several widths, to bring near ones together. It knows boxes by number; what they hold is
//! not its matter.
//!
//! Space is cut across one of its longer sides into rows. A box lies in one row, that of its middle, on the
//! level whose rows are just wider than the box, and a row is sorted along its length. Two boxes of a level
//! overlap only from neighbouring rows, where a window slides along with the box that looks (see `window`); a
//! box looks for larger ones on their levels: a size ratio of 1:1000 costs ten levels, not a thousand rows.
//! Rows that hold nothing are not kept, so that the world has no border.

use drystone_math::Vector;
use rayon::prelude::*;

use crate::broad::row_key::{BITS, LANES, LAST, SINGLE, SLACK, level_of, number, side};
use crate::broad::samplesort::{Order, Sorter};
use drystone_geometry::aabb::{Aabb, Bounds, max_or_first};

/// More levels than this would only hold specks of no size at all.
const LEVELS: usize = 48;
/// Samples of each block of the sort.
const SAMPLES: usize = 8;

/// Which box has a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridPlace {
    pub index: u32,
    pub body: u32,
}

/// Where one row begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridRow {
    /// Level, then the numbers across: rows of a level follow each other.
    pub key: u64,
    pub start: u32,
}

/// The rows and their boxes, kept from call to call. Boxes in rows have ranks, row by row and along each.
#[derive(Debug)]
pub(crate) struct Grid<const D: usize> {
    /// The side of the world along which rows lie, then the others.
    pub axes: [usize; D],
    /// Lowest corner of the world.
    origin: Vector<D>,
    /// Largest side of any box, the unit of all that follows, and one over it.
    top: f64,
    scale: f64,
    keys: Vec<Vec<u128>>,
    samples: Vec<u128>,
    sorter: Sorter<u128>,
    /// By rank; half-spaces, which are in no row, come after all others.
    pub places: Vec<GridPlace>,
    /// Number of boxes in rows.
    pub count: usize,
    /// Boxes in no row.
    others: Vec<u32>,
    /// Middles by rank: along the row from the corner of the world, across it from the corner of the row.
    pub middles: [Vec<f32>; D],
    /// Radii of balls that hold the boxes, by rank, with all that rounding may take.
    pub radii: Vec<f32>,
    /// Whether all boxes are those of balls: then the balls tell all.
    pub round: bool,
    /// Half the sides of the boxes, by rank, with as much.
    pub halves: Vec<[f32; D]>,
    /// Sorted by key, with one more at the end.
    pub rows: Vec<GridRow>,
    /// Rows that begin in each part, and whether all its boxes are those of balls.
    begun: Vec<(Vec<GridRow>, bool)>,
    /// The levels that hold boxes.
    pub used: Vec<u32>,
}

impl<const D: usize> Default for Grid<D> {
    fn default() -> Self {
        Self {
            axes: std::array::from_fn(|axis| axis),
            origin: Vector::zeros(),
            top: 1.0,
            scale: 1.0,
            keys: Vec::new(),
            samples: Vec::new(),
            sorter: Sorter::default(),
            places: Vec::new(),
            count: 0,
            others: Vec::new(),
            middles: std::array::from_fn(|_| Vec::new()),
            radii: Vec::new(),
            round: false,
            halves: Vec::new(),
            rows: Vec::new(),
            begun: Vec::new(),
            used: Vec::new(),
        }
    }
}

/// What is known of the world.
#[derive(Clone, Copy)]
pub(crate) struct World<const D: usize> {
    /// Largest side of any box.
    largest: f64,
    low: [f64; D],
    high: [f64; D],
    /// Whether all boxes so far are finite; those that are not count for nothing else.
    finite: bool,
}

impl<const D: usize> World<D> {
    pub const NONE: Self =
        Self { largest: 0.0, low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D], finite: true };

    #[inline(always)]
    pub fn add(&mut self, extent: &Aabb<D>) {
        if !extent.is_finite() {
            self.finite = false;
            return;
        }
        self.largest = max_or_first(self.largest, extent.largest());
        for axis in 0..D {
            self.low[axis] = -max_or_first(-self.low[axis], -extent.low[axis]);
            self.high[axis] = max_or_first(self.high[axis], extent.high[axis]);
        }
    }

    pub fn join(self, other: Self) -> Self {
        Self {
            largest: max_or_first(self.largest, other.largest),
            low: std::array::from_fn(|axis| -max_or_first(-self.low[axis], -other.low[axis])),
            high: std::array::from_fn(|axis| max_or_first(self.high[axis], other.high[axis])),
            finite: self.finite & other.finite,
        }
    }
}

/// Things handled by one task: a matter of their number alone, so that results do not depend on the number of
/// threads.
pub(crate) fn chunk(count: usize) -> usize {
    count.div_ceil(1024).clamp(64, 4096)
}

impl<const D: usize> Grid<D> {
    /// Puts every box in its row, once the world is surveyed; `place` tells which and whose it is. Boxes that
    /// are not finite are left out, but those of `others` get the last ranks. What is nearly in order takes
    /// little time.
    pub fn fill(
        &mut self,
        bounds: &[Bounds<D>],
        place: &(impl Fn(usize) -> GridPlace + Sync),
        others: &[u32],
    ) {
        let size = chunk(bounds.len());
        let lists = bounds.len().div_ceil(size);
        if self.keys.len() < lists {
            self.keys.resize_with(lists, Vec::new);
            self.begun.resize_with(lists, Default::default);
        }
        let mut keys = std::mem::take(&mut self.keys);
        keys[..lists].par_iter_mut().enumerate().for_each(|(list, keys)| {
            let some = list * size..((list + 1) * size).min(bounds.len());
            keys.clear();
            keys.extend(some.filter_map(|at| self.key(&bounds[at].aabb, at)));
        });
        self.keys = keys;
        self.sort(lists, bounds.len() / 512);
        self.gather(bounds, place, size);
        self.others.clear();
        self.others.extend_from_slice(others);
        self.places.extend(others.iter().map(|&other| place(other as usize)));
    }

    /// Which of the boxes given has a rank in a row.
    pub fn came_from(&self, rank: usize) -> usize {
        self.sorter.sorted()[rank] as u32 as usize
    }

    /// Which of the boxes given has which rank, those outside of rows at the end.
    pub fn order(&self) -> impl IndexedParallelIterator<Item = u32> {
        let rows = self.sorter.sorted().par_iter().map(|&key| key as u32);
        rows.chain(self.others.par_iter().copied())
    }

    /// Takes the measures of the world: its corner, its longest side, the largest box. Whether all boxes are
    /// finite.
    pub fn survey(&mut self, world: World<D>) -> bool {
        let World { largest, low, high, finite } = world;
        let [low, high] = [low, high].map(Vector::<D>::from);
        self.top = if largest > 0.0 { largest * (1.0 + SLACK) } else { 1.0 };
        self.scale = 1.0 / self.top;
        self.origin = low;
        let sides = high - low;
        self.axes = std::array::from_fn(|axis| axis);
        // only if it is much longer: rows that turn from step to step would have to be sorted anew
        let longest = sides.imax();
        if sides[longest] > 2.0 * sides[0] {
            self.axes.swap(0, longest);
        }
        finite
    }

    /// Middle of a box from the corner of the world, in units of the largest box, axes in the order of the
    /// rows.
    fn middle(&self, extent: &Aabb<D>) -> [f64; D] {
        self.axes.map(|axis| {
            let middle = 0.5 * (extent.low[axis] + extent.high[axis]);
            let from = (middle - self.origin[axis]) * self.scale;
            if from > 0.0 { from } else { 0.0 }
        })
    }

    /// Level and numbers of the row, place along it, and which box it is; none for a box that is not finite.
    fn key(&self, extent: &Aabb<D>, at: usize) -> Option<u128> {
        if !extent.is_finite() {
            return None;
        }
        // each level halves the rows: the deepest whose rows still hold the box
        let ratio = self.top / (extent.largest() * (1.0 + SLACK));
        let level = if ratio < 2.0 { 0 } else { exponent(ratio).min(LEVELS as u32 - 1) };
        let middle = self.middle(extent);
        let mut row = u64::from(level);
        for &across in middle[1..].iter().rev() {
            // a conversion from a float stays within bounds
            row = row << BITS | ((across * f64::from_bits(u64::from(1023 + level) << 52)) as u64).min(LAST);
        }
        let along = middle[0] as f32;
        Some(u128::from(row) << 64 | u128::from(along.to_bits()) << 32 | at as u128)
    }

    /// Sorts the keys, by blocks whose limits come from a sample.
    fn sort(&mut self, lists: usize, blocks: usize) {
        let blocks = blocks.clamp(1, 256);
        let lists = &self.keys[..lists];
        let total: usize = lists.iter().map(Vec::len).sum();
        let stride = (total / (SAMPLES * blocks)).max(1);
        self.samples.clear();
        let mut skip = 0;
        for list in lists {
            self.samples.extend(list.iter().skip(skip).step_by(stride));
            skip = (stride - (list.len() + stride - skip) % stride) % stride;
        }
        self.samples.sort_unstable();
        let every = self.samples.len() / blocks;
        // too few to tell blocks apart are one block
        let limits = if every == 0 { 0 } else { blocks - 1 };
        for block in 0..limits {
            self.samples[block] = self.samples[(block + 1) * every];
        }
        self.samples.truncate(limits);
        self.sorter.sort(lists, &Limits(&self.samples));
    }

    /// Brings the boxes into the order of their keys and notes where rows begin.
    fn gather(&mut self, bounds: &[Bounds<D>], place: &(impl Fn(usize) -> GridPlace + Sync), size: usize) {
        let mut begun = std::mem::take(&mut self.begun);
        let mut places = std::mem::take(&mut self.places);
        let mut radii = std::mem::take(&mut self.radii);
        let mut halves = std::mem::take(&mut self.halves);
        let mut middles = std::mem::replace(&mut self.middles, std::array::from_fn(|_| Vec::new()));
        let keys = self.sorter.sorted();
        self.count = keys.len();
        places.resize(self.count, GridPlace::default());
        // whole lanes can be read past the last
        radii.resize(self.count + LANES, 0.0);
        halves.resize(self.count, [0.0; D]);
        middles.iter_mut().for_each(|middles| middles.resize(self.count + LANES, 0.0));
        let mut tasks: Vec<_> = {
            let mut middles = middles.each_mut().map(|list| list[..keys.len()].chunks_mut(size));
            let places = places.chunks_mut(size).zip(radii[..keys.len()].chunks_mut(size));
            let places = places.zip(halves.chunks_mut(size));
            let places = places.zip(&mut begun).enumerate();
            places
                .map(|(task, one)| {
                    (task, one, middles.each_mut().map(|list| list.next().unwrap_or_default()))
                })
                .collect()
        };
        tasks.par_iter_mut().for_each(|(task, (((places, radii), halves), (begun, round)), middles)| {
            let first = *task * size;
            let mut before = first.checked_sub(1).map(|rank| (keys[rank] >> 64) as u64);
            begun.clear();
            *round = true;
            for (k, &key) in keys[first..first + places.len()].iter().enumerate() {
                let at = key as u32 as usize;
                let one = &bounds[at];
                places[k] = place(at);
                let row = (key >> 64) as u64;
                let middle = self.middle(&one.aabb);
                let level = level_of::<D>(row);
                let mut far = 0.0;
                for (axis, list) in middles.iter_mut().enumerate() {
                    let corner = if axis == 0 { 0.0 } else { number::<D>(row, axis) as f64 * side(level) };
                    list[k] = (middle[axis] - corner) as f32;
                    far += middle[axis] - corner;
                }
                // relative to the ball, to the row and to the place in it
                let rounding = 1e-5 * side(level) + 4.0 * SINGLE * far;
                let generous = |length: f64| (length * self.scale * (1.0 + 1e-5) + rounding) as f32;
                radii[k] = generous(one.radius);
                halves[k] = self.axes.map(|axis| generous(0.5 * (one.aabb.high[axis] - one.aabb.low[axis])));
                *round &= halves[k].iter().fold(true, |all, half| all & (*half >= 0.999 * radii[k]));
                if before != Some(row) {
                    begun.push(GridRow { key: row, start: (first + k) as u32 });
                    before = Some(row);
                }
            }
        });
        drop(tasks);
        self.rows.clear();
        let parts = &begun[..keys.len().div_ceil(size)];
        parts.iter().for_each(|(rows, _)| self.rows.extend_from_slice(rows));
        self.round = parts.iter().all(|(_, round)| *round);
        self.used.clear();
        for row in &self.rows {
            let level = level_of::<D>(row.key);
            if self.used.last() != Some(&level) {
                self.used.push(level);
            }
        }
        self.rows.push(GridRow { key: u64::MAX, start: keys.len() as u32 });
        (self.begun, self.places, self.radii, self.halves, self.middles) =
            (begun, places, radii, halves, middles);
    }
}

/// Keys in blocks that end where these begin.
struct Limits<'a>(&'a [u128]);

impl Order<u128> for Limits<'_> {
    type Key = u128;

    fn key(&self, key: &u128) -> u128 {
        *key
    }

    fn blocks(&self) -> usize {
        self.0.len() + 1
    }

    fn block(&self, key: &u128, hint: usize) -> usize {
        let below = hint == 0 || self.0[hint - 1] <= *key;
        let above = self.0.get(hint).is_none_or(|limit| key < limit);
        if below && above { hint } else { self.0.partition_point(|limit| limit <= key) }
    }
}

/// The whole part of the logarithm to the base 2 of a number not below 1.
fn exponent(number: f64) -> u32 {
    ((number.to_bits() >> 52) as u32 & 0x7ff) - 1023
}
