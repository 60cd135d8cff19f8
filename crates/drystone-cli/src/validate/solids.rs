//! Deformable bodies under loads: large stretches, plastic flow, structures with published numbers,
//! vibration. Impacts and contact pressures are in `deformable`.

use super::{Comparison, plane, run_through, scene, space};
use crate::failure::Failure;
use drystone::{Simulation, Vector};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// How long a deformable body is along an axis, over how long it was.
fn stretch<const D: usize>(simulation: &Simulation<D>, name: &str, axis: usize) -> Option<f64> {
    let body = simulation.bodies().name.iter().position(|known| known == name)?;
    let (model, state) = (simulation.solids().model(body)?, simulation.solids().state(body)?);
    let places = model.mesh().nodes().iter().enumerate();
    let places: Vec<_> = places.map(|(k, x)| [x[axis], x[axis] + state.displacement[k * D + axis]]).collect();
    let length = |moment: usize| {
        let all = places.iter().map(|place| place[moment]);
        let [least, most] = [all.clone().fold(f64::INFINITY, f64::min), all.fold(-f64::INFINITY, f64::max)];
        most - least
    };
    Some(length(1) / length(0))
}

/// Where an increasing function is zero.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The stretches across and along in plane strain under a pressure of the reference area, from an energy of
/// the principal stretches alone; its slopes by differences of fourth order.
fn squeezed(psi: impl Fn(f64, f64) -> f64, pressure: f64) -> [f64; 2] {
    let d = 1e-5;
    let slope = |x: f64, y: f64, dx: f64, dy: f64| {
        let at = |k: f64| psi(x + k * dx, y + k * dy);
        (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * d)
    };
    let across = |y: f64| root(0.5, 3.0, |x| slope(x, y, d, 0.0));
    let along = root(0.4, 1.0, |y| slope(across(y), y, 0.0, d) + pressure);
    [across(along), along]
}

/// Blocks of two hyperelastic materials under plates.
pub fn rubber() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-rubber.toml"))?;
    let (young, poisson): (f64, f64) = (1e6, 0.3);
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let mu = young / (2.0 * (1.0 + poisson));
    let neo = |x: f64, y: f64| {
        let ln = (x * y).ln();
        0.5 * mu * (x * x + y * y - 2.0 - 2.0 * ln) + 0.5 * lambda * ln * ln
    };
    let (c10, c01, bulk) = (1.5e5, 4e4, 8e5);
    let mooney = |x: f64, y: f64| {
        let (j, i1, i2) = (x * y, x * x + y * y + 1.0, x * x * y * y + y * y + x * x);
        c10 * (j.powf(-2.0 / 3.0) * i1 - 3.0)
            + c01 * (j.powf(-4.0 / 3.0) * i2 - 3.0)
            + 0.5 * bulk * (j - 1.0).powi(2)
    };
    let (width, area) = (0.2, 0.02);
    let expected = [("neo", squeezed(neo, 1e5 / width)), ("mooney", squeezed(mooney, 8e4 / width))];
    let stored =
        area * (neo(expected[0].1[0], expected[0].1[1]) + mooney(expected[1].1[0], expected[1].1[1]));
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let mut rows = Vec::new();
    for (name, [across, along]) in expected {
        for (axis, what, value) in [(0, "across", across), (1, "along", along)] {
            let found = stretch(&simulation, name, axis).unwrap_or(f64::NAN);
            rows.push(Comparison::absolute(format!("{name}: stretch {what}"), value, found, 1e-6));
        }
    }
    let energy = simulation.energy();
    rows.push(Comparison::relative("strain energy [J]", stored, energy.strain, 1e-5));
    rows.push(Comparison::absolute("balance of energy", 0.0, energy.balance_error, 1e-10));
    Ok(rows)
}

/// Uniaxial: Kirchhoff's stress τ = σ₀ + H p on the logarithmic strain −ln λ = τ / E + p; what is left is −p.
pub fn plastic() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-plastic.toml"))?;
    let (young, start, hardening) = (1e7, 1e5, 1e6);
    let mut simulation = space(&scene)?;
    let mut force = 0.0;
    for _ in 0..40 {
        simulation.step();
        let on_top = simulation.interactions().iter().filter(|contact| contact.point[2] > 0.03);
        force = on_top.map(|contact| contact.r[0] / scene.time.step).sum();
    }
    let along = stretch(&simulation, "cube", 2).unwrap_or(f64::NAN);
    let tau = (start / hardening - along.ln()) / (1.0 / young + 1.0 / hardening);
    let flowed = (tau - start) / hardening;
    (0..40).for_each(|_| {
        simulation.step();
    });
    let left = stretch(&simulation, "cube", 2).unwrap_or(f64::NAN);
    let energy = simulation.energy();
    // σ₀ p and ½ H p² less what hardening stores; the stress at the end of each of some 38 steps
    let dissipated = (start * flowed + 0.5 * hardening * flowed * flowed / 38.0) * 1e-3;
    Ok(vec![
        Comparison::absolute("squeezed to", 0.8, along, 1e-4),
        Comparison::relative("force [N]", tau / along * 0.01, force, 1e-4),
        Comparison::relative("height left over the first", (-flowed).exp(), left, 1e-4),
        Comparison::relative("plastic work [J]", dissipated, energy.plastic, 2e-3),
        Comparison::absolute("balance of energy", 0.0, energy.balance_error, 1e-10),
    ])
}

/// Cook's membrane as a scene: n × n quadrangles between x = 0 and 48 m, held on the left, with a shear force
/// on the right, at rest after a few very long steps.
fn membrane(n: usize, elastic: [f64; 2], force: f64, deform: &str) -> String {
    let mut text = String::from("dimension = 2\ngravity = [0.0, 0.0]\n");
    let _ = writeln!(text, "time = {{ step = 1e4, duration = 1e5, theta = 1.0 }}");
    let [young, poisson] = elastic;
    let _ = writeln!(text, "materials.m = {{ density = 1, young = {young:?}, poisson = {poisson:?} }}");
    let at = |s: f64, t: f64| [48.0 * s, 44.0 * s + t * (44.0 - 28.0 * s)];
    let share = |k: usize| k as f64 / n as f64;
    let nodes: Vec<_> = (0..(n + 1) * (n + 1)).map(|k| at(share(k % (n + 1)), share(k / (n + 1)))).collect();
    let corner = |i: usize, j: usize| j * (n + 1) + i;
    let cells: Vec<_> = (0..n * n)
        .map(|k| (k % n, k / n))
        .map(|(i, j)| [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)])
        .collect();
    let left: Vec<_> = (0..=n).map(|j| corner(0, j)).collect();
    let right: Vec<_> = (0..n).map(|j| [corner(n, j), corner(n, j + 1)]).collect();
    let _ = writeln!(text, "[[body]]\nname = \"membrane\"\nmaterial = \"m\"");
    let _ = writeln!(
        text,
        "deform = {{ {deform}, hold = [{{ group = \"left\" }}], load = [{{ group = \"right\", force = [0.0, {force:?}] }}] }}"
    );
    let _ = writeln!(text, "[body.shape.elements]\nnodes = {nodes:?}");
    let _ = writeln!(text, "elements = [{{ kind = \"Q4\", nodes = {cells:?} }}]");
    let _ = writeln!(text, "groups.left.nodes = {left:?}\ngroups.right.faces = {right:?}");
    text + "[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.0\n"
}

/// Cook's membrane (1974) in plane stress, and one that can hardly change its volume in plane strain.
pub fn cook() -> Result<Vec<Comparison>, Failure> {
    let bends =
        |n: usize, elastic: [f64; 2], force: f64, deform: &str, height: f64| -> Result<f64, Failure> {
            let scene = scene(&membrane(n, elastic, force, deform))?;
            let mut simulation = plane(&scene)?;
            (0..4).for_each(|_| {
                simulation.step();
            });
            let solids = simulation.solids();
            let (Some(model), Some(state)) = (solids.model(0), solids.state(0)) else { return Ok(f64::NAN) };
            // the mesh stands about its centre of mass: seek from its upper right corner
            let nodes = model.mesh().nodes();
            let corner =
                nodes.iter().enumerate().max_by(|a, b| (a.1[0] + a.1[1]).total_cmp(&(b.1[0] + b.1[1])));
            let Some(mut place) = corner.map(|(_, x)| *x) else { return Ok(f64::NAN) };
            place[1] += height - 60.0;
            Ok(state.displacement[2 * model.mesh().nearest_node(&place) + 1])
        };
    let third = 1.0 / 3.0;
    let coarse = bends(16, [1.0, third], 1.0, "plane = \"stress\"", 52.0)?;
    let fine = bends(32, [1.0, third], 1.0, "plane = \"stress\"", 52.0)?;
    let locked = bends(32, [250.0, 0.4999], 100.0, "plane = \"strain\"", 60.0)?;
    let mended = bends(32, [250.0, 0.4999], 100.0, "integration = \"b-bar\"", 60.0)?;
    Ok(vec![
        Comparison::relative("plane stress, 16 x 16 [m]", 23.43, coarse, 1e-3),
        Comparison::relative("plane stress, 32 x 32 [m]", 23.82, fine, 1e-3),
        Comparison::relative("plane stress, the limit [m]", 23.96, fine, 1e-2),
        Comparison::relative("nearly incompressible, locks [m]", 2.83, locked, 1e-2),
        Comparison::relative("the same with B-bar [m]", 7.69, mended, 3e-3),
    ])
}

/// The first frequency of a cantilever by Euler and Bernoulli, and the bend about which it swings.
pub fn beam() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-beam.toml"))?;
    let mut simulation = plane(&scene)?;
    let (length, height, young, density): (f64, f64, f64, f64) = (2.0, 0.1, 1e6, 1000.0);
    let slender = height * (young / density / 12.0).sqrt();
    let frequency = (1.875_104_068_711_961 / length).powi(2) * slender / (2.0 * PI);
    // w = ρ A g L⁴ / 8 E I, to which shear adds a part in a thousand
    let bend = 1e-3 * length.powi(4) / (8.0 * slender * slender);
    let mut path = vec![0.0];
    for _ in 0..scene.steps() {
        simulation.step();
        let Some(state) = simulation.solids().state(0) else { continue };
        path.push(state.displacement.iter().skip(1).step_by(2).fold(0.0, |least: f64, u| least.min(*u)));
    }
    let (period, mean) = period(&path, scene.time.step);
    let energy = simulation.energy();
    Ok(vec![
        Comparison::relative("first frequency over Euler's", 0.9991, 1.0 / period / frequency, 5e-3),
        Comparison::relative("bend about which it swings [m]", -bend, mean, 1e-2),
        // forces of a slender beam are small differences of large ones
        Comparison::absolute("balance of energy", 0.0, energy.balance_error, 1e-9),
    ])
}

/// The period and the middle of a path that swings between its first value and another: from where it passes
/// its middle.
fn period(path: &[f64], h: f64) -> (f64, f64) {
    let least = path.iter().copied().fold(f64::INFINITY, f64::min);
    let middle = 0.5 * (least + path[0]);
    let crossing = |(k, pair): (usize, &[f64])| {
        let share = (middle - pair[0]) / (pair[1] - pair[0]);
        (pair[0] > middle && pair[1] <= middle).then_some((k as f64 + share) * h)
    };
    let times: Vec<f64> = path.windows(2).enumerate().filter_map(crossing).collect();
    let whole = times.last().zip(times.first()).map_or(f64::NAN, |(last, first)| last - first);
    let count = times.len().saturating_sub(1).max(1);
    // whole swings only
    let steps = (whole / h).round().max(1.0) as usize;
    let from = times.first().map_or(0, |first| (first / h).round() as usize);
    let part = path.get(from..from + steps).unwrap_or(&[f64::NAN]);
    (whole / count as f64, part.iter().sum::<f64>() / part.len() as f64)
}

/// A disk under two opposite forces: 2P/πD and −6P/πD in the middle.
pub fn disk() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-disk.toml"))?;
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let load = 2e4;
    let (solids, reach) = (simulation.solids(), 0.12);
    let (Some(model), Some(state)) = (solids.model(1), solids.state(1)) else {
        return Err(Failure::other("the disk does not deform"));
    };
    let recovered = model.recover(&state.displacement, None, &state.history).map_err(Failure::other)?;
    let (mut sums, mut volume, mut means) = ([0.0; 2], 0.0, [0.0; 2]);
    for point in recovered.points.iter().filter(|point| point.place.norm() < reach) {
        volume += point.weight;
        let exact = diametral(point.place[0], point.place[1], load);
        for axis in 0..2 {
            sums[axis] += point.weight * point.stress[axis];
            means[axis] += point.weight * exact[axis];
        }
    }
    let force: f64 = simulation.interactions().iter().map(|contact| contact.r[0] / scene.time.step).sum();
    Ok(vec![
        Comparison::relative("force on both sides [N]", 2.0 * load, force, 1e-4),
        Comparison::relative("stress across [Pa]", means[0] / volume, sums[0] / volume, 2e-2),
        Comparison::relative("stress along [Pa]", means[1] / volume, sums[1] / volume, 1e-2),
        Comparison::relative("across, exactly in the middle [Pa]", load / PI, sums[0] / volume, 4e-2),
    ])
}

/// Hertz's solution (1883) for a disk of radius 1 m under forces P [N/m] from above and below: two Flamant
/// fields and a uniform tension.
fn diametral(x: f64, y: f64, load: f64) -> [f64; 2] {
    let (below, above) = (1.0 + y, 1.0 - y);
    let radius = |arm: f64| (x * x + arm * arm).powi(2);
    let across = |arm: f64| arm * x * x / radius(arm);
    let along = |arm: f64| arm.powi(3) / radius(arm);
    let scale = 2.0 * load / PI;
    [scale * (0.5 - across(below) - across(above)), scale * (0.5 - along(below) - along(above))]
}

/// Spinning strains nothing; a free body that was hit keeps energy and momenta.
pub fn spin() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-spin.toml"))?;
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let largest = |body: usize| -> f64 {
        let state = simulation.solids().state(body);
        state.map_or(f64::NAN, |state| state.displacement.iter().fold(0.0, |most: f64, u| most.max(u.abs())))
    };
    let bodies = simulation.bodies();
    let momentum =
        |axis: usize| -> f64 { (1..3).map(|k| bodies.mass[k][axis] * bodies.velocity[k][axis]).sum() };
    let angular: f64 = (1..3)
        .map(|k| {
            let (x, v, m) = (bodies.pose[k].position, &bodies.velocity[k], &bodies.mass[k]);
            m[0] * (x[0] * v[1] - x[1] * v[0]) + m[2] * v[2]
        })
        .sum();
    let mass = 1000.0 * PI * 0.05 * 0.05;
    let flown = bodies.pose[0].position - Vector::<2>::new(1.06, -0.04);
    Ok(vec![
        Comparison::absolute("displacement by spin alone [m]", 0.0, largest(0), 1e-12),
        Comparison::absolute("way by flight, error [m]", 0.0, flown.norm(), 1e-12),
        Comparison::fact("the one that was hit swings", largest(1) > 1e-6),
        Comparison::absolute("momentum across [N s]", 0.0, momentum(0), 1e-12),
        Comparison::relative("momentum along [N s]", -mass, momentum(1), 1e-12),
        // arms of contacts are those without deformation: off by its part of the radius
        Comparison::relative("angular momentum [N m s]", 0.04 * mass, angular, 2e-3),
        Comparison::absolute("balance of energy", 0.0, simulation.energy().balance_error, 1e-10),
    ])
}
