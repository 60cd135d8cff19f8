//! The tests of the crate from outside, one program: each program would compile and link the library anew.

mod common;
mod fclib;
mod fclib_files;
mod kill;
mod python;
mod resume;
mod round_trip;
