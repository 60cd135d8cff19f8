//! Sources and outlets: their numbers and names. Looks for no room.

use super::numbers::{Range, number, optional, vector};
use crate::generate::form;
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{FormSpec, OutletSpec, SceneSpec, SourceSpec};
use std::collections::HashSet;

/// Most bodies of a source.
const MOST: u32 = 10_000_000;

/// Checks all of them.
pub(super) fn traffic(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("source");
    let mut names = HashSet::new();
    for (index, one) in spec.sources.iter().enumerate() {
        let place = list.item(index);
        if !names.insert(one.name.as_str()) {
            problems.of(&place.key("name"), "is that of another source; every source needs its own");
        }
        source(problems, &place, one, spec);
    }
    let list = root.key("outlet");
    let mut names = HashSet::new();
    for (index, one) in spec.outlets.iter().enumerate() {
        let place = list.item(index);
        if !names.insert(one.name.as_str()) {
            problems.of(&place.key("name"), "is that of another outlet; every outlet needs its own");
        }
        outlet(problems, &place, one, spec.dimension);
    }
}

fn source(problems: &mut Problems, place: &Place, source: &SourceSpec, spec: &SceneSpec) {
    name(problems, place, &source.name);
    if source.group() == "*" || source.group().is_empty() {
        problems.of(&place.key("group"), "cannot be \"*\" or empty");
    }
    let starts = format!("{} ", source.name);
    if let Some(taken) = spec.bodies.iter().find(|body| body.name.starts_with(&starts)) {
        let text =
            format!("is the beginning of the name of body {:?}; take another", shorten(&taken.name, 60));
        problems.of(&place.key("name"), text);
    }
    number(problems, &place.key("density"), source.density, Range::Positive);
    forms(problems, place, source, spec);
    let [lower, upper] = [("lower", &source.lower), ("upper", &source.upper)]
        .map(|(key, corner)| vector(problems, &place.key(key), corner, spec.dimension, Range::Any));
    if lower && upper && source.lower.iter().zip(&source.upper).any(|(low, high)| low > high) {
        problems.of(&place.key("upper"), "must be no lower than lower, along every axis");
    }
    if let Some(velocity) = &source.velocity {
        vector(problems, &place.key("velocity"), velocity, spec.dimension, Range::Any);
    }
    optional(problems, &place.key("rate"), source.rate, Range::Positive);
    optional(problems, &place.key("rest"), source.rest, Range::Positive);
    if source.rate.is_some() == source.rest.is_some() {
        problems.of(place, "needs one of rate and rest");
    }
    number(problems, &place.key("start"), source.start, Range::NotNegative);
    if !(1..=MOST).contains(&source.count) {
        problems.of(&place.key("count"), format!("must be from 1 to {MOST}, found {}", source.count));
    }
}

/// Its shapes: those of a list, or some within circles or spheres.
fn forms(problems: &mut Problems, place: &Place, source: &SourceSpec, spec: &SceneSpec) {
    let radius = place.key("radius");
    if source.shapes.is_empty() {
        if source.radius.is_empty() {
            return problems.of(place, "needs a radius, or shapes of the scene by name");
        }
        let is_right = vector(problems, &radius, &source.radius, 2, Range::Positive);
        if is_right && source.radius[0] > source.radius[1] {
            problems.of(&radius, "must be the least and the largest, in this order");
        }
        if let Some(FormSpec::Meshes { .. }) = &source.form {
            let text =
                "is for samples; give the meshes to [shapes], and their names to the shapes of the source";
            return problems.of(&place.key("form"), text);
        }
        if let Err(error) = form(source.form.as_ref(), 0).check(spec.dimension) {
            problems.of(&place.key("form"), format!(": {error}"));
        }
        return;
    }
    for (key, is_given) in [("radius", !source.radius.is_empty()), ("form", source.form.is_some())] {
        if is_given {
            problems.of_key(&place.key(key), "contradicts shapes; give one of the two");
        }
    }
    for (index, name) in source.shapes.iter().enumerate() {
        if !spec.shapes.contains_key(name) {
            let hint = did_you_mean(name, spec.shapes.keys().map(String::as_str));
            let text = format!("names no shape of the scene: {:?}.{hint}", shorten(name, 60));
            problems.of(&place.key("shapes").item(index), text);
        }
    }
}

fn outlet(problems: &mut Problems, place: &Place, outlet: &OutletSpec, dimension: usize) {
    name(problems, place, &outlet.name);
    let axes = &["x", "y", "z"][..dimension];
    if !axes.contains(&outlet.axis.as_str()) {
        let text = format!("cannot be {:?}; allowed: {}", shorten(&outlet.axis, 30), axes.join(", "));
        problems.of(&place.key("axis"), text);
    }
    optional(problems, &place.key("above"), outlet.above, Range::Any);
    optional(problems, &place.key("below"), outlet.below, Range::Any);
    if outlet.above.is_some() == outlet.below.is_some() {
        problems.of(place, "needs one of above and below");
    }
}

fn name(problems: &mut Problems, place: &Place, name: &str) {
    if name.is_empty() || name.len() > 1000 || name.chars().any(char::is_control) {
        problems.of(&place.key("name"), "must be a text of 1 to 1000 bytes without control characters");
    }
}
