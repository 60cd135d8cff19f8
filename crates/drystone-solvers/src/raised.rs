//! Saved problems with friction far beyond sticking: solved with less of it first, which is then raised
//! step by step, each time by sweeps from the impulses of the last. Knows no factors; others finish what it
//! leaves.

use crate::accelerated;
use crate::judge::judge;
use crate::progress::Progress;
use crate::sweep::SweepMemory;
use crate::{Params, Report};
use drystone_problem::{Blocks, Delassus, Problem, Set, Vector};

/// Friction beyond this is worth raising: an ordinary contact sticks long before.
const WIDE: f64 = 10.0;

/// Caps of friction, in turn; after them comes the problem itself.
const CAPS: [f64; 7] = [1.0, 3.0, 10.0, 30.0, 1e2, 1e3, 1e4];

/// Tolerance on the way: what is left is mended where it matters.
const ON_THE_WAY: f64 = 1e-5;

/// Most sweeps with each. From the solution before ten or twenty are usual; where so many do not do, more run
/// in circles, and raised friction is given up.
const MOST: u32 = 500;

/// Whether it is for a problem: with Coulomb's law everywhere, and wide cones among others.
pub(crate) fn is_for<const D: usize, W>(problem: &Problem<D, W>) -> bool {
    let coulomb = problem.sets.iter().all(|set| matches!(set, Set::Coulomb { .. }));
    coulomb && problem.sets.iter().any(|set| matches!(*set, Set::Coulomb { mu } if mu > WIDE))
}

/// Improves the impulses; never for the worse.
///
/// A sweep solves one contact with the others held. Where friction is next to nothing at one contact and next
/// to infinite at its neighbour the one throws to the other all that it is given, and from no impulses at all
/// the sweeps run in circles. With friction of at most 1 they converge; from there every contact that sticks
/// goes on to stick whatever its friction is raised to, and the few that slide change little.
pub(crate) fn run<const D: usize, W: Delassus<D>>(progress: &mut Progress<D, W>) {
    let problem = progress.problem;
    let mut found = vec![Vector::zeros(); problem.contacts()];
    let mut capped =
        Problem { w: Blocks::new(problem.w.assemble()), u_free: problem.u_free.clone(), sets: Vec::new() };
    for cap in CAPS.into_iter().chain([f64::INFINITY]) {
        let most = MOST.min(progress.left());
        if most == 0 || progress.params.is_called_off() {
            return;
        }
        capped.sets = problem.sets.iter().map(|set| at_most(set, cap)).collect();
        let tolerance = if cap.is_finite() {
            progress.params.tolerance.max(ON_THE_WAY)
        } else {
            progress.params.tolerance
        };
        let params = Params { max_iterations: most, tolerance, ..progress.params.clone() };
        let done: Report = accelerated::solve(&capped, &mut found, &params, 0, &mut SweepMemory::default());
        progress.report.iterations += done.iterations;
        progress.report.updates += done.updates;
        if !done.converged {
            break;
        }
    }
    let mut there = *progress.report;
    judge(problem, &found, progress.params, &mut there);
    progress.take_over(&found, there);
}

/// The cone with friction up to a cap.
fn at_most(set: &Set, cap: f64) -> Set {
    match *set {
        Set::Coulomb { mu } => Set::Coulomb { mu: mu.min(cap) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve;
    use drystone_bench::problems::packing;
    use drystone_problem::{Measure, residual, siconos_error};

    /// Balls on a floor, their friction from 1e-6 to 1e6, scattered without a pattern.
    fn twelve_decades(seed: u64) -> Problem<3, drystone_problem::Condensed<3>> {
        let mut problem = packing(20, seed);
        for (contact, set) in problem.sets.iter_mut().enumerate() {
            let decade = ((contact as u64 * 7919 + seed * 104_729) % 1201) as f64 / 100.0 - 6.0;
            *set = Set::Coulomb { mu: 10f64.powf(decade) };
        }
        problem
    }

    #[test]
    fn friction_is_raised_to_a_solution() {
        let measure = Measure::Siconos { agreement: 100.0 };
        let mut alone = 0;
        for seed in 1..=8 {
            let problem = twelve_decades(seed);
            assert!(is_for(&problem));
            let mut r = vec![Vector::zeros(); problem.contacts()];
            // enough for what is looked at here
            let params = Params { tolerance: 1e-8, measure, max_iterations: 2000, ..Params::default() };
            let report = solve(&problem, &mut r, &params, 0);
            let route = report.route.to_string();
            assert!(route.contains("raised"), "{route}");
            if report.converged && route.matches(" to ").count() == 1 {
                alone += 1;
                let u = problem.velocities(&r);
                let (theirs, own) = (siconos_error(&problem, &u, &r), residual(&problem, &u, &r).relative);
                assert!(theirs <= 1e-8 && own <= 1e-6, "{theirs} {own}");
            }
        }
        assert!(alone >= 4, "friction that is raised solves {alone} of 8 by itself");
    }

    #[test]
    fn ordinary_friction_and_steps_of_a_run_are_left_alone() {
        let mut problem = twelve_decades(1);
        let mut r = vec![Vector::zeros(); problem.contacts()];
        let params = Params { tolerance: 1e-3, max_iterations: 200, ..Params::default() };
        assert!(!solve(&problem, &mut r, &params, 0).route.to_string().contains("raised"));
        problem.sets.fill(Set::Coulomb { mu: 1.0 });
        assert!(!is_for(&problem));
    }
}
