//! Whether the histories of a run can be read from end to end: every chunk has a checksum, and what is
//! damaged is told with its frames. Mends nothing.

use crate::IoError;
use crate::folder::RunFolder;
use crate::hdf5::Source;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A part of a history that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedPart {
    /// The file.
    pub path: PathBuf,
    /// The data set in it; none where the file cannot be opened or its table of frames cannot be read.
    pub data_set: Option<String>,
    /// The frames it is needed for, from 0.
    pub frames: Range<usize>,
    /// What the reader said.
    pub reason: String,
}

impl std::fmt::Display for DamagedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match self.frames.len() {
            1 => write!(f, "frame {}", self.frames.start)?,
            _ => write!(f, "frames {} to {}", self.frames.start, self.frames.end.saturating_sub(1))?,
        }
        if let Some(name) = &self.data_set {
            write!(f, ", {name}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl RunFolder {
    /// Reads every number of every history and gives what cannot be read; calls `progress` with the files
    /// done and all of them.
    pub fn verify(&self, mut progress: impl FnMut(usize, usize)) -> Result<Vec<DamagedPart>, IoError> {
        let mut histories = Vec::new();
        for entry in std::fs::read_dir(self.path()).map_err(IoError::system(self.path()))? {
            let path = entry.map_err(IoError::system(self.path()))?.path();
            if path.extension().is_some_and(|extension| extension == "vtkhdf") {
                histories.push(path);
            }
        }
        histories.sort();
        let mut damaged = Vec::new();
        for (done, path) in histories.iter().enumerate() {
            progress(done, histories.len());
            damaged.extend(verify_file(path, self.times.len()));
        }
        progress(histories.len(), histories.len());
        Ok(damaged)
    }
}

/// What cannot be read of one history.
fn verify_file(path: &Path, frames: usize) -> Vec<DamagedPart> {
    let part = |data_set: Option<&str>, frames: Range<usize>, error: &IoError| DamagedPart {
        path: path.to_owned(),
        data_set: data_set.map(str::to_owned),
        frames,
        reason: reason(error),
    };
    let source = match Source::open(path) {
        Ok(source) => source,
        Err(error) => return vec![part(None, 0..frames, &error)],
    };
    let starts = match source.all::<i64>("VTKHDF/Steps/PointOffsets").and_then(|starts| {
        let total = source.rows("VTKHDF/Points")?;
        let ends = starts.into_iter().map(|start| (start.max(0) as usize).min(total)).chain([total]);
        Ok(ends.collect::<Vec<usize>>())
    }) {
        Ok(starts) => starts,
        Err(error) => return vec![part(None, 0..frames, &error)],
    };
    let mut damaged: Vec<DamagedPart> = Vec::new();
    for name in source.numbers() {
        for (frames, error) in unreadable(&source, &name, &starts) {
            damaged.push(part(Some(&name), frames, &error));
        }
    }
    damaged
}

/// The frames for which a data set cannot be read, those side by side together. One that does not have a row
/// for each point of each frame is read as a whole, and needed for all frames.
fn unreadable(source: &Source, name: &str, starts: &[usize]) -> Vec<(Range<usize>, IoError)> {
    let frames = starts.len() - 1;
    let by_frames =
        source.rows(name).is_ok_and(|rows| Some(&rows) == starts.last() && rows > 0 && frames > 0);
    if !by_frames {
        return source.touch(name, None).err().map(|error| (0..frames, error)).into_iter().collect();
    }
    let mut found: Vec<(Range<usize>, IoError)> = Vec::new();
    for frame in 0..frames {
        let (start, end) = (starts[frame], starts[frame + 1].max(starts[frame]));
        let Err(error) = source.touch(name, Some(start..end)) else { continue };
        match found.last_mut() {
            Some((frames, _)) if frames.end == frame => frames.end = frame + 1,
            _ => found.push((frame..frame + 1, error)),
        }
    }
    found
}

/// What the reader says, without the file, which is told beside it.
fn reason(error: &IoError) -> String {
    match error {
        IoError::Damaged { reason, .. } => reason.clone(),
        IoError::System { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
