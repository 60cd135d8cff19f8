//! Structures at rest that can stand: the angle at which a dry wall falls.

use super::{Comparison, plane, scene, set_friction, space, threshold};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::Scene;

const G: f64 = 9.81;

/// Friction and the largest tilt with an admissible equilibrium \[degrees\], by a linear program of its own
/// (HiGHS) on two points for each joint, bisected to 1e-7.
const LIMITS: [(f64, f64); 3] = [(2.0, 44.903_162_1), (0.7, 30.396_219_2), (0.4, 21.801_409_6)];

/// Width of the bracket \[degrees\].
const BRACKET: f64 = 0.05;

/// Eight courses of four blocks in running bond, tilted. With Coulomb's friction a step from rest may have a
/// solution in which the wall falls long before; rest is preferred.
pub fn wall() -> Result<Vec<Comparison>, Failure> {
    let mut rows = Vec::new();
    let flat = scene(include_str!("../../../../scenes/validation/wall.toml"))?;
    for (mu, limit) in LIMITS {
        let falls = |angle: f64| Ok(way(&mut plane(&tilted(&flat, mu, angle))?, 3) > 1e-9);
        let found = threshold(limit - BRACKET, limit + BRACKET, BRACKET / 4.0, falls)?;
        let what = format!("last stable tilt at friction {mu} [degrees]");
        rows.push(Comparison::absolute(what, limit, found, BRACKET / 4.0));
    }
    let (mu, limit) = LIMITS[0];
    let drift = way(&mut plane(&tilted(&flat, mu, limit - BRACKET))?, 1000);
    rows.push(Comparison::absolute("drift below it in 1000 steps [m]", 0.0, drift, 1e-9));
    let deep = scene(include_str!("../../../../scenes/validation/wall-space.toml"))?;
    let (mu, limit) = LIMITS[1];
    for (angle, name, stands) in [(limit - BRACKET, "below", true), (limit + BRACKET, "above", false)] {
        let stood = way(&mut space(&tilted(&deep, mu, angle))?, 3) <= 1e-9;
        rows.push(Comparison::fact(format!("in space, {name} the limit at friction {mu}"), stood == stands));
    }
    Ok(rows)
}

/// The scene with gravity turned by an angle towards x \[degrees\].
fn tilted(scene: &Scene, friction: f64, angle: f64) -> Scene {
    let mut scene = scene.clone();
    set_friction(&mut scene, friction);
    let (sin, cos) = angle.to_radians().sin_cos();
    let mut gravity = vec![0.0; scene.dimension];
    gravity[0] = G * sin;
    if let Some(down) = gravity.last_mut() {
        *down = -G * cos;
    }
    scene.gravity = Some(gravity);
    scene
}

/// How far any body gets in so many steps \[m\].
fn way<const D: usize>(simulation: &mut Simulation<D>, steps: usize) -> f64 {
    let start = simulation.bodies().pose.clone();
    (0..steps).for_each(|_| {
        simulation.step();
    });
    let poses = simulation.bodies().pose.iter().zip(&start);
    poses.map(|(pose, start)| (pose.position - start.position).norm()).fold(0.0, f64::max)
}
