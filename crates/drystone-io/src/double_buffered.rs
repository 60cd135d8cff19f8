//! A series file that is valid under its name at every moment, whenever the process is killed. Holds the
//! order of the file operations; what is in the file belongs to [`crate::series`].
//!
//! An HDF5 file is not valid while it is being lengthened, so there are two copies. A commit lengthens the
//! spare one, closes it, and renames it over the visible one, which becomes the spare of the next commit:
//!
//! 1. `spare/NAME` gets the frames it lacks and is closed,
//! 2. `spare/NAME.old` becomes a second (hard) link to `NAME`,
//! 3. `spare/NAME` is renamed to `NAME` — the commit, atomic,
//! 4. `spare/NAME.old` is renamed to `spare/NAME`.
//!
//! Killed anywhere, `NAME` is either the old file or the new one, both complete. What is left in `spare/` is
//! thrown away at the next start. Someone who still reads the old copy holds a lock on it; the library then
//! refuses to lengthen it and a fresh copy takes its place, so that readers never see a file change under
//! them.

use crate::IoError;
use crate::hdf5::Store;
use crate::series::{FrameData, SeriesFrame, SeriesPlan, frames_in};
use std::fs;
use std::path::{Path, PathBuf};

/// One series file and its spare copy.
pub(crate) struct DoubleBuffered {
    plan: SeriesPlan,
    visible: PathBuf,
    spare: PathBuf,
    old: PathBuf,
    /// Frames the spare copy may lack.
    recent: Vec<SeriesFrame>,
    frames: usize,
}

impl DoubleBuffered {
    /// A new series; the file appears with its first frame.
    pub(crate) fn new(folder: &Path, name: &str, plan: SeriesPlan) -> Self {
        let spare = folder.join("spare").join(name);
        let old = folder.join("spare").join(format!("{name}.old"));
        Self { plan, visible: folder.join(name), spare, old, recent: Vec::new(), frames: 0 }
    }

    /// The series as a killed process left it, without the frames from `frames` on.
    pub(crate) fn reopen(
        folder: &Path,
        name: &str,
        plan: SeriesPlan,
        frames: usize,
    ) -> Result<Self, IoError> {
        let mut file = Self::new(folder, name, plan);
        if frames == 0 {
            let _ = fs::remove_file(&file.visible);
            return Ok(file);
        }
        let held = file.salvage(frames)?;
        if held > frames {
            file.fresh_spare()?;
            file.plan.shorten(&file.spare, frames, true)?;
            file.swap()?;
        }
        // the spare still holds what was dropped: the next commit starts from a fresh copy
        let _ = fs::remove_file(&file.spare);
        file.frames = frames;
        Ok(file)
    }

    /// Whether the visible file or one of its copies holds so many frames; changes nothing.
    pub(crate) fn check(folder: &Path, name: &str, frames: usize) -> Result<(), IoError> {
        let spare = folder.join("spare");
        let held = frames_in(&folder.join(name));
        let copies = [spare.join(name), spare.join(format!("{name}.old"))];
        let enough = |held: &Result<usize, IoError>| held.as_ref().is_ok_and(|held| *held >= frames);
        if frames == 0 || enough(&held) || copies.iter().any(|copy| enough(&frames_in(copy))) {
            return Ok(());
        }
        let reason = format!("it holds {} frames, the checkpoint needs {frames}", held?);
        Err(IoError::damaged(&folder.join(name), reason))
    }

    /// Frames in the visible file. Should a power cut have damaged it, a copy that has enough takes its
    /// place.
    fn salvage(&self, frames: usize) -> Result<usize, IoError> {
        let visible = frames_in(&self.visible);
        if let Ok(held) = visible
            && held >= frames
        {
            return Ok(held);
        }
        for copy in [&self.spare, &self.old] {
            if let Ok(held) = frames_in(copy)
                && held >= frames
            {
                fs::rename(copy, &self.visible).map_err(IoError::system(&self.visible))?;
                return Ok(held);
            }
        }
        let held = visible?;
        Err(IoError::damaged(&self.visible, format!("it holds {held} frames, the checkpoint needs {frames}")))
    }

    /// Frames so far.
    pub(crate) fn frames(&self) -> usize {
        self.frames
    }

    /// Adds a frame. When this returns the visible file holds it; before, it is the file without it.
    pub(crate) fn commit(
        &mut self,
        step: u64,
        time: f64,
        data: FrameData,
        durable: bool,
    ) -> Result<(), IoError> {
        self.recent.retain(|frame| frame.index < self.frames);
        self.recent.push(SeriesFrame { index: self.frames, step, time, data });
        self.lengthen(durable).inspect_err(|_| {
            // half lengthened, it must not be used again
            let _ = fs::remove_file(&self.spare);
        })?;
        self.frames += 1;
        // the new spare lacks the newest frame only
        self.recent.drain(..self.recent.len() - 1);
        Ok(())
    }

    fn lengthen(&self, durable: bool) -> Result<(), IoError> {
        if self.frames == 0 {
            self.plan.create(&self.spare, &self.recent, durable)?;
            return fs::rename(&self.spare, &self.visible).map_err(IoError::system(&self.visible));
        }
        let store = match Store::open(&self.spare) {
            Ok(store) => store,
            Err(_) => {
                self.fresh_spare()?;
                Store::open(&self.spare)?
            }
        };
        self.plan.append(&store, &self.recent)?;
        store.close(durable)?;
        self.swap()
    }

    /// Makes the spare a copy of the visible file, under a new inode.
    fn fresh_spare(&self) -> Result<(), IoError> {
        // it may be a second name of the visible file
        let _ = fs::remove_file(&self.old);
        fs::copy(&self.visible, &self.old).map_err(IoError::system(&self.old))?;
        fs::rename(&self.old, &self.spare).map_err(IoError::system(&self.spare))
    }

    /// Makes the spare visible and the visible one the spare.
    fn swap(&self) -> Result<(), IoError> {
        let _ = fs::remove_file(&self.old);
        // without hard links the spare is lost here, and the next commit makes a fresh one
        let linked = fs::hard_link(&self.visible, &self.old).is_ok();
        fs::rename(&self.spare, &self.visible).map_err(IoError::system(&self.visible))?;
        if linked {
            fs::rename(&self.old, &self.spare).map_err(IoError::system(&self.spare))?;
        }
        Ok(())
    }
}
