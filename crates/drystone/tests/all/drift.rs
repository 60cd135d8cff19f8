//! Overlaps and the ways to be rid of them: what each leaves, and what it brings in.

use crate::common::*;
use drystone::*;

/// Deepest overlap now relative to the smaller body's radius, from a detection of its own.
fn deepest<const D: usize>(s: &Simulation<D>) -> f64 {
    let radius = |body: BodyId| s.bodies().radius[body.0 as usize];
    let size = |overlap: &Overlap| radius(overlap.bodies[0]).min(radius(overlap.bodies[1]));
    s.overlaps().iter().map(|overlap| overlap.depth / size(overlap)).fold(0.0, f64::max)
}

/// Steps a simulation; deepest overlap at the end of any step, and most rounds. Of many bodies it looks for
/// itself in every fifth step only, since that takes longer than the step.
fn run<const D: usize>(s: &mut Simulation<D>, steps: usize) -> (f64, u32) {
    let (mut deep, mut rounds) = (0.0_f64, 0);
    for step in 1..=steps {
        let report = s.step();
        if s.bodies().len() < 50 || step % 5 == 0 {
            deep = deep.max(deepest(s));
        }
        if let Some(done) = report.projection {
            assert_eq!(done.stuck, None, "{report:?}");
            assert_eq!(report.penetration, done.after);
            rounds = rounds.max(done.rounds);
        }
    }
    (deep, rounds)
}

/// A box that spins fast and falls on a floor of cobbles, with large steps. Its faces turn under the cobbles:
/// that is second order in the step, and velocities do not see it. (On a flat floor its corners turn away by
/// themselves.)
fn spinning_box(drift: Drift, step: f64) -> Simulation<2> {
    let mut b = Builder::<2>::new(step);
    b.settings.drift = drift;
    for i in -6..=6 {
        let place = Vector::<2>::new(0.37 * f64::from(i), -0.15);
        b.add(Shape::Ball { radius: 0.15 }, Pose::at(place), PerDof::zeros(), true);
    }
    let start = Pose::at(Vector::<2>::new(0.1, 0.8));
    b.add(rectangle([0.6, 0.3]), start, Vector::<3>::new(0.4, 0.0, 9.0).into(), false);
    b.build(Inelastic { friction: 0.4 })
}

#[test]
fn a_box_that_spins_on_a_floor_never_overlaps() {
    let left = run(&mut spinning_box(Drift::None, 1e-2), 200).0;
    assert!(left > 1e-5, "{left}");
    for step in [2e-2, 1e-2, 5e-3] {
        let mut s = spinning_box(Drift::Projection, step);
        let (deep, rounds) = run(&mut s, (2.0 / step) as usize);
        assert!(deep <= CLOSED && rounds <= 6, "{deep} in {rounds} rounds");
        assert!(s.energy().balance_error < 1e-8, "{:?}", s.energy());
    }
}

/// A plank of thickness 2e rocks on a fixed cylinder of radius R without sliding. A step turns it by δ = hω
/// about the contact, whereby its face sinks by R δ²/2; its centre goes straight on instead of round the
/// contact, which lifts it by e δ²/2. The overlap grows as ½ (R − e) h ∫ω² dt.
fn plank(drift: Drift, step: f64) -> Simulation<2> {
    let mut b = Builder::<2>::new(step);
    b.settings.drift = drift;
    b.add(Shape::Ball { radius: 0.5 }, Pose::at(Vector::<2>::new(0.0, -0.5)), PerDof::zeros(), true);
    let start = Pose::at(Vector::<2>::new(0.0, 0.05));
    b.add(rectangle([3.0, 0.1]), start, Vector::<3>::new(-0.05, 0.0, 1.0).into(), false);
    b.build(Inelastic { friction: 2.0 })
}

#[test]
fn a_plank_that_rocks_sinks_in_as_reckoned_or_not_at_all() {
    let sunk = |step: f64| {
        let mut s = plank(Drift::None, step);
        let mut reckoned = 0.0;
        for _ in 0..(2.0 / step) as usize {
            s.step();
            let spin = s.bodies().velocity[1][2];
            reckoned += 0.5 * (0.5 - 0.05) * (step * spin).powi(2);
        }
        (s.overlaps()[0].depth, reckoned)
    };
    for step in [1e-2, 2.5e-3] {
        let (found, reckoned) = sunk(step);
        assert!((found / reckoned - 1.0).abs() < 0.01, "{found} {reckoned}");
    }
    for drift in [Drift::Curvature, Drift::Device, Drift::TwoSteps, Drift::Projection] {
        let mut s = plank(drift, 1e-2);
        let (deep, _) = run(&mut s, 200);
        let energy = s.energy();
        assert!(energy.balance_error < 1e-8, "{drift:?}: {energy:?}");
        assert!(deep < if drift == Drift::Projection { CLOSED } else { 1e-3 }, "{drift:?}: {deep}");
    }
}

/// A disk of radius 0.1 rolls without sliding in a bowl of radius 1, from rest at 1 rad.
fn bowl(drift: Drift, step: f64, law: impl Law<2> + 'static) -> Simulation<2> {
    let mut b = Builder::<2>::new(step);
    b.settings.drift = drift;
    b.add(Shape::hollow_disk(1.0).expect("a bowl"), Pose::identity(), PerDof::zeros(), true);
    b.ball(0.1, Vector::<2>::new(1.0_f64.sin(), -1.0_f64.cos()) * 0.9, PerDof::zeros());
    b.build(law)
}

/// A disk in a bowl is a pendulum of length 3 (R − r)/2. What it is off by where that one passes the lowest
/// point for the fifth time, in rad; its deepest overlap, relative to its radius; and the part of its energy
/// that is gone.
fn rolled(mut s: Simulation<2>) -> [f64; 3] {
    // Gauss's arithmetic–geometric mean of 1 and cos ½
    let period = 2.0 * std::f64::consts::PI * (1.5 * 0.9 / G).sqrt() / 0.937_792_258_051_428_4;
    let mut deepest = 0.0_f64;
    let mut before = 0.0;
    while s.time() < 2.25 * period {
        before = s.bodies().pose[1].position[0];
        s.step();
        deepest = deepest.max((s.bodies().pose[1].position.norm() - 0.9) / 0.1);
    }
    let now = s.bodies().pose[1].position[0];
    let share = (s.time() - 2.25 * period) / s.settings().step;
    let energy = s.energy();
    assert!(energy.balance_error < 1e-8, "{energy:?}");
    let drop = s.bodies().mass[1][0] * G * 0.9 * (1.0 - 1.0_f64.cos());
    let lost = -(energy.kinetic + energy.potential) / drop;
    [(share * before + (1.0 - share) * now) / 0.9, deepest, lost]
}

#[test]
fn a_disk_in_a_bowl_is_a_pendulum_to_second_order() {
    let inelastic = Inelastic { friction: 2.0 };
    let [off, deepest, _] = rolled(bowl(Drift::None, 2e-3, inelastic));
    assert!(off.abs() > 1e-3 && deepest > 0.1, "{off} {deepest}");
    for drift in [Drift::default(), Drift::Projection] {
        let [coarse, _, _] = rolled(bowl(drift, 4e-3, inelastic));
        let [off, deepest, lost] = rolled(bowl(drift, 2e-3, inelastic));
        assert!(off.abs() < 5e-4 && coarse / off > 3.0, "{drift:?}: {coarse} {off}");
        assert!(deepest < if drift == Drift::Projection { CLOSED } else { 2e-4 }, "{drift:?}: {deepest}");
        assert!((-1e-9..1e-4).contains(&lost), "{drift:?}: {lost}");
    }
    // a law without a forecast rolls as well
    let restitution = Restitution { normal: 0.0, tangential: 0.0, friction: 2.0 };
    let [off, deepest, lost] = rolled(bowl(Drift::default(), 2e-3, restitution));
    assert!(off.abs() < 5e-4 && deepest < 1e-3 && lost.abs() < 1e-3, "{off} {deepest} {lost}");
}

/// The default gives nothing: no normal impulse works on bodies that came together, however they tumble, and
/// what overlaps at rest stays.
#[test]
fn curvature_brings_no_energy_in_and_leaves_rest_alone() {
    let mut s = spinning_box(Drift::default(), 1e-2);
    let mut returned = 0;
    for _ in 0..300 {
        let report = s.step();
        for contact in s.interactions().iter().filter(|contact| contact.u_begin[0] <= 0.0) {
            assert!(contact.r[0] * (contact.u_begin[0] + contact.u[0]) < 1e-14, "{report:?}");
            returned += usize::from(contact.r[0] > 0.0 && contact.u[0] > 1e-6);
        }
        assert!(s.energy().drift == 0.0 && s.energy().balance_error < 1e-8);
    }
    assert!(returned > 2, "{returned}");
    let mut b = Builder::<3>::new(1e-3);
    b.ground();
    b.add(cuboid([1.0, 1.0, 0.5]), Pose::at(Vector::<3>::new(0.0, 0.0, 0.24)), PerDof::zeros(), false);
    let mut s = b.build(Inelastic { friction: 0.5 });
    let place = s.bodies().pose[1];
    for _ in 0..100 {
        s.step();
    }
    assert!((s.bodies().pose[1].position - place.position).norm() < 1e-12);
    assert!(s.bodies().twist(1).norm() < 1e-12);
}

/// Two boxes pushed into each other and into the floor, askew: gone after one step, with no velocity left
/// over.
#[test]
fn an_overlap_at_the_start_goes_without_a_velocity() {
    let mut b = Builder::<2>::new(1e-3);
    b.settings.drift = Drift::Projection;
    b.settings.gravity = Vector::zeros();
    b.ground();
    let turned = |angle: f64, x: f64, y: f64| Pose {
        position: Vector::<2>::new(x, y),
        orientation: Orientation::from_euler_angles(0.0, 0.0, angle),
    };
    b.add(rectangle([1.0, 0.5]), turned(0.2, 0.0, 0.31), PerDof::zeros(), false);
    b.add(rectangle([0.6, 0.4]), turned(-0.3, 0.2, 0.76), PerDof::zeros(), false);
    let mut s = b.build(Inelastic { friction: 0.5 });
    let before = deepest(&s);
    let report = s.step();
    assert!(before > 0.05 && deepest(&s) <= CLOSED, "{before}, {report:?}");
    assert!(s.bodies().velocity.flat().iter().all(|&v| v == 0.0));
    assert!(s.energy().drift == 0.0);
}

fn pile_of_disks(drift: Drift) -> Simulation<2> {
    let mut b = Builder::<2>::new(5e-3);
    b.settings.drift = drift;
    b.settings.solver.tolerance = 1e-4;
    b.add(rectangle([4.0, 0.4]), Pose::at(Vector::<2>::new(0.0, -0.2)), PerDof::zeros(), true);
    for x in [-1.1, 1.1] {
        b.add(rectangle([0.2, 6.0]), Pose::at(Vector::<2>::new(x, 2.0)), PerDof::zeros(), true);
    }
    for i in 0..100 {
        let (column, row) = (i % 8, i / 8);
        let radius = 0.08 + 0.03 * f64::from(i * 37 % 11) / 11.0;
        let place = Vector::<2>::new(
            -0.85 + 0.24 * f64::from(column) + 0.01 * f64::from(row % 3),
            0.12 + 0.225 * f64::from(row),
        );
        b.ball(radius, place, PerDof::zeros());
    }
    b.build(Inelastic { friction: 0.3 })
}

#[test]
fn a_pile_of_disks_never_overlaps() {
    let mut s = pile_of_disks(Drift::Projection);
    let (deep, rounds) = run(&mut s, 120);
    assert!(deep <= CLOSED, "{deep} in {rounds} rounds");
    let energy = s.energy();
    assert!(energy.balance_error < 1e-8, "{energy:?}");
}

fn pile_of_polyhedra(drift: Drift) -> Simulation<3> {
    let mut b = Builder::<3>::new(5e-3);
    b.settings.drift = drift;
    b.settings.solver.tolerance = 1e-4;
    b.ground();
    for (x, y, size) in [
        (-0.7, 0.0, [0.2, 1.6, 4.0]),
        (0.7, 0.0, [0.2, 1.6, 4.0]),
        (0.0, -0.7, [1.6, 0.2, 4.0]),
        (0.0, 0.7, [1.6, 0.2, 4.0]),
    ] {
        b.add(cuboid(size), Pose::at(Vector::<3>::new(x, y, 1.8)), PerDof::zeros(), true);
    }
    for i in 0..50 {
        let (layer, place) = (f64::from(i / 9), i % 9);
        let (x, y) = (f64::from(place % 3) - 1.0, f64::from(place / 3) - 1.0);
        let (a, c) = (f64::from(i * 7 % 13), f64::from(i * 5 % 11));
        let pose = Pose {
            position: Vector::<3>::new(0.36 * x, 0.36 * y, 0.2 + 0.3 * layer),
            orientation: Orientation::from_euler_angles(0.4 * a, 0.3 * c, 0.2 * a),
        };
        let size = [0.2 + 0.005 * a, 0.16 + 0.006 * c, 0.18];
        b.add(cuboid(size), pose, PerDof::zeros(), false);
    }
    b.build(Inelastic { friction: 0.3 })
}

#[test]
fn a_pile_of_polyhedra_never_overlaps() {
    let left = run(&mut pile_of_polyhedra(Drift::None), 50).0;
    assert!(left > 1e-4, "{left}");
    let mut s = pile_of_polyhedra(Drift::Projection);
    let (deep, rounds) = run(&mut s, 60);
    assert!(deep <= CLOSED, "{deep} in {rounds} rounds");
    assert!(s.energy().balance_error < 1e-8, "{:?}", s.energy());
}

/// A stack at rest: the projection must not find work to do for ever.
#[test]
fn a_stack_does_not_creep() {
    let mut b = Builder::<3>::new(1e-2);
    b.settings.drift = Drift::Projection;
    b.ground();
    for i in 0..6 {
        let place = Vector::<3>::new(0.03 * f64::from(i), 0.0, 0.25 + 0.5 * f64::from(i));
        b.add(cuboid([1.0, 1.0, 0.5]), Pose::at(place), PerDof::zeros(), false);
    }
    let mut s = b.build(Inelastic { friction: 0.5 });
    run(&mut s, 20);
    let settled = s.bodies().pose.clone();
    run(&mut s, 300);
    for (pose, settled) in s.bodies().pose.iter().zip(&settled) {
        assert!((pose.position - settled.position).norm() < 1e-9);
        assert!(pose.orientation.angle_to(&settled.orientation) < 1e-9);
    }
    assert!(s.energy().drift.abs() < 1e-8, "{:?}", s.energy());
}

/// Two walls driven towards each other with a wedge between them: it is squeezed out upwards, and no wall
/// moves on its own.
#[test]
fn a_wedge_between_driven_walls_is_squeezed_out() {
    let mut b = Builder::<2>::new(1e-2);
    b.settings.drift = Drift::Projection;
    let wedge = Polytope::<2>::polygon(vec![
        Vector::<2>::new(0.0, -0.6),
        Vector::<2>::new(0.3, 0.3),
        Vector::<2>::new(-0.3, 0.3),
    ]);
    let wedge = Shape::Polytope(std::sync::Arc::new(wedge.expect("a triangle")));
    let id = b.add(wedge, Pose::at(Vector::<2>::new(0.0, 0.45)), PerDof::zeros(), false);
    for side in [-1.0, 1.0] {
        let pose = Pose::at(Vector::<2>::new(0.66 * side, 0.0));
        let wall = b.add(rectangle([1.0, 1.0]), pose, PerDof::zeros(), true);
        b.bodies.driven[wall.0 as usize][0] = Some(-0.2 * side);
        b.bodies.velocity[wall.0 as usize][0] = -0.2 * side;
    }
    let mut s = b.build(Inelastic { friction: 0.0 });
    let (deep, _) = run(&mut s, 60);
    assert!(deep <= CLOSED, "{deep}");
    assert!((s.bodies().pose[1].position[0] + 0.66 - 0.2 * s.time()).abs() < 1e-12);
    assert!(s.bodies().pose[id.0 as usize].position[1] > 0.55);
    assert!(s.energy().balance_error < 1e-8, "{:?}", s.energy());
}

/// A disk in a gap that closes below its diameter: there is no place without overlap, and the step says so.
#[test]
fn more_overlap_than_room_is_reported_with_the_bodies() {
    let mut b = Builder::<2>::new(1e-2);
    b.settings.drift = Drift::Projection;
    b.settings.gravity = Vector::zeros();
    for x in [-0.6, 0.6] {
        b.add(rectangle([0.4, 2.0]), Pose::at(Vector::<2>::new(x, 0.0)), PerDof::zeros(), true);
    }
    b.ball(0.45, Vector::<2>::new(0.02, 0.0), PerDof::zeros());
    let mut s = b.build(Inelastic { friction: 0.0 });
    let done = s.step().projection.expect("projected");
    assert!(done.before > 0.065 && done.after < 0.0501 && done.after > 0.0499, "{done:?}");
    assert!(matches!(done.stuck, Some(Link::Bodies(pair)) if pair.contains(&BodyId(2))), "{done:?}");
}

/// Length of a pendulum on a pin and energy over many swings; without the projection its ends of steps lie on
/// chords.
#[test]
fn a_pendulum_with_a_rigid_joint_keeps_its_length() {
    let mut rig = Rig::<2>::new(5e-3);
    rig.settings.drift = Drift::Projection;
    let (length, angle) = (0.7, 2.0_f64);
    let bob = rig.body(Vector::<2>::new(angle.sin(), -angle.cos()) * length, &[0.05]);
    rig.joint(Joint::Pin, [Some(bob), None], Pose::identity());
    let mut s = rig.build();
    for _ in 0..4000 {
        let report = s.step();
        assert_eq!(report.projection.and_then(|done| done.stuck), None);
        let off = s.bodies().pose[0].position.norm() - length;
        assert!(off.abs() < 1e-10, "{off} at {}", s.time());
    }
    let energy = s.energy();
    let all = energy.kinetic + energy.potential;
    assert!(energy.balance_error < 1e-8 && all.abs() < 1e-3 * G * length, "{all} {energy:?}");
}

#[test]
fn a_restored_run_has_the_bits_of_one_never_stopped() {
    for drift in [Drift::Curvature, Drift::Device, Drift::TwoSteps, Drift::Projection] {
        let mut s = spinning_box(drift, 2e-2);
        run(&mut s, 31);
        let snapshot = s.snapshot();
        run(&mut s, 20);
        let mut again = spinning_box(drift, 2e-2);
        again.restore(snapshot).expect("the same simulation");
        run(&mut again, 20);
        assert_eq!(s.state_hash(), again.state_hash(), "{drift:?}");
        assert_eq!(s.energy(), again.energy());
    }
}

/// A body of two parts among twelve others, which both parts meet: each pair is told once, with its deepest
/// overlap.
#[test]
fn a_pair_of_bodies_overlaps_once_however_many_parts_meet() {
    let mut b = Builder::<2>::new(1e-3);
    let comb = b.ball(1.0, Vector::<2>::zeros(), PerDof::zeros());
    let local = Pose::at(Vector::<2>::new(0.25, 0.0));
    b.contactors.push(Contactor { body: comb.0, shape: Shape::Ball { radius: 1.0 }, local });
    for k in 0..12 {
        b.ball(0.01, Vector::<2>::new(0.2, 0.05 * (k as f64 - 5.5)), PerDof::zeros());
    }
    let s = b.build(Inelastic { friction: 0.0 });
    let overlaps = s.overlaps();
    assert_eq!(overlaps.len(), 12, "{overlaps:?}");
    for overlap in &overlaps {
        let [one, two] = overlap.bodies;
        let small = if one == comb { two } else { one };
        let place = s.bodies().pose[small.0 as usize].position;
        let depth = [0.0, 0.25].map(|x| 1.01 - (place - Vector::<2>::new(x, 0.0)).norm());
        assert!((overlap.depth - depth[0].max(depth[1])).abs() < 1e-12, "{overlap:?} {depth:?}");
    }
}
