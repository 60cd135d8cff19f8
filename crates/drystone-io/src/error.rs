//! Why a run folder or a saved problem cannot be read or written. Each message names the path and what to do;
//! nothing is printed here.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// What may go wrong with a run folder or a saved problem.
#[derive(Debug, Error)]
pub enum IoError {
    /// The folder is not there.
    #[error("{0}: no such run folder")]
    Missing(PathBuf),
    /// The folder is there, but it holds something else.
    #[error("{path}: not a run folder ({reason})")]
    NotARun {
        /// The folder.
        path: PathBuf,
        /// What was looked for and not found.
        reason: String,
    },
    /// A new run would overwrite an older one.
    #[error(
        "{0}: holds a run already; choose another folder, go on with it by `resume`, or overwrite it by force"
    )]
    Exists(PathBuf),
    /// A new run would mix with files that are not ours; force does not help.
    #[error("{0}: is not empty and not a run folder; choose another folder")]
    Occupied(PathBuf),
    /// Another process writes the folder.
    #[error("{path}: another process{owner} is writing this run; wait for it or stop it first")]
    Busy {
        /// The folder.
        path: PathBuf,
        /// " (process 1234)" where it is known.
        owner: String,
    },
    /// Nothing to go on from.
    #[error("{0}: no usable checkpoint, so it cannot be resumed; run the scene again, overwriting by force")]
    NoCheckpoint(PathBuf),
    /// A checkpoint of another version.
    #[error(
        "{path}: a checkpoint of format {found}, this version of Drystone reads format {read}; go on with the version that \
         wrote it, or run the scene again, overwriting by force"
    )]
    OtherVersion {
        /// The checkpoint.
        path: PathBuf,
        /// The format it has.
        found: String,
        /// The format that can be read.
        read: String,
    },
    /// A run whose bodies are no longer those of its files.
    #[error("{path}: {reason}")]
    OtherBodies {
        /// The folder or file.
        path: PathBuf,
        /// What has changed, and what to do.
        reason: String,
    },
    /// A frame that is not there.
    #[error("{path}: no frame {frame}, it holds {frames} (counted from 0)")]
    NoFrame {
        /// The folder.
        path: PathBuf,
        /// What was asked for.
        frame: usize,
        /// How many there are.
        frames: usize,
    },
    /// A step that was not done.
    #[error("{path}: no step {step}, it has done {steps}")]
    NoStep {
        /// The folder.
        path: PathBuf,
        /// What was asked for.
        step: u64,
        /// How many there are.
        steps: u64,
    },
    /// The scene of the folder does not read or build.
    #[error("{path}: {reason}")]
    Scene {
        /// The scene file in the folder.
        path: PathBuf,
        /// The message of the scene reader.
        reason: String,
    },
    /// The scene of the folder is no longer the one the run was made with.
    #[error(
        "{path}: the scene has changed since the last checkpoint: {places}; only title, time.duration, output.interval, \
         [solver], [equilibrium] and [standing] may change; take the changes back, or run the new scene in a folder of its own"
    )]
    Changed {
        /// The scene file in the folder.
        path: PathBuf,
        /// What changed and may not.
        places: String,
    },
    /// A file is damaged or was written by something else.
    #[error("{path}: damaged or not ours: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// A file that is no saved contact problem at all.
    #[error(
        "{path}: not a saved contact problem ({reason}); expected is an HDF5 file with one of the groups fclib_local, \
         fclib_global or fclib_global_rolling"
    )]
    NotAProblem {
        /// The file.
        path: PathBuf,
        /// What was looked for and not found.
        reason: String,
    },
    /// A saved contact problem that contradicts itself or the format.
    #[error("{path}: {place}: {found}; allowed is {allowed}")]
    Problem {
        /// The file.
        path: PathBuf,
        /// Group or data set in the file.
        place: String,
        /// What was found there.
        found: String,
        /// What may stand there.
        allowed: String,
    },
    /// A folder that cannot be made where it was asked for.
    #[error("{path}: this folder cannot be made: {source}{}", advice_on_folder(source))]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// The answer of the operating system.
        source: std::io::Error,
    },
    /// The operating system refused: disk full, no permission …
    #[error("{path}: {source}{}", advice(source))]
    System {
        /// The file.
        path: PathBuf,
        /// Its answer.
        source: std::io::Error,
    },
}

impl IoError {
    /// Whether the caller asked for something impossible (a wrong or damaged folder, a frame or a file that
    /// is not there), rather than the machine failing.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::System { source, .. } | Self::NoFolder { source, .. } => is_wrong_path(source),
            _ => true,
        }
    }

    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// The same, told with the frame that cannot be read for it.
    pub(crate) fn in_frame(self, frame: usize) -> Self {
        match self {
            Self::Damaged { path, reason } => Self::Damaged {
                path,
                reason: format!(
                    "frame {frame}: {reason}; `drystone info --verify` tells all that is damaged"
                ),
            },
            other => other,
        }
    }

    pub(crate) fn system(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::System { path, source }
    }
}

/// Whether the system says that the path is wrong, not that it cannot do what it is asked.
fn is_wrong_path(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// What to do about an answer of the system, where that is known.
fn advice(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "; a file of the run is missing",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "; check permissions",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "; make room on the disk"
        }
        _ => "",
    }
}

/// What to do where a folder cannot be made: all folders above it are made as well, so that a file is in the
/// way, or nothing can be made there at all.
fn advice_on_folder(error: &std::io::Error) -> &'static str {
    match is_wrong_path(error) || error.kind() == std::io::ErrorKind::AlreadyExists {
        true => "; name one below a folder that is there and can be written",
        false => advice(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_folder_that_cannot_be_made_is_not_a_missing_file() {
        let told = |kind: ErrorKind| IoError::NoFolder { path: "runs/a".into(), source: Error::from(kind) };
        for kind in [ErrorKind::NotFound, ErrorKind::NotADirectory] {
            let wrong = told(kind);
            let text = wrong.to_string();
            assert!(text.contains("cannot be made") && text.contains("name one below"), "{text}");
            assert!(!text.contains("of the run is missing") && wrong.is_bad_input(), "{text}");
        }
        let refused = told(ErrorKind::PermissionDenied);
        assert!(refused.to_string().ends_with("check permissions") && !refused.is_bad_input(), "{refused}");
    }

    #[test]
    fn advice_fits_the_cause() {
        let told = |kind: ErrorKind| IoError::system(Path::new("bodies.vtkhdf"))(Error::from(kind));
        let missing = told(ErrorKind::NotFound);
        assert!(missing.to_string().ends_with("missing") && missing.is_bad_input(), "{missing}");
        let full = told(ErrorKind::StorageFull);
        assert!(full.to_string().ends_with("make room on the disk") && !full.is_bad_input(), "{full}");
        let refused = told(ErrorKind::PermissionDenied);
        assert!(refused.to_string().ends_with("check permissions") && !refused.is_bad_input(), "{refused}");
        assert!(IoError::damaged(Path::new("x"), "cut short").is_bad_input());
    }
}
