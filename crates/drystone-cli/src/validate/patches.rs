//! Patches that slide: how their points share the normal force decides the motion.

use super::{Comparison, scene, space};
use crate::failure::Failure;
use drystone_scene::Scene;
use drystone_scene::spec::{Components, OrderSpec};

const G: f64 = 9.81;
/// Friction, half the height of the box and half its side \[m\].
const BOX: [f64; 3] = [0.4, 0.025, 0.1];

/// A box slides and spins flat: the angle it turns by against the equations of motion, and whether it is the
/// same however the contacts are numbered and visited.
pub fn spinning_box() -> Result<Vec<Comparison>, Failure> {
    let plain = scene(include_str!("../../../../scenes/validation/spinning-box.toml"))?;
    let exact = turned_by_equations();
    let turned = turned(&plain, 0.0)?;
    let mut fine = plain.clone();
    fine.time.step = 0.5 * plain.time.step;
    let half = self::turned(&fine, 0.0)?;
    let mut rows = vec![
        Comparison::relative("angle turned at 1 ms [rad]", exact, turned, 1e-3),
        Comparison::relative("the same, steps of 1 ms and 0.5 ms to h = 0", exact, 2.0 * half - turned, 1e-4),
    ];
    let mut others = Vec::new();
    let mut mirrored = plain.clone();
    mirrored.bodies[1].spin = Some(Components::Three(vec![0.0, 0.0, -15.0]));
    others.push(("mirrored", -self::turned(&mirrored, 0.0)?));
    // the corners change places, and with them their numbers
    for quarter in 1..4 {
        others.push((
            "corners renumbered",
            self::turned(&plain, 0.5 * std::f64::consts::PI * f64::from(quarter))?,
        ));
    }
    let mut exchanged = plain.clone();
    exchanged.bodies.swap(0, 1);
    others.push(("bodies renumbered", self::turned(&exchanged, 0.0)?));
    for order in [OrderSpec::Reversed, OrderSpec::Random] {
        let mut ordered = plain.clone();
        ordered.solver.order = order;
        others.push(("another order of the sweep", self::turned(&ordered, 0.0)?));
    }
    for (name, angle) in others {
        rows.push(Comparison::absolute(format!("the same, {name} [rad]"), turned, angle, 1e-6));
    }
    Ok(rows)
}

/// The angle the box turns by until it rests, in the scene with the box turned by an angle at the start.
fn turned(scene: &Scene, angle: f64) -> Result<f64, Failure> {
    let mut scene = scene.clone();
    let body = scene.bodies.iter().position(|body| body.name == "box").unwrap_or(0);
    scene.bodies[body].orientation_wxyz = Some(vec![(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()]);
    let mut simulation = space(&scene)?;
    let mut sum = 0.0;
    let mut before = simulation.bodies().pose[body].angle();
    for _ in 0..scene.steps() {
        simulation.step();
        let now = simulation.bodies().pose[body].angle();
        // the short way round
        sum += (now - before + 3.0 * std::f64::consts::PI).rem_euclid(2.0 * std::f64::consts::PI)
            - std::f64::consts::PI;
        before = now;
    }
    Ok(sum)
}

/// The same from the equations of motion of the box, a pressure affine over its corners: `N = m g/4 + β·p`
/// with `Σ N p = −e F`, the friction `F` at the height `e` below the centre. Runge and Kutta, steps that
/// shorten towards rest.
fn turned_by_equations() -> f64 {
    let [mu, _, arm] = BOX;
    let mut state = [2.0, 0.0, 15.0, 0.0];
    loop {
        let speed = f64::hypot(state[0], state[1]) + state[2].abs() * arm;
        if speed < 1e-5 {
            return state[3];
        }
        let dt = 1e-3_f64.min(0.05 * speed / (mu * G));
        let at = |slope: [f64; 4], part: f64| -> [f64; 4] {
            std::array::from_fn(|i| state[i] + part * dt * slope[i])
        };
        let first = slope(state);
        let second = slope(at(first, 0.5));
        let third = slope(at(second, 0.5));
        let last = slope(at(third, 1.0));
        let mean = std::array::from_fn(|i| (first[i] + 2.0 * (second[i] + third[i]) + last[i]) / 6.0);
        state = at(mean, 1.0);
    }
}

/// Accelerations of a box of 1 kg, and its spin.
fn slope([vx, vy, spin, angle]: [f64; 4]) -> [f64; 4] {
    let [mu, height, half] = BOX;
    let (s, c) = angle.sin_cos();
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
    let corners = corners.map(|[x, y]| [c * x - s * y, s * x + c * y]);
    let ways = corners.map(|[x, y]| {
        let way = [vx - spin * y, vy + spin * x];
        way.map(|part| part / f64::hypot(way[0], way[1]))
    });
    // F = −μ Σ (m g/4 + β·p) û with β = −e F/Σp_x²: two linear equations
    let squares = 4.0 * half * half;
    let sum = |of: &dyn Fn(usize) -> f64| (0..4).map(of).sum::<f64>();
    let part = |i: usize, j: usize| mu * height / squares * sum(&|k| corners[k][j] * ways[k][i]);
    let matrix = [[1.0 - part(0, 0), -part(0, 1)], [-part(1, 0), 1.0 - part(1, 1)]];
    let even = [0, 1].map(|i| -mu * 0.25 * G * sum(&|k| ways[k][i]));
    let determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
    let force = [
        (even[0] * matrix[1][1] - matrix[0][1] * even[1]) / determinant,
        (matrix[0][0] * even[1] - matrix[1][0] * even[0]) / determinant,
    ];
    let normal = |k: usize| {
        let [x, y] = corners[k];
        0.25 * G - height / squares * (force[0] * x + force[1] * y)
    };
    let moment = -mu * sum(&|k| normal(k) * (corners[k][0] * ways[k][1] - corners[k][1] * ways[k][0]));
    [force[0], force[1], moment / (8.0 * half * half / 12.0), spin]
}
