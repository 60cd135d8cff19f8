//! What was at rest and can stay, stays.

use crate::common::*;
use drystone::*;

/// A unit block between two fixed ones, a gap away from each.
fn between_walls(friction: f64, gap: f64, rest: Rest) -> Simulation<2> {
    let mut b = Builder::<2>::new(1e-3);
    b.settings.rest = rest;
    for (x, fixed) in [(0.0, false), (-1.0 - gap, true), (1.0 + gap, true)] {
        b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(x, 0.0)), PerDof::zeros(), fixed);
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
    let small = Rest { contacts: 3, multiplications: 26.0, ..Rest::default() };
    for (rest, counts) in [(report, (0, 1, 0)), (solver, (0, 0, 0)), (small, (0, 0, 1))] {
        let mut s = between_walls(mu, 0.0, rest);
        let first = s.step();
        assert_eq!((first.rest.held, first.rest.passed_over, first.rest.unchecked), counts, "{rest:?}");
        assert!((s.bodies().velocity[0][1] - fall).abs() < 1e-12, "{:?}", s.bodies().twist(0));
    }
    // one body of three degrees of freedom is factored by 3³ multiplications
    let slender = Rest { multiplications: 27.0, ..small };
    assert_eq!(between_walls(mu, 0.0, slender).step().rest.held, 1);
    // and where nothing can hold it, it falls
    for (mu, gap) in [(0.0, 0.0), (mu, 1e-6)] {
        let mut s = between_walls(mu, gap, Rest::default());
        let first = s.step();
        assert_eq!(first.rest, Rested::default(), "{first:?}");
        assert!((s.bodies().velocity[0][1] - fall).abs() < 1e-12);
    }
}

/// A tower of odd blocks, each set off a little, on a floor that moves with a speed.
fn tower(rounding: f64, floor: f64) -> Simulation<2> {
    let mut b = Builder::<2>::new(1e-3);
    b.settings.rest.rounding = rounding;
    let ground = b.ground();
    b.bodies.driven[ground.0 as usize][1] = Some(floor);
    for k in 0..7 {
        let x = 0.03 * f64::from(k % 3) - 0.011 * f64::from(k);
        b.add(
            rectangle([1.0 / f64::from(k + 2), 0.1]),
            Pose::at(Vector::<2>::new(x, 0.05 + 0.1 * f64::from(k))),
            PerDof::zeros(),
            false,
        );
    }
    b.build(Inelastic { friction: 0.5 })
}

#[test]
fn what_stands_still_keeps_its_place_to_the_last_bit() {
    let places = |s: &Simulation<2>| s.bodies().pose.iter().map(|pose| pose.position).collect::<Vec<_>>();
    let run = |rounding: f64| {
        let mut s = tower(rounding, 0.0);
        (0..3).for_each(|_| assert!(s.step().converged));
        let start = places(&s);
        (0..300).for_each(|_| assert!(s.step().converged));
        (places(&s) == start, s)
    };
    let (kept, s) = run(Rest::default().rounding);
    assert!(kept && stands(&s), "{:?}", s.bodies().velocity);
    assert!(s.energy().balance_error < 1e-12);
    // without, what the solver leaves adds up
    assert!(!run(0.0).0);
}

/// A tower of 160 blocks, 16 m high and 1 m wide, of 320 contacts.
fn tall_tower(contacts: usize, multiplications: f64) -> Simulation<2> {
    let mut b = Builder::<2>::new(1e-3);
    b.settings.solver.tolerance = 1e-8;
    b.settings.rest = Rest { contacts, multiplications, ..Rest::default() };
    b.ground();
    for k in 0..160 {
        let at = Vector::<2>::new(0.02 * f64::from(k % 3), 0.05 + 0.1 * f64::from(k));
        b.add(rectangle([1.0, 0.1]), Pose::at(at), PerDof::zeros(), false);
    }
    b.build(Inelastic { friction: 0.5 })
}

/// Impulses on the floor along a component, relative to the weight of the tall tower.
fn on_the_floor(s: &Simulation<2>, component: usize) -> f64 {
    let contacts = s.interactions().iter().filter(|contact| contact.bodies.contains(&BodyId(0)));
    let sum: f64 = contacts.map(|contact| contact.r[component].abs()).sum();
    sum / (160.0 * s.bodies().mass[1][0] * G * 1e-3)
}

fn stands(s: &Simulation<2>) -> bool {
    s.bodies().velocity.flat().iter().all(|&v| v == 0.0)
}

#[test]
fn a_tall_tower_stands_from_the_first_step() {
    let first = |contacts: usize, multiplications: f64| {
        let mut s = tall_tower(contacts, multiplications);
        let steps = [s.step(), s.step()];
        let bears = (on_the_floor(&s, 0) - 1.0).abs() < 1e-12;
        (steps[0].contacts, steps[0].iterations + steps[1].iterations, bears && stands(&s))
    };
    // small enough to be looked at whatever it costs, or slender enough; else the solver is left to it
    assert_eq!(first(5000, 0.0), (320, 0, true));
    assert_eq!(first(300, 160.0 * 3.0 * 36.0), (320, 0, true));
    let (_, sweeps, exactly) = first(300, 0.0);
    assert!(sweeps > 0 && !exactly);
}

#[test]
fn a_tall_tower_follows_loads_that_change_little() {
    let leaning = |contacts: usize| {
        let mut s = tall_tower(contacts, 1e9);
        s.step();
        let mut sweeps = 0;
        for k in 1..=20 {
            s.drive_gravity(0, 1e-4 * G * f64::from(k)).unwrap();
            sweeps += s.step().iterations;
            assert!(stands(&s), "{k}");
        }
        let push = on_the_floor(&s, 1) / 2e-3;
        assert!((push - 1.0).abs() < 1e-6, "{push}");
        // it tips over its foot at 0.5 m once the push at 8 m outweighs it, its middle being at 0.019875 m
        let limit = (0.5 - 0.019_875) / 8.0;
        for (share, is_standing) in [(0.999, true), (1.001, false)] {
            s.drive_gravity(0, share * limit * G).unwrap();
            s.step();
            assert_eq!(stands(&s), is_standing, "{share}");
        }
        sweeps
    };
    assert_eq!(leaning(300), 0, "large islands follow before any sweep");
    assert!(leaning(5000) > 0, "others are swept and then held");
}

#[test]
fn rounding_to_rest_stops_nothing_that_moves() {
    // a floor that sinks far slower than the threshold is followed
    let speed = -1e-12;
    let mut s = tower(Rest::default().rounding, speed);
    let start: Vec<f64> = s.bodies().pose.iter().map(|pose| pose.position[1]).collect();
    (0..2000).for_each(|_| assert!(s.step().converged));
    for (pose, start) in s.bodies().pose.iter().zip(&start) {
        assert!((pose.position[1] - start - 2.0 * speed).abs() < 3e-13, "{pose:?}");
    }
    // a block on a slope a millionth too steep slides with that acceleration
    let mu = 0.5_f64;
    let steep = 1e-6;
    let mut b = Builder::<2>::new(1e-3);
    b.settings.gravity = Vector::<2>::new(mu + steep, -1.0) * G;
    b.ground();
    let block = b.add(rectangle([1.0, 0.1]), Pose::at(Vector::<2>::new(0.0, 0.05)), PerDof::zeros(), false);
    let mut s = b.build(Inelastic { friction: mu });
    (0..100).for_each(|_| assert!(s.step().converged));
    let speed = s.bodies().velocity[block.0 as usize][0];
    assert!((speed / (0.1 * steep * G) - 1.0).abs() < 1e-6, "{speed}");
}

#[test]
fn rest_is_preferred_island_by_island() {
    let mut b = Builder::<2>::new(1e-3);
    for (x, fixed) in [(0.0, false), (-1.0, true), (1.0, true)] {
        b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(x, 0.0)), PerDof::zeros(), fixed);
    }
    let still = b.ball(0.1, Vector::<2>::new(5.0, 3.0), PerDof::zeros());
    let thrown = b.ball(0.1, Vector::<2>::new(6.0, 3.0), Vector::<3>::new(1.0, 2.0, 3.0).into());
    // a belt that runs pulls along what it carries
    let belt = b.add(rectangle([8.0, 1.0]), Pose::at(Vector::<2>::new(0.0, -9.5)), PerDof::zeros(), true);
    b.bodies.driven[belt.0 as usize][0] = Some(1.0);
    let carried = b.add(rectangle([1.0, 1.0]), Pose::at(Vector::<2>::new(0.0, -8.5)), PerDof::zeros(), false);
    let mut s = b.build(Inelastic { friction: 0.5 });
    let first = s.step();
    assert_eq!((first.rest.held, first.rest.passed_over, first.rest.unchecked), (1, 0, 0));
    let velocity = |id: BodyId| s.bodies().twist(id.0 as usize);
    assert!(s.bodies().twist(0).norm() < 1e-12);
    assert!(
        (velocity(still)[1] + G * 1e-3).abs() < 1e-12 && (velocity(thrown)[1] - 2.0 + G * 1e-3).abs() < 1e-12
    );
    assert!((velocity(carried)[0] - 0.5 * G * 1e-3).abs() < 1e-10, "{:?}", velocity(carried));
}
