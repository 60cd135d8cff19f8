//! The path of the interior point with De Saxcé's shift one step behind: each step is one of the convex
//! problem whose shift is that of the step before, so that no fold stands in its way, and the shift follows
//! all along the path instead of from one end of it to the next. Where masses are decades apart and friction
//! is wide it gets to a solution, or near one, where the exact path folds from the start. Begins with no
//! guess.

use super::cone::tangential;
use super::fixed_point::exact;
use super::system::{Point, System};
use crate::judge::{distance, judge};
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal, Scaled};
use drystone_problem::{Delassus, Vector};

/// The path goes no further while the shift changes by more than so many times the root of the mean product,
/// which is the size of what changes from step to step of a path that is followed well.
const CALM: f64 = 1.0;
/// Steps shorter than this lead nowhere …
const SHORT: f64 = 0.05;
/// … where so many follow each other: the point is then too close to the boundary of its cones …
const STUCK: u32 = 5;
/// … and is put back inside by so many times the mean product.
const BACK: f64 = 30.0;
/// Mean of the products below which the exact path is tried for the first time, beyond its folds.
const BELOW_FOLDS: f64 = 1e-3;
/// It is tried again once the products are so much smaller.
const FURTHER: f64 = 0.1;
/// Residual below which the proximal point is tried …
const CLOSE: f64 = 1e-4;
/// … and again once it is so much smaller.
const CLOSER: f64 = 0.3;
/// Factorisations of the proximal point.
const FINISH: u32 = 40;
/// Mean of the products at which the path has come to its end.
const END: f64 = 1e-13;

/// The path so far.
struct Lagged<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    proximal: &'a Proximal<D>,
    point: Point<D>,
    shift: Vec<f64>,
    /// Length of the last step.
    last: f64,
    /// Short steps since the last long one.
    short: u32,
    /// Mean product at which the exact path is tried next.
    exact_below: f64,
    /// Residual at which the proximal point is tried next.
    close: f64,
    /// Number of factorisations at which all ends.
    end: u32,
}

/// Improves the impulses by at most `budget` factorisations; never for the worse.
pub(crate) fn run<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    scaled: &Scaled<D>,
    budget: u32,
) {
    let shift = vec![0.0; scaled.sets.len()];
    let point = System::held(scaled, shift.clone()).middle();
    let end = progress.report.newton.saturating_add(budget);
    let (exact_below, close) = (BELOW_FOLDS, CLOSE);
    let mut path = Lagged { scaled, proximal, point, shift, last: 1.0, short: 0, exact_below, close, end };
    while path.left(progress) > 0 && path.point.c > END {
        if path.step(progress).is_none() {
            return;
        }
    }
}

impl<const D: usize> Lagged<'_, D> {
    /// Factorisations left; none where all is done.
    fn left<W>(&self, progress: &Progress<D, W>) -> u32 {
        let go = !progress.report.converged && !progress.params.is_called_off();
        if go { self.end.saturating_sub(progress.report.newton) } else { 0 }
    }

    /// One step, and whatever is worth trying from where it has led; `None` where it breaks down.
    fn step<W: Delassus<D>>(&mut self, progress: &mut Progress<D, W>) -> Option<()> {
        let change = self.follow();
        let calm = change <= CALM * self.point.c.sqrt();
        let system = System::held(self.scaled, self.shift.clone());
        let centring = if calm { 0.0 } else { 1.0 };
        self.last = system.advance_at_least(&mut self.point, self.last, centring)?;
        progress.report.factored();
        let mut found = progress.r.to_vec();
        system.to_impulses(&self.point, &progress.problem.sets, &mut found);
        progress.offer(&found);
        self.short = if self.last < SHORT { self.short + 1 } else { 0 };
        if self.short >= STUCK {
            self.step_back(&system);
            return Some(());
        }
        self.finish(progress, found);
        if self.left(progress) > 0 && calm && self.point.c < self.exact_below {
            let end = self.end;
            exact(progress, self.proximal, self.scaled, self.point.clone(), &self.shift, end);
            self.exact_below = FURTHER * self.point.c;
        }
        Some(())
    }

    /// Takes the shift anew from the velocities of the point; returns its largest change. What the velocities
    /// lack for it the next step mends.
    fn follow(&mut self) -> f64 {
        let mut change = 0.0_f64;
        for (shift, u) in self.shift.iter_mut().zip(&self.point.u) {
            let now = tangential(u);
            change = change.max((now - *shift).abs());
            *shift = now;
        }
        change
    }

    /// Puts the point back inside the cones.
    fn step_back(&mut self, system: &System<D>) {
        let inside = (BACK * self.point.c).sqrt();
        self.point.x.iter_mut().chain(&mut self.point.u).for_each(|x| x[0] += inside);
        (self.point.c, self.point.centrality) = system.place(&self.point.x, &self.point.u);
        (self.short, self.last) = (0, 1.0);
    }

    /// The proximal point, where impulses found are close.
    fn finish<W: Delassus<D>>(&mut self, progress: &mut Progress<D, W>, mut found: Vec<Vector<D>>) {
        let Progress { problem, params, .. } = *progress;
        let most = FINISH.min(self.left(progress));
        let own = distance(problem, &found);
        if own >= self.close || most == 0 {
            return;
        }
        self.close = CLOSER * own;
        let mut there = *progress.report;
        judge(problem, &found, params, &mut there);
        let mut aside = Progress { problem, params, r: &mut found, report: &mut there };
        self.proximal.run(&mut aside, &Pace::BRISK, most);
        progress.take_over(&found, there);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Params, Report};
    use drystone_bench::problems::{Cluster, ClusterKind};
    use drystone_problem::{Blocks, Problem, residual};

    /// Masses from 1 to 1e6, friction from 0 to 3, full speed. The exact path folds on its way.
    #[test]
    fn the_shift_follows_the_path_to_a_solution() {
        for (kind, sides, seed) in [(ClusterKind::Boxes, [3, 3, 2], 1), (ClusterKind::Balls, [3, 3, 2], 2)] {
            let pairs = Cluster { kind, sides, ratio: 1e6, mu: None, seed }.problem();
            let w = Blocks::new(pairs.w.assemble());
            let problem = Problem { w, u_free: pairs.u_free, sets: pairs.sets };
            let params = Params { tolerance: 1e-6, ..Params::default() };
            let proximal = Proximal::new(&problem, &params.auto).unwrap();
            let lorentz = proximal.scaled().lorentz(&problem).unwrap();
            let mut r = vec![Vector::zeros(); problem.contacts()];
            let mut report = Report::start();
            judge(&problem, &r, &params, &mut report);
            let mut progress =
                Progress { problem: &problem, params: &params, r: &mut r, report: &mut report };
            run(&mut progress, &proximal, &lorentz, 600);
            // judged by products between bodies, which were not asked before
            let problem = Problem { w: pairs.w, u_free: problem.u_free, sets: problem.sets };
            let own = residual(&problem, &problem.velocities(&r), &r).relative;
            assert!(report.newton <= 600 && own <= 1e-5, "{kind:?}: {own:e} after {}", report.newton);
        }
    }
}
