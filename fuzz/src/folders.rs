//! Saved problems and checkpoints from bytes. Everything is refused or read; what it says is not judged here.

use drystone_io::{Saved, is_checkpoint};
use std::path::Path;

/// Reads a saved problem, by way of a file; whether it was taken.
pub fn problem(bytes: &[u8], file: &Path) -> bool {
    std::fs::write(file, bytes).is_ok() && Saved::read(file).is_ok()
}

/// Reads what stands behind the checksum of a checkpoint; whether it was taken.
pub fn checkpoint(bytes: &[u8]) -> bool {
    is_checkpoint(bytes)
}
