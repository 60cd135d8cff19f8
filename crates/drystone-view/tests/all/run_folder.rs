//! A run is written, read and drawn: every shape must lie where the simulation has it.

use drystone::{AnySimulation, Newcomer, Pose, Simulation, Vector};
use drystone_io::{RunFolder, RunWriter};
use drystone_scene::Scene;
use drystone_view::{
    Album, Form, Picture, Show, Style, TieForm, ViewError, picture_of, render_png, render_svg,
};
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

/// A body goes, two come: a copy of one that stays, and a ball with a box at its side.
fn crowd<const D: usize>(folder: &Path, scene: &Scene, simulation: &mut Simulation<D>) {
    let mut writer = RunWriter::create_open(folder, scene, simulation, false).unwrap();
    writer.write_frame(simulation).unwrap();
    let bodies = simulation.bodies();
    let named = |name: &str| bodies.name.iter().position(|known| known == name).unwrap();
    let (ball, angular) = if D == 2 { ("disk", "block") } else { ("ball", "box") };
    let (ball, angular) = (named(ball), named(angular));
    let parts = |body: usize| -> Vec<_> {
        let own = simulation.contactors().iter().filter(|contactor| contactor.body as usize == body);
        own.map(|contactor| (contactor.shape.clone(), contactor.local)).collect()
    };
    let newcomer = |body: usize, parts: Vec<_>, away: f64| {
        let mut pose = bodies.pose[body];
        pose.position[0] += away;
        let copy = drystone::Body {
            name: format!("copy of {body}"),
            group: bodies.group[body],
            pose,
            velocity: bodies.twist(body),
            mass: bodies.mass[body],
            driven: bodies.driven[body],
            load: bodies.load[body],
            gyroscopic: bodies.gyroscopic[body],
            radius: 2.0 * bodies.radius[body] + 0.4,
        };
        Newcomer { body: copy, parts, own_axes: bodies.own_axes[body] }
    };
    let mut mixed = parts(ball);
    mixed.extend(parts(angular).into_iter().map(|(shape, local)| {
        let position = local.position + Vector::<D>::from_fn(|axis, _| if axis == 0 { 0.4 } else { 0.0 });
        (shape, Pose { position, ..local })
    }));
    let (first, second) = (newcomer(angular, parts(angular), 2.0), newcomer(ball, mixed, 4.0));
    let gone = simulation.handle(drystone::BodyId(ball as u32)).unwrap();
    simulation.add(first).unwrap();
    simulation.add(second).unwrap();
    simulation.remove(&[gone]).unwrap();
    for _ in 0..20 {
        simulation.step();
    }
    writer.write_frame(simulation).unwrap();
    drop(writer);
    let run = RunFolder::open(folder).unwrap();
    let album = Album::new(&run).unwrap();
    let [before, after] = [0, 1].map(|frame| album.picture(frame).unwrap());
    assert_eq!(before.items.len(), simulation.contactors().len() - 2, "as the scene begins");
    assert_eq!(after.items.len(), simulation.contactors().len());
    let balls = |picture: &Picture| -> Vec<([f64; 3], f64)> {
        let ball = |item: &drystone_view::Item| match item.form {
            Form::Ball { radius } => Some((item.position, radius)),
            _ => None,
        };
        picture.items.iter().filter_map(ball).collect()
    };
    // balls that came are balls again, where they are and as large as they are
    let mut wanted = Vec::new();
    for contactor in simulation.contactors() {
        if let drystone::Shape::Ball { radius } = contactor.shape {
            let at = simulation.bodies().pose[contactor.body as usize].compose(&contactor.local).position;
            wanted.push(([0, 1, 2].map(|axis| if axis < D { at[axis] } else { 0.0 }), radius));
        }
    }
    let found = balls(&after);
    assert_eq!(found.len(), wanted.len());
    for (at, radius) in wanted {
        let near = |other: &&([f64; 3], f64)| {
            (other.1 - radius).abs() < 1e-5 && (0..3).all(|axis| (other.0[axis] - at[axis]).abs() < 1e-5)
        };
        assert!(found.iter().any(|other| near(&other)), "{at:?} {radius} in {found:?}");
    }
    let style = Style { width: 300, show: Show::All, ..Style::default() };
    render_png(&after, &style).unwrap();
    render_svg(&after, &style).unwrap();
}

#[test]
fn bodies_that_came_are_drawn_and_those_that_went_are_not() {
    for text in [PLANE, SPACE] {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene::parse(text, "test.toml").unwrap();
        match scene.build().unwrap() {
            AnySimulation::Plane(mut simulation) => crowd(folder.path(), &scene, &mut simulation),
            AnySimulation::Space(mut simulation) => crowd(folder.path(), &scene, &mut simulation),
        }
    }
}

const TIED: &str = r#"
title = "A door"
dimension = 3
gravity = [0, 0, 0]
time = { step = 1e-3, duration = 0.5 }
output = { interval = 0.5 }
body = [
    { name = "post", shape.box.size = [0.1, 0.1, 2.0], density = 1000, fixed = true },
    { name = "door", shape.box.size = [1.0, 0.1, 2.0], density = 1000, position = [0.6, 0.0, 0.0], velocity = [0.0, 0.55, 0.0], spin = [0, 0, 1] },
    { name = "bolt", shape.box.size = [0.3, 0.05, 0.05], density = 1000, position = [0.9, 0.1, 0.0], velocity = [0.2, 0.0, 0.0] },
]
tie = [
    { name = "hinge", kind = "hinge", bodies = ["door", "post"], at = [0.05, 0.0, 0.0], axis = [0, 0, 1] },
    { name = "rail", kind = "slider", bodies = ["bolt", "door"], at = [0.9, 0.1, 0.0], axis = [1, 0, 0] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.0 }]
"#;

#[test]
fn joints_show_their_kind_and_their_axis_turns_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::parse(TIED, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let AnySimulation::Space(mut simulation) = scene.build().unwrap() else { panic!("space") };
    let mut writer = RunWriter::create(folder.path(), &scene, &simulation, false).unwrap();
    writer.write_frame(&simulation).unwrap();
    for _ in 0..400 {
        simulation.step();
    }
    writer.write_frame(&simulation).unwrap();
    drop(writer);
    let run = RunFolder::open(folder.path()).unwrap();
    let album = Album::new(&run).unwrap();
    let along = |frame: usize, tie: usize| {
        let ties = album.picture(frame).unwrap().ties;
        (ties[tie].form, ties[tie].axes[0].unwrap())
    };
    assert_eq!((along(0, 0), along(0, 1).0), ((TieForm::Hinge, [0.0, 0.0, 1.0]), TieForm::Slider));
    // the hinge keeps its axis; the rail goes round with the door: its direction is that of the door's x
    let turned = simulation.bodies().pose[1].rotation() * Vector::<3>::x();
    assert!(turned[1].abs() > 0.1, "the door has opened");
    let (hinge, rail) = (along(1, 0).1, along(1, 1).1);
    assert!((hinge[2] - 1.0).abs() < 1e-9);
    let same = (0..3).all(|axis| (rail[axis].abs() - turned[axis].abs()).abs() < 1e-6);
    assert!(same, "{rail:?} {turned:?}");
    // and both are drawn: without them the sheet is another
    let style = Style { width: 400, ..Style::default() };
    let mut picture = album.picture(1).unwrap();
    let with = render_svg(&picture, &style).unwrap();
    picture.ties[1].form = TieForm::Screw;
    assert_ne!(with, render_svg(&picture, &style).unwrap(), "a screw is no slider");
    picture.ties.clear();
    assert_ne!(with, render_svg(&picture, &style).unwrap());
}
