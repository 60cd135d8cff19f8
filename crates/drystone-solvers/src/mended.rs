//! Sweeps and Newton's method by turns, from impulses that are near a solution. Where masses are decades
//! apart the residual is that of the heavy bodies, and light ones among them may be far from their laws:
//! sweeps bring these there while the heavy ones hardly move, and Newton's method finishes all. Needs a good
//! guess.

use crate::judge::judge;
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal};
use crate::sweep::SweepMemory;
use crate::{AutoParams, Params, Report, accelerated};
use drystone_problem::Delassus;

/// Improves the impulses; never for the worse. A round of sweeps begins where the last round has led, which
/// need not be better: that is how a light body leaves a place from which no step leads on.
pub(crate) fn run<const D: usize, W: Delassus<D>>(progress: &mut Progress<D, W>, proximal: &Proximal<D>) {
    let Progress { problem, params, .. } = *progress;
    let AutoParams { mended_rounds, mended_sweeps, mended_factorisations, .. } = params.auto;
    let mut found = progress.r.to_vec();
    for _ in 0..mended_rounds {
        if progress.report.converged || params.is_called_off() {
            return;
        }
        let most = mended_sweeps.min(progress.left());
        let told = Params { max_iterations: most, ..params.clone() };
        let swept: Report = accelerated::solve(problem, &mut found, &told, 0, &mut SweepMemory::default());
        progress.report.iterations += swept.iterations;
        progress.report.updates += swept.updates;
        let mut there = *progress.report;
        judge(problem, &found, params, &mut there);
        progress.take_over(&found, there);
        let mut finished = found.clone();
        let mut aside = Progress { problem, params, r: &mut finished, report: &mut there };
        proximal.run(&mut aside, &Pace::BRISK, mended_factorisations);
        // never for the worse, so that it is the better of the two
        found = finished;
        progress.take_over(&found, there);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_bench::problems::{Cluster, ClusterKind};
    use drystone_problem::{Blocks, Measure, Problem, Vector, residual, siconos_error};

    /// A solution whose impulses at the lightest contacts are forgotten: a quarter of all, which weigh a
    /// thousandth of the others in the residual.
    #[test]
    fn light_bodies_are_mended() {
        let cluster =
            Cluster { kind: ClusterKind::Balls, sides: [3, 3, 2], ratio: 1e6, mu: Some(0.3), seed: 2 };
        let pairs = cluster.problem();
        let w = Blocks::new(pairs.w.assemble());
        let problem = Problem { w, u_free: pairs.u_free, sets: pairs.sets };
        let measure = Measure::Siconos { agreement: 100.0 };
        let params = Params { tolerance: 1e-8, measure, ..Params::default() };
        let mut r = vec![Vector::<3>::zeros(); problem.contacts()];
        assert!(crate::solve(&problem, &mut r, &params, 0).converged);
        let mut lightest: Vec<usize> = (0..problem.contacts()).collect();
        lightest.sort_by(|&a, &b| problem.w.block(b).trace().total_cmp(&problem.w.block(a).trace()));
        lightest.iter().take(problem.contacts() / 4).for_each(|&contact| r[contact] = Vector::zeros());
        let mut report = Report::start();
        judge(&problem, &r, &params, &mut report);
        assert!(!report.converged);
        let proximal = Proximal::new(&problem, &params.auto).unwrap();
        run(&mut Progress { problem: &problem, params: &params, r: &mut r, report: &mut report }, &proximal);
        let u = problem.velocities(&r);
        let (theirs, own) = (siconos_error(&problem, &u, &r), residual(&problem, &u, &r).relative);
        assert!(report.converged && theirs <= 1e-8 && own <= 1e-6, "{theirs} {own}");
    }
}
