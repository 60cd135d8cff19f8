//! Energy never comes from nowhere.

use super::{Row, plane, scene};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::Scene;

/// Elastic balls keep their energy with θ = ½; with restitution e none is gained for ½ ≤ θ ≤ 1/(1+e).
pub fn theta_scheme() -> Result<Vec<Row>, Failure> {
    let elastic = scene(include_str!("../../../../scenes/validation/elastic.toml"))?;
    let mut simulation = plane(&elastic)?;
    let size = weight_times_height(&simulation);
    let mut change = 0.0f64;
    for _ in 0..elastic.steps() {
        simulation.step();
        change = change.max(total(&simulation).abs() / size);
    }
    let mut rows = vec![Row::absolute("elastic balls, relative change of energy", 0.0, change, 1e-10)];
    let mut bounce = scene(include_str!("../../../../scenes/validation/bounce.toml"))?;
    let mut gain = 0.0f64;
    for restitution in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let largest = 1.0 / (1.0 + restitution);
        for theta in [0.5, 0.5 * (0.5 + largest), largest] {
            bounce.time.theta = theta;
            if let Some(law) = &mut bounce.laws[0].restitution {
                law.normal = restitution;
            }
            gain = gain.max(largest_gain(&bounce)?);
        }
    }
    rows.push(Row::absolute("bounces, largest relative gain in a step", 0.0, gain, 1e-10));
    Ok(rows)
}

/// The slanting rod that rigid statics cannot explain, pushed both ways.
pub fn painleve() -> Result<Vec<Row>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/painleve.toml"))?;
    let mut rows = Vec::new();
    for (name, velocity) in [("pushed", 2.0), ("pulled", -2.0)] {
        let scene = slanted(&scene, velocity);
        let mut simulation = plane(&scene)?;
        let mut largest = 0.0f64;
        for _ in 0..scene.steps() {
            simulation.step();
            largest = simulation.interactions().iter().map(|contact| contact.r.norm()).fold(largest, f64::max);
        }
        // one blow may take all the momentum there is, and a few times that through the lever
        let momentum = simulation.bodies().mass[1][0] * velocity.abs();
        rows.push(Row::fact(format!("{name}: impulse finite"), largest.is_finite() && largest < 10.0 * momentum));
        rows.push(Row::absolute(format!("{name}: largest relative gain of energy"), 0.0, largest_gain(&scene)?, 1e-10));
    }
    Ok(rows)
}

/// The rod at tan φ = 2, where the paradox starts at the smallest friction, its lowest corner on the floor.
fn slanted(scene: &Scene, velocity: f64) -> Scene {
    let mut scene = scene.clone();
    let angle = 2.0f64.atan();
    let (sin, cos) = angle.sin_cos();
    let (length, width) = (0.5, 0.5e-3);
    let lowest = -length * sin - width * cos;
    scene.bodies[1].angle = Some(angle);
    scene.bodies[1].position = Some(vec![0.0, -lowest]);
    scene.bodies[1].velocity = Some(vec![velocity, 0.0]);
    scene
}

/// Largest gain of energy in a step, relative to the energy there is.
fn largest_gain(scene: &Scene) -> Result<f64, Failure> {
    let mut simulation = plane(scene)?;
    let size = weight_times_height(&simulation) + simulation.energy().kinetic;
    let mut last = total(&simulation);
    let mut gain = 0.0f64;
    for _ in 0..scene.steps() {
        simulation.step();
        let now = total(&simulation);
        gain = gain.max((now - last) / size);
        last = now;
    }
    Ok(gain)
}

fn total(simulation: &Simulation<2, 3>) -> f64 {
    let energy = simulation.energy();
    energy.kinetic + energy.potential
}

fn weight_times_height(simulation: &Simulation<2, 3>) -> f64 {
    let bodies = simulation.bodies();
    let free = (0..bodies.len()).filter(|&body| !bodies.is_driven(body));
    free.map(|body| bodies.mass[body][0] * 9.81 * bodies.pose[body].position[1]).sum()
}
