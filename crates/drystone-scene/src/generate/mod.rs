//! Samples become bodies before a scene is checked, so that everything after sees bodies alone. The geometry
//! is `drystone-samples`'; here are names, groups, materials and the place of what goes wrong.

mod files;
mod forms;
mod grains;
mod inside;
mod masonry;
mod region;
mod rock;
mod rough;
mod sizes;

pub(crate) use forms::{form, shape_of};

use crate::files::Read;
use crate::place::{Place, Problem, Problems, Step};
use crate::spec::{BodySpec, SampleSpec, SceneSpec, ShapeRef, ShapeSpec};
use crate::validate::numbers::{Range, vector};
use drystone_math::Vector;
use drystone_samples::{ConvexCell, SampleError};
use std::ops;

/// Where files come from: their bytes by name, and the names in a folder.
#[derive(Clone, Copy)]
pub(crate) struct Library<'a> {
    /// Gives the bytes of a file.
    pub(crate) read: Read<'a>,
    /// Gives the names of the files of a folder in order.
    pub(crate) list: &'a dyn Fn(&str) -> Result<Vec<String>, String>,
}

/// Which bodies came from which sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins(Vec<(ops::Range<usize>, usize)>);

impl Origins {
    /// Problems of bodies that no line of the file has, brought to the line of their sample.
    pub(crate) fn relocate(&self, problems: &mut [Problem]) {
        for problem in problems {
            let [Step::Key(list), Step::Index(index), ..] = problem.path.as_slice() else { continue };
            let made = self.0.iter().find(|(bodies, _)| list == "body" && bodies.contains(index));
            if let Some(&(_, sample)) = made {
                // how grains deform is written as it is of a body
                let own = match &problem.path[2..] {
                    own @ [Step::Key(key), ..] if key == "deform" => own.to_vec(),
                    _ => Vec::new(),
                };
                problem.path = vec![Step::Key("sample".to_owned()), Step::Index(sample)];
                if !own.is_empty() {
                    problem.path.push(Step::Key("grains".to_owned()));
                    problem.path.extend(own);
                }
            }
        }
    }
}

/// Most bodies that all samples together may make.
const MOST: usize = 50_000_000;

/// Puts the bodies of all samples behind those of the scene; the samples are gone then.
pub(crate) fn expand(spec: &mut SceneSpec, library: Library) -> (Origins, Problems) {
    let mut problems = Problems::default();
    let mut origins = Origins::default();
    if spec.samples.is_empty() {
        return (origins, problems);
    }
    let root = Place::ROOT;
    let list = root.key("sample");
    for (index, sample) in std::mem::take(&mut spec.samples).into_iter().enumerate() {
        let place = list.item(index);
        let maker = Maker { sample: &sample, dimension: spec.dimension, place, library };
        let first = spec.bodies.len();
        let Some(bodies) = maker.make(&mut problems) else { continue };
        if first + bodies.len() > MOST {
            problems.of(&place, format!("brings the scene to more than {MOST} bodies"));
            break;
        }
        spec.bodies.extend(bodies);
        origins.0.push((first..spec.bodies.len(), index));
    }
    (origins, problems)
}

/// One sample with what it needs to become bodies.
struct Maker<'a> {
    sample: &'a SampleSpec,
    dimension: usize,
    place: Place<'a>,
    library: Library<'a>,
}

impl Maker<'_> {
    fn make(&self, problems: &mut Problems) -> Option<Vec<BodySpec>> {
        self.check(problems)?;
        match self.dimension {
            2 => self.bodies::<2>(problems),
            _ => self.bodies::<3>(problems),
        }
    }

    fn bodies<const D: usize>(&self, problems: &mut Problems) -> Option<Vec<BodySpec>> {
        let place = |kind: &'static str| self.place.key(kind);
        match self.sample {
            SampleSpec { grains: Some(one), .. } => {
                grains::bodies::<D>(self, one, &place("grains"), problems)
            }
            SampleSpec { rough: Some(one), .. } => rough::bodies(self, one, &place("rough"), problems),
            SampleSpec { masonry: Some(one), .. } if D == 2 => {
                masonry::plane(self, one, &place("masonry"), problems)
            }
            SampleSpec { masonry: Some(one), .. } => masonry::space(self, one, &place("masonry"), problems),
            SampleSpec { rock: Some(one), .. } => rock::bodies::<D>(self, one, &place("rock"), problems),
            SampleSpec { table: Some(one), .. } => files::bodies(self, one, &place("table"), problems),
            SampleSpec { meshes: Some(one), .. } => files::meshes(self, one, &place("meshes"), problems),
            SampleSpec { assembly: Some(one), .. } => {
                files::assembly(self, one, &place("assembly"), problems)
            }
            _ => None,
        }
    }

    /// What all samples have in common.
    fn check(&self, problems: &mut Problems) -> Option<()> {
        let before = problems.0.len();
        let kinds = SampleSpec::KINDS.join(", ");
        match self.sample.given().iter().filter(|given| **given).count() {
            1 => {}
            0 => problems.of(&self.place, format!("says nothing of what it is; give one of {kinds}")),
            count => problems.of(&self.place, format!("is {count} things at once; give one of {kinds}")),
        }
        for (key, numbers) in [("position", &self.sample.position), ("velocity", &self.sample.velocity)] {
            if let Some(numbers) = numbers {
                vector(problems, &self.place.key(key), numbers, self.dimension, Range::Any);
            }
        }
        (problems.0.len() == before).then_some(())
    }

    /// A body of the sample, counted from 0, with its shape at the sample's own place.
    fn body(&self, index: usize, shape: impl Into<ShapeRef>) -> BodySpec {
        let sample = self.sample;
        let mut body = BodySpec::new(format!("{} {}", sample.name, index + 1), shape);
        body.group = sample.group.clone().unwrap_or_else(|| sample.name.clone());
        body.material.clone_from(&sample.material);
        body.density = sample.density;
        body.fixed = sample.fixed;
        body.position.clone_from(&sample.position);
        body.velocity.clone_from(&sample.velocity);
        body
    }

    /// A place of the sample in the scene.
    fn at(&self, place: &[f64]) -> Vec<f64> {
        let shift = self.sample.position.as_deref().unwrap_or(&[]);
        place.iter().enumerate().map(|(axis, x)| x + shift.get(axis).copied().unwrap_or(0.0)).collect()
    }

    /// A body of every cell, its corners where they are: neighbours keep theirs to the last bit.
    fn blocks<'c, const D: usize>(&self, cells: impl Iterator<Item = &'c ConvexCell<D>>) -> Vec<BodySpec> {
        cells.enumerate().map(|(index, cell)| self.body(index, block(cell))).collect()
    }

    /// The bytes of a file as text, its problem reported.
    fn text(&self, file: &str, place: &Place, problems: &mut Problems) -> Option<String> {
        let read = (self.library.read)(file)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| format!("{file:?} is not UTF-8 text")));
        read.map_err(|text| problems.at(place, text)).ok()
    }
}

/// The shape of a convex cell.
fn block<const D: usize>(cell: &ConvexCell<D>) -> ShapeSpec {
    let (corners, faces) = cell.mesh();
    let vertices = corners.iter().map(|corner| corner.as_slice().to_vec()).collect();
    match D {
        2 => ShapeSpec::Polygon { vertices, treat: crate::spec::Treat::Convex },
        _ => ShapeSpec::Polyhedron { vertices, faces: Some(faces) },
    }
}

/// What a sample cannot do, at the key it speaks of where there is one.
fn refuse(problems: &mut Problems, place: &Place, error: &SampleError) {
    match error {
        SampleError::Number { name, found, allowed } => {
            let text = format!("is {}; {allowed}", crate::validate::show(*found));
            problems.of(&place.key(name), text);
        }
        other => problems.of(place, format!(": {other}")),
    }
}

/// The result, or its problem reported.
fn noted<T>(result: Result<T, SampleError>, place: &Place, problems: &mut Problems) -> Option<T> {
    result.map_err(|error| refuse(problems, place, &error)).ok()
}

/// As many numbers as dimensions as a vector, or a problem.
fn point<const D: usize>(numbers: &[f64], place: &Place, problems: &mut Problems) -> Option<Vector<D>> {
    vector(problems, place, numbers, D, Range::Any).then(|| crate::geometry::vector(numbers))
}
