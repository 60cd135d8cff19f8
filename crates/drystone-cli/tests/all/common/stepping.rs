//! A simulation whose dimension does not matter to the test. Builds scenes; reads no file.

use drystone::{AnySimulation, StepReport};
use drystone_scene::Scene;

/// The simulation of a scene's text.
#[track_caller]
pub fn simulation(text: &str) -> AnySimulation {
    let scene = Scene::parse(text, "made.toml").unwrap_or_else(|error| panic!("{error}"));
    scene.build().unwrap_or_else(|error| panic!("{error}"))
}

/// One step.
pub fn step(simulation: &mut AnySimulation) -> StepReport {
    match simulation {
        AnySimulation::Plane(simulation) => simulation.step(),
        AnySimulation::Space(simulation) => simulation.step(),
    }
}

/// Many steps; gives the largest number of contacts with an impulse.
pub fn steps(simulation: &mut AnySimulation, count: usize) -> usize {
    (0..count).map(|_| step(simulation).active).max().unwrap_or(0)
}

/// The hash of all poses and velocities.
pub fn hash(simulation: &AnySimulation) -> u64 {
    match simulation {
        AnySimulation::Plane(simulation) => simulation.state_hash(),
        AnySimulation::Space(simulation) => simulation.state_hash(),
    }
}

/// All coordinates of all bodies \[m\].
pub fn positions(simulation: &AnySimulation) -> Vec<f64> {
    match simulation {
        AnySimulation::Plane(simulation) => simulation
            .bodies()
            .pose
            .iter()
            .flat_map(|pose| pose.position.iter().copied().collect::<Vec<_>>())
            .collect(),
        AnySimulation::Space(simulation) => simulation
            .bodies()
            .pose
            .iter()
            .flat_map(|pose| pose.position.iter().copied().collect::<Vec<_>>())
            .collect(),
    }
}

/// All orientations of all bodies, as quaternions.
pub fn orientations(simulation: &AnySimulation) -> Vec<f64> {
    match simulation {
        AnySimulation::Plane(simulation) => {
            simulation.bodies().pose.iter().flat_map(|pose| pose.orientation_wxyz()).collect()
        }
        AnySimulation::Space(simulation) => {
            simulation.bodies().pose.iter().flat_map(|pose| pose.orientation_wxyz()).collect()
        }
    }
}

/// Runs something on a pool of so many threads.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
