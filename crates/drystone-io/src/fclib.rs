//! Saved contact problems in the format of FCLIB (Acary, Brémond, Koziara, Pérignon 2014): read, checked,
//! condensed on their contacts, written. Solves nothing.
//!
//! A local problem is `u = W r + q`; a global one is `M v = H r + f`, `u = Hᵀ v + w`, from which the bodies
//! are eliminated exactly. A problem with constraints (`V`, `R`, `s` or `G`, `b`) loses these in the same
//! way. The order at a contact is normal, tangents, and for rolling friction the rolling components.

mod condense;
mod contents;
mod dump;
mod reduce;
mod saved;
mod sparse;

pub use contents::Info;
pub use dump::write_problem;
pub use saved::{Saved, SavedProblem};

use crate::IoError;
use crate::hdf5::Source;
use std::path::{Path, PathBuf};

/// A file under inspection: reads its data sets with errors that name the place.
pub(crate) struct Place {
    path: PathBuf,
}

impl Place {
    /// The place `at` holds something else than it may.
    pub fn wrong(&self, at: &str, found: impl ToString, allowed: impl ToString) -> IoError {
        let (found, allowed) = (found.to_string(), allowed.to_string());
        IoError::Problem { path: self.path.clone(), place: at.to_owned(), found, allowed }
    }

    /// Whole numbers.
    pub fn integers(&self, source: &Source, at: &str) -> Result<Vec<i64>, IoError> {
        self.present(source, at, "whole numbers")?;
        source.integers(at).map_err(|error| self.unreadable(error, at, "whole numbers"))
    }

    /// One whole number.
    pub fn integer(&self, source: &Source, at: &str) -> Result<i64, IoError> {
        let found = self.integers(source, at)?;
        match found.as_slice() {
            [value] => Ok(*value),
            _ => Err(self.wrong(at, format!("{} numbers", found.len()), "one whole number")),
        }
    }

    /// Finite real numbers.
    pub fn reals(&self, source: &Source, at: &str) -> Result<Vec<f64>, IoError> {
        self.present(source, at, "real numbers")?;
        let found = source.reals(at).map_err(|error| self.unreadable(error, at, "real numbers"))?;
        match found.iter().position(|value| !value.is_finite()) {
            Some(entry) => {
                Err(self.wrong(at, format!("entry {entry} is {}", found[entry]), "finite numbers"))
            }
            None => Ok(found),
        }
    }

    fn present(&self, source: &Source, at: &str, allowed: &str) -> Result<(), IoError> {
        if source.has(at) { Ok(()) } else { Err(self.wrong(at, "nothing", allowed)) }
    }

    /// An error of the layer below, at a place of the file.
    fn unreadable(&self, error: IoError, at: &str, allowed: &str) -> IoError {
        match error {
            IoError::Damaged { reason, .. } => {
                self.wrong(at, format!("something unreadable ({reason})"), allowed)
            }
            IoError::System { source, .. } => {
                self.wrong(at, format!("something unreadable ({source})"), allowed)
            }
            other => other,
        }
    }
}

/// Opens a file that should hold a problem.
fn open(path: &Path) -> Result<(Source, Place), IoError> {
    let refuse = |reason: String| IoError::NotAProblem { path: path.to_owned(), reason };
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(refuse("no such file".into()));
        }
        Ok(found) if found.is_dir() => return Err(refuse("it is a folder".into())),
        Ok(found) if !found.is_file() => return Err(refuse("it is not a regular file".into())),
        _ => {}
    }
    match Source::open(path) {
        Ok(source) => Ok((source, Place { path: path.to_owned() })),
        Err(IoError::Damaged { reason, .. }) => Err(refuse(reason)),
        // a file cut short shows as a failed read
        Err(IoError::System { source, .. }) => Err(refuse(source.to_string())),
        Err(other) => Err(other),
    }
}
