//! Another start for a saved problem whose sweeps run in circles: from no impulses at all, and without
//! momentum. Where stones lie loosely momentum may carry the impulses to where no sweep leads on; plain
//! sweeps fill them in from one contact to the next and often pass it by. Knows no factors.

use crate::nlgs;
use crate::progress::Progress;
use crate::{Params, Report};
use drystone_problem::{Delassus, Vector};

/// Rounds of sweeps, in so many circles each: the next is swept where the last one came nearer than ever.
const ROUNDS: [u32; 2] = [6, 12];

/// So much nearer, or the sweeps run in circles as before.
const NEARER: f64 = 0.2;

/// Improves the impulses; never for the worse.
pub(super) fn run<const D: usize, W: Delassus<D>>(progress: &mut Progress<D, W>) {
    let Progress { problem, params, .. } = *progress;
    let mut found = vec![Vector::zeros(); problem.contacts()];
    let bar = NEARER * progress.report.residual;
    for circles in ROUNDS {
        let most = circles.saturating_mul(params.auto.circle_sweeps).min(progress.left());
        if most == 0 || params.is_called_off() {
            return;
        }
        let told = Params { max_iterations: most, ..params.clone() };
        let done: Report = nlgs::solve(problem, &mut found, &told, 0);
        progress.report.iterations += done.iterations;
        progress.report.updates += done.updates;
        progress.offer(&found);
        if done.converged || done.residual > bar {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;
    use drystone_bench::problems::packing;
    use drystone_problem::residual;

    #[test]
    fn wherever_impulses_were_led_sweeps_from_rest_find_a_solution() {
        let problem = packing(20, 3);
        let params = Params { max_iterations: 20_000, tolerance: 1e-8, ..Params::default() };
        let mut r = vec![Vector::<3>::repeat(1e3); problem.contacts()];
        let mut report = Report::start();
        crate::judge(&problem, &r, &params, &mut report);
        let mut progress = Progress { problem: &problem, params: &params, r: &mut r, report: &mut report };
        progress.stage("sweeps", "", run);
        let own = residual(&problem, &problem.velocities(&r), &r).relative;
        assert!(report.converged && own <= 1e-8, "{own}");
        assert!(matches!(report.route.stages().next(), Some(Stage { iterations: 1.., .. })));
    }
}
