//! Least squares over a product of cones, by an interior point: the one file of the solvers
//! that knows whose. Knows neither bodies nor contacts.

pub(super) use drystone_cones::ConeBlock;
use drystone_cones::{ConeAnswer, ConeParams, ConeProgram, ConeSolver};
use drystone_problem::Monitor;

/// What still passes as solved; the caller judges the impulses by the one residual in any case.
const ALMOST: f64 = 1e-8;

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
    entries: Vec<(usize, f64)>,
    /// Where each row ends among the entries, and its right side.
    rows: Vec<(usize, f64)>,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, coefficients: impl Iterator<Item = (usize, f64)>, right: f64) {
        self.entries.extend(coefficients);
        self.rows.push((self.entries.len(), right));
    }

    /// `min ½ ‖x‖²`, or the least last unknown, with the slack of the rows in the cones.
    pub fn solve(self, least: Least, cones: &[ConeBlock], tolerance: f64, monitor: &Monitor) -> Answer {
        let mut program = match least {
            Least::Squares(columns) => {
                let mut program = ConeProgram::new(columns);
                (0..columns).for_each(|column| program.add_square(column, column, 1.0));
                program
            }
            Least::Last(columns) => {
                let mut program = ConeProgram::new(columns);
                program.add_cost(columns.saturating_sub(1), 1.0);
                program
            }
        };
        let mut start = 0;
        for (end, right) in self.rows {
            program.row(self.entries[start..end].iter().copied(), right);
            start = end;
        }
        cones.iter().for_each(|&cone| program.cone(cone));
        let params = ConeParams { tolerance, enough: ALMOST, ..ConeParams::default() };
        let Ok(mut solver) = ConeSolver::new(program, params) else { return Answer::Unknown };
        match solver.solve_until(&|| monitor.is_interrupted()) {
            ConeAnswer::Solved(point) => Answer::Point(point.x),
            ConeAnswer::Infeasible { .. } => Answer::Infeasible,
            ConeAnswer::Unbounded { .. } | ConeAnswer::Stalled(_) => Answer::Unknown,
        }
    }
}
