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

/// Prints a line to standard output. A reader that went away (`| head`) is no reason to panic.
pub fn say(line: impl fmt::Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
