//! The exact law as a fixed point of convex problems: with De Saxcé's shift held the path of the interior
//! point has no folds and always comes to an end; the shift then follows the solution (Cadoux 2009; Acary,
//! Cadoux, Lemaréchal, Malick 2011). The exact path and the proximal point begin where it has led.

use super::cone::{Shift, tangential};
use super::system::{Point, System};
use super::{CLOSE, FINISH, Path};
use crate::AutoParams;
use crate::judge::distance;
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal, Scaled};
use drystone_problem::{Delassus, Vector};

/// Most steps along the path of one convex problem, which usually takes 15 to 30.
const MOST_STEPS: u32 = 60;
/// Mean of the products at which a convex problem is solved, in scaled variables.
const SOLVED: f64 = 1e-11;
/// Shortest step that is worth another.
const SHORTEST: f64 = 1e-6;
/// Mean of the products of the point from which the exact path is tried: below the folds that the path has
/// met on its way from the middle, and not yet at the boundary.
const BELOW_FOLDS: f64 = 1e-3;
/// The exact path is tried after every so many convex problems.
const EXACT_EVERY: u32 = 3;
/// Most factorisations along it.
const EXACT: u32 = 40;

/// A convex problem solved.
struct Convex<const D: usize> {
    solution: Point<D>,
    /// A point on the way.
    before: Point<D>,
}

/// Improves the impulses by at most `budget` factorisations; never for the worse.
///
/// Begins without any shift: that of an iterate which the sweeps have led astray is worse than none.
pub(crate) fn run<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    scaled: &Scaled<D>,
    params: &AutoParams,
    budget: u32,
) {
    let end = progress.report.newton.saturating_add(budget);
    let mut shift = vec![0.0; scaled.sets.len()];
    for problem in 1..=params.fixed_point_problems {
        let Some(convex) = solve(progress, scaled, &shift, end) else { return };
        let mut found = progress.r.to_vec();
        scaled.to_impulses(&convex.solution.x, &progress.problem.sets, &mut found);
        progress.offer(&found);
        if !progress.report.converged && distance(progress.problem, progress.r) < params.near {
            proximal.run(progress, &Pace::BRISK, FINISH.min(end.saturating_sub(progress.report.newton)));
        }
        if !progress.report.converged && problem % EXACT_EVERY == 0 {
            let system = System::new(scaled, Shift::Plain);
            exact(progress, proximal, system, convex.before, &shift, end);
        }
        if progress.report.converged {
            return;
        }
        shift = shift_of(scaled, &convex.solution.x);
    }
}

/// De Saxcé's shift at scaled impulses.
fn shift_of<const D: usize>(scaled: &Scaled<D>, x: &[Vector<D>]) -> Vec<f64> {
    let velocities = scaled.operator.times(x);
    velocities.iter().zip(&scaled.q).map(|(product, q)| tangential(&(product + q))).collect()
}

/// The solution of the convex problem with a shift; `None` where numbers or factorisations come to an end.
fn solve<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    scaled: &Scaled<D>,
    shift: &[f64],
    end: u32,
) -> Option<Convex<D>> {
    let system = System::held(scaled, shift.to_vec());
    let mut point = system.middle();
    let (mut before, mut last) = (None, 1.0);
    for _ in 0..MOST_STEPS {
        if progress.report.newton >= end || progress.params.is_called_off() {
            return None;
        }
        last = system.advance(&mut point, last)?;
        progress.report.factored();
        if point.c < BELOW_FOLDS && before.is_none() {
            before = Some(point.clone());
        }
        if point.c < SOLVED || last < SHORTEST {
            break;
        }
    }
    let before = before.unwrap_or_else(|| point.clone());
    Some(Convex { solution: point, before })
}

/// The path of the exact law, from a point on that of the convex problem with a shift.
pub(super) fn exact<const D: usize, W: Delassus<D>>(
    progress: &mut Progress<D, W>,
    proximal: &Proximal<D>,
    system: System<D>,
    mut point: Point<D>,
    shift: &[f64],
    end: u32,
) {
    for (contact, u) in point.u.iter_mut().enumerate() {
        u[0] = (u[0] - shift[contact]).max(point.c / point.x[contact][0]);
    }
    (point.c, point.centrality) = system.place(&point.x, &point.u);
    let most = EXACT.min(end.saturating_sub(progress.report.newton));
    let end = progress.report.iterations.saturating_add(most);
    Path { proximal, system, close: CLOSE, end }.follow_from(progress, point);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Params, Report};
    use drystone_problem::{BlockRows, Blocks, Matrix, Problem, Set};

    /// Three contacts that push each other, and a shift of their own.
    fn problem() -> Problem<3, Blocks<3>> {
        let block = |a: usize, b: usize| {
            let coupling = Matrix::<3, 3>::from_fn(|i, j| 0.1 * ((a + 2 * b + i) as f64 - j as f64).sin());
            let symmetric = Matrix::<3, 3>::identity() * 2.0;
            if a == b { symmetric } else { coupling }
        };
        let mut triplets = Vec::new();
        for (a, b) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2)] {
            triplets.push((a as u32, b as u32, block(a, b)));
            if a != b {
                triplets.push((b as u32, a as u32, block(a, b).transpose()));
            }
        }
        let u_free = [[-1.0, 0.5, 0.2], [-0.3, -0.8, 0.1], [-2.0, 0.0, 1.5]].map(Vector::<3>::from).to_vec();
        let sets = [0.3, 0.9, 2.0].map(|mu| Set::Coulomb { mu }).to_vec();
        Problem { w: Blocks::new(BlockRows::from_triplets(3, triplets)), u_free, sets }
    }

    /// The oracle is a hundred thousand small steps along the gradient of ½ x·W x + (q + s)·x, each brought
    /// back into the cones.
    #[test]
    fn a_convex_problem_ends_at_its_minimum() {
        let problem = problem();
        let params = Params::default();
        let proximal = Proximal::new(&problem, &params.auto).unwrap();
        let scaled = proximal.scaled().lorentz(&problem).unwrap();
        let (mut r, mut report) = (vec![Vector::zeros(); 3], Report::start());
        let mut progress = Progress { problem: &problem, params: &params, r: &mut r, report: &mut report };
        let shift = [0.1, 0.4, 0.2];
        let found = solve(&mut progress, &scaled, &shift, 100).unwrap().solution.x;
        let mut x = vec![Vector::<3>::zeros(); 3];
        for _ in 0..100_000 {
            let mut y = scaled.operator.times(&x);
            for contact in 0..3 {
                y[contact] += scaled.q[contact];
                y[contact][0] += shift[contact];
                x[contact] = Set::Coulomb { mu: 1.0 }.project(&(x[contact] - y[contact] * 0.05));
            }
        }
        for (found, x) in found.iter().zip(&x) {
            // along a flat direction it is off by the root of the products that are left
            assert!((found - x).norm() < 1e-5, "{found} {x}");
        }
        assert!(x.iter().any(|x| x[0] > 0.1), "nothing touches");
    }
}
