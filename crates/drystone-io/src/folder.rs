//! A run folder being read: scene, summary, times and frames. Writes nothing, and may be used while the run
//! goes on.

use crate::IoError;
use crate::checkpoint;
use crate::files::{self, LOCK};
use crate::hdf5::Source;
use crate::records::status_of;
use drystone::Status;
use drystone_scene::{Changes, Fingerprint, Scene, SceneError};
use std::path::{Path, PathBuf};

/// A body at an output step. In the plane z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRecord {
    /// Centre of mass \[m\].
    pub position: [f64; 3],
    /// Orientation of the axes of the shape, scalar part first.
    pub orientation_wxyz: [f64; 4],
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: [f64; 3],
    /// Spin in the axes of the shape \[rad/s\]; about z in the plane.
    pub spin: [f64; 3],
}

/// A contact at an output step. In the plane z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// Contact point \[m\].
    pub point: [f64; 3],
    /// Unit normal from antagonist to candidate.
    pub normal: [f64; 3],
    /// Force on the candidate in world axes \[N\].
    pub force: [f64; 3],
    /// Signed distance \[m\].
    pub gap: f64,
    /// Open, stick or slip.
    pub status: Status,
    /// Candidate and antagonist.
    pub bodies: [u32; 2],
    /// Dissipated in the last step by friction, shocks, cohesion and viscosity \[J\]; none in folders of
    /// versions that did not write it.
    pub dissipated: Option<[f64; 4]>,
    /// Area that it stands for \[m²\], in the plane length \[m\]; none where no body is deformable, or it has
    /// none.
    pub area: Option<f64>,
}

/// A tie at an output step. In the plane z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieRecord {
    /// Index of the tie in the scene.
    pub tie: u32,
    /// Its two ends \[m\].
    pub ends: [[f64; 3]; 2],
    /// Mean force on its first body over the step in world axes \[N\].
    pub force: [f64; 3],
    /// Pull of a rod, wire or spring \[N\]; of a joint the size of its force.
    pub tension: f64,
    /// Of a rod, wire or spring \[m\].
    pub elongation: f64,
    /// Whether it is broken.
    pub broken: bool,
}

/// One output step.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Steps done.
    pub step: u64,
    /// Time \[s\], to twelve digits.
    pub time: f64,
    /// All bodies, in the order of the scene.
    pub bodies: Vec<BodyRecord>,
    /// The contacts; empty where the scene does not want them written.
    pub contacts: Vec<ContactRecord>,
    /// The ties that are left, in the order of the scene.
    pub ties: Vec<TieRecord>,
}

/// A run folder open for reading.
#[derive(Clone, Debug)]
pub struct RunFolder {
    pub(crate) folder: PathBuf,
    pub(crate) times: Vec<f64>,
    pub(crate) steps: Vec<u64>,
    pub(crate) bodies: usize,
    /// Where the bodies of each frame begin, and how many they are, if they come and go.
    pub(crate) spans: Option<Vec<[usize; 2]>>,
}

impl RunFolder {
    /// Opens a folder; frames written later are not seen.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, IoError> {
        let folder = folder.as_ref().to_owned();
        check(&folder)?;
        let path = folder.join("bodies.vtkhdf");
        if !path.exists() {
            return Ok(Self { folder, times: Vec::new(), steps: Vec::new(), bodies: 0, spans: None });
        }
        let source = Source::open(&path)?;
        let times: Vec<f64> = source.all("VTKHDF/Steps/Values")?;
        let steps = source.all::<i64>("VTKHDF/FieldData/step")?.into_iter().map(|step| step as u64).collect();
        if !source.has("VTKHDF/PointData/generation") {
            let bodies = source.rows("VTKHDF/PointData/id")?;
            return Ok(Self { folder, times, steps, bodies, spans: None });
        }
        let offsets = source.all::<i64>("VTKHDF/Steps/PointOffsets")?;
        let counts = source.all::<i64>("VTKHDF/NumberOfPoints")?;
        let spans: Vec<_> = offsets
            .into_iter()
            .zip(counts)
            .map(|(offset, count)| [offset as usize, count as usize])
            .collect();
        let bodies = spans.last().map_or(0, |[_, count]| *count);
        Ok(Self { folder, times, steps, bodies, spans: Some(spans) })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Times of the frames \[s\], to twelve digits.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Where the bodies of a frame begin, and how many they are, where they come and go.
    pub(crate) fn span_of(&self, index: usize) -> Option<[usize; 2]> {
        self.spans.as_ref().and_then(|spans| spans.get(index).copied())
    }

    /// Number of bodies; where they come and go, those of the last frame.
    pub fn body_count(&self) -> usize {
        self.bodies
    }

    /// Where the bodies of each frame begin, and how many they are, if they come and go.
    pub(crate) fn spans(&self) -> Option<&[[usize; 2]]> {
        self.spans.as_deref()
    }

    /// Steps done at a frame.
    pub fn step_of(&self, index: usize) -> Option<u64> {
        self.steps.get(index).copied()
    }

    /// The scene, every default written out.
    pub fn scene(&self) -> Result<Scene, IoError> {
        read_scene(&self.folder)
    }

    /// Where the scene differs from the one that the newest good checkpoint was made with; changes that may
    /// not be are an error. Without a good checkpoint there is nothing to differ from.
    pub fn changes(&self, scene: &Scene) -> Result<Changes, IoError> {
        changes(&self.folder, scene)
    }

    /// The summary, if the run has ended.
    pub fn summary(&self) -> Result<Option<serde_json::Value>, IoError> {
        let path = self.folder.join("summary.json");
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(&path)?;
        serde_json::from_str(&text).map(Some).map_err(|error| IoError::damaged(&path, error))
    }

    /// Whether a process is writing the run now.
    pub fn is_running(&self) -> bool {
        files::is_locked(&self.folder)
    }

    /// The frame `index`, from 0.
    pub fn frame(&self, index: usize) -> Result<Frame, IoError> {
        let (Some(&time), Some(&step)) = (self.times.get(index), self.steps.get(index)) else {
            let (path, frames) = (self.folder.clone(), self.times.len());
            return Err(IoError::NoFrame { path, frame: index, frames });
        };
        let read = || {
            let (bodies, contacts) = (self.bodies_at(index)?, self.contacts_at(index)?);
            Ok(Frame { step, time, bodies, contacts, ties: self.ties_at(index)? })
        };
        read().map_err(|error: IoError| error.in_frame(index))
    }

    fn bodies_at(&self, index: usize) -> Result<Vec<BodyRecord>, IoError> {
        let source = Source::open(&self.folder.join("bodies.vtkhdf"))?;
        let [start, count] = match &self.spans {
            Some(spans) => spans.get(index).copied().unwrap_or([0; 2]),
            None => [index * self.bodies, self.bodies],
        };
        let column = |name: &str| source.slice::<f64>(&format!("VTKHDF/{name}"), start, count);
        let positions = column("Points")?;
        let orientations = column("PointData/orientation_wxyz")?;
        let velocities = column("PointData/velocity")?;
        let spins = column("PointData/spin")?;
        let record = |body: usize| BodyRecord {
            position: row(&positions, body),
            orientation_wxyz: row(&orientations, body),
            velocity: row(&velocities, body),
            spin: row(&spins, body),
        };
        Ok((0..count).map(record).collect())
    }

    fn ties_at(&self, index: usize) -> Result<Vec<TieRecord>, IoError> {
        let path = self.folder.join("ties.vtkhdf");
        if !path.exists() {
            return Ok(Vec::new());
        }
        let source = Source::open(&path)?;
        let (start, count) = match &self.spans {
            Some(_) => (
                source.slice::<i64>("VTKHDF/Steps/PointOffsets", index, 1)?[0] as usize,
                source.slice::<i64>("VTKHDF/NumberOfPoints", index, 1)?[0] as usize,
            ),
            None => {
                let count = source.rows("VTKHDF/PointData/tie")?;
                (index * count, count)
            }
        };
        let column = |name: &str| source.slice::<f64>(&format!("VTKHDF/{name}"), start, count);
        let (points, forces) = (column("Points")?, column("PointData/force")?);
        let (tensions, elongations) = (column("PointData/tension")?, column("PointData/elongation")?);
        let broken: Vec<u8> = source.slice("VTKHDF/PointData/broken", start, count)?;
        // of a fixed file the same in every frame
        let first = if self.spans.is_some() { start } else { 0 };
        let ties: Vec<u32> = source.slice("VTKHDF/PointData/tie", first, count)?;
        let record = |tie: usize| TieRecord {
            tie: ties[2 * tie],
            ends: [row(&points, 2 * tie), row(&points, 2 * tie + 1)],
            force: row(&forces, 2 * tie),
            tension: tensions[2 * tie],
            elongation: elongations[2 * tie],
            broken: broken[2 * tie] != 0,
        };
        Ok((0..count / 2).map(record).collect())
    }

    pub(crate) fn contacts_at(&self, index: usize) -> Result<Vec<ContactRecord>, IoError> {
        let path = self.folder.join("contacts.vtkhdf");
        if !path.exists() {
            return Ok(Vec::new());
        }
        let source = Source::open(&path)?;
        let start = source.slice::<i64>("VTKHDF/Steps/PointOffsets", index, 1)?[0] as usize;
        let count = source.slice::<i64>("VTKHDF/NumberOfPoints", index, 1)?[0] as usize;
        let column = |name: &str| source.slice::<f64>(&format!("VTKHDF/{name}"), start, count);
        let points = column("Points")?;
        let normals = column("PointData/normal")?;
        let forces = column("PointData/force")?;
        let gaps = column("PointData/gap")?;
        let statuses: Vec<u8> = source.slice("VTKHDF/PointData/status", start, count)?;
        let bodies: Vec<u32> = source.slice("VTKHDF/PointData/bodies", start, count)?;
        // folders of earlier versions have none
        let dissipated = column("PointData/dissipated").ok().filter(|all| all.len() == 4 * count);
        let areas = column("PointData/area").ok().filter(|all| all.len() == count);
        let record = |contact: usize| {
            let status = status_of(statuses[contact]);
            Ok(ContactRecord {
                point: row(&points, contact),
                normal: row(&normals, contact),
                force: row(&forces, contact),
                gap: gaps[contact],
                status: status.ok_or_else(|| IoError::damaged(&path, "a contact has an unknown status"))?,
                bodies: row(&bodies, contact),
                dissipated: dissipated.as_ref().map(|all| row(all, contact)),
                area: areas.as_ref().map(|all| all[contact]).filter(|area| *area > 0.0),
            })
        };
        (0..count).map(record).collect()
    }
}

/// Row `index` of a flat table with `M` columns.
fn row<T: Copy, const M: usize>(flat: &[T], index: usize) -> [T; M] {
    std::array::from_fn(|column| flat[index * M + column])
}

/// Whether the folder is there and holds a run.
pub(crate) fn check(folder: &Path) -> Result<(), IoError> {
    if !folder.is_dir() {
        return Err(IoError::Missing(folder.to_owned()));
    }
    match ["scene.toml", LOCK].into_iter().find(|name| !folder.join(name).exists()) {
        Some(name) => Err(IoError::NotARun { path: folder.to_owned(), reason: format!("it has no {name}") }),
        None => Ok(()),
    }
}

/// What [`RunFolder::changes`] gives.
pub(crate) fn changes(folder: &Path, scene: &Scene) -> Result<Changes, IoError> {
    let known = checkpoint::list(&folder.join("checkpoints"))?;
    let Some(words) = known.iter().find_map(|path| checkpoint::scene_words(path).ok()) else {
        return Ok(Changes::default());
    };
    let changes = scene.changes_since(&Fingerprint::from_words(&words));
    if changes.bound.is_empty() {
        return Ok(changes);
    }
    Err(IoError::Changed { path: folder.join("scene.toml"), places: changes.refused() })
}

/// The scene of a run folder.
pub(crate) fn read_scene(folder: &Path) -> Result<Scene, IoError> {
    Scene::from_file(folder.join("scene.toml")).map_err(|error| scene_error(folder, error))
}

/// A scene that does not read or build, with its folder.
pub(crate) fn scene_error(folder: &Path, error: SceneError) -> IoError {
    IoError::Scene { path: folder.to_owned(), reason: error.to_string() }
}
