//! What the first-order solvers promise beyond a small residual: no worse than the guess, the same in any
//! units, the same answer as the sweeps and as Newton, and an honest report where they refuse.

use drystone_math::BlockRows;
use drystone_problem::{
    Blocks, Compliances, Condensed, Delassus, Matrix, PairRow, Problem, Set, Vector, residual,
};
use drystone_solvers::{AutoParams, Method, Params, solve};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const METHODS: [Method; 5] = [Method::Jacobi, Method::Cpg, Method::Apgd, Method::Admm, Method::Uzawa];

/// A heap: bodies on one another in a row, some of them touching the ground, body 0; contacts with their own
/// friction.
fn heap(seed: u64, bodies: usize) -> Problem<3, Condensed<3>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut number = |from: f64, to: f64| generator.random_range(from..to);
    let mut inverse_mass = vec![Vector::<6>::zeros()];
    let mut velocity = vec![Vector::<6>::zeros()];
    let (mut rows, mut sets) = (Vec::new(), Vec::new());
    for body in 1..bodies as u32 {
        inverse_mass.push(Vector::from_fn(|i, _| if i < 3 { 1.0 } else { 2.5 }) * number(0.5, 2.0));
        velocity.push(Vector::from_fn(|i, _| if i == 2 { -1.0 } else { number(-0.3, 0.3) }));
        for below in [body - 1, 0] {
            if below == 0 && body > 1 && number(0.0, 1.0) < 0.5 {
                continue;
            }
            // a frame turned at random about an arm of its own on either side
            let turn = Matrix::<3, 3>::from_fn(|_, _| number(-0.3, 0.3)) + Matrix::identity();
            let frame = turn.qr().q();
            let h = [1.0, -1.0].map(|sign| {
                let arm = Vector::<3>::new(number(-0.4, 0.4), number(-0.4, 0.4), -0.5 * sign);
                let mut h = Matrix::<3, 6>::zeros();
                for (row, axis) in [2, 0, 1].into_iter().enumerate() {
                    let direction = frame.column(axis) * sign;
                    h.fixed_view_mut::<1, 3>(row, 0).copy_from(&direction.transpose());
                    h.fixed_view_mut::<1, 3>(row, 3).copy_from(&arm.cross(&direction).transpose());
                }
                h
            });
            rows.push(PairRow::new([body, below], h));
            // little enough for the velocities to be unique
            sets.push(Set::Coulomb { mu: number(0.0, 0.3) });
        }
    }
    let of =
        |row: &PairRow<3>, side: usize| row.h[side].times(velocity[row.bodies[side] as usize].as_slice());
    let free = |row: &PairRow<3>| of(row, 0) + of(row, 1);
    let u_free = rows.iter().map(free).collect();
    Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
}

fn params(method: Method, tolerance: f64, max_iterations: u32) -> Params {
    Params { method, tolerance, max_iterations, ..Params::default() }
}

#[test]
fn heaps_end_where_the_sweeps_and_newton_end() {
    for seed in 0..60 {
        let problem = heap(seed, 2 + seed as usize % 7);
        let mut reference = vec![Vector::zeros(); problem.contacts()];
        let report = solve(&problem, &mut reference, &params(Method::Auto, 1e-11, 50_000), 0);
        assert!(report.converged, "{seed}: {report:?}");
        let reference = problem.velocities(&reference);
        for method in METHODS {
            let mut r = vec![Vector::zeros(); problem.contacts()];
            let report = solve(&problem, &mut r, &params(method, 1e-10, 200_000), 0);
            assert!(report.converged, "{method:?} {seed}: {report:?}");
            let u = problem.velocities(&r);
            assert!(residual(&problem, &u, &r).relative <= 1e-10);
            for (u, other) in u.iter().zip(&reference) {
                assert!((u - other).norm() < 1e-6, "{method:?} {seed}: {u} {other}");
            }
        }
    }
}

#[test]
fn no_worse_than_the_guess_however_early_it_ends() {
    for seed in 0..250 {
        let problem = heap(seed, 6);
        let mut generator = Pcg64::seed_from_u64(seed);
        for method in METHODS {
            let guess: Vec<Vector<3>> = (problem.sets.iter())
                .map(|set| set.project(&Vector::from_fn(|_, _| generator.random_range(-1.0..1.0))))
                .collect();
            let before = residual(&problem, &problem.velocities(&guess), &guess).relative;
            for iterations in [1, 2, 7] {
                let mut r = guess.clone();
                let report = solve(&problem, &mut r, &params(method, 1e-12, iterations), 0);
                let after = residual(&problem, &problem.velocities(&r), &r).relative;
                assert!(after <= before && after == report.residual, "{method:?} {seed}: {after} {before}");
                assert!(report.iterations <= iterations);
            }
        }
    }
}

#[test]
fn a_solution_is_left_alone() {
    let problem = heap(3, 6);
    let mut solution = vec![Vector::zeros(); problem.contacts()];
    solve(&problem, &mut solution, &params(Method::Auto, 1e-12, 50_000), 0);
    for method in METHODS {
        let mut r = solution.clone();
        let report = solve(&problem, &mut r, &params(method, 1e-6, 100), 0);
        assert!(report.converged && report.iterations == 0 && r == solution, "{method:?}");
    }
}

/// Other units multiply velocities and impulses by powers of two, whose rounding is the same: so is all that
/// happens.
#[test]
fn the_same_steps_in_any_units() {
    for seed in 0..20 {
        let metres = heap(seed, 7);
        let mut millimetres = Problem {
            w: Blocks::new(metres.w.assemble()),
            u_free: metres.u_free.clone(),
            sets: metres.sets.clone(),
        };
        let blocks = Problem {
            w: Blocks::new(metres.w.assemble()),
            u_free: metres.u_free.clone(),
            sets: metres.sets.clone(),
        };
        let (speed, compliance) = (2f64.powi(10), 2f64.powi(-14));
        let mut triplets = Vec::new();
        for row in 0..blocks.contacts() {
            triplets.extend(
                blocks.w.rows().row(row).map(|(column, w)| (row as u32, column as u32, w * compliance)),
            );
        }
        millimetres.w = Blocks::new(BlockRows::from_triplets(blocks.contacts(), triplets));
        millimetres.u_free.iter_mut().for_each(|u| *u *= speed);
        for method in METHODS {
            let params = params(method, 1e-8, 3000);
            let mut one = vec![Vector::zeros(); blocks.contacts()];
            let mut other = one.clone();
            let report = solve(&blocks, &mut one, &params, 0);
            let rescaled = solve(&millimetres, &mut other, &params, 0);
            assert_eq!(report.iterations, rescaled.iterations, "{method:?} {seed}");
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one * (speed / compliance), *other, "{method:?} {seed}");
            }
        }
    }
}

#[test]
fn what_is_too_large_for_a_factor_is_refused_and_said() {
    let contacts = AutoParams::default().most_contacts as usize + 1;
    let triplets = (0..contacts as u32).map(|k| (k, k, Matrix::<2, 2>::identity())).collect();
    let problem = Problem {
        w: Blocks::new(BlockRows::from_triplets(contacts, triplets)),
        u_free: vec![Vector::<2>::new(-1.0, 0.0); contacts],
        sets: vec![Set::Coulomb { mu: 0.5 }; contacts],
    };
    let mut r = vec![Vector::zeros(); contacts];
    let report = solve(&problem, &mut r, &params(Method::Admm, 1e-6, 100), 0);
    assert!(!report.converged && report.iterations == 0 && r.iter().all(|r| r.norm() == 0.0));
    for method in [Method::Jacobi, Method::Cpg, Method::Apgd] {
        let mut r = vec![Vector::zeros(); contacts];
        assert!(solve(&problem, &mut r, &params(method, 1e-6, 1000), 0).converged, "{method:?}");
    }
}

#[test]
fn broken_problems_of_every_set_are_survived() {
    let sets = [
        Set::Coulomb { mu: 1e6 },
        Set::Orowan { mu: f64::NAN, cap: 1.0 },
        Set::Orowan { mu: 0.5, cap: f64::INFINITY },
        Set::Tresca { cap: f64::NAN },
        Set::Tresca { cap: 1e300 },
        Set::Bilateral { rows: 0 },
        Set::Bilateral { rows: 9 },
        Set::Rolling { mu: 0.0, rolling: 0.0, twisting: None, sliding: 0 },
        Set::Rolling { mu: f64::INFINITY, rolling: 1.0, twisting: None, sliding: usize::MAX },
    ];
    let odd = [0.0, 1.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY];
    for method in Method::ALL {
        let params = params(method, 1e-8, 60);
        for set in sets {
            for block in odd {
                for speed in odd {
                    let mut w = Matrix::<3, 3>::identity();
                    w[(1, 1)] = block;
                    let triplets = vec![(0, 0, w), (1, 1, Matrix::identity())];
                    let problem = Problem {
                        w: Blocks::new(BlockRows::from_triplets(2, triplets)),
                        u_free: vec![Vector::<3>::new(-1.0, speed, 0.2), Vector::<3>::new(-1.0, 0.1, 0.0)],
                        sets: vec![set, Set::Coulomb { mu: 0.5 }],
                    };
                    let mut r = vec![Vector::<3>::zeros(); 2];
                    let report = solve(&problem, &mut r, &params, 0);
                    let what = format!("{method:?} {set:?} {block} {speed} {report:?}");
                    assert!(r.iter().all(|r| r.iter().all(|x| x.is_finite())), "{what}");
                    assert_eq!(report.converged, report.residual <= params.tolerance, "{what}");
                }
            }
        }
    }
}
