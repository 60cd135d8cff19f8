//! `drystone bench`: what this machine does, a file for each question. Measures and judges nothing.

mod cases;
mod detection;
mod drift;
mod packing;
mod profile;
mod run;
mod solvers;
mod sweep;
mod table;
mod tolerance;
mod view;

use crate::failure::Failure;

/// Measure solvers, sweeps and the search for contacts on this machine.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Detection(detection::Arguments),
    Drift(drift::Arguments),
    Packing(packing::Arguments),
    Run(run::Arguments),
    Solvers(solvers::Arguments),
    Sweep(sweep::Arguments),
    Tolerance(tolerance::Arguments),
    View(view::Arguments),
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.what {
        What::Detection(arguments) => detection::main(arguments),
        What::Drift(arguments) => drift::main(arguments),
        What::Packing(arguments) => packing::main(arguments),
        What::Run(arguments) => run::main(arguments),
        What::Solvers(arguments) => solvers::main(arguments),
        What::Sweep(arguments) => sweep::main(arguments),
        What::Tolerance(arguments) => tolerance::main(arguments),
        What::View(arguments) => view::main(arguments),
    }
}
