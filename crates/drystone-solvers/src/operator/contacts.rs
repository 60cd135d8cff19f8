//! The scaled operator block by block, factored in the space of the contacts. For operators that come
//! assembled.

use super::{Diagonals, Factored, Operator};
use drystone_problem::{BlockRows, Matrix, Vector};
use drystone_sparse::{Factors, Pattern, SymbolicLu};
use std::sync::Arc;

/// So many contacts are eliminated as one.
pub(crate) const SMALL: usize = 16;

/// An assembled operator.
pub(super) struct AssembledOperator<const D: usize> {
    analysed: Arc<(Pattern, SymbolicLu)>,
    w: Vec<Matrix<D, D>>,
}

impl<const D: usize> AssembledOperator<D> {
    /// Scales the rows and columns of an assembled operator.
    pub fn new(blocks: BlockRows<D>, scales: &[Vector<D>]) -> Self {
        let (pattern, mut w) = Pattern::of(blocks);
        scale(&pattern, &mut w, scales);
        let fronts = SymbolicLu::new(&pattern, SMALL);
        Self { analysed: Arc::new((pattern, fronts)), w }
    }
}

fn scale<const D: usize>(pattern: &Pattern, w: &mut [Matrix<D, D>], scales: &[Vector<D>]) {
    for row in 0..pattern.rows() {
        for entry in pattern.entries(row) {
            let column = pattern.columns[entry] as usize;
            w[entry].component_mul_assign(&(scales[row] * scales[column].transpose()));
        }
    }
}

impl<const D: usize> Operator<D> for AssembledOperator<D> {
    fn times(&self, x: &[Vector<D>]) -> Vec<Vector<D>> {
        self.analysed.0.times(&self.w, x)
    }

    fn factor(&self, system: &Diagonals<D>) -> Box<dyn Factored<D> + '_> {
        let (pattern, fronts) = &*self.analysed;
        let mut matrix = Vec::with_capacity(self.w.len());
        for row in 0..pattern.rows() {
            for entry in pattern.entries(row) {
                let mut block = system.b[row] * self.w[entry];
                if pattern.columns[entry] as usize == row {
                    block += system.a[row];
                }
                matrix.push(block);
            }
        }
        Box::new(fronts.factor(&matrix))
    }

    fn rescaled(&self, by: &[Vector<D>]) -> Box<dyn Operator<D>> {
        let mut w = self.w.clone();
        scale(&self.analysed.0, &mut w, by);
        Box::new(Self { analysed: Arc::clone(&self.analysed), w })
    }

    fn unknowns(&self) -> usize {
        self.analysed.0.rows() * D
    }

    fn multiplications(&self) -> f64 {
        self.analysed.1.multiplications::<D>()
    }

    fn entries(&self) -> f64 {
        self.analysed.1.entries::<D>()
    }

    fn is_finite(&self) -> bool {
        self.w.iter().all(|w| w.iter().all(|x| x.is_finite()))
    }

    fn corrections(&self) -> u32 {
        0
    }
}

impl<const D: usize> Factored<D> for Factors<D> {
    fn solve(&self, b: &mut [Vector<D>]) {
        Factors::solve(self, b);
    }

    fn sign(&self) -> f64 {
        Factors::sign(self)
    }
}
