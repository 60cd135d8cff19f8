//! Bodies that turn while contacts and joints act on them: angular momentum, energy, order of the scheme.
//! References are closed forms and equations of motion integrated here.

use crate::common::*;
use drystone::*;

type Space = Simulation<3>;

/// Angular momentum of the free bodies about the origin.
fn angular_momentum(s: &Space) -> Vector<3> {
    let bodies = s.bodies();
    let of = |body: usize| {
        let (pose, velocity, mass) = (&bodies.pose[body], &bodies.twist(body), &bodies.mass[body]);
        let moment = mass.spin().component_mul(&velocity.spin());
        pose.position.cross(&velocity.linear()) * mass[0] + pose.orientation * moment
    };
    (0..bodies.len()).filter(|&body| !bodies.is_driven(body)).map(of).sum()
}

/// Unit vector along the axis of the top with tilt and azimuth.
fn axis([tilt, azimuth]: [f64; 2]) -> Vector<3> {
    Vector::<3>::new(tilt.sin() * azimuth.cos(), tilt.sin() * azimuth.sin(), tilt.cos())
}

/// Lagrange's top of 1 kg: moments across (about the pivot) and along, length, spin about its axis, tilt at
/// its release.
const TOP: [f64; 5] = [0.016, 0.01, 0.1, 60.0, 0.6];

/// Tilt and azimuth of the top after a while: `I₁ θ̈ = sin θ (I₁ φ̇² cos θ − I₃ ω₃ φ̇ + m g l)`, with `φ̇`
/// from the angular momentum about the vertical, by Runge and Kutta's method in steps of 10 µs.
fn lagrange(time: f64) -> [f64; 2] {
    let [i1, i3, length, spin, tilt] = TOP;
    let rate = |[theta, omega, _]: [f64; 3]| {
        let (sin, cos) = theta.sin_cos();
        let precession = i3 * spin * (tilt.cos() - cos) / (i1 * sin * sin);
        let bend = sin * (i1 * precession * precession * cos - i3 * spin * precession + G * length) / i1;
        [omega, bend, precession]
    };
    let steps = (time / 1e-5).round();
    let h = time / steps;
    let mut y = [tilt, 0.0, 0.0];
    for _ in 0..steps as usize {
        let at = |k: [f64; 3], part: f64| std::array::from_fn(|i| y[i] + part * h * k[i]);
        let k1 = rate(y);
        let k2 = rate(at(k1, 0.5));
        let k3 = rate(at(k2, 0.5));
        let k4 = rate(at(k3, 1.0));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    [y[0], y[2]]
}

/// The same top on a ball joint.
fn top(step: f64, theta: f64) -> Space {
    let [i1, i3, length, spin, tilt] = TOP;
    let mut rig = Rig::<3>::new(step);
    rig.settings.theta = theta;
    let across = i1 - length * length;
    let body = rig.body(axis([tilt, 0.0]) * length, &[across, across, i3]);
    rig.bodies.pose[0].orientation = Orientation::from_euler_angles(0.0, tilt, 0.0);
    rig.bodies.velocity[0][5] = spin;
    rig.joint(Joint::Pin, [Some(body), None], Pose::identity());
    rig.build()
}

/// Largest angle between the axis of the top and that of the equations within a time.
fn astray(step: f64, theta: f64, time: f64) -> f64 {
    let mut s = top(step, theta);
    let mut worst = 0.0_f64;
    let looks = 40;
    let stride = (time / step / looks as f64).round() as usize;
    for _ in 0..looks {
        (0..stride).for_each(|_| {
            s.step();
        });
        let found = s.bodies().pose[0].orientation * Vector::<3>::new(0.0, 0.0, 1.0);
        worst = worst.max((found - axis(lagrange(s.time()))).norm());
    }
    worst
}

#[test]
fn the_nutation_of_lagranges_top_is_of_second_order() {
    let errors = [1e-3, 5e-4, 2.5e-4].map(|step| astray(step, 0.5, 2.0));
    println!("{errors:?}");
    assert!(errors[0] < 5e-4, "{errors:?}");
    assert!(errors[0] / errors[1] > 3.5 && errors[1] / errors[2] > 3.5, "{errors:?}");
}

#[test]
fn other_thetas_are_of_first_order() {
    let errors = [1e-3, 5e-4].map(|step| astray(step, 0.6, 0.5));
    println!("{errors:?}");
    assert!(errors[0] < 0.02 && errors[0] / errors[1] > 1.8, "{errors:?}");
}

#[test]
fn two_boxes_on_a_ball_joint_keep_their_angular_momentum_and_energy() {
    let mut rig = Rig::<3>::new(1e-3);
    rig.settings.gravity = Vector::zeros();
    let a = rig.body(Vector::<3>::new(0.0, 0.0, 0.0), &[0.02, 0.03, 0.04]);
    let b = rig.body(Vector::<3>::new(0.6, 0.1, 0.0), &[0.05, 0.02, 0.04]);
    rig.bodies.velocity[0].copy_from_slice(&[0.0, 0.0, 0.0, 3.0, -5.0, 7.0]);
    // the joint holds from the start
    rig.bodies.velocity[1].copy_from_slice(&[-1.25, 2.35, 0.0, -4.0, 6.0, 2.0]);
    rig.joint(Joint::Pin, [Some(a), Some(b)], Pose::at(Vector::<3>::new(0.3, 0.1, 0.05)));
    let mut s = rig.build();
    let (momentum, energy) = (angular_momentum(&s), s.energy().kinetic);
    let mut swing = 0.0_f64;
    for _ in 0..3000 {
        s.step();
        swing = swing.max((s.energy().kinetic / energy - 1.0).abs());
    }
    let change = (angular_momentum(&s) - momentum).norm() / momentum.norm();
    println!("{change:e} {swing:e}");
    assert!(change < 1e-12, "{change:e}");
    assert!(swing < 1e-4, "{swing:e}");
    assert!(s.energy().balance_error < 1e-12);
}

#[test]
fn colliding_boxes_keep_their_angular_momentum() {
    let mut b = Builder::<3>::new(1e-3);
    b.settings.gravity = Vector::zeros();
    let turn = Orientation::from_euler_angles(0.4, -0.9, 2.2);
    let velocities = [[1.0, 0.0, 0.0, 8.0, -3.0, 5.0], [-1.0, 0.1, 0.0, 2.0, 9.0, -4.0]];
    for (x, velocity) in [-0.4, 0.4].into_iter().zip(velocities) {
        let pose = Pose { position: Vector::<3>::new(x, 0.05 * x, 0.0), orientation: turn };
        let id = b.add(cuboid([0.5, 0.3, 0.2]), pose, Vector::<6>::from(velocity).into(), false);
        b.bodies.gyroscopic[id.0 as usize] = Gyroscopic::Implicit;
    }
    let mut s = b.build(Inelastic { friction: 0.4 });
    let start = angular_momentum(&s);
    let mut touched = 0;
    for _ in 0..600 {
        touched += u32::from(s.step().active > 0);
    }
    let change = (angular_momentum(&s) - start).norm() / start.norm();
    println!("{change:e} {touched}");
    assert!(touched > 0);
    assert!(change < 1e-12, "{change:e}");
    assert!(s.energy().balance_error < 1e-12);
}

#[test]
fn a_rolling_ball_keeps_its_vertical_spin() {
    // friction at the lowest point has no moment about the vertical
    let mut b = Builder::<3>::new(1e-3);
    b.ground();
    let velocity = Vector::<6>::new(1.0, 0.5, 0.0, 3.0, -20.0, 10.0);
    b.ball(0.1, Vector::<3>::new(0.0, 0.0, 0.1), velocity.into());
    let mut s = b.build(Inelastic { friction: 0.3 });
    let spin = |s: &Space| s.bodies().pose[1].orientation * s.bodies().twist(1).spin();
    let start = spin(&s);
    (0..2000).for_each(|_| {
        s.step();
    });
    let end = spin(&s);
    println!("{start} {end}");
    assert!((end[2] - start[2]).abs() < 1e-12, "{end}");
    assert!((end[0] - start[0]).abs() > 1.0, "it slid first: {end}");
}

/// Kinetic and potential energy and all that was dissipated, less what was brought in; all of it published.
fn sum(energy: &Energy) -> f64 {
    let Energy { kinetic, potential, friction, shocks, cohesion, viscosity, stored, scheme, .. } = *energy;
    let given = energy.drift + energy.loads + energy.drives + energy.gyroscopic;
    kinetic + potential + friction + shocks + cohesion + viscosity + stored + scheme - given
}

#[test]
fn the_energies_add_up_with_an_explicit_moment_and_with_a_driven_spin() {
    for (gyroscopic, driven) in [(Gyroscopic::Explicit, None), (Gyroscopic::Implicit, Some(7.0))] {
        let mut b = Builder::<3>::new(1e-3);
        b.ground();
        let pose = Pose::at(Vector::<3>::new(0.0, 0.0, 0.3));
        b.add(cuboid([0.5, 0.3, 0.2]), pose, Vector::<6>::new(0.1, 0.0, 0.0, 5.0, 7.0, -4.0).into(), false);
        b.bodies.gyroscopic[1] = gyroscopic;
        if let Some(spin) = driven {
            b.bodies.driven[1][4] = Some(spin);
            b.bodies.inverse_mass[1][4] = 0.0;
        }
        let mut s = b.build(Inelastic { friction: 0.4 });
        let start = s.energy().kinetic;
        (0..200).for_each(|_| {
            s.step();
        });
        let energy = s.energy();
        assert!(energy.gyroscopic.abs() > 1e-6 * start, "{energy:?}");
        assert!((sum(&energy) - start).abs() < 1e-12 * start, "{energy:?}");
    }
}

/// A disk of tilt `tilt` runs round on its rim while its centre stands still: `Ω² = 4 g/(R sin α)` without
/// thickness. With the arms `R` and `t/2` of the rim,
/// `Ω² = m g R (R cos α − t/2 sin α)/[(J₁ R cos α − J₃ t/2 sin α) sin α]`.
fn eulers_disk(step: f64, tilt: f64) -> f64 {
    let (radius, half) = (0.1, 0.5e-3);
    let mut b = Builder::<3>::new(step);
    b.ground();
    let pose = Pose {
        position: Vector::<3>::new(0.0, 0.0, radius * tilt.sin() + half * tilt.cos()),
        orientation: Orientation::from_euler_angles(0.0, tilt, 0.0),
    };
    b.add(Shape::Cylinder { radius, half_height: half }, pose, PerDof::zeros(), false);
    b.bodies.gyroscopic[1] = Gyroscopic::Implicit;
    let mass = b.bodies.mass[1];
    let arm = mass[0] * G * (radius * tilt.cos() - half * tilt.sin());
    let turned = (mass[3] * radius * tilt.cos() - mass[5] * half * tilt.sin()) * tilt.sin() / radius;
    let rate = (arm / turned).sqrt();
    b.bodies.velocity[1][3] = -rate * tilt.sin();
    b.bodies.velocity[1][5] = rate * tilt.sin() * half / radius;
    let mut s = b.build(Inelastic { friction: 1.0 });
    let (mut round, mut last) = (0.0, 0.0_f64);
    while s.time() < 0.5 {
        s.step();
        let axis = s.bodies().pose[1].orientation * Vector::<3>::new(0.0, 0.0, 1.0);
        let angle = axis[1].atan2(axis[0]);
        round +=
            (angle - last + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        last = angle;
    }
    (round / s.time() / rate - 1.0).abs()
}

#[test]
fn eulers_disk_precesses_with_an_error_of_second_order() {
    for tilt in [0.3, 0.8] {
        let errors = [1e-3, 5e-4].map(|step| eulers_disk(step, tilt));
        println!("{tilt}: {errors:?}");
        assert!(errors[0] < 1e-3 && errors[0] / errors[1] > 3.0, "{tilt}: {errors:?}");
    }
}
