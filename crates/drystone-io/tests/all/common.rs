//! Scenes, and the loop that runs them, shared by the tests of the run folder.

use drystone::prelude::{Axis, Body, ChangeError};
use drystone::{AnySimulation, Simulation};
use drystone_io::{IoError, RunWriter, Totals};
use drystone_scene::Scene;
use std::path::Path;

/// Disks and a square that fall on a line; contacts come and go.
pub const PLANE: &str = r#"
dimension = 2
time = { step = 1e-3, duration = 0.4 }
output = { interval = 0.01 }
body = [
    { name = "floor", shape.line = {}, fixed = true },
    { name = "a", shape.disk.radius = 0.1, density = 1000, position = [0.0, 0.12], velocity = [0.3, 0.0] },
    { name = "bé", shape.disk.radius = 0.08, density = 1000, position = [0.02, 0.33] },
    { name = "c", shape.polygon.vertices = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]], density = 1000, position = [0.3, 0.2], spin = 1.0 },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
probe = [
    { name = "a", body = "a" },
    { name = "turning c", body = "c", quantities = ["angle", "spin", "energy", "force"] },
]
"#;

/// A sphere and a box that fall on a plane.
pub const SPACE: &str = r#"
dimension = 3
time = { step = 1e-3, duration = 0.2 }
output = { interval = 0.01 }
body = [
    { name = "floor", shape.plane = {}, fixed = true },
    { name = "ball", shape.sphere.radius = 0.1, density = 1000, position = [0.0, 0.0, 0.11], velocity = [0.3, 0.1, 0.0] },
    { name = "box", shape.box.size = [0.2, 0.3, 0.1], density = 1000, position = [0.4, 0.0, 0.08], spin = [0.1, 0.2, 1.0] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
probe = [{ name = "box", body = "box", quantities = ["position", "orientation", "spin"] }]
"#;

/// A plastic block, held below in y, under a pressure that makes it flow, and a floating one that meets a
/// wall.
pub const SOFT: &str = r#"
dimension = 2
gravity = [0.0, 0.0]
time = { step = 1e-3, duration = 0.2, theta = 1.0 }
output = { interval = 0.01, elements = true }
materials.metal = { density = 1000, law = "plastic", young = 1e7, poisson = 0.0, yield_stress = 1e5, hardening = 1e6 }
materials.soft = { density = 1000, young = 1e6, poisson = 0.3 }
body = [
    { name = "wall", shape.line = {}, fixed = true, position = [0.0, -1.0] },
    { name = "block", material = "metal", shape.box.size = [0.2, 0.1], position = [0.0, 0.05], deform = { size = 0.05, hold = [{ group = "bottom", axes = ["y"] }], load = [{ group = "top", pressure = 1.2e5 }] } },
    { name = "disk", material = "soft", shape.disk.radius = 0.1, position = [1.0, -0.88], velocity = [0.5, -1.0], spin = 2.0, deform.size = 0.05 },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
probe = [
    { name = "top", body = "block", group = "top", quantities = ["position", "displacement", "velocity"] },
    { name = "held", body = "block", group = "bottom", quantities = ["reaction", "displacement"] },
    { name = "one", body = "disk", near = [1.1, -0.88], quantities = ["position", "velocity", "displacement"] },
]
"#;

/// The scene of a text.
pub fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Runs up to `end` steps, with an output every ten, as the command does.
pub fn go_on<const D: usize>(
    writer: &mut RunWriter,
    simulation: &mut Simulation<D>,
    totals: &mut Totals,
    end: u64,
) -> Result<(), IoError> {
    while simulation.steps_done() < end {
        let report = simulation.step();
        totals.add(&report);
        // wall-clock times would make two runs differ
        (totals.seconds_detection, totals.seconds_assembly, totals.seconds_solver) = (0.0, 0.0, 0.0);
        writer.write_step(simulation, &report, &simulation.energy())?;
        if simulation.steps_done().is_multiple_of(10) {
            writer.write_frame(simulation)?;
            writer.checkpoint(&simulation.snapshot(), totals)?;
        }
    }
    Ok(())
}

/// Starts a run and leaves it, as a killed process would, after `end` steps.
pub fn start(
    folder: &Path,
    scene: &Scene,
    end: u64,
    force: bool,
) -> Result<(RunWriter, AnySimulation, Totals), IoError> {
    let mut simulation = scene.build().unwrap_or_else(|error| panic!("{error}"));
    let mut totals = Totals::default();
    let writer = match &mut simulation {
        AnySimulation::Plane(simulation) => first(folder, scene, simulation, &mut totals, end, force)?,
        AnySimulation::Space(simulation) => first(folder, scene, simulation, &mut totals, end, force)?,
    };
    Ok((writer, simulation, totals))
}

fn first<const D: usize>(
    folder: &Path,
    scene: &Scene,
    simulation: &mut Simulation<D>,
    totals: &mut Totals,
    end: u64,
    force: bool,
) -> Result<RunWriter, IoError> {
    let mut writer = RunWriter::create(folder, scene, simulation, force)?;
    writer.write_frame(simulation)?;
    writer.checkpoint(&simulation.snapshot(), totals)?;
    go_on(&mut writer, simulation, totals, end)?;
    Ok(writer)
}

/// Resumes a run and brings it to `end`.
pub fn resume(folder: &Path, end: u64) -> Result<(RunWriter, AnySimulation, Totals), IoError> {
    let mut resumed = RunWriter::reopen(folder)?;
    match &mut resumed.simulation {
        AnySimulation::Plane(simulation) => go_on(&mut resumed.writer, simulation, &mut resumed.totals, end)?,
        AnySimulation::Space(simulation) => go_on(&mut resumed.writer, simulation, &mut resumed.totals, end)?,
    }
    Ok((resumed.writer, resumed.simulation, resumed.totals))
}

/// Bits of the state.
pub fn state_hash(simulation: &AnySimulation) -> u64 {
    match simulation {
        AnySimulation::Plane(simulation) => simulation.state_hash(),
        AnySimulation::Space(simulation) => simulation.state_hash(),
    }
}

/// A program that changes a run: every fifth step a disk and a triangle come, every tenth one of the bodies
/// goes; a slot counts the steps and pushes a body.
pub fn program(sim: &mut AnySimulation) {
    let slot = sim.slot(0.0).unwrap();
    sim.load("a", Axis::X, slot).unwrap();
    sim.before_step(move |s| -> Result<(), ChangeError> {
        s.set_slot(slot, s.slot_value(slot)? + 1.0)?;
        let (step, x) = (s.steps_done(), 0.01 * (s.steps_done() % 40) as f64);
        if step % 5 == 0 {
            s.add(Body::disk(0.03).density(1000.0).at([x, 0.6]).velocity([0.0, -3.0]))?;
            let triangle = Body::polygon(&[[0.0, 0.0], [0.07, 0.0], [0.02, 0.06]]).density(800.0);
            s.add(triangle.at([x - 0.5, 0.3]).angle(0.1 * step as f64).velocity([0.0, -2.0]))?;
        }
        if step % 10 == 9 {
            let oldest = s.bodies()[if step == 49 { 3 } else { s.bodies().len() / 2 }];
            s.remove(&[oldest])?;
        }
        Ok(())
    });
}

/// Two disks on a rope and one beside them.
pub const TIED: &str = r#"
dimension = 2
time = { step = 1e-3, duration = 0.2 }
body = [
    { name = "floor", shape.line = {}, fixed = true },
    { name = "a", shape.disk.radius = 0.1, density = 1000, position = [0.0, 0.3] },
    { name = "b", shape.disk.radius = 0.1, density = 1000, position = [0.5, 0.4] },
    { name = "c", shape.disk.radius = 0.1, density = 1000, position = [1.0, 0.5] },
]
tie = [
    { kind = "rod", bodies = ["a", "b"] },
    { kind = "wire", bodies = ["b", "c"], length = 0.6 },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
"#;

/// A program that brings bodies of every make: an angle cut into convex pieces, a bowl, rounded ones; and
/// takes a body away with its tie.
pub fn makes(sim: &mut AnySimulation) {
    sim.before_step(|s| -> Result<(), ChangeError> {
        let angle = [[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.1, 0.1], [0.1, 0.2], [0.0, 0.2]];
        match s.steps_done() {
            5 => {
                let bowl = [[0.4, 0.3], [0.3, 0.05], [0.0, 0.05], [-0.1, 0.3]];
                s.add(Body::polyline(&bowl).fixed().at([2.0, 0.0]))?;
                s.add(Body::any_polygon(&angle).density(1000.0).at([2.1, 0.3]).velocity([0.0, -3.0]))?;
            }
            25 => {
                s.add(Body::any_polygon(&angle).density(1000.0).at([0.4, 0.8]).angle(0.4))?;
                let rounded = drystone::Shape::rounded_rectangle([0.2, 0.1], 0.02).unwrap();
                s.add(Body::plane_shape(rounded).density(1000.0).at([-0.5, 0.2]))?;
            }
            45 => {
                let gone = s.body("a")?;
                s.remove(&[gone])?;
            }
            _ => {}
        }
        Ok(())
    });
}
