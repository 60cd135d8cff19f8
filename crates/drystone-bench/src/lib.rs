//! What benches and tests measure and solve: problems and packings made from a few numbers, and the times
//! they take. Judges nothing and prints nothing; no result of a run depends on it.

pub mod allocations;
pub mod detection;
pub mod problems;
mod sweep_rate;

pub use sweep_rate::{SweepRate, sweep_rate};
