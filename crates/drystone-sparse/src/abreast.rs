//! Vectors side by side, for every degree of freedom a number of each: sums and products of them, with the
//! vector instructions of the machine. Every vector has the bits that it has alone. Knows no matrix.

use drystone_math::instructions;
use fearless_simd::dispatch;

// All of it has plain loops over the vectors: arrays made by functions are not vectorised, and what is not
// part of the one function that `dispatch` compiles anew has not its instructions.

/// Sums of products of vectors side by side, in order.
pub fn dots_abreast<const W: usize>(a: &[[f64; W]], b: &[[f64; W]]) -> [f64; W] {
    dispatch!(instructions::level(), _simd => dots(a, b))
}

#[inline(always)]
fn dots<const W: usize>(a: &[[f64; W]], b: &[[f64; W]]) -> [f64; W] {
    let mut sum = [0.0; W];
    for (a, b) in a.iter().zip(b) {
        for k in 0..W {
            sum[k] += a[k] * b[k];
        }
    }
    sum
}

/// The same of vectors side by side with each of some that stand for all, in their order.
pub fn dots_with_each<const W: usize>(each: &[&[f64]], b: &[[f64; W]]) -> Vec<[f64; W]> {
    let mut sums = vec![[0.0; W]; each.len()];
    let (threes, rest) = (each.as_chunks::<3>(), &mut sums[..]);
    let (in_threes, ones) = rest.split_at_mut(3 * threes.0.len());
    for (each, sums) in threes.0.iter().zip(in_threes.as_chunks_mut::<3>().0) {
        *sums = dispatch!(instructions::level(), _simd => dots_with(*each, b));
    }
    for (each, sum) in threes.1.iter().zip(ones) {
        [*sum] = dispatch!(instructions::level(), _simd => dots_with([*each], b));
    }
    sums
}

/// Several sums at once: none of them waits for another.
#[inline(always)]
fn dots_with<const C: usize, const W: usize>(each: [&[f64]; C], b: &[[f64; W]]) -> [[f64; W]; C] {
    let mut sums = [[0.0; W]; C];
    let each = each.map(|one| &one[..b.len()]);
    for (i, b) in b.iter().enumerate() {
        for c in 0..C {
            for k in 0..W {
                sums[c][k] += each[c][i] * b[k];
            }
        }
    }
    sums
}

/// Takes multiples of some vectors from vectors side by side, each with a factor of its own, all at once.
pub fn subtract_each<const W: usize>(from: &mut [[f64; W]], each: &[&[f64]], factors: &[[f64; W]]) {
    dispatch!(instructions::level(), _simd => subtract(from, each, factors));
}

#[inline(always)]
fn subtract<const W: usize>(from: &mut [[f64; W]], each: &[&[f64]], factors: &[[f64; W]]) {
    for (i, x) in from.iter_mut().enumerate() {
        let mut sum = [0.0; W];
        for (one, factor) in each.iter().zip(factors) {
            for k in 0..W {
                sum[k] += factor[k] * one[i];
            }
        }
        for k in 0..W {
            x[k] -= sum[k];
        }
    }
}

/// A vector of what a function gives of two.
#[inline]
pub fn of_both_abreast<const W: usize>(
    a: &[[f64; W]],
    b: &[[f64; W]],
    f: impl Fn(f64, f64) -> f64,
) -> Vec<[f64; W]> {
    let mut all = vec![[0.0; W]; a.len().min(b.len())];
    dispatch!(instructions::level(), _simd => of_both(&mut all, a, b, &f));
    all
}

#[inline(always)]
fn of_both<const W: usize>(
    all: &mut [[f64; W]],
    a: &[[f64; W]],
    b: &[[f64; W]],
    f: &impl Fn(f64, f64) -> f64,
) {
    for ((all, a), b) in all.iter_mut().zip(a).zip(b) {
        for k in 0..W {
            all[k] = f(a[k], b[k]);
        }
    }
}

/// Changes a vector by a function of it and of another.
#[inline]
pub fn change_abreast<const W: usize>(a: &mut [[f64; W]], b: &[[f64; W]], f: impl Fn(f64, f64) -> f64) {
    dispatch!(instructions::level(), _simd => change(a, b, &f));
}

#[inline(always)]
fn change<const W: usize>(a: &mut [[f64; W]], b: &[[f64; W]], f: &impl Fn(f64, f64) -> f64) {
    for (a, b) in a.iter_mut().zip(b) {
        for k in 0..W {
            a[k] = f(a[k], b[k]);
        }
    }
}

/// Largest sum of the squares of `D` numbers that follow each other, of each vector.
pub fn largest_squares_abreast<const D: usize, const W: usize>(v: &[[f64; W]]) -> [f64; W] {
    dispatch!(instructions::level(), _simd => largest_squares::<D, W>(v))
}

#[inline(always)]
fn largest_squares<const D: usize, const W: usize>(v: &[[f64; W]]) -> [f64; W] {
    let mut most = [0.0; W];
    for node in v.as_chunks::<D>().0 {
        let mut square = [0.0; W];
        for v in node {
            for k in 0..W {
                square[k] += v[k] * v[k];
            }
        }
        for k in 0..W {
            most[k] = if square[k] > most[k] { square[k] } else { most[k] };
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<const W: usize>(seed: usize, count: usize) -> Vec<[f64; W]> {
        let number = |k: usize| ((k * 7919 + seed * 104_729) % 1013) as f64 / 1013.0 - 0.5;
        (0..count).map(|i| std::array::from_fn(|k| number(i * 8 + k))).collect()
    }

    /// One of the vectors that are side by side.
    fn alone(all: &[[f64; 8]], k: usize) -> Vec<[f64; 1]> {
        all.iter().map(|all| [all[k]]).collect()
    }

    /// Whatever the machine has, each vector has the bits of plain sums over it alone.
    #[test]
    fn vectors_side_by_side_have_the_bits_of_each_alone() {
        let (a, b) = (numbers::<8>(1, 46), numbers::<8>(2, 46));
        let each: Vec<Vec<f64>> = (3..8).map(|seed| numbers::<1>(seed, 46).into_flattened()).collect();
        let each: Vec<&[f64]> = each.iter().map(Vec::as_slice).collect();
        let factors = numbers::<8>(9, 5);
        let (sums, with) = (dots_abreast(&a, &b), dots_with_each(&each, &a));
        let mut less = a.clone();
        subtract_each(&mut less, &each, &factors);
        let both = of_both_abreast(&a, &b, |a, b| a + 0.3 * b);
        let mut changed = a.clone();
        change_abreast(&mut changed, &b, |a, b| a - 0.7 * b);
        let largest = largest_squares_abreast::<2, 8>(&a);
        for k in 0..8 {
            let (a, b) = (alone(&a, k), alone(&b, k));
            let sum =
                |b: &mut dyn Iterator<Item = f64>| a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a[0] * b);
            assert_eq!(sums[k], sum(&mut b.iter().map(|b| b[0])));
            for (each, with) in each.iter().zip(&with) {
                assert_eq!(with[k], sum(&mut each.iter().copied()));
            }
            for i in 0..a.len() {
                let field =
                    each.iter().zip(&factors).fold(0.0, |sum, (each, factor)| sum + factor[k] * each[i]);
                assert_eq!(less[i][k], a[i][0] - field);
                assert_eq!(both[i][k], a[i][0] + 0.3 * b[i][0]);
                assert_eq!(changed[i][k], a[i][0] - 0.7 * b[i][0]);
            }
            let square = |two: &[[f64; 1]]| two[0][0] * two[0][0] + two[1][0] * two[1][0];
            assert_eq!(largest[k], a.chunks(2).map(square).fold(0.0, f64::max));
        }
    }
}
