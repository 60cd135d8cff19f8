//! The tests of the crate from outside, one program: each program would compile and link the library anew.
//! `no_allocation.rs` beside it is another: its allocator counts.

mod first_order;
mod problems;
mod sets;
mod solvers;
