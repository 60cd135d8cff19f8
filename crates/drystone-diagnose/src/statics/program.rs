//! Linear and second-order cone programmes, by an interior point. Knows no force: rows and cones only.

use super::StaticsError;
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// Tolerances of the interior point, tried in turn: programmes without an interior may not reach the first.
const TOLERANCES: [f64; 3] = [1e-10, 1e-9, 1e-8];

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
        let mut costs = vec![0.0; self.unknowns];
        cost.iter().for_each(|&(unknown, coefficient)| costs[unknown] += coefficient);
        let mut kinds: Vec<SupportedConeT<f64>> = Vec::new();
        if !self.equal.is_empty() {
            kinds.push(ZeroConeT(self.equal.len()));
        }
        if !self.positive.is_empty() {
            kinds.push(NonnegativeConeT(self.positive.len()));
        }
        kinds.extend(self.cones.iter().map(|cone| SecondOrderConeT(cone.len())));
        let (mut rows, mut columns, mut values, mut right) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // slack = row: A = −coefficients, b = constant
        for row in self.equal.iter().chain(&self.positive).chain(self.cones.iter().flatten()) {
            for &(unknown, coefficient) in &row.terms {
                rows.push(right.len());
                columns.push(unknown);
                values.push(-coefficient);
            }
            right.push(row.constant);
        }
        let matrix = CscMatrix::new_from_triplets(right.len(), self.unknowns, rows, columns, values);
        let mut last = StaticsError::Program { status: "no attempt".into() };
        for tolerance in TOLERANCES {
            match self.attempt(&costs, &matrix, &right, &kinds, tolerance) {
                Ok(outcome) => return Ok(outcome),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn attempt(
        &self,
        cost: &[f64],
        matrix: &CscMatrix<f64>,
        right: &[f64],
        kinds: &[SupportedConeT<f64>],
        tolerance: f64,
    ) -> Result<Optimum, StaticsError> {
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            reduced_tol_gap_abs: ENOUGH,
            reduced_tol_gap_rel: ENOUGH,
            reduced_tol_feas: ENOUGH,
            ..DefaultSettings::default()
        };
        let failed = |status: String| StaticsError::Program { status };
        let quadratic = CscMatrix::zeros((cost.len(), cost.len()));
        let mut solver = DefaultSolver::new(&quadratic, cost, matrix, right, kinds, settings)
            .map_err(|error| failed(error.to_string()))?;
        solver.solve();
        let solution = solver.solution;
        // the multiplier of `row = 0`, in the sign of L = cost·x − y·row
        let multipliers = solution.z[..self.equal.len()].to_vec();
        let gap = (solution.obj_val - solution.obj_val_dual).abs() / (1.0 + solution.obj_val.abs());
        let close = gap.max(solution.r_prim).max(solution.r_dual) <= ENOUGH;
        match solution.status {
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => {
                Ok(Optimum::None(multipliers))
            }
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => Ok(Optimum::Unbounded),
            SolverStatus::Solved | SolverStatus::AlmostSolved => Ok(Optimum::Best {
                x: solution.x,
                multipliers,
                values: [solution.obj_val, solution.obj_val_dual],
            }),
            SolverStatus::InsufficientProgress | SolverStatus::MaxIterations if close => Ok(Optimum::Best {
                x: solution.x,
                multipliers,
                values: [solution.obj_val, solution.obj_val_dual],
            }),
            status => Err(failed(format!("{status:?}"))),
        }
    }
}
