//! What makes a body deformable: its numbers and keys that contradict it. Groups and elements are judged once
//! the mesh is there.

use super::body::is_component_driven;
use super::numbers::{Range, number, optional};
use crate::materials::orthotropic;
use crate::place::{Place, Problems};
use crate::spec::{
    BodySpec, Drift, ElementName, ElementsSpec, FaceLoadSpec, IntegrationName, Material, MaterialLawName,
    PlaneName, SceneSpec, ShapeRef, ShapeSpec, SignalSpec,
};
use drystone::Orientation;

/// How far the third axis of a material in the plane may lean.
const ACROSS: f64 = 1e-9;

/// Most elements of one body.
const MOST_ELEMENTS: f64 = 1e6;

/// Most elements that a wave passes in a step: beyond it the mass is lost in the rounding of the stiffness.
const MOST_WAVES: f64 = 1e6;

/// Extents of points along the axes.
fn extents(points: &[Vec<f64>], dimension: usize) -> impl Iterator<Item = f64> + '_ {
    (0..dimension).map(move |axis| {
        let of = points.iter().filter_map(move |point| point.get(axis).copied());
        let (low, high) = of.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        (high - low).max(0.0)
    })
}

/// About how many elements of a size fill a shape.
fn elements(shape: &ShapeSpec, size: f64, dimension: usize) -> f64 {
    let along = |length: f64| (length / size).max(1.0);
    match shape {
        ShapeSpec::Disk { radius } => 6.0 * along(*radius).powi(2),
        ShapeSpec::Cylinder { radius, height } => 6.0 * along(*radius).powi(2) * along(*height),
        ShapeSpec::Box { size: sides } => sides.iter().map(|&side| along(side)).product(),
        ShapeSpec::RoundedRectangle { size: sides, .. } => {
            2.3 * sides.iter().map(|&side| along(side)).product::<f64>()
        }
        ShapeSpec::Polygon { vertices, .. } => 2.3 * extents(vertices, 2).map(along).product::<f64>(),
        ShapeSpec::Capsule { length, radius } if dimension == 2 => {
            2.3 * along(2.0 * radius) * along(length + 2.0 * radius)
        }
        ShapeSpec::Capsule { length, radius } => {
            (6.0 * along(*length) + 16.0 * along(*radius)) * along(*radius).powi(2)
        }
        ShapeSpec::Sphere { radius } => 16.0 * along(*radius).powi(3),
        // about a hundred pieces of about the size of the whole
        ShapeSpec::Polyhedron { vertices, .. } => {
            let longest = extents(vertices, 3).fold(0.0, f64::max);
            6.0 * vertices.len() as f64 * along(longest).powi(3)
        }
        ShapeSpec::Mesh(form) => {
            12.0 * extents(form.vertices.as_deref().unwrap_or(&[]), 3).map(along).product::<f64>()
        }
        _ => 0.0,
    }
}

/// Longest time of retardation \[s\]: beside more viscosity the mass of a body is rounding.
const SLOWEST: f64 = 1e6;

/// Elastic constants of a material.
pub(super) fn material(problems: &mut Problems, place: &Place, material: &Material) {
    optional(problems, &place.key("young"), material.young, Range::Positive);
    optional(problems, &place.key("poisson"), material.poisson, Range::Between(-1.0, 0.5));
    optional(problems, &place.key("retardation"), material.retardation, Range::Within(0.0, SLOWEST));
    optional(problems, &place.key("c10"), material.c10, Range::NotNegative);
    optional(problems, &place.key("c01"), material.c01, Range::NotNegative);
    optional(problems, &place.key("bulk"), material.bulk, Range::Positive);
    optional(problems, &place.key("yield_stress"), material.yield_stress, Range::Positive);
    optional(problems, &place.key("hardening"), material.hardening, Range::NotNegative);
    optional(problems, &place.key("kinematic_hardening"), material.kinematic_hardening, Range::NotNegative);
    optional(problems, &place.key("expansion"), material.expansion, Range::Between(-1.0, 1.0));
    law(problems, place, material);
}

/// Keys that the law of a material needs, and those it does not know.
fn law(problems: &mut Problems, place: &Place, material: &Material) {
    use MaterialLawName::{Elastic, MooneyRivlin, NeoHookean, Orthotropic, Plastic, SaintVenant};
    let (name, needed, known): (&str, &[&str], &[&str]) = match material.material_law() {
        Elastic => ("elastic", &[], &["young", "poisson", "retardation", "expansion"]),
        Orthotropic => (
            "orthotropic",
            &["young_moduli", "poisson_ratios", "shear_moduli"],
            &["young_moduli", "poisson_ratios", "shear_moduli", "axes", "expansion"],
        ),
        NeoHookean => ("neo-hookean", &["young", "poisson"], &["young", "poisson"]),
        SaintVenant => ("saint-venant", &["young", "poisson"], &["young", "poisson"]),
        MooneyRivlin => ("mooney-rivlin", &["c10", "c01", "bulk"], &["c10", "c01", "bulk"]),
        Plastic => (
            "plastic",
            &["young", "poisson", "yield_stress"],
            &["young", "poisson", "yield_stress", "hardening", "kinematic_hardening", "strain"],
        ),
    };
    for (key, given) in [
        ("young", material.young.is_some()),
        ("poisson", material.poisson.is_some()),
        ("retardation", material.retardation.is_some()),
        ("c10", material.c10.is_some()),
        ("c01", material.c01.is_some()),
        ("bulk", material.bulk.is_some()),
        ("yield_stress", material.yield_stress.is_some()),
        ("hardening", material.hardening.is_some()),
        ("kinematic_hardening", material.kinematic_hardening.is_some()),
        ("strain", material.strain.is_some()),
        ("young_moduli", material.young_moduli.is_some()),
        ("poisson_ratios", material.poisson_ratios.is_some()),
        ("shear_moduli", material.shear_moduli.is_some()),
        ("axes", material.axes.is_some()),
        ("expansion", material.expansion.is_some()),
    ] {
        if !given && needed.contains(&key) {
            problems
                .of(place, format!("needs {key}, as law = \"{name}\" does; it needs {}", needed.join(", ")));
        }
        if given && !known.contains(&key) {
            let text = format!("means nothing with law = \"{name}\", which has {}", known.join(", "));
            problems.of_key(&place.key(key), text);
        }
    }
    if material.material_law() == Orthotropic
        && material.young_moduli.is_some()
        && material.poisson_ratios.is_some()
        && material.shear_moduli.is_some()
        && let Err(why) = orthotropic(material, &Orientation::identity())
    {
        problems.of(place, format!("is no orthotropic material: {why}"));
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
            if given.material_law() == MaterialLawName::Elastic
                && (given.young.is_none() || given.poisson.is_none()) =>
        {
            problems.of(&here, format!("needs young and poisson in materials.{name}"));
        }
        _ => {}
    }
    let allowed = match spec.dimension {
        2 => "disk, box, polygon, rounded_rectangle, capsule, elements",
        _ => "box, cylinder, sphere, capsule, polyhedron, mesh, elements",
    };
    let known = matches!(
        (shape, spec.dimension),
        (None, _)
            | (
                Some(ShapeSpec::Disk { .. } | ShapeSpec::Polygon { .. } | ShapeSpec::RoundedRectangle { .. }),
                2
            )
            | (Some(ShapeSpec::Cylinder { .. } | ShapeSpec::Sphere { .. }), 3)
            | (Some(ShapeSpec::Polyhedron { .. } | ShapeSpec::Mesh(_)), 3)
            | (Some(ShapeSpec::Box { .. } | ShapeSpec::Capsule { .. } | ShapeSpec::Elements(_)), _)
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
    let count = shape.map_or(0.0, |shape| elements(shape, size, spec.dimension));
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
    heat(problems, &here, body, (material, spec.dimension));
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
        for (key, given) in [("velocity", &held.velocity), ("displacement", &held.displacement)] {
            components(problems, &place.key(key), given, spec.dimension);
        }
        if held.velocity.is_some() && held.displacement.is_some() {
            problems.of_key(&place.key("displacement"), "contradicts velocity; give one of the two");
        }
    }
    let load = here.key("load");
    for (index, given) in deform.load.iter().enumerate() {
        let place = load.item(index);
        components(problems, &place.key("force"), &given.force, spec.dimension);
        if given.pressure.is_none() && given.force.is_none() {
            problems.of(&place, "loads nothing; give pressure or force");
        }
    }
}

/// As many signals as there are axes; each is checked with the others of the scene.
fn components(problems: &mut Problems, place: &Place, given: &Option<Vec<SignalSpec>>, dimension: usize) {
    if let Some(given) = given.as_ref().filter(|given| given.len() != dimension) {
        let text = format!("must have {dimension} components in {dimension}D, found {}", given.len());
        problems.of(place, text);
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
        let pulls = |load: &FaceLoadSpec| {
            let first = load.force.as_ref().and_then(|force| force.first());
            first.is_some_and(|force| *force != SignalSpec::Value(0.0))
        };
        for (index, _) in deform.load.iter().enumerate().filter(|(_, load)| pulls(load)) {
            let text =
                "pulls all ways away from the axis, which is no force; give pressure, or a force along y";
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

/// What heat and the axes of a material ask for.
fn heat(
    problems: &mut Problems,
    place: &Place,
    body: &BodySpec,
    (material, dimension): (Option<&Material>, usize),
) {
    let (Some(deform), Some(material)) = (&body.deform, material) else { return };
    optional(problems, &place.key("temperature"), deform.temperature, Range::Any);
    if deform.temperature.is_some_and(|heat| heat != 0.0) && material.expansion.is_none() {
        let name = body.material.as_deref().unwrap_or_default();
        let text = format!("changes nothing without expansion in materials.{name}");
        problems.of_key(&place.key("temperature"), text);
    }
    let across = |axes: &[[f64; 3]; 3]| axes[2][0].abs().max(axes[2][1].abs()) > ACROSS;
    if dimension == 2 && material.axes.as_ref().is_some_and(across) {
        let text = "needs a material whose third axis is across the plane; see axes in its materials table";
        problems.of(place, text);
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
