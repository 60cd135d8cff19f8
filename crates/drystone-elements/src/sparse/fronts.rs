//! Multifrontal LDLᵀ of a symmetric matrix of blocks (Duff, Reid 1983): dense eliminations along the tree of
//! a nested dissection, the pattern analysed once. Does not pivot: matrices of bodies are positive, and where
//! one is not the pivot says so.

use super::dissection::dissect;
use super::{NodePattern, SparseSolver, SymmetricBlocks};
use crate::error::SolidError;
use std::sync::Arc;

/// One dense elimination.
#[derive(Debug)]
struct LdlFront {
    /// Nodes, those eliminated here first.
    nodes: Vec<u32>,
    /// How many are eliminated here.
    own: usize,
    /// Entry of the pattern, stored at the first node's row, and the places of its two nodes in the front.
    entries: Vec<(usize, u32, u32)>,
    /// Fronts whose rest is added here, each with the places of its nodes.
    children: Vec<(usize, Vec<u32>)>,
}

/// The factors of a front: columns of L of the length of the front, and the pivots.
#[derive(Clone, Debug, Default)]
struct Eliminated {
    columns: Vec<f64>,
    pivots: Vec<f64>,
}

/// Factors `A = L D Lᵀ`.
#[derive(Clone, Debug)]
pub struct MultifrontalLdl<const D: usize> {
    fronts: Arc<[LdlFront]>,
    done: Vec<Eliminated>,
}

/// A pivot below this part of the entry it came from is none: the matrix has no inverse in double precision.
const SINGULAR: f64 = 1e-13;

/// Columns eliminated before the rest of a front is updated.
const PANEL: usize = 48;

impl<const D: usize> MultifrontalLdl<D> {
    /// Analyses a pattern whose nodes lie at `places`.
    pub fn new(pattern: &NodePattern, places: &[[f64; 3]]) -> Self {
        Self::keeping_last(pattern, places, &[])
    }

    /// The same, some nodes eliminated last: their block of the inverse then comes with the factors
    /// ([`MultifrontalLdl::inverse_of_last`]), which pays where a matrix is used once. Nodes that are named
    /// twice or not there are passed over.
    pub fn keeping_last(pattern: &NodePattern, places: &[[f64; 3]], last: &[u32]) -> Self {
        let mut kept: Vec<u32> = Vec::new();
        for &node in last.iter().filter(|&&node| (node as usize) < pattern.rows()) {
            if !kept.contains(&node) {
                kept.push(node);
            }
        }
        let sets = dissect(pattern, places, &kept);
        let mut set_of = vec![0; pattern.rows()];
        for (index, set) in sets.iter().enumerate() {
            set.nodes.iter().for_each(|&node| set_of[node as usize] = index);
        }
        let mut fronts: Vec<LdlFront> = sets
            .iter()
            .map(|set| LdlFront {
                nodes: set.nodes.clone(),
                own: set.nodes.len(),
                entries: Vec::new(),
                children: Vec::new(),
            })
            .collect();
        // the border of a front: what its nodes and its children touch of later fronts
        for index in 0..fronts.len() {
            let later = |node: &u32| set_of[*node as usize] > index;
            let mut border: Vec<u32> = Vec::new();
            for &node in &fronts[index].nodes {
                border.extend(pattern.row(node as usize).iter().filter(|node| later(node)));
            }
            for &(child, _) in &fronts[index].children {
                let child = &fronts[child];
                border.extend(child.nodes[child.own..].iter().filter(|node| later(node)));
            }
            border.sort_unstable();
            border.dedup();
            fronts[index].nodes.extend(border);
            if let Some(parent) = sets[index].parent {
                fronts[parent].children.push((index, Vec::new()));
            }
        }
        place(&mut fronts, pattern, &set_of);
        let done = vec![Eliminated::default(); fronts.len()];
        Self { fronts: fronts.into(), done }
    }

    /// Block of the inverse over the nodes that were kept last, column after column, in their order: the
    /// inverse of the last Schur complement. Of other nodes nothing is left by then.
    pub fn inverse_of_last(&self) -> Vec<f64> {
        let (Some(front), Some(done)) = (self.fronts.last(), self.done.last()) else { return Vec::new() };
        let size = front.nodes.len() * D;
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
        self.fronts.iter().map(|front| front.own * front.nodes.len() * D * D).sum()
    }

    /// Negative pivots of the last factorisation: directions in which the body gives way by itself.
    pub fn negative_pivots(&self) -> usize {
        self.done.iter().flat_map(|front| &front.pivots).filter(|&&pivot| pivot < 0.0).count()
    }
}

/// Where entries and the rests of children go.
fn place(fronts: &mut [LdlFront], pattern: &NodePattern, set_of: &[usize]) {
    let mut at = vec![u32::MAX; pattern.rows()];
    for index in 0..fronts.len() {
        for (local, &node) in fronts[index].nodes.iter().enumerate() {
            at[node as usize] = local as u32;
        }
        let mut entries = Vec::new();
        for (local, &node) in fronts[index].nodes[..fronts[index].own].iter().enumerate() {
            for (k, &other) in pattern.row(node as usize).iter().enumerate() {
                let there = at[other as usize];
                // a pair within the front once, from the earlier of the two
                if set_of[other as usize] > index || set_of[other as usize] == index && there >= local as u32
                {
                    entries.push((pattern.start(node as usize) + k, local as u32, there));
                }
            }
        }
        fronts[index].entries = entries;
        for child in 0..fronts[index].children.len() {
            let number = fronts[index].children[child].0;
            let places = fronts[number].nodes[fronts[number].own..].iter().map(|&node| at[node as usize]);
            let places: Vec<u32> = places.collect();
            fronts[index].children[child].1 = places;
        }
    }
}

impl<const D: usize> SparseSolver<D> for MultifrontalLdl<D> {
    fn factor(&mut self, matrix: &SymmetricBlocks<D>) -> Result<(), SolidError> {
        let mut rests: Vec<Vec<f64>> = vec![Vec::new(); self.fronts.len()];
        for (index, front) in self.fronts.iter().enumerate() {
            let (size, own) = (front.nodes.len() * D, front.own * D);
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
                return Err(SolidError::Singular { node: front.nodes[dof / D] as usize, axis: dof % D });
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

    fn solve(&self, right_sides: &mut [f64]) {
        let width = self.fronts.iter().map(|front| front.own).sum::<usize>() * D;
        let count = right_sides.len().checked_div(width).unwrap_or(0);
        let mut work = Vec::new();
        for (front, done) in self.fronts.iter().zip(&self.done) {
            let (size, own) = (front.nodes.len() * D, front.own * D);
            for x in right_sides.chunks_exact_mut(width).take(count) {
                gather::<D>(&front.nodes, x, &mut work);
                for j in 0..own {
                    let value = work[j];
                    let column = &done.columns[j * size..(j + 1) * size];
                    for (x, l) in work[j + 1..].iter_mut().zip(&column[j + 1..]) {
                        *x -= l * value;
                    }
                }
                scatter::<D>(&front.nodes, x, &work);
            }
        }
        for (front, done) in self.fronts.iter().zip(&self.done).rev() {
            let (size, own) = (front.nodes.len() * D, front.own * D);
            for x in right_sides.chunks_exact_mut(width).take(count) {
                gather::<D>(&front.nodes, x, &mut work);
                for j in (0..own).rev() {
                    let column = &done.columns[j * size..(j + 1) * size];
                    let sum = dot(&column[j + 1..], &work[j + 1..]);
                    work[j] = work[j] / done.pivots[j] - sum;
                }
                scatter::<D>(&front.nodes[..front.own], x, &work);
            }
        }
    }
}

/// Sum of products in four running sums: the same bits everywhere, and no waiting for one another.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a4.remainder().iter().zip(b4.remainder()).fold(0.0, |sum, (x, y)| sum + x * y);
    for (x, y) in a4.zip(b4) {
        (0..4).for_each(|k| sums[k] += x[k] * y[k]);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn gather<const D: usize>(nodes: &[u32], x: &[f64], work: &mut Vec<f64>) {
    work.clear();
    nodes.iter().for_each(|&node| work.extend_from_slice(&x[node as usize * D..][..D]));
}

fn scatter<const D: usize>(nodes: &[u32], x: &mut [f64], work: &[f64]) {
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
