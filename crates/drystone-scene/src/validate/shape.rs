//! Shapes as far as their numbers and keys go. Leaves convexity, closed surfaces and files to the building.

use super::body;
use super::numbers::{Range, number, optional, vector};
use crate::place::{Place, Problems, did_you_mean, listed, shorten};
use crate::spec::{
    BodySpec, ElementsSpec, HeightFieldSpec, MeshSpec, PartSpec, SceneSpec, ShapeRef, ShapeSpec, Treat,
};

/// Most shapes of a cluster: each is compared with each.
const MOST_PARTS: usize = 1000;

const IN_PLANE: [&str; 11] = [
    "disk",
    "line",
    "polygon",
    "box",
    "rounded_rectangle",
    "capsule",
    "hollow_disk",
    "polyline",
    "point",
    "elements",
    "cluster",
];
const IN_SPACE: [&str; 12] = [
    "sphere",
    "plane",
    "box",
    "polyhedron",
    "cylinder",
    "capsule",
    "hollow_cylinder",
    "mesh",
    "height_field",
    "point",
    "elements",
    "cluster",
];

/// Checks a shape.
pub(super) fn shape(problems: &mut Problems, place: &Place, form: &ShapeSpec, spec: &SceneSpec) {
    let dimension = spec.dimension;
    let allowed: &[&str] = if dimension == 2 { &IN_PLANE } else { &IN_SPACE };
    let place = &place.key(form.kind());
    if !allowed.contains(&form.kind()) {
        let text = format!("is no shape of dimension {dimension}; allowed: {}", allowed.join(", "));
        problems.of_key(place, text);
        return;
    }
    let mut positive = |key: &str, x: f64| {
        number(problems, &place.key(key), x, Range::Positive);
    };
    match form {
        ShapeSpec::Disk { radius } | ShapeSpec::Sphere { radius } | ShapeSpec::HollowDisk { radius } => {
            positive("radius", *radius);
        }
        ShapeSpec::Line {} | ShapeSpec::Plane {} | ShapeSpec::Point {} => {}
        ShapeSpec::Capsule { length, radius } => {
            positive("length", *length);
            positive("radius", *radius);
        }
        ShapeSpec::Cylinder { radius, height } | ShapeSpec::HollowCylinder { radius, height } => {
            positive("radius", *radius);
            positive("height", *height);
        }
        ShapeSpec::Box { size } => {
            vector(problems, &place.key("size"), size, dimension, Range::Positive);
        }
        ShapeSpec::RoundedRectangle { size, radius } => {
            positive("radius", *radius);
            vector(problems, &place.key("size"), size, dimension, Range::Positive);
        }
        ShapeSpec::Polygon { vertices, .. }
        | ShapeSpec::Polyhedron { vertices, .. }
        | ShapeSpec::Polyline { vertices } => points(problems, &place.key("vertices"), vertices, dimension),
        ShapeSpec::Mesh(form) => mesh(problems, place, form),
        ShapeSpec::Elements(form) => elements(problems, place, form, dimension),
        ShapeSpec::HeightField(form) => height_field(problems, place, form),
        ShapeSpec::Cluster { shapes } => cluster(problems, place, shapes, spec),
    }
}

fn points(problems: &mut Problems, place: &Place, vertices: &[Vec<f64>], dimension: usize) {
    for (index, vertex) in vertices.iter().enumerate() {
        vector(problems, &place.item(index), vertex, dimension, Range::Any);
    }
}

fn mesh(problems: &mut Problems, place: &Place, form: &MeshSpec) {
    source(problems, place, (&form.file, form.unit.is_some()), "vertices and faces", form.vertices.is_some());
    match (&form.vertices, &form.faces) {
        (Some(vertices), Some(_)) => points(problems, &place.key("vertices"), vertices, 3),
        (Some(_), None) => problems.of(place, "has vertices but no faces; give both"),
        (None, Some(_)) => problems.of(place, "has faces but no vertices; give both"),
        (None, None) => {}
    }
    let given = [("tolerance", form.tolerance.is_some()), ("most_pieces", form.most_pieces.is_some())];
    for (key, _) in given.into_iter().filter(|(_, given)| *given && form.treat != Treat::Decompose) {
        problems.of_key(&place.key(key), "is for treat = \"decompose\" only");
    }
    optional(problems, &place.key("tolerance"), form.tolerance, Range::Within(0.0, 0.5));
    if form.most_pieces.is_some_and(|most| !(1..=100_000).contains(&most)) {
        problems.of(&place.key("most_pieces"), "must be from 1 to 100000");
    }
}

fn elements(problems: &mut Problems, place: &Place, form: &ElementsSpec, dimension: usize) {
    let written = form.nodes.is_some();
    source(problems, place, (&form.file, form.unit.is_some()), "nodes and elements", written);
    match (&form.nodes, &form.elements) {
        (Some(nodes), Some(_)) => points(problems, &place.key("nodes"), nodes, dimension),
        (Some(_), None) => problems.of(place, "has nodes but no elements; give both"),
        (None, Some(_)) => problems.of(place, "has elements but no nodes; give both"),
        (None, None) => {}
    }
}

fn height_field(problems: &mut Problems, place: &Place, form: &HeightFieldSpec) {
    let written = [form.columns.is_some(), form.spacing.is_some(), form.heights.is_some()];
    let any = written.contains(&true);
    source(problems, place, (&form.file, form.unit.is_some()), "columns, spacing and heights", any);
    if any && written.contains(&false) {
        problems.of(place, "needs columns, spacing and heights together");
    }
    optional(problems, &place.key("spacing"), form.spacing, Range::Positive);
    if let Some(origin) = &form.origin {
        vector(problems, &place.key("origin"), origin, 2, Range::Any);
    }
    for (index, &height) in form.heights.iter().flatten().enumerate() {
        number(problems, &place.key("heights").item(index), height, Range::Any);
    }
}

/// A file with its unit, or everything written out; a scene that was read has both.
fn source(
    problems: &mut Problems,
    place: &Place,
    (file, unit): (&Option<String>, bool),
    instead: &str,
    written: bool,
) {
    match (file, unit) {
        (None, _) if !written => problems.of(place, format!("needs a file with its unit, or {instead}")),
        (None, true) => {
            problems.of_key(&place.key("unit"), format!("is for a file; {instead} are in metres"));
        }
        (Some(_), false) => {
            let text = "has a file, whose numbers have no unit; add unit = \"m\", \"mm\" or another length";
            problems.of(place, text);
        }
        _ => {}
    }
}

fn cluster(problems: &mut Problems, place: &Place, shapes: &[PartSpec], spec: &SceneSpec) {
    let list = place.key("shapes");
    if shapes.is_empty() || shapes.len() > MOST_PARTS {
        problems.of(&list, format!("must have 1 to {MOST_PARTS} shapes, found {}", shapes.len()));
        return;
    }
    for (index, part) in shapes.iter().enumerate() {
        let place = list.item(index);
        let body = placed(part);
        body::orientation(problems, &place, &body, spec.dimension);
        if let Some(position) = &body.position {
            vector(problems, &place.key("position"), position, spec.dimension, Range::Any);
        }
        let form = match &part.shape {
            ShapeRef::Inline(form) => Some(form),
            ShapeRef::Named(name) => spec.shapes.get(name),
        };
        match (form, &part.shape) {
            (Some(ShapeSpec::Cluster { .. }), _) => {
                problems.of(&place.key("shape"), "is a cluster; a cluster holds simple shapes only");
            }
            (_, reference) => self::reference(problems, &place.key("shape"), reference, spec),
        }
    }
}

/// The shape itself, or its name.
pub(super) fn reference(problems: &mut Problems, place: &Place, reference: &ShapeRef, spec: &SceneSpec) {
    match reference {
        ShapeRef::Inline(form) => shape(problems, place, form, spec),
        ShapeRef::Named(name) if !spec.shapes.contains_key(name) => {
            let names = || spec.shapes.keys().map(String::as_str);
            let known = if spec.shapes.is_empty() { "there are none".into() } else { listed(names()) };
            let hint = did_you_mean(name, names());
            let text = format!("names no shape: {:?}; shapes: {known}.{hint}", shorten(name, 60));
            problems.of(place, text);
        }
        ShapeRef::Named(_) => {}
    }
}

/// A part of a cluster as a body that is placed the same way.
pub(crate) fn placed(part: &PartSpec) -> BodySpec {
    BodySpec {
        position: part.position.clone(),
        angle: part.angle,
        angle_degrees: part.angle_degrees,
        rotation: part.rotation.clone(),
        orientation_wxyz: part.orientation_wxyz.clone(),
        ..BodySpec::default()
    }
}

/// Whether a shape, or one of a cluster, fills half of space.
pub(super) fn fills_half(reference: &ShapeRef, spec: &SceneSpec) -> bool {
    let form = match reference {
        ShapeRef::Inline(form) => form,
        ShapeRef::Named(name) => match spec.shapes.get(name) {
            Some(form) => form,
            None => return false,
        },
    };
    match form {
        ShapeSpec::Cluster { shapes } => shapes.iter().any(|part| match &part.shape {
            ShapeRef::Inline(form) => form.is_half_space(),
            ShapeRef::Named(name) => spec.shapes.get(name).is_some_and(ShapeSpec::is_half_space),
        }),
        form => form.is_half_space(),
    }
}
