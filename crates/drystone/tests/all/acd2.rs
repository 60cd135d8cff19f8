//! A-CD²: all solvers find the same step, no contact gives work, and what does is named.

use crate::common::*;
use drystone::*;

/// A heap that falls together: disks or balls of several sizes, shaken, with spins.
fn heap<const D: usize>(law: Percussion) -> Simulation<D> {
    let mut b = Builder::<D>::new(2e-3);
    b.settings.strategy = Strategy::Acd2;
    b.ground();
    for k in 0..12 {
        let mut place = Vector::<D>::zeros();
        place[0] = 0.23 * (k % 3) as f64 + 0.013 * (k / 3) as f64;
        place[D - 1] = 0.12 + 0.215 * (k / 3) as f64;
        let velocity =
            PerDof::from_fn(|i| 0.4 * (((k * rigid_dofs(D) + i + 1) as f64 * 0.618).fract() - 0.5));
        b.ball(0.09 + 0.01 * (k % 2) as f64, place, velocity);
    }
    b.build(law)
}

/// The masses are those of unit density, about 0.03 in the plane and 0.004 in space.
const LAWS: [Percussion; 4] = [
    Percussion { normal: 0.0, tangential: 0.0, threshold: Threshold::Coulomb(0.3) },
    Percussion { normal: 0.02, tangential: 0.001, threshold: Threshold::Coulomb(0.0) },
    Percussion { normal: 0.002, tangential: 0.0, threshold: Threshold::Tresca(0.01) },
    Percussion { normal: 0.0, tangential: 0.002, threshold: Threshold::Coulomb(0.2) },
];

fn solvers_agree<const D: usize>() {
    for law in LAWS {
        let mut s = heap::<D>(law);
        let mut compared = 0;
        for step in 0..240 {
            let problem = s.problem();
            assert!(s.step().converged);
            if step % 12 != 0 || problem.contacts() == 0 {
                continue;
            }
            compared += problem.contacts();
            let velocities = |method: Method| {
                let params = SolverParams {
                    method,
                    tolerance: 1e-11,
                    max_iterations: 200_000,
                    ..SolverParams::default()
                };
                let mut r = vec![Vector::zeros(); problem.contacts()];
                let report = drystone_solvers::solve(&problem, &mut r, &params, 0);
                assert!(report.converged, "{method:?}, {law:?}, step {step}: {report:?}");
                problem.w.carry(&r)
            };
            let uzawa = velocities(Method::Uzawa);
            for method in [Method::Nlgs, Method::Accelerated, Method::Auto, Method::Apgd] {
                for (v, other) in velocities(method).iter().zip(&uzawa) {
                    assert!((v - other).abs() < 1e-7, "{method:?}, {law:?}, step {step}: {v} {other}");
                }
            }
        }
        assert!(compared > 20, "{law:?}: {compared} rows compared");
    }
}

#[test]
fn every_solver_finds_the_step_of_uzawa_in_the_plane() {
    solvers_agree::<2>();
}

#[test]
fn every_solver_finds_the_step_of_uzawa_in_space() {
    solvers_agree::<3>();
}

fn dissipates<const D: usize>() {
    for law in LAWS {
        let mut s = heap::<D>(law);
        let mut spent = 0.0;
        for step in 0..400 {
            let report = s.step();
            let found = report.dissipation;
            assert_eq!((found.violations, found.worst), (0, None), "{law:?}, step {step}: {found:?}");
            spent += found.total;
            assert!(s.energy().balance_error < 1e-10, "{law:?}, step {step}: {:?}", s.energy());
        }
        let energy = s.energy();
        let told = energy.friction + energy.shocks + energy.viscosity;
        assert!(spent > 0.0 && (told - spent).abs() < 1e-9 * spent, "{law:?}: {told} and {spent}");
    }
}

#[test]
fn no_contact_gives_work_and_the_books_balance() {
    dissipates::<2>();
    dissipates::<3>();
}

#[test]
fn a_contact_that_gives_work_is_named() {
    let mut b = Builder::<2>::new(1e-3);
    let ground = b.ground();
    let ball = b.ball(0.1, Vector::<2>::new(0.0, 0.15), Vector::<3>::new(0.0, -1.0, 0.0).into());
    b.ball(0.1, Vector::<2>::new(5.0, 2.0), PerDof::zeros());
    // more comes back than went in
    let mut s = b.build(Restitution { normal: 1.5, tangential: 0.0, friction: 0.0 });
    let found = (0..80).map(|_| s.step().dissipation).find(|found| found.violations > 0).unwrap();
    let mut pair = found.worst.unwrap();
    pair.sort_by_key(|body| body.0);
    assert_eq!((found.violations, pair), (1, [ground, ball]));
    assert!(found.least < 0.0 && found.total == found.least);
}

#[test]
fn other_schemes_and_laws_are_refused_and_the_usual_one_is_taken() {
    let build = |theta: f64, law: Box<dyn Law<2>>| {
        let mut b = Builder::<2>::new(1e-3);
        (b.settings.strategy, b.settings.theta) = (Strategy::Acd2, theta);
        b.ground();
        b.ball(0.1, Vector::<2>::new(0.0, 0.1), Vector::<3>::new(1.0, 0.0, 0.0).into());
        let mut laws = Laws::new(1);
        laws.set(GroupId(0), GroupId(0), law).unwrap();
        Simulation::new(b.settings, b.bodies, b.contactors, laws)
    };
    let inelastic = || Box::new(Inelastic { friction: 0.5 });
    assert!(matches!(build(0.6, inelastic()), Err(BuildError::Setting { name: "theta", .. })));
    let bounces = Restitution { normal: 0.5, tangential: 0.0, friction: 0.0 };
    assert!(matches!(
        build(0.5, Box::new(bounces)),
        Err(BuildError::Law(LawError::NoPercussion { groups: [0, 0] }))
    ));
    let by_area = Tresca { threshold: 1.0, stress: 1.0 };
    assert!(build(0.5, Box::new(by_area)).is_err());
    // sticking turns the tangential velocity round: the mean one is zero
    let mut s = build(0.5, inelastic()).unwrap();
    s.step();
    let mut last = f64::NAN;
    for _ in 0..200 {
        s.step();
        let Some(contact) = s.interactions().first() else { continue };
        if contact.status == Status::Stick {
            last = (contact.u + contact.u_begin)[1].abs();
        }
    }
    assert!(last < 1e-9, "{last}");
}
