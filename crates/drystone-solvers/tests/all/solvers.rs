//! Every solver on random problems by the hundred, judged with a dense operator assembled on its own.

use crate::problems::{Spread, cluster, random, random_of, tower};
use drystone_math::BlockRows;
use drystone_problem::{
    AGREEMENT, Blocks, Delassus, Matrix, Measure, Monitor, Problem, Set, Vector, residual,
};
use drystone_solvers::{AutoParams, Method, Order, Params, Report, judge, solve};

const METHODS: [Method; Method::ALL.len()] = Method::ALL;
const FRICTION: [f64; 4] = [0.0, 0.3, 1.0, 1e6];

/// Newton alone may cycle between two states of a contact, and Jacobi takes its time; the others are promised
/// to find what is unique.
fn promised(method: Method) -> bool {
    !matches!(method, Method::Proximal | Method::Jacobi)
}

/// Of a hundred problems with ordinary friction a method must solve at least so many.
fn at_least(method: Method) -> usize {
    match method {
        Method::Auto => 99,
        Method::Jacobi => 70,
        _ => 90,
    }
}

/// Runs every method on a hundred problems of one kind and counts how often each converged.
fn hundred<const D: usize, const N: usize>(mu: f64, tolerance: f64) {
    let mut converged = [0; METHODS.len()];
    for seed in 0..100 {
        // from well-posed to badly hyperstatic
        let contacts = 1 + seed as usize % 14;
        let bodies = 2 + seed as usize / 25;
        let case = random::<D, N>(seed, contacts, bodies, |_| mu);
        for (k, method) in METHODS.into_iter().enumerate() {
            // very wide cones have their own tests; here they must only not lie
            let most = if mu > 1.0 { 2_000 } else { 20_000 };
            let params = Params { method, tolerance, max_iterations: most, ..Params::default() };
            let (r, report) = case.solve(&params);
            assert_eq!(report.converged, report.residual <= tolerance);
            if report.converged {
                converged[k] += 1;
                case.check(&r, &report, tolerance, &format!("{method:?} seed {seed} mu {mu}"));
            }
        }
    }
    for (method, converged) in METHODS.into_iter().zip(converged) {
        println!("mu {mu} {method:?}: {converged}");
        assert!(mu > 1.0 || converged >= at_least(method), "mu {mu} {method:?}: {converged}");
    }
}

#[test]
fn converged_answers_hold_in_2d() {
    for mu in FRICTION {
        hundred::<2, 3>(mu, 1e-8);
    }
}

#[test]
fn converged_answers_hold_in_3d() {
    for mu in FRICTION {
        hundred::<3, 6>(mu, 1e-8);
    }
}

#[test]
fn methods_agree_where_the_velocity_is_unique() {
    // fewer contacts than degrees of freedom and little friction
    for seed in 0..100 {
        let case = random::<3, 6>(seed, 1 + seed as usize % 6, 7, |contact| 0.05 * (contact % 3) as f64);
        let mut first: Option<Vec<Vector<3>>> = None;
        for method in METHODS {
            let params = Params { method, tolerance: 1e-11, ..Params::default() };
            let (r, report) = case.solve(&params);
            if !promised(method) && !report.converged {
                continue;
            }
            assert!(report.converged, "{method:?} seed {seed}: {report:?}");
            let u = case.velocities(&r);
            let first = first.get_or_insert_with(|| u.clone());
            for (one, other) in first.iter().zip(&u) {
                assert!((one - other).norm() < 1e-7, "{method:?} seed {seed}");
            }
        }
    }
}

/// Rigid bodies, points, and elastic ones with eight or ten degrees of freedom and full compliances: no
/// method knows how many there are.
#[test]
fn bodies_of_any_size_sweep_beside_rigid_ones() {
    for sizes in [[6, 10, 6, 10, 3, 6, 10], [6, 8, 6, 8, 3, 6, 8], [10; 7]] {
        for seed in 0..12 {
            let case =
                random_of::<3>(seed, 1 + seed as usize % 8, &sizes, |contact| 0.1 * (contact % 3) as f64);
            let mut first: Option<Vec<Vector<3>>> = None;
            for method in METHODS {
                let params = Params { method, tolerance: 1e-11, ..Params::default() };
                let (r, report) = case.solve(&params);
                if !promised(method) && !report.converged {
                    continue;
                }
                assert!(report.converged, "{method:?} seed {seed}: {report:?}");
                case.check(&r, &report, 1e-11, &format!("{method:?} seed {seed} {sizes:?}"));
                let u = case.velocities(&r);
                let first = first.get_or_insert_with(|| u.clone());
                for (one, other) in first.iter().zip(&u) {
                    assert!((one - other).norm() < 1e-7, "{method:?} seed {seed} {sizes:?}");
                }
            }
        }
    }
}

/// Enough contacts for lanes and for factors between the bodies, where bodies are small enough for them.
#[test]
fn many_bodies_of_any_size() {
    for wide in [8, 10] {
        let sizes: Vec<usize> = (0..150).map(|body| if body % 5 == 2 { wide } else { 6 }).collect();
        let case = random_of::<3>(4, 280, &sizes, |contact| 0.1 * (contact % 3) as f64);
        for method in [Method::Nlgs, Method::Accelerated, Method::Auto, Method::Interior] {
            let params = Params { method, tolerance: 1e-8, ..Params::default() };
            let (r, report) = case.solve(&params);
            assert!(report.converged, "{method:?} {wide}: {report:?}");
            case.check(&r, &report, 1e-8, &format!("{method:?} {wide}"));
        }
    }
}

#[test]
fn pairs_and_blocks_give_the_same_answer() {
    for seed in 0..50 {
        let case = random::<3, 6>(seed, 5, 6, |_| 0.1);
        let blocks = Problem {
            w: Blocks::new(case.problem.w.assemble()),
            u_free: case.problem.u_free.clone(),
            sets: case.problem.sets.clone(),
        };
        for method in METHODS {
            let params = Params { method, tolerance: 1e-11, ..Params::default() };
            let (one, report) = case.solve(&params);
            let mut other = vec![Vector::zeros(); 5];
            let assembled = solve(&blocks, &mut other, &params, 0);
            let both = report.converged && assembled.converged;
            if !promised(method) && !both {
                continue;
            }
            assert!(report.converged && assembled.converged, "{method:?} seed {seed}");
            for (one, other) in one.iter().zip(&other) {
                assert!((one - other).norm() < 1e-6 * (1.0 + one.norm()), "{method:?} seed {seed}");
            }
        }
    }
}

#[test]
fn open_contacts_need_nothing() {
    let mut case = random::<2, 3>(1, 8, 5, |_| 0.3);
    case.problem.u_free.iter_mut().for_each(|u| u[0] = u[0].abs() + 0.1);
    for method in METHODS {
        let params = Params { method, ..Params::default() };
        let (r, report) = case.solve(&params);
        assert!(report.converged && r.iter().all(|r| r.norm() == 0.0), "{method:?}");
    }
}

#[test]
fn relaxation_and_order_change_the_way_and_not_the_end() {
    let orders = [Order::Cyclic, Order::Identity, Order::Reversed, Order::Random { seed: 5 }];
    for seed in 0..20 {
        let case = random::<3, 6>(seed, 10, 6, |_| 0.3);
        for method in [Method::Nlgs, Method::Accelerated, Method::Auto] {
            for order in orders {
                // momentum on top of over-relaxation is not promised to converge
                let most = if method == Method::Accelerated { 1.0 } else { 1.3 };
                for relaxation in [0.7, 1.0, most] {
                    let params =
                        Params { method, order, relaxation, max_iterations: 20_000, ..Params::default() };
                    let (r, report) = case.solve(&params);
                    let what = format!("{method:?} {order:?} {relaxation} seed {seed}");
                    assert!(report.converged, "{what}: {report:?}");
                    case.check(&r, &report, params.tolerance, &what);
                }
            }
        }
    }
}

#[test]
fn same_seed_same_bits() {
    let case = random::<3, 6>(7, 12, 5, |_| 0.3);
    for method in METHODS {
        let params = Params { method, order: Order::Random { seed: 9 }, ..Params::default() };
        let (one, report) = case.solve(&params);
        let (other, again) = case.solve(&params);
        let bits =
            |r: &[Vector<3>]| -> Vec<u64> { r.iter().flat_map(|r| r.iter().map(|x| x.to_bits())).collect() };
        assert_eq!(bits(&one), bits(&other), "{method:?}");
        assert_eq!(report, again);
    }
}

#[test]
fn a_solution_is_left_alone() {
    let case = random::<3, 6>(3, 6, 8, |_| 0.3);
    let params = Params::default();
    let tight = Params { method: Method::Proximal, tolerance: 1e-13, ..params.clone() };
    let (mut r, report) = case.solve(&tight);
    assert!(report.residual < 1e-12, "{report:?}");
    let before = r.clone();
    let report = solve(&case.problem, &mut r, &params, 0);
    assert!(report.converged && report.iterations == 0 && r == before, "{report:?}");
}

#[test]
fn a_tower_is_finished_to_rounding() {
    let problem = tower(20);
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let report = solve(&problem, &mut r, &Params::default(), 0);
    assert!(report.converged && report.newton > 0 && report.iterations < 500, "{report:?}");
    assert!(report.residual < 1e-12, "{report:?}");
}

/// Two hundred contacts on five bodies are factored in the space of the bodies, and come to rounding there.
#[test]
fn crowded_bodies_are_finished_to_rounding() {
    for seed in 0..10 {
        let case = random::<3, 6>(seed, 200, 6, |_| 0.5);
        let (r, report) = case.solve(&Params::default());
        case.check(&r, &report, Params::default().tolerance, "crowded");
        assert!(report.converged && report.residual < 1e-10, "{seed}: {report:?}");
    }
}

#[test]
fn mass_ratios_of_a_million_are_solved() {
    let mut found = 0;
    for seed in 0..6 {
        let problem = cluster(seed, Spread::Masses);
        let mut r = vec![Vector::zeros(); problem.contacts()];
        let params = Params { tolerance: 1e-8, polish: false, ..Params::default() };
        let report = solve(&problem, &mut r, &params, 0);
        let judged = residual(&problem, &problem.velocities(&r), &r).relative;
        assert!(report.converged && judged <= 1e-8, "{seed}: {judged:e} {}", report.route);
        found += usize::from(stages(&report).contains(&"fixed point"));
    }
    assert!(found > 0, "none of them needs the fixed point");
}

/// Sweeps run in circles far from any solution, and bold steps from shuffled ones find its neighbourhood.
#[test]
fn friction_of_twelve_decades_is_solved() {
    let problem = cluster(7, Spread::Friction);
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let params = Params { tolerance: 1e-8, polish: false, ..Params::default() };
    let report = solve(&problem, &mut r, &params, 0);
    let judged = residual(&problem, &problem.velocities(&r), &r).relative;
    assert!(report.converged && judged <= 1e-8, "{judged:e} {}", report.route);
    let reached = |name: &str| report.route.stages().find(|stage| stage.name == name).map(|s| s.residual);
    let (swept, shuffled) = (reached("sweeps").unwrap(), reached("shuffled").unwrap());
    assert!(swept > 0.1 && shuffled < 1e-2, "{}", report.route);
}

/// Names of the stages a solve went through.
fn stages(report: &Report) -> Vec<&'static str> {
    report.route.stages().map(|stage| stage.name).collect()
}

#[test]
fn without_polish_the_tolerance_is_the_tolerance() {
    let case = random::<3, 6>(3, 6, 8, |_| 0.3);
    let polished = Params { tolerance: 1e-3, ..Params::default() };
    let as_asked = Params { polish: false, ..polished.clone() };
    let (_, report) = case.solve(&polished);
    assert_eq!(stages(&report), ["sweeps", "proximal"], "{report:?}");
    assert!(report.residual < 1e-10);
    let (mut r, report) = case.solve(&as_asked);
    assert_eq!(stages(&report), ["sweeps"], "{report:?}");
    assert!(report.converged && report.residual > 1e-8 && report.newton == 0, "{report:?}");
    // a guess within the tolerance is a solution
    let before = r.clone();
    let report = solve(&case.problem, &mut r, &as_asked, 0);
    assert!(report.converged && report.iterations == 0 && r == before, "{report:?}");
    // the proximal point stops there as well
    let method = Method::Proximal;
    let (_, far) = case.solve(&Params { method, ..polished.clone() });
    let (_, near) = case.solve(&Params { method, ..as_asked.clone() });
    assert!(far.residual < 1e-10 && near.converged && near.residual > far.residual, "{near:?} {far:?}");
}

#[test]
fn without_polish_no_sweep_goes_beyond_the_tolerance() {
    // more contacts than are polished by factorisations: sweeps until forces are in balance
    let case = random::<3, 6>(4, 300, 400, |_| 0.3);
    let auto = AutoParams { balance: 1e-12, ..AutoParams::default() };
    let polished = Params { tolerance: 1e-2, auto, ..Params::default() };
    let (_, on) = case.solve(&polished);
    let (_, off) = case.solve(&Params { polish: false, ..polished.clone() });
    assert_eq!((stages(&on), stages(&off)), (vec!["sweeps"], vec!["sweeps"]));
    let size = |report: &Report| report.gap.map_or(f64::INFINITY, |gap| gap.size());
    assert!(off.converged && on.iterations > off.iterations && size(&on) < size(&off), "{on:?} {off:?}");
    let few = AutoParams { balance_sweeps: 0, ..auto };
    assert_eq!(case.solve(&Params { auto: few, ..polished.clone() }).1, off);
    let balanced = case.solve(&Params { auto: AutoParams::default(), ..polished.clone() }).1;
    assert!(
        balanced == off && off.gap.is_some_and(|gap| gap.is_within(AutoParams::default().balance)),
        "{off:?}"
    );
}

/// The policy is obeyed: a tower that sweeps do not finish is handed over when and where the parameters say.
#[test]
fn the_hand_over_follows_its_parameters() {
    let problem = tower(20);
    let route = |auto: AutoParams| {
        let mut r = vec![Vector::zeros(); problem.contacts()];
        let params = Params { auto, max_iterations: 3000, ..Params::default() };
        let report = solve(&problem, &mut r, &params, 0);
        let stages: Vec<_> = report.route.stages().map(|stage| (stage.name, stage.iterations)).collect();
        stages
    };
    let default = AutoParams::default();
    let early = route(default);
    assert!(early[0].0 == "sweeps" && (60..340).contains(&early[0].1) && early.len() > 1, "{early:?}");
    let later = route(AutoParams { first_handover: 500, ..default });
    assert!(later[0].0 == "sweeps" && (500..540).contains(&later[0].1) && later.len() > 1, "{later:?}");
    let never = route(AutoParams { most_contacts: 0, ..default });
    assert_eq!(never, [("sweeps", 3000)]);
}

#[test]
fn a_refused_finish_changes_nothing() {
    // more contacts than the proximal point takes on, none of them touching another
    let contacts = AutoParams::default().most_contacts as usize + 1;
    let triplets = (0..contacts as u32).map(|k| (k, k, Matrix::<2, 2>::identity())).collect();
    let problem = Problem {
        w: Blocks::new(BlockRows::from_triplets(contacts, triplets)),
        u_free: vec![Vector::<2>::new(-1.0, 0.0); contacts],
        sets: vec![Set::Coulomb { mu: 0.5 }; contacts],
    };
    let mut r = vec![Vector::zeros(); contacts];
    let params = Params { method: Method::Proximal, ..Params::default() };
    let report = solve(&problem, &mut r, &params, 0);
    assert!(!report.converged && report.iterations == 0 && r.iter().all(|r| r.norm() == 0.0));
    let report = solve(&problem, &mut r, &Params::default(), 0);
    assert!(report.converged && report.newton == 0);
}

#[test]
fn broken_and_empty_problems_do_not_panic() {
    let with = |w: Matrix<3, 3>, u: Vector<3>, mu: f64| Problem {
        w: Blocks::new(BlockRows::from_triplets(2, vec![(0, 0, w), (1, 1, Matrix::identity())])),
        u_free: vec![u, Vector::<3>::new(-1.0, 0.3, 0.0)],
        sets: vec![Set::Coulomb { mu }, Set::Coulomb { mu: 0.5 }],
    };
    let closing = Vector::<3>::new(-1.0, 0.2, 0.1);
    let cases = [
        with(Matrix::zeros(), closing, 0.5),
        with(Matrix::repeat(f64::NAN), closing, 0.5),
        with(Matrix::identity(), Vector::repeat(f64::NAN), 0.5),
        with(Matrix::identity(), Vector::repeat(f64::INFINITY), 0.5),
        with(Matrix::identity(), closing, f64::NAN),
        with(-Matrix::<3, 3>::identity(), closing, 0.5),
        with(Matrix::identity() * 1e-300, closing * 1e300, 0.5),
    ];
    for method in METHODS {
        let params = Params { method, max_iterations: 200, ..Params::default() };
        for (k, problem) in cases.iter().enumerate() {
            for guess in [0.0, 1.0, f64::NAN] {
                let mut r = vec![Vector::<3>::repeat(guess); 2];
                let report = solve(problem, &mut r, &params, 0);
                assert!(
                    r.iter().all(|r| r.iter().all(|x| x.is_finite())),
                    "{method:?} case {k} guess {guess}"
                );
                assert_eq!(report.converged, report.residual <= params.tolerance);
            }
        }
        let empty = Problem {
            w: Blocks::<2>::new(BlockRows::from_triplets(0, Vec::new())),
            u_free: Vec::new(),
            sets: Vec::new(),
        };
        let report = solve(&empty, &mut [], &params, 0);
        assert!(report.converged && report.iterations == 0);
    }
}

#[test]
fn a_deadline_that_has_passed_ends_the_solve_with_what_there_is() {
    let random = random::<3, 6>(7, 40, 12, |_| 0.5);
    for method in Method::ALL {
        let passed = Some(std::time::Instant::now());
        let params = Params { method, tolerance: 1e-300, deadline: passed, ..Params::default() };
        let (r, report) = random.solve(&params);
        assert!(!report.converged && report.iterations < 100, "{method:?}: {report:?}");
        assert!(residual(&random.problem, &random.velocities(&r), &r).relative.is_finite());
    }
}

#[test]
fn work_is_bounded_and_the_best_iterate_kept() {
    let case = random::<3, 6>(4, 300, 400, |_| 0.3);
    let free = Params { tolerance: 1e-13, ..Params::default() };
    let (_, whole) = case.solve(&free);
    assert!(!whole.is_limited && whole.work >= whole.iterations - whole.newton, "{whole:?}");
    let (r, cut) = case.solve(&Params { work: Some(10), ..free.clone() });
    // looks come at every tenth of the sweeps
    assert!(cut.is_limited && !cut.converged && (10..=12).contains(&cut.iterations), "{cut:?}");
    assert!(cut.work == cut.iterations && cut.residual < 0.1, "{cut:?}");
    let mut again = cut;
    judge(&case.problem, &r, &free, &mut again);
    assert_eq!(again.residual, cut.residual);
    // small problems cost little and are not cut short, nor are those outside runs
    let small = random::<3, 6>(3, 6, 8, |_| 0.3);
    assert_eq!(small.solve(&Params { work: Some(1), ..free.clone() }).1, small.solve(&free).1);
    let saved = Params { measure: Measure::Siconos { agreement: AGREEMENT }, max_iterations: 100, ..free };
    assert!(!case.solve(&Params { work: Some(10), ..saved }).1.is_limited);
}

#[test]
fn an_interrupted_solve_ends_at_once() {
    let case = random::<3, 6>(4, 300, 400, |_| 0.3);
    for method in Method::ALL {
        let monitor = Monitor::new();
        monitor.interrupt();
        let params = Params { method, tolerance: 1e-300, monitor, ..Params::default() };
        let (_, report) = case.solve(&params);
        assert!(report.iterations <= 1, "{method:?}: {report:?}");
    }
}
