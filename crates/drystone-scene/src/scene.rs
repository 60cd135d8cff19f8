//! The checked scene: made from a file or from a specification, written back, built. Runs nothing.

use crate::build::AnyPlan;
use crate::error::SceneError;
use crate::from::Origin;
use crate::generate::Library;
use crate::place::Problem;
use crate::resolve::resolve;
use crate::source::Source;
use crate::spec::SceneSpec;
use crate::{files, from, generate, loading, reader, source, validate};
use drystone::AnySimulation;
use serde::Serialize;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use toml::de::{DeTable, DeValue};

/// A scene that was read and checked: its specification with every default written out, which it gives to
/// read and to change as if it were one. Serialises as its file.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Scene {
    spec: SceneSpec,
    /// What the user wrote, for messages.
    #[serde(skip)]
    source: Arc<Source>,
    /// What the check has made of it, for the first build.
    #[serde(skip)]
    planned: Planned,
}

/// Two scenes are equal when they say the same, whatever the files look like.
impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Deref for Scene {
    type Target = SceneSpec;

    fn deref(&self) -> &SceneSpec {
        &self.spec
    }
}

impl DerefMut for Scene {
    /// What was made of the scene before is forgotten.
    fn deref_mut(&mut self) -> &mut SceneSpec {
        self.planned = Planned::default();
        &mut self.spec
    }
}

impl Scene {
    /// Reads and checks a scene file. The files that it names must lie in its folder or below.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::read(path.as_ref(), false)
    }

    /// The same for a scene that is trusted: the files that it names may lie anywhere.
    pub fn from_trusted_file(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::read(path.as_ref(), true)
    }

    fn read(path: &Path, outside: bool) -> Result<Self, SceneError> {
        let file = path.display().to_string();
        let bytes = read_file(path, MOST_OF_SCENE)
            .map_err(|error| SceneError::unlocated(&file, format!("the scene cannot be read: {error}")))?;
        match String::from_utf8(bytes) {
            Ok(text) => Self::from_source(Source { file, text, outside }),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Source { file, text, outside };
                Err(source.error(valid..valid, "this is not UTF-8 text, as a scene must be"))
            }
        }
    }

    /// Reads and checks the text of a scene; `file_name` is for messages, and meshes are sought beside it.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SceneError> {
        Self::from_source(Source { file: file_name.to_owned(), text: text.to_owned(), outside: true })
    }

    /// Checks a scene made by a program; meshes are sought where the program runs. An error shows the place
    /// in the file the scene would be.
    pub fn from_spec(spec: SceneSpec) -> Result<Self, SceneError> {
        Self::from_parts(
            spec,
            Source { file: "<generated scene>".into(), outside: true, ..Source::default() },
        )
    }

    fn from_source(source: Source) -> Result<Self, SceneError> {
        let root = DeTable::parse(&source.text)
            .map_err(|error| source.error(error.span().unwrap_or(0..0), error.message()))?;
        let root = DeValue::Table(root.into_inner());
        let spec = reader::read(&root).map_err(|error| {
            let problem = Problem { path: error.path, on_key: false, wording: error.wording };
            source.error(error.span.unwrap_or(0..0), source::say(&problem, Some(&root)))
        })?;
        drop(root);
        Self::from_parts(spec, source)
    }

    fn from_parts(mut spec: SceneSpec, source: Source) -> Result<Self, SceneError> {
        let is_new = spec.from.is_some();
        let problems =
            // the run that a scene goes on from is named by who runs it, wherever it is
            from::take_over(&mut spec, &|name| {
                let here = Source { outside: true, ..source.clone() };
                beside(&here, name).or_else(|_| beside(&Source { outside: true, ..Source::default() }, name))
            });
        if !problems.is_empty() {
            return Err(report(&spec, &source, &problems.0));
        }
        // stages taken over from a run are in no line of the file
        let before = if is_new { spec.inherited_stages as usize } else { 0 };
        let written = spec.samples.clone();
        let library = Library { read: &|name| beside(&source, name), list: &|name| listed(&source, name) };
        let (origins, problems) = generate::expand(&mut spec, library);
        // of bodies that the file does not have the line of their sample speaks
        let report = |spec: &SceneSpec, source: &Source, problems: &[Problem]| {
            let mut problems = problems.to_vec();
            origins.relocate(&mut problems);
            from::relocate(&mut problems, before);
            match source.text.is_empty() && !written.is_empty() {
                true => report(&SceneSpec { samples: written.clone(), ..spec.clone() }, source, &problems),
                false => report(spec, source, &problems),
            }
        };
        if !problems.is_empty() {
            return Err(report(&spec, &source, &problems.0));
        }
        let problems = validate::validate(&spec);
        if !problems.is_empty() {
            return Err(report(&spec, &source, &problems.0));
        }
        let mut spec = resolve(spec);
        let mut problems = files::embed(&mut spec, &|name| beside(&source, name));
        loading::embed(&mut spec, &|name| beside(&source, name), &mut problems);
        if problems.is_empty() {
            validate::table_ends(&mut problems, &spec);
        }
        if !problems.is_empty() {
            return Err(report(&spec, &source, &problems.0));
        }
        let plan = AnyPlan::new(&spec).map_err(|problems| report(&spec, &source, &problems))?;
        for (body, treatment) in spec.bodies.iter_mut().zip(plan.gyroscopic()) {
            body.gyroscopic = Some(*treatment);
        }
        Ok(Self { spec, source: Arc::new(source), planned: Planned(Mutex::new(Some(plan))) })
    }

    /// The run folder that the scene goes on from, and the time there \[s\], none for its end; none where it
    /// begins anew.
    pub fn origin(&self) -> Option<(PathBuf, Option<f64>)> {
        let Origin { folder, time } = Origin::parse(self.spec.started_from.as_ref()?).ok()?;
        let beside = Path::new(&self.source.file).parent().unwrap_or(Path::new("")).join(&folder);
        Some((if beside.is_dir() { beside } else { PathBuf::from(folder) }, time))
    }

    /// The scene as a specification, every default written out.
    pub fn to_spec(&self) -> SceneSpec {
        self.spec.clone()
    }

    /// The scene as a file, every default written out: reading it again gives an equal scene and the same
    /// simulation to the bit.
    pub fn to_toml(&self) -> String {
        to_text(&self.spec)
    }

    /// Builds the simulation, with the signals and stages of the scene: the hooks of a simulation that has
    /// any are called by [`AnySimulation::step`] alone. A scene changed since it was checked is checked
    /// again.
    pub fn build(&self) -> Result<AnySimulation, SceneError> {
        let plan = match self.planned.take() {
            Some(plan) => Some(plan),
            None => Self::from_parts(self.spec.clone(), (*self.source).clone())?.planned.take(),
        };
        let plan = plan.ok_or_else(|| SceneError::unlocated(&self.source.file, "the scene has no plan"))?;
        let mut simulation = plan.simulation().map_err(|error| self.source.error(0..0, error.to_string()))?;
        loading::install(&self.spec, &mut simulation)
            .map_err(|error| self.source.error(0..0, error.to_string()))?;
        Ok(simulation)
    }
}

/// A plan that waits to be built, once: it is as large as the simulation. Copies of a scene have none.
#[derive(Default)]
struct Planned(Mutex<Option<AnyPlan>>);

impl Planned {
    fn take(&self) -> Option<AnyPlan> {
        self.0.lock().ok().and_then(|mut plan| plan.take())
    }
}

impl Clone for Planned {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Planned")
    }
}

/// Most bytes of a scene file.
const MOST_OF_SCENE: u64 = 256 << 20;

/// Most bytes of a file that a scene names.
const MOST_OF_OTHERS: u64 = 2 << 30;

/// The bytes of a file. A device or a pipe, which may have no end, and a file that is too large are refused.
fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let found = path.metadata().map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is not a regular file".into());
    }
    if found.len() > most {
        return Err(format!("it has {} bytes, but at most {most} are allowed", found.len()));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The bytes of a file that a scene names, relative to the scene.
fn beside(scene: &Source, name: &str) -> Result<Vec<u8>, String> {
    let path = within(scene, name)?;
    read_file(&path, MOST_OF_OTHERS)
        .map_err(|error| format!("{:?} cannot be read: {error}", path.display().to_string()))
}

/// The path of a file or folder that a scene names, refused where it leads out of the folder of the scene.
fn within(scene: &Source, name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(&scene.file).parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    if scene.outside {
        return Ok(path);
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // where something is missing, reading it says so
    match (here.canonicalize(), path.canonicalize()) {
        (Ok(here), Ok(there)) if !there.starts_with(&here) => Err(format!(
            "{:?} lies outside of the folder of the scene; put it there, or say --allow-outside if the scene is trusted",
            path.display().to_string()
        )),
        _ => Ok(path),
    }
}

/// The names of the files of a folder that a scene names, relative to the scene, in order.
fn listed(scene: &Source, name: &str) -> Result<Vec<String>, String> {
    let folder = within(scene, name)?;
    let say = |error: std::io::Error| format!("{:?} cannot be read: {error}", folder.display().to_string());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(say)? {
        names.push(entry.map_err(say)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The first problem as an error. A scene made by a program is written out to have lines to point at.
fn report(spec: &SceneSpec, source: &Source, problems: &[Problem]) -> SceneError {
    if source.text.is_empty() {
        return Source { text: to_text(spec), ..source.clone() }.first(problems);
    }
    source.first(problems)
}

/// The file of a scene. Writing fails only on a whole number that TOML cannot hold, which no valid scene has.
fn to_text(spec: &SceneSpec) -> String {
    toml::to_string(spec).unwrap_or_default()
}
