//! Hundreds of random programmes: value and verdict against another solver, every certificate checked.

mod common;

use clarabel::solver::SolverStatus;
use common::{Tables, generator};
use drystone_cones::{
    ConeAnswer, ConeParams, ConeSolver, check_infeasible, check_point, check_unbounded, solve_vertex,
    solve_vertex_within,
};

const EACH: u64 = 150;

fn solve(tables: &Tables) -> ConeAnswer {
    ConeSolver::new(tables.program(), ConeParams::default()).unwrap().solve()
}

fn vertex(tables: &Tables) -> ConeAnswer {
    solve_vertex(&tables.program(), &ConeParams::default()).unwrap().expect("a linear programme")
}

/// The value of a programme that has one.
#[track_caller]
fn value(answer: ConeAnswer) -> f64 {
    match answer {
        ConeAnswer::Solved(point) => point.residuals.values[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn solvable_programmes_have_the_value_of_the_oracle() {
    let mut unknown = 0;
    for seed in 0..EACH {
        let tables = Tables::solvable(&mut generator(seed), 0.3, true);
        let answer = solve(&tables);
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
    assert!(unknown <= 5, "the oracle left {unknown} without answer");
}

#[test]
fn programmes_without_a_point_are_proved_to_have_none() {
    for seed in 0..EACH {
        let tables = Tables::infeasible(&mut generator(seed), true);
        let answer = solve(&tables);
        let ConeAnswer::Infeasible { z, reach } = answer else { panic!("{seed}: {answer:?}") };
        assert_eq!(check_infeasible(&tables.program(), &z), Some(reach));
        assert!(reach > 1e7, "{seed}: {reach}");
        assert_ne!(tables.oracle().0, SolverStatus::Solved);
    }
}

#[test]
fn programmes_without_bound_are_proved_to_have_none() {
    for seed in 0..EACH {
        let tables = Tables::unbounded(&mut generator(seed), true);
        let answer = solve(&tables);
        let ConeAnswer::Unbounded { x, s, steep } = answer else { panic!("{seed}: {answer:?}") };
        assert_eq!(check_unbounded(&tables.program(), &x, &s), Some(steep));
        assert!(steep > 1e7, "{seed}: {steep}");
    }
}

#[test]
fn equations_that_say_the_same_twice_change_nothing() {
    for seed in 0..EACH {
        let mut random = generator(seed);
        let mut tables = Tables::solvable(&mut random, 0.3, true);
        let ConeAnswer::Solved(plain) = solve(&tables) else { panic!("{seed}") };
        tables.repeat_equations(&mut random);
        let answer = solve(&tables);
        let ConeAnswer::Solved(point) = answer else { panic!("{seed}: {answer:?}") };
        let (a, b) = (plain.residuals.values[0], point.residuals.values[0]);
        assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{seed}: {a} {b}");
    }
}

#[test]
fn other_units_change_nothing() {
    for seed in 0..EACH {
        let mut random = generator(seed);
        let tables = Tables::solvable(&mut random, 0.3, true);
        let ConeAnswer::Solved(plain) = solve(&tables) else { panic!("{seed}") };
        let scaled = tables.rescaled(&mut random, 9.0);
        let answer = solve(&scaled);
        let ConeAnswer::Solved(point) = answer else { panic!("{seed}: {answer:?}") };
        let (a, b) = (plain.residuals.values[0], point.residuals.values[0]);
        assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{seed}: {a} {b}");
    }
}

#[test]
fn a_vertex_has_the_value_of_the_interior_point() {
    for seed in 0..EACH {
        let tables = Tables::solvable(&mut generator(seed), 0.3, false);
        let (inner, outer) = (value(solve(&tables)), value(vertex(&tables)));
        assert!((inner - outer).abs() < 1e-7 * (1.0 + inner.abs()), "{seed}: {inner} {outer}");
        let ConeAnswer::Solved(point) = vertex(&tables) else { panic!("{seed}") };
        assert!(point.residuals.worst() < 1e-12, "{seed}: {:?}", point.residuals);
        let tables = Tables::infeasible(&mut generator(seed), false);
        let answer = vertex(&tables);
        // with neither points nor multipliers, either proof will do
        match answer {
            ConeAnswer::Infeasible { ref z, reach } => {
                assert_eq!(check_infeasible(&tables.program(), z), Some(reach));
            }
            other => panic!("{seed}: {other:?}"),
        }
        let tables = Tables::unbounded(&mut generator(seed), false);
        let answer = vertex(&tables);
        let ConeAnswer::Unbounded { x, s, steep } = answer else { panic!("{seed}: {answer:?}") };
        assert_eq!(check_unbounded(&tables.program(), &x, &s), Some(steep));
    }
}

#[test]
fn a_vertex_without_the_work_it_takes_is_none() {
    let tables = Tables::network(&mut generator(3), 4, 1.0);
    let (program, params) = (tables.program(), ConeParams::default());
    let mut left = 1e12;
    let whole = solve_vertex_within(&program, &params, &mut left).unwrap();
    assert_eq!(whole, Some(vertex(&tables)));
    let done = 1e12 - left;
    assert!(done > 0.0);
    for (share, solved) in [(0.0, false), (0.5, false), (1.1, true)] {
        let answer = solve_vertex_within(&program, &params, &mut (share * done)).unwrap();
        assert_eq!(matches!(answer, Some(ConeAnswer::Solved(_))), solved, "{share}");
    }
}

/// Disks in a box: the impulses between them are balanced in more than twenty directions, and most vertices
/// are degenerate.
#[test]
fn networks_of_disks_have_one_value_in_any_order_and_unit() {
    for (seed, side, mu) in [(1, 3, 0.3), (2, 4, 0.1), (3, 4, 1.0), (4, 5, 0.5), (5, 6, 0.7)] {
        let mut random = generator(seed);
        let tables = Tables::network(&mut random, side, mu);
        let (inner, outer) = (value(solve(&tables)), value(vertex(&tables)));
        assert!((inner - outer).abs() < 1e-8, "{seed}: {inner} {outer}");
        for _ in 0..3 {
            let other = tables.permuted(&mut random).rescaled(&mut random, 9.0);
            let (inner, second) = (value(solve(&other)), value(vertex(&other)));
            assert!((inner - outer).abs() < 1e-7, "{seed}: {inner} {outer}");
            assert!((second - outer).abs() < 1e-10, "{seed}: {second} {outer}");
        }
    }
}
