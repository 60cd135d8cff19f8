//! Vectors by coordinates, four side by side, to be measured along one direction together. It knows no
//! shapes.
//!
//! Products are summed in the order of the coordinates, as `Vector::dot` does: the numbers are the same to
//! the bit, on whatever instructions. What is measured for every pair takes those that the caller found; the
//! rest asks the machine. Only what is inlined into the place where they were found runs on them: hence
//! `inline(always)`, on closures, too.

use drystone_math::Vector;
use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f64x4, mask64x4, prelude::*};

/// Vectors measured together.
pub const WIDTH: usize = 4;

/// Four numbers in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Four([f64; WIDTH]);

impl Four {
    /// Zeros.
    pub const ZERO: Self = Self::splat(0.0);

    /// One number four times.
    pub const fn splat(number: f64) -> Self {
        Self([number; WIDTH])
    }

    /// The numbers in a register.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> f64x4<S> {
        f64x4::from_slice(simd, &self.0)
    }

    #[inline(always)]
    fn of<S: Simd>(four: f64x4<S>) -> Self {
        let mut numbers = Self::ZERO;
        four.store_slice(&mut numbers.0);
        numbers
    }
}

/// Some vectors, at least one; the last of them fills up the last group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns<const D: usize> {
    groups: Vec<[Four; D]>,
}

/// A direction, each coordinate in all lanes.
#[derive(Clone, Copy)]
pub struct Spread<S: Simd, const D: usize>([f64x4<S>; D]);

impl<S: Simd, const D: usize> Spread<S, D> {
    /// Spreads a direction.
    #[inline(always)]
    pub fn of(simd: S, direction: &Vector<D>) -> Self {
        let mut spread = [f64x4::splat(simd, direction[0]); D];
        for axis in 1..D {
            spread[axis] = f64x4::splat(simd, direction[axis]);
        }
        Self(spread)
    }

    /// Its product with four vectors.
    #[inline(always)]
    pub fn dot(&self, simd: S, group: &[Four; D]) -> f64x4<S> {
        let mut sum = self.0[0] * group[0].load(simd);
        for axis in 1..D {
            sum += self.0[axis] * group[axis].load(simd);
        }
        sum
    }
}

/// The largest number so far in every lane and its place: without branches, of which one in two would be
/// guessed wrong.
struct Foremost<S: Simd> {
    simd: S,
    most: f64x4<S>,
    place: f64x4<S>,
    next: f64x4<S>,
}

impl<S: Simd> Foremost<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        Self {
            simd,
            most: f64x4::splat(simd, f64::NEG_INFINITY),
            place: f64x4::splat(simd, 0.0),
            next: f64x4::from_slice(simd, &[0.0, 1.0, 2.0, 3.0]),
        }
    }

    #[inline(always)]
    fn see(&mut self, four: f64x4<S>) {
        let ahead: mask64x4<S> = four.simd_gt(self.most);
        self.most = four.max(self.most);
        self.place = ahead.select(self.next, self.place);
        self.next += f64x4::splat(self.simd, WIDTH as f64);
    }

    /// The first place of the largest number, and the number; place 0 if none is one.
    #[inline(always)]
    fn first(&self) -> (usize, f64) {
        let most = highest(self.most);
        let there: mask64x4<S> = self.most.simd_eq(f64x4::splat(self.simd, most));
        let nowhere = f64x4::splat(self.simd, f64::INFINITY);
        (lowest(there.select(self.place, nowhere)) as usize, most)
    }
}

impl<const D: usize> Columns<D> {
    /// Takes some vectors.
    pub fn of<'a>(vectors: impl ExactSizeIterator<Item = &'a Vector<D>>) -> Self {
        let mut columns = Self::default();
        columns.fill(vectors);
        columns
    }

    /// Replaces the vectors; as many as before take no memory.
    pub fn fill<'a>(&mut self, vectors: impl ExactSizeIterator<Item = &'a Vector<D>>) {
        self.groups.clear();
        self.groups.resize(vectors.len().div_ceil(WIDTH), [Four::ZERO; D]);
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
    #[inline(always)]
    pub fn least<S: Simd>(&self, simd: S, direction: &Vector<D>) -> f64 {
        let direction = Spread::of(simd, direction);
        let mut least = f64x4::splat(simd, f64::INFINITY);
        for group in &self.groups {
            least = direction.dot(simd, group).min(least);
        }
        lowest(least)
    }

    /// The first of the vectors farthest along a direction, and how far.
    #[inline(always)]
    pub fn foremost<S: Simd>(&self, simd: S, direction: &Vector<D>) -> (usize, f64) {
        let direction = Spread::of(simd, direction);
        let mut best = Foremost::none(simd);
        for group in &self.groups {
            best.see(direction.dot(simd, group));
        }
        best.first()
    }

    /// Replaces `heights` by those of all vectors along a direction less `levels`, which come four by four,
    /// too; the first of the highest.
    #[inline(always)]
    pub fn heights_over<S: Simd>(
        &self,
        simd: S,
        direction: &Vector<D>,
        levels: &[Four],
        heights: &mut Vec<Four>,
    ) -> usize {
        let direction = Spread::of(simd, direction);
        let mut best = Foremost::none(simd);
        heights.resize(self.groups.len(), Four::ZERO);
        for ((group, level), place) in self.groups.iter().zip(levels).zip(heights) {
            let height = direction.dot(simd, group) - level.load(simd);
            best.see(height);
            *place = Four::of(height);
        }
        best.first().0
    }

    /// Replaces `heights` by those of all vectors along a direction.
    pub fn heights(&self, direction: &Vector<D>, heights: &mut Vec<Four>) {
        heights.resize(self.groups.len(), Four::ZERO);
        dispatch!(instructions::level(), simd => {
            let direction = Spread::of(simd, direction);
            for (group, place) in self.groups.iter().zip(heights) {
                *place = Four::of(direction.dot(simd, group));
            }
        });
    }

    /// The least coordinates of the vectors along each of some directions.
    pub fn least_of_all<const K: usize>(&self, directions: &[Vector<D>; K]) -> [f64; K] {
        dispatch!(instructions::level(), simd => {
            let mut least = [0.0; K];
            for (least, direction) in least.iter_mut().zip(directions) {
                *least = self.least(simd, direction);
            }
            least
        })
    }
}

/// Numbers four by four, filled up with another.
pub fn pack(numbers: impl ExactSizeIterator<Item = f64>, rest: f64) -> Vec<Four> {
    let mut packed = vec![Four::splat(rest); numbers.len().div_ceil(WIDTH)];
    numbers.enumerate().for_each(|(index, number)| set(&mut packed, index, number));
    packed
}

/// One of numbers that come four by four.
#[inline(always)]
pub fn at(packed: &[Four], index: usize) -> f64 {
    packed[index / WIDTH].0[index % WIDTH]
}

/// Replaces one of numbers that come four by four.
#[inline(always)]
pub fn set(packed: &mut [Four], index: usize, number: f64) {
    packed[index / WIDTH].0[index % WIDTH] = number;
}

/// The largest of all; no number is not one.
#[inline]
pub fn largest(packed: &[Four]) -> f64 {
    packed
        .iter()
        .flat_map(|four| four.0)
        .fold(f64::NEG_INFINITY, |most, one| if one > most { one } else { most })
}

/// Calls `each` with the places of the numbers that are not below a level, in order: all are compared before
/// the first call, so that only the end of the calls must be guessed.
#[inline(always)]
pub fn for_each_from<S: Simd>(simd: S, packed: &[Four], level: f64, mut each: impl FnMut(usize)) {
    let level = f64x4::splat(simd, level);
    for (chunk, groups) in packed.chunks(64 / WIDTH).enumerate() {
        let mut found = 0u64;
        for (rank, four) in groups.iter().enumerate() {
            found |= four.load(simd).simd_ge(level).to_bitmask() << (WIDTH * rank);
        }
        while found != 0 {
            each(chunk * 64 + found.trailing_zeros() as usize);
            found &= found - 1;
        }
    }
}

/// The first place of the largest of numbers that come four by four, and the number.
#[inline(always)]
pub fn first_largest<S: Simd>(simd: S, packed: &[Four]) -> (usize, f64) {
    let mut best = Foremost::none(simd);
    for four in packed {
        best.see(four.load(simd));
    }
    best.first()
}

#[inline(always)]
fn lowest<S: Simd>(four: f64x4<S>) -> f64 {
    let [a, b, c, d] = Four::of(four).0;
    let less = |a: f64, b: f64| if a < b { a } else { b };
    less(less(a, b), less(c, d))
}

#[inline(always)]
fn highest<S: Simd>(four: f64x4<S>) -> f64 {
    let [a, b, c, d] = Four::of(four).0;
    let more = |a: f64, b: f64| if a > b { a } else { b };
    more(more(a, b), more(c, d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::Level;

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
                let levels = pack(vec![0.25; count].into_iter(), f64::INFINITY);
                for level in [Level::new(), Level::baseline()] {
                    dispatch!(level, simd => {
                        assert_eq!(columns.foremost(simd, &way), (first, most));
                        let least = plain.iter().copied().fold(f64::INFINITY, f64::min);
                        assert_eq!(columns.least(simd, &way), least);
                        let mut heights = Vec::new();
                        assert_eq!(columns.heights_over(simd, &way, &levels, &mut heights), first);
                        assert!((0..count).all(|k| at(&heights, k) == plain[k] - 0.25));
                        assert_eq!(largest(&heights), most - 0.25);
                        assert_eq!(first_largest(simd, &heights), (first, most - 0.25));
                        let mut found = Vec::new();
                        for_each_from(simd, &heights, -0.25, |k| found.push(k));
                        assert!(found.into_iter().eq((0..count).filter(|&k| plain[k] - 0.25 >= -0.25)));
                    });
                }
            }
        }
    }
}
