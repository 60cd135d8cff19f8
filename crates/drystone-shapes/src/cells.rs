//! Cells of several sizes that bring near boxes together. It knows boxes by number; what they hold is not its matter.
//!
//! A box lies in one cell, that of its middle, on the level whose cells are just larger than it. Two boxes of a level
//! overlap only from neighbouring cells, and a box looks for larger ones on their levels: a size ratio of 1:1000 costs
//! ten levels, not a thousand cells. Cells are hashed by rows, so that neighbours in x are neighbours in memory and
//! the world has no border.

use drystone_math::Vector;
use rayon::prelude::*;

/// Boxes handled by one task; fixed, so that the order of the results does not depend on the number of threads.
const CHUNK: usize = 2048;
/// More levels than this would only hold specks of no size at all.
const LEVELS: usize = 48;
/// Cells are larger than their boxes by this, more than rounding can move a box.
const SLACK: f64 = 1e-6;

/// An axis-aligned box \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<const D: usize> {
    pub low: Vector<D>,
    pub high: Vector<D>,
}

impl<const D: usize> Extent<D> {
    pub fn overlaps(&self, other: &Self) -> bool {
        // all axes at once: a branch per axis would be guessed wrong half of the time
        (0..D).fold(true, |all, axis| {
            all & (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis])
        })
    }

    /// Largest side; zero if the box is not finite, for then it meets nothing.
    fn largest(&self) -> f64 {
        let side = (0..D).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max);
        if self.is_finite() { side } else { 0.0 }
    }

    /// Whether the box has a place and a size that cells can hold.
    fn is_finite(&self) -> bool {
        (0..D).all(|axis| self.low[axis].abs() < 1e300 && self.high[axis].abs() < 1e300)
    }
}

/// A box in its cell.
#[derive(Clone, Copy, Debug)]
struct Entry<const D: usize> {
    extent: Extent<D>,
    cell: [i64; D],
    level: u32,
    index: u32,
}

/// The cells and their boxes, kept from call to call.
#[derive(Debug)]
pub(crate) struct Cells<const D: usize> {
    /// Side of the cells of each level, the largest first.
    sides: Vec<f64>,
    /// Whether a level holds any box.
    used: Vec<bool>,
    unsorted: Vec<Entry<D>>,
    /// Sorted by bucket.
    entries: Vec<Entry<D>>,
    /// Entries of bucket `k` are `starts[k]..starts[k + 1]`.
    starts: Vec<u32>,
    mask: u64,
    found: Vec<Vec<[u32; 2]>>,
}

impl<const D: usize> Default for Cells<D> {
    fn default() -> Self {
        Self {
            sides: Vec::new(),
            used: Vec::new(),
            unsorted: Vec::new(),
            entries: Vec::new(),
            starts: Vec::new(),
            mask: 0,
            found: Vec::new(),
        }
    }
}

impl<const D: usize> Cells<D> {
    /// Appends to `pairs` every pair of overlapping boxes that `accept` lets pass, the lower index first, in an order
    /// that depends on the boxes alone. Boxes that are not finite meet nothing.
    pub fn overlapping(
        &mut self,
        extents: &[Extent<D>],
        accept: &(dyn Fn(u32, u32) -> bool + Sync),
        pairs: &mut Vec<[u32; 2]>,
    ) {
        self.fill(extents);
        let mut found = std::mem::take(&mut self.found);
        let chunks = self.entries.len().div_ceil(CHUNK);
        if found.len() < chunks {
            found.resize_with(chunks, Vec::new);
        }
        found[..chunks].par_iter_mut().enumerate().for_each(|(chunk, list)| {
            list.clear();
            let first = chunk * CHUNK;
            for rank in first..(first + CHUNK).min(self.entries.len()) {
                self.search(rank, &mut |one, other| {
                    let pair = [one.min(other), one.max(other)];
                    if accept(pair[0], pair[1]) {
                        list.push(pair);
                    }
                });
            }
        });
        found[..chunks].iter().for_each(|list| pairs.extend_from_slice(list));
        self.found = found;
    }

    /// Puts every box in its cell: a counting sort by bucket.
    fn fill(&mut self, extents: &[Extent<D>]) {
        let largest = extents.par_iter().with_min_len(CHUNK).map(Extent::largest).reduce(|| 0.0, f64::max);
        let top = if largest > 0.0 { largest * (1.0 + SLACK) } else { 1.0 };
        self.sides.clear();
        self.sides.extend((0..LEVELS).map(|level| top * 0.5f64.powi(level as i32)));
        let sides = &self.sides;
        let boxes = extents.par_iter().with_min_len(CHUNK).enumerate();
        boxes.map(|(index, extent)| entry(index as u32, extent, sides)).collect_into_vec(&mut self.unsorted);
        self.unsorted.retain(|entry| entry.level < LEVELS as u32);
        self.used.clear();
        self.used.resize(LEVELS, false);
        self.unsorted.iter().for_each(|entry| self.used[entry.level as usize] = true);
        self.sort();
    }

    fn sort(&mut self) {
        let buckets = (2 * self.unsorted.len()).next_power_of_two();
        self.mask = buckets as u64 - 1;
        let mask = self.mask;
        let bucket = |entry: &Entry<D>| (row(&entry.cell, entry.level, entry.cell[0]) & mask) as usize;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        self.unsorted.iter().for_each(|entry| self.starts[bucket(entry) + 1] += 1);
        for k in 0..buckets {
            self.starts[k + 1] += self.starts[k];
        }
        // what was there is overwritten: every place is taken once
        if let Some(any) = self.unsorted.first() {
            self.entries.resize(self.unsorted.len(), *any);
        } else {
            self.entries.clear();
        }
        // from the last to the first, each takes the last free place of its bucket
        for entry in self.unsorted.iter().rev() {
            let end = &mut self.starts[bucket(entry) + 1];
            *end -= 1;
            self.entries[*end as usize] = *entry;
        }
        // every end has moved down to its start: shift them back by one
        self.starts.remove(0);
        self.starts.push(self.unsorted.len() as u32);
    }

    /// Visits the boxes that overlap one box: those of its level in the cells that come after its own, and the larger
    /// ones wherever they are.
    fn search(&self, rank: usize, visit: &mut impl FnMut(u32, u32)) {
        let entry = &self.entries[rank];
        let mut meet = |other: &Entry<D>| visit(entry.index, other.index);
        for larger in (0..entry.level as usize).filter(|&larger| self.used[larger]) {
            let side = self.sides[larger];
            let reach = 0.5 * side * (1.0 + SLACK);
            let low = std::array::from_fn(|axis| cell_of(entry.extent.low[axis] - reach, side));
            let high = std::array::from_fn(|axis| cell_of(entry.extent.high[axis] + reach, side));
            self.visit_rows(&entry.extent, &low, &high, larger as u32, &mut meet);
        }
        // its own cell, then its own row ahead
        let [x, own] = [entry.cell[0], entry.cell[D - 1]];
        let mut low = entry.cell;
        let mut high = entry.cell;
        high[0] = x.saturating_add(1);
        self.visit_row(&entry.extent, &low, high[0], entry.level, &mut |other| {
            if (other.cell[0], other.index) > (x, entry.index) {
                meet(other);
            }
        });
        // rows ahead: in space those of the same layer first
        low[0] = x.saturating_sub(1);
        if D == 3 {
            low[1] = entry.cell[1].saturating_add(1);
            high[1] = low[1];
            self.visit_row(&entry.extent, &low, high[0], entry.level, &mut meet);
            low[1] = entry.cell[1].saturating_sub(1);
        }
        low[D - 1] = own.saturating_add(1);
        high[D - 1] = low[D - 1];
        self.visit_rows(&entry.extent, &low, &high, entry.level, &mut meet);
    }

    /// Visits every entry of a level in a block of cells that overlaps a box.
    fn visit_rows(
        &self,
        extent: &Extent<D>,
        low: &[i64; D],
        high: &[i64; D],
        level: u32,
        visit: &mut impl FnMut(&Entry<D>),
    ) {
        let mut cell = *low;
        loop {
            self.visit_row(extent, &cell, high[0], level, visit);
            // the next row: an odometer over the axes above x
            let mut axis = 1;
            while axis < D && cell[axis] >= high[axis] {
                cell[axis] = low[axis];
                axis += 1;
            }
            if axis >= D {
                return;
            }
            cell[axis] += 1;
        }
    }

    /// Visits the entries of one row from the cell to the cell at `last` along x: consecutive buckets.
    #[inline]
    fn visit_row(
        &self,
        extent: &Extent<D>,
        cell: &[i64; D],
        last: i64,
        level: u32,
        visit: &mut impl FnMut(&Entry<D>),
    ) {
        let count = last.saturating_sub(cell[0]).saturating_add(1).min(self.starts.len() as i64 - 1) as u64;
        let first = row(cell, level, cell[0]) & self.mask;
        let wrapped = (first + count).saturating_sub(self.mask + 1);
        let mut range = |from: u64, to: u64| {
            for entry in &self.entries[self.starts[from as usize] as usize..self.starts[to as usize] as usize]
            {
                // boxes first: they fail more often than cells
                if extent.overlaps(&entry.extent)
                    && entry.level == level
                    && entry.cell[1..] == cell[1..]
                    && (cell[0]..=last).contains(&entry.cell[0])
                {
                    visit(entry);
                }
            }
        };
        range(first, first + count - wrapped);
        if wrapped > 0 {
            range(0, wrapped);
        }
    }
}

/// The entry of a box; on a level that does not exist if the box is not finite.
fn entry<const D: usize>(index: u32, extent: &Extent<D>, sides: &[f64]) -> Entry<D> {
    let mut entry = Entry { extent: *extent, cell: [0; D], level: u32::MAX, index };
    if extent.is_finite() {
        // each level halves the cells: the deepest whose cells still hold the box
        let ratio = sides[0] / (extent.largest() * (1.0 + SLACK));
        let level = if ratio < 2.0 { 0 } else { (ratio.log2() as usize).min(LEVELS - 1) };
        let middle = |axis: usize| 0.5 * (extent.low[axis] + extent.high[axis]);
        entry.cell = std::array::from_fn(|axis| cell_of(middle(axis), sides[level]));
        entry.level = level as u32;
    }
    entry
}

fn cell_of(coordinate: f64, side: f64) -> i64 {
    // far beyond what a cell can number, all share the last: slow, but right
    let ratio = (coordinate / side).clamp(-4e18, 4e18);
    // rounded down by hand: the library function is a call where the processor is not known to round
    let towards_zero = ratio as i64;
    towards_zero - i64::from(towards_zero as f64 > ratio)
}

/// Number of the bucket before masking: the hash of the row, plus x.
fn row<const D: usize>(cell: &[i64; D], level: u32, x: i64) -> u64 {
    let mut hash = u64::from(level).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for &coordinate in &cell[1..] {
        hash = (hash ^ coordinate as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash.wrapping_add(x as u64)
}
