//! What can be judged of a scene without building it: ranges, references, contradictions. Fills in nothing,
//! and leaves convexity and principal axes to the building.

pub(crate) mod body;
mod deform;
mod growth;
mod loading;
mod measure;
mod meeting;
pub(crate) mod numbers;
mod probe;
mod settings;
pub(crate) mod shape;
mod signal;
mod tie;
mod traffic;

pub(crate) use body::is_component_driven;
pub(crate) use meeting::{Groups, law_table};
pub(crate) use numbers::show;
pub(crate) use signal::table_ends;

use crate::place::{Place, Problems, did_you_mean, listed, shorten};
use crate::spec::{LawSpec, SceneSpec};
use numbers::{Range, number, vector};
use std::collections::HashMap;

/// All problems of a scene but those of its geometry and of laws that are missing.
pub(crate) fn validate(spec: &SceneSpec) -> Problems {
    let mut problems = Problems::default();
    let root = Place::ROOT;
    if !matches!(spec.dimension, 2 | 3) {
        problems.of(&root.key("dimension"), format!("must be 2 or 3, found {}", spec.dimension));
        return problems;
    }
    settings::settings(&mut problems, spec);
    for (name, material) in &spec.materials {
        let materials = root.key("materials");
        let place = materials.key(name);
        number(&mut problems, &place.key("density"), material.density, Range::Positive);
        deform::material(&mut problems, &place, material);
    }
    for (name, form) in &spec.shapes {
        shape::shape(&mut problems, &root.key("shapes").key(name), form, spec);
    }
    bodies(&mut problems, spec);
    laws(&mut problems, spec);
    tie::ties(&mut problems, spec);
    forces(&mut problems, spec);
    probe::probes(&mut problems, spec);
    measure::measures(&mut problems, spec);
    standing(&mut problems, spec);
    loading::loading(&mut problems, spec);
    growth::growth(&mut problems, spec);
    problems
}

fn bodies(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("body");
    if spec.bodies.is_empty() {
        problems.at(&root, "the scene has no body; add a table [[body]]");
    }
    if spec.bodies.len() > u32::MAX as usize {
        problems.at(
            &list,
            format!("the scene has {} bodies, at most {} are allowed", spec.bodies.len(), u32::MAX),
        );
        return;
    }
    let mut names = HashMap::with_capacity(spec.bodies.len());
    for (index, one) in spec.bodies.iter().enumerate() {
        let place = list.item(index);
        if let Some(first) = names.insert(one.name.as_str(), index) {
            let text =
                format!("{:?} is taken by body number {}; every body needs its own", one.name, first + 1);
            problems.of(&place.key("name"), text);
        }
        body::body(problems, &place, one, spec);
    }
}

fn laws(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("law");
    let groups = Groups::of(spec);
    let mut pairs: HashMap<[&str; 2], usize> = HashMap::new();
    for (index, law) in spec.laws.iter().enumerate() {
        let place = list.item(index);
        law_kind(problems, &place, law);
        let between = place.key("between");
        let [a, b] = law.between.as_slice() else {
            problems.of(&between, format!("must name two groups, found {}", law.between.len()));
            continue;
        };
        for (side, group) in law.between.iter().enumerate() {
            if group != "*" && groups.index(group).is_none() {
                let hint = did_you_mean(group, groups.names());
                let known = listed(groups.names());
                let text = format!("no body is in group {:?}; groups: {known}.{hint}", shorten(group, 60));
                problems.at(&between.item(side), text);
            }
        }
        let pair = if a <= b { [a.as_str(), b] } else { [b.as_str(), a] };
        if let Some(first) = pairs.insert(pair, index) {
            problems.of(&between, format!("repeats law number {}; give one law for the pair", first + 1));
        }
    }
}

fn law_kind(problems: &mut Problems, place: &Place, law: &LawSpec) {
    let kinds = LawSpec::KINDS.join(", ");
    match law.given() {
        0 => problems.of(place, format!("names no law; give one of {kinds}")),
        1 => {}
        2 => problems.of(place, format!("names two laws; give one of {kinds}")),
        count => problems.of(place, format!("names {count} laws; give one of {kinds}")),
    }
    law.check(problems, place);
}

fn forces(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("force");
    let bodies: std::collections::HashSet<&str> = spec.body_names().collect();
    for (index, known) in spec.forces.iter().enumerate() {
        let place = list.item(index);
        for (side, name) in
            known.between.iter().enumerate().filter(|(_, name)| !bodies.contains(name.as_str()))
        {
            let hint = did_you_mean(name, bodies.iter().copied());
            let text = format!("names no body: {:?}.{hint}", shorten(name, 60));
            problems.of(&place.key("between").item(side), text);
        }
        if known.between[0] == known.between[1] {
            problems.of(&place.key("between"), "names one body twice; a contact is between two");
        }
        vector(problems, &place.key("force"), &known.force, spec.dimension, Range::Any);
        if let Some(at) = &known.at {
            vector(problems, &place.key("at"), at, spec.dimension, Range::Any);
        }
    }
}

fn standing(problems: &mut Problems, spec: &SceneSpec) {
    let Some(standing) = &spec.standing else { return };
    let root = Place::ROOT;
    let place = root.key("standing");
    number(problems, &place.key("displacement"), standing.displacement, Range::Positive);
    let Some(names) = &standing.bodies else { return };
    if names.is_empty() {
        problems.of(&place.key("bodies"), "must name a body or a group; leave it out for the usual ones");
    }
    let known = || spec.bodies.iter().flat_map(|body| [body.name.as_str(), body.group.as_str()]);
    let all: std::collections::HashSet<&str> = known().collect();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !all.contains(name.as_str())) {
        let hint = did_you_mean(name, known());
        let text = format!("names no body and no group: {:?}.{hint}", shorten(name, 60));
        problems.of(&place.key("bodies").item(index), text);
    }
}
