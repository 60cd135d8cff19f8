//! Sweeps in an order drawn anew for each of them, and a bold try of Newton's method from where they are.
//! Where friction is next to nothing at one contact and next to sticking at its neighbour, sweeps in any one
//! order may run in circles, and careful Newton steps end where none leads on; a few bold ones from
//! different places find a solution more often, not always.

use crate::judge::judge;
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal};
use crate::sweep::Sweep;
use crate::{AutoParams, Order, Params};
use drystone_problem::Delassus;

/// Where the orders come from: the same in every solve.
const ORDER: Order = Order::Random { seed: 17 };

/// Improves the impulses by at most `budget` factorisations; never for the worse.
pub(crate) fn run<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    auto: &AutoParams,
    budget: u32,
) {
    let end = progress.report.newton.saturating_add(budget);
    let shuffled = Params { order: ORDER, ..progress.params.clone() };
    let mut sweep = Sweep::new(progress.problem, progress.r, &shuffled, 0);
    for _ in 0..auto.shuffled_rounds {
        let left = auto.bold_factorisations.min(end.saturating_sub(progress.report.newton));
        if left == 0 || progress.report.converged || progress.params.is_called_off() {
            return;
        }
        for _ in 0..auto.shuffled_sweeps {
            progress.report.updates += sweep.pass(true).updates;
        }
        progress.report.iterations += auto.shuffled_sweeps;
        try_boldly(progress, proximal, &mut sweep, left);
    }
}

/// One try from where the sweeps are.
fn try_boldly<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    sweep: &mut Sweep<D, W>,
    budget: u32,
) {
    let Progress { problem, params, .. } = *progress;
    let mut found = progress.r.to_vec();
    sweep.take(&mut found);
    let mut there = *progress.report;
    judge(problem, &found, params, &mut there);
    let mut aside = Progress { problem, params, r: &mut found, report: &mut there };
    proximal.run(&mut aside, &Pace::BOLD, budget);
    progress.take_over(&found, there);
}
