//! Shocks: bounces, chains, oblique blows, rocking.

use super::{Comparison, plane, run_through, scene, space};
use crate::failure::Failure;
use drystone::{Simulation, Vector};
use drystone_math::nalgebra::Vector3;
use drystone_scene::Scene;
use drystone_scene::spec::{ShapeRef, ShapeSpec};

const G: f64 = 9.81;

/// A ball bounces infinitely often in a finite time, then rests: the error of that time is of first order in
/// h.
pub fn zeno() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/bounce.toml"))?;
    let steps: Vec<f64> = (0..5).map(|halvings| 2e-3 * 0.5f64.powi(halvings)).collect();
    let mut errors = Vec::new();
    let mut left_over = 0.0f64;
    for &step in &steps {
        // the mean over some heights: a single one hits the grid of times by luck
        let mut sum = 0.0;
        for k in 0..10 {
            let height = 0.4 + 0.02 * k as f64;
            let (rest, speed) = time_of_rest(&scene, step, height)?;
            let exact = (2.0 * height / G).sqrt() * (1.0 + 0.5) / (1.0 - 0.5);
            sum += (rest - exact).abs();
            left_over = left_over.max(speed);
        }
        errors.push(sum / 10.0);
    }
    Ok(vec![
        Comparison::absolute("order of the error of the time of rest", 1.0, slope(&steps, &errors), 0.1),
        Comparison::absolute("mean error of that time at h = 1.25e-4 [s]", 0.0, errors[4], 1e-2),
        Comparison::absolute("speed at rest [m/s]", 0.0, left_over, 1e-12),
    ])
}

/// The last time the ball was faster than a hundredth of what gravity adds in a step, and its speed at the
/// end.
fn time_of_rest(scene: &Scene, step: f64, height: f64) -> Result<(f64, f64), Failure> {
    let mut scene = scene.clone();
    scene.time.step = step;
    scene.bodies[1].position = Some(vec![0.0, 0.1 + height]);
    let mut simulation = plane(&scene)?;
    let mut rest = 0.0;
    for _ in 0..scene.steps() {
        simulation.step();
        if simulation.bodies().twist(1).norm() > 0.01 * G * step {
            rest = simulation.time();
        }
    }
    Ok((rest, simulation.bodies().twist(1).norm()))
}

/// Slope of a straight line through the logarithms.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let over: f64 = x.iter().zip(y).map(|(x, y)| (x.ln() - mx) * (y.ln() - my)).sum();
    over / x.iter().map(|x| (x.ln() - mx).powi(2)).sum::<f64>()
}

/// Three balls in a row: a blow on touching balls is shared, on separate ones it is passed on.
pub fn chain() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/chain.toml"))?;
    let mut touching = plane(&scene)?;
    touching.step();
    for (k, place) in [0.0, 1.0105, 2.0205].into_iter().enumerate() {
        scene.bodies[k].position = Some(vec![place, 0.0]);
    }
    scene.time.duration = 0.1;
    let mut apart = plane(&scene)?;
    run_through(&scene, &mut apart);
    let worst = |simulation: &Simulation<2>, expected: [f64; 3]| {
        let velocities = simulation.bodies().velocity.iter().map(|v| v[0]);
        velocities.zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max)
    };
    let third = 1.0 / 3.0;
    Ok(vec![
        Comparison::absolute("first ball, touching [m/s]", -third, touching.bodies().velocity[0][0], 1e-12),
        Comparison::absolute(
            "all three, touching: largest deviation",
            0.0,
            worst(&touching, [-third, 2. * third, 2. * third]),
            1e-12,
        ),
        Comparison::absolute("third ball, apart [m/s]", 1.0, apart.bodies().velocity[2][0], 1e-12),
        Comparison::absolute(
            "all three, apart: largest deviation",
            0.0,
            worst(&apart, [0.0, 0.0, 1.0]),
            1e-12,
        ),
    ])
}

/// Two spheres in an oblique shock: Moreau's weighted averages, sticking and sliding.
pub fn two_spheres() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/two-spheres.toml"))?;
    let (normal, tangential) = (0.6, 0.3);
    let mut rows = Vec::new();
    for (name, friction) in [("sticking", 10.0), ("sliding", 0.05)] {
        if let Some(law) = &mut scene.laws[0].restitution {
            law.friction = friction;
        }
        let mut simulation = space(&scene)?;
        let h = scene.time.step;
        let middle: Vec<Vector<3>> = (0..2)
            .map(|b| simulation.bodies().pose[b].position + simulation.bodies().twist(b).linear() * (0.5 * h))
            .collect();
        let n = (middle[0] - middle[1]).normalize();
        let before = relative_velocity(&simulation, &n);
        let masses = [simulation.bodies().mass[0][0], simulation.bodies().mass[1][0]];
        simulation.step();
        let after = relative_velocity(&simulation, &n);
        let (before_n, after_n) = (before.dot(&n), after.dot(&n));
        let (before_t, after_t) = (before - n * before_n, after - n * after_n);
        let inverse = masses.map(|m| 1.0 / m).iter().sum::<f64>();
        // a sphere's tangential compliance is 1/m + r²/J = 7/(2m); the impulse is along the slip it had
        let expected = if name == "sticking" {
            before_t * -tangential
        } else {
            let impulse = friction * (1.0 + normal) * -before_n / inverse;
            before_t - before_t.normalize() * (impulse * 3.5 * inverse)
        };
        rows.push(Comparison::absolute(
            format!("{name}: normal velocity [m/s]"),
            -normal * before_n,
            after_n,
            1e-12,
        ));
        rows.push(Comparison::absolute(
            format!("{name}: error of tangential velocity"),
            0.0,
            (after_t - expected).norm(),
            1e-12,
        ));
    }
    Ok(rows)
}

/// Velocity of the first sphere relative to the second where they touch; a sphere's spin is the same in any
/// axes that started aligned and have not turned yet.
fn relative_velocity(simulation: &Simulation<3>, n: &Vector3<f64>) -> Vector3<f64> {
    let at = |body: usize, arm: Vector3<f64>| {
        let velocity = simulation.bodies().twist(body);
        let spin: Vector3<f64> = simulation.bodies().pose[body].orientation * velocity.spin();
        velocity.linear() + spin.cross(&arm)
    };
    at(0, n * -0.5) - at(1, n * 0.25)
}

/// A block rocks: what a shock leaves of its spin, how long it takes, when it overturns.
pub fn rocking() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/rocking.toml"))?;
    // squat, so that the shock takes a good part of the spin
    let mut squat = tilted(&scene, [1.0, 2.0], 0.4);
    squat.time.step = 1e-5;
    let squat = first_shock(&squat, 4.0)?;
    let slender = first_shock(&tilted(&scene, [0.1, 2.0], 0.4), 4.0)?;
    let alpha = 0.5f64.atan();
    let radius = (0.05f64.powi(2) + 1.0).sqrt();
    let p = (0.75 * G / radius).sqrt();
    let quarter = (1.0f64 / (1.0 - 0.4)).acosh() / p;
    let falls = |share: f64| -> Result<bool, Failure> {
        Ok(first_shock(&tilted(&scene, [0.1, 2.0], share), 3.0)?.fell)
    };
    Ok(vec![
        Comparison::relative(
            "spin after over before a shock",
            1.0 - 1.5 * alpha.sin().powi(2),
            squat.ratio,
            1e-3,
        ),
        Comparison::relative("period [s]", 4.0 * quarter, 4.0 * slender.time, 5e-3),
        Comparison::fact("tilted by 0.999 of the critical angle: returns", !falls(0.999)?),
        Comparison::fact("tilted by 1.001 of the critical angle: overturns", falls(1.001)?),
    ])
}

/// The scene with a block of this size, standing on its right lower corner at a share of the critical angle.
fn tilted(scene: &Scene, size: [f64; 2], share: f64) -> Scene {
    let mut scene = scene.clone();
    let angle = -share * (size[0] / size[1]).atan();
    let (sin, cos) = angle.sin_cos();
    let corner = [0.5 * size[0] * cos + 0.5 * size[1] * sin, 0.5 * size[0] * sin - 0.5 * size[1] * cos];
    scene.bodies[1].shape = ShapeRef::Inline(ShapeSpec::Box { size: size.to_vec() });
    scene.bodies[1].angle = Some(angle);
    scene.bodies[1].position = Some(vec![-corner[0], -corner[1]]);
    scene
}

/// The first time that a block came through the upright position.
pub(super) struct Shock {
    /// When \[s\]; not a number where it did not.
    pub time: f64,
    /// Spin after over before.
    pub ratio: f64,
    fell: bool,
}

/// Follows the block until it has come through the upright position, or fallen, or `until`.
pub(super) fn first_shock(scene: &Scene, until: f64) -> Result<Shock, Failure> {
    let mut simulation = plane(scene)?;
    let start = simulation.bodies().pose[1].angle();
    let spin = |simulation: &Simulation<2>| simulation.bodies().velocity[1][2];
    let mut history = Vec::new();
    while simulation.time() < until {
        simulation.step();
        history.push(spin(&simulation));
        let angle = simulation.bodies().pose[1].angle();
        if angle.abs() > 1.5 * start.abs() && angle * start > 0.0 {
            return Ok(Shock { time: f64::NAN, ratio: f64::NAN, fell: true });
        }
        if angle * start <= 0.0 {
            let time = simulation.time();
            // the shock takes up to three steps: look past it, and back before it
            for _ in 0..4 {
                simulation.step();
            }
            let before = history[history.len().saturating_sub(4)];
            return Ok(Shock { time, ratio: spin(&simulation) / before, fell: false });
        }
    }
    Ok(Shock { time: f64::NAN, ratio: f64::NAN, fell: false })
}
