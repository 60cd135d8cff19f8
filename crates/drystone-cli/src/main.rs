//! The command `drystone`: words in, files and tables out. Computes nothing itself.

mod answer;
mod attempt;
mod commands;
mod driver;
mod dump;
mod failure;
mod files;
mod gallery;
mod outcome;
mod progress;
mod standing;
mod summary;
mod validate;
mod watch;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Nonsmooth contact dynamics: bodies held together by nothing but contact and friction.
///
/// Exit codes: 0 done, 2 bad input, 3 some step or saved problem did not reach its tolerance (a
/// run is still whole), 4 stopped on
/// request, 5 a structure cannot stand (`stability`), 1 anything else.
#[derive(Parser)]
#[command(name = "drystone", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(commands::new::Arguments),
    List(commands::list::Arguments),
    Check(commands::check::Arguments),
    Run(commands::run::Arguments),
    Resume(commands::resume::Arguments),
    Info(commands::info::Arguments),
    View(commands::view::Arguments),
    Render(commands::render::Arguments),
    Export(commands::export::Arguments),
    Measure(commands::measure::Arguments),
    Sweep(commands::sweep::Arguments),
    Stress(commands::stress::Arguments),
    Stability(commands::stability::Arguments),
    Solve(commands::solve::Arguments),
    Diagnose(commands::diagnose::Arguments),
    Bench(commands::bench::Arguments),
    Validate(validate::Arguments),
    Demo(commands::demo::Arguments),
    /// Print the JSON schema of scene files, with descriptions.
    Schema,
}

fn main() -> ExitCode {
    // clap prints usage errors itself and exits with 2, our code for bad input
    let outcome = match Arguments::parse().command {
        Command::New(arguments) => commands::new::main(&arguments),
        Command::List(arguments) => commands::list::main(&arguments),
        Command::Check(arguments) => commands::check::main(&arguments),
        Command::Run(arguments) => commands::run::main(&arguments),
        Command::Resume(arguments) => commands::resume::main(&arguments),
        Command::Info(arguments) => commands::info::main(&arguments),
        Command::View(arguments) => commands::view::main(&arguments),
        Command::Export(arguments) => commands::export::main(&arguments),
        Command::Render(arguments) => commands::render::main(&arguments),
        Command::Measure(arguments) => commands::measure::main(&arguments),
        Command::Sweep(arguments) => commands::sweep::main(&arguments),
        Command::Stress(arguments) => commands::stress::main(&arguments),
        Command::Stability(arguments) => commands::stability::main(&arguments),
        Command::Solve(arguments) => commands::solve::main(&arguments),
        Command::Diagnose(arguments) => commands::diagnose::main(&arguments),
        Command::Bench(arguments) => commands::bench::main(&arguments),
        Command::Validate(arguments) => validate::main(&arguments),
        Command::Demo(arguments) => commands::demo::main(&arguments),
        Command::Schema => {
            failure::say(format_args!("{:#}", drystone_scene::schema()));
            Ok(failure::DONE)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(Failure { code, message }) => {
            eprintln!("error: {}", failure::plain(&message));
            ExitCode::from(code)
        }
    }
}
