//! Gauss–Seidel sweeps over the contacts of a problem: one contact after the other, or coloured and eight at
//! a time on as many threads as there are, behind one trait, [`Backend`]. Decides nothing: when to stop is up
//! to the solvers.

mod backend;
mod body_states;
mod build;
mod check_schedule;
mod choice;
mod coulomb;
mod group;
mod judge;
mod laned;
mod lanes;
mod octet;
mod rows;
mod scalar;
mod sleep_counter;
mod sweep;
mod sweep_memory;
mod team;
mod tile;
mod tiles;
mod visit;
mod visit_order;

pub use backend::{Backend, PassOptions, Passed};
pub use check_schedule::CheckSchedule;
pub use lanes::Instructions;
pub use sweep::Sweep;
pub use sweep_memory::SweepMemory;
