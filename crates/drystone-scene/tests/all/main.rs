//! The tests of the crate from outside, one program: each program would compile and link the library anew.

mod errors;
mod growth;
mod joined;
mod loading;
mod mutations;
mod samples;
mod scenes;
mod shapes;
mod solids;
mod standing;
