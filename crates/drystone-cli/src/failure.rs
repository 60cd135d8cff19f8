//! How the command ends.

use drystone_io::IoError;
use drystone_scene::SceneError;
use drystone_serve::ServeError;
use drystone_view::ViewError;
use std::fmt;
use std::io::Write;

/// Done.
pub const DONE: u8 = 0;
/// Anything else.
pub const OTHER: u8 = 1;
/// Bad input.
pub const BAD_INPUT: u8 = 2;
/// Some step did not reach its tolerance.
pub const NOT_CONVERGED: u8 = 3;
/// Stopped on request.
pub const STOPPED: u8 = 4;

/// A structure cannot stand as it is.
pub const FALLS: u8 = 5;

/// An exit code and what to say.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// One message.
    pub message: String,
}

impl Failure {
    /// The user asked for something impossible.
    pub fn bad_input(message: impl fmt::Display) -> Self {
        Self { code: BAD_INPUT, message: message.to_string() }
    }

    /// The machine failed.
    pub fn other(message: impl fmt::Display) -> Self {
        Self { code: OTHER, message: message.to_string() }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::bad_input(error)
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let code = if error.is_bad_input() { BAD_INPUT } else { OTHER };
        Self { code, message: error.to_string() }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error.is_bad_input() {
            true => Self::bad_input(error),
            false => Self::other(error),
        }
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::Run(error) => error.into(),
            ViewError::Write { .. } | ViewError::Encode { .. } => Self::other(error),
            _ => Self::bad_input(error),
        }
    }
}

/// Prints a line to standard output. Output that cannot be written, to a full disk or to a reader that went
/// away, ends the command with code 1: who asked for it must not take half of it for the whole.
pub fn say(line: impl fmt::Display) {
    let text = plain(&line.to_string());
    if let Err(error) = writeln!(std::io::stdout(), "{text}") {
        if error.kind() != std::io::ErrorKind::BrokenPipe {
            eprintln!("error: standard output: {error}");
        }
        std::process::exit(OTHER.into());
    }
}

/// A text without characters that a terminal takes for commands: names and messages may come from strangers.
pub fn plain(text: &str) -> String {
    let is_command = |c: char| c.is_control() && c != '\n' && c != '\t';
    match text.contains(is_command) {
        false => text.to_owned(),
        true => text.chars().map(|c| if is_command(c) { '\u{fffd}' } else { c }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn commands_to_a_terminal_are_shown_as_what_they_are() {
        assert_eq!(plain("a\tb\nc"), "a\tb\nc");
        assert_eq!(plain("\u{1b}[2Jgone\u{7}\u{9b}1m\r"), "\u{fffd}[2Jgone\u{fffd}\u{fffd}1m\u{fffd}");
    }
}
