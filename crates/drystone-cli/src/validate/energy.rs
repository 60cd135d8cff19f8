//! Energy never comes from nowhere.

use super::{Comparison, plane, scene};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::Scene;

/// Elastic balls keep their energy with θ = ½; with restitution e no shock gains any for ½ ≤ θ ≤ 1/(1+e).
///
/// In a shock `u = −e u_begin`, so the impulse works on `θu + (1 − θ)u_begin = (1 − θ(1 + e)) u_begin`, which
/// has the sign of `u_begin < 0`. A contact that was opening when the step began may still have to carry the
/// weight at its end; the impulse then works on a positive velocity below gh and gains at most `m (gh)²`,
/// which vanishes with h².
pub fn theta_scheme() -> Result<Vec<Comparison>, Failure> {
    let elastic = scene(include_str!("../../../../scenes/validation/elastic.toml"))?;
    let mut simulation = plane(&elastic)?;
    let size = weight_times_height(&simulation);
    let mut change = 0.0f64;
    for _ in 0..elastic.steps() {
        simulation.step();
        change = change.max(total(&simulation).abs() / size);
    }
    let mut bounce = scene(include_str!("../../../../scenes/validation/bounce.toml"))?;
    let mut worst = Gain::default();
    for restitution in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let largest = 1.0 / (1.0 + restitution);
        for theta in [0.5, 0.5 * (0.5 + largest), largest] {
            bounce.time.theta = theta;
            if let Some(law) = &mut bounce.laws[0].restitution {
                law.normal = restitution;
            }
            worst = worst.or(largest_gain(&bounce)?);
        }
    }
    Ok(vec![
        Comparison::absolute("elastic balls, relative change of energy", 0.0, change, 1e-10),
        Comparison::absolute("bounces, relative gain in a shock", 0.0, worst.closing, 1e-10),
        Comparison::absolute("bounces, gain while opening, over m (g h)^2", 0.0, worst.opening, 1.0),
    ])
}

/// The slanting rod that rigid statics cannot explain, pushed both ways.
pub fn painleve() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/painleve.toml"))?;
    let mut rows = Vec::new();
    for (name, velocity) in [("pushed", 2.0), ("pulled", -2.0)] {
        let scene = slanted(&scene, velocity);
        let mut simulation = plane(&scene)?;
        let mut largest = 0.0f64;
        for _ in 0..scene.steps() {
            simulation.step();
            largest =
                simulation.interactions().iter().map(|contact| contact.r.norm()).fold(largest, f64::max);
        }
        // one blow may take all the momentum there is, and a few times that through the lever
        let momentum = simulation.bodies().mass[1][0] * velocity.abs();
        let gain = largest_gain(&scene)?;
        rows.push(Comparison::fact(
            format!("{name}: impulse finite"),
            largest.is_finite() && largest < 10.0 * momentum,
        ));
        rows.push(Comparison::absolute(format!("{name}: relative gain of energy"), 0.0, gain.closing, 1e-10));
        rows.push(Comparison::absolute(
            format!("{name}: gain while opening, over m (g h)^2"),
            0.0,
            gain.opening,
            1.0,
        ));
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

/// Largest gains of energy in a step.
#[derive(Clone, Copy, Default)]
struct Gain {
    /// With no loaded contact opening at the beginning of the step, relative to the energy there is.
    closing: f64,
    /// With one that was, in units of m (g h)².
    opening: f64,
}

impl Gain {
    fn or(self, other: Self) -> Self {
        Self { closing: self.closing.max(other.closing), opening: self.opening.max(other.opening) }
    }
}

fn largest_gain(scene: &Scene) -> Result<Gain, Failure> {
    let mut simulation = plane(scene)?;
    let size = weight_times_height(&simulation) + simulation.energy().kinetic;
    let quantum = simulation.bodies().mass[1][0] * (9.81 * scene.time.step).powi(2);
    let mut last = total(&simulation);
    let mut gain = Gain::default();
    for _ in 0..scene.steps() {
        simulation.step();
        let now = total(&simulation);
        let opening =
            simulation.interactions().iter().any(|contact| contact.r[0] > 0.0 && contact.u_begin[0] > 0.0);
        let here = match opening {
            true => Gain { closing: 0.0, opening: (now - last) / quantum },
            false => Gain { closing: (now - last) / size, opening: 0.0 },
        };
        gain = gain.or(here);
        last = now;
    }
    Ok(gain)
}

fn total(simulation: &Simulation<2>) -> f64 {
    let energy = simulation.energy();
    energy.kinetic + energy.potential
}

fn weight_times_height(simulation: &Simulation<2>) -> f64 {
    let bodies = simulation.bodies();
    let free = (0..bodies.len()).filter(|&body| !bodies.is_driven(body));
    free.map(|body| bodies.mass[body][0] * 9.81 * bodies.pose[body].position[1]).sum()
}
