//! Ties: their numbers, the bodies they name, keys that do not belong to their kind. Leaves distances to the
//! building.

use super::body::is_driven;
use super::numbers::{Range, number, optional, vector};
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{SceneSpec, TieKind, TieSpec};
use std::collections::HashMap;

/// The name of the world, where no body has it.
pub(crate) const GROUND: &str = "ground";

/// Checks all ties.
pub(super) fn ties(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let list = root.key("tie");
    let bodies: HashMap<&str, usize> =
        spec.bodies.iter().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect();
    let mut names = HashMap::new();
    for (index, tie) in spec.ties.iter().enumerate() {
        let place = list.item(index);
        if let Some(name) = &tie.name {
            if name.is_empty() || name.chars().any(char::is_control) || name.len() > 1000 {
                let text = "must be a text of 1 to 1000 bytes without control characters";
                problems.of(&place.key("name"), text);
            }
            if let Some(first) = names.insert(name.as_str(), index) {
                let text = format!("{name:?} is taken by tie number {}; every tie needs its own", first + 1);
                problems.of(&place.key("name"), text);
            }
        }
        ends(problems, &place, tie, spec, &bodies);
        keys(problems, &place, tie, spec.dimension);
        values(problems, &place, tie, spec.dimension);
    }
}

/// The two bodies.
fn ends(
    problems: &mut Problems,
    place: &Place,
    tie: &TieSpec,
    spec: &SceneSpec,
    bodies: &HashMap<&str, usize>,
) {
    let named = place.key("bodies");
    let [a, b] = tie.bodies.as_slice() else {
        problems.of(&named, format!("must name two bodies, found {}", tie.bodies.len()));
        return;
    };
    let mut known = true;
    for (side, name) in tie.bodies.iter().enumerate() {
        if name != GROUND && !bodies.contains_key(name.as_str()) {
            let hint = did_you_mean(name, bodies.keys().copied().chain([GROUND]));
            problems.of(&named.item(side), format!("names no body: {:?}.{hint}", shorten(name, 60)));
            known = false;
        }
    }
    if !known {
        return;
    }
    if a == b {
        problems.of(&named, "names the same body twice");
        return;
    }
    let moves = |name: &String| {
        bodies.get(name.as_str()).is_some_and(|&index| !is_driven(&spec.bodies[index], spec.dimension))
    };
    if !moves(a) && !moves(b) {
        problems.of(&named, "ties two bodies that no force can move");
    }
    let world = |name: &String| name == GROUND && !bodies.contains_key(GROUND);
    if tie.has_ends() && tie.ends.is_none() && (world(a) || world(b)) {
        let text = "has an end on the ground; give both with ends = [[…], […]]";
        problems.of(place, text);
    }
}

/// Keys that a kind must or must not have.
fn keys(problems: &mut Problems, place: &Place, tie: &TieSpec, dimension: usize) {
    use TieKind::{
        Coupled, Cylindrical, Hinge, Pin, Rack, Screw, Slider, Spherical, Spring, Torsion, Universal, Wire,
    };
    let word = tie.kind.word();
    match (tie.kind, dimension) {
        (Pin, 3) => {
            problems.of(&place.key("kind"), "cannot be \"pin\" in 3D; use \"spherical\" or \"hinge\"")
        }
        (Spherical | Hinge, 2) => {
            problems.of(&place.key("kind"), format!("cannot be {word:?} in 2D; use \"pin\""));
        }
        (Universal | Screw, 2) => {
            problems.of(&place.key("kind"), format!("cannot be {word:?} in 2D; it belongs to 3D"));
        }
        _ => {}
    }
    let axis = match tie.kind {
        Hinge | Slider | Cylindrical => true,
        Torsion | Screw | Rack => dimension == 3,
        // the axis of a ball is that of the cone it stays in
        Spherical => tie.limits.is_some(),
        _ => false,
    };
    // key, whether it is given, whether the kind takes it, whether the kind needs it
    let table = [
        ("at", tie.at.is_some(), !tie.has_ends() && tie.kind != Coupled, {
            matches!(tie.kind, Pin | Spherical | Hinge | Slider | Cylindrical | Universal | Screw | Rack)
        }),
        ("axis", tie.axis.is_some(), axis, axis),
        ("axes", tie.axes.is_some(), tie.kind == Universal, tie.kind == Universal && dimension == 3),
        ("pitch", tie.pitch.is_some(), tie.kind == Screw, tie.kind == Screw && dimension == 3),
        ("friction", tie.friction.is_some(), tie.is_turning() || tie.is_sliding(), false),
        ("radius", tie.radius.is_some(), tie.is_turning() || tie.kind == Cylindrical && dimension == 3, {
            tie.is_turning() && tie.friction.is_some()
        }),
        ("friction_force", tie.friction_force.is_some(), tie.is_sliding(), false),
        ("friction_moment", tie.friction_moment.is_some(), tie.is_turning(), false),
        ("limits", tie.limits.is_some(), tie.is_turning() || tie.is_sliding(), false),
        ("second_limits", tie.second_limits.is_some(), tie.kind == Universal, false),
        ("restitution", tie.restitution.is_some(), tie.is_turning() || tie.is_sliding(), false),
        ("ends", tie.ends.is_some(), tie.has_ends(), false),
        ("length", tie.length.is_some(), tie.has_ends(), false),
        ("stiffness", tie.stiffness.is_some(), matches!(tie.kind, Spring | Torsion | Wire), false),
        ("damping", tie.damping.is_some(), matches!(tie.kind, Spring | Torsion | Wire), false),
        ("strength", tie.strength.is_some(), !matches!(tie.kind, Torsion | Coupled), false),
        ("coefficients", tie.coefficients.is_some(), tie.kind == Coupled, tie.kind == Coupled),
    ];
    for (key, given, allowed, needed) in table {
        if given && !allowed {
            problems.of_key(&place.key(key), format!("does not belong to a tie of kind {word:?}"));
        } else if needed && !given {
            problems.of(place, format!("is of kind {word:?} and needs {key}"));
        }
    }
    match tie.kind {
        Spring | Torsion if tie.stiffness.unwrap_or(0.0) == 0.0 && tie.damping.unwrap_or(0.0) == 0.0 => {
            problems.of(place, format!("is of kind {word:?} and needs stiffness, damping or both"));
        }
        Wire if tie.stiffness.is_none() && tie.damping.is_some() => {
            problems.of(&place.key("damping"), "needs a stiffness: a rigid wire has no damping");
        }
        _ if tie.restitution.is_some() && tie.limits.is_none() => {
            problems.of_key(&place.key("restitution"), "needs limits: it is that of the stops");
        }
        Universal if tie.second_limits.is_some() && tie.limits.is_none() => {
            problems.of_key(&place.key("second_limits"), "needs limits: those about the first axis");
        }
        _ => {}
    }
}

/// Friction, stops, and what screws and universal joints need.
fn motions(problems: &mut Problems, place: &Place, tie: &TieSpec) {
    for (key, value) in [
        ("friction", tie.friction),
        ("radius", tie.radius),
        ("friction_force", tie.friction_force),
        ("friction_moment", tie.friction_moment),
    ] {
        optional(problems, &place.key(key), value, Range::NotNegative);
    }
    optional(problems, &place.key("restitution"), tie.restitution, Range::Within(0.0, 1.0));
    if let Some(pitch) = tie.pitch
        && number(problems, &place.key("pitch"), pitch, Range::Any)
        && pitch == 0.0
    {
        problems.of(&place.key("pitch"), "must not be zero; use a \"hinge\"");
    }
    limits(problems, &place.key("limits"), tie.kind, tie.limits.as_deref());
    limits(problems, &place.key("second_limits"), tie.kind, tie.second_limits.as_deref());
    axes(problems, &place.key("axes"), tie.axes.as_deref());
}

/// The ends of a free motion.
fn limits(problems: &mut Problems, place: &Place, kind: TieKind, limits: Option<&[f64]>) {
    let Some(limits) = limits else { return };
    if !vector(problems, place, limits, 2, Range::Any) {
        return;
    }
    let (lower, upper, half) = (limits[0], limits[1], std::f64::consts::PI);
    match kind {
        TieKind::Spherical if lower != 0.0 || upper <= 0.0 || upper >= half => {
            problems.of(
                place,
                "must be 0 and an angle below π: the largest one of the axis from where it begins",
            );
        }
        TieKind::Universal if lower <= -half || upper >= half => {
            problems.of(place, "must be angles between −π and π");
        }
        _ if !(lower <= 0.0 && upper >= 0.0) => {
            problems.of(place, "must be from 0 or less to 0 or more: the joint begins at 0");
        }
        _ => {}
    }
}

/// How far from a right angle the axes of a universal joint may be: what decimals in a file leave.
const RIGHT: f64 = 1e-6;

/// The axes of a universal joint.
fn axes(problems: &mut Problems, place: &Place, axes: Option<&[Vec<f64>]>) {
    let Some(axes) = axes else { return };
    let [a, b] = axes else {
        problems.of(place, format!("must have two lists, found {}", axes.len()));
        return;
    };
    let fine = [a, b].iter().enumerate().all(|(side, axis)| {
        let place = place.item(side);
        let fine = vector(problems, &place, axis, 3, Range::Any);
        if fine && axis.iter().all(|&x| x == 0.0) {
            problems.of(&place, "must not be zero");
            return false;
        }
        fine
    });
    if !fine {
        return;
    }
    // scaled first, so that the squares of their parts neither overflow nor vanish
    let scaled = |axis: &[f64]| {
        let most = axis.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        axis.iter().map(|x| x / most).collect::<Vec<f64>>()
    };
    let (a, b) = (scaled(a), scaled(b));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    if dot(&a, &b).abs() > RIGHT * (dot(&a, &a) * dot(&b, &b)).sqrt() {
        problems.of(place, "must be at right angles to each other");
    }
}

/// Numbers and vectors.
fn values(problems: &mut Problems, place: &Place, tie: &TieSpec, dimension: usize) {
    if let Some(at) = &tie.at {
        vector(problems, &place.key("at"), at, dimension, Range::Any);
    }
    if let Some(axis) = &tie.axis
        && vector(problems, &place.key("axis"), axis, dimension, Range::Any)
        && axis.iter().all(|&x| x == 0.0)
    {
        problems.of(&place.key("axis"), "must not be zero");
    }
    let freedoms = if dimension == 2 { 3 } else { 6 };
    for (key, lists, length) in
        [("ends", &tie.ends, dimension), ("coefficients", &tie.coefficients, freedoms)]
    {
        let Some(lists) = lists else { continue };
        let place = place.key(key);
        if lists.len() != 2 {
            problems.of(&place, format!("must have two lists, found {}", lists.len()));
        }
        for (side, numbers) in lists.iter().enumerate() {
            vector(problems, &place.item(side), numbers, length, Range::Any);
        }
        if key == "coefficients" && lists.iter().flatten().all(|&x| x == 0.0) {
            problems.of(&place, "must not all be zero");
        }
    }
    motions(problems, place, tie);
    let length = if tie.kind == TieKind::Spring { Range::NotNegative } else { Range::Positive };
    optional(problems, &place.key("length"), tie.length, length);
    let stiffness = if tie.kind == TieKind::Wire { Range::Positive } else { Range::NotNegative };
    optional(problems, &place.key("stiffness"), tie.stiffness, stiffness);
    optional(problems, &place.key("damping"), tie.damping, Range::NotNegative);
    if let Some(strength) = tie.strength {
        number(problems, &place.key("strength"), strength, Range::Positive);
    }
}
