//! Hundreds of random programmes: value and verdict against another solver, every certificate checked.

mod common;

use clarabel::solver::SolverStatus;
use common::{Tables, generator};
use drystone_cones::{ConeAnswer, ConeParams, ConeSolver, check_infeasible, check_point, check_unbounded};

const EACH: u64 = 150;

fn solve(tables: &Tables) -> (ConeAnswer, usize) {
    let mut solver = ConeSolver::new(tables.program(), ConeParams::default()).unwrap();
    (solver.solve(), solver.iterations())
}

#[test]
fn solvable_programmes_have_the_value_of_the_oracle() {
    let (mut all, mut unknown) = (0, 0);
    for seed in 0..EACH {
        let tables = Tables::solvable(&mut generator(seed), 0.3);
        let (answer, iterations) = solve(&tables);
        all += iterations;
        let ConeAnswer::Solved(point) = answer else { panic!("{seed}: {answer:?}") };
        let residuals = check_point(&tables.program(), &point.x, &point.z, &point.s).unwrap();
        assert!(residuals.worst() < 1e-8, "{seed}: {residuals:?}");
        let (status, value) = tables.oracle();
        if status != SolverStatus::Solved {
            unknown += 1;
            continue;
        }
        assert!(
            (residuals.values[0] - value).abs() < 1e-6 * (1.0 + value.abs()),
            "{seed}: {residuals:?} {value}"
        );
    }
    println!("iterations {all}, oracle without answer {unknown}");
}

#[test]
fn programmes_without_a_point_are_proved_to_have_none() {
    for seed in 0..EACH {
        let tables = Tables::infeasible(&mut generator(seed));
        let (answer, _) = solve(&tables);
        let ConeAnswer::Infeasible { z, reach } = answer else { panic!("{seed}: {answer:?}") };
        assert_eq!(check_infeasible(&tables.program(), &z), Some(reach));
        assert!(reach > 1e7, "{seed}: {reach}");
        assert_ne!(tables.oracle().0, SolverStatus::Solved);
    }
}

#[test]
fn programmes_without_bound_are_proved_to_have_none() {
    for seed in 0..EACH {
        let tables = Tables::unbounded(&mut generator(seed));
        let (answer, _) = solve(&tables);
        let ConeAnswer::Unbounded { x, s, steep } = answer else { panic!("{seed}: {answer:?}") };
        assert_eq!(check_unbounded(&tables.program(), &x, &s), Some(steep));
        assert!(steep > 1e7, "{seed}: {steep}");
    }
}

#[test]
fn equations_that_say_the_same_twice_change_nothing() {
    for seed in 0..EACH {
        let mut random = generator(seed);
        let mut tables = Tables::solvable(&mut random, 0.3);
        let (ConeAnswer::Solved(plain), _) = solve(&tables) else { panic!("{seed}") };
        tables.repeat_equations(&mut random);
        let (answer, _) = solve(&tables);
        let ConeAnswer::Solved(point) = answer else { panic!("{seed}: {answer:?}") };
        let (a, b) = (plain.residuals.values[0], point.residuals.values[0]);
        assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{seed}: {a} {b}");
    }
}

#[test]
fn other_units_change_nothing() {
    for seed in 0..EACH {
        let mut random = generator(seed);
        let tables = Tables::solvable(&mut random, 0.3);
        let (ConeAnswer::Solved(plain), _) = solve(&tables) else { panic!("{seed}") };
        let scaled = tables.rescaled(&mut random, 9.0);
        let (answer, _) = solve(&scaled);
        let ConeAnswer::Solved(point) = answer else { panic!("{seed}: {answer:?}") };
        let (a, b) = (plain.residuals.values[0], point.residuals.values[0]);
        assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{seed}: {a} {b}");
    }
}
