//! Multifrontal LDLᵀ of a symmetric matrix of blocks (Duff, Reid 1983): dense eliminations along the tree of
//! a nested dissection, the pattern analysed once. Does not pivot: matrices of bodies are positive, and where
//! one is not the pivot says so.

#[cfg(test)]
mod tests;

use crate::bisection::bisect;
use crate::pattern::Pattern;
use crate::symmetric::SymmetricBlocks;
use crate::tree::{Front, along, neighbours};
use crate::{ABREAST, ABREAST_FROM};
use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use std::sync::Arc;

/// The factors of a front: columns of L of the length of the front, and the pivots.
#[derive(Clone, Debug, Default)]
struct Eliminated {
    columns: Vec<f64>,
    pivots: Vec<f64>,
}

/// A matrix without a pivot where one was needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPivot {
    /// Block row.
    pub row: usize,
    /// Component within it.
    pub component: usize,
}

/// Factors `A = L D Lᵀ`.
#[derive(Clone, Debug)]
pub struct MultifrontalLdl<const D: usize> {
    fronts: Arc<[Front]>,
    done: Vec<Eliminated>,
}

/// A pivot below this part of the entry it came from is none: the matrix has no inverse in double precision.
const SINGULAR: f64 = 1e-13;

/// Columns eliminated before the rest of a front is updated.
const PANEL: usize = 48;

impl<const D: usize> MultifrontalLdl<D> {
    /// Analyses a pattern whose nodes lie at `places`.
    pub fn new(pattern: &Pattern, places: &[[f64; 3]]) -> Self {
        Self::keeping_last(pattern, places, &[])
    }

    /// The same, some nodes eliminated last: their block of the inverse then comes with the factors
    /// ([`MultifrontalLdl::inverse_of_last`]), which pays where a matrix is used once. Nodes that are named
    /// twice or not there are passed over.
    pub fn keeping_last(pattern: &Pattern, places: &[[f64; 3]], last: &[u32]) -> Self {
        let mut kept: Vec<u32> = Vec::new();
        for &node in last.iter().filter(|&&node| (node as usize) < pattern.rows()) {
            if !kept.contains(&node) {
                kept.push(node);
            }
        }
        let sets = bisect(pattern, places, &kept);
        let mut fronts = along(pattern, &neighbours(pattern), &sets);
        // a symmetric front is filled on one side of its diagonal
        fronts.iter_mut().for_each(|front| front.entries.retain(|&(_, row, column)| row <= column));
        let done = vec![Eliminated::default(); fronts.len()];
        Self { fronts: fronts.into(), done }
    }

    /// Block of the inverse over the nodes that were kept last, column after column, in their order: the
    /// inverse of the last Schur complement. Of other nodes nothing is left by then.
    pub fn inverse_of_last(&self) -> Vec<f64> {
        let (Some(front), Some(done)) = (self.fronts.last(), self.done.last()) else { return Vec::new() };
        let size = front.rows.len() * D;
        let mut inverse = vec![0.0; size * size];
        for (k, x) in inverse.chunks_exact_mut(size.max(1)).enumerate() {
            x[k] = 1.0;
            // L is all of this front: forwards, then backwards
            for j in k..size {
                let (value, column) = (x[j], &done.columns[j * size..(j + 1) * size]);
                x[j + 1..].iter_mut().zip(&column[j + 1..]).for_each(|(x, l)| *x -= l * value);
            }
            for j in (0..size).rev() {
                let column = &done.columns[j * size..(j + 1) * size];
                x[j] = x[j] / done.pivots[j] - dot(&column[j + 1..], &x[j + 1..]);
            }
        }
        inverse
    }

    /// Numbers in the factors.
    pub fn stored(&self) -> usize {
        self.fronts.iter().map(|front| front.own * front.rows.len() * D * D).sum()
    }

    /// Negative pivots of the last factorisation: directions in which the body gives way by itself.
    pub fn negative_pivots(&self) -> usize {
        self.done.iter().flat_map(|front| &front.pivots).filter(|&&pivot| pivot < 0.0).count()
    }
}

impl<const D: usize> MultifrontalLdl<D> {
    /// Factors a matrix of the pattern that was analysed.
    pub fn factor(&mut self, matrix: &SymmetricBlocks<D>) -> Result<(), NoPivot> {
        let mut rests: Vec<Vec<f64>> = vec![Vec::new(); self.fronts.len()];
        for (index, front) in self.fronts.iter().enumerate() {
            let (size, own) = (front.rows.len() * D, front.own * D);
            let mut dense = vec![0.0; size * size];
            for &(entry, from, to) in &front.entries {
                let block = &matrix.values()[entry];
                for i in 0..D {
                    // block(from, to) lies above the diagonal; its transpose below
                    for j in if from == to { i } else { 0 }..D {
                        dense[(from as usize * D + i) * size + to as usize * D + j] += block[i][j];
                    }
                }
            }
            let scale: Vec<f64> = (0..own).map(|j| dense[j * size + j].abs()).collect();
            for (child, places) in &front.children {
                let rest = std::mem::take(&mut rests[*child]);
                add_rest::<D>(&mut dense, size, &rest, places);
            }
            let mut pivots = vec![0.0; own];
            if let Err(dof) = eliminate(&mut dense, size, own, &mut pivots, &scale) {
                return Err(NoPivot { row: front.rows[dof / D] as usize, component: dof % D });
            }
            // keep the columns of the factor, hand the rest on
            let left = size - own;
            let mut rest = Vec::with_capacity(left * left);
            (own..size).for_each(|j| rest.extend_from_slice(&dense[j * size + own..(j + 1) * size]));
            rests[index] = rest;
            dense.truncate(own * size);
            dense.shrink_to_fit();
            self.done[index] = Eliminated { columns: dense, pivots };
        }
        Ok(())
    }

    /// Overwrites right sides, one after the other, with the solutions. Each has a number for every degree of
    /// freedom.
    pub fn solve(&self, right_sides: &mut [f64]) {
        let width = self.fronts.iter().map(|front| front.own).sum::<usize>() * D;
        if width == 0 {
            return;
        }
        let mut abreast = Vec::new();
        for some in right_sides.chunks_mut(width * ABREAST) {
            if some.len() < width * ABREAST_FROM {
                some.chunks_exact_mut(width).for_each(|x| self.solve_abreast(x.as_chunks_mut::<1>().0));
                continue;
            }
            abreast.clear();
            abreast.resize(width, [0.0; ABREAST]);
            for (k, x) in some.chunks_exact(width).enumerate() {
                abreast.iter_mut().zip(x).for_each(|(all, x)| all[k] = *x);
            }
            self.solve_abreast(&mut abreast);
            for (k, x) in some.chunks_exact_mut(width).enumerate() {
                x.iter_mut().zip(&abreast).for_each(|(x, all)| *x = all[k]);
            }
        }
    }

    /// The same for `W` right sides side by side, for every degree of freedom a number of each: factors are
    /// read once for all, and the numbers share vector instructions. The bits of each alone.
    pub fn solve_abreast<const W: usize>(&self, right_sides: &mut [[f64; W]]) {
        dispatch!(instructions::level(), simd => self.substitute(simd, right_sides));
    }

    #[inline(always)]
    fn substitute<S: Simd, const W: usize>(&self, simd: S, x: &mut [[f64; W]]) {
        let mut work = Vec::new();
        for (front, done) in self.fronts.iter().zip(&self.done) {
            let (size, own) = (front.rows.len() * D, front.own * D);
            gather::<D, W>(&front.rows, x, &mut work);
            // two columns at a time: what they change is read and written half as often
            for j in (0..own).step_by(2) {
                let one = &done.columns[j * size + j + 1..(j + 1) * size];
                let (first, below) = work[j..].split_at_mut(1);
                if j + 1 == own {
                    subtract(simd, below, [one], [&first[0]]);
                    break;
                }
                let (second, below) = below.split_at_mut(1);
                subtract(simd, second, [&one[..1]], [&first[0]]);
                let two = &done.columns[(j + 1) * size + j + 2..(j + 2) * size];
                subtract(simd, below, [&one[1..], two], [&first[0], &second[0]]);
            }
            scatter::<D, W>(&front.rows, x, &work);
        }
        for (front, done) in self.fronts.iter().zip(&self.done).rev() {
            let (size, own) = (front.rows.len() * D, front.own * D);
            gather::<D, W>(&front.rows, x, &mut work);
            for j in (0..own).rev() {
                let sum = dots(simd, &done.columns[j * size + j + 1..(j + 1) * size], &work[j + 1..]);
                for k in 0..W {
                    work[j][k] = work[j][k] / done.pivots[j] - sum[k];
                }
            }
            scatter::<D, W>(&front.rows[..front.own], x, &work);
        }
    }
}

// What follows has plain loops where it uses vectors: closures are compiled without their instructions.

/// Less columns times their values, one column after the other.
#[inline(always)]
fn subtract<S: Simd, const W: usize, const C: usize>(
    simd: S,
    from: &mut [[f64; W]],
    columns: [&[f64]; C],
    values: [&[f64; W]; C],
) {
    let count = from.len();
    if W != ABREAST {
        for (row, x) in from.iter_mut().enumerate() {
            for c in 0..C {
                for k in 0..W {
                    x[k] -= columns[c][row] * values[c][k];
                }
            }
        }
        return;
    }
    let mut wide = [f64x8::splat(simd, 0.0); C];
    for c in 0..C {
        assert!(columns[c].len() >= count);
        wide[c] = f64x8::from_slice(simd, values[c]);
    }
    for (row, x) in from.iter_mut().enumerate() {
        let mut rest = f64x8::from_slice(simd, x);
        for c in 0..C {
            rest -= f64x8::splat(simd, columns[c][row]) * wide[c];
        }
        rest.store_slice(x);
    }
}

/// Sum of products in four running sums: the same bits everywhere, and no waiting for one another.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    few_dots(a, b.as_chunks::<1>().0)[0]
}

/// The same with `W` vectors side by side.
#[inline(always)]
fn dots<S: Simd, const W: usize>(simd: S, a: &[f64], b: &[[f64; W]]) -> [f64; W] {
    if W != ABREAST {
        return few_dots(a, b);
    }
    let mut found = [0.0; W];
    let zero = f64x8::splat(simd, 0.0);
    let ((a4, a1), (b4, b1)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let (mut sums, mut rest) = ([zero; 4], zero);
    for (a, b) in a1.iter().zip(b1) {
        rest += f64x8::splat(simd, *a) * f64x8::from_slice(simd, b);
    }
    for (a, b) in a4.iter().zip(b4) {
        for k in 0..4 {
            sums[k] += f64x8::splat(simd, a[k]) * f64x8::from_slice(simd, &b[k]);
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3]) + rest).store_slice(&mut found);
    found
}

#[inline(always)]
fn few_dots<const W: usize>(a: &[f64], b: &[[f64; W]]) -> [f64; W] {
    let ((a4, a1), (b4, b1)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let (mut sums, mut rest) = ([[0.0; W]; 4], [0.0; W]);
    for (a, b) in a1.iter().zip(b1) {
        for k in 0..W {
            rest[k] += a * b[k];
        }
    }
    for (a, b) in a4.iter().zip(b4) {
        for c in 0..4 {
            for k in 0..W {
                sums[c][k] += a[c] * b[c][k];
            }
        }
    }
    let [one, two, three, four] = sums;
    std::array::from_fn(|k| (one[k] + two[k]) + (three[k] + four[k]) + rest[k])
}

#[inline(always)]
fn gather<const D: usize, const W: usize>(nodes: &[u32], x: &[[f64; W]], work: &mut Vec<[f64; W]>) {
    work.clear();
    for &node in nodes {
        work.extend_from_slice(&x[node as usize * D..][..D]);
    }
}

#[inline(always)]
fn scatter<const D: usize, const W: usize>(nodes: &[u32], x: &mut [[f64; W]], work: &[[f64; W]]) {
    for (&node, values) in nodes.iter().zip(work.chunks_exact(D)) {
        x[node as usize * D..][..D].copy_from_slice(values);
    }
}

/// Adds the rest of a child, lower triangle, to a front.
fn add_rest<const D: usize>(dense: &mut [f64], size: usize, rest: &[f64], places: &[u32]) {
    let height = places.len() * D;
    for (b, &column) in places.iter().enumerate() {
        for (a, &row) in places.iter().enumerate().skip(b) {
            for j in 0..D {
                for i in if a == b { j } else { 0 }..D {
                    let value = rest[(b * D + j) * height + a * D + i];
                    let (one, other) = (row as usize * D + i, column as usize * D + j);
                    // below the diagonal: the later of the two is the row
                    let (low, high) = (one.min(other), one.max(other));
                    dense[low * size + high] += value;
                }
            }
        }
    }
}

/// Eliminates the first `own` columns of a dense symmetric matrix, lower triangle, column after column; a
/// column without pivot is the error.
fn eliminate(a: &mut [f64], size: usize, own: usize, pivots: &mut [f64], scale: &[f64]) -> Result<(), usize> {
    for start in (0..own).step_by(PANEL) {
        let end = (start + PANEL).min(own);
        for j in start..end {
            let (before, rest) = a.split_at_mut(j * size);
            let column = &mut rest[j..size];
            update(column, &before[start * size..], size, j, &pivots[start..j]);
            let pivot = column[0];
            if pivot.is_nan() || pivot.abs() <= SINGULAR * scale[j] {
                return Err(j);
            }
            pivots[j] = pivot;
            column[0] = 1.0;
            column[1..].iter_mut().for_each(|x| *x /= pivot);
        }
        let (panel, rest) = a.split_at_mut(end * size);
        for (k, column) in rest.chunks_exact_mut(size).enumerate() {
            let j = end + k;
            update(&mut column[j..], &panel[start * size..], size, j, &pivots[start..end]);
        }
    }
    Ok(())
}

/// `column −= Σ_p d_p l_jp L_p` over the columns of a panel, from row j on.
fn update(column: &mut [f64], panel: &[f64], size: usize, j: usize, pivots: &[f64]) {
    let mut p = 0;
    // four columns at a time: the one that changes is read and written a quarter as often
    while p + 4 <= pivots.len() {
        let l: [&[f64]; 4] = std::array::from_fn(|k| &panel[(p + k) * size + j..(p + k + 1) * size]);
        let f: [f64; 4] = std::array::from_fn(|k| pivots[p + k] * l[k][0]);
        let rows = column.iter_mut().zip(l[0]).zip(l[1]).zip(l[2]).zip(l[3]);
        for ((((x, a), b), c), d) in rows {
            *x -= (a * f[0] + b * f[1]) + (c * f[2] + d * f[3]);
        }
        p += 4;
    }
    for k in p..pivots.len() {
        let l = &panel[k * size + j..(k + 1) * size];
        let factor = pivots[k] * l[0];
        column.iter_mut().zip(l).for_each(|(x, l)| *x -= l * factor);
    }
}
