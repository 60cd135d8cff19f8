//! Exact physics of the step, on scenes small enough to know the answer.

mod common;
use common::*;
use drystone::*;

#[test]
fn free_fall_is_exact_for_the_mid_point_scheme() {
    let mut b = Builder::<2, 3>::new(1e-3);
    b.ball(0.1, Vector::<2>::new(0.0, 10.0), Vector::<3>::new(2.0, 3.0, 0.5));
    let mut s = b.build(Inelastic { friction: 0.0 });
    for _ in 0..1000 {
        s.step();
    }
    let t = s.time();
    let expected = Vector::<2>::new(2.0 * t, 10.0 + 3.0 * t - 0.5 * G * t * t);
    assert!((s.bodies().pose[0].position - expected).norm() < 1e-12);
    assert!(s.energy().balance_error < 1e-13);
}

#[test]
fn a_falling_disk_lands_at_touch_and_rests() {
    let mut b = Builder::<2, 3>::new(1e-2);
    b.ground();
    b.ball(0.5, Vector::<2>::new(0.0, 1.73), Vector::zeros());
    let mut s = b.build(Inelastic { friction: 0.5 });
    let mut deepest: f64 = 0.0;
    for _ in 0..200 {
        deepest = deepest.max(s.step().penetration);
    }
    assert!(deepest < 1e-14, "{deepest}");
    assert!((s.bodies().pose[1].position[1] - 0.5).abs() < 1e-14);
    assert!(s.bodies().velocity[1].norm() < 1e-14);
    let e = s.energy();
    assert!(e.balance_error < 1e-12 && e.shocks > 0.0, "{e:?}");
}

#[test]
fn touching_balls_share_a_blow_as_moreau_says() {
    let mut b = Builder::<2, 3>::new(1e-3);
    b.settings.gravity = Vector::zeros();
    for (x, v) in [(0.0, 1.0), (2.0, 0.0), (4.0, 0.0)] {
        b.ball(1.0, Vector::<2>::new(x, 0.0), Vector::<3>::new(v, 0.0, 0.0));
    }
    let mut s = b.build(Restitution { normal: 1.0, tangential: 0.0, friction: 0.0 });
    s.step();
    let after: Vec<f64> = s.bodies().velocity.iter().map(|v| v[0]).collect();
    for (found, expected) in after.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
        assert!((found - expected).abs() < 1e-11, "{after:?}");
    }
}

#[test]
fn a_disk_rolls_down_without_slip() {
    let angle = 0.3f64;
    let mut b = Builder::<2, 3>::new(1e-3);
    b.settings.gravity = Vector::<2>::new(G * angle.sin(), -G * angle.cos());
    b.ground();
    b.ball(0.5, Vector::<2>::new(0.0, 0.5), Vector::zeros());
    let mut s = b.build(Inelastic { friction: 0.5 });
    for _ in 0..500 {
        assert!(s.step().converged);
    }
    let a = s.bodies().velocity[1][0] / s.time();
    assert!((a - 2.0 / 3.0 * G * angle.sin()).abs() < 1e-10, "{a}");
}

#[test]
fn a_tower_of_boxes_does_not_drift() {
    let mut b = Builder::<3, 6>::new(1e-2);
    b.ground();
    for k in 0..20 {
        b.add(cuboid([1.0; 3]), Pose::at(Vector::<3>::new(0.0, 0.0, 0.5 + k as f64)), Vector::zeros(), false);
    }
    b.settings.solver.tolerance = 1e-8;
    let mut s = b.build(Inelastic { friction: 0.6 });
    let mut sweeps = 0;
    for _ in 0..1000 {
        let report = s.step();
        assert!(report.converged, "{report:?}");
        assert_eq!(report.contacts, 80);
        sweeps += report.iterations;
    }
    let drift = (0..20)
        .map(|k| (s.bodies().pose[k + 1].position - Vector::<3>::new(0.0, 0.0, 0.5 + k as f64)).norm())
        .fold(0.0, f64::max);
    println!("drift {drift:e}, {sweeps} sweeps");
    assert!(drift < 1e-9);
}

/// A unit block between two fixed ones, a gap away from each.
fn between_walls(friction: f64, gap: f64, rest: Rest) -> Simulation<2, 3> {
    let mut b = Builder::<2, 3>::new(1e-3);
    b.settings.rest = rest;
    for (x, fixed) in [(0.0, false), (-1.0 - gap, true), (1.0 + gap, true)] {
        b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(x, 0.0)), Vector::zeros(), fixed);
    }
    b.build(Inelastic { friction })
}

#[test]
fn a_block_between_walls_could_stay_or_fall_and_stays() {
    let (mu, fall) = (0.5, -G * 1e-3);
    let mut s = between_walls(mu, 0.0, Rest::default());
    let first = s.step();
    assert_eq!((first.rest.held, first.rest.passed_over, first.rest.unchecked), (1, 0, 0), "{first:?}");
    // four points share the weight, and least squares push no harder than friction needs
    for contact in s.interactions() {
        let (normal, tangential) = (contact.r[0] / (-fall / (4.0 * mu)), contact.r[1].abs() / (-fall / 4.0));
        assert!((normal - 1.0).abs() < 1e-6 && (tangential - 1.0).abs() < 1e-9, "{contact:?}");
    }
    for _ in 0..1000 {
        assert!(s.step().converged);
    }
    let fell = -s.bodies().pose[0].position[1];
    assert!(fell.abs() < 1e-12 && s.energy().balance_error < 1e-12, "{fell}");

    // the rule is what holds it: the solver, which starts from nothing, lets it fall
    let report = Rest { rule: RestRule::Report, ..Rest::default() };
    let solver = Rest { rule: RestRule::Solver, ..Rest::default() };
    let small = Rest { contacts: 3, ..Rest::default() };
    for (rest, counts) in [(report, (0, 1, 0)), (solver, (0, 0, 0)), (small, (0, 0, 1))] {
        let mut s = between_walls(mu, 0.0, rest);
        let first = s.step();
        assert_eq!((first.rest.held, first.rest.passed_over, first.rest.unchecked), counts, "{rest:?}");
        assert!((s.bodies().velocity[0][1] - fall).abs() < 1e-12, "{:?}", s.bodies().velocity[0]);
    }
    // and where nothing can hold it, it falls
    for (mu, gap) in [(0.0, 0.0), (mu, 1e-6)] {
        let mut s = between_walls(mu, gap, Rest::default());
        let first = s.step();
        assert_eq!(first.rest, Rested::default(), "{first:?}");
        assert!((s.bodies().velocity[0][1] - fall).abs() < 1e-12);
    }
}

#[test]
fn rest_is_preferred_island_by_island() {
    let mut b = Builder::<2, 3>::new(1e-3);
    for (x, fixed) in [(0.0, false), (-1.0, true), (1.0, true)] {
        b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(x, 0.0)), Vector::zeros(), fixed);
    }
    let still = b.ball(0.1, Vector::<2>::new(5.0, 3.0), Vector::zeros());
    let thrown = b.ball(0.1, Vector::<2>::new(6.0, 3.0), Vector::<3>::new(1.0, 2.0, 3.0));
    // a belt that runs pulls along what it carries
    let belt = b.add(rectangle([8.0, 1.0]), Pose::at(Vector::<2>::new(0.0, -9.5)), Vector::zeros(), true);
    b.bodies.driven[belt.0 as usize][0] = Some(1.0);
    let carried = b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(0.0, -8.5)), Vector::zeros(), false);
    let mut s = b.build(Inelastic { friction: 0.5 });
    let first = s.step();
    assert_eq!((first.rest.held, first.rest.passed_over, first.rest.unchecked), (1, 0, 0));
    let velocity = |id: BodyId| s.bodies().velocity[id.0 as usize];
    assert!(s.bodies().velocity[0].norm() < 1e-12);
    assert!(
        (velocity(still)[1] + G * 1e-3).abs() < 1e-12 && (velocity(thrown)[1] - 2.0 + G * 1e-3).abs() < 1e-12
    );
    assert!((velocity(carried)[0] - 0.5 * G * 1e-3).abs() < 1e-10, "{:?}", velocity(carried));
}
