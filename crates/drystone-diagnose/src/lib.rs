//! Why a problem does not converge or has no solution: existence of solutions, networks of self-balanced
//! impulses, thresholds of friction, how far forces are left open; and statics, what a structure can bear, by
//! cone programmes. Solves no step: no run needs it to go on.

mod diagnosis;
mod effort;
pub mod existence;
mod spread;
pub mod statics;
mod trace;

pub use diagnosis::{Diagnosis, Flaw, Network, WORST, diagnose, diagnose_within, glance};
pub use drystone_solvers::{Remedy, Verdict, remedies};
pub use effort::{EFFORT, Effort};
pub use spread::{Spread, spread};
pub use trace::{MOST_TRACED, Trace, trace};
