//! A run is written, read and drawn: every shape must lie where the simulation has it.

use drystone::{AnySimulation, Pose, Simulation, Vector};
use drystone_io::{RunFolder, RunWriter};
use drystone_scene::Scene;
use drystone_view::{Album, Form, Picture, Show, Style, ViewError, picture_of, render_png, render_svg};
use std::path::Path;

const PLANE: &str = r#"
title = "Two disks and a block"
dimension = 2
time = { step = 1e-3, duration = 0.2 }
output = { interval = 0.1 }
body = [
    { name = "floor", shape.line = {}, fixed = true },
    { name = "disk", shape.disk.radius = 0.1, density = 1000, position = [0.0, 0.1], velocity = [0.3, 0.0] },
    { name = "upper", shape.disk.radius = 0.08, density = 1000, position = [0.02, 0.3] },
    { name = "block", shape.polygon.vertices = [[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.0, 0.1]], density = 1000, position = [0.3, 0.2], spin = 1.0 },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
"#;

const SPACE: &str = r#"
title = "Ball and box"
dimension = 3
time = { step = 1e-3, duration = 0.2 }
output = { interval = 0.1 }
body = [
    { name = "floor", shape.plane = {}, fixed = true },
    { name = "ball", shape.sphere.radius = 0.1, density = 1000, position = [0.0, 0.0, 0.1], velocity = [0.3, 0.1, 0.0] },
    { name = "box", shape.box.size = [0.2, 0.3, 0.1], density = 1000, position = [0.4, 0.0, 0.08], spin = [0.1, 0.2, 1.0] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
"#;

/// Writes the start and the state after some steps, and checks the pictures of both against the simulation.
fn check<const D: usize>(folder: &Path, scene: &Scene, simulation: &mut Simulation<D>) {
    let mut writer = RunWriter::create(folder, scene, simulation, false).unwrap();
    writer.write_frame(simulation).unwrap();
    for _ in 0..80 {
        simulation.step();
    }
    writer.write_frame(simulation).unwrap();
    drop(writer);
    let run = RunFolder::open(folder).unwrap();
    let picture = picture_of(&run, 1).unwrap();
    assert_eq!((picture.dimension, &picture.title), (D, &scene.title));
    assert!((picture.time - 0.08).abs() < 1e-12);
    check_places(simulation, &picture);
    check_forces(simulation, &picture);
    let album = Album::new(&run).unwrap();
    assert_eq!(album.picture(1).unwrap(), picture);
    assert_ne!(album.picture(0).unwrap().items, picture.items);
    assert!(matches!(album.picture(2), Err(ViewError::Run(_))));
    let style = Style { width: 300, show: Show::All, ..Style::default() };
    render_png(&picture, &style).unwrap();
    let text = render_svg(&picture, &style).unwrap();
    assert_eq!(text.matches("<g class=\"item\">").count(), simulation.contactors().len());
}

fn check_places<const D: usize>(simulation: &Simulation<D>, picture: &Picture) {
    assert_eq!(picture.items.len(), simulation.contactors().len());
    for (contactor, item) in simulation.contactors().iter().zip(&picture.items) {
        let pose = simulation.bodies().pose[contactor.body as usize].compose(&contactor.local);
        let drawn = Pose::<D> {
            position: Vector::from_fn(|axis, _| item.position[axis]),
            orientation: Pose::<D>::orientation_from_wxyz(item.orientation_wxyz),
        };
        let corner = Vector::<D>::from_fn(|axis, _| 0.3 - axis as f64);
        assert!((pose.to_world(&corner) - drawn.to_world(&corner)).norm() < 1e-12);
        assert_eq!(item.fixed, matches!(item.form, Form::HalfSpace));
    }
}

fn check_forces<const D: usize>(simulation: &Simulation<D>, picture: &Picture) {
    assert!(!picture.contacts.is_empty() && picture.contacts.len() == simulation.interactions().len());
    for (interaction, segment) in simulation.interactions().iter().zip(&picture.contacts) {
        let force = interaction.frame * interaction.r / simulation.settings().step;
        assert!((0..D).all(|axis| (force[axis] - segment.force[axis]).abs() <= 1e-9 * force.norm()));
        for (body, centre) in interaction.bodies.iter().zip(segment.centres) {
            assert_eq!(centre.is_none(), body.0 == 0);
        }
    }
}

#[test]
fn the_frames_of_a_run_become_pictures() {
    for text in [PLANE, SPACE] {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene::parse(text, "test.toml").unwrap();
        match scene.build().unwrap() {
            AnySimulation::Plane(mut simulation) => check(folder.path(), &scene, &mut simulation),
            AnySimulation::Space(mut simulation) => check(folder.path(), &scene, &mut simulation),
        }
    }
}
