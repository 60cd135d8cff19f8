//! `drystone bench`: what this machine does, a file for each question. Measures and judges nothing.

mod cases;
mod profile;
mod solvers;
mod sweep;
mod table;

use crate::failure::Failure;

/// Measure solvers and sweeps on this machine.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Solvers(solvers::Arguments),
    Sweep(sweep::Arguments),
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.what {
        What::Solvers(arguments) => solvers::main(arguments),
        What::Sweep(arguments) => sweep::main(arguments),
    }
}
