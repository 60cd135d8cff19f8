//! Joints against the mechanics of the textbooks: closed forms of mechanisms, laws of conservation, and rows
//! of H against finite differences.

use crate::common::*;
use drystone::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Complete elliptic integral of the first kind, by the arithmetic–geometric mean.
fn elliptic(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// Period of a physical pendulum of 1 kg that is let go at an angle.
fn period(length: f64, inertia: f64, angle: f64) -> f64 {
    4.0 * elliptic((0.5 * angle).sin()) * ((inertia + length * length) / (G * length)).sqrt()
}

/// A pendulum of 1 kg, let go at an angle from hanging; pinned or on a rod.
fn pendulum(step: f64, length: f64, inertia: f64, angle: f64) -> Simulation<2> {
    let mut rig = Rig::<2>::new(step);
    let bob = rig.body(Vector::<2>::new(angle.sin(), -angle.cos()) * length, &[inertia]);
    rig.joint(Joint::Pin, [Some(bob), None], Pose::identity());
    rig.build()
}

#[test]
fn a_pendulum_swings_with_the_period_of_the_elliptic_integral_and_keeps_length_and_energy() {
    let (step, length, inertia, angle) = (2e-3, 0.7, 0.05, 2.0);
    let mut simulation = pendulum(step, length, inertia, angle);
    let start = simulation.energy();
    let expected = period(length, inertia, angle);
    let mut crossings = Vec::new();
    let mut before = simulation.bodies().pose[0].position[0];
    let (mut longest, mut fastest, mut swing) = (0.0_f64, 0.0_f64, 0.0_f64);
    while crossings.len() < 21 {
        simulation.step();
        let bodies = simulation.bodies();
        let now = bodies.pose[0].position[0];
        if before * now < 0.0 {
            crossings.push(simulation.time() - step * now / (now - before));
        }
        before = now;
        longest = longest.max((bodies.pose[0].position.norm() - length).abs());
        fastest = fastest.max(bodies.twist(0).norm());
        let energy = simulation.energy();
        swing = swing.max((energy.kinetic + energy.potential - start.kinetic - start.potential).abs());
        assert!(energy.balance_error < 1e-12);
    }
    let found = (crossings[20] - crossings[0]) / 10.0;
    assert!((found / expected - 1.0).abs() < 3e-5, "{found} {expected}");
    // middle configurations are off by three quarters of the curvature, ends of steps by half of it
    let expected = (step * fastest).powi(2) / (4.0 * length);
    assert!(longest < 1.1 * expected, "{longest} {expected}");
    assert!(swing < (step * fastest / length).powi(2) * G * length, "{swing}");
}

#[test]
fn a_joint_does_not_drift_and_its_error_is_of_second_order() {
    let worst = |step: f64| {
        let mut simulation = pendulum(step, 1.0, 0.05, 3.0);
        let mut worst = [0.0_f64; 2];
        let steps = (20.0 / step) as usize;
        for number in 0..steps {
            simulation.step();
            let off = simulation.ties().map(|view| view.elongation).fold(0.0, f64::max);
            worst[usize::from(2 * number > steps)] = worst[usize::from(2 * number > steps)].max(off);
        }
        worst
    };
    let ([early, late], [_, fine]) = (worst(4e-3), worst(2e-3));
    assert!(late < 1.05 * early, "{early} {late}");
    assert!(late / fine > 3.5 && late / fine < 4.2, "{late} {fine}");
    // the sagitta (h v)²/(8 R) of the way between two closed configurations
    assert!(fine < 1.1 * 4e-6 * 2.0 * G * (1.0 - 3.0_f64.cos()) / (8.0 * 1.05), "{fine}");
}

/// Four bars: the ground from (0, 0) to (1, 0), a driven crank, a coupler and a rocker. Gives the simulation,
/// the initial angle of the crank and where the coupler's point should be at a crank angle.
fn four_bar(step: f64, spin: f64) -> (Simulation<2>, f64, impl Fn(f64) -> Vector<2>) {
    let (ground, crank, coupler, rocker) = (1.0, 0.3, 0.9, 0.7);
    let at = move |angle: f64| {
        let a = Vector::<2>::new(angle.cos(), angle.sin()) * crank;
        let across = Vector::<2>::new(ground, 0.0) - a;
        let d = across.norm();
        let along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
        let up = (coupler * coupler - along * along).sqrt();
        let b = a + across / d * along + Vector::<2>::new(-across[1], across[0]) / d * up;
        [a, b]
    };
    let start = 0.4;
    let [a, b] = at(start);
    let mut rig = Rig::<2>::new(step);
    let bar = |rig: &mut Rig<2>, from: Vector<2>, to: Vector<2>| {
        let length = (to - from).norm();
        rig.body((from + to) * 0.5, &[length * length / 12.0])
    };
    let (origin, end) = (Vector::<2>::zeros(), Vector::<2>::new(ground, 0.0));
    let first = bar(&mut rig, origin, a);
    let second = bar(&mut rig, a, b);
    let third = bar(&mut rig, b, end);
    rig.bodies.driven[0][2] = Some(spin);
    rig.bodies.velocity[0][2] = spin;
    rig.bodies.inverse_mass[0][2] = 0.0;
    rig.joint(Joint::Pin, [Some(first), None], Pose::at(origin));
    rig.joint(Joint::Pin, [Some(first), Some(second)], Pose::at(a));
    rig.joint(Joint::Pin, [Some(second), Some(third)], Pose::at(b));
    rig.joint(Joint::Pin, [Some(third), None], Pose::at(end));
    let middle = move |angle: f64| {
        let [a, b] = at(angle);
        (a + b) * 0.5
    };
    (rig.build(), start, middle)
}

#[test]
fn a_four_bar_mechanism_follows_its_closed_form() {
    let whole = std::env::var_os("DRYSTONE_SLOW").is_some();
    let (step, spin) = (1e-3, TAU);
    let (mut simulation, start, coupler) = four_bar(step, spin);
    let steps = if whole { 100_000 } else { 3_000 };
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged, "{report:?}");
        let angle = start + spin * simulation.time();
        // the first steps set a mechanism that stood still in motion
        if simulation.time() > 0.01 {
            worst = worst.max((simulation.bodies().pose[1].position - coupler(angle)).norm());
        }
    }
    assert!(worst < 2e-5, "{worst}");
    assert!(simulation.energy().balance_error < 1e-8, "{:?}", simulation.energy());
}

#[test]
fn a_slider_crank_follows_its_closed_form() {
    let (crank, rod, spin, step) = (0.2, 0.6, 10.0, 5e-4);
    let place = |angle: f64| crank * angle.cos() + (rod * rod - (crank * angle.sin()).powi(2)).sqrt();
    let (a, b) = (Vector::<2>::new(crank, 0.0), Vector::<2>::new(place(0.0), 0.0));
    let mut rig = Rig::<2>::new(step);
    let first = rig.body(a * 0.5, &[0.01]);
    let second = rig.body((a + b) * 0.5, &[0.03]);
    let piston = rig.body(b, &[0.01]);
    rig.bodies.driven[0][2] = Some(spin);
    rig.bodies.velocity[0][2] = spin;
    rig.bodies.inverse_mass[0][2] = 0.0;
    // the axis of a slider is its last one: turned by a right angle it is x
    let along = Pose { position: b, orientation: Orientation::from_euler_angles(0.0, 0.0, -FRAC_PI_2) };
    rig.joint(Joint::Pin, [Some(first), None], Pose::identity());
    rig.joint(Joint::Pin, [Some(first), Some(second)], Pose::at(a));
    rig.joint(Joint::Pin, [Some(second), Some(piston)], Pose::at(b));
    rig.joint(Joint::Slider, [Some(piston), None], along);
    let mut simulation = rig.build();
    let (mut worst, mut off) = (0.0_f64, 0.0_f64);
    for _ in 0..3000 {
        simulation.step();
        let pose = &simulation.bodies().pose[2];
        if simulation.time() > 0.01 {
            worst = worst.max((pose.position[0] - place(spin * simulation.time())).abs());
        }
        off = off.max(pose.position[1].abs()).max(pose.angle().abs());
    }
    assert!(worst < 2e-5, "{worst}");
    assert!(off < 1e-9, "{off}");
}

#[test]
fn momenta_of_pinned_bodies_in_flight_are_conserved() {
    let mut rig = Rig::<2>::new(1e-3);
    rig.settings.gravity = Vector::zeros();
    let a = rig.body(Vector::<2>::new(0.0, 0.0), &[0.04]);
    let b = rig.body(Vector::<2>::new(1.0, 0.2), &[0.09]);
    rig.joint(Joint::Pin, [Some(a), Some(b)], Pose::at(Vector::<2>::new(0.4, 0.3)));
    rig.bodies.velocity[0].copy_from_slice(&[0.3, -0.2, 3.0]);
    rig.bodies.velocity[1].copy_from_slice(&[-0.1, 0.5, -4.0]);
    let mut simulation = rig.build();
    let momenta = |s: &Simulation<2>| {
        let bodies = s.bodies();
        (0..2).fold(Vector::<3>::zeros(), |sum, body| {
            let (x, v, m) = (bodies.pose[body].position, bodies.twist(body), bodies.mass[body]);
            let turning = m[0] * (x[0] * v[1] - x[1] * v[0]) + m[2] * v[2];
            sum + Vector::<3>::new(m[0] * v[0], m[0] * v[1], turning)
        })
    };
    let start = momenta(&simulation);
    for _ in 0..3000 {
        simulation.step();
    }
    assert!((momenta(&simulation) - start).norm() < 1e-12);
    assert!(simulation.energy().balance_error < 1e-12);
}

#[test]
fn a_top_on_a_ball_joint_precesses_as_it_should() {
    // steady precession: I₁ Ω² cos α − I₃ ω₃ Ω + m g l = 0, moments about the pivot
    let (length, spin, tilt) = (0.1, 50.0, 0.5_f64);
    let (across, along) = (0.006, 0.01);
    let (i1, i3) = (across + length * length, along);
    let b = i3 * spin;
    let precession = (b - (b * b - 4.0 * i1 * tilt.cos() * G * length).sqrt()) / (2.0 * i1 * tilt.cos());
    let axis = |angle: f64| Vector::<3>::new(tilt.sin() * angle.cos(), tilt.sin() * angle.sin(), tilt.cos());
    let mut rig = Rig::<3>::new(1e-4);
    let top = rig.body(axis(0.0) * length, &[across, across, along]);
    let turn = Orientation::from_euler_angles(0.0, tilt, 0.0);
    rig.bodies.pose[0].orientation = turn;
    let world = axis(0.0) * (spin - precession * tilt.cos()) + Vector::<3>::new(0.0, 0.0, precession);
    let own = turn.inverse() * world;
    let speed = world.cross(&(axis(0.0) * length));
    rig.bodies.velocity[0].copy_from_slice(&[speed[0], speed[1], speed[2], own[0], own[1], own[2]]);
    rig.joint(Joint::Pin, [Some(top), None], Pose::identity());
    let mut simulation = rig.build();
    let time = 1.0;
    let mut highest = 0.0_f64;
    while simulation.time() < time {
        simulation.step();
        let found = simulation.bodies().pose[0].position / length;
        highest = highest.max((found[2] - tilt.cos()).abs());
    }
    let found = simulation.bodies().pose[0].position / length;
    let angle = found[1].atan2(found[0]).rem_euclid(TAU);
    let expected = (precession * simulation.time()).rem_euclid(TAU);
    let off = (angle - expected + PI).rem_euclid(TAU) - PI;
    assert!(off.abs() < 0.01 * precession * time, "{angle} {expected}");
    assert!(highest < 0.01, "{highest}");
    assert!(simulation.energy().balance_error < 1e-8);
}

/// A frame whose last axis is x.
fn along_x(position: Vector<3>) -> Pose<3> {
    Pose { position, orientation: Orientation::from_euler_angles(0.0, FRAC_PI_2, 0.0) }
}

#[test]
fn a_hinge_lets_turn_about_its_axis_alone() {
    // a door under gravity about a horizontal axis x through the origin is a physical pendulum
    let (length, angle) = (0.5, 1.2_f64);
    let inertia = [0.03, 0.02, 0.04];
    let step = 1e-3;
    let mut rig = Rig::<3>::new(step);
    let place = Vector::<3>::new(0.3, angle.sin() * length, -angle.cos() * length);
    let door = rig.body(place, &inertia);
    rig.joint(Joint::Hinge, [Some(door), None], along_x(Vector::zeros()));
    let mut simulation = rig.build();
    let expected = period(length, inertia[0], angle);
    let mut crossings = Vec::new();
    let mut before = place[1];
    let mut off = 0.0_f64;
    while crossings.len() < 3 {
        simulation.step();
        let pose = &simulation.bodies().pose[0];
        let now = pose.position[1];
        if before * now < 0.0 {
            crossings.push(simulation.time() - step * now / (now - before));
        }
        before = now;
        let axis = pose.orientation * drystone::Vector::<3>::new(1.0, 0.0, 0.0);
        off = off.max((pose.position[0] - 0.3).abs()).max(axis[1].abs()).max(axis[2].abs());
    }
    let found = crossings[2] - crossings[0];
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    assert!(off < 1e-9, "{off}");
}

#[test]
fn sliders_slide_and_cylinders_turn_as_well() {
    // an axis tilted by a slope in the plane x, z
    let slope = 0.3_f64;
    let axis = Vector::<3>::new(slope.cos(), 0.0, -slope.sin());
    let turn = Orientation::from_euler_angles(0.0, FRAC_PI_2 + slope, 0.0);
    for joint in [Joint::Slider, Joint::Cylindrical] {
        let mut rig = Rig::<3>::new(1e-3);
        let body = rig.body(Vector::<3>::zeros(), &[0.01, 0.01, 0.03]);
        rig.bodies.pose[0].orientation = turn;
        // a spin about the axis, which is the body's third
        rig.bodies.velocity[0][5] = 20.0;
        let at = Pose { position: Vector::<3>::zeros(), orientation: turn };
        rig.joint(joint, [Some(body), None], at);
        let mut simulation = rig.build();
        for _ in 0..500 {
            simulation.step();
        }
        let t = simulation.time();
        let bodies = simulation.bodies();
        let expected = axis * (0.5 * G * slope.sin() * t * t);
        assert!((bodies.pose[0].position - expected).norm() < 1e-9, "{joint:?}");
        let free = if joint == Joint::Slider { 0.0 } else { 20.0 };
        assert!((bodies.velocity[0][5] - free).abs() < 1e-9, "{joint:?} {}", bodies.twist(0));
        let held = simulation.ties().map(|view| view.elongation.max(view.turned)).fold(0.0, f64::max);
        assert!(held < 1e-9, "{held}");
    }
}

#[test]
fn a_fixed_beam_shows_its_reaction() {
    let mut rig = Rig::<3>::new(1e-2);
    let beam = rig.body(Vector::<3>::new(0.5, 0.0, 0.0), &[0.01, 0.08, 0.08]);
    rig.joint(Joint::Fixed, [Some(beam), None], Pose::identity());
    let mut simulation = rig.build();
    for _ in 0..10 {
        simulation.step();
    }
    let view = simulation.ties().next().unwrap();
    assert!((view.force - Vector::<3>::new(0.0, 0.0, G)).norm() < 1e-9, "{view:?}");
    assert!((view.moment[1] + 0.5 * G).abs() < 1e-9, "{view:?}");
    assert!(simulation.bodies().twist(0).norm() < 1e-12);
}

/// Rows of H against finite differences of the errors.
fn check_rows<const D: usize>(rig: Rig<D>, spin: impl Fn(usize) -> f64) {
    let poses = rig.bodies.pose.clone();
    let simulation = rig.build();
    let dt = 1e-6;
    let velocities: Vec<PerDof<D>> =
        (0..poses.len()).map(|body| PerDof::from_fn(|i| spin(7 * body + i))).collect();
    let moved = |dt: f64| -> Vec<Pose<D>> {
        poses.iter().zip(&velocities).map(|(pose, v)| drystone_bulk::middle(pose, v, dt)).collect()
    };
    // off by a little, as ties are in a run
    let here = moved(1e-4);
    let [before, after] = [moved(1e-4 - dt), moved(1e-4 + dt)].map(|poses| simulation.tie_errors(&poses));
    let rows = simulation.tie_errors(&here);
    assert!(!rows.is_empty());
    for (row, (before, after)) in rows.iter().zip(before.iter().zip(&after)) {
        let rate = (after.error - before.error) / (2.0 * dt);
        let side = |side: usize| match velocities.get(row.bodies[side] as usize) {
            Some(velocity) => row.h[side].times(velocity),
            None => Vector::zeros(),
        };
        let given = side(0) + side(1);
        let held = if let Set::Bilateral { rows } = row.set { rows } else { 1 };
        for i in 0..held {
            assert!((given[i] - rate[i]).abs() < 2e-3, "{:?} component {i}: {given} {rate}", row.set);
        }
        assert!(rate.norm() > 0.0);
    }
}

#[test]
fn rows_of_ties_are_the_derivatives_of_their_errors() {
    let spin = |k: usize| ((k * 7919 % 1013) as f64 / 1013.0) - 0.5;
    let joints =
        [Joint::Fixed, Joint::Pin, Joint::Hinge, Joint::Slider, Joint::Cylindrical, Joint::Universal];
    let mut flat = Rig::<2>::new(1e-3);
    let a = flat.body(Vector::<2>::new(0.2, -0.4), &[0.1]);
    let b = flat.body(Vector::<2>::new(1.0, 0.3), &[0.1]);
    flat.bodies.pose[0].orientation = Orientation::from_euler_angles(0.0, 0.0, 0.7);
    let mut full = Rig::<3>::new(1e-3);
    full.body(Vector::<3>::new(0.2, -0.4, 0.3), &[0.1, 0.2, 0.3]);
    full.body(Vector::<3>::new(1.0, 0.3, -0.2), &[0.1, 0.2, 0.3]);
    full.bodies.pose[0].orientation = Orientation::from_euler_angles(0.4, -0.9, 2.2);
    full.bodies.pose[1].orientation = Orientation::from_euler_angles(-1.4, 0.5, 0.2);
    for pair in [[Some(a), Some(b)], [None, Some(b)], [Some(a), None]] {
        for joint in joints {
            let turn = Orientation::from_euler_angles(0.0, 0.0, 1.1);
            flat.joint(joint, pair, Pose { position: Vector::<2>::new(0.5, 0.6), orientation: turn });
            let orientation = Orientation::from_euler_angles(0.3, 1.1, -0.6);
            full.joint(joint, pair, Pose { position: Vector::<3>::new(0.5, 0.6, 0.1), orientation });
        }
        let (here, orientation) =
            (Vector::<3>::new(0.5, 0.6, 0.1), Orientation::from_euler_angles(0.3, 1.1, -0.6));
        let place = Pose { position: here, orientation };
        for kind in [Kind::Screw { pitch: -0.3 }, Kind::Rack { radius: 0.4 }] {
            full.ties.push(Tie::at("relation", kind, pair, &place, &full.bodies.pose));
        }
        let turn = Orientation::from_euler_angles(0.0, 0.0, 1.1);
        let flat_place = Pose { position: Vector::<2>::new(0.5, 0.6), orientation: turn };
        flat.ties.push(Tie::at("rack", Kind::Rack { radius: 0.4 }, pair, &flat_place, &flat.bodies.pose));
        for joint in [Joint::Hinge, Joint::Slider] {
            let stops = Some(Stops { range: [-0.5, 0.5], restitution: 0.0 });
            let tie = Tie::at("stopped", Kind::Joint(joint), pair, &place, &full.bodies.pose);
            full.ties.push(Tie { stops, ..tie });
            let tie = Tie::at("stopped", Kind::Joint(joint), pair, &flat_place, &flat.bodies.pose);
            flat.ties.push(Tie { stops, ..tie });
        }
        let stops = Some(Stops { range: [-0.5, 0.5], restitution: 0.0 });
        let cross = Tie::at("stopped", Kind::Joint(Joint::Universal), pair, &place, &full.bodies.pose);
        full.ties.push(Tie { stops, ..cross });
        let cone = Some(Stops { range: [0.0, 0.9], restitution: 0.0 });
        let mut ball = Tie::at("stopped", Kind::Joint(Joint::Pin), pair, &place, &full.bodies.pose);
        ball.local[0].orientation *= Orientation::from_euler_angles(0.3, 0.2, 0.0);
        full.ties.push(Tie { stops: cone, ..ball });
        for wire in [false, true] {
            let ends = [Vector::<2>::new(0.5, 0.6), Vector::<2>::new(-0.7, 0.1)];
            let far = [Vector::<3>::new(0.5, 0.6, 0.2), Vector::<3>::new(-0.7, 0.1, 0.9)];
            let length = (ends[0] - ends[1]).norm();
            flat.between(stretch(wire, length), pair, ends);
            full.between(stretch(wire, (far[0] - far[1]).norm()), pair, far);
        }
    }
    check_rows(flat, spin);
    check_rows(full, spin);
}

fn stretch<const D: usize>(wire: bool, length: f64) -> Kind<D> {
    if wire { Kind::Wire { length, elasticity: None } } else { Kind::Rod { length } }
}

/// A rod without weight goes round in its socket along the cone at which it stops: the cone turns it without
/// work, whatever the step, and it neither leaves it nor passes it by more than the square of its way.
#[test]
fn a_rod_goes_round_along_the_cone_of_its_socket() {
    let went = |step: f64| {
        let mut rig = Rig::<3>::new(step);
        rig.settings.gravity = Vector::zeros();
        let tilted = Orientation::from_euler_angles(0.5, 0.0, 0.0);
        let rod = rig.body(tilted * Vector::<3>::new(0.0, 0.0, 1.0), &[0.02, 0.02, 0.01]);
        rig.bodies.pose[0].orientation = tilted;
        let mut socket = Tie::at(
            "socket",
            Kind::Joint(Joint::Pin),
            [Some(rod), None],
            &Pose::identity(),
            &rig.bodies.pose,
        );
        socket.local[0].orientation = Orientation::identity();
        socket.stops = Some(Stops { range: [0.0, 0.5], restitution: 0.0 });
        rig.ties.push(socket);
        // round the vertical, without a spin about its own axis
        let spin = Vector::<3>::new(0.0, 0.0, 4.0);
        let across = spin - tilted * Vector::<3>::z() * spin.dot(&(tilted * Vector::<3>::z()));
        let velocity = across.cross(&rig.bodies.pose[0].position);
        let own = tilted.inverse() * across;
        let v = [velocity[0], velocity[1], velocity[2], own[0], own[1], own[2]];
        rig.bodies.velocity[0].copy_from_slice(&v);
        let mut simulation = rig.build();
        let start = simulation.energy().kinetic;
        let mut farthest = [f64::INFINITY, 0.0];
        for _ in 0..(1.0 / step) as usize {
            simulation.step();
            let s = simulation.ties().map(|view| view.coordinate).fold(0.0, f64::max);
            farthest = [farthest[0].min(s), farthest[1].max(s)];
        }
        (simulation.energy().kinetic / start - 1.0, farthest)
    };
    for step in [4e-3, 1e-3] {
        let (lost, [least, most]) = went(step);
        let way = (4.0 * step).powi(2);
        assert!(lost.abs() < 20.0 * 4.0 * step, "{step}: {lost:e}");
        assert!((0.5 - least).abs() < 2.0 * way && (most - 0.5).abs() < 2.0 * way, "{step}: {least} {most}");
    }
}
