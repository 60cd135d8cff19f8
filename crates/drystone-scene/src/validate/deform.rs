//! What makes a body deformable: its numbers and keys that contradict it. Groups and elements are judged once
//! the mesh is there.

use super::body::is_component_driven;
use super::numbers::{Range, number, optional, vector};
use crate::place::{Place, Problems};
use crate::spec::{
    BodySpec, Drift, ElementName, ElementsSpec, IntegrationName, Material, MaterialLawName, PlaneName,
    SceneSpec, ShapeRef, ShapeSpec,
};

/// Most elements of one body.
const MOST_ELEMENTS: f64 = 1e6;

/// Most elements that a wave passes in a step: beyond it the mass is lost in the rounding of the stiffness.
const MOST_WAVES: f64 = 1e6;

/// About how many elements of a size fill a shape.
fn elements(shape: &ShapeSpec, size: f64) -> f64 {
    let along = |length: f64| (length / size).max(1.0);
    match shape {
        ShapeSpec::Disk { radius } => 6.0 * along(*radius).powi(2),
        ShapeSpec::Cylinder { radius, height } => 6.0 * along(*radius).powi(2) * along(*height),
        ShapeSpec::Box { size: sides } => sides.iter().map(|&side| along(side)).product(),
        _ => 0.0,
    }
}

/// Elastic constants of a material.
pub(super) fn material(problems: &mut Problems, place: &Place, material: &Material) {
    optional(problems, &place.key("young"), material.young, Range::Positive);
    optional(problems, &place.key("poisson"), material.poisson, Range::Between(-1.0, 0.5));
    optional(problems, &place.key("retardation"), material.retardation, Range::NotNegative);
    optional(problems, &place.key("c10"), material.c10, Range::NotNegative);
    optional(problems, &place.key("c01"), material.c01, Range::NotNegative);
    optional(problems, &place.key("bulk"), material.bulk, Range::Positive);
    optional(problems, &place.key("yield_stress"), material.yield_stress, Range::Positive);
    optional(problems, &place.key("hardening"), material.hardening, Range::NotNegative);
    optional(problems, &place.key("kinematic_hardening"), material.kinematic_hardening, Range::NotNegative);
    law(problems, place, material);
}

/// Keys that the law of a material needs, and those it does not know.
fn law(problems: &mut Problems, place: &Place, material: &Material) {
    use MaterialLawName::{Elastic, MooneyRivlin, NeoHookean, Plastic, SaintVenant};
    let (name, needed, known): (&str, &[&str], &[&str]) = match material.material_law() {
        Elastic => ("elastic", &[], &["young", "poisson", "retardation"]),
        NeoHookean => ("neo-hookean", &["young", "poisson"], &["young", "poisson"]),
        SaintVenant => ("saint-venant", &["young", "poisson"], &["young", "poisson"]),
        MooneyRivlin => ("mooney-rivlin", &["c10", "c01", "bulk"], &["c10", "c01", "bulk"]),
        Plastic => (
            "plastic",
            &["young", "poisson", "yield_stress"],
            &["young", "poisson", "yield_stress", "hardening", "kinematic_hardening"],
        ),
    };
    for (key, given) in [
        ("young", material.young),
        ("poisson", material.poisson),
        ("retardation", material.retardation),
        ("c10", material.c10),
        ("c01", material.c01),
        ("bulk", material.bulk),
        ("yield_stress", material.yield_stress),
        ("hardening", material.hardening),
        ("kinematic_hardening", material.kinematic_hardening),
    ] {
        if given.is_none() && needed.contains(&key) {
            problems
                .of(place, format!("needs {key}, as law = \"{name}\" does; it needs {}", needed.join(", ")));
        }
        if given.is_some() && !known.contains(&key) {
            let text = format!("means nothing with law = \"{name}\", which has {}", known.join(", "));
            problems.of_key(&place.key(key), text);
        }
    }
    if material.material_law() == MooneyRivlin && material.c10 == Some(0.0) && material.c01 == Some(0.0) {
        problems.of(&place.key("c10"), "is 0, and so is c01; one of the two must be greater than 0");
    }
}

/// Checks a deformable body.
pub(super) fn deform(problems: &mut Problems, place: &Place, body: &BodySpec, spec: &SceneSpec) {
    let shape = match &body.shape {
        ShapeRef::Named(name) => spec.shapes.get(name),
        ShapeRef::Inline(shape) => Some(shape),
    };
    let given = match shape {
        Some(ShapeSpec::Elements(form)) => Some(form),
        _ => None,
    };
    let Some(deform) = &body.deform else {
        if given.is_some() {
            problems.of(
                &place.key("shape"),
                "is made of elements, as only deformable bodies are; add deform = {}",
            );
        }
        return;
    };
    let here = place.key("deform");
    match (deform.size, given) {
        (Some(size), None) => {
            number(problems, &here.key("size"), size, Range::Positive);
        }
        (None, None) => problems.of(&here, "needs size, the size of the elements [m]"),
        (Some(_), Some(_)) => {
            problems.of_key(&here.key("size"), "contradicts a shape of elements, which has its own")
        }
        (None, Some(_)) => {}
    }
    if deform.element.is_some() && given.is_some() {
        problems.of_key(&here.key("element"), "contradicts a shape of elements, which has its own");
    }
    let given_elements = given.is_some();
    let size = given.map_or(deform.size.unwrap_or(f64::INFINITY), ElementsSpec::shortest_edge);
    contradictions(problems, place, body);
    let material = body.material.as_ref().and_then(|name| spec.materials.get(name));
    match (&body.material, material) {
        (None, _) => problems.of(&here, "needs a material with young and poisson; give material"),
        (Some(name), Some(given))
            if !given.is_nonlinear() && (given.young.is_none() || given.poisson.is_none()) =>
        {
            problems.of(&here, format!("needs young and poisson in materials.{name}"));
        }
        _ => {}
    }
    let allowed = if spec.dimension == 2 { "disk, box, elements" } else { "box, cylinder, elements" };
    let known = matches!(
        (shape, spec.dimension),
        (None, _)
            | (Some(ShapeSpec::Disk { .. } | ShapeSpec::Box { .. }), 2)
            | (Some(ShapeSpec::Box { .. } | ShapeSpec::Cylinder { .. }), 3)
            | (Some(ShapeSpec::Elements(_)), _)
    );
    if !known {
        let kind = shape.map_or("", ShapeSpec::kind);
        problems.of(&here, format!("cannot fill a {kind} with elements; allowed shapes: {allowed}"));
    }
    if spec.time.drift == Drift::Projection {
        let text =
            "cannot be beside time.drift = \"projection\": positions of deformable bodies are not projected";
        problems.of_key(&here, text);
    }
    let count = shape.map_or(0.0, |shape| elements(shape, size));
    if known && count > MOST_ELEMENTS {
        let text =
            format!("makes about {count:.0} elements, at most {MOST_ELEMENTS} are allowed; take larger ones");
        problems.of(&here.key("size"), text);
    }
    if let Some(given) = material.filter(|_| !deform.quasi_static) {
        let waves = spec.time.step * (given.stiffness() / given.density).sqrt() / size;
        if waves > MOST_WAVES {
            let text = format!(
                "is passed by a wave {waves:.1e} times in a step, at most {MOST_WAVES:e} times keep any digit; take a \
                 shorter step, larger elements or a softer material"
            );
            problems.of(&(if given_elements { place.key("shape") } else { here.key("size") }), text);
        }
    }
    if material.is_some_and(Material::is_nonlinear) && body.load.is_some() {
        let text =
            "is for bodies with a rigid motion, which those of this material do not have; take deform.load";
        problems.of_key(&place.key("load"), text);
    }
    if deform.quasi_static && deform.hold.is_empty() && material.is_some_and(Material::is_nonlinear) {
        let text = "needs hold: a body of this material has no rigid motion, and without inertia nothing says how \
                    it moves as a whole";
        problems.of(&here.key("quasi_static"), text);
    }
    kinds(problems, &here, body, spec.dimension);
    if deform.plane == Some(PlaneName::Axisymmetric) {
        around_axis(problems, place, body, spec);
    }
    let hold = here.key("hold");
    for (index, held) in deform.hold.iter().enumerate() {
        let place = hold.item(index);
        let axes = &["x", "y", "z"][..spec.dimension];
        for (rank, axis) in held.axes.iter().flatten().enumerate() {
            if !axes.contains(&axis.as_str()) {
                let text = format!("names no axis: {axis:?}; allowed: {}", axes.join(", "));
                problems.of(&place.key("axes").item(rank), text);
            }
        }
        if let Some(velocity) = &held.velocity {
            vector(problems, &place.key("velocity"), velocity, spec.dimension, Range::Any);
        }
    }
    let load = here.key("load");
    for (index, given) in deform.load.iter().enumerate() {
        let place = load.item(index);
        optional(problems, &place.key("pressure"), given.pressure, Range::Any);
        if let Some(force) = &given.force {
            vector(problems, &place.key("force"), force, spec.dimension, Range::Any);
        }
        if given.pressure.is_none() && given.force.is_none() {
            problems.of(&place, "loads nothing; give pressure or force");
        }
    }
}

fn contradictions(problems: &mut Problems, place: &Place, body: &BodySpec) {
    let motion = "contradicts deform; hold or drive groups of nodes by deform.hold";
    let mass = "contradicts deform; the elements have the density of the material";
    for (key, given, why) in [
        ("fixed", body.fixed, motion),
        ("drive", body.drive.is_some(), motion),
        ("density", body.density.is_some(), mass),
        ("mass", body.mass.is_some(), mass),
        ("inertia", body.inertia.is_some(), mass),
    ] {
        if given {
            problems.of_key(&place.key(key), why);
        }
    }
    let held = body.deform.as_ref().is_some_and(|deform| !deform.hold.is_empty());
    // a scene that was read and is written anew names velocities that are nothing
    let moves = |numbers: &[f64]| numbers.iter().any(|&x| x != 0.0);
    let velocity = body.velocity.as_deref().is_some_and(moves);
    let spin = body.spin.as_ref().is_some_and(|spin| moves(spin.as_slice()));
    for (key, given) in [("velocity", velocity), ("spin", spin), ("load", body.load.is_some())] {
        if held && given {
            problems.of_key(&place.key(key), "is for free bodies; this one is held by deform.hold");
        }
    }
}

/// What a body of revolution and the others of its scene cannot do.
fn around_axis(problems: &mut Problems, place: &Place, body: &BodySpec, spec: &SceneSpec) {
    let across = |numbers: &Option<Vec<f64>>| numbers.as_ref().is_some_and(|v| v.first() != Some(&0.0));
    let moves = |numbers: &[f64]| numbers.iter().any(|&x| x != 0.0);
    if across(&body.velocity) {
        problems
            .of_key(&place.key("velocity"), "goes away from the axis; a body of revolution moves along y");
    }
    if body.spin.as_ref().is_some_and(|spin| moves(spin.as_slice())) {
        problems.of_key(
            &place.key("spin"),
            "turns a section out of its plane; a body of revolution moves along y",
        );
    }
    if body.load.is_some() {
        problems.of_key(&place.key("load"), "is for bodies with a rigid motion; take deform.load");
    }
    if let Some(deform) = &body.deform {
        let here = place.key("deform");
        let list = here.key("load");
        for (index, load) in deform.load.iter().enumerate().filter(|(_, load)| across(&load.force)) {
            let text = format!(
                "pulls all ways away from the axis by {:?} N, which is no force; give pressure, or a force along y",
                load.force.as_ref().and_then(|force| force.first()).copied().unwrap_or(0.0)
            );
            problems.of(&list.item(index).key("force"), text);
        }
    }
    if spec.gravity.as_ref().is_some_and(|gravity| gravity.first() != Some(&0.0)) {
        let text = "must be along y in a scene with a body of revolution";
        problems.of(&Place::ROOT.key("gravity"), text);
    }
    let list = Place::ROOT.key("body");
    for (index, other) in spec.bodies.iter().enumerate() {
        let fits = match &other.deform {
            Some(deform) => deform.plane == Some(PlaneName::Axisymmetric),
            None => ["x", "spin"].iter().all(|key| is_component_driven(other, key)),
        };
        let weighs = other.deform.is_some() || other.mass.is_some() || is_component_driven(other, "y");
        if !fits {
            let text = format!(
                "goes beside a body of revolution, {:?}: give it deform.plane = \"axisymmetric\", or fix it, or \
                 drive its x and spin",
                body.name
            );
            problems.at(&list.item(index), text);
        } else if !weighs {
            let text = "moves along the axis, so that its mass is that of all the way around: give mass";
            problems.at(&list.item(index), text);
        }
    }
}

fn kinds(problems: &mut Problems, place: &Place, body: &BodySpec, dimension: usize) {
    let Some(deform) = &body.deform else { return };
    use ElementName::{Q4, Q8, T3, T6};
    if let Some(element) = deform.element
        && matches!(element, T3 | T6 | Q4 | Q8) != (dimension == 2)
    {
        let allowed = if dimension == 2 { "T3, T6, Q4, Q8" } else { "TE4, TE10, H8, H20, PRI6, PRI15" };
        problems.of(&place.key("element"), format!("does not exist in {dimension}D; allowed: {allowed}"));
    }
    if deform.plane.is_some() && dimension == 3 {
        problems.of_key(&place.key("plane"), "is for 2D");
    }
    if deform.plane == Some(PlaneName::Stress) && deform.integration == Some(IntegrationName::BBar) {
        let text = "\"b-bar\" is for plane strain and space; plane stress does not lock";
        problems.of(&place.key("integration"), text);
    }
}
