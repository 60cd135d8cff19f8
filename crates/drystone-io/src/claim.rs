//! Whose a folder is: made ours for a new run, and cleared of what an older run wrote, of nothing else.

use crate::IoError;
use crate::checkpoint::START;
use crate::files::{self, LOCK};
use std::fs::{self, File};
use std::path::Path;

/// The file of the surfaces, and the name of a damaged one.
pub(crate) const SURFACES: &str = "surfaces.vtkhdf";
pub(crate) const SET_ASIDE: &str = "surfaces.vtkhdf.damaged";

/// Everything a run folder may hold.
const CONTENT: [&str; 14] = [
    SET_ASIDE,
    "scene.toml",
    "bodies.vtkhdf",
    "contacts.vtkhdf",
    "ties.vtkhdf",
    "surfaces.vtkhdf",
    "elements.vtkhdf",
    "probes",
    "measures",
    "checkpoints",
    "problems",
    "spare",
    "summary.json",
    LOCK,
];

/// Whether a file in a folder of a run is one that a run writes.
fn is_ours(folder: &str, name: &str) -> bool {
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    match folder {
        "probes" | "measures" => ends(&[".csv"]),
        "checkpoints" => {
            name.starts_with("step-") && ends(&[".checkpoint", ".h5"])
                || name == "writing.tmp"
                || name == START
        }
        "problems" => name.starts_with("step-") && ends(&[".hdf5", ".tmp"]) || name == "every.txt",
        "spare" => ends(&[".vtkhdf", ".vtkhdf.old"]),
        _ => false,
    }
}

/// Removes what a run wrote under a name: a file, or those files in a folder that are ours, and the folder
/// where nothing else is in it. A link is removed, not what it leads to.
fn clear(folder: &Path, name: &str) -> std::io::Result<()> {
    let path = folder.join(name);
    if !fs::symlink_metadata(&path)?.is_dir() {
        return fs::remove_file(&path);
    }
    for entry in fs::read_dir(&path)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|file| is_ours(name, file)) && !entry.file_type()?.is_dir()
        {
            fs::remove_file(entry.path())?;
        }
    }
    match fs::remove_dir(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => Ok(()),
        done => done,
    }
}

/// Makes the folder ours, empty but for the lock. Touches nothing that is not of a run.
pub(crate) fn claim(folder: &Path, force: bool) -> Result<File, IoError> {
    files::make_folder(folder)?;
    let mut entries = fs::read_dir(folder).map_err(IoError::system(folder))?;
    if entries.next().is_some() {
        if !folder.join(LOCK).exists() {
            return Err(IoError::Occupied(folder.to_owned()));
        }
        if !force {
            return Err(IoError::Exists(folder.to_owned()));
        }
    }
    let lock = files::lock(folder)?;
    files::sign(&lock, folder)?;
    for name in CONTENT.iter().filter(|&&name| name != LOCK) {
        match clear(folder, name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(IoError::system(&folder.join(name))(error));
            }
            _ => {}
        }
    }
    Ok(lock)
}
