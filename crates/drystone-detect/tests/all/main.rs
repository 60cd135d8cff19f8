//! The tests of the crate from outside, one program: each program would compile and link the library anew.
//! `no_allocation.rs` beside it is another: its allocator counts.

mod all_pairs;
mod balls;
mod broad_phase;
mod common;
mod hostile;
mod hostile_round;
mod hostile_walls;
mod joined;
mod patches;
mod periodic;
mod polytope_pairs;
mod proof;
mod round_masses;
mod shapes_and_masses;
mod surface_corners;
mod surfaces;
mod walls;
