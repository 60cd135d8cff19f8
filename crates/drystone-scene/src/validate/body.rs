//! One body: its numbers, what it refers to, and keys that contradict each other. Does not look at other
//! bodies.

use super::numbers::{Range, number, optional, show, vector};
use super::{deform, shape};
use crate::place::{Place, Problems, did_you_mean, listed, shorten};
use crate::spec::{BodySpec, Components, Gyroscopic, Inertia, SceneSpec};
use drystone_math::nalgebra::Matrix3;

/// Checks a body.
pub(super) fn body(problems: &mut Problems, place: &Place, body: &BodySpec, spec: &SceneSpec) {
    for (key, name) in [("name", &body.name), ("group", &body.group)] {
        if name.is_empty() || name.chars().any(char::is_control) || name.len() > 1000 {
            problems.of(&place.key(key), "must be a text of 1 to 1000 bytes without control characters");
        }
    }
    if body.group == "*" {
        problems.of(&place.key("group"), "cannot be \"*\", which stands for any group in a law");
    }
    matter(problems, place, body, spec);
    form(problems, place, body, spec);
    orientation(problems, place, body, spec.dimension);
    let spatial = |xs: &Option<Vec<f64>>, key: &str, problems: &mut Problems| {
        if let Some(xs) = xs {
            vector(problems, &place.key(key), xs, spec.dimension, Range::Any);
        }
    };
    spatial(&body.position, "position", problems);
    spatial(&body.velocity, "velocity", problems);
    if let Some(spin) = &body.spin {
        turning(problems, &place.key("spin"), spin, spec.dimension, Range::Any);
    }
    motion(problems, place, body, spec.dimension);
    deform::deform(problems, place, body, spec);
    if spec.dimension == 2 && body.gyroscopic.is_some_and(|g| g != Gyroscopic::Omitted) {
        problems
            .of(&place.key("gyroscopic"), "must be \"omitted\" in 2D, where there is no gyroscopic moment");
    }
}

/// Whether every component of the velocity is prescribed.
pub(crate) fn is_driven(body: &BodySpec, dimension: usize) -> bool {
    let keys = motion_keys("spin", dimension);
    body.fixed
        || body.drive.is_some_and(|drive| {
            drive.entries().iter().filter(|(key, _)| keys.contains(key)).all(|(_, given)| given.is_some())
        })
}

/// Whether a component of the velocity, by the key of a drive, is prescribed for the whole run.
pub(crate) fn is_component_driven(body: &BodySpec, key: &str) -> bool {
    body.fixed
        || body.drive.is_some_and(|drive| {
            drive.entries().iter().any(|(driven, given)| *driven == key && given.is_some())
        })
}

/// Components of a drive (`spin`) or a load (`moment`).
fn motion_keys(turn: &str, dimension: usize) -> &'static [&'static str] {
    match (turn, dimension) {
        ("spin", 2) => &["x", "y", "spin"],
        ("spin", _) => &["x", "y", "z", "spin_x", "spin_y", "spin_z"],
        (_, 2) => &["x", "y", "moment"],
        _ => &["x", "y", "z", "moment_x", "moment_y", "moment_z"],
    }
}

fn matter(problems: &mut Problems, place: &Place, body: &BodySpec, spec: &SceneSpec) {
    optional(problems, &place.key("density"), body.density, Range::Positive);
    optional(problems, &place.key("mass"), body.mass, Range::Positive);
    if let Some(material) = &body.material
        && !spec.materials.contains_key(material)
    {
        let names = || spec.materials.keys().map(String::as_str);
        let known = if spec.materials.is_empty() { "there are none".into() } else { listed(names()) };
        let hint = did_you_mean(material, names());
        let text = format!("names no material: {:?}; materials: {known}.{hint}", shorten(material, 60));
        problems.of(&place.key("material"), text);
    }
    let given: Vec<&str> = [
        ("material", body.material.is_some()),
        ("density", body.density.is_some()),
        ("mass", body.mass.is_some()),
    ]
    .into_iter()
    .filter_map(|(key, given)| given.then_some(key))
    .collect();
    if let [first, second, ..] = given.as_slice() {
        problems
            .of_key(&place.key(second), format!("contradicts {first}; give one of material, density, mass"));
    }
    // of a half-space the shape speaks
    if given.is_empty() && !is_driven(body, spec.dimension) && !fills_half(body, spec) {
        problems.of(
            place,
            "is free to move but has no mass; give one of material, density, mass, or fixed = true",
        );
    }
    if let Some(inertia) = &body.inertia {
        let place = &place.key("inertia");
        self::inertia(problems, place, inertia, spec.dimension);
        if body.mass.is_none() {
            problems.of_key(place, "needs mass beside it");
        }
    }
}

/// How far the two products of inertia of one pair of axes may differ, relative to the largest moment.
const SYMMETRIC: f64 = 1e-9;

/// A moment in 2D, in 3D three or a tensor that is symmetric and positive definite.
fn inertia(problems: &mut Problems, place: &Place, given: &Inertia, dimension: usize) {
    match (given, dimension) {
        (Inertia::Moment(x), 2) => {
            number(problems, place, *x, Range::Positive);
        }
        (Inertia::Moment(_), _) => {
            problems.of(place, "must be an array of 3 numbers or of 3 rows in 3D, found one number")
        }
        (_, 2) => problems.of(place, "must be one number in 2D, found an array"),
        (Inertia::Moments(xs), _) => {
            vector(problems, place, xs, 3, Range::Positive);
        }
        (Inertia::Tensor(rows), _) => tensor(problems, place, rows),
    }
}

fn tensor(problems: &mut Problems, place: &Place, rows: &[Vec<f64>]) {
    if rows.len() != 3 {
        return problems.of(place, format!("must have 3 rows, found {}", rows.len()));
    }
    let mut fine = true;
    for (index, row) in rows.iter().enumerate() {
        let place = place.item(index);
        fine &= vector(problems, &place, row, 3, Range::Any)
            && number(problems, &place.item(index), row[index], Range::Positive);
    }
    if !fine {
        return;
    }
    let tensor = Matrix3::from_fn(|row, column| rows[row][column]);
    let largest = tensor.diagonal().amax();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let [upper, lower] = [tensor[(a, b)], tensor[(b, a)]];
        if (upper - lower).abs() > SYMMETRIC * largest {
            let found = format!("must be symmetric, found {} and {}", show(upper), show(lower));
            return problems.of(&place.item(b).item(a), found);
        }
    }
    let moments = drystone::principal_axes(&tensor).0;
    // a moment that is rounding of the others is none
    if !(moments.min() > 1e-12 * largest && moments.min() >= 1e-30) {
        let [a, b, c] = [0, 1, 2].map(|axis| show(moments[axis]));
        problems.of(place, format!("must have principal moments greater than 0, found {a}, {b} and {c}"));
    }
}

/// One number in 2D, three in 3D.
fn turning(problems: &mut Problems, place: &Place, given: &Components, dimension: usize, range: Range) {
    match (given, dimension) {
        (Components::One(x), 2) => {
            number(problems, place, *x, range);
        }
        (Components::One(_), _) => {
            problems.of(place, "must be an array of 3 numbers in 3D, found one number")
        }
        (Components::Three(_), 2) => problems.of(place, "must be one number in 2D, found an array"),
        (Components::Three(xs), _) => {
            vector(problems, place, xs, 3, range);
        }
    }
}

fn fills_half(body: &BodySpec, spec: &SceneSpec) -> bool {
    shape::fills_half(&body.shape, spec)
}

fn form(problems: &mut Problems, place: &Place, body: &BodySpec, spec: &SceneSpec) {
    let place = place.key("shape");
    shape::reference(problems, &place, &body.shape, spec);
    if fills_half(body, spec) && !is_driven(body, spec.dimension) {
        problems.of(
            &place,
            "fills half of space and cannot move freely; add fixed = true or drive every component",
        );
    }
}

pub(super) fn orientation(problems: &mut Problems, place: &Place, body: &BodySpec, dimension: usize) {
    let plane = [("angle", body.angle), ("angle_degrees", body.angle_degrees)];
    for (key, given) in plane {
        optional(problems, &place.key(key), given, Range::Any);
        if given.is_some() && dimension == 3 {
            problems.of_key(&place.key(key), "is for 2D; in 3D use rotation or orientation_wxyz");
        }
    }
    one_angle(problems, place, plane);
    if let Some(rotation) = &body.rotation {
        let place = &place.key("rotation");
        if dimension == 2 {
            problems.of_key(place, "is for 3D; in 2D use angle or angle_degrees");
        }
        let axis = place.key("axis");
        if vector(problems, &axis, &rotation.axis, 3, Range::Any)
            && rotation.axis.iter().all(|x| x.abs() < 1e-30)
        {
            problems.of(&axis, "has no direction; give a vector that is not zero");
        }
        let angles = [("angle", rotation.angle), ("angle_degrees", rotation.angle_degrees)];
        for (key, given) in angles {
            optional(problems, &place.key(key), given, Range::Any);
        }
        one_angle(problems, place, angles);
        if angles.iter().all(|(_, given)| given.is_none()) {
            problems.of(place, "needs angle (radians) or angle_degrees");
        }
    }
    if let Some(wxyz) = &body.orientation_wxyz {
        let place = &place.key("orientation_wxyz");
        if dimension == 2 {
            problems.of_key(place, "is for 3D; in 2D use angle or angle_degrees");
        }
        if body.rotation.is_some() {
            problems.of_key(place, "contradicts rotation; give one of the two");
        }
        if vector(problems, place, wxyz, 4, Range::Any) {
            let norm = wxyz.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (norm - 1.0).abs() > 1e-3 {
                problems.of(place, format!("must be a unit quaternion, found one of length {}", show(norm)));
            }
        }
    }
}

fn one_angle(problems: &mut Problems, place: &Place, angles: [(&str, Option<f64>); 2]) {
    if let [(first, Some(_)), (second, Some(_))] = angles {
        problems.of_key(&place.key(second), format!("contradicts {first}; give one of the two"));
    }
}

/// Prescribed velocities against the dimension and the starting velocity, loads against the dimension.
fn motion(problems: &mut Problems, place: &Place, body: &BodySpec, dimension: usize) {
    if let Some(load) = &body.load {
        components(
            problems,
            &place.key("load"),
            &load.entries(),
            motion_keys("moment", dimension),
            dimension,
        );
    }
    let start = |key: &str| -> Option<f64> {
        let axis = ["x", "y", "z"].iter().position(|&axis| axis == key);
        let turn = ["spin_x", "spin_y", "spin_z"].iter().position(|&axis| axis == key);
        let spin = body.spin.as_ref().map(Components::as_slice);
        match (axis, turn, key) {
            (Some(axis), ..) => body.velocity.as_ref()?.get(axis).copied(),
            (_, Some(turn), _) => spin?.get(turn).copied(),
            (_, _, "spin") => spin?.first().copied(),
            _ => None,
        }
    };
    let keys = motion_keys("spin", dimension);
    if let Some(drive) = &body.drive {
        let place = place.key("drive");
        if body.fixed {
            problems.of_key(&place, "contradicts fixed = true; give one of the two");
        }
        components(problems, &place, &drive.entries(), keys, dimension);
        for (key, given) in drive.entries() {
            if let (Some(given), Some(start)) = (given, start(key))
                && start != 0.0
                && start != given
            {
                let text =
                    format!("is {}, but the body starts at {}; leave that out", show(given), show(start));
                problems.of(&place.key(key), text);
            }
        }
    }
    if body.fixed && keys.iter().filter_map(|key| start(key)).any(|start| start != 0.0) {
        problems.of(&place.key("fixed"), "contradicts velocity or spin, which are not zero");
    }
}

fn components(
    problems: &mut Problems,
    place: &Place,
    entries: &[(&'static str, Option<f64>)],
    allowed: &[&str],
    dimension: usize,
) {
    for &(key, given) in entries {
        let place = place.key(key);
        optional(problems, &place, given, Range::Any);
        if given.is_some() && !allowed.contains(&key) {
            problems
                .of_key(&place, format!("does not exist in {dimension}D; allowed: {}", allowed.join(", ")));
        }
    }
}
