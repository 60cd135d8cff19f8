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

use clap::{CommandFactory, Parser, Subcommand};
use drystone_math::instructions;
use failure::Failure;
use std::io::Write;
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
    Runs(commands::runs::Arguments),
    View(commands::view::Arguments),
    Render(commands::render::Arguments),
    Plot(commands::plot::Arguments),
    Report(commands::report::Arguments),
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
    Completions(commands::shell::CompletionsArguments),
    Man(commands::shell::ManArguments),
}

fn main() -> ExitCode {
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(told) => return ExitCode::from(tell(&told)),
    };
    match check_environment().and_then(|()| run(command)) {
        Ok(code) => ExitCode::from(code),
        Err(Failure { code, message }) => {
            failure::complain("error", &message);
            ExitCode::from(code)
        }
    }
}

/// Prints help or a usage error; its code is 2, ours for bad input, or 1 where help cannot be written.
fn tell(told: &clap::Error) -> u8 {
    match told.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if !told.use_stderr() => {
            // a reader that went away knows
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                failure::complain("error", &format!("standard output: {error}"));
            }
            failure::OTHER
        }
        _ => told.exit_code() as u8,
    }
}

/// Refuses a wish for instructions that nobody knows.
fn check_environment() -> Result<(), Failure> {
    let Some(request) = instructions::unknown_request() else { return Ok(()) };
    let (name, known) = (instructions::VARIABLE, instructions::NAMES.join("` or `"));
    Err(Failure::bad_input(format_args!(
        "the environment variable {name} is `{}`; it may be `{known}`, or not set for the widest instructions \
         of the machine",
        request.escape_debug()
    )))
}

fn run(command: Command) -> Result<u8, Failure> {
    match command {
        Command::New(arguments) => commands::new::main(&arguments),
        Command::List(arguments) => commands::list::main(&arguments),
        Command::Check(arguments) => commands::check::main(&arguments),
        Command::Run(arguments) => commands::run::main(&arguments),
        Command::Resume(arguments) => commands::resume::main(&arguments),
        Command::Info(arguments) => commands::info::main(&arguments),
        Command::Runs(arguments) => commands::runs::main(&arguments),
        Command::View(arguments) => commands::view::main(&arguments),
        Command::Export(arguments) => commands::export::main(&arguments),
        Command::Render(arguments) => commands::render::main(&arguments),
        Command::Plot(arguments) => commands::plot::main(&arguments),
        Command::Report(arguments) => commands::report::main(&arguments),
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
        Command::Completions(wanted) => commands::shell::completions(&wanted, Arguments::command()),
        Command::Man(wanted) => commands::shell::man(&wanted, Arguments::command()),
    }
}
