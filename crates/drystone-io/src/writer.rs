//! A run folder being written. Holds the order of writing that makes it safe to kill the process at any
//! moment; decides nothing about when to write.
//!
//! Order at an output step: history frame, tables, checkpoint. A checkpoint names how many frames and bytes
//! go with it, so that whatever was written after it can be dropped and written again, with the same bits.

use crate::IoError;
use crate::checkpoint::{self, FolderProgress};
use crate::claim::{SET_ASIDE, SURFACES, claim};
use crate::double_buffered::DoubleBuffered;
use crate::files;
use crate::folder::{Frame, RunFolder, changes, check, read_scene, scene_error};
use crate::measures::volumes;
use crate::records::{bodies_plan, body_rows, contact_rows, contacts_plan, open_bodies_plan, open_body_rows};
use crate::surfaces::Surfaces;
use crate::tables::Tables;
use crate::ties::{open_tie_rows, open_ties_plan, tie_rows, ties_plan};
use crate::totals::Totals;
use crate::volumes::{ELEMENTS, element_rows, elements_plan};
use drystone::{AnySimulation, Energy, Handles, Simulation, Snapshot, StepReport, Structure};
use drystone_scene::{Changes, Scene, writes_surfaces};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Disks are waited for at most this often. A killed process loses nothing without it, only a power cut does.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A run that goes on after it was stopped.
pub struct Resumed {
    /// The folder, without anything written after the checkpoint.
    pub writer: RunWriter,
    /// The scene of the folder.
    pub scene: Scene,
    /// The simulation as it was at the checkpoint.
    pub simulation: AnySimulation,
    /// The totals at the checkpoint.
    pub totals: Totals,
    /// What had changed in the scene since then.
    pub changes: Changes,
    /// The structure as the scene begins.
    pub structure: Structure,
}

/// Writes a run folder.
pub struct RunWriter {
    folder: PathBuf,
    _lock: File,
    bodies: DoubleBuffered,
    contacts: Option<DoubleBuffered>,
    ties: Option<DoubleBuffered>,
    /// The file of the surfaces, and the surfaces where they stay the same.
    surfaces: Option<(DoubleBuffered, Option<Surfaces>)>,
    /// The file of the elements of deformable bodies.
    elements: Option<DoubleBuffered>,
    tables: Tables,
    /// The words of the fingerprint of the scene.
    scene: Vec<u64>,
    /// The bodies the run began with; those of every frame unless they come and go.
    handles: Handles,
    /// Names of the ties the run began with.
    tie_names: Vec<String>,
    /// Names of the sources of bodies.
    sources: Vec<String>,
    is_open: bool,
    synced: Instant,
    durable: bool,
}

impl RunWriter {
    /// Starts a run folder; `simulation` is as the scene builds it. A folder that holds a run is refused
    /// unless `force` says to overwrite it; one that holds anything else is always refused.
    pub fn create<const D: usize>(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &Simulation<D>,
        force: bool,
    ) -> Result<Self, IoError> {
        Self::begin(folder.as_ref(), scene, simulation, force, false)
    }

    /// The same for a program in which bodies come and go: each frame of the histories has bodies, surfaces
    /// and ties of its own, bodies named by `id` and `generation`.
    pub fn create_open<const D: usize>(
        folder: impl AsRef<Path>,
        scene: &Scene,
        simulation: &Simulation<D>,
        force: bool,
    ) -> Result<Self, IoError> {
        Self::begin(folder.as_ref(), scene, simulation, force, true)
    }

    fn begin<const D: usize>(
        folder: &Path,
        scene: &Scene,
        simulation: &Simulation<D>,
        force: bool,
        is_open: bool,
    ) -> Result<Self, IoError> {
        let lock = claim(folder, force)?;
        for name in ["probes", "checkpoints", "spare"] {
            let path = folder.join(name);
            files::make_folder(&path)?;
        }
        files::write_whole(&folder.join("scene.toml"), &scene.to_toml())?;
        let tables = Tables::create(folder, scene, simulation)?;
        Self::assemble(folder, lock, scene, simulation, 0, is_open, tables)
    }

    /// Goes on with a folder from its last good checkpoint. Everything written after it is dropped.
    pub fn reopen(folder: impl AsRef<Path>) -> Result<Resumed, IoError> {
        let folder = folder.as_ref();
        check(folder)?;
        let lock = files::lock(folder)?;
        let scene = read_scene(folder)?;
        let changes = changes(folder, &scene)?;
        let mut simulation = scene.build().map_err(|error| scene_error(folder, error))?;
        match &mut simulation {
            AnySimulation::Plane(simulation) => checkpoint::to_start(simulation, folder)?,
            AnySimulation::Space(simulation) => checkpoint::to_start(simulation, folder)?,
        }
        let structure = structure(&simulation);
        let (writer, totals) = match &mut simulation {
            AnySimulation::Plane(simulation) => Self::restore(folder, lock, &scene, simulation)?,
            AnySimulation::Space(simulation) => Self::restore(folder, lock, &scene, simulation)?,
        };
        Ok(Resumed { writer, scene, simulation, totals, changes, structure })
    }

    /// Tries the checkpoints from the newest on: a damaged one, or one that asks for more than the other
    /// files hold, gives way to the one before. Nothing is changed until one of them is found to fit.
    fn restore<const D: usize>(
        folder: &Path,
        lock: File,
        scene: &Scene,
        simulation: &mut Simulation<D>,
    ) -> Result<(Self, Totals), IoError> {
        let mut reason = IoError::NoCheckpoint(folder.to_owned());
        let mut unusable = Vec::new();
        for path in checkpoint::list(&folder.join("checkpoints"))? {
            match checkpoint::read::<D>(&path) {
                Ok((snapshot, progress)) => match fits(folder, scene, simulation, &progress) {
                    Ok(()) => {
                        files::sign(&lock, folder)?;
                        let writer = Self::reopen_at(folder, lock, scene, simulation, &progress)?;
                        simulation.restore(snapshot).map_err(|error| IoError::damaged(&path, error))?;
                        // the run goes on: what was said of its end is no longer true
                        let _ = fs::remove_file(folder.join("summary.json"));
                        // they would look newer than what comes now
                        unusable.iter().try_for_each(fs::remove_file).map_err(IoError::system(&path))?;
                        return Ok((writer, progress.totals));
                    }
                    Err(error) => reason = error,
                },
                Err(error @ IoError::OtherVersion { .. }) => reason = error,
                Err(_) => {}
            }
            unusable.push(path);
        }
        Err(reason)
    }

    fn reopen_at<const D: usize>(
        folder: &Path,
        lock: File,
        scene: &Scene,
        simulation: &Simulation<D>,
        progress: &FolderProgress,
    ) -> Result<Self, IoError> {
        let spare = folder.join("spare");
        files::make_folder(&spare)?;
        let tables = Tables::reopen(folder, scene, simulation, &progress.tables)?;
        Self::assemble(folder, lock, scene, simulation, progress.frames as usize, progress.is_open, tables)
    }

    fn assemble<const D: usize>(
        folder: &Path,
        lock: File,
        scene: &Scene,
        simulation: &Simulation<D>,
        frames: usize,
        is_open: bool,
        tables: Tables,
    ) -> Result<Self, IoError> {
        let open = |name: &str, plan| DoubleBuffered::reopen(folder, name, plan, frames);
        let sources: Vec<_> = scene.sources.iter().map(|source| source.name.clone()).collect();
        let plan = match is_open {
            true => open_bodies_plan(simulation, &sources),
            false => bodies_plan(simulation, volumes(scene, simulation)),
        };
        let bodies = open("bodies.vtkhdf", plan)?;
        let contacts =
            scene.output.contacts.then(|| open("contacts.vtkhdf", contacts_plan(simulation))).transpose()?;
        let tied = simulation.ties().len() > 0;
        let plan = if is_open { open_ties_plan(simulation) } else { ties_plan(simulation) };
        let ties = tied.then(|| open("ties.vtkhdf", plan)).transpose()?;
        let surfaces = match (writes_surfaces(scene, simulation, is_open), is_open) {
            (false, _) => None,
            (true, false) => {
                let drawn = Surfaces::new(simulation);
                let file = match DoubleBuffered::check(folder, SURFACES, frames) {
                    Ok(()) => open(SURFACES, drawn.plan(simulation))?,
                    Err(_) => drawn_anew(folder, simulation, &drawn, frames)?,
                };
                Some((file, Some(drawn)))
            }
            (true, true) => Some((open(SURFACES, Surfaces::open_plan(simulation))?, None)),
        };
        let elements =
            has_elements(scene, simulation).then(|| open(ELEMENTS, elements_plan(simulation))).transpose()?;
        let synced = Instant::now();
        let (folder, scene) = (folder.to_owned(), scene.fingerprint().to_words());
        let (handles, durable) = (simulation.handles().clone(), false);
        Ok(Self {
            folder,
            _lock: lock,
            bodies,
            contacts,
            ties,
            surfaces,
            elements,
            tables,
            scene,
            handles,
            sources,
            tie_names: simulation.ties().map(|view| view.tie.name.clone()).collect(),
            is_open,
            synced,
            durable,
        })
    }

    /// Adds a step to the table of all steps and to the probes.
    pub fn write_step<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        report: &StepReport,
        energy: &Energy,
    ) -> Result<(), IoError> {
        self.tables.write_step(simulation, report, energy)
    }

    /// Adds the present state to the histories. When this returns, every other program sees it.
    pub fn write_frame<const D: usize>(&mut self, simulation: &Simulation<D>) -> Result<(), IoError> {
        self.check_bodies(simulation)?;
        let (step, time) = (simulation.steps_done(), simulation.time());
        self.durable = self.synced.elapsed() >= SYNC_INTERVAL;
        let durable = self.durable;
        if let Some((file, surfaces)) = &mut self.surfaces {
            let data = match surfaces {
                Some(surfaces) => surfaces.rows(simulation),
                None => Surfaces::open_rows(simulation),
            };
            file.commit(step, time, data, durable)?;
        }
        if let Some(file) = &mut self.elements {
            file.commit(step, time, element_rows(simulation), durable)?;
        }
        if let Some(file) = &mut self.contacts {
            file.commit(step, time, contact_rows(simulation), durable)?;
        }
        if let Some(file) = &mut self.ties {
            let data = match self.is_open {
                true => open_tie_rows(simulation, &self.tie_names),
                false => tie_rows(simulation),
            };
            file.commit(step, time, data, durable)?;
        }
        // bodies last: readers count the frames there
        let data =
            if self.is_open { open_body_rows(simulation, &self.sources) } else { body_rows(simulation) };
        self.bodies.commit(step, time, data, durable)
    }

    /// Whether the histories can hold the bodies there are now.
    fn check_bodies<const D: usize>(&self, simulation: &Simulation<D>) -> Result<(), IoError> {
        if self.is_open || *simulation.handles() == self.handles {
            return Ok(());
        }
        let reason = "bodies came or went since the run began, and its histories have the same ones in every frame; begin \
                      it with RunWriter::create_open";
        Err(IoError::OtherBodies { path: self.folder.clone(), reason: reason.into() })
    }

    /// Saves everything needed to go on from here. Call it after [`Self::write_frame`], at every output.
    pub fn checkpoint<const D: usize>(
        &mut self,
        snapshot: &Snapshot<D>,
        totals: &Totals,
    ) -> Result<(), IoError> {
        let durable = std::mem::take(&mut self.durable);
        if durable {
            self.tables.sync()?;
            files::sync_folder(&self.folder);
        }
        let progress = FolderProgress {
            frames: self.bodies.frames() as u64,
            tables: self.tables.lengths(),
            totals: *totals,
            scene: self.scene.clone(),
            is_open: self.is_open,
        };
        let folder = self.folder.join("checkpoints");
        checkpoint::write(&folder, snapshot, &progress, durable)?;
        if durable {
            files::sync_folder(&folder);
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Keeps the checkpoint of step 0 for good.
    pub(crate) fn keep_start(&self) -> Result<(), IoError> {
        let folder = self.folder.join("checkpoints");
        let kept = folder.join(checkpoint::START);
        fs::copy(folder.join(checkpoint::name(0)), &kept).map(|_| ()).map_err(IoError::system(&kept))
    }

    /// Writes the summary, waits for the disk and drops the spare copies.
    pub fn finish(self, summary: &serde_json::Value) -> Result<(), IoError> {
        for name in ["bodies.vtkhdf", "contacts.vtkhdf", "ties.vtkhdf", "surfaces.vtkhdf", ELEMENTS] {
            files::sync_file(&self.folder.join(name))?;
        }
        self.tables.sync()?;
        files::write_whole(&self.folder.join("summary.json"), &format!("{summary:#}\n"))?;
        let _ = fs::remove_dir_all(self.folder.join("spare"));
        files::sync_folder(&self.folder);
        Ok(())
    }

    /// Frames written so far, those before a resume included.
    pub fn frames(&self) -> usize {
        self.bodies.frames()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Whether the elements of deformable bodies are written.
fn has_elements<const D: usize>(scene: &Scene, simulation: &Simulation<D>) -> bool {
    scene.output.elements && !simulation.solids().is_empty()
}

fn structure(simulation: &AnySimulation) -> Structure {
    match simulation {
        AnySimulation::Plane(simulation) => Structure::of(simulation),
        AnySimulation::Space(simulation) => Structure::of(simulation),
    }
}

/// The surfaces of a folder whose file is damaged or gone: what is there is set aside, and the frames are
/// made anew from those of the bodies.
fn drawn_anew<const D: usize>(
    folder: &Path,
    simulation: &Simulation<D>,
    drawn: &Surfaces,
    frames: usize,
) -> Result<DoubleBuffered, IoError> {
    let path = folder.join(SURFACES);
    if path.exists() {
        fs::rename(&path, folder.join(SET_ASIDE)).map_err(IoError::system(&path))?;
    }
    for copy in [SURFACES.to_owned(), format!("{SURFACES}.old")] {
        let _ = fs::remove_file(folder.join("spare").join(copy));
    }
    let mut file = DoubleBuffered::new(folder, SURFACES, drawn.plan(simulation));
    let run = RunFolder::open(folder)?;
    for index in 0..frames {
        let Frame { step, time, bodies, .. } = run.frame(index)?;
        file.commit(step, time, drawn.rows_of(simulation, &bodies), false)?;
    }
    Ok(file)
}

/// Whether the other files of a folder hold what a checkpoint asks for; changes nothing.
fn fits<const D: usize>(
    folder: &Path,
    scene: &Scene,
    simulation: &Simulation<D>,
    progress: &FolderProgress,
) -> Result<(), IoError> {
    Tables::check(folder, scene, simulation, &progress.tables)?;
    let histories = [
        ("bodies.vtkhdf", true),
        ("contacts.vtkhdf", scene.output.contacts),
        ("ties.vtkhdf", simulation.ties().len() > 0),
        (ELEMENTS, has_elements(scene, simulation)),
        // others are drawn anew
        (SURFACES, progress.is_open && writes_surfaces(scene, simulation, true)),
    ];
    let mut kept = histories.into_iter().filter(|(_, kept)| *kept);
    kept.try_for_each(|(name, _)| DoubleBuffered::check(folder, name, progress.frames as usize))
}
