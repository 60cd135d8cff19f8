//! Overlaps that velocities leave behind, and how each way deals with them.

use super::ties::{Swing, elliptic};
use super::{Comparison, plane, scene};
use crate::failure::Failure;
use drystone::CLOSED;
use drystone_scene::Scene;
use drystone_scene::spec::Drift;

/// A plank rocks on a cylinder: how far it sinks without any correction, and what a projection leaves.
///
/// By default the face that sank in is brought back as fast as it came.
pub fn plank() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/plank.toml"))?;
    let by_default = scene.clone();
    scene.time.drift = Drift::None;
    let mut simulation = plane(&scene)?;
    let (radius, half) = (0.5, 0.05);
    let mut sunk = 0.0;
    for _ in 0..scene.steps() {
        simulation.step();
        let turned = scene.time.step * simulation.bodies().velocity[1][2];
        sunk += 0.5 * (radius - half) * turned * turned;
    }
    let found = simulation.overlaps().first().map_or(0.0, |overlap| overlap.depth);
    let mut rows = vec![Comparison::relative("overlap after 2 s, none [m]", sunk, found, 1e-2)];
    let mut simulation = plane(&by_default)?;
    let (mut deepest, mut gained) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        deepest = deepest.max(simulation.step().penetration);
        // bodies that part when a step begins may be given some by gravity, whatever is done about overlaps
        let contacts = simulation.interactions().iter().filter(|contact| contact.u_begin[0] <= 0.0);
        gained =
            contacts.map(|contact| contact.r[0] * (contact.u_begin[0] + contact.u[0])).fold(gained, f64::max);
    }
    // what two steps at the fastest spin sink in
    let once = 0.5 * (radius - half) * (scene.time.step * 1.0_f64).powi(2);
    rows.push(Comparison::absolute("deepest overlap at any step, default [m]", 0.0, deepest, 2.0 * once));
    rows.push(Comparison::absolute("work given by the normal, default [J]", 0.0, gained, 1e-15));
    scene.time.drift = Drift::Projection;
    let mut simulation = plane(&scene)?;
    let (mut deepest, mut error) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        let depth = simulation.overlaps().first().map_or(0.0, |overlap| overlap.depth);
        deepest = deepest.max(depth / radius);
        error = error.max(simulation.energy().balance_error);
    }
    rows.push(Comparison::absolute("overlap of the radius at any step, projection", 0.0, deepest, CLOSED));
    rows.push(Comparison::absolute("error of the energy balance, projection", 0.0, error, 1e-8));
    Ok(rows)
}

/// What a run of the bowl shows.
struct Rolled {
    period: f64,
    /// Deepest overlap of the radius of the disk.
    deepest: f64,
    /// Part of its energy that is gone at the end.
    lost: f64,
}

/// A disk rolls in a bowl: `(I/m r² + 1) L φ¨ = −g sin φ`, a pendulum of length 3L/2.
pub fn bowl() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/bowl.toml"))?;
    let (length, angle) = (0.9_f64, 1.0_f64);
    let period = 4.0 * elliptic((0.5 * angle).sin()) * (1.5 * length / 9.81).sqrt();
    let mut rows = Vec::new();
    for (drift, name) in [(scene.time.drift, "default"), (Drift::Projection, "projection")] {
        let fine = roll(&scene, drift, scene.time.step)?;
        let coarse = roll(&scene, drift, 2.0 * scene.time.step)?;
        let order = ((coarse.period / period - 1.0) / (fine.period / period - 1.0)).log2();
        let deep = if drift == Drift::Projection { CLOSED } else { 2e-4 };
        rows.push(Comparison::relative(format!("period, {name} [s]"), period, fine.period, 5e-5));
        rows.push(Comparison::absolute(format!("order in h, at most 2, {name}"), 2.0, order.min(2.0), 0.1));
        rows.push(Comparison::absolute(
            format!("deepest overlap of the radius, {name}"),
            0.0,
            fine.deepest,
            deep,
        ));
        rows.push(Comparison::absolute(format!("energy lost in 8 s, {name}"), 0.0, fine.lost, 1e-4));
    }
    Ok(rows)
}

fn roll(scene: &Scene, drift: Drift, step: f64) -> Result<Rolled, Failure> {
    let mut scene = scene.clone();
    (scene.time.drift, scene.time.step) = (drift, step);
    let mut simulation = plane(&scene)?;
    let place = simulation.bodies().pose[1].position;
    let mut swing = Swing::new(0.0, place[0]);
    let mut deepest = 0.0_f64;
    for _ in 0..scene.steps() {
        simulation.step();
        let pose = simulation.bodies().pose[1];
        swing.see(simulation.time(), step, pose.position[0]);
        deepest = deepest.max((pose.position.norm() - 0.9) / 0.1);
    }
    let energy = simulation.energy();
    let drop = simulation.bodies().mass[1][0] * 9.81 * 0.9 * (1.0 - 1.0_f64.cos());
    Ok(Rolled { period: swing.period(), deepest, lost: -(energy.kinetic + energy.potential) / drop })
}
