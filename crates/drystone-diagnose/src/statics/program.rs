//! Linear and second-order cone programmes, by an interior point. Knows no force: rows and cones only.

use super::StaticsError;
use drystone_cones::{ConeAnswer, ConeBlock, ConeParams, ConeProgram, ConeSolver};

/// Tolerance of the interior point: programmes without an interior may not reach it.
const TOLERANCE: f64 = 1e-10;

/// What an answer that stopped short of its tolerance must still be within: values are then good to about six
/// digits.
const ENOUGH: f64 = 1e-7;

/// An affine function of the unknowns.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine {
    /// Unknown and coefficient; an unknown may appear more than once.
    pub terms: Vec<(usize, f64)>,
    /// What is added.
    pub constant: f64,
}

impl Affine {
    pub fn of(unknown: usize) -> Self {
        Self { terms: vec![(unknown, 1.0)], constant: 0.0 }
    }

    pub fn constant(constant: f64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    pub fn times(mut self, factor: f64) -> Self {
        self.terms.iter_mut().for_each(|(_, coefficient)| *coefficient *= factor);
        self.constant *= factor;
        self
    }

    pub fn plus(mut self, other: &Affine) -> Self {
        self.terms.extend_from_slice(&other.terms);
        self.constant += other.constant;
        self
    }
}

/// `min cost·x` over the `x` that satisfy all rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// Number of unknowns.
    pub unknowns: usize,
    equal: Vec<Affine>,
    positive: Vec<Affine>,
    cones: Vec<Vec<Affine>>,
}

/// The end of a programme.
pub(super) enum Optimum {
    /// The best point, the multipliers of the equalities, and what the programme and its dual are worth.
    Best { x: Vec<f64>, multipliers: Vec<f64>, values: [f64; 2] },
    /// No point satisfies the rows; multipliers of the equalities that prove it.
    None(Vec<f64>),
    /// The cost falls without bound.
    Unbounded,
}

impl Program {
    pub fn new(unknowns: usize) -> Self {
        Self { unknowns, ..Self::default() }
    }

    pub fn unknown(&mut self) -> usize {
        self.unknowns += 1;
        self.unknowns - 1
    }

    /// `row = 0`.
    pub fn equal(&mut self, row: Affine) {
        self.equal.push(row);
    }

    /// `row ≥ 0`.
    pub fn positive(&mut self, row: Affine) {
        self.positive.push(row);
    }

    /// `‖tangents‖ ≤ bound`. One tangent makes two half-planes, exactly.
    pub fn cone(&mut self, bound: Affine, tangents: Vec<Affine>) {
        match tangents.len() {
            0 => self.positive(bound),
            1 => {
                self.positive(bound.clone().plus(&tangents[0]));
                self.positive(bound.plus(&tangents[0].clone().times(-1.0)));
            }
            _ => self.cones.push(std::iter::once(bound).chain(tangents).collect()),
        }
    }

    /// Solves the programme.
    pub fn minimise(&self, cost: &[(usize, f64)]) -> Result<Optimum, StaticsError> {
        let mut program = ConeProgram::new(self.unknowns);
        cost.iter().for_each(|&(unknown, coefficient)| program.add_cost(unknown, coefficient));
        // slack = row: A = −coefficients, b = constant
        for row in self.equal.iter().chain(&self.positive).chain(self.cones.iter().flatten()) {
            program.row(row.terms.iter().map(|&(unknown, value)| (unknown, -value)), row.constant);
        }
        program.cone(ConeBlock::Zero(self.equal.len()));
        program.cone(ConeBlock::Nonnegative(self.positive.len()));
        self.cones.iter().for_each(|cone| program.cone(ConeBlock::SecondOrder(cone.len())));
        let failed = |status: String| StaticsError::Program { status };
        let params = ConeParams { tolerance: TOLERANCE, enough: ENOUGH, ..ConeParams::default() };
        let mut solver = ConeSolver::new(program, params).map_err(|error| failed(error.to_string()))?;
        // the multiplier of `row = 0`, in the sign of L = cost·x − y·row
        let multipliers = |mut z: Vec<f64>| {
            z.truncate(self.equal.len());
            z
        };
        match solver.solve() {
            ConeAnswer::Solved(point) => Ok(Optimum::Best {
                x: point.x,
                multipliers: multipliers(point.z),
                values: point.residuals.values,
            }),
            ConeAnswer::Infeasible { z, .. } => Ok(Optimum::None(multipliers(z))),
            ConeAnswer::Unbounded { .. } => Ok(Optimum::Unbounded),
            ConeAnswer::Stalled(point) => {
                Err(failed(format!("residuals of {:.1e}", point.residuals.worst())))
            }
        }
    }
}
