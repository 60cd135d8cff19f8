//! Checkpoints: everything a run needs to go on with the same bits, one file each, checked by a checksum.
//! Knows when to trust a file, not when to write one.
//!
//! A file is a word that names the format, the checksum of all the rest, and the rest: the dimension, how far
//! the folder was, the snapshot and the bodies that a program changed, as serde and postcard lay them out. A
//! file that was cut short or changed is found out before any of it is believed.

use crate::IoError;
use crate::files;
use crate::totals::Totals;
use drystone::{Setup, Simulation, Snapshot};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names the format; what follows is its version.
const NAME: &[u8] = b"drystone checkpoint v";

/// The version: another one wherever a type in the file changes.
const VERSION: &[u8] = b"11\n\0";

/// Bytes before the rest: name, version and checksum.
const HEAD: usize = NAME.len() + VERSION.len() + 8;

/// Checkpoints kept: should the newest be damaged, the run goes on from the one before.
const KEPT: usize = 2;

/// How far the other files of the folder were when a checkpoint was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FolderProgress {
    /// Frames in each history file.
    pub frames: u64,
    /// Bytes in each table, in the order of the writer: the table of all steps, then the probes.
    pub tables: Vec<u64>,
    /// Running totals of the summary.
    pub totals: Totals,
    /// The scene it belongs to, as the words of its fingerprint.
    pub scene: Vec<u64>,
    /// Whether bodies come and go in the histories.
    pub is_open: bool,
}

/// The first state of a run that goes on from another.
pub(crate) const START: &str = "start.checkpoint";

/// The file of the checkpoint after a step.
pub(crate) fn name(step: u64) -> String {
    format!("step-{step:012}.checkpoint")
}

/// Brings a simulation that was built to the first state of a run folder, where that is not the scene's.
pub(crate) fn to_start<const D: usize>(simulation: &mut Simulation<D>, folder: &Path) -> Result<(), IoError> {
    let path = folder.join("checkpoints").join(START);
    if !path.exists() {
        return Ok(());
    }
    let (snapshot, _) = read::<D>(&path)?;
    simulation.restore(snapshot).map_err(|error| IoError::damaged(&path, error))
}

/// What stands before the snapshot, whose type depends on the dimension.
type Opening = (u32, FolderProgress);

/// Writes a checkpoint under a temporary name and renames it, then drops old ones.
pub(crate) fn write<const D: usize>(
    folder: &Path,
    snapshot: &Snapshot<D>,
    progress: &FolderProgress,
    durable: bool,
) -> Result<(), IoError> {
    let temporary = folder.join("writing.tmp");
    let name = folder.join(name(snapshot.step));
    let make = || {
        let setup = snapshot.setup.as_ref().map(|setup| setup.for_file());
        let bytes = postcard::to_stdvec(&(D as u32, progress, snapshot, setup))
            .map_err(|error| IoError::damaged(&temporary, error))?;
        save(&temporary, &bytes, durable).map_err(IoError::system(&temporary))?;
        fs::rename(&temporary, &name).map_err(IoError::system(&name))
    };
    make().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    for old in list(folder)?.into_iter().skip(KEPT) {
        fs::remove_file(&old).map_err(IoError::system(&old))?;
    }
    Ok(())
}

fn save(path: &Path, bytes: &[u8], durable: bool) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    for part in [NAME, VERSION, &checksum(bytes).to_le_bytes(), bytes] {
        file.write_all(part)?;
    }
    if durable { file.sync_all() } else { Ok(()) }
}

/// The checkpoints of a folder, newest first; those of earlier versions as well, to say so.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>, IoError> {
    let entries = fs::read_dir(folder).map_err(IoError::system(folder))?;
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("step-") && (name.ends_with(".checkpoint") || name.ends_with(".h5"))
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_checkpoint).collect();
    paths.sort();
    paths.reverse();
    Ok(paths)
}

/// The fingerprint of the scene of a checkpoint whose checksum holds, whatever its dimension.
pub(crate) fn scene_words(path: &Path) -> Result<Vec<u64>, IoError> {
    let bytes = open(path)?;
    let (_, progress): Opening = take(path, &bytes[HEAD..])?.0;
    Ok(progress.scene)
}

/// The bytes of a checkpoint of this version whose checksum holds.
fn open(path: &Path) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    files::open_regular(path)?.read_to_end(&mut bytes).map_err(IoError::system(path))?;
    let Some(rest) = bytes.strip_prefix(NAME) else {
        return Err(IoError::damaged(path, "not a checkpoint"));
    };
    let Some(rest) = rest.strip_prefix(VERSION) else {
        let number = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().next().map(str::to_owned);
        let (found, read) = (number(rest).unwrap_or_default(), number(VERSION).unwrap_or_default());
        return Err(IoError::OtherVersion { path: path.to_owned(), found, read });
    };
    match rest.split_first_chunk() {
        Some((sum, rest)) if *sum == checksum(rest).to_le_bytes() => Ok(bytes),
        _ => Err(IoError::damaged(path, "the checksum does not hold")),
    }
}

fn take<'a, T: Deserialize<'a>>(path: &Path, bytes: &'a [u8]) -> Result<(T, &'a [u8]), IoError> {
    postcard::take_from_bytes(bytes).map_err(|error| IoError::damaged(path, error))
}

/// Reads a checkpoint whose checksum holds.
pub(crate) fn read<const D: usize>(path: &Path) -> Result<(Snapshot<D>, FolderProgress), IoError> {
    let bytes = open(path)?;
    let ((dimension, progress), rest): (Opening, _) = take(path, &bytes[HEAD..])?;
    if dimension as usize != D {
        return Err(IoError::damaged(path, format!("it is of dimension {dimension}: another scene?")));
    }
    let (snapshot, setup): (Snapshot<D>, Option<Setup<D>>) = take(path, rest)?.0;
    Ok((Snapshot { setup: setup.map(Arc::new), ..snapshot }, progress))
}

/// Whether bytes that stand behind a checksum that holds are a checkpoint of either dimension: for tests that
/// spoil them, since a checksum keeps them from everybody else.
#[doc(hidden)]
pub fn is_checkpoint(rest: &[u8]) -> bool {
    fn whole<const D: usize>(rest: &[u8]) -> bool {
        postcard::take_from_bytes::<(Snapshot<D>, Option<Setup<D>>)>(rest).is_ok()
    }
    match postcard::take_from_bytes::<Opening>(rest) {
        Ok(((2, _), rest)) => whole::<2>(rest),
        Ok(((3, _), rest)) => whole::<3>(rest),
        _ => false,
    }
}

/// CRC-32 of the bytes, and the low half of their number.
fn checksum(bytes: &[u8]) -> u64 {
    u64::from(crc32fast::hash(bytes)) | (bytes.len() as u64) << 32
}

#[cfg(test)]
mod tests {
    use drystone::{Polytope, Shape, Surface, Vector};
    use serde_json::Value;

    /// Every whole number of a value, one after the other replaced by one too large for any index.
    fn spoiled(value: &Value, path: String, found: &mut Vec<String>) {
        match value {
            Value::Number(number) if number.is_u64() => found.push(path),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(k, item)| spoiled(item, format!("{path}/{k}"), found));
            }
            Value::Object(entries) => {
                entries.iter().for_each(|(key, item)| spoiled(item, format!("{path}/{key}"), found));
            }
            _ => {}
        }
    }

    #[test]
    fn shapes_come_back_to_the_bit_and_spoiled_ones_do_not() {
        let square = |x: f64| [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]].map(Vector::<2>::from);
        let pieces = [0.0, 1.0].map(|x| Polytope::polygon(square(x).to_vec()).unwrap());
        let joined = Polytope::joined(pieces.to_vec()).swap_remove(1);
        let line = [[0.0, 0.0], [0.5, 0.1], [1.0, -0.3], [1.5, 0.2]].map(Vector::<2>::from);
        let shapes: [Shape<2>; 5] = [
            Shape::ball(0.3).unwrap(),
            Shape::hollow_disk(0.1).unwrap(),
            joined.into(),
            Shape::rounded(pieces[0].clone(), 0.1).unwrap(),
            Surface::polyline(line.to_vec()).unwrap().into(),
        ];
        for shape in shapes {
            let bytes = postcard::to_stdvec(&shape).unwrap();
            let again: Shape<2> = postcard::from_bytes(&bytes).unwrap();
            // with all that was measured anew
            assert_eq!(format!("{again:?}"), format!("{shape:?}"));
            assert!(postcard::from_bytes::<Shape<2>>(&bytes[..bytes.len() - 1]).is_err());
            let whole = serde_json::to_value(&shape).unwrap();
            let mut places = Vec::new();
            spoiled(&whole, String::new(), &mut places);
            // the facet of a piece is a name, no index
            for place in places.into_iter().filter(|place| !place.ends_with("facet")) {
                let mut value = whole.clone();
                *value.pointer_mut(&place).unwrap() = Value::from(u32::MAX);
                assert!(serde_json::from_value::<Shape<2>>(value).is_err(), "{place}");
            }
        }
    }
}
