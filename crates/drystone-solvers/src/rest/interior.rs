//! Least squares over a product of cones, by an interior point: the one file of the solvers
//! that knows whose. Knows neither bodies nor contacts.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use drystone_problem::Monitor;

/// What still passes as solved; the caller judges the impulses by the one residual in any case.
const ALMOST: f64 = 1e-8;

/// A cone for the next so many rows.
#[derive(Clone, Copy)]
pub(super) enum ConeBlock {
    /// Equations: the slack vanishes.
    Zero(usize),
    /// No slack is negative.
    Nonnegative(usize),
    /// The first slack is at least as large as the length of the others.
    SecondOrder(usize),
}

/// What the interior point came to.
pub(super) enum Answer {
    /// The point.
    Point(Vec<f64>),
    /// There is none.
    Infeasible,
    /// It came to no end.
    Unknown,
}

/// What is to be as small as can be, of so many unknowns.
#[derive(Clone, Copy)]
pub(super) enum Least {
    /// The sum of squares.
    Squares(usize),
    /// The last of them.
    Last(usize),
}

/// Rows of `A x + s = b`.
#[derive(Default)]
pub(super) struct Rows {
    row: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    right: Vec<f64>,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, coefficients: impl Iterator<Item = (usize, f64)>, right: f64) {
        for (column, value) in coefficients {
            self.row.push(self.right.len());
            self.column.push(column);
            self.value.push(value);
        }
        self.right.push(right);
    }

    /// `min ½ ‖x‖²`, or the least last unknown, with the slack of the rows in the cones.
    pub fn solve(self, least: Least, cones: &[ConeBlock], tolerance: f64, monitor: &Monitor) -> Answer {
        let (columns, square, cost) = match least {
            Least::Squares(columns) => (columns, CscMatrix::identity(columns), vec![0.0; columns]),
            Least::Last(columns) => {
                let mut cost = vec![0.0; columns];
                cost.iter_mut().rev().take(1).for_each(|cost| *cost = 1.0);
                (columns, CscMatrix::zeros((columns, columns)), cost)
            }
        };
        let cones: Vec<SupportedConeT<f64>> = cones.iter().map(|&cone| supported(cone)).collect();
        let constraints =
            CscMatrix::new_from_triplets(self.right.len(), columns, self.row, self.column, self.value);
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            reduced_tol_gap_abs: ALMOST,
            reduced_tol_gap_rel: ALMOST,
            reduced_tol_feas: ALMOST,
            ..DefaultSettings::default()
        };
        let Ok(mut solver) = DefaultSolver::new(&square, &cost, &constraints, &self.right, &cones, settings)
        else {
            return Answer::Unknown;
        };
        let monitor = monitor.clone();
        solver.set_termination_callback(move |_: &_| monitor.is_interrupted());
        solver.solve();
        match solver.solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => Answer::Point(solver.solution.x),
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Answer::Infeasible,
            _ => Answer::Unknown,
        }
    }
}

fn supported(cone: ConeBlock) -> SupportedConeT<f64> {
    match cone {
        ConeBlock::Zero(rows) => SupportedConeT::ZeroConeT(rows),
        ConeBlock::Nonnegative(rows) => SupportedConeT::NonnegativeConeT(rows),
        ConeBlock::SecondOrder(rows) => SupportedConeT::SecondOrderConeT(rows),
    }
}
