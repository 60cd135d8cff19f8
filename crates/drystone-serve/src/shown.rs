//! What is shown: a run folder, or a scene before its first step. Looks whether the files have changed before
//! every answer, and keeps packed frames.

use crate::ServeError;
use crate::cache::{FrameCache, FrameDepth, SharedBytes};
use crate::describe::Description;
use crate::pack;
use crate::skins::{ShownSkin, skin_columns, skins_of};
use drystone::AnySimulation;
use drystone_io::{RunFolder, StoredColumn, StoredFrame, StoredNumbers};
use drystone_scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// What can be told from a file without reading it.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// A run folder or a scene.
#[derive(Debug)]
pub(crate) struct Shown {
    path: PathBuf,
    is_scene: bool,
    /// Whether a scene may name files outside of its folder.
    trusted: bool,
    state: Mutex<ReadSoFar>,
}

#[derive(Debug, Default)]
struct ReadSoFar {
    /// Stamps of the scene and of the bodies with which the rest was read.
    stamps: [Stamp; 2],
    run: Option<Arc<RunFolder>>,
    description: Option<Arc<Told>>,
    frames: FrameCache,
}

/// A description as it is sent.
#[derive(Debug)]
pub(crate) struct Told {
    pub bytes: SharedBytes,
    pub origin: [f64; 3],
    pub title: String,
    skins: Vec<ShownSkin>,
}

impl Shown {
    /// Looks what a path is. A scene that is trusted may name files outside of its folder.
    pub fn open(path: &Path, trusted: bool) -> Result<Self, ServeError> {
        let is_toml = path.extension().is_some_and(|end| end == "toml");
        let folder = match path.parent() {
            // a file of a run folder stands for the run
            Some(parent) if path.is_file() && parent.join("run.lock").exists() => parent.to_owned(),
            _ => path.to_owned(),
        };
        let is_scene = folder.is_file() && is_toml;
        if folder.is_file() && !is_scene {
            return Err(ServeError::Unknown(path.to_owned()));
        }
        let shown = Self { path: folder, is_scene, trusted, state: Mutex::default() };
        // what cannot be read now is said now, not in the browser
        if is_scene {
            shown.description()?;
        } else {
            shown.run()?;
        }
        Ok(shown)
    }

    /// The folder, or the scene file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn state(&self) -> MutexGuard<'_, ReadSoFar> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scene_file(&self) -> PathBuf {
        if self.is_scene { self.path.clone() } else { self.path.join("scene.toml") }
    }

    /// The run as it is now; none of a scene.
    pub fn run(&self) -> Result<Option<Arc<RunFolder>>, ServeError> {
        let stamps = [stamp(&self.scene_file()), stamp(&self.path.join("bodies.vtkhdf"))];
        let mut state = self.state();
        if stamps[0] != state.stamps[0] {
            // another run, or an edited scene
            *state = ReadSoFar::default();
            state.stamps[0] = stamps[0];
        }
        if self.is_scene {
            return Ok(None);
        }
        if let (Some(run), true, true) = (&state.run, stamps[1].is_some(), stamps[1] == state.stamps[1]) {
            return Ok(Some(run.clone()));
        }
        let run = Arc::new(RunFolder::open(&self.path)?);
        if state.run.as_ref().is_some_and(|old| !run.times().starts_with(old.times())) {
            state.frames.clear();
        }
        (state.stamps[1], state.run) = (stamps[1], Some(run.clone()));
        Ok(Some(run))
    }

    /// A number that changes when another run takes the place of this one.
    pub fn version(&self) -> u64 {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let stamp = self.state().stamps[0].and_then(|(time, _)| since(time));
        stamp.map_or(0, |since| since.as_millis() as u64)
    }

    /// What of it does not change.
    pub fn description(&self) -> Result<Arc<Told>, ServeError> {
        let run = self.run()?;
        if let Some(told) = &self.state().description {
            return Ok(told.clone());
        }
        let (scene, simulation) = self.build()?;
        let open = run.is_some_and(|run| run.is_open());
        let skins = if open { Vec::new() } else { skins_of(&simulation) };
        let description = Description::new(&scene, &simulation, open, &skins);
        let bytes = serde_json::to_vec(&description).map_err(|error| ServeError::Scene(error.to_string()))?;
        let Description { origin, title, .. } = description;
        let told = Arc::new(Told { bytes: Arc::new(bytes), origin, title, skins });
        self.state().description = Some(told.clone());
        Ok(told)
    }

    fn build(&self) -> Result<(Scene, AnySimulation), ServeError> {
        let failed = |error: drystone_scene::SceneError| ServeError::Scene(error.to_string());
        let read = if self.trusted { Scene::from_trusted_file } else { Scene::from_file };
        let scene = read(self.scene_file()).map_err(failed)?;
        let simulation = scene.build().map_err(failed)?;
        Ok((scene, simulation))
    }

    /// Times of the frames \[s\].
    pub fn times(&self) -> Result<Vec<f64>, ServeError> {
        Ok(self.run()?.map_or_else(|| vec![0.0], |run| run.times().to_vec()))
    }

    /// A frame, packed, with as much of it as is wanted: contacts are most of it.
    pub fn frame(&self, index: usize, depth: FrameDepth) -> Result<SharedBytes, ServeError> {
        // the files are looked at before the frames kept are
        self.run()?;
        if let Some(bytes) = self.state().frames.get((index, depth)) {
            return Ok(bytes);
        }
        let bytes = Arc::new(self.made(index, depth)?);
        self.state().frames.put((index, depth), bytes.clone());
        Ok(bytes)
    }

    /// The same, made anew.
    pub fn made(&self, index: usize, depth: FrameDepth) -> Result<Vec<u8>, ServeError> {
        let (run, told) = (self.run()?, self.description()?);
        let Some(run) = run else {
            return Ok(pack::pack_bodies(&beginning(&self.build()?.1, index, &self.path)?, told.origin)?);
        };
        let found = match depth {
            FrameDepth::Motion => run.found_motion(index)?,
            FrameDepth::Bodies => run.found_bodies(index)?,
            FrameDepth::All => run.found_frame(index)?,
        };
        Ok(pack::pack_found(&found, &skin_columns(&run, index, &told.skins)?, told.origin)?)
    }
}

/// The one frame of a scene that has not run.
fn beginning(simulation: &AnySimulation, index: usize, path: &Path) -> Result<StoredFrame, ServeError> {
    if index > 0 {
        let (path, frame) = (path.to_owned(), index);
        return Err(drystone_io::IoError::NoFrame { path, frame, frames: 1 }.into());
    }
    let reals = |name: &str, components, numbers| StoredColumn {
        name: name.into(),
        components,
        numbers: StoredNumbers::Reals(numbers),
    };
    let bodies = simulation.bodies();
    let padded = |parts: &[f64]| [0, 1, 2].map(|axis| parts.get(axis).copied().unwrap_or(0.0));
    let place = |&body| simulation.position(body).map_or([0.0; 3], |place| padded(&place));
    let moving = |&body| simulation.velocity(body).map_or([0.0; 3], |velocity| padded(&velocity));
    let turned = |&body| simulation.orientation_wxyz(body).unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let columns = vec![
        reals("Points", 3, bodies.iter().flat_map(place).collect()),
        reals("orientation_wxyz", 4, bodies.iter().flat_map(turned).collect()),
        reals("velocity", 3, bodies.iter().flat_map(moving).collect()),
        reals("spin", 3, vec![0.0; 3 * bodies.len()]),
    ];
    let (contacts, ties) = (Vec::new(), Vec::new());
    Ok(StoredFrame { step: 0, time: 0.0, bodies: columns, contacts, ties, surfaces: None })
}
