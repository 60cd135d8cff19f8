//! Tables of numbers as text, a line each step. Lines go to the system at once, so that a killed process
//! loses none; knows nothing of what the columns mean.

use crate::IoError;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A table open at its end.
pub(crate) struct CsvTable {
    file: File,
    path: PathBuf,
    length: u64,
}

impl CsvTable {
    /// A new table with its header line.
    pub(crate) fn create(path: &Path, header: &str) -> Result<Self, IoError> {
        let file = File::create(path).map_err(IoError::system(path))?;
        let mut table = Self { file, path: path.to_owned(), length: 0 };
        table.line(header)?;
        Ok(table)
    }

    /// An existing table cut to `length` bytes, so that what a killed process wrote after its checkpoint is
    /// dropped.
    pub(crate) fn reopen(path: &Path, length: u64) -> Result<Self, IoError> {
        Self::check(path, length)?;
        let mut file = OpenOptions::new().write(true).open(path).map_err(IoError::system(path))?;
        file.set_len(length).map_err(IoError::system(path))?;
        file.seek(SeekFrom::Start(length)).map_err(IoError::system(path))?;
        Ok(Self { file, path: path.to_owned(), length })
    }

    /// Whether a table has so many bytes; changes nothing.
    pub(crate) fn check(path: &Path, length: u64) -> Result<(), IoError> {
        let held = std::fs::metadata(path).map_err(IoError::system(path))?.len();
        match held < length {
            true => {
                Err(IoError::damaged(path, format!("it has {held} bytes, the checkpoint needs {length}")))
            }
            false => Ok(()),
        }
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), IoError> {
        let line = format!("{text}\n");
        self.file.write_all(line.as_bytes()).map_err(IoError::system(&self.path))?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Bytes so far.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Waits until the disk has it.
    pub(crate) fn sync(&self) -> Result<(), IoError> {
        self.file.sync_data().map_err(IoError::system(&self.path))
    }
}

/// Numbers with commas between, each with as few digits as give the same bits back.
pub(crate) fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    values.into_iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(",")
}
