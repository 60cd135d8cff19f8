//! Bodies that touch nothing.

use super::{Comparison, plane, run_through, scene, space};
use crate::failure::Failure;
use drystone_math::nalgebra::Vector3;
use std::f64::consts::FRAC_PI_2;

/// A throw: the mid-point scheme is exact for constant gravity.
pub fn projectile() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/projectile.toml"))?;
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let t = simulation.time();
    let (position, velocity) = (simulation.bodies().pose[0].position, simulation.bodies().twist(0));
    Ok(vec![
        Comparison::absolute("distance flown [m]", 3.0 * t, position[0], 1e-12),
        Comparison::absolute("height [m]", 1.0 + 7.0 * t - 0.5 * 9.81 * t * t, position[1], 1e-12),
        Comparison::absolute("vertical velocity [m/s]", 7.0 - 9.81 * t, velocity[1], 1e-12),
        Comparison::absolute("angle turned [rad]", 2.0, simulation.bodies().pose[0].angle(), 1e-12),
    ])
}

/// A box spun about its middle axis: invariants over 1e5 steps, and the time between two flips.
pub fn tumble() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/tumble.toml"))?;
    let mut simulation = space(&scene)?;
    let inertia: Vector3<f64> = simulation.bodies().mass[0].spin();
    let start = simulation.bodies().twist(0).spin();
    let (momentum, energy) = invariants(&inertia, &start);
    let (mut momentum_error, mut energy_error) = (0.0f64, 0.0f64);
    let mut flips = Vec::new();
    let mut last = start;
    for _ in 0..scene.steps() {
        simulation.step();
        let now = simulation.bodies().twist(0).spin();
        let (l, e) = invariants(&inertia, &now);
        momentum_error = momentum_error.max((l / momentum - 1.0).abs());
        energy_error = energy_error.max((e / energy - 1.0).abs());
        if last[1] * now[1] < 0.0 {
            let part = last[1] / (last[1] - now[1]);
            flips.push(simulation.time() - (1.0 - part) * scene.time.step);
        }
        last = now;
    }
    // the first few flips: rounding shifts later ones, since the motion starts next to the separatrix
    let period = if flips.len() > 4 { (flips[4] - flips[0]) / 4.0 } else { f64::NAN };
    Ok(vec![
        Comparison::absolute("norm of angular momentum, relative drift", 0.0, momentum_error, 1e-12),
        Comparison::absolute("energy, relative drift", 0.0, energy_error, 1e-8),
        Comparison::relative("time between flips [s]", flip_time(&inertia, &start), period, 1e-3),
    ])
}

/// Norm of the angular momentum and kinetic energy.
fn invariants(inertia: &Vector3<f64>, spin: &Vector3<f64>) -> (f64, f64) {
    let angular = inertia.component_mul(spin);
    (angular.norm(), 0.5 * angular.dot(spin))
}

/// Half the period of Euler's top with L² > 2 E I₂ (Landau, Lifshitz, Mechanics, §37): `2 K(k)/λ`.
fn flip_time(inertia: &Vector3<f64>, spin: &Vector3<f64>) -> f64 {
    let (l, e) = invariants(inertia, spin);
    let (i1, i2, i3) = (inertia[0], inertia[1], inertia[2]);
    let outer = l * l - 2.0 * e * i1;
    // L² − 2 E I₂ without cancellation
    let inner = i3 * (i3 - i2) * spin[2].powi(2) + i1 * (i1 - i2) * spin[0].powi(2);
    let rate = ((i3 - i2) * outer / (i1 * i2 * i3)).sqrt();
    let complement = (i3 - i1) * inner / ((i3 - i2) * outer);
    // K(k) by the arithmetic–geometric mean of 1 and k'
    let (mut a, mut b) = (1.0, complement.sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    2.0 * FRAC_PI_2 / a / rate
}
