//! The normal equations `A G Gᵀ Aᵀ` of balance, with G what the unknowns may do among their borders: one
//! equation for each component of a body, whose pattern is that of bodies that touch. Factored with a little
//! on the diagonal, to precondition conjugate gradients. Knows no border.

use super::program::Program;
use drystone_problem::{Matrix, Vector};
use drystone_sparse::{Factors, Pattern, SymbolicLu};

/// What is added to the diagonal, relative to its largest entry: where unknowns on borders leave some motion
/// without resistance the matrix has no inverse.
const REGULARISED: f64 = 1e-11;

/// So many bodies are eliminated as one.
const SMALL: usize = 6;

/// The pattern of a programme, analysed once.
pub(super) struct NormalEquations {
    pattern: Pattern,
    fronts: SymbolicLu,
}

/// A direction: equations and what a unit of it gives to them.
pub(super) type BalanceColumn = Vec<(u32, f64)>;

impl NormalEquations {
    /// Analyses directions that together meet all equations that any others would.
    pub fn new(program: &Program, widest: &[BalanceColumn]) -> Self {
        let met: Vec<Vec<u32>> =
            widest.iter().map(|column| column.iter().map(|entry| entry.0).collect()).collect();
        let pattern = Pattern::of_cliques(program.right.len(), met.iter().map(Vec::as_slice));
        let fronts = SymbolicLu::grouped(&pattern, &program.bodies, SMALL);
        Self { pattern, fronts }
    }

    /// Factors the matrix of these directions.
    pub fn factor(&self, columns: &[BalanceColumn]) -> Factors<1> {
        let mut blocks = vec![Matrix::<1, 1>::zeros(); self.pattern.columns.len()];
        for column in columns {
            for &(row, left) in column {
                for &(other, right) in column {
                    if let Some(place) = self.pattern.find(row as usize, other) {
                        blocks[place][0] += left * right;
                    }
                }
            }
        }
        let diagonal: Vec<usize> =
            (0..self.pattern.rows()).filter_map(|row| self.pattern.find(row, row as u32)).collect();
        let largest = diagonal.iter().fold(0.0_f64, |largest, &place| largest.max(blocks[place][0]));
        diagonal.iter().for_each(|&place| blocks[place][0] += REGULARISED * largest);
        self.fronts.factor(&blocks)
    }
}

/// The solution for a right side.
pub(super) fn solved(factors: &Factors<1>, right: &[f64]) -> Vec<f64> {
    let mut x: Vec<Vector<1>> = right.iter().map(|&b| Vector::<1>::new(b)).collect();
    factors.solve(&mut x);
    x.iter().map(|x| x[0]).collect()
}
