//! LU factors of any square sparse matrix of numbers, zeros on its diagonal included: constraints border the
//! masses of bodies with them. Knows one matrix at a time; patterns that stay are better analysed once.

use crate::fronts::{Factors, SymbolicLu};
use crate::pattern::Pattern;
use drystone_math::{BlockRows, Matrix, Vector};

/// Groups of unknowns up to so many are eliminated as one.
const SMALL: usize = 48;

/// A diagonal below this share of the largest number of its row and column is no pivot of its own.
const WEAK: f64 = 1e-3;

/// Pivots are sought within a front only; where that leaves larger multipliers than this, three digits are at
/// stake and the whole matrix is eliminated as one front.
const STEEPEST: f64 = 1e3;

/// Pivots below this share of the largest number of the matrix are none.
const NONE: f64 = f64::EPSILON * 1e-3;

/// Why a matrix has no factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoFactors {
    /// A pivot vanishes; the unknown it belongs to.
    Singular(usize),
    /// The factors would be too large: how many unknowns, and about how many numbers.
    TooLarge {
        /// Unknowns of the matrix.
        unknowns: usize,
        /// Numbers in its factors.
        numbers: f64,
    },
}

/// LU factors of a square matrix.
///
/// A nested dissection keeps them small, and pivots are sought within its fronts. An unknown whose diagonal
/// is too small for a pivot is therefore eliminated together with the unknown it is coupled to most, as one
/// vertex of the dissection (the pairs of Duff, Pralet 2005).
pub struct GeneralLu {
    factors: Factors<1>,
}

impl GeneralLu {
    /// Factors the matrix of so many unknowns with these entries (row, column, value; values at the same
    /// place are summed); refuses one that is singular, or whose factors hold more than so many numbers.
    pub fn new(unknowns: usize, entries: &[(u32, u32, f64)], most: usize) -> Result<Self, NoFactors> {
        let diagonal = (0..unknowns as u32).map(|k| (k, k, 0.0));
        let block = |(row, column, value): (u32, u32, f64)| (row, column, Matrix::<1, 1>::new(value));
        let triplets = entries.iter().copied().chain(diagonal).map(block).collect();
        let (pattern, blocks) = Pattern::of(BlockRows::from_triplets(unknowns, triplets));
        let largest = blocks.iter().fold(0.0_f64, |largest, block| largest.max(block[0].abs()));
        let groups = groups(&pattern, &blocks);
        let mut failed = None;
        for small in [SMALL, usize::MAX] {
            let symbolic = SymbolicLu::grouped(&pattern, &groups, small);
            let numbers = symbolic.numbers::<1>();
            if numbers > most as f64 {
                let too_large = NoFactors::TooLarge { unknowns, numbers };
                return Err(failed.unwrap_or(too_large));
            }
            let factors = symbolic.factor(&blocks);
            failed = match factors.vanishing(largest * NONE) {
                Some(unknown) => Some(NoFactors::Singular(unknown)),
                None if factors.steepest() <= STEEPEST || small == usize::MAX => {
                    return Ok(Self { factors });
                }
                None => None,
            };
        }
        // the second round ends in one way or the other
        Err(failed.unwrap_or(NoFactors::Singular(0)))
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let mut b: Vec<Vector<1>> = x.iter().map(|&x| Vector::<1>::new(x)).collect();
        self.factors.solve(&mut b);
        x.iter_mut().zip(&b).for_each(|(x, b)| *x = b[0]);
    }
}

/// The group of every unknown: by itself, or with those that cannot do without it.
fn groups(pattern: &Pattern, blocks: &[Matrix<1, 1>]) -> Vec<u32> {
    let size = pattern.rows();
    let at = |row: usize, column: usize| {
        let entries = pattern.entries(row);
        let found = pattern.columns[entries.clone()].binary_search(&(column as u32));
        found.map_or(0.0, |place| blocks[entries.start + place][0].abs())
    };
    let mut coupled = vec![Vec::new(); size];
    let mut largest = vec![0.0_f64; size];
    for row in 0..size {
        for entry in pattern.entries(row) {
            let (column, value) = (pattern.columns[entry] as usize, blocks[entry][0].abs());
            largest[row] = largest[row].max(value);
            largest[column] = largest[column].max(value);
            if row != column && value > 0.0 {
                coupled[row].push(column);
                coupled[column].push(row);
            }
        }
    }
    let mut group: Vec<u32> = (0..size as u32).collect();
    let mut taken = vec![false; size];
    for unknown in (0..size).filter(|&unknown| at(unknown, unknown) < WEAK * largest[unknown]) {
        if taken[unknown] {
            continue;
        }
        // a partner of its own if there is one; the strongest, and of equals the first
        let strength = |other: usize| {
            let [one, two] = [at(unknown, other), at(other, unknown)];
            (!taken[other], one.min(two), one.max(two))
        };
        let stronger = |best, other| if strength(other) > strength(best) { other } else { best };
        let Some(partner) = coupled[unknown].iter().copied().reduce(stronger) else { continue };
        (taken[unknown], taken[partner]) = (true, true);
        // whoever was taken keeps its group
        group[unknown] = group[partner];
    }
    // numbered without gaps
    let mut number = vec![u32::MAX; size];
    let mut count = 0;
    for group in &mut group {
        let number = &mut number[*group as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *group = *number;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::nalgebra::{DMatrix, DVector};
    use rand::{RngExt, SeedableRng};

    const MOST: usize = 1 << 24;

    fn dense(size: usize, entries: &[(u32, u32, f64)]) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(size, size);
        entries.iter().for_each(|&(row, column, value)| matrix[(row as usize, column as usize)] += value);
        matrix
    }

    /// A grid of masses and springs, not quite symmetric, and constraints between neighbours in the first
    /// rows: `[M, −G; Gᵀ, 0]`, the constraints first.
    fn bordered(side: usize, constraints: usize) -> (usize, Vec<(u32, u32, f64)>) {
        let mut random = rand_pcg::Pcg64::seed_from_u64(4);
        let name = |x: usize, y: usize| (constraints + y * side + x) as u32;
        let mut entries = Vec::new();
        for y in 0..side {
            for x in 0..side {
                entries.push((name(x, y), name(x, y), random.random_range(4.5..6.0)));
                let next = [(x + 1 < side).then(|| name(x + 1, y)), (y + 1 < side).then(|| name(x, y + 1))];
                for other in next.into_iter().flatten() {
                    entries.push((name(x, y), other, random.random_range(-1.1..-0.9)));
                    entries.push((other, name(x, y), random.random_range(-1.1..-0.9)));
                }
            }
        }
        for constraint in 0..constraints {
            let (x, y) = (constraint % (side - 1), constraint / (side - 1) * 2);
            for (body, value) in [(name(x, y), 1.0), (name(x + 1, y), -1.0)] {
                entries.push((body, constraint as u32, -value));
                entries.push((constraint as u32, body, value));
            }
        }
        (side * side + constraints, entries)
    }

    #[test]
    fn solves_like_a_dense_matrix() {
        let (size, entries) = bordered(20, 60);
        let lu = GeneralLu::new(size, &entries, MOST).unwrap();
        assert!(lu.factors.fronts() > 5, "eliminated as one, which the grid does not need");
        let matrix = dense(size, &entries);
        let b = DVector::from_fn(size, |k, _| (k * 7919 % 1013) as f64 / 1013.0 - 0.5);
        let mut x: Vec<f64> = b.iter().copied().collect();
        lu.solve(&mut x);
        let x = DVector::from_vec(x);
        assert!((&matrix * &x - &b).norm() < 1e-11 * b.norm());
        let expected = matrix.lu().solve(&b).unwrap();
        assert!((x - &expected).norm() < 1e-10 * expected.norm());
    }

    #[test]
    fn pivots_that_fronts_do_not_have_are_found_in_the_whole() {
        // every unknown has its pivot at the other end of the matrix: no pair of neighbours does
        let size = 400;
        let mut entries: Vec<(u32, u32, f64)> =
            (0..size).map(|k| (k, (k + size / 2) % size, 1.0 + 0.001 * f64::from(k))).collect();
        entries.extend((1..size).flat_map(|k| [(k, k - 1, 1e-6), (k - 1, k, 1e-6)]));
        let lu = GeneralLu::new(size as usize, &entries, MOST).unwrap();
        let matrix = dense(size as usize, &entries);
        let mut x: Vec<f64> = (0..size).map(f64::from).collect();
        let b = DVector::from_vec(x.clone());
        lu.solve(&mut x);
        assert!((matrix * DVector::from_vec(x) - &b).norm() < 1e-10 * b.norm());
    }

    #[test]
    fn what_cannot_be_factored_is_said() {
        let (size, mut entries) = bordered(20, 60);
        let refused = GeneralLu::new(size, &entries, 1000).map(|_| ());
        assert!(matches!(refused, Err(NoFactors::TooLarge { unknowns: 460, numbers }) if numbers > 1000.0));
        // a constraint on nobody
        entries.retain(|&(row, column, _)| row != 7 && column != 7);
        assert_eq!(GeneralLu::new(size, &entries, MOST).map(|_| ()), Err(NoFactors::Singular(7)));
        // two constraints that say the same
        let (size, mut entries) = bordered(20, 2);
        entries.retain(|&(row, column, _)| row != 1 && column != 1);
        let twin: Vec<_> = entries.iter().filter(|entry| entry.0 == 0 || entry.1 == 0).copied().collect();
        entries.extend(twin.iter().map(|&(row, column, value)| {
            (if row == 0 { 1 } else { row }, if column == 0 { 1 } else { column }, value)
        }));
        assert!(matches!(GeneralLu::new(size, &entries, MOST).map(|_| ()), Err(NoFactors::Singular(_))));
    }
}
