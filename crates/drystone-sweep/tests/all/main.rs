//! The tests of the crate from outside, one program: each program would compile and link the library anew.

mod backend;
mod sweep;
