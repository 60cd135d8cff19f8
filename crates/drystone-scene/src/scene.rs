//! The checked scene: made from a file or from a specification, written back, built. Runs nothing.

use crate::build::Plan;
use crate::error::SceneError;
use crate::generate::Library;
use crate::place::Problem;
use crate::resolve::resolve;
use crate::source::Source;
use crate::spec::{
    BodySpec, CellSpec, Detection, Equilibrium, GyroscopicSpec, LawSpec, Material, OutputSpec, Probe,
    SceneSpec, ShapeSpec, Solver, StandingSpec, TieSpec, Time, Units,
};
use crate::{files, generate, reader, source, validate};
use drystone::{AnySimulation, Bodies, Gyroscopic};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// What is written, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Output {
    /// Time between two outputs \[s\].
    pub interval: f64,
    /// Whether contacts are written.
    pub contacts: bool,
    /// Whether the surfaces of the bodies are written.
    pub surfaces: bool,
}

/// A scene that was read and checked, with every default written out. Serialises as its file.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// What the scene shows; may be empty.
    pub title: String,
    /// Dimension of space, 2 or 3.
    pub dimension: usize,
    /// Units of every number.
    pub units: Units,
    /// Acceleration of gravity \[m/s²\], as many numbers as dimensions.
    pub gravity: Vec<f64>,
    /// Step, duration and scheme.
    pub time: Time,
    /// How the contact problem of a step is solved.
    pub solver: Solver,
    /// How contacts are found.
    pub detection: Detection,
    /// The periodic cell, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellSpec>,
    /// What is written, and how often.
    pub output: Output,
    /// When to end the run early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equilibrium: Option<Equilibrium>,
    /// When a structure counts as fallen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<StandingSpec>,
    /// Materials by name.
    pub materials: BTreeMap<String, Material>,
    /// Shapes by name.
    pub shapes: BTreeMap<String, ShapeSpec>,
    /// The bodies, with every default written out, in the order of their ids.
    #[serde(rename = "body")]
    pub bodies: Vec<BodySpec>,
    /// The laws between groups.
    #[serde(rename = "law")]
    pub laws: Vec<LawSpec>,
    /// What ties bodies for good.
    #[serde(rename = "tie")]
    pub ties: Vec<TieSpec>,
    /// Bodies whose history is written to a table.
    #[serde(rename = "probe")]
    pub probes: Vec<Probe>,
    /// What the user wrote, for messages.
    #[serde(skip)]
    source: Arc<Source>,
}

/// Two scenes are equal when they say the same, whatever the files look like.
impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.to_spec() == other.to_spec()
    }
}

impl Scene {
    /// Reads and checks a scene file.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let bytes = read_file(path)
            .map_err(|error| SceneError::unlocated(&file, format!("the scene cannot be read: {error}")))?;
        match String::from_utf8(bytes) {
            Ok(text) => Self::from_source(Source { file, text }),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Err(Source { file, text }.error(valid..valid, "this is not UTF-8 text, as a scene must be"))
            }
        }
    }

    /// Reads and checks the text of a scene; `file_name` is for messages, and meshes are sought beside it.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SceneError> {
        Self::from_source(Source { file: file_name.to_owned(), text: text.to_owned() })
    }

    /// Checks a scene made by a program; meshes are sought where the program runs. An error shows the place
    /// in the file the scene would be.
    pub fn from_spec(spec: SceneSpec) -> Result<Self, SceneError> {
        Self::from_parts(spec, Source { file: "<generated scene>".into(), text: String::new() })
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
        let written = spec.samples.clone();
        let library =
            Library { read: &|name| beside(&source.file, name), list: &|name| listed(&source.file, name) };
        let (origins, problems) = generate::expand(&mut spec, library);
        // of bodies that the file does not have the line of their sample speaks
        let report = |spec: &SceneSpec, source: &Source, problems: &[Problem]| {
            let mut problems = problems.to_vec();
            origins.relocate(&mut problems);
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
        let problems = files::embed(&mut spec, &|name| beside(&source.file, name));
        if !problems.is_empty() {
            return Err(report(&spec, &source, &problems.0));
        }
        let gyroscopic = match spec.dimension {
            2 => Plan::<2>::new(&spec).map(|plan| treatments(&plan.bodies)),
            _ => Plan::<3>::new(&spec).map(|plan| treatments(&plan.bodies)),
        };
        let gyroscopic = gyroscopic.map_err(|problems| report(&spec, &source, &problems))?;
        for (body, treatment) in spec.bodies.iter_mut().zip(gyroscopic) {
            body.gyroscopic = Some(treatment);
        }
        let scene = Self::of(spec, source);
        Ok(scene)
    }

    /// Takes over a resolved specification.
    fn of(spec: SceneSpec, source: Source) -> Self {
        Self {
            title: spec.title,
            dimension: spec.dimension,
            units: spec.units,
            gravity: spec.gravity.unwrap_or_default(),
            output: Output {
                interval: spec.output.interval.unwrap_or(spec.time.duration),
                contacts: spec.output.contacts,
                surfaces: spec.output.surfaces,
            },
            time: spec.time,
            solver: spec.solver,
            detection: spec.detection,
            cell: spec.cell,
            equilibrium: spec.equilibrium,
            standing: spec.standing,
            materials: spec.materials,
            shapes: spec.shapes,
            bodies: spec.bodies,
            laws: spec.laws,
            ties: spec.ties,
            probes: spec.probes,
            source: Arc::new(source),
        }
    }

    /// The scene as a specification, every default written out.
    pub fn to_spec(&self) -> SceneSpec {
        SceneSpec {
            title: self.title.clone(),
            dimension: self.dimension,
            units: self.units,
            gravity: Some(self.gravity.clone()),
            time: self.time,
            solver: self.solver,
            detection: self.detection,
            cell: self.cell.clone(),
            output: OutputSpec {
                interval: Some(self.output.interval),
                contacts: self.output.contacts,
                surfaces: self.output.surfaces,
            },
            equilibrium: self.equilibrium,
            standing: self.standing.clone(),
            materials: self.materials.clone(),
            shapes: self.shapes.clone(),
            bodies: self.bodies.clone(),
            samples: Vec::new(),
            laws: self.laws.clone(),
            ties: self.ties.clone(),
            probes: self.probes.clone(),
        }
    }

    /// The scene as a file, every default written out: reading it again gives an equal scene and the same
    /// simulation to the bit.
    pub fn to_toml(&self) -> String {
        to_text(&self.to_spec())
    }

    /// Builds the simulation. A scene changed since it was checked is checked again.
    pub fn build(&self) -> Result<AnySimulation, SceneError> {
        let spec = self.to_spec();
        let refuse = |problems: &[Problem]| report(&spec, &self.source, problems);
        let problems = validate::validate(&spec);
        if !problems.is_empty() {
            return Err(refuse(&problems.0));
        }
        let spec = resolve(spec.clone());
        let failed = |error: drystone::BuildError| self.source.error(0..0, error.to_string());
        match spec.dimension {
            2 => Plan::<2>::new(&spec)
                .map_err(|problems| refuse(&problems))
                .and_then(|plan| plan.simulation().map(AnySimulation::Plane).map_err(failed)),
            _ => Plan::<3>::new(&spec)
                .map_err(|problems| refuse(&problems))
                .and_then(|plan| plan.simulation().map(AnySimulation::Space).map_err(failed)),
        }
    }

    /// Names of the bodies, in the order of their ids.
    pub fn body_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bodies.iter().map(|body| body.name.as_str())
    }

    /// Number of time steps of the whole run.
    pub fn steps(&self) -> u64 {
        (self.time.duration / self.time.step).round().max(1.0) as u64
    }
}

/// The bytes of a file.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(path)
}

/// The bytes of a file that a scene names, relative to the scene.
fn beside(scene: &str, name: &str) -> Result<Vec<u8>, String> {
    let folder = Path::new(scene).parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    read_file(&path).map_err(|error| format!("{:?} cannot be read: {error}", path.display().to_string()))
}

/// The names of the files of a folder that a scene names, relative to the scene, in order.
fn listed(scene: &str, name: &str) -> Result<Vec<String>, String> {
    let folder = Path::new(scene).parent().unwrap_or(Path::new("")).join(name);
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
        return Source { file: source.file.clone(), text: to_text(spec) }.first(problems);
    }
    source.first(problems)
}

/// The file of a scene. Writing fails only on a whole number that TOML cannot hold, which no valid scene has.
fn to_text(spec: &SceneSpec) -> String {
    toml::to_string(spec).unwrap_or_default()
}

fn treatments<const D: usize>(bodies: &Bodies<D>) -> Vec<GyroscopicSpec> {
    let word = |treatment: &Gyroscopic| match treatment {
        Gyroscopic::Omitted => GyroscopicSpec::Omitted,
        Gyroscopic::Explicit => GyroscopicSpec::Explicit,
        Gyroscopic::Implicit => GyroscopicSpec::Implicit,
    };
    bodies.gyroscopic.iter().map(word).collect()
}
