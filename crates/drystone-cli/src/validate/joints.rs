//! Universal joints, screws, racks, and friction and stops in joints against closed forms, with the scenes of
//! `scenes/ties`.

use super::spin::world_spin;
use super::{Comparison, plane, scene, space};
use crate::failure::Failure;
use drystone::{Simulation, TieView};
use drystone_math::nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

const G: f64 = 9.81;

/// The text of a scene of `scenes/ties`.
macro_rules! tied {
    ($name:literal) => {
        scene(include_str!(concat!("../../../../scenes/ties/", $name, ".toml")))
    };
}

/// What a tie shows.
fn seen<const D: usize>(simulation: &Simulation<D>, tie: usize, of: impl Fn(&TieView<D>) -> f64) -> f64 {
    simulation.ties().nth(tie).map_or(f64::NAN, |view| of(&view))
}

/// Cardan's joint between shafts at an angle β: `tan θ₂ = cos β tan θ₁`, ratio of the spins
/// `cos β/(1 − sin²β sin²θ₁)`.
pub fn universal() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("universal")?;
    let mut simulation = space(&scene)?;
    let (cosine, sine) = (0.5_f64.cos(), 0.5_f64.sin());
    let (mut off, mut ratio) = (0.0_f64, 0.0_f64);
    let start = simulation.bodies().pose[1].orientation;
    for _ in 0..scene.steps() {
        simulation.step();
        let angle = TAU * simulation.time();
        let expected = (cosine * angle.sin()).atan2(angle.cos());
        let turn = (start.inverse() * simulation.bodies().pose[1].orientation).into_inner();
        let found = 2.0 * turn.k.atan2(turn.w);
        off = off.max(((found - expected + PI).rem_euclid(TAU) - PI).abs());
        let spins = cosine / (1.0 - (sine * angle.sin()).powi(2));
        ratio = ratio.max((simulation.bodies().velocity[1][5] / TAU - spins).abs());
    }
    Ok(vec![
        Comparison::absolute("output shaft off its angle [rad]", 0.0, off, 2e-5),
        Comparison::absolute("ratio of the spins off", 0.0, ratio, 2e-5),
    ])
}

/// A nut that runs down its screw: `a = m g/(m + I/ℓ²)`, ℓ = p/2π; one that is held by `m g ℓ`; with friction
/// `a = g m ℓ (ℓ − μ ρ)/(I + m ℓ (ℓ − μ ρ))` down to a stop, and none from `μ ρ = ℓ` on. A pinion drives a
/// rack, a wheel rolls on one.
pub fn screws_and_racks() -> Result<Vec<Comparison>, Failure> {
    let screw = tied!("screw")?;
    let mut simulation = space(&screw)?;
    let mut rubbed = [f64::NAN; 2];
    for _ in 0..screw.steps() {
        simulation.step();
        if rubbed[0].is_nan() && simulation.time() > 1.0 - 1e-9 {
            rubbed = [simulation.time(), simulation.bodies().pose[2].position[2]];
        }
    }
    let (mass, inertia, lead) = (2.0, 0.01, 0.05 / TAU);
    let way = 0.5 * mass * G / (mass + inertia / (lead * lead)) * simulation.time().powi(2);
    let bodies = simulation.bodies();
    let drives = mass * lead * (lead - 0.3 * 0.02);
    let rubs = -0.5 * G * drives / (inertia + drives) * rubbed[0].powi(2);
    let locked = bodies.pose[3].position[2];
    let stopped = seen(&simulation, 2, |view| view.coordinate);
    let (nut, held) = (bodies.pose[0].position[2], bodies.pose[1].position[2]);
    let spun = bodies.velocity[0][2] / bodies.velocity[0][5];
    let moment = seen(&simulation, 1, |view| view.moment[2]);
    let rack = tied!("rack")?;
    let mut simulation = plane(&rack)?;
    super::run_through(&rack, &mut simulation);
    let velocity = &simulation.bodies().velocity;
    let (t, pulled) = (simulation.time(), 0.3 / (1.0 + 0.02 / 0.01));
    Ok(vec![
        Comparison::relative("nut on a screw: way [m]", -way, nut, 1e-6),
        Comparison::relative("nut: way for a radian [m]", lead, spun, 1e-9),
        Comparison::absolute("nut that is held: way [m]", 0.0, held, 1e-9),
        Comparison::relative("moment of its screw [N m]", -mass * G * lead, moment, 1e-9),
        Comparison::relative("nut on a rough screw: way [m]", rubs, rubbed[1], 1e-6),
        Comparison::absolute("the same at its stop: turn [rad]", -6.0, stopped, 1e-6),
        Comparison::absolute("nut on a screw that locks: way [m]", 0.0, locked, 1e-9),
        Comparison::relative("pinion: spin [rad/s]", 0.2 * t / (0.02 + 2.0 * 0.01), velocity[0][2], 1e-9),
        Comparison::relative("rack: speed [m/s]", 0.1 * velocity[0][2], velocity[1][0], 1e-9),
        Comparison::relative("wheel pulled along a rack: speed [m/s]", pulled * t, velocity[2][0], 1e-9),
        Comparison::relative("its spin [rad/s]", -pulled * t / 0.1, velocity[2][2], 1e-9),
    ])
}

/// A wheel runs out on its pin: `α = μ ρ m g/I`; blocks on rails down a slope; a collar on a bar.
pub fn joint_friction() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("joint-friction")?;
    let mut simulation = plane(&scene)?;
    super::run_through(&scene, &mut simulation);
    let t = simulation.time();
    let slowing = 0.3 * 0.05 * G / 0.02;
    let slid = 0.5 * G * (0.3_f64.sin() - 0.2 * 0.3_f64.cos()) * t * t;
    let bodies = simulation.bodies();
    let spins = [0, 3].map(|body: usize| bodies.velocity[body][2].abs());
    let turned = bodies.velocity[4][2];
    let [along, stuck] = [1, 2].map(|tie| seen(&simulation, tie, |view| view.coordinate));
    // turns of the wheel that runs out, from its pose
    let angle = simulation.bodies().pose[0].angle();
    let rest = 10.0 * 10.0 / (2.0 * slowing);
    let off = (angle - rest + PI).rem_euclid(TAU) - PI;
    let collar = tied!("collar")?;
    let mut space = space(&collar)?;
    super::run_through(&collar, &mut space);
    let stop = 5.0_f64.sqrt() / (0.3 * G);
    let door = 3.0 * 3.0 / (2.0 * (0.4 * 0.02 * 2.0 * G + 0.1) / 0.05);
    let x = space.bodies().pose[0].position[0];
    let hinge = seen(&space, 1, |view| view.coordinate);
    let spin = space.bodies().twist(0).norm();
    Ok(vec![
        Comparison::absolute("wheel that ran out: spin left [rad/s]", 0.0, spins[0], 1e-9),
        Comparison::absolute("the same: off its angle [rad]", 0.0, off, 1e-3),
        Comparison::relative("block on a rail: way [m]", slid, along, 1e-6),
        Comparison::absolute("block that sticks: way [m]", 0.0, stuck, 1e-9),
        Comparison::absolute("wheel held by friction: spin [rad/s]", 0.0, spins[1], 1e-9),
        Comparison::relative("wheel that turns against it: spin [rad/s]", 0.1 / 0.02 * t, turned, 1e-6),
        Comparison::relative("collar on a bar: way [m]", 0.5 * stop, x, 1e-3),
        Comparison::absolute("collar: velocity left [m/s]", 0.0, spin, 1e-9),
        Comparison::relative("door on a rough hinge: turn [rad]", door, hinge, 1e-3),
    ])
}

/// A ball runs out in its socket: `α = μ ρ m g/I` about its own axis; the two pins of a cross slow their
/// turns down apart; pendulums lean on a cone, `M = F cos s − m g sin s` at 1 m, and on the two stops of a
/// cross.
pub fn sockets() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("sockets")?;
    let mut simulation = space(&scene)?;
    let slowing = 0.3 * 0.02 * G / 0.004;
    let (mut spun, mut apart) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        let t = simulation.time();
        let spin = |body: usize| world_spin(&simulation, body);
        let expected = (10.0 - slowing * t).max(0.0);
        spun = spun.max((spin(0) - Vector3::new(0.6, 0.0, 0.8) * expected).norm());
        // of the first axis, which turns about the second one, and of that
        let first = simulation.bodies().pose[3].orientation * Vector3::x();
        let rates = [first.dot(&spin(3)), spin(3)[1]];
        for (rate, begin) in rates.iter().zip([3.0, 4.0]) {
            apart = apart.max((rate - (begin - slowing * t).max(0.0)).abs());
        }
    }
    let t = simulation.time();
    let spin = |body: usize| world_spin(&simulation, body).norm();
    let at = |tie: usize| seen(&simulation, tie, |view| view.coordinate);
    let push = |tie: usize| seen(&simulation, tie, |view| view.stop);
    let bent = (0.3_f64.cos() * 0.2_f64.cos()).acos();
    let leans = 20.0 * 0.5_f64.cos() - G * 0.5_f64.sin();
    Ok(vec![
        Comparison::absolute("ball in a rough socket: spin off [rad/s]", 0.0, spun, 1e-6),
        Comparison::absolute("ball held in its socket: spin [rad/s]", 0.0, spin(1), 1e-9),
        Comparison::relative("ball turned against it: spin [rad/s]", 0.05 / 0.004 * t, spin(2), 1e-6),
        Comparison::absolute("cross: spins off [rad/s]", 0.0, apart, 1e-5),
        Comparison::relative("pendulum on a cone: angle [rad]", 0.5, at(4), 1e-6),
        Comparison::relative("moment of the cone [N m]", leans, -push(4), 1e-4),
        Comparison::relative("pendulum on a cross: bent by [rad]", bent, at(5), 1e-6),
    ])
}

/// A weight rests on a stop, one is thrown back to e² of its height, a wheel is stopped after turns, an arm
/// leans on a stop.
pub fn stops() -> Result<Vec<Comparison>, Failure> {
    let scene = tied!("stops")?;
    let mut simulation = plane(&scene)?;
    let mut peak = -1.0_f64;
    let lands = (2.0 * 0.5 / G).sqrt();
    let second = lands * (1.0 + 2.0 * 0.5);
    for _ in 0..scene.steps() {
        simulation.step();
        if simulation.time() > lands + 0.01 && simulation.time() < second {
            peak = peak.max(seen(&simulation, 1, |view| view.coordinate));
        }
    }
    let at = |tie: usize| seen(&simulation, tie, |view| view.coordinate);
    let push = |tie: usize| seen(&simulation, tie, |view| view.stop);
    Ok(vec![
        Comparison::relative("weight on a stop: place [m]", -0.5, at(0), 1e-9),
        Comparison::relative("push of the stop [N]", G, push(0), 1e-6),
        Comparison::absolute("height of the first bounce, e = 0.5 [m]", 0.125, peak + 0.5, 4e-3),
        Comparison::relative("wheel stopped after turns: angle [rad]", 31.0, at(2), 1e-9),
        Comparison::relative("arm on a stop: angle [rad]", -1.0, at(3), 1e-9),
        Comparison::relative("moment of the stop [N m]", 0.5 * G * 1.0_f64.cos(), push(3), 1e-6),
    ])
}
