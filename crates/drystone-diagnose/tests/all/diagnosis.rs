//! Why a solve did not converge, on problems whose regime is known (Alart, Renouf 2018, §3), and how far
//! forces are left open.

use drystone_diagnose::existence::ExistenceError;
use drystone_diagnose::{Effort, Flaw, Remedy, Verdict, diagnose, diagnose_within, glance, remedies, spread};
use drystone_math::BlockRows;
use drystone_problem::{Blocks, Matrix, Params, Problem, Set, Vector};
use drystone_solvers::solve;

/// Disks in corners, one problem: friction, speed of the wall and weight of each (Alart, Renouf 2018, eq.
/// 10).
fn corners(all: &[(f64, f64, f64)]) -> Problem<2, Blocks<2>> {
    let block = |a, b, c, d| Matrix::<2, 2>::new(a, b, c, d);
    let mut triplets = Vec::new();
    let (mut u_free, mut sets) = (Vec::new(), Vec::new());
    for (k, &(mu, speed, weight)) in all.iter().enumerate() {
        let at = 2 * k as u32;
        triplets.extend([
            (at, at, block(1.0, 0.0, 0.0, 3.0)),
            (at, at + 1, block(0.0, -1.0, 1.0, 2.0)),
            (at + 1, at, block(0.0, 1.0, -1.0, 2.0)),
            (at + 1, at + 1, block(1.0, 0.0, 0.0, 3.0)),
        ]);
        u_free.extend([Vector::<2>::new(-weight, 0.0), Vector::<2>::new(-speed, weight)]);
        sets.extend([Set::Coulomb { mu }; 2]);
    }
    Problem { w: Blocks::new(BlockRows::from_triplets(sets.len(), triplets)), u_free, sets }
}

/// The verdicts of the thorough and of the cheap diagnosis of what a few sweeps leave.
fn verdicts(problem: &Problem<2, Blocks<2>>, iterations: u32) -> [Option<Verdict>; 2] {
    let params = Params { max_iterations: iterations, tolerance: 1e-12, ..Params::default() };
    let mut r = vec![Vector::<2>::zeros(); problem.contacts()];
    let converged = solve(problem, &mut r, &params, 0).converged;
    [diagnose(problem, &r, converged), glance(problem, &r, converged)].map(|diagnosis| diagnosis.verdict)
}

#[test]
fn the_regimes_are_told_apart() {
    let both = |verdict| [Some(verdict); 2];
    assert_eq!(verdicts(&corners(&[(1.1, 0.3, 0.01)]), 1000), both(Verdict::Inconsistent));
    // the same impulses, not reached by the motion
    assert_eq!(verdicts(&corners(&[(1.1, 0.0, 0.01)]), 1), both(Verdict::IllConditioned));
    assert_eq!(verdicts(&corners(&[(0.8, 0.3, 0.01)]), 1), both(Verdict::Slow));
    // it converges, and there is nothing to say
    assert_eq!(verdicts(&corners(&[(0.8, 0.3, 0.01)]), 10_000), [None; 2]);
    // the condition is sufficient, not necessary: weight that pulls the disk out of the corner
    let lifted = corners(&[(1.1, 0.3, -1.0)]);
    assert_eq!(verdicts(&lifted, 10_000), both(Verdict::IllConditioned));
}

#[test]
fn a_glance_finds_a_few_contacts_among_many() {
    let mut all = vec![(0.8, 0.3, 0.01); 400];
    all[123] = (1.1, 0.3, 0.01);
    let problem = corners(&all);
    let params = Params { max_iterations: 2000, ..Params::default() };
    let mut r = vec![Vector::<2>::zeros(); problem.contacts()];
    assert!(!solve(&problem, &mut r, &params, 0).converged);
    let diagnosis = glance(&problem, &r, false);
    assert_eq!(diagnosis.verdict, Some(Verdict::Inconsistent));
    assert!(!diagnosis.whole);
    let mut contacts = diagnosis.contacts();
    contacts.sort_unstable();
    assert_eq!(contacts, [246, 247]);
    let below = diagnosis.solvable_below.unwrap();
    assert!((1.1 * below - 1.0).abs() < 1e-10, "{below}");
    assert_eq!(diagnosis.remedies(&params)[0], Remedy::Friction { below });
    // the same bits again
    assert_eq!(glance(&problem, &r, false), diagnosis);
    // where nothing is found among some contacts, nothing is proved of the others
    all[123] = (0.8, 0.3, 0.01);
    let problem = corners(&all);
    assert_eq!(glance(&problem, &vec![Vector::<2>::zeros(); 800], false).verdict, Some(Verdict::Undecided));
}

#[test]
fn a_network_larger_than_a_glance_is_found_along_the_impulses() {
    // a row of disks without friction, squeezed between two walls: W is the Laplacian of a chain
    let disks = 150;
    let contacts = disks + 1;
    let block = |x: f64| Matrix::<2, 2>::new(x, 0.0, 0.0, x.abs());
    let mut triplets = Vec::new();
    for alpha in 0..contacts as u32 {
        let ends = alpha == 0 || alpha as usize == contacts - 1;
        triplets.push((alpha, alpha, block(if ends { 1.0 } else { 2.0 })));
        if alpha > 0 {
            triplets.push((alpha, alpha - 1, Matrix::<2, 2>::new(-1.0, 0.0, 0.0, 0.0)));
            triplets.push((alpha - 1, alpha, Matrix::<2, 2>::new(-1.0, 0.0, 0.0, 0.0)));
        }
    }
    let mut u_free = vec![Vector::<2>::zeros(); contacts];
    u_free[contacts - 1][0] = -0.1;
    let problem = Problem {
        w: Blocks::new(BlockRows::from_triplets(contacts, triplets)),
        u_free,
        sets: vec![Set::Coulomb { mu: 0.0 }; contacts],
    };
    // what a solver that runs away is near: almost equal impulses everywhere
    let r: Vec<Vector<2>> =
        (0..contacts).map(|k| Vector::<2>::new(40.0 + 0.3 * (k as f64).sin(), 0.0)).collect();
    let diagnosis = glance(&problem, &r, false);
    assert_eq!(diagnosis.verdict, Some(Verdict::Inconsistent));
    assert_eq!(diagnosis.network.map(|network| network.impulses.len()), Some(contacts));
    assert_eq!(diagnose(&problem, &r, false).solvable_below, Some(0.0));
}

/// Thirty disks in corners that do not wedge them: what is left undecided with less work than it takes
/// is never decided otherwise.
#[test]
fn with_less_work_less_is_proved_and_nothing_else() {
    let problem = corners(&[(0.8, 0.3, 0.01); 30]);
    let r = vec![Vector::<2>::zeros(); problem.contacts()];
    let all = diagnose_within(&problem, &r, false, Effort::within(f64::INFINITY));
    assert_eq!(all.verdict, Some(Verdict::Slow));
    let threshold = all.solvable_below.unwrap();
    assert!((threshold - 1.25).abs() < 1e-8, "{threshold}");
    let mut proved = Vec::new();
    for work in [0.0, 1e5, 1e6, 3e6, 1e7, 3e7, 1e8, 1e9, 1e10] {
        let part = diagnose_within(&problem, &r, false, Effort::within(work));
        match part.velocities {
            Some(_) => assert_eq!(part.verdict, Some(Verdict::Slow), "{work:e}"),
            None => assert_eq!(part.verdict, Some(Verdict::Undecided), "{work:e}"),
        }
        match part.undecided {
            None => {
                for found in [part.networks_from, part.solvable_below] {
                    assert!((found.unwrap() - threshold).abs() < 1e-8, "{work:e}: {found:?}");
                }
            }
            Some(_) => assert_eq!((part.networks_from, part.solvable_below), (None, None), "{work:e}"),
        }
        proved.push((part.velocities.is_some(), part.undecided));
    }
    assert_eq!(proved[0], (false, Some(ExistenceError::OutOfWork)));
    assert_eq!(proved.last(), Some(&(true, None)));
    // the verdict comes first
    assert!(proved.iter().any(|(velocities, undecided)| *velocities && undecided.is_some()), "{proved:?}");
}

#[test]
fn bad_numbers_are_named() {
    let good = corners(&[(0.8, 0.3, 0.01), (0.8, 0.3, 0.01)]);
    let r = vec![Vector::<2>::zeros(); 4];
    let mut cases = Vec::new();
    let mut broken = good.clone();
    broken.u_free[2][1] = f64::NAN;
    cases.push((broken, 2, Flaw::NotFinite));
    let mut broken = good.clone();
    broken.sets[3] = Set::Coulomb { mu: -0.1 };
    cases.push((broken, 3, Flaw::Friction));
    let mut broken = good.clone();
    broken.sets[1] = Set::Coulomb { mu: f64::NAN };
    cases.push((broken, 1, Flaw::NotFinite));
    let negative = BlockRows::from_triplets(4, vec![(0, 0, -Matrix::<2, 2>::identity())]);
    cases.push((Problem { w: Blocks::new(negative), ..good }, 0, Flaw::Block));
    for (problem, contact, flaw) in cases {
        for diagnosis in [diagnose(&problem, &r, false), glance(&problem, &r, false)] {
            assert_eq!(diagnosis.verdict, Some(Verdict::BadInput));
            assert_eq!(diagnosis.flaws, [(contact, flaw)]);
            assert_eq!(diagnosis.contacts(), [contact]);
        }
    }
    // an empty problem has nothing wrong with it
    let empty: Problem<2, Blocks<2>> = Problem { w: Blocks::default(), u_free: vec![], sets: vec![] };
    assert_eq!(diagnose(&empty, &[], true).verdict, None);
}

#[test]
fn remedies_fit_the_verdict() {
    let params = Params::default();
    let first = |verdict, friction| remedies(verdict, friction, &params)[0];
    assert_eq!(first(Verdict::Slow, None), Remedy::MoreIterations { now: params.max_iterations });
    assert_eq!(first(Verdict::Inconsistent, Some(0.9)), Remedy::Friction { below: 0.9 });
    assert_eq!(first(Verdict::Inconsistent, Some(0.0)), Remedy::Geometry);
    assert_eq!(first(Verdict::BadInput, None), Remedy::Numbers);
    let fine = Params { tolerance: 1e-15, ..params.clone() };
    assert_eq!(remedies(Verdict::Slow, None, &fine)[0], Remedy::Tolerance { now: 1e-15 });
}

#[test]
fn forces_spread_where_impulses_balance_each_other_and_nowhere_else() {
    let params = Params { tolerance: 1e-10, ..Params::default() };
    // a wedged disk at rest: any amount of (1, −1, 1, 1) may be added
    let open = corners(&[(1.1, 0.0, 0.01)]);
    let guess = vec![Vector::<2>::zeros(); 2];
    let found = spread(&open, &guess, &params, 20, 3);
    assert_eq!(found.converged, 20);
    assert!(found.relative() > 0.05, "{}", found.relative());
    for contact in 0..2 {
        for i in 0..2 {
            let [low, mean, high] = [&found.smallest, &found.mean, &found.largest].map(|v| v[contact][i]);
            assert!(low <= mean + 1e-15 && mean <= high + 1e-15);
            assert!(found.deviation[contact][i] <= high - low + 1e-15);
        }
    }
    assert_eq!(spread(&open, &guess, &params, 20, 3), found, "the same seed, the same answer");
    // with less friction than it takes the forces are unique
    let unique = spread(&corners(&[(0.8, 0.0, 0.01)]), &guess, &params, 20, 3);
    assert_eq!(unique.converged, 20);
    assert!(unique.relative() < 1e-8, "{}", unique.relative());
    // no solution, no forces
    let none = spread(
        &corners(&[(1.1, 0.3, 0.01)]),
        &guess,
        &Params { max_iterations: 200, ..params.clone() },
        3,
        3,
    );
    assert_eq!((none.converged, none.relative()), (0, 0.0));
}
