//! Primal–dual interior point on the exact, non-convex Coulomb problem: De Saxcé's term stands inside the
//! Jacobian, so that there is no outer loop on it. Refuses problems with other sets than Coulomb's, very wide
//! cones and numbers that are not finite; it then changes nothing.

mod arclength;
mod cone;
pub(crate) mod fixed_point;
pub(crate) mod lagged;
mod system;

use crate::judge::{distance, judge, judge_guess};
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal, Scaled};
use crate::{Params, Report};
pub(crate) use cone::Shift;
use drystone_problem::{Delassus, Problem, Vector};
use system::{Point, System};

/// Most steps along one path.
const MOST_STEPS: u32 = 200;
/// Residual below which Newton's quadratic end is tried.
const CLOSE: f64 = 1e-4;
/// After a finish that failed the next is tried at a residual so many times smaller.
const CLOSER: f64 = 0.03;
/// Factorisations such a finish may take.
const FINISH: u32 = 25;
/// Folds gone round before giving up.
const MOST_FOLDS: u32 = 6;
/// Points kept from which to go round a fold, before giving up.
const MOST_STARTS: u32 = 4;

/// Solves from scratch, keeping the guess in `r` where nothing better is found. An iteration is one
/// factorisation.
///
/// The path starts in the middle of the cones and needs no guess. It is followed with the plain shift first,
/// which is shorter, then with the smooth one, which can be followed round folds.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
) -> Report {
    let mut report = judge_guess(problem, r, params);
    let Some(proximal) = Proximal::new(problem, &params.auto) else {
        return report;
    };
    let Some(lorentz) = proximal.scaled().lorentz(problem).filter(Scaled::is_exact) else {
        return report;
    };
    for (shift, name) in [(Shift::Plain, "interior"), (Shift::Smooth, "interior, smooth")] {
        if !report.converged {
            let mut progress = Progress { problem, params, r, report: &mut report };
            let budget = progress.left();
            progress.stage(name, "", |progress| run(progress, &proximal, &lorentz, shift, budget));
        }
    }
    report
}

/// Improves the impulses by at most `budget` factorisations along one path; never for the worse.
pub(crate) fn run<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    scaled: &Scaled<D>,
    shift: Shift,
    budget: u32,
) {
    let system = System::new(scaled, shift);
    let end = progress.report.iterations.saturating_add(budget);
    Path { proximal, system, close: CLOSE, end }.follow(progress);
}

/// One path from the middle of the cones to a solution.
struct Path<'a, const D: usize> {
    proximal: &'a Proximal<D>,
    system: System<'a, D>,
    close: f64,
    end: u32,
}

impl<const D: usize> Path<'_, D> {
    fn follow<W: Delassus<D>>(&mut self, progress: &mut Progress<D, W>) {
        self.follow_from(progress, self.system.middle());
    }

    /// The same from another point inside the cones.
    fn follow_from<W: Delassus<D>>(&mut self, progress: &mut Progress<D, W>, mut point: Point<D>) {
        let mut kept: Vec<Point<D>> = Vec::new();
        let (mut last, mut stuck, mut folds) = (1.0, 0.0, 0);
        for _ in 0..MOST_STEPS {
            if progress.report.iterations >= self.end || progress.params.is_called_off() {
                return;
            }
            let Some(length) = self.system.advance(&mut point, last) else {
                return;
            };
            last = length;
            progress.report.factored();
            if self.judge(&point, progress) {
                return;
            }
            if point.centrality > 0.02 && last > 0.3 {
                kept.push(point.clone());
            }
            stuck = if last < 0.05 { stuck + 1.0 } else { f64::max(stuck - 0.34, 0.0) };
            if stuck < 2.0 {
                continue;
            }
            let spent = self.system.shift() == Shift::Plain || folds >= MOST_FOLDS;
            if spent || !self.round_the_fold(&mut point, &mut kept, progress.report) {
                return;
            }
            kept.clear();
            kept.push(point.clone());
            (last, stuck, folds) = (1.0, 0.0, folds + 1);
        }
    }

    /// Goes round a fold from the last point kept that finds back to the path.
    fn round_the_fold(
        &mut self,
        point: &mut Point<D>,
        kept: &mut Vec<Point<D>>,
        report: &mut Report,
    ) -> bool {
        let stuck = point.c;
        for _ in 0..MOST_STARTS {
            let Some(start) = kept.pop() else {
                return false;
            };
            let c = start.c;
            *point = start;
            if arclength::recentre(&mut self.system, point, self.end, report) {
                return arclength::round_the_fold(&mut self.system, point, stuck, self.end, report);
            }
            while kept.last().is_some_and(|earlier| earlier.c < 2.0 * c) {
                kept.pop();
            }
        }
        false
    }

    /// Judges a point and, close enough, finishes from it; returns whether all is done.
    fn judge<W: Delassus<D>>(&mut self, point: &Point<D>, progress: &mut Progress<D, W>) -> bool {
        let Progress { problem, params, .. } = *progress;
        let mut found = progress.r.to_vec();
        self.system.to_impulses(point, &problem.sets, &mut found);
        let mut there = *progress.report;
        judge(problem, &found, params, &mut there);
        let own = distance(problem, &found);
        if own < self.close && !there.converged {
            let budget = FINISH.min(self.end.saturating_sub(there.iterations));
            let mut aside = Progress { problem, params, r: &mut found, report: &mut there };
            self.proximal.run(&mut aside, &Pace::BRISK, budget);
            self.close = CLOSER * own;
        }
        progress.take_over(&found, there);
        progress.report.converged
    }
}
