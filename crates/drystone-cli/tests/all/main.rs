//! The tests of the crate from outside, one program: each program would compile and link the library anew.

mod acd2;
mod architecture;
mod commands;
mod common;
mod crash;
mod determinism;
mod diagnose;
mod documents;
mod golden;
mod laws;
mod laws_kept;
mod mutated;
mod periodic;
mod programs;
mod recipes;
mod scenes;
mod solve;
mod stability;
mod stopping;
mod ties;
mod tower;
mod units;
mod validation;
