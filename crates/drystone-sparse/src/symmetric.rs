//! A symmetric matrix of D×D blocks on the pattern of a mesh, all rows stored. Factors nothing.

use crate::ABREAST;
use crate::pattern::Pattern;
use drystone_math::instructions;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use std::sync::Arc;

/// A symmetric matrix of D×D blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricBlocks<const D: usize> {
    pattern: Arc<Pattern>,
    values: Vec<[[f64; D]; D]>,
}

impl<const D: usize> SymmetricBlocks<D> {
    /// Zeros on a pattern.
    pub fn zeros(pattern: &Arc<Pattern>) -> Self {
        Self { pattern: Arc::clone(pattern), values: vec![[[0.0; D]; D]; pattern.columns.len()] }
    }

    /// Its pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.pattern.rows() * D
    }

    /// All blocks, in the order of the pattern.
    pub fn values(&self) -> &[[[f64; D]; D]] {
        &self.values
    }

    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.values.fill([[0.0; D]; D]);
    }

    /// Adds a matrix of an element, given row after row over the degrees of freedom of its nodes.
    pub fn add_element(&mut self, nodes: &[u32], matrix: &[f64]) {
        let width = nodes.len() * D;
        for (a, &row) in nodes.iter().enumerate() {
            for (b, &column) in nodes.iter().enumerate() {
                let Some(place) = self.pattern.find(row as usize, column) else { continue };
                for i in 0..D {
                    for j in 0..D {
                        self.values[place][i][j] += matrix[(a * D + i) * width + b * D + j];
                    }
                }
            }
        }
    }

    /// Adds a number to a diagonal entry: a spring to the ground, a mass at a node.
    pub fn add_diagonal(&mut self, dof: usize, value: f64) {
        let (node, axis) = (dof / D, dof % D);
        if let Some(place) = self.pattern.find(node, node as u32) {
            self.values[place][axis][axis] += value;
        }
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        let block = |node: usize| self.pattern.find(node, node as u32).map(|place| self.values[place]);
        (0..self.size()).map(|dof| block(dof / D).map_or(0.0, |block| block[dof % D][dof % D])).collect()
    }

    /// `self += s · other`, of the same pattern.
    pub fn add_scaled(&mut self, s: f64, other: &Self) {
        for (one, other) in self.values.iter_mut().zip(&other.values) {
            for i in 0..D {
                (0..D).for_each(|j| one[i][j] += s * other[i][j]);
            }
        }
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.times_abreast(x.as_chunks::<1>().0).into_flattened()
    }

    /// The same for `W` vectors side by side, for every degree of freedom a number of each: the bits of each
    /// alone.
    pub fn times_abreast<const W: usize>(&self, x: &[[f64; W]]) -> Vec<[f64; W]> {
        let mut y = vec![[0.0; W]; self.size()];
        dispatch!(instructions::level(), simd => self.multiply(simd, x, &mut y));
        y
    }

    // plain loops: closures are compiled without the instructions that the rest of this may use
    #[inline(always)]
    fn multiply<S: Simd, const W: usize>(&self, simd: S, x: &[[f64; W]], y: &mut [[f64; W]]) {
        let zero = f64x8::splat(simd, 0.0);
        for (y, ends) in y.as_chunks_mut::<D>().0.iter_mut().zip(self.pattern.starts.windows(2)) {
            let columns = &self.pattern.columns[ends[0]..ends[1]];
            let blocks = &self.values[ends[0]..ends[1]];
            let (mut sum, mut wide) = ([[0.0; W]; D], [zero; D]);
            for (block, &column) in blocks.iter().zip(columns) {
                let x = &x[column as usize * D..][..D];
                for j in 0..D {
                    if W == ABREAST {
                        let x = f64x8::from_slice(simd, &x[j]);
                        for i in 0..D {
                            wide[i] += f64x8::splat(simd, block[i][j]) * x;
                        }
                    } else {
                        for i in 0..D {
                            for k in 0..W {
                                sum[i][k] += block[i][j] * x[j][k];
                            }
                        }
                    }
                }
            }
            for i in 0..D {
                if W == ABREAST {
                    wide[i].store_slice(&mut sum[i]);
                }
            }
            *y = sum;
        }
    }

    /// Takes degrees of freedom out: their rows and columns become zero but for the diagonal, which stays if
    /// it is positive.
    pub fn hold(&mut self, held: &[bool]) {
        for row in 0..self.pattern.rows() {
            let start = self.pattern.starts[row];
            for (k, &column) in self.pattern.row(row).iter().enumerate() {
                let block = &mut self.values[start + k];
                for i in 0..D {
                    for j in 0..D {
                        let (one, other) = (row * D + i, column as usize * D + j);
                        if !held[one] && !held[other] {
                            continue;
                        }
                        let kept = if block[i][j] > 0.0 { block[i][j] } else { 1.0 };
                        block[i][j] = if one == other { kept } else { 0.0 };
                    }
                }
            }
        }
    }
}
