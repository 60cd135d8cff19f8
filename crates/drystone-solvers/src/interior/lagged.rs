//! The path of the interior point with De Saxcé's shift one step behind: each step is one of the convex
//! problem whose shift is that of the step before, so that no fold stands in its way, and the shift follows
//! all along the path instead of from one end of it to the next. Where masses are decades apart and friction
//! is wide it gets to a solution, or near one, where the exact path folds from the start. Where it runs in
//! circles another path may not, on which light contacts come before heavy ones or after them. Begins with no
//! guess.

use super::cone::{Shift, tangential};
use super::fixed_point::exact;
use super::system::{Point, System};
use crate::judge::{distance, judge};
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal, Scaled};
use drystone_math::portable;
use drystone_problem::{Delassus, Problem, Vector};

/// Steps shorter than this lead nowhere …
const SHORT: f64 = 0.05;
/// … where so many follow each other: the point is then too close to the boundary of its cones …
const STUCK: u32 = 5;
/// … and is put back inside by so many times the mean product.
const BACK: f64 = 30.0;
/// The exact path is tried again once the products are so much smaller.
const FURTHER: f64 = 0.1;
/// The proximal point is tried again once the residual is so much smaller.
const CLOSER: f64 = 0.3;
/// Factorisations of the proximal point.
const FINISH: u32 = 40;
/// Mean of the products at which the path has come to its end.
const END: f64 = 1e-13;

/// The path so far.
struct Lagged<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    proximal: &'a Proximal<D>,
    /// How many times the mean product each contact has on the path.
    weights: Vec<f64>,
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

/// Improves the impulses by at most `budget` factorisations along one path; never for the worse. On the path
/// the products of a contact are the mean times the [weight](weights) that its compliance has with `tilt`.
pub(crate) fn run<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    scaled: &Scaled<D>,
    tilt: f64,
    budget: u32,
) {
    let params = &progress.params.auto;
    let (exact_below, close) = (params.lagged_exact, params.near);
    let weights = weights(progress.problem, tilt);
    let shift = vec![0.0; scaled.sets.len()];
    let point = System::held(scaled, shift.clone()).weighted(&weights).middle();
    let end = progress.report.newton.saturating_add(budget);
    let (last, short) = (1.0, 0);
    let mut path = Lagged { scaled, proximal, weights, point, shift, last, short, exact_below, close, end };
    while path.left(progress) > 0 && path.point.c > END {
        if path.step(progress).is_none() {
            return;
        }
    }
}

/// The compliance of the stiffest contact over that of each, to a power: with a positive one light bodies
/// come before heavy ones, with a negative one after them.
fn weights<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, power: f64) -> Vec<f64> {
    let compliances: Vec<f64> =
        (0..problem.contacts()).map(|contact| problem.w.block(contact).trace()).collect();
    let least = compliances.iter().copied().fold(f64::INFINITY, f64::min);
    compliances.iter().map(|compliance| portable::exp(power * portable::ln(least / compliance))).collect()
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
        let calm = change <= progress.params.auto.lagged_calm * self.point.c.sqrt();
        let system = System::held(self.scaled, self.shift.clone()).weighted(&self.weights);
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
            let plain = System::new(self.scaled, Shift::Plain).weighted(&self.weights);
            exact(progress, self.proximal, plain, self.point.clone(), &self.shift, self.end);
            self.exact_below = FURTHER * self.point.c;
        }
        Some(())
    }

    /// Takes the shift anew from the velocities of the point; returns its largest change over the root of the
    /// weight. What the velocities lack for it the next step mends.
    fn follow(&mut self) -> f64 {
        let mut change = 0.0_f64;
        for ((shift, u), weight) in self.shift.iter_mut().zip(&self.point.u).zip(&self.weights) {
            let now = tangential(u);
            change = change.max((now - *shift).abs() / weight.sqrt());
            *shift = now;
        }
        change
    }

    /// Puts the point back inside the cones.
    fn step_back(&mut self, system: &System<D>) {
        for (contact, weight) in self.weights.iter().enumerate() {
            let inside = (BACK * self.point.c * weight).sqrt();
            self.point.x[contact][0] += inside;
            self.point.u[contact][0] += inside;
        }
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
    fn the_shift_follows_paths_to_a_solution() {
        let cases = [
            (ClusterKind::Boxes, [3, 3, 2], 1, 0.0),
            (ClusterKind::Balls, [3, 3, 2], 2, 0.0),
            (ClusterKind::Balls, [3, 3, 2], 2, 0.25),
            (ClusterKind::Balls, [3, 3, 2], 2, -0.5),
        ];
        for (kind, sides, seed, tilt) in cases {
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
            run(&mut progress, &proximal, &lorentz, tilt, 600);
            // judged by products between bodies, which were not asked before
            let problem = Problem { w: pairs.w, u_free: problem.u_free, sets: problem.sets };
            let own = residual(&problem, &problem.velocities(&r), &r).relative;
            assert!(report.newton <= 600 && own <= 1e-5, "{kind:?} {tilt}: {own:e} after {}", report.newton);
        }
    }

    #[test]
    fn a_path_without_tilt_has_equal_products() {
        let cluster = Cluster { kind: ClusterKind::Balls, sides: [3, 3, 2], ratio: 1e6, mu: None, seed: 2 };
        let problem = cluster.problem();
        assert!(weights(&problem, 0.0).iter().all(|&weight| weight == 1.0));
        let (light_first, light_last) = (weights(&problem, 0.5), weights(&problem, -0.5));
        for contact in 0..problem.contacts() {
            let (first, last) = (light_first[contact], light_last[contact]);
            assert!(first <= 1.0 && (first * last - 1.0).abs() < 1e-12, "{first} {last}");
        }
        assert!(light_first.iter().any(|&weight| weight < 0.1));
    }
}
