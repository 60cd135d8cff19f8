//! Overlaps that velocities leave behind, and how each way deals with them.

use super::{Row, plane, scene};
use crate::failure::Failure;
use drystone::CLOSED;
use drystone_scene::spec::DriftSpec;

/// A plank rocks on a cylinder: how far it sinks without any correction, and what a projection leaves.
pub fn plank() -> Result<Vec<Row>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/plank.toml"))?;
    let mut simulation = plane(&scene)?;
    let (radius, half) = (0.5, 0.05);
    let mut sunk = 0.0;
    for _ in 0..scene.steps() {
        simulation.step();
        let turned = scene.time.step * simulation.bodies().velocity[1][2];
        sunk += 0.5 * (radius - half) * turned * turned;
    }
    let found = simulation.overlaps().first().map_or(0.0, |overlap| overlap.depth);
    let mut rows = vec![Row::relative("overlap after 2 s, none [m]", sunk, found, 1e-2)];
    scene.time.drift = DriftSpec::Projection;
    let mut simulation = plane(&scene)?;
    let (mut deepest, mut error) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        let depth = simulation.overlaps().first().map_or(0.0, |overlap| overlap.depth);
        deepest = deepest.max(depth / radius);
        error = error.max(simulation.energy().balance_error);
    }
    rows.push(Row::absolute("overlap of the radius at any step, projection", 0.0, deepest, CLOSED));
    rows.push(Row::absolute("error of the energy balance, projection", 0.0, error, 1e-8));
    Ok(rows)
}
