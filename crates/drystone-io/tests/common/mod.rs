//! Scenes, and the loop that runs them, shared by the tests of the run folder.

#![allow(dead_code)]

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
