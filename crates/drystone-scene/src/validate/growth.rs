//! Bodies that grow: that they can, and that they begin with the size they have. Names and signals are
//! checked by others.

use super::numbers::show;
use crate::loading::{SignalUse, of_whole_run, signal};
use crate::place::{Place, Problems, shorten};
use crate::spec::{BodySpec, GrowthSpec, SceneSpec, ShapeRef, ShapeSpec};

/// How far from 1 a factor may begin, for decimals that are not exact.
const ONE: f64 = 1e-9;

/// Checks all of it.
pub(super) fn growth(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    for (index, growth) in of_whole_run(spec).growths.iter().enumerate() {
        one(problems, &root.key("growth").item(index), growth, spec);
    }
    let stages = root.key("stage");
    for (number, stage) in spec.stages.iter().enumerate() {
        for (index, growth) in stage.growths.iter().enumerate() {
            one(problems, &stages.item(number).key("growth").item(index), growth, spec);
        }
    }
}

fn one(problems: &mut Problems, place: &Place, growth: &GrowthSpec, spec: &SceneSpec) {
    let first = signal(&growth.factor, SignalUse::Value).at(0.0);
    if let Some(first) = first.filter(|first| (first - 1.0).abs() > ONE) {
        let text = format!("must be 1 at t = 0, where the growth begins; it is {} there", show(first));
        problems.of(&place.key("factor"), text);
    }
    let is_meant =
        |body: &BodySpec| growth.on.as_slice().iter().any(|name| *name == body.name || *name == body.group);
    if let Some(body) = spec.bodies.iter().find(|body| is_meant(body) && !can_grow(body, spec)) {
        let text = format!(
            "names {:?}, which cannot grow: lines, planes, points and deformable bodies have no size that could",
            shorten(&body.name, 60)
        );
        problems.of(&place.key("on"), text);
    }
}

fn can_grow(body: &BodySpec, spec: &SceneSpec) -> bool {
    let shape = match &body.shape {
        ShapeRef::Named(name) => spec.shapes.get(name),
        ShapeRef::Inline(shape) => Some(shape),
    };
    let has_size =
        |shape: &ShapeSpec| !matches!(shape, ShapeSpec::Line {} | ShapeSpec::Plane {} | ShapeSpec::Point {});
    body.deform.is_none() && shape.is_none_or(has_size)
}
