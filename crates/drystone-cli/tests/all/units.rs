//! Nothing depends on the scale: a scene in metres and in millimetres is the same scene.

use crate::common::made::{box_of_disks, pile_in_space, tower};
use crate::common::stepping::{orientations, positions, steps};
use crate::common::{read, root};
use drystone::AnySimulation;
use drystone_scene::Scene;
use drystone_scene::spec::{BodySpec, Inertia, Load, SceneSpec, ShapeRef, ShapeSpec};

/// The scene with lengths counted in a unit `scale` times smaller; seconds and kilograms stay.
fn in_smaller_unit(text: &str, scale: f64) -> AnySimulation {
    let mut spec = Scene::parse(text, "scene.toml").unwrap_or_else(|error| panic!("{error}")).to_spec();
    stretch(spec.gravity.iter_mut().flatten(), scale);
    let thinner = scale.powi(-(spec.dimension as i32));
    spec.materials.values_mut().for_each(|material| material.density *= thinner);
    spec.shapes.values_mut().for_each(|shape| stretch_shape(shape, scale));
    spec.bodies.iter_mut().for_each(|body| stretch_body(body, scale, thinner));
    spec.equilibrium.iter_mut().for_each(|rule| rule.speed *= scale);
    build(spec)
}

fn build(spec: SceneSpec) -> AnySimulation {
    Scene::from_spec(spec).and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn stretch<'a>(lengths: impl IntoIterator<Item = &'a mut f64>, scale: f64) {
    lengths.into_iter().for_each(|length| *length *= scale);
}

fn stretch_shape(shape: &mut ShapeSpec, scale: f64) {
    match shape {
        ShapeSpec::Disk { radius } | ShapeSpec::Sphere { radius } | ShapeSpec::HollowDisk { radius } => {
            *radius *= scale;
        }
        ShapeSpec::Box { size } => stretch(size, scale),
        ShapeSpec::RoundedRectangle { size, radius } => stretch(size.iter_mut().chain([radius]), scale),
        ShapeSpec::Capsule { length, radius } => stretch([length, radius], scale),
        ShapeSpec::Cylinder { radius, height } | ShapeSpec::HollowCylinder { radius, height } => {
            stretch([radius, height], scale);
        }
        ShapeSpec::Polygon { vertices, .. }
        | ShapeSpec::Polyhedron { vertices, .. }
        | ShapeSpec::Polyline { vertices } => stretch(vertices.iter_mut().flatten(), scale),
        ShapeSpec::Mesh(mesh) => stretch(mesh.vertices.iter_mut().flatten().flatten(), scale),
        ShapeSpec::Elements(solid) => stretch(solid.nodes.iter_mut().flatten().flatten(), scale),
        ShapeSpec::HeightField(field) => {
            let lengths = field.origin.iter_mut().flatten().chain(field.heights.iter_mut().flatten());
            stretch(lengths.chain(&mut field.spacing), scale);
        }
        ShapeSpec::Cluster { shapes } => {
            for part in shapes {
                stretch(part.position.iter_mut().flatten(), scale);
                if let ShapeRef::Inline(shape) = &mut part.shape {
                    stretch_shape(shape, scale);
                }
            }
        }
        ShapeSpec::Line {} | ShapeSpec::Plane {} | ShapeSpec::Point {} => {}
    }
}

fn stretch_body(body: &mut BodySpec, scale: f64, thinner: f64) {
    if let ShapeRef::Inline(shape) = &mut body.shape {
        stretch_shape(shape, scale);
    }
    stretch(body.position.iter_mut().flatten(), scale);
    stretch(body.velocity.iter_mut().flatten(), scale);
    stretch(&mut body.density, thinner);
    let square = scale * scale;
    match &mut body.inertia {
        Some(Inertia::Moment(inertia)) => *inertia *= square,
        Some(Inertia::Moments(inertia)) => stretch(inertia, square),
        Some(Inertia::Tensor(inertia)) => stretch(inertia.iter_mut().flatten(), square),
        None => {}
    }
    if let Some(drive) = &mut body.drive {
        stretch([&mut drive.x, &mut drive.y, &mut drive.z].into_iter().flatten(), scale);
    }
    if let Some(Load { x, y, z, moment, moment_x, moment_y, moment_z }) = &mut body.load {
        stretch([x, y, z].into_iter().flatten(), scale);
        stretch([moment, moment_x, moment_y, moment_z].into_iter().flatten(), square);
    }
}

/// Largest difference of positions after rescaling, relative to the largest coordinate, and of orientations.
fn difference(text: &str, count: usize, scale: f64) -> f64 {
    let mut one = in_smaller_unit(text, 1.0);
    let mut other = in_smaller_unit(text, scale);
    steps(&mut one, count);
    steps(&mut other, count);
    let size = positions(&one).into_iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let gaps = positions(&one).into_iter().zip(positions(&other)).map(|(a, b)| (a - b / scale).abs() / size);
    let turns = orientations(&one).into_iter().zip(orientations(&other)).map(|(a, b)| (a - b).abs());
    gaps.chain(turns).fold(0.0, f64::max)
}

fn of_the_project(name: &str) -> String {
    read(&root().join(format!("scenes/{name}.toml")))
}

#[test]
fn metres_and_millimetres_agree() {
    // scenes that do not amplify rounding
    let scenes = [
        ("arch", of_the_project("arch"), 300),
        ("stack", of_the_project("stack"), 300),
        ("bounce", of_the_project("validation/bounce"), 2000),
        ("slide", of_the_project("validation/slide"), 300),
        ("rocking", of_the_project("validation/rocking"), 500),
        ("tower", tower(2, 10, 1.0, 1e-2, |_| 2000.0), 300),
        ("tower in space", tower(3, 5, 0.1, 1e-2, |_| 2000.0), 300),
    ];
    let mut wrong = Vec::new();
    for (name, text, count) in scenes {
        let found = difference(&text, count, 1000.0);
        if found > 1e-10 || found.is_nan() {
            wrong.push(format!("{name}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// In a unit smaller by a power of two every number keeps its digits, so that even a chaotic scene must keep
/// its bits: a single constant with a hidden unit would show.
#[test]
fn a_unit_smaller_by_a_power_of_two_gives_the_same_bits() {
    let scenes = [
        ("disks", box_of_disks(6, 6, 1000, 100), 400),
        ("pile", pile_in_space(3, 3, 1000), 150),
        ("arch", of_the_project("arch"), 200),
        ("stack", of_the_project("stack"), 200),
        ("falling disks", of_the_project("falling-disks"), 300),
        ("elastic", of_the_project("validation/elastic"), 1000),
        ("corner", of_the_project("validation/corner"), 20),
    ];
    let mut wrong = Vec::new();
    for (name, text, count) in scenes {
        for scale in [1024.0, 1.0 / 1_048_576.0] {
            let found = difference(&text, count, scale);
            if found != 0.0 {
                wrong.push(format!("{name}, unit {scale}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
