//! Checkpoints: everything a run needs to go on with the same bits, one HDF5 file each, checked by a
//! checksum. Knows when to trust a file, not when to write one.
//!
//! A file begins with 512 bytes of ours (HDF5 allows for them): a word that names the format, then the
//! checksum of all the rest. A file that was cut short or changed is found out before any of it is believed.

use crate::IoError;
use crate::hdf5::{Source, Store, Values};
use crate::setup;
use crate::totals::Totals;
use drystone::{
    BRANCHES, ContactId, ContactMemory, LAW_MEMORY, Ledger, Pose, Snapshot, TieMemory, Vector, Velocities,
    rigid_dofs,
};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes before the HDF5 content.
const RESERVED: usize = 512;

/// Names the format, with its version.
const MAGIC: &[u8; 24] = b"drystone checkpoint v5\n\0";

/// Checkpoints kept: should the newest be damaged, the run goes on from the one before.
const KEPT: usize = 2;

/// How far the other files of the folder were when a checkpoint was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
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

/// Writes a checkpoint under a temporary name and renames it, then drops old ones.
pub(crate) fn write<const D: usize>(
    folder: &Path,
    snapshot: &Snapshot<D>,
    progress: &Progress,
    durable: bool,
) -> Result<(), IoError> {
    let temporary = folder.join("writing.tmp");
    let name = folder.join(format!("step-{:012}.h5", snapshot.step));
    let make = || {
        let store = Store::create(&temporary, RESERVED as u64)?;
        fill(&store, snapshot, progress)?;
        store.close(false)?;
        seal(&temporary, durable).map_err(IoError::system(&temporary))?;
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

/// The checkpoints of a folder, newest first.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>, IoError> {
    let entries = fs::read_dir(folder).map_err(IoError::system(folder))?;
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("step-") && name.ends_with(".h5")
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_checkpoint).collect();
    paths.sort();
    paths.reverse();
    Ok(paths)
}

/// The fingerprint of the scene of a checkpoint whose checksum holds, whatever its dimension.
pub(crate) fn scene_words(path: &Path) -> Result<Vec<u64>, IoError> {
    open(path)?.all("scene")
}

/// Opens a checkpoint whose checksum holds.
fn open(path: &Path) -> Result<Source, IoError> {
    let bytes = fs::read(path).map_err(IoError::system(path))?;
    let head = bytes.get(..RESERVED).unwrap_or(&[]);
    if !head.starts_with(MAGIC) {
        return Err(IoError::damaged(path, "not a checkpoint of this version"));
    }
    if head[MAGIC.len()..MAGIC.len() + 8] != checksum(&bytes[RESERVED..]).to_le_bytes() {
        return Err(IoError::damaged(path, "the checksum does not hold"));
    }
    drop(bytes);
    Source::open(path)
}

/// Reads a checkpoint whose checksum holds.
pub(crate) fn read<const D: usize>(path: &Path) -> Result<(Snapshot<D>, Progress), IoError> {
    let source = open(path)?;
    let numbers = |name: &str| source.all::<f64>(name);
    let wrong = |what: &str| IoError::damaged(path, format!("{what} has the wrong size: another scene?"));

    let shape: Vec<u64> = source.all("shape")?;
    let [step, frames, dimension, freedoms] = shape[..] else {
        return Err(wrong("shape"));
    };
    if (dimension, freedoms) != (D as u64, rigid_dofs(D) as u64) {
        return Err(wrong("dimension"));
    }
    let poses = numbers("positions")?.chunks_exact(D).map(Vector::<D>::from_column_slice).collect::<Vec<_>>();
    let turns = numbers("orientations_wxyz")?;
    let turns = turns.chunks_exact(4).map(|q| Pose::<D>::orientation_from_wxyz([q[0], q[1], q[2], q[3]]));
    let poses: Vec<_> =
        poses.into_iter().zip(turns).map(|(position, orientation)| Pose { position, orientation }).collect();
    let velocities: Velocities = numbers("velocities")?.chunks_exact(rigid_dofs(D)).collect();
    if poses.len() != velocities.len() {
        return Err(wrong("velocities"));
    }
    let progress = Progress {
        frames,
        tables: source.all("tables")?,
        totals: Totals::from_words(&source.all("totals")?).ok_or_else(|| wrong("totals"))?,
        scene: source.all("scene")?,
        is_open: source.all::<u64>("open")? == [1],
    };
    let ledger = ledger_from(&numbers("ledger")?).ok_or_else(|| wrong("ledger"))?;
    let &[mean_normal] = &numbers("mean_normal")?[..] else {
        return Err(wrong("mean_normal"));
    };
    let memory = memory_from(&source)?;
    let ties = ties_from(&source)?;
    let setup = setup::read(&source, path)?.map(Arc::new);
    Ok((Snapshot { step, poses, velocities, memory, ties, mean_normal, ledger, setup }, progress))
}

fn fill<const D: usize>(store: &Store, snapshot: &Snapshot<D>, progress: &Progress) -> Result<(), IoError> {
    let Snapshot { step, poses, velocities, memory, ties, mean_normal, ledger, .. } = snapshot;
    let shape = vec![*step, progress.frames, D as u64, rigid_dofs(D) as u64];
    let table = [
        ("shape", 1, Values::U64(shape)),
        (
            "positions",
            D,
            Values::F64(
                poses.iter().flat_map(|pose| pose.position.iter().copied().collect::<Vec<_>>()).collect(),
            ),
        ),
        (
            "orientations_wxyz",
            4,
            Values::F64(poses.iter().flat_map(|pose| pose.orientation_wxyz()).collect()),
        ),
        ("velocities", rigid_dofs(D), Values::F64(velocities.flat().to_vec())),
        (
            "memory_contactors",
            2,
            Values::U32(memory.iter().flat_map(|contact| contact.id.contactors).collect()),
        ),
        (
            "memory_image",
            2,
            Values::I64(memory.iter().flat_map(|contact| contact.id.image.map(i64::from)).collect()),
        ),
        ("memory_feature", 1, Values::U64(memory.iter().map(|contact| contact.id.feature).collect())),
        (
            "memory_impulse",
            D,
            Values::F64(
                memory
                    .iter()
                    .flat_map(|contact| contact.impulse.iter().copied().collect::<Vec<_>>())
                    .collect(),
            ),
        ),
        ("mean_normal", 1, Values::F64(vec![*mean_normal])),
        ("memory_stored", 1, Values::F64(memory.iter().map(|contact| contact.stored).collect())),
        ("memory_mark", 1, Values::F64(memory.iter().map(|contact| contact.mark).collect())),
        (
            "memory_point",
            D,
            Values::F64(
                memory.iter().flat_map(|contact| contact.point.iter().copied().collect::<Vec<_>>()).collect(),
            ),
        ),
        (
            "memory_beside",
            BRANCHES * D,
            Values::F64(
                memory
                    .iter()
                    .flat_map(|contact| contact.beside.iter().flatten().copied().collect::<Vec<_>>())
                    .collect(),
            ),
        ),
        (
            "memory_internal",
            LAW_MEMORY,
            Values::F64(memory.iter().flat_map(|contact| contact.internal).collect()),
        ),
        (
            "ties_impulse",
            2 * D,
            Values::F64(
                ties.iter()
                    .flat_map(|tie| tie.impulse.iter().flatten().copied().collect::<Vec<_>>())
                    .collect(),
            ),
        ),
        (
            "ties_free",
            D + 2,
            Values::F64(
                ties.iter()
                    .flat_map(|tie| tie.friction.iter().chain(&tie.stops).copied().collect::<Vec<_>>())
                    .collect(),
            ),
        ),
        ("ties_stored", 1, Values::F64(ties.iter().map(|tie| tie.stored).collect())),
        ("ties_value", 1, Values::F64(ties.iter().map(|tie| tie.value).collect())),
        ("ties_broken", 1, Values::U64(ties.iter().map(|tie| tie.broken.into()).collect())),
        ("ledger", 1, Values::F64(ledger_to(ledger))),
        ("tables", 1, Values::U64(progress.tables.clone())),
        ("totals", 1, Values::U64(progress.totals.to_words())),
        ("scene", 1, Values::U64(progress.scene.clone())),
        ("open", 1, Values::U64(vec![u64::from(progress.is_open)])),
    ];
    table.iter().try_for_each(|(name, components, values)| store.fixed(name, values, *components))?;
    snapshot.setup.as_ref().map_or(Ok(()), |setup| setup::write(store, setup))
}

fn memory_from<const D: usize>(source: &Source) -> Result<Vec<ContactMemory<D>>, IoError> {
    let contactors: Vec<u32> = source.all("memory_contactors")?;
    let images: Vec<i64> = source.all("memory_image")?;
    let features: Vec<u64> = source.all("memory_feature")?;
    let impulses: Vec<f64> = source.all("memory_impulse")?;
    let internals: Vec<f64> = source.all("memory_internal")?;
    let stored: Vec<f64> = source.all("memory_stored")?;
    let marks: Vec<f64> = source.all("memory_mark")?;
    let points: Vec<f64> = source.all("memory_point")?;
    let beside: Vec<f64> = source.all("memory_beside")?;
    let rows =
        contactors.chunks_exact(2).zip(images.chunks_exact(2)).zip(&features).zip(impulses.chunks_exact(D));
    let places = points.chunks_exact(D).zip(beside.chunks_exact(BRANCHES * D));
    Ok(rows
        .zip(internals.chunks_exact(LAW_MEMORY))
        .zip(stored.iter().zip(&marks).zip(places))
        .map(|(((((pair, image), &feature), impulse), internal), ((&stored, &mark), (point, beside)))| {
            ContactMemory {
                id: ContactId {
                    contactors: [pair[0], pair[1]],
                    image: [image[0] as i32, image[1] as i32],
                    feature,
                },
                impulse: Vector::<D>::from_column_slice(impulse),
                beside: std::array::from_fn(|branch| {
                    Vector::<D>::from_column_slice(&beside[branch * D..(branch + 1) * D])
                }),
                point: Vector::<D>::from_column_slice(point),
                stored,
                mark,
                internal: std::array::from_fn(|variable| internal[variable]),
            }
        })
        .collect())
}

fn ties_from<const D: usize>(source: &Source) -> Result<Vec<TieMemory<D>>, IoError> {
    let impulses: Vec<f64> = source.all("ties_impulse")?;
    let stored: Vec<f64> = source.all("ties_stored")?;
    let values: Vec<f64> = source.all("ties_value")?;
    let broken: Vec<u64> = source.all("ties_broken")?;
    let free: Vec<f64> = source.all("ties_free")?;
    let impulses = impulses.chunks_exact(2 * D).zip(free.chunks_exact(D + 2));
    let rows = impulses.zip(stored).zip(values.into_iter().zip(broken));
    Ok(rows
        .map(|(((impulse, free), stored), (value, broken))| TieMemory {
            friction: Vector::<D>::from_column_slice(&free[..D]),
            stops: [free[D], free[D + 1]],
            impulse: std::array::from_fn(|part| {
                Vector::<D>::from_column_slice(&impulse[part * D..(part + 1) * D])
            }),
            stored,
            value,
            broken: broken != 0,
        })
        .collect())
}

/// Every field by name, so that a new one cannot be forgotten.
fn ledger_to(ledger: &Ledger) -> Vec<f64> {
    let Ledger {
        loads,
        drives,
        friction,
        shocks,
        cohesion,
        viscosity,
        stored,
        scheme,
        drift,
        gyroscopic,
        exchanged,
        settled,
    } = *ledger;
    vec![
        loads, drives, friction, shocks, cohesion, viscosity, stored, scheme, drift, gyroscopic, exchanged,
        settled,
    ]
}

fn ledger_from(values: &[f64]) -> Option<Ledger> {
    let &[
        loads,
        drives,
        friction,
        shocks,
        cohesion,
        viscosity,
        stored,
        scheme,
        drift,
        gyroscopic,
        exchanged,
        settled,
    ] = values
    else {
        return None;
    };
    Some(Ledger {
        loads,
        drives,
        friction,
        shocks,
        cohesion,
        viscosity,
        stored,
        scheme,
        drift,
        gyroscopic,
        exchanged,
        settled,
    })
}

/// Writes name and checksum into the reserved bytes.
fn seal(path: &Path, durable: bool) -> std::io::Result<()> {
    let sum = checksum(&fs::read(path)?[RESERVED..]);
    let mut file: File = OpenOptions::new().write(true).open(path)?;
    file.write_all(MAGIC)?;
    file.write_all(&sum.to_le_bytes())?;
    if durable { file.sync_all() } else { Ok(()) }
}

/// CRC-32 of the bytes, and the low half of their number.
fn checksum(bytes: &[u8]) -> u64 {
    u64::from(crc32fast::hash(bytes)) | (bytes.len() as u64) << 32
}
