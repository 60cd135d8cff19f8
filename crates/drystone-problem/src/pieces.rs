//! Sums over all contacts or bodies on as many threads as there are, with the same bits on any number of
//! them. Knows nothing of what is summed.

use rayon::prelude::*;
use std::ops::Range;

/// Entries that one thread sums at a time.
pub(crate) const PIECE: usize = 2048;

/// A sum over so many entries: that of each piece of consecutive ones, added up in their order. Pieces are
/// the same on any number of threads, and so are the bits.
pub fn in_pieces<T: Default + Send>(
    count: usize,
    of: impl Fn(Range<usize>) -> T + Sync,
    add: impl Fn(&mut T, T),
) -> T {
    let piece = |number: usize| of(number * PIECE..((number + 1) * PIECE).min(count));
    let pieces = 0..count.div_ceil(PIECE);
    let mut sum = T::default();
    if pieces.len() > 1 && rayon::current_num_threads() > 1 {
        let all: Vec<T> = pieces.into_par_iter().map(piece).collect();
        all.into_iter().for_each(|piece| add(&mut sum, piece));
    } else {
        pieces.map(piece).for_each(|piece| add(&mut sum, piece));
    }
    sum
}

/// Whether it holds for any of so many entries, asked of many at a time.
pub fn any_in_pieces(count: usize, holds: impl Fn(usize) -> bool + Sync) -> bool {
    if count <= PIECE || rayon::current_num_threads() == 1 {
        return (0..count).any(holds);
    }
    (0..count.div_ceil(PIECE))
        .into_par_iter()
        .any(|piece| (piece * PIECE..((piece + 1) * PIECE).min(count)).any(&holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums have the same bits on one thread and on several, and every entry is in them once.
    #[test]
    fn sums_do_not_depend_on_threads() {
        let value = |k: usize| 1.0 / (1.0 + k as f64);
        let on = |threads: usize, count: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                in_pieces(count, |piece| piece.map(value).sum::<f64>(), |sum, piece| *sum += piece)
            })
        };
        for count in [0, 1, PIECE, PIECE + 1, 5 * PIECE + 17] {
            let (one, three): (f64, f64) = (on(1, count), on(3, count));
            assert_eq!(one.to_bits(), three.to_bits());
            let plain: f64 = (0..count).map(value).sum();
            assert!((one - plain).abs() <= 1e-13 * plain);
            assert_eq!(any_in_pieces(count, |k| k + 1 == count), count > 0);
            assert!(!any_in_pieces(count, |k| k == count));
        }
    }
}
