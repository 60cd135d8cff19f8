//! What may be written of probes: what they watch, and the quantities it has.

use super::numbers::{Range, vector};
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{Probe, ProbeTarget, Quantity, SceneSpec};
use std::collections::{HashMap, HashSet};

/// All probes of a scene.
pub(super) fn probes(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("probe");
    let mut names = HashMap::new();
    for (index, probe) in spec.probes.iter().enumerate() {
        let place = list.item(index);
        let name = place.key("name");
        let file_like = |c: char| c.is_alphanumeric() || "-_+. ".contains(c);
        if probe.name.is_empty()
            || probe.name.len() > 100
            || probe.name.starts_with('.')
            || !probe.name.chars().all(file_like)
        {
            problems.of(&name, "names a file: letters, digits, spaces and - _ + . are allowed, 100 at most");
        }
        if let Some(first) = names.insert(probe.name.as_str(), index) {
            problems.of(&name, format!("is taken by probe number {}; every probe needs its own", first + 1));
        }
        target(problems, &place, probe, spec);
        quantities(problems, &place.key("quantities"), probe, spec.dimension);
    }
}

/// What a probe watches must be there.
fn target(problems: &mut Problems, place: &Place, probe: &Probe, spec: &SceneSpec) {
    let bodies = || spec.bodies.iter().map(|body| body.name.as_str());
    let mut known = |key: &str, what: &str, given: &str, all: HashSet<&str>| {
        if !all.contains(given) {
            let hint = did_you_mean(given, all.iter().copied());
            problems.of(&place.key(key), format!("names no {what}: {:?}.{hint}", shorten(given, 60)));
        }
    };
    match probe.watches() {
        ProbeTarget::Body(body) => known("body", "body", body, bodies().collect()),
        ProbeTarget::Nodes(body) => {
            known("body", "body", body, bodies().collect());
            nodes(problems, place, probe, body, spec);
        }
        ProbeTarget::Group(group) => {
            let sources = spec.sources.iter().map(|source| source.group());
            let groups = spec.bodies.iter().map(|body| body.group.as_str());
            known("group", "group", group, groups.chain(sources).collect());
        }
        ProbeTarget::Tie(tie) => {
            let names: Vec<String> = spec.ties.iter().enumerate().map(|(k, tie)| tie.name_at(k)).collect();
            known("tie", "tie", tie, names.iter().map(String::as_str).collect());
        }
        ProbeTarget::Unclear if probe.body.is_none() && probe.tie.is_none() && probe.near.is_none() => {
            problems.at(place, "must say what it watches: give body, group or tie");
        }
        ProbeTarget::Unclear => {
            let text = "gives several things to watch; allowed are body (with group or near for nodes of it), \
                group, or tie";
            problems.at(place, text);
        }
    }
}

/// Keys of probes on nodes.
fn nodes(problems: &mut Problems, place: &Place, probe: &Probe, body: &str, spec: &SceneSpec) {
    if probe.group.is_some() && probe.near.is_some() {
        problems.of_key(&place.key("near"), "contradicts group; give one of the two");
    }
    if let Some(near) = &probe.near {
        vector(problems, &place.key("near"), near, spec.dimension, Range::Any);
    }
    let body = spec.bodies.iter().find(|known| known.name == body);
    let key = if probe.group.is_some() { "group" } else { "near" };
    if body.is_some_and(|body| body.deform.is_none()) {
        problems.of_key(&place.key(key), "is for deformable bodies, and this one has no deform");
    }
}

/// The quantities that each target has, and how they are called together.
fn allowed(target: ProbeTarget) -> (&'static [Quantity], &'static str) {
    use Quantity::*;
    match target {
        ProbeTarget::Body(_) | ProbeTarget::Unclear => (
            &[Position, Velocity, Angle, Orientation, Spin, Force, Energy, Mass],
            "is not of a whole body; there are position, velocity, angle, orientation, spin, force, energy, mass",
        ),
        ProbeTarget::Nodes(_) => (
            &[Position, Displacement, Velocity, Reaction],
            "is of whole bodies; of nodes there are position, displacement, velocity, reaction",
        ),
        ProbeTarget::Group(_) => (
            &[Position, Velocity, Force, Energy, Mass, Count],
            "is not of a group; there are position, velocity, force, energy, mass, count",
        ),
        ProbeTarget::Tie(_) => (
            &[Force, Moment, Tension, Elongation, Coordinate, Stored],
            "is not of a tie; there are force, moment, tension, elongation, coordinate, stored",
        ),
    }
}

fn quantities(problems: &mut Problems, place: &Place, probe: &Probe, dimension: usize) {
    let given = &probe.quantities;
    let (allowed, otherwise) = allowed(probe.watches());
    if given.is_empty() && probe.watches_nodes() {
        problems.of(place, "must be given: the default is of whole bodies; of nodes there are position, displacement, velocity, reaction");
    }
    for (index, quantity) in given.iter().enumerate() {
        let place = place.item(index);
        let of_nodes = matches!(quantity, Quantity::Displacement | Quantity::Reaction);
        match (quantity, dimension) {
            (Quantity::Angle, 3) => problems.of(&place, "cannot be \"angle\" in 3D; use \"orientation\""),
            (Quantity::Orientation, 2) => {
                problems.of(&place, "cannot be \"orientation\" in 2D; use \"angle\"")
            }
            _ if of_nodes && matches!(probe.watches(), ProbeTarget::Body(_)) => {
                problems.of(&place, "is of nodes of deformable bodies; give group or near");
            }
            _ if !allowed.contains(quantity) => problems.of(&place, otherwise),
            _ if given[..index].contains(quantity) => problems.of(&place, "repeats an earlier quantity"),
            _ => {}
        }
    }
}
