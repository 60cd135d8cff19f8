//! Springs, wires and coupled motions against closed forms, and ties that go on from a snapshot with the same
//! bits.

use crate::common::*;
use drystone::*;
use std::f64::consts::TAU;

/// Takes so many steps.
fn steps<const D: usize>(simulation: &mut Simulation<D>, count: usize) {
    for _ in 0..count {
        simulation.step();
    }
}

/// A mass of 1 kg on a vertical spring that begins without force; height over time in closed form.
fn hanging(stiffness: f64, damping: f64, step: f64, theta: f64) -> Simulation<2> {
    let mut rig = Rig::<2>::new(step);
    rig.settings.theta = theta;
    let mass = rig.body(Vector::<2>::new(0.0, -1.0), &[0.1]);
    let kind = Kind::Spring { length: 1.0, elasticity: Elasticity { stiffness, damping } };
    rig.between(kind, [Some(mass), None], [Vector::<2>::new(0.0, -1.0), Vector::<2>::zeros()]);
    rig.build()
}

#[test]
fn a_mass_on_a_spring_oscillates_as_in_the_textbook() {
    let (k, step) = (40.0_f64, 1e-3);
    let mut simulation = hanging(k, 0.0, step, 0.5);
    let (w, mut worst) = (k.sqrt(), 0.0_f64);
    for _ in 0..3000 {
        simulation.step();
        let expected = -1.0 - G / k * (1.0 - (w * simulation.time()).cos());
        worst = worst.max((simulation.bodies().pose[0].position[1] - expected).abs());
    }
    assert!(worst < 2e-5 * G / k * w * 3.0, "{worst}");
    let energy = simulation.energy();
    // the spring keeps what it is given: nothing is lost, nothing comes from nowhere
    assert!(energy.balance_error < 1e-12 && energy.viscosity == 0.0, "{energy:?}");
    assert!(energy.scheme.abs() < 1e-12, "{energy:?}");
    let total = energy.kinetic + energy.potential + energy.stored;
    assert!(total.abs() < 1e-12, "{total}");
}

#[test]
fn a_damped_spring_comes_to_rest_as_in_the_textbook() {
    let (k, c, step) = (40.0_f64, 2.0, 1e-3);
    let mut simulation = hanging(k, c, step, 0.5);
    let w = (k - 0.25 * c * c).sqrt();
    let mut worst = 0.0_f64;
    for _ in 0..10_000 {
        simulation.step();
        let t = simulation.time();
        let decay = (-0.5 * c * t).exp() * ((w * t).cos() + 0.5 * c / w * (w * t).sin());
        let expected = -1.0 - G / k * (1.0 - decay);
        worst = worst.max((simulation.bodies().pose[0].position[1] - expected).abs());
    }
    assert!(worst < 1e-5, "{worst}");
    let energy = simulation.energy();
    // half of the work of gravity is stored in the end, the other half is gone
    let lost = 0.5 * G * G / k;
    assert!((energy.viscosity - lost).abs() < 1e-3 * lost, "{energy:?}");
    assert!((energy.stored - lost).abs() < 1e-3 * lost && energy.balance_error < 1e-12, "{energy:?}");
    let view = simulation.ties().next().unwrap();
    assert!(
        (view.tension - G).abs() < 0.01 * G && (view.elongation - G / k).abs() < 0.01 * G / k,
        "{view:?}"
    );
}

#[test]
fn the_books_balance_with_theta_one_and_where_springs_swing_round() {
    for theta in [0.5, 0.7, 1.0] {
        let mut simulation = hanging(40.0, 0.5, 2e-3, theta);
        steps(&mut simulation, 1000);
        assert!(simulation.energy().balance_error < 1e-12, "{theta}: {:?}", simulation.energy());
    }
    // an elastic pendulum: the way along the spring is no straight line
    let drift = |step: f64| {
        let mut rig = Rig::<2>::new(step);
        let mass = rig.body(Vector::<2>::new(1.0, 0.0), &[0.1]);
        let elasticity = Elasticity { stiffness: 60.0, damping: 0.0 };
        let ends = [Vector::<2>::new(1.0, 0.0), Vector::<2>::zeros()];
        rig.between(Kind::Spring { length: 1.0, elasticity }, [Some(mass), None], ends);
        let mut simulation = rig.build();
        let mut worst = 0.0_f64;
        for _ in 0..(4.0 / step) as usize {
            simulation.step();
            let energy = simulation.energy();
            assert!(energy.balance_error < 1e-12, "{energy:?}");
            worst = worst.max(energy.scheme.abs());
        }
        worst
    };
    let (coarse, fine) = (drift(4e-3), drift(2e-3));
    assert!(coarse < 2e-3 && coarse / fine > 3.5, "{coarse} {fine}");
}

#[test]
fn a_torsion_spring_counts_its_turns() {
    // no gravity: the angle goes as A sin(ω t), more than a whole turn
    let (k, inertia, amplitude) = (3.0_f64, 0.2_f64, 10.0);
    let w = (k / inertia).sqrt();
    let mut rig = Rig::<2>::new(5e-4);
    rig.settings.gravity = Vector::zeros();
    let body = rig.body(Vector::<2>::zeros(), &[inertia]);
    rig.bodies.velocity[0][2] = amplitude * w;
    let elasticity = Elasticity { stiffness: k, damping: 0.0 };
    let (bodies, kind) = ([Some(body), None], Kind::Torsion { elasticity });
    rig.ties.push(Tie::at("spring", kind, bodies, &Pose::identity(), &rig.bodies.pose));
    rig.joint(Joint::Pin, bodies, Pose::identity());
    let mut simulation = rig.build();
    for _ in 0..4000 {
        simulation.step();
        let angle = simulation.ties().next().unwrap().elongation;
        let expected = amplitude * (w * simulation.time()).sin();
        assert!((angle - expected).abs() < 1e-4 * amplitude, "{angle} {expected}");
    }
    assert!(simulation.energy().balance_error < 1e-12);
}

/// A mass of 1 kg that hangs on a wire and is let go, from so far above where the wire is taut.
fn on_a_wire(above: f64, stiffness: Option<f64>, strength: Option<f64>) -> Simulation<3> {
    let mut rig = Rig::<3>::new(1e-3);
    let place = Vector::<3>::new(0.0, 0.0, -1.0 + above);
    let mass = rig.body(place, &[0.1, 0.1, 0.1]);
    let elasticity = stiffness.map(|stiffness| Elasticity { stiffness, damping: 0.0 });
    rig.between(Kind::Wire { length: 1.0, elasticity }, [Some(mass), None], [place, Vector::<3>::zeros()]);
    rig.ties[0].strength = strength;
    rig.build()
}

#[test]
fn a_wire_pulls_and_does_not_push() {
    let mut simulation = on_a_wire(0.2, None, None);
    let fall = (0.4_f64 / G).sqrt();
    while simulation.time() < 2.0 * fall {
        simulation.step();
        let view = simulation.ties().next().unwrap();
        assert!(view.tension >= 0.0 && view.elongation < 1e-12, "{view:?}");
        if simulation.time() < 0.99 * fall {
            assert_eq!(view.tension, 0.0);
        }
    }
    let energy = simulation.energy();
    // what fell is stopped at once
    assert!((energy.shocks - 0.2 * G).abs() < 1e-2 * 0.2 * G, "{energy:?}");
    assert!(energy.balance_error < 1e-12);
    let view = simulation.ties().next().unwrap();
    assert!((view.tension - G).abs() < 1e-6 && view.elongation.abs() < 1e-9, "{view:?}");
}

#[test]
fn a_brittle_wire_breaks_at_its_strength() {
    // let go at once, a weight on an elastic wire pulls with twice its force
    let breaks = |stiffness: Option<f64>, strength: f64| {
        let mut simulation = on_a_wire(0.0, stiffness, Some(strength));
        let mut broken = 0;
        for _ in 0..2000 {
            broken += simulation.step().broken;
            assert!(simulation.energy().balance_error < 1e-10, "{:?}", simulation.energy());
        }
        let view = simulation.ties().next().unwrap();
        assert_eq!(view.broken, broken == 1);
        assert_eq!(view.broken, simulation.bodies().velocity[0][2] < -5.0);
        if view.broken && stiffness.is_some() {
            assert!(simulation.energy().cohesion > 0.0 && simulation.energy().stored.abs() < 1e-12);
        }
        broken
    };
    assert_eq!(breaks(Some(500.0), 1.99 * G), 1);
    assert_eq!(breaks(Some(500.0), 2.01 * G), 0);
    assert_eq!(breaks(None, 0.999 * G), 1);
    assert_eq!(breaks(None, 1.001 * G), 0);
}

#[test]
fn gears_turn_by_their_ratio() {
    let (radii, inertias, moment) = ([0.1, 0.25], [0.02, 0.3], 0.7);
    let mut rig = Rig::<2>::new(1e-3);
    let ends = [Vector::<2>::zeros(), Vector::<2>::new(0.35, 0.0)];
    let gears = [0, 1].map(|side| rig.body(ends[side], &[inertias[side]]));
    for (gear, end) in gears.into_iter().zip(ends) {
        rig.joint(Joint::Pin, [Some(gear), None], Pose::at(end));
    }
    rig.bodies.load[0][2] = moment;
    let coefficients = radii.map(|radius| [0.0, 0.0, radius].into());
    let kind = Kind::Coupled { coefficients };
    rig.ties.push(Tie::at("gears", kind, gears.map(Some), &Pose::identity(), &rig.bodies.pose));
    let mut simulation = rig.build();
    for _ in 0..2000 {
        simulation.step();
        let v = &simulation.bodies().velocity;
        assert!((radii[0] * v[0][2] + radii[1] * v[1][2]).abs() < 1e-12 * v[0][2].abs());
    }
    let ratio = radii[0] / radii[1];
    let expected = moment / (inertias[0] + inertias[1] * ratio * ratio);
    let found = simulation.bodies().velocity[0][2] / simulation.time();
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    let angles = [0, 1].map(|side| simulation.bodies().pose[side].angle());
    // whole turns of either gear are multiples of a fifth of a turn of the large one
    let fifth = TAU / 5.0;
    let off = (ratio * angles[0] + angles[1]).rem_euclid(fifth);
    assert!(off.min(fifth - off) < 1e-9, "{off}");
    assert!(simulation.energy().balance_error < 1e-12);
}

#[test]
fn a_rack_moves_with_its_gear_in_space() {
    // the gear turns about y, the rack slides along x: v = ω r
    let radius = 0.2;
    let mut rig = Rig::<3>::new(1e-3);
    let gear = rig.body(Vector::<3>::zeros(), &[0.05, 0.05, 0.05]);
    let rack = rig.body(Vector::<3>::new(0.0, 0.0, radius), &[0.1, 0.1, 0.1]);
    rig.bodies.pose[0].orientation = Orientation::from_euler_angles(0.4, -0.9, 2.2);
    let hinge = Orientation::from_euler_angles(-std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    rig.joint(Joint::Hinge, [Some(gear), None], Pose { position: Vector::zeros(), orientation: hinge });
    let slide = Orientation::from_euler_angles(0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let at = Pose { position: Vector::<3>::new(0.0, 0.0, radius), orientation: slide };
    rig.joint(Joint::Slider, [Some(rack), None], at);
    rig.bodies.load[1][0] = 2.0;
    let mut coefficients = [PerDof::zeros(); 2];
    coefficients[0][4] = radius;
    coefficients[1][0] = -1.0;
    let kind = Kind::Coupled { coefficients };
    let bodies = [Some(gear), Some(rack)];
    rig.ties.push(Tie::at("rack", kind, bodies, &Pose::identity(), &rig.bodies.pose));
    let mut simulation = rig.build();
    steps(&mut simulation, 500);
    let expected = 2.0 / (1.0 + 0.05 / (radius * radius)) * simulation.time();
    let found = simulation.bodies().velocity[1][0];
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn ties_go_on_from_a_snapshot_with_the_same_bits() {
    let build = || {
        let mut rig = Rig::<3>::new(2e-3);
        let a = rig.body(Vector::<3>::new(0.5, 0.0, 0.0), &[0.02, 0.03, 0.04]);
        let b = rig.body(Vector::<3>::new(1.2, 0.1, 0.0), &[0.02, 0.03, 0.04]);
        rig.joint(Joint::Hinge, [Some(a), None], Pose::identity());
        rig.joint(Joint::Pin, [Some(a), Some(b)], Pose::at(Vector::<3>::new(0.8, 0.0, 0.0)));
        let elasticity = Elasticity { stiffness: 30.0, damping: 0.1 };
        let ends = [Vector::<3>::new(1.2, 0.1, 0.0), Vector::<3>::new(1.0, 1.0, 1.0)];
        rig.between(Kind::Spring { length: 1.0, elasticity }, [Some(b), None], ends);
        rig.between(Kind::Wire { length: 1.6, elasticity: None }, [Some(b), None], ends);
        rig.ties[3].strength = Some(60.0);
        let at = Pose::at(Vector::<3>::zeros());
        let kind = Kind::Torsion { elasticity: Elasticity { stiffness: 0.5, damping: 0.0 } };
        rig.ties.push(Tie::at("torsion", kind, [Some(a), Some(b)], &at, &rig.bodies.pose));
        rig.build()
    };
    let mut whole = build();
    steps(&mut whole, 150);
    let snapshot = whole.snapshot();
    steps(&mut whole, 300);
    let mut resumed = build();
    resumed.restore(snapshot).unwrap();
    steps(&mut resumed, 300);
    assert_eq!(whole.state_hash(), resumed.state_hash());
    assert_eq!(whole.snapshot(), resumed.snapshot());
    assert!(whole.energy().balance_error < 1e-8, "{:?}", whole.energy());
}

#[test]
fn ties_that_make_no_sense_are_refused() {
    let refuse = |change: fn(&mut Tie<2>)| {
        let mut rig = Rig::<2>::new(1e-3);
        let body = rig.body(Vector::<2>::zeros(), &[0.1]);
        let ends = [Vector::<2>::zeros(), Vector::<2>::new(1.0, 0.0)];
        rig.between(Kind::Wire { length: 1.0, elasticity: None }, [Some(body), None], ends);
        change(&mut rig.ties[0]);
        let simulation = Simulation::new(rig.settings, rig.bodies, Vec::new(), Laws::new(1)).unwrap();
        simulation.with_ties(rig.ties).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refuse(|_| {}), "");
    assert!(refuse(|tie| tie.bodies = [None, None]).contains("same body at both ends"));
    assert!(refuse(|tie| tie.bodies[1] = Some(BodyId(7))).contains("there are only 1 bodies"));
    assert!(refuse(|tie| tie.strength = Some(0.0)).contains("strength"));
    assert!(refuse(|tie| tie.kind = Kind::Rod { length: f64::NAN }).contains("length"));
    assert!(refuse(|tie| tie.local[0].position[0] = f64::INFINITY).contains("place"));
    let no_spring = |tie: &mut Tie<2>| {
        let elasticity = Elasticity { stiffness: 0.0, damping: 0.0 };
        tie.kind = Kind::Spring { length: 1.0, elasticity };
    };
    assert!(refuse(no_spring).contains("stiffness or damping"));
}
