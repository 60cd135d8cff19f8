//! Why something cannot be shown, in a sentence each. How a request is answered is said in `routes`.

use drystone_io::IoError;
use std::path::PathBuf;
use thiserror::Error;

/// What may go wrong between a run and its page.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The run folder does not read.
    #[error(transparent)]
    Run(#[from] IoError),
    /// The scene does not read or build.
    #[error("{0}")]
    Scene(String),
    /// Neither a run folder nor a scene file.
    #[error("{0}: neither a run folder nor a scene file (.toml); name the folder that `run` wrote")]
    Unknown(PathBuf),
    /// Nothing to show yet.
    #[error("{0}: holds no frame yet")]
    Empty(PathBuf),
    /// No port to listen on.
    #[error("port {port} of 127.0.0.1: {source}; choose another by --port, or 0 for any that is free")]
    Port {
        /// What was asked for.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// A table that is not there.
    #[error("{0:?}: the run has no such table")]
    NoTable(String),
    /// A table that does not read.
    #[error("{path}: {reason}")]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something cannot be written.
    #[error("{path}: {source}; check free space and permissions")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Nothing to ask of a run that has ended.
    #[error("the run is not in progress: there is nothing to {0}")]
    NotRunning(&'static str),
}

impl ServeError {
    /// Whether the caller asked for something impossible, rather than the machine failing.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Run(error) => error.is_bad_input(),
            Self::Write { .. } => false,
            _ => true,
        }
    }
}
