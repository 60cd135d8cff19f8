//! What a solver of programmes is told and what it answers. Solves nothing.

use crate::check::Residuals;

/// What the iteration is told. All numbers are free of units: programmes are brought to entries of about 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeParams {
    /// Largest residual of a solution, relative. Default 1e-10.
    pub tolerance: f64,
    /// What still counts as solved where rounding lets it come no further. Default 1e-8.
    pub enough: f64,
    /// How far out all points must lie for a programme to count as infeasible, in units of its right side
    /// (see [`crate::check_infeasible`]); how steeply the cost must fall along a ray for one to count as
    /// unbounded. Default 1e8.
    pub reach: f64,
    /// Most iterations. Default 200.
    pub iterations: usize,
}

impl Default for ConeParams {
    fn default() -> Self {
        Self { tolerance: 1e-10, enough: 1e-8, reach: 1e8, iterations: 200 }
    }
}

/// Unknowns, multipliers of the rows and their slack, with the residuals computed from the data.
#[derive(Clone, Debug, PartialEq)]
pub struct ConePoint {
    /// Unknowns.
    pub x: Vec<f64>,
    /// Multipliers.
    pub z: Vec<f64>,
    /// Slack.
    pub s: Vec<f64>,
    /// What the point is worth.
    pub residuals: Residuals,
}

/// What became of a programme.
#[derive(Clone, Debug, PartialEq)]
pub enum ConeAnswer {
    /// Solved, within the tolerance or what counts as enough.
    Solved(ConePoint),
    /// No point satisfies the rows.
    Infeasible {
        /// Multipliers that prove it, `b·z = −1`.
        z: Vec<f64>,
        /// How far out all points lie ([`crate::check_infeasible`]).
        reach: f64,
    },
    /// The cost falls without bound, or no multipliers balance it.
    Unbounded {
        /// The ray that proves it, `q·x = −1`.
        x: Vec<f64>,
        /// Slack of the ray.
        s: Vec<f64>,
        /// How steeply the cost falls ([`crate::check_unbounded`]).
        steep: f64,
    },
    /// It came to no end: the best point and what it is worth.
    Stalled(ConePoint),
}
