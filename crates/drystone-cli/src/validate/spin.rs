//! Bodies that turn under contacts and joints, and a body with products of inertia, against equations of
//! motion that are integrated here by Runge and Kutta's method, and against what nothing may change.

use super::{Comparison, run_through, scene, space};
use crate::failure::Failure;
use drystone::{Simulation, Vector};
use drystone_math::Orientation;
use drystone_math::nalgebra::{Matrix3, Vector3, Vector4};
use std::f64::consts::{PI, TAU};

const G: f64 = 9.81;

/// One step of Runge and Kutta's method of fourth order.
fn runge_kutta<const K: usize>(y: &Vector<K>, h: f64, rate: impl Fn(&Vector<K>) -> Vector<K>) -> Vector<K> {
    let k1 = rate(y);
    let k2 = rate(&(y + k1 * (0.5 * h)));
    let k3 = rate(&(y + k2 * (0.5 * h)));
    let k4 = rate(&(y + k3 * h));
    y + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
}

/// Spin of a body in world axes.
pub(super) fn world_spin(simulation: &Simulation<3>, body: usize) -> Vector3<f64> {
    let bodies = simulation.bodies();
    bodies.pose[body].orientation * bodies.twist(body).spin()
}

/// Angular momentum of the free bodies about the origin.
fn angular_momentum(simulation: &Simulation<3>) -> Vector3<f64> {
    let bodies = simulation.bodies();
    let of = |body: usize| {
        let (pose, velocity, mass) = (&bodies.pose[body], &bodies.twist(body), &bodies.mass[body]);
        let moment = mass.spin().component_mul(&velocity.spin());
        pose.position.cross(&velocity.linear()) * mass[0] + pose.orientation * moment
    };
    (0..bodies.len()).filter(|&body| !bodies.is_driven(body)).map(of).sum()
}

/// Tilt, its rate and azimuth of Lagrange's top, as rates: `I₁ θ̈ = sin θ (I₁ φ̇² cos θ − I₃ ω₃ φ̇ + m g l)`,
/// with `φ̇` from the angular momentum about the vertical.
fn lagrange(y: &Vector<3>) -> Vector<3> {
    let (i1, i3, length, spin, start) = (0.016, 0.01, 0.1, 60.0, 0.6_f64);
    let (sin, cos) = y[0].sin_cos();
    let precession = i3 * spin * (start.cos() - cos) / (i1 * sin * sin);
    let bend = sin * (i1 * precession * precession * cos - i3 * spin * precession + G * length) / i1;
    Vector::<3>::new(y[1], bend, precession)
}

/// Largest angle by which the axis of the top is off that of the equations, and how far it nods \[rad\].
fn nod(step: f64) -> Result<[f64; 2], Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/nutation.toml"))?;
    scene.time.step = step;
    let mut simulation = space(&scene)?;
    let mut y = Vector::<3>::new(0.6, 0.0, 0.0);
    let (mut off, mut nod) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        for _ in 0..20 {
            y = runge_kutta(&y, step / 20.0, lagrange);
        }
        let axis = simulation.bodies().pose[0].orientation * Vector3::z();
        let (tilt, azimuth) = (y[0], y[2]);
        let expected = Vector3::new(tilt.sin() * azimuth.cos(), tilt.sin() * azimuth.sin(), tilt.cos());
        off = off.max(axis.cross(&expected).norm());
        nod = nod.max(axis[2].acos() - 0.6);
    }
    Ok([off, nod])
}

/// Lagrange's top with nutation, at three time steps.
pub fn nutation() -> Result<Vec<Comparison>, Failure> {
    let [coarse, middle, fine] = [nod(1e-3)?, nod(5e-4)?, nod(2.5e-4)?];
    // released at the bound of the motion: (cos θ₀ − u) [2 I₁ m g l (1 − u²) − (I₃ ω₃)² (cos θ₀ − u)] = 0
    let past = |tilt: f64| {
        let (u, i1, a) = (tilt.cos(), 0.016, 0.6_f64);
        Ok(2.0 * i1 * G * 0.1 * (1.0 - u * u) < a * a * (0.6_f64.cos() - u))
    };
    let deepest = super::threshold(0.6, 1.0, 1e-12, past)? - 0.6;
    Ok(vec![
        Comparison::absolute("axis off in 2 s, step 1 ms [rad]", 0.0, coarse[0], 5e-4),
        Comparison::absolute("step 0.5 ms [rad]", 0.0, middle[0], 1.25e-4),
        Comparison::absolute("step 0.25 ms [rad]", 0.0, fine[0], 3.2e-5),
        Comparison::absolute("order", 2.0, (coarse[0] / fine[0]).log2() / 2.0, 0.1),
        Comparison::relative("amplitude [rad]", deepest, fine[1], 1e-3),
    ])
}

/// Euler's disk: how fast its lowest point runs round.
pub fn euler_disk() -> Result<Vec<Comparison>, Failure> {
    let (radius, half, tilt) = (0.1, 0.5e-3, 0.3_f64);
    let (across, along) = ((3.0 * radius * radius + 4.0 * half * half) / 12.0, 0.5 * radius * radius);
    let arm = radius * tilt.cos() - half * tilt.sin();
    let turned = (across * radius * tilt.cos() - along * half * tilt.sin()) * tilt.sin() / radius;
    let expected = (G * arm / turned).sqrt();
    let run = |step: f64| -> Result<[f64; 2], Failure> {
        let mut scene = scene(include_str!("../../../../scenes/validation/euler-disk.toml"))?;
        scene.time.step = step;
        let mut simulation = space(&scene)?;
        let (mut round, mut last, mut fallen) = (0.0, 0.0_f64, 0.0_f64);
        for _ in 0..scene.steps() {
            simulation.step();
            let axis = simulation.bodies().pose[0].orientation * Vector3::z();
            let angle = axis[1].atan2(axis[0]);
            round += (angle - last + PI).rem_euclid(TAU) - PI;
            last = angle;
            fallen = fallen.max((axis[2].acos() - tilt).abs());
        }
        Ok([round / simulation.time(), fallen])
    };
    let [coarse, fine] = [run(1e-3)?, run(2.5e-4)?];
    Ok(vec![
        Comparison::relative("precession, step 1 ms [rad/s]", expected, coarse[0], 5e-3),
        Comparison::relative("precession, step 0.25 ms [rad/s]", expected, fine[0], 5e-4),
        Comparison::absolute("tilt off, step 0.25 ms [rad]", 0.0, fine[1], 1e-3),
    ])
}

/// What nothing may change: angular momentum of boxes on a joint and of boxes that collide, the vertical spin
/// of a ball.
pub fn kept() -> Result<Vec<Comparison>, Failure> {
    let jointed = scene(include_str!("../../../../scenes/validation/jointed-boxes.toml"))?;
    let mut simulation = space(&jointed)?;
    let (momentum, energy) = (angular_momentum(&simulation), simulation.energy().kinetic);
    let mut swing = 0.0_f64;
    for _ in 0..jointed.steps() {
        simulation.step();
        swing = swing.max((simulation.energy().kinetic / energy - 1.0).abs());
    }
    let turned = (angular_momentum(&simulation) - momentum).norm() / momentum.norm();
    let gained = simulation.energy().kinetic / energy - 1.0;

    let colliding = scene(include_str!("../../../../scenes/validation/colliding-boxes.toml"))?;
    let mut simulation = space(&colliding)?;
    let momentum = angular_momentum(&simulation);
    run_through(&colliding, &mut simulation);
    let struck = (angular_momentum(&simulation) - momentum).norm() / momentum.norm();
    let lost = simulation.energy().friction + simulation.energy().shocks;

    let ball = scene(include_str!("../../../../scenes/validation/spinning-ball.toml"))?;
    let mut simulation = space(&ball)?;
    run_through(&ball, &mut simulation);
    Ok(vec![
        Comparison::absolute("jointed boxes: angular momentum, relative", 0.0, turned, 1e-12),
        Comparison::absolute("jointed boxes: energy at worst, relative", 0.0, swing, 1e-4),
        Comparison::absolute("jointed boxes: energy after 3 s, relative", 0.0, gained, 1e-4),
        Comparison::absolute("colliding boxes: angular momentum, relative", 0.0, struck, 1e-12),
        Comparison::fact("colliding boxes: they collided", lost > 0.0),
        Comparison::absolute("ball: vertical spin [rad/s]", 10.0, world_spin(&simulation, 0)[2], 1e-12),
    ])
}

/// A free body with products of inertia against Euler's equations in the axes of its shape.
pub fn products() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/products.toml"))?;
    let mut simulation = space(&scene)?;
    let tensor = Matrix3::new(0.03, -0.006, 0.004, -0.006, 0.05, 0.01, 0.004, 0.01, 0.04);
    let inverse = tensor.try_inverse().unwrap_or_default();
    // spin, then the quaternion, scalar part first
    let rate = |y: &Vector<7>| -> Vector<7> {
        let (spin, w, v) = (Vector3::new(y[0], y[1], y[2]), y[3], Vector3::new(y[4], y[5], y[6]));
        let bent = -(inverse * spin.cross(&(tensor * spin)));
        let (dw, dv) = (-0.5 * v.dot(&spin), (spin * w + v.cross(&spin)) * 0.5);
        Vector::<7>::from([bent[0], bent[1], bent[2], dw, dv[0], dv[1], dv[2]])
    };
    let start = Orientation::new(Vector3::new(1.0, 2.0, 3.0).normalize() * 0.7);
    let q = start.quaternion();
    let mut y = Vector::<7>::from([3.0, -5.0, 4.0, q.w, q.i, q.j, q.k]);
    let (mut spin_off, mut turn_off) = (0.0_f64, 0.0_f64);
    for _ in 0..scene.steps() {
        simulation.step();
        y = runge_kutta(&y, scene.time.step, rate);
        let bodies = simulation.bodies();
        let own = bodies.own_axes[0];
        let spin = own * bodies.twist(0).spin();
        spin_off = spin_off.max((spin - y.fixed_rows::<3>(0)).norm());
        // where its corner is, by its contactor
        let local = simulation.contactors()[0].local;
        let turn = (bodies.pose[0].compose(&local)).orientation;
        let t = turn.quaternion();
        let found = Vector4::new(t.w, t.i, t.j, t.k);
        let expected = y.fixed_rows::<4>(3).into_owned();
        turn_off = turn_off.max((found - expected * found.dot(&expected).signum()).norm());
    }
    Ok(vec![
        Comparison::absolute("spin in the shape's axes off in 1 s [rad/s]", 0.0, spin_off, 1e-6),
        Comparison::absolute("orientation of the shape off, quaternion", 0.0, turn_off, 1e-6),
    ])
}
