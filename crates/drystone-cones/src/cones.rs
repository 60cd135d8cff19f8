//! The cones of a programme: scaling after Nesterov and Todd (1997), products of Jordan's algebra, steps to
//! the border. Knows no rows.

use crate::program::ConeBlock;
use crate::second_order::{dot, length, scale_second_order, step_second_order, times_second_order};
use std::ops::Range;

/// One factor of the product of cones.
struct Block {
    cone: ConeBlock,
    rows: Range<usize>,
    /// Where its entries of `WᵀW` lie: the diagonal, or the upper triangle column by column.
    square: Range<usize>,
}

/// The product of cones with a scaling `W z = W⁻ᵀ s = λ`. In the zero cone `W = 0`, `s = 0` and `z` is free.
///
/// Of a second-order cone it is `W = η (w₀, w₁ᵀ; w₁, I + w₁w₁ᵀ/(1 + w₀))` with `w₀² − ‖w₁‖² = 1`.
pub(crate) struct Cones {
    blocks: Vec<Block>,
    /// `w` of every second-order cone, `√(s/z)` of the nonnegative ones.
    w: Vec<f64>,
    /// `η` at the first row of every second-order cone.
    eta: Vec<f64>,
    /// `λ`.
    pub lambda: Vec<f64>,
    /// Entries of `WᵀW`.
    pub square: Vec<f64>,
    /// How many pairs of `s` and `z` are complementary.
    pub degree: usize,
}

impl Cones {
    pub fn new(blocks: impl Iterator<Item = (ConeBlock, Range<usize>)>) -> Self {
        let (mut rows, mut entries, mut degree) = (0, 0, 0);
        let mut all = Vec::new();
        for (cone, range) in blocks {
            let count = range.len();
            rows = range.end;
            let square = match cone {
                ConeBlock::Zero(_) => entries..entries + count,
                ConeBlock::Nonnegative(_) => {
                    degree += count;
                    entries..entries + count
                }
                ConeBlock::SecondOrder(_) => {
                    degree += 1;
                    entries..entries + count * (count + 1) / 2
                }
            };
            entries = square.end;
            all.push(Block { cone, rows: range, square });
        }
        Self {
            blocks: all,
            w: vec![0.0; rows],
            eta: vec![0.0; rows],
            lambda: vec![0.0; rows],
            square: vec![0.0; entries],
            degree,
        }
    }

    /// Rows and columns of the entries of `WᵀW`, in their order.
    pub fn places(&self) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for block in &self.blocks {
            let first = block.rows.start;
            match block.cone {
                ConeBlock::SecondOrder(size) => {
                    places.extend((0..size).flat_map(|j| (0..=j).map(move |i| (first + i, first + j))));
                }
                _ => places.extend(block.rows.clone().map(|row| (row, row))),
            }
        }
        places
    }

    /// The unit element: `e` with `e ∘ x = x`, times a factor, added to `x`.
    pub fn add_unit(&self, factor: f64, x: &mut [f64]) {
        for block in &self.blocks {
            match block.cone {
                ConeBlock::Zero(_) => {}
                ConeBlock::Nonnegative(_) => x[block.rows.clone()].iter_mut().for_each(|x| *x += factor),
                ConeBlock::SecondOrder(_) => x[block.rows.start] += factor,
            }
        }
    }

    /// How deep `x` lies inside: negative by how much it is outside.
    pub fn depth(&self, x: &[f64]) -> f64 {
        let mut least = f64::INFINITY;
        for block in &self.blocks {
            let x = &x[block.rows.clone()];
            match block.cone {
                ConeBlock::Zero(_) => {}
                ConeBlock::Nonnegative(_) => least = x.iter().fold(least, |least, x| least.min(*x)),
                ConeBlock::SecondOrder(_) => least = least.min(x[0] - length(&x[1..])),
            }
        }
        least
    }

    /// Sets the rows of equations to nothing.
    pub fn clear_equations(&self, x: &mut [f64]) {
        for block in self.blocks.iter().filter(|block| matches!(block.cone, ConeBlock::Zero(_))) {
            x[block.rows.clone()].fill(0.0);
        }
    }

    /// The identity as scaling, for the first point.
    pub fn unit_scaling(&mut self) {
        for block in &self.blocks {
            let square = &mut self.square[block.square.clone()];
            match block.cone {
                ConeBlock::Zero(_) => square.fill(0.0),
                ConeBlock::Nonnegative(_) => square.fill(1.0),
                ConeBlock::SecondOrder(size) => {
                    square.fill(0.0);
                    (0..size).for_each(|i| square[i * (i + 3) / 2] = 1.0);
                }
            }
        }
    }

    /// Moves what rounding has brought to the border of a second-order cone back inside, by the last digits.
    pub fn lift(&self, x: &mut [f64]) {
        for block in self.blocks.iter().filter(|block| matches!(block.cone, ConeBlock::SecondOrder(_))) {
            let x = &mut x[block.rows.clone()];
            x[0] = x[0].max(length(&x[1..]) * (1.0 + 8.0 * f64::EPSILON));
        }
    }

    /// The scaling of a point inside; `false` where rounding has brought it to the border.
    pub fn scale(&mut self, s: &[f64], z: &[f64]) -> bool {
        let mut inside = true;
        for block in &self.blocks {
            let rows = block.rows.clone();
            let (s, z) = (&s[rows.clone()], &z[rows.clone()]);
            let (w, lambda) = (&mut self.w[rows.clone()], &mut self.lambda[rows.clone()]);
            let square = &mut self.square[block.square.clone()];
            match block.cone {
                ConeBlock::Zero(_) => {}
                ConeBlock::Nonnegative(_) => {
                    for k in 0..s.len() {
                        inside &= s[k] > 0.0 && z[k] > 0.0;
                        w[k] = (s[k] / z[k]).sqrt();
                        lambda[k] = s[k].sqrt() * z[k].sqrt();
                        square[k] = s[k] / z[k];
                    }
                }
                ConeBlock::SecondOrder(_) => {
                    let eta = &mut self.eta[rows.start];
                    inside &= scale_second_order(s, z, w, eta, square);
                    lambda.copy_from_slice(z);
                    times_second_order(w, *eta, 1.0, lambda);
                }
            }
        }
        inside
    }

    /// `x ← W x`.
    pub fn times(&self, x: &mut [f64]) {
        self.scaled(1.0, x);
    }

    /// `x ← W⁻¹ x`; in the zero cone 0.
    pub fn divide(&self, x: &mut [f64]) {
        self.scaled(-1.0, x);
    }

    fn scaled(&self, sign: f64, x: &mut [f64]) {
        for block in &self.blocks {
            let rows = block.rows.clone();
            let (w, x) = (&self.w[rows.clone()], &mut x[rows.clone()]);
            match block.cone {
                ConeBlock::Zero(_) => x.fill(0.0),
                ConeBlock::Nonnegative(_) if sign > 0.0 => x.iter_mut().zip(w).for_each(|(x, w)| *x *= w),
                ConeBlock::Nonnegative(_) => x.iter_mut().zip(w).for_each(|(x, w)| *x /= w),
                ConeBlock::SecondOrder(_) => times_second_order(w, self.eta[rows.start], sign, x),
            }
        }
    }

    /// `y += factor · WᵀW x`.
    pub fn add_square(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        for block in &self.blocks {
            let rows = block.rows.clone();
            let (x, y) = (&x[rows.clone()], &mut y[rows]);
            let square = &self.square[block.square.clone()];
            match block.cone {
                ConeBlock::Zero(_) => {}
                ConeBlock::Nonnegative(_) => {
                    (0..x.len()).for_each(|k| y[k] += factor * square[k] * x[k]);
                }
                ConeBlock::SecondOrder(size) => {
                    let mut entry = 0;
                    for j in 0..size {
                        for i in 0..j {
                            y[i] += factor * square[entry] * x[j];
                            y[j] += factor * square[entry] * x[i];
                            entry += 1;
                        }
                        y[j] += factor * square[entry] * x[j];
                        entry += 1;
                    }
                }
            }
        }
    }

    /// `out = x ∘ y`.
    pub fn product(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let rows = block.rows.clone();
            let (x, y, out) = (&x[rows.clone()], &y[rows.clone()], &mut out[rows]);
            match block.cone {
                ConeBlock::Zero(_) => out.fill(0.0),
                ConeBlock::Nonnegative(_) => (0..x.len()).for_each(|k| out[k] = x[k] * y[k]),
                ConeBlock::SecondOrder(_) => {
                    out[0] = dot(x, y);
                    (1..x.len()).for_each(|k| out[k] = x[0] * y[k] + y[0] * x[k]);
                }
            }
        }
    }

    /// Solves `λ ∘ y = x` in place.
    pub fn divide_by_lambda(&self, x: &mut [f64]) {
        for block in &self.blocks {
            let rows = block.rows.clone();
            let (l, x) = (&self.lambda[rows.clone()], &mut x[rows]);
            match block.cone {
                ConeBlock::Zero(_) => x.fill(0.0),
                ConeBlock::Nonnegative(_) => x.iter_mut().zip(l).for_each(|(x, l)| *x /= l),
                ConeBlock::SecondOrder(_) => {
                    let side = length(&l[1..]);
                    let determinant = ((l[0] - side) * (l[0] + side)).max(f64::MIN_POSITIVE);
                    let first = (l[0] * x[0] - dot(&l[1..], &x[1..])) / determinant;
                    x[0] = first;
                    (1..x.len()).for_each(|k| x[k] = (x[k] - first * l[k]) / l[0]);
                }
            }
        }
    }

    /// The largest step along `d` from `x` up to `most` that does not leave the cones.
    pub fn step(&self, x: &[f64], d: &[f64], most: f64) -> f64 {
        let mut step = most;
        for block in &self.blocks {
            let (x, d) = (&x[block.rows.clone()], &d[block.rows.clone()]);
            match block.cone {
                ConeBlock::Zero(_) => {}
                ConeBlock::Nonnegative(_) => {
                    for (x, d) in x.iter().zip(d).filter(|(_, d)| **d < 0.0) {
                        step = step.min(-x / d);
                    }
                }
                ConeBlock::SecondOrder(_) => step = step.min(step_second_order(x, d, step)),
            }
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> (Cones, Vec<f64>, Vec<f64>) {
        let blocks = [(ConeBlock::Zero(1), 0..1), (ConeBlock::Nonnegative(2), 1..3)];
        let cones = Cones::new(blocks.into_iter().chain([(ConeBlock::SecondOrder(4), 3..7)]));
        let s = vec![0.0, 2.0, 1e-3, 1.0, 0.3, -0.4, 0.5];
        let z = vec![-3.0, 0.1, 5.0, 3.0, -1.0, 2.0, 1.5];
        (cones, s, z)
    }

    #[test]
    fn the_scaling_brings_slack_and_multipliers_together() {
        let (mut cones, s, z) = points();
        assert!(cones.scale(&s, &z));
        let (mut of_s, mut of_z) = (s.clone(), z.clone());
        cones.divide(&mut of_s);
        cones.times(&mut of_z);
        let mut square = vec![0.0; 7];
        cones.add_square(1.0, &z, &mut square);
        let (mut product, mut back) = (vec![0.0; 7], vec![0.0; 7]);
        cones.product(&cones.lambda, &cones.lambda, &mut product);
        cones.divide_by_lambda(&mut product);
        back.copy_from_slice(&product);
        for k in 1..7 {
            assert!((of_s[k] - of_z[k]).abs() < 1e-13, "{k}: {of_s:?} {of_z:?}");
            assert!((of_z[k] - cones.lambda[k]).abs() < 1e-14);
            // WᵀW z = s
            assert!((square[k] - s[k]).abs() < 1e-13, "{k}: {square:?}");
            assert!((back[k] - cones.lambda[k]).abs() < 1e-13);
        }
    }

    #[test]
    fn a_step_ends_at_the_border() {
        let (cones, s, _) = points();
        for d in [[0.0, 1.0, 1.0, -1.0, 0.2, 0.3, -0.1], [0.0, 1.0, 0.0, 0.1, 2.0, 0.0, 1.0]] {
            let step = cones.step(&s, &d, 1e9);
            let at = |step: f64| -> Vec<f64> { s.iter().zip(d).map(|(s, d)| s + step * d).collect() };
            assert!(cones.depth(&at(0.999_999 * step)) > 0.0);
            assert!(cones.depth(&at(1.000_001 * step)) < 0.0);
        }
        // along a ray of the cone there is no border
        assert_eq!(cones.step(&s, &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0], 1e9), 1e9);
    }
}
