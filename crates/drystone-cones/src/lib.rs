//! Linear and convex quadratic programmes over products of second-order cones, by an interior point, and
//! linear programmes by the simplex method, each with a certificate that is checked from the data. Knows
//! neither bodies nor contacts.
//!
//! The interior point follows the homogeneous embedding, which ends with a solution or with the proof that
//! there is none (Andersen, Roos, Terlaky 2003; Domahidi, Chu, Boyd 2013; Goulart, Chen 2024). All sums have
//! a fixed order: the same programme has the same answer, bit for bit, wherever it is solved.

mod answer;
mod check;
mod cones;
mod dense;
mod interior;
mod kkt;
mod ldl;
mod means;
mod order;
mod program;
mod scaled;
mod second_order;
mod simplex;
mod sparse;
mod state;

pub use answer::{ConeAnswer, ConeParams, ConePoint};
pub use check::{Residuals, check_infeasible, check_point, check_unbounded};
pub use interior::ConeSolver;
pub use program::{ConeBlock, ConeProgram, ProgramError};
pub use simplex::{solve_vertex, solve_vertex_within};
