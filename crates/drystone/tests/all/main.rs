//! The tests of the crate from outside, one program: each program would compile and link the library anew.

mod acd2;
mod change_of_variables;
mod common;
mod deformable;
mod drift;
mod exact;
mod open;
mod periodic;
mod poisson;
mod rest;
mod rolling;
mod spin;
mod surfaces;
mod ties;
mod ties_forces;
