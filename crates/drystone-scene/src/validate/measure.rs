//! Whether what is to be measured can be: names of measures, tables, groups and bodies, ranges of numbers.
//! The measures themselves judge their parameters, on a frame without bodies but those that are named.

use super::Groups;
use super::numbers::{Range, number};
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{MeasureSpec, SceneSpec};
use drystone::{Energy, Orientation, Pose, Vector};
use drystone_measure::{BodyView, FrameView, MEASURES, MeasureError, Request, evaluate, scalar};
use std::collections::{HashMap, HashSet};

pub(super) fn measures(problems: &mut Problems, spec: &SceneSpec) {
    if spec.measures.is_empty() {
        return;
    }
    let root = Place::ROOT;
    let list = root.key("measure");
    let bodies: HashSet<&str> = spec.bodies.iter().map(|body| body.name.as_str()).collect();
    let groups: Vec<String> = Groups::of(spec).names().map(str::to_owned).collect();
    let mut files = HashMap::new();
    for (index, measure) in spec.measures.iter().enumerate() {
        let place = list.item(index);
        file(problems, &place, measure);
        if let Some(first) = files.insert(measure.file().to_lowercase(), index) {
            let text = format!(
                "has the table {:?} of measure number {}; give it a `file` of its own",
                shorten(measure.file(), 60),
                first + 1
            );
            problems.of(&place, text);
        }
        if let Some(every) = measure.every {
            number(problems, &place.key("every"), every, Range::Positive);
            if every > 0.0 && every < 0.5 * spec.time.step {
                let text = format!("is {every:e} s, shorter than the time step of {:e} s", spec.time.step);
                problems.of(&place.key("every"), text);
            }
        }
        request(problems, &place, measure, spec.dimension, &bodies, &groups);
    }
}

fn file(problems: &mut Problems, place: &Place, measure: &MeasureSpec) {
    let file_like = |c: char| c.is_alphanumeric() || "-_+. ".contains(c);
    let name = measure.file();
    if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.chars().all(file_like) {
        let key = if measure.file.is_some() { "file" } else { "name" };
        let text = "names a file: letters, digits, spaces and - _ + . are allowed, 100 at most";
        problems.of(&place.key(key), text);
    }
}

fn request(
    problems: &mut Problems,
    place: &Place,
    measure: &MeasureSpec,
    dimension: usize,
    bodies: &HashSet<&str>,
    groups: &[String],
) {
    for (key, name) in [("body", &measure.body), ("other", &measure.other)] {
        if let Some(name) = name.as_ref().filter(|name| !bodies.contains(name.as_str())) {
            let hint = did_you_mean(name, bodies.iter().copied());
            problems.of(&place.key(key), format!("names no body: {:?}.{hint}", shorten(name, 60)));
            return;
        }
    }
    let names: Vec<String> = [&measure.body, &measure.other].into_iter().flatten().cloned().collect();
    let view = frame(dimension, &names, groups);
    let Err(error) = evaluate(&view, &measure.request()) else { return };
    let hint = match &error {
        MeasureError::Unknown { name, .. } => did_you_mean(name, MEASURES.iter().map(|entry| entry.name)),
        MeasureError::Group { name, .. } => did_you_mean(name, groups.iter().map(String::as_str)),
        _ => String::new(),
    };
    let text = format!("{error}.{hint}");
    match error {
        MeasureError::Key { key, .. } => problems.at(&place.key(&key), text),
        MeasureError::Value { key, .. } => problems.at(&place.key(key), text),
        MeasureError::Unknown { .. } => problems.at(&place.key("name"), text),
        MeasureError::Group { name, .. } if measure.with.as_ref() == Some(&name) => {
            problems.at(&place.key("with"), text);
        }
        MeasureError::Group { .. } => problems.at(&place.key("group"), text),
        _ => problems.at(place, text),
    }
}

/// A measure that ends a stage, as text: one number of it must come out.
pub(super) fn stop(problems: &mut Problems, place: &Place, text: &str, spec: &SceneSpec) {
    let names: Vec<String> = spec.bodies.iter().map(|body| body.name.clone()).collect();
    let groups: Vec<String> = Groups::of(spec).names().map(str::to_owned).collect();
    let found =
        Request::parse(text).and_then(|request| scalar(&frame(spec.dimension, &names, &groups), &request));
    if let Err(error) = found {
        problems.of(place, format!(": {error}"));
    }
}

/// A frame with bodies of these names, all at the origin, to try a measure on.
fn frame<'a>(dimension: usize, names: &'a [String], groups: &'a [String]) -> FrameView<'a> {
    let body = BodyView {
        position: Vector::zeros(),
        orientation: Orientation::identity(),
        velocity: Vector::zeros(),
        mass: 1.0,
        volume: 1.0,
        radius: 1.0,
        group: 0,
        is_free: true,
        start: Some(Pose::identity()),
    };
    FrameView {
        dimension,
        time: 0.0,
        lag: 0.0,
        periods: [None; 2],
        names,
        groups,
        bodies: vec![body; names.len()],
        contacts: Vec::new(),
        energy: Some(Energy::default()),
    }
}
