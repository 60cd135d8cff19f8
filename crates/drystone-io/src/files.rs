//! Whole files written in one piece, and the lock of a run folder. Knows no content.

use crate::IoError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Name of the lock; its presence marks a run folder.
pub(crate) const LOCK: &str = "run.lock";

/// Opens a file of a run to read it. A pipe or a device, which may have no end or keep who opens it waiting,
/// is refused.
pub fn open_regular(path: &Path) -> Result<File, IoError> {
    let found = fs::metadata(path).map_err(IoError::system(path))?;
    match found.is_file() {
        true => File::open(path).map_err(IoError::system(path)),
        false => Err(IoError::damaged(path, "it is not a regular file")),
    }
}

/// Makes a folder and those above it, where they are not there.
pub(crate) fn make_folder(path: &Path) -> Result<(), IoError> {
    fs::create_dir_all(path).map_err(|source| IoError::NoFolder { path: path.to_owned(), source })
}

/// The text of a file of a run, refused as by [`open_regular`].
pub fn read_text(path: &Path) -> Result<String, IoError> {
    let mut text = String::new();
    open_regular(path)?.read_to_string(&mut text).map_err(IoError::system(path))?;
    Ok(text)
}

/// Writes a file so that its name shows either the old content or the whole new one.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), IoError> {
    let temporary = path.with_extension("tmp");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(IoError::system(path))
}

/// Lets `write` make a file under another name and gives it its own only when it is whole.
pub(crate) fn write_with(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let written =
        write(&temporary).and_then(|()| fs::rename(&temporary, path).map_err(IoError::system(path)));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Waits until the disk knows the names in a folder. Not every system can do this, and none needs more.
pub(crate) fn sync_folder(path: &Path) {
    let _ = File::open(path).and_then(|folder| folder.sync_all());
}

/// Waits until the disk has the content of a file, if it is there.
pub(crate) fn sync_file(path: &Path) -> Result<(), IoError> {
    match OpenOptions::new().write(true).open(path).and_then(|file| file.sync_all()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(IoError::system(path)(error)),
        _ => Ok(()),
    }
}

/// Takes the lock of a run folder. The system drops it with the process, however that ends. A lock that is a
/// link is refused: what it leads to is no file of ours.
pub(crate) fn lock(folder: &Path) -> Result<File, IoError> {
    let path = folder.join(LOCK);
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
        let reason = format!("its {LOCK} is a link or no file at all; remove it");
        return Err(IoError::NotARun { path: folder.to_owned(), reason });
    }
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = open.map_err(IoError::system(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            let _ = file.read_to_string(&mut owner);
            let owner = if owner.is_empty() { owner } else { format!(" ({})", owner.trim()) };
            return Err(IoError::Busy { path: folder.to_owned(), owner });
        }
        // a file system without locks cannot be guarded
        Err(TryLockError::Error(source)) if source.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(source)) => return Err(IoError::System { path, source }),
    }
    Ok(file)
}

/// Writes into a lock that is held which process holds it.
pub(crate) fn sign(mut file: &File, folder: &Path) -> Result<(), IoError> {
    let path = folder.join(LOCK);
    let mut note = || -> std::io::Result<()> {
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        writeln!(file, "process {}", std::process::id())
    };
    note().map_err(IoError::system(&path))
}

/// Whether a process holds the lock of a run folder now.
pub(crate) fn is_locked(folder: &Path) -> bool {
    let file = File::open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
