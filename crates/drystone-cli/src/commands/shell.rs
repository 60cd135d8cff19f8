//! `drystone completions` and `drystone man`: what shells and `man` want to know of the command, from its
//! arguments.

use crate::failure::{DONE, Failure, say};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print the completions of a shell.
///
/// For bash: `drystone completions bash > ~/.local/share/bash-completion/completions/drystone`.
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages, or print the one of the command itself.
#[derive(clap::Args)]
pub struct ManArguments {
    /// The folder for drystone.1, drystone-run.1 and so on; made if it is not there.
    folder: Option<PathBuf>,
}

/// Runs `completions`.
pub fn completions(arguments: &CompletionsArguments, mut command: clap::Command) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "drystone", &mut text);
    say(String::from_utf8_lossy(&text).trim_end());
    Ok(DONE)
}

/// Runs `man`.
pub fn man(arguments: &ManArguments, command: clap::Command) -> Result<u8, Failure> {
    let Some(folder) = &arguments.folder else {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text).map_err(Failure::other)?;
        say(String::from_utf8_lossy(&text).trim_end());
        return Ok(DONE);
    };
    let wrong = |error: std::io::Error| Failure::other(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(wrong)?;
    // a help of its own for each command would be a page each
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder).map_err(wrong)?;
    say(format_args!("wrote {}", folder.join("drystone.1").display()));
    Ok(DONE)
}
