//! Joints, springs, wires and gears against the mechanics of the textbooks, with the scenes of `scenes/ties`.

use super::{Comparison, plane, run_through, scene, space};
use crate::failure::Failure;
use drystone::{Simulation, Vector};
use std::f64::consts::{PI, TAU};

const G: f64 = 9.81;

/// The text of a scene of `scenes/ties`.
macro_rules! tied {
    ($name:literal) => {
        scene(include_str!(concat!("../../../../scenes/ties/", $name, ".toml")))
    };
}

/// Complete elliptic integral of the first kind, by the arithmetic–geometric mean.
pub(super) fn elliptic(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// Period of a swing: of twice the time between the first and the last time that a coordinate passes
/// `middle`.
pub(super) struct Swing {
    middle: f64,
    before: f64,
    passed: Vec<f64>,
}

impl Swing {
    pub(super) fn new(middle: f64, start: f64) -> Self {
        Self { middle, before: start - middle, passed: Vec::new() }
    }

    pub(super) fn see(&mut self, time: f64, step: f64, coordinate: f64) {
        let now = coordinate - self.middle;
        if self.before * now < 0.0 {
            self.passed.push(time - step * now / (now - self.before));
        }
        self.before = now;
    }

    pub(super) fn period(&self) -> f64 {
        match self.passed.as_slice() {
            [first, .., last] => 2.0 * (last - first) / (self.passed.len() - 1) as f64,
            _ => f64::NAN,
        }
    }
}

/// Pendulums let go at 2 rad, on a pin and on a rod.
pub fn pendulum() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("pendulum")?;
    let mut simulation = plane(&scene)?;
    let (length, inertia, angle) = (0.7, 0.05, 2.0_f64);
    let period = |inertia: f64| {
        4.0 * elliptic((0.5 * angle).sin()) * ((inertia + length * length) / (G * length)).sqrt()
    };
    let places = |s: &Simulation<2>| [0, 1].map(|body| s.bodies().pose[body].position[0]);
    let [first, second] = places(&simulation);
    let mut swings = [Swing::new(0.0, first), Swing::new(2.0, second)];
    let (mut off, mut change) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        let place = places(&simulation);
        for (swing, x) in swings.iter_mut().zip(place) {
            swing.see(simulation.time(), scene.time.step, x);
        }
        off = simulation.ties().map(|view| view.elongation.abs()).fold(off, f64::max);
        let energy = simulation.energy();
        change = change.max((energy.kinetic + energy.potential).abs() / (G * length));
    }
    Ok(vec![
        Comparison::relative("period on a pin [s]", period(inertia), swings[0].period(), 3e-5),
        Comparison::relative("period on a rod [s]", period(0.0), swings[1].period(), 3e-5),
        Comparison::absolute("farthest off its length [m]", 0.0, off, 4e-5),
        Comparison::absolute("relative change of energy", 0.0, change, 2e-4),
    ])
}

/// A crank, a coupler and a rocker; a crank and a piston.
pub fn mechanisms() -> Result<Vec<Comparison>, Failure> {
    let bars = tied!("four-bar")?;
    let mut simulation = plane(&bars)?;
    let mut worst = 0.0_f64;
    for _ in 0..bars.steps() {
        simulation.step();
        if simulation.time() > 0.01 {
            let expected = coupler(0.4 + TAU * simulation.time());
            worst = worst.max((simulation.bodies().pose[1].position - expected).norm());
        }
    }
    let slider = tied!("slider-crank")?;
    let mut simulation = plane(&slider)?;
    let mut off = 0.0_f64;
    for _ in 0..slider.steps() {
        simulation.step();
        if simulation.time() > 0.01 {
            let angle = 10.0 * simulation.time();
            let expected = 0.2 * angle.cos() + (0.36 - (0.2 * angle.sin()).powi(2)).sqrt();
            off = off.max((simulation.bodies().pose[2].position[0] - expected).abs());
        }
    }
    Ok(vec![
        Comparison::absolute("four bars: coupler off its path [m]", 0.0, worst, 2e-5),
        Comparison::absolute("slider and crank: piston off its place [m]", 0.0, off, 2e-5),
    ])
}

/// Middle of the coupler of the four bars at a crank angle.
fn coupler(angle: f64) -> Vector<2> {
    let (ground, crank, coupler, rocker) = (1.0, 0.3, 0.9, 0.7);
    let a = Vector::<2>::new(angle.cos(), angle.sin()) * crank;
    let across = Vector::<2>::new(ground, 0.0) - a;
    let d = across.norm();
    let along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
    let up = (coupler * coupler - along * along).sqrt();
    let b = a + across / d * along + Vector::<2>::new(-across[1], across[0]) / d * up;
    (a + b) * 0.5
}

/// Masses on springs, with and without damping, and a wheel on a torsion spring.
pub fn springs() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("springs")?;
    let mut simulation = plane(&scene)?;
    let (k, c, torsion, inertia, spin) = (40.0_f64, 2.0, 0.5_f64, 0.02, 5.0);
    let (w, damped, turning) = (k.sqrt(), (k - 0.25 * c * c).sqrt(), (torsion / inertia).sqrt());
    let mut worst = [0.0_f64; 3];
    for _ in 0..scene.steps() {
        simulation.step();
        let t = simulation.time();
        let decay = (-0.5 * c * t).exp() * ((damped * t).cos() + 0.5 * c / damped * (damped * t).sin());
        let expected = [(w * t).cos(), decay].map(|swing| -1.0 - G / k * (1.0 - swing));
        for (body, expected) in expected.into_iter().enumerate() {
            let off = (simulation.bodies().pose[body].position[1] - expected).abs() / (G / k);
            worst[body] = worst[body].max(off);
        }
        let angle = spin / turning * (turning * t).sin();
        worst[2] = worst[2].max((simulation.bodies().pose[2].angle() - angle).abs() / (spin / turning));
    }
    Ok(vec![
        Comparison::absolute("mass on a spring, off relative to its sag", 0.0, worst[0], 2e-4),
        Comparison::absolute("the same with damping", 0.0, worst[1], 1e-4),
        Comparison::absolute("wheel on a torsion spring", 0.0, worst[2], 2e-4),
    ])
}

/// Twenty wires hang as a catenary: `2 a sinh(s/2a) = L`, sag `a (cosh(s/2a) − 1)`, horizontal force `w a`.
pub fn catenary() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("catenary")?;
    let mut simulation = plane(&scene)?;
    super::run_through(&scene, &mut simulation);
    let (span, length, link, weight) = (1.6, 2.0, 0.1, G);
    let too_flat = |a: f64| Ok(2.0 * a * (0.5 * span / a).sinh() < length);
    let a = super::threshold(0.1, 10.0, 1e-12, too_flat)?;
    let sag = a * ((0.5 * span / a).cosh() - 1.0);
    // in the middle of the first wire, which bears all beads of its half
    let pull = (weight * a).hypot(0.5 * weight * (length - link));
    let lowest = simulation.bodies().pose.iter().map(|pose| pose.position[1]).fold(0.0, f64::min);
    let first = simulation.ties().next().map_or(f64::NAN, |view| view.tension);
    let energy = simulation.energy();
    Ok(vec![
        Comparison::relative("sag [m]", sag, -lowest, 1e-2),
        Comparison::relative("pull of the first wire [N]", pull, first, 1e-2),
        Comparison::absolute("kinetic energy left [J]", 0.0, energy.kinetic, 1e-8),
    ])
}

/// Wires that bear, and one that does not.
pub fn wires() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("brittle-wire")?;
    let mut simulation = space(&scene)?;
    let mut most = 0.0_f64;
    for _ in 0..scene.steps() {
        simulation.step();
        most = simulation.ties().take(1).map(|view| view.tension).fold(most, f64::max);
    }
    let broken: Vec<bool> = simulation.ties().map(|view| view.broken).collect();
    Ok(vec![
        Comparison::relative("pull of a weight let go on an elastic wire [N]", 20.0, most, 1e-3),
        Comparison::fact("the weak wire breaks, the others bear", broken == [false, true, false]),
    ])
}

/// A moment on the small gear, through the large one, to a rack.
pub fn gears() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("gears")?;
    let mut simulation = plane(&scene)?;
    super::run_through(&scene, &mut simulation);
    let ratio = 0.1 / 0.25;
    let moved = 0.02 + 0.3 * ratio * ratio + 2.0 * 0.1 * 0.1;
    let speed = 0.2 / moved * simulation.time();
    let velocity = &simulation.bodies().velocity;
    Ok(vec![
        Comparison::relative("spin of the small gear [rad/s]", speed, velocity[0][2], 1e-9),
        Comparison::relative("ratio of the spins", -ratio, velocity[1][2] / velocity[0][2], 1e-9),
        Comparison::relative("rack over small gear [m]", 0.1, velocity[2][0] / velocity[0][2], 1e-9),
    ])
}

/// A top in steady precession: `I₁ Ω² cos α − I₃ ω₃ Ω + m g l = 0`; a door on a hinge; a roller on a bar.
pub fn space_joints() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("top")?;
    let mut simulation = space(&scene)?;
    let (length, spin, tilt) = (0.1, 50.0, 0.5_f64);
    let (i1, i3) = (0.006 + length * length, 0.01);
    let b = i3 * spin;
    let rate = (b - (b * b - 4.0 * i1 * tilt.cos() * G * length).sqrt()) / (2.0 * i1 * tilt.cos());
    let (mut turned, mut last) = (0.0, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        let place = simulation.bodies().pose[0].position;
        let angle = place[1].atan2(place[0]);
        turned += (angle - last + PI).rem_euclid(TAU) - PI;
        last = angle;
    }
    let height = simulation.bodies().pose[0].position[2] / length;
    let precession = turned / simulation.time();
    let scene = tied!("joints")?;
    let mut simulation = space(&scene)?;
    let mut swing = Swing::new(0.0, simulation.bodies().pose[0].position[1]);
    for _ in 0..scene.steps() {
        simulation.step();
        swing.see(simulation.time(), scene.time.step, simulation.bodies().pose[0].position[1]);
    }
    let slid = 0.5 * G * 0.3_f64.sin() * simulation.time().powi(2);
    let bodies = simulation.bodies();
    let way = |body: usize, y: f64| (bodies.pose[body].position - Vector::<3>::new(0.0, y, 0.0)).norm();
    let door = 4.0 * elliptic(0.6_f64.sin()) * ((0.03 + 0.25) / (G * 0.5)).sqrt();
    Ok(vec![
        Comparison::relative("top: precession [rad/s]", rate, precession, 1e-2),
        Comparison::relative("top: cosine of its tilt", tilt.cos(), height, 1e-2),
        Comparison::relative("door on a hinge: half a period [s]", 0.5 * door, 0.5 * swing.period(), 1e-4),
        Comparison::relative("carriage on a slider: way [m]", slid, way(1, -1.0), 1e-6),
        Comparison::relative("roller on a cylindrical joint: way [m]", slid, way(2, -2.0), 1e-6),
        Comparison::relative("roller: spin [rad/s]", 20.0, bodies.velocity[2][5].abs(), 1e-6),
    ])
}

/// A bead without a radius, pulled towards a roller by a wire that becomes taut: it stops where it touches.
pub fn bead() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/bead.toml"))?;
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let height = simulation.bodies().pose[1].position[1];
    Ok(vec![
        Comparison::absolute("distance from the roller's centre [m]", 0.1, height, 1e-9),
        Comparison::absolute("speed of the bead [m/s]", 0.0, simulation.bodies().twist(1).norm(), 1e-9),
    ])
}
