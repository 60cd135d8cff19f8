//! Vectors by coordinates, four side by side, to be measured along one direction together. It knows no shapes.
//!
//! Products are summed in the order of the coordinates, as `Vector::dot` does: the numbers are the same to the bit.

use drystone_math::Vector;
use wide::f64x4;

/// Vectors measured together.
pub(crate) const WIDTH: usize = 4;

/// Some vectors, at least one; the last of them fills up the last group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Columns<const D: usize> {
    groups: Vec<[f64x4; D]>,
}

/// A direction, each coordinate in all lanes.
#[derive(Clone, Copy)]
struct Spread<const D: usize>([f64x4; D]);

impl<const D: usize> Spread<D> {
    #[inline(always)]
    fn of(direction: &Vector<D>) -> Self {
        Self(std::array::from_fn(|axis| f64x4::splat(direction[axis])))
    }

    #[inline(always)]
    fn dot(&self, group: &[f64x4; D]) -> f64x4 {
        let mut sum = self.0[0] * group[0];
        for axis in 1..D {
            sum += self.0[axis] * group[axis];
        }
        sum
    }
}

/// The largest number so far in every lane and its place: without branches, of which one in two would be guessed wrong.
struct Foremost {
    most: f64x4,
    place: f64x4,
    next: f64x4,
}

impl Foremost {
    #[inline(always)]
    fn none() -> Self {
        Self {
            most: f64x4::splat(f64::NEG_INFINITY),
            place: f64x4::ZERO,
            next: f64x4::new([0.0, 1.0, 2.0, 3.0]),
        }
    }

    #[inline(always)]
    fn see(&mut self, four: f64x4) {
        let ahead = four.simd_gt(self.most);
        self.most = four.fast_max(self.most);
        self.place = ahead.bitselect(self.next, self.place);
        self.next += f64x4::splat(WIDTH as f64);
    }

    /// The first place of the largest number, and the number; place 0 if none is one.
    #[inline(always)]
    fn first(&self) -> (usize, f64) {
        let most = highest(self.most);
        let there = self.most.simd_eq(f64x4::splat(most));
        (lowest(there.bitselect(self.place, f64x4::splat(f64::INFINITY))) as usize, most)
    }
}

impl<const D: usize> Columns<D> {
    pub fn of<'a>(vectors: impl ExactSizeIterator<Item = &'a Vector<D>>) -> Self {
        let mut columns = Self::default();
        columns.fill(vectors);
        columns
    }

    /// Replaces the vectors; as many as before take no memory.
    pub fn fill<'a>(&mut self, vectors: impl ExactSizeIterator<Item = &'a Vector<D>>) {
        self.groups.clear();
        self.groups.resize(vectors.len().div_ceil(WIDTH), [f64x4::ZERO; D]);
        let mut last = (0, Vector::zeros());
        for (index, vector) in vectors.enumerate() {
            self.set(index, vector);
            last = (index, *vector);
        }
        (last.0 + 1..self.groups.len() * WIDTH).for_each(|index| self.set(index, &last.1));
    }

    fn set(&mut self, index: usize, vector: &Vector<D>) {
        let group = &mut self.groups[index / WIDTH];
        (0..D).for_each(|axis| set(&mut group[axis..=axis], index % WIDTH, vector[axis]));
    }

    /// The least height of any vector along a direction.
    #[inline]
    pub fn least(&self, direction: &Vector<D>) -> f64 {
        let direction = Spread::of(direction);
        let all = f64x4::splat(f64::INFINITY);
        lowest(self.groups.iter().fold(all, |least, group| direction.dot(group).fast_min(least)))
    }

    /// The first of the vectors farthest along a direction, and how far.
    #[inline(always)]
    pub fn foremost(&self, direction: &Vector<D>) -> (usize, f64) {
        let direction = Spread::of(direction);
        let mut best = Foremost::none();
        self.groups.iter().for_each(|group| best.see(direction.dot(group)));
        best.first()
    }

    /// Replaces `heights` by those of all vectors along a direction less `levels`, which come four by four, too; the
    /// first of the highest.
    #[inline(always)]
    pub fn heights_over(&self, direction: &Vector<D>, levels: &[f64x4], heights: &mut Vec<f64x4>) -> usize {
        let direction = Spread::of(direction);
        let mut best = Foremost::none();
        heights.clear();
        heights.extend(self.groups.iter().zip(levels).map(|(group, level)| {
            let height = direction.dot(group) - level;
            best.see(height);
            height
        }));
        best.first().0
    }

    /// Replaces `heights` by those of all vectors along a direction.
    #[inline]
    pub fn heights(&self, direction: &Vector<D>, heights: &mut Vec<f64x4>) {
        let direction = Spread::of(direction);
        heights.clear();
        heights.extend(self.groups.iter().map(|group| direction.dot(group)));
    }
}

/// Numbers four by four, filled up with another.
pub(crate) fn pack(numbers: impl ExactSizeIterator<Item = f64>, rest: f64) -> Vec<f64x4> {
    let mut packed = vec![f64x4::splat(rest); numbers.len().div_ceil(WIDTH)];
    numbers.enumerate().for_each(|(index, number)| set(&mut packed, index, number));
    packed
}

/// One of numbers that come four by four.
#[inline(always)]
pub(crate) fn at(packed: &[f64x4], index: usize) -> f64 {
    packed[index / WIDTH].as_array()[index % WIDTH]
}

/// Replaces one of numbers that come four by four.
#[inline(always)]
pub(crate) fn set(packed: &mut [f64x4], index: usize, number: f64) {
    packed[index / WIDTH].as_mut_array()[index % WIDTH] = number;
}

/// The largest of all; no number is not one.
#[inline]
pub(crate) fn largest(packed: &[f64x4]) -> f64 {
    highest(packed.iter().fold(f64x4::splat(f64::NEG_INFINITY), |most, four| four.fast_max(most)))
}

/// Calls `each` with the places of the numbers that are not below a level, in order: all are compared before the first
/// call, so that only the end of the calls must be guessed.
#[inline(always)]
pub(crate) fn for_each_from(packed: &[f64x4], level: f64, mut each: impl FnMut(usize)) {
    let level = f64x4::splat(level);
    for (chunk, groups) in packed.chunks(64 / WIDTH).enumerate() {
        let mut found = 0u64;
        for (rank, four) in groups.iter().enumerate() {
            found |= u64::from(four.simd_ge(level).to_bitmask()) << (WIDTH * rank);
        }
        while found != 0 {
            each(chunk * 64 + found.trailing_zeros() as usize);
            found &= found - 1;
        }
    }
}

/// The first place of the largest of numbers that come four by four, and the number.
#[inline(always)]
pub(crate) fn first_largest(packed: &[f64x4]) -> (usize, f64) {
    let mut best = Foremost::none();
    packed.iter().for_each(|four| best.see(*four));
    best.first()
}

#[inline(always)]
fn lowest(four: f64x4) -> f64 {
    let [a, b, c, d] = four.to_array();
    let less = |a: f64, b: f64| if a < b { a } else { b };
    less(less(a, b), less(c, d))
}

#[inline(always)]
fn highest(four: f64x4) -> f64 {
    let [a, b, c, d] = four.to_array();
    let more = |a: f64, b: f64| if a > b { a } else { b };
    more(more(a, b), more(c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One by one, with the plain product.
    #[test]
    fn four_by_four_is_one_by_one_to_the_bit() {
        let wave = |k: usize, rate: f64| (k as f64 * rate).sin();
        for count in [1, 2, 3, 4, 5, 12, 31, 32, 33, 70] {
            let vectors: Vec<_> =
                (0..count).map(|k| Vector::<3>::new(wave(k, 0.7), wave(k, 1.9), wave(k, 3.1))).collect();
            let columns = Columns::of(vectors.iter());
            for turn in 0..40 {
                let way = Vector::<3>::new(wave(turn, 0.3), wave(turn, 1.1), wave(turn, 2.3));
                let plain: Vec<f64> = vectors.iter().map(|vector| way.dot(vector)).collect();
                let most = plain.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let first = plain.iter().position(|&height| height == most).unwrap();
                assert_eq!(columns.foremost(&way), (first, most));
                assert_eq!(columns.least(&way), plain.iter().copied().fold(f64::INFINITY, f64::min));
                let mut heights = Vec::new();
                let levels = pack(vec![0.25; count].into_iter(), f64::INFINITY);
                assert_eq!(columns.heights_over(&way, &levels, &mut heights), first);
                assert!((0..count).all(|k| at(&heights, k) == plain[k] - 0.25));
                assert_eq!(largest(&heights), most - 0.25);
                assert_eq!(first_largest(&heights), (first, most - 0.25));
                let mut found = Vec::new();
                for_each_from(&heights, -0.25, |k| found.push(k));
                assert!(found.into_iter().eq((0..count).filter(|&k| plain[k] - 0.25 >= -0.25)));
            }
        }
    }
}
