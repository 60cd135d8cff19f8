//! Impulses to start from where the last step left none: those with which everything stands, where it can and
//! the rule of rest wants it; else body after body from above to below, each held by what lies under it. A
//! guess; the solver goes on from it, and it is taken only where it is better than none.

use crate::Simulation;
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_math::Vector;
use drystone_problem::{Compliances, Condensed, Matrix, Problem};
use drystone_solvers::{LocalBlock, Report, judge};
use drystone_state::Velocities;

/// Rounds over the contacts under one body: three or four points of a face need that many.
const ROUNDS: u32 = 30;

/// Rounds end where impulses change by less than this, relative to the largest of them.
const STILL: f64 = 1e-4;

impl<const D: usize> Simulation<D> {
    /// Replaces a guess without any impulse. Small problems are left as they are: their solvers need no
    /// guess.
    ///
    /// Sweeps over contacts carry weight down by a layer each at best, since everything falls together until
    /// something stops it. From above to below one pass is enough: a body with all that presses on it is held
    /// by the bodies under it, which go on as they did before the step, and presses on them in turn. Where
    /// every body can be held like that, the impulses are a solution of a step at rest.
    pub(crate) fn start_cold(&self, motion: &FreeMotion, assembly: &Assembly<D>, r: &mut [Vector<D>]) {
        let (params, problem) = (&self.settings.solver, &assembly.problem);
        let has_guess = r.iter().any(|r| r.iter().any(|&r| r != 0.0));
        let small = r.len() <= params.auto.small as usize;
        if !(params.memory && params.auto.cold_start) || small || has_guess || !assembly.spans.is_empty() {
            return;
        }
        if self.start_standing(motion, assembly, r) {
            return;
        }
        let error = |r: &[Vector<D>]| {
            let mut report = Report::start();
            judge(problem, r, params, &mut report);
            report.mean
        };
        let without = error(r);
        if without == 0.0 {
            // nothing comes near enough to ask for an impulse, and no guess is better
            return;
        }
        let Some(up) = self.against_the_loads(&motion.velocity) else { return };
        let height = |body: usize| self.bodies.pose.get(body).map_or(f64::NAN, |pose| pose.position.dot(&up));
        let heights: Vec<f64> = (0..problem.w.bodies().len()).map(height).collect();
        let found = held_from_above(problem, &heights, &motion.velocity, &self.bodies.velocity);
        if error(&found) < without {
            r.copy_from_slice(&found);
        }
    }

    /// The direction against which loads and weights push in this step, a unit vector.
    fn against_the_loads(&self, free: &Velocities) -> Option<Vector<D>> {
        let mut sum = Vector::<D>::zeros();
        for body in (0..self.bodies.len()).filter(|&body| self.can_move(body)) {
            let (free, begin) = (&free[body], &self.bodies.velocity[body]);
            for k in 0..D.min(free.len()) {
                sum[k] -= self.bodies.mass[body][k] * (free[k] - begin[k]);
            }
        }
        let length = sum.norm();
        (length > 0.0 && length.is_finite()).then(|| sum / length)
    }
}

/// A contact under a body.
struct Under<const D: usize> {
    row: usize,
    /// Which side of the contact the body above is.
    side: usize,
    /// Velocity with the body above as free as can be and the one under it as before the step.
    base: Vector<D>,
    local: LocalBlock<D>,
}

/// Impulses with which every body, from above to below, is held by the bodies under it. Heights belong to the
/// bodies; those that do not move hold whatever touches them.
fn held_from_above<const D: usize>(
    problem: &Problem<D, Condensed<D>>,
    heights: &[f64],
    free: &Velocities,
    begin: &Velocities,
) -> Vec<Vector<D>> {
    let (w, count) = (&problem.w, heights.len());
    let mut masses = w.bodies().clone();
    masses.find_roots();
    let masses = &masses;
    let moves = |body: usize| w.bodies().moves(body);
    let is_above = |a: usize, b: usize| !moves(b) || (heights[a], a) > (heights[b], b);
    let mut under: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for (row, pair) in w.pairs().enumerate() {
        let [a, b] = pair.bodies.map(|body| body as usize);
        if moves(a) && is_above(a, b) {
            under[a].push((row, 0));
        } else if moves(b) && is_above(b, a) {
            under[b].push((row, 1));
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|&body| !under[body].is_empty()).collect();
    order.sort_by(|&a, &b| heights[b].total_cmp(&heights[a]).then(b.cmp(&a)));

    let mut r = vec![Vector::<D>::zeros(); w.pairs().len()];
    // what impulses have made of the velocities, in the metric of the masses
    let mut pushed = vec![0.0; w.bodies().total()];
    for body in order {
        let contacts: Vec<Under<D>> = under[body]
            .iter()
            .map(|&(row, side)| Under::new(problem, masses, [row, side], free, begin))
            .collect();
        for _ in 0..ROUNDS {
            let (mut largest, mut change) = (0.0_f64, 0.0_f64);
            for contact in &contacts {
                let row = contact.row;
                let u = contact.base + contact.along(w, masses, body, &pushed);
                let next = contact.local.answer(&u, &r[row], &problem.sets[row], 1.0);
                let delta = next - r[row];
                contact.push(w, masses, [body, contact.side], &delta, &mut pushed);
                r[row] = next;
                largest = largest.max(next.norm());
                change = change.max(delta.norm());
            }
            if change <= STILL * largest {
                break;
            }
        }
        for contact in &contacts {
            let other = w.pair(contact.row).bodies[1 - contact.side] as usize;
            contact.push(w, masses, [other, 1 - contact.side], &r[contact.row], &mut pushed);
        }
    }
    r
}

impl<const D: usize> Under<D> {
    fn new(
        problem: &Problem<D, Condensed<D>>,
        masses: &Compliances,
        [row, side]: [usize; 2],
        free: &Velocities,
        begin: &Velocities,
    ) -> Self {
        let w = &problem.w;
        let pair = w.pair(row);
        let own = |side: usize, velocities: &Velocities| -> Vector<D> {
            let body = pair.bodies[side] as usize;
            let none = Vector::zeros();
            if body >= velocities.len() {
                return none;
            }
            let columns = pair.h[side].iter().zip(velocities[body].iter());
            columns.fold(none, |sum, (column, v)| sum + Vector::from(*column) * *v)
        };
        // the lower body goes on as it did
        let base = problem.u_free[row] - own(1 - side, free) + own(1 - side, begin);
        let body = pair.bodies[side] as usize;
        let mut block = Matrix::<D, D>::zeros();
        for k in 0..pair.h[side].len() {
            let column = Vector::<D>::from(masses.scaled(body, pair.h[side], k));
            block += column * column.transpose();
        }
        Self { row, side, base, local: LocalBlock::new(&block) }
    }

    /// Velocity of the contact by what was pushed at the body above.
    fn along(&self, w: &Condensed<D>, masses: &Compliances, body: usize, pushed: &[f64]) -> Vector<D> {
        let (columns, range) = (w.pair(self.row).h[self.side], w.bodies().dofs(body).range());
        let each = pushed[range].iter().enumerate().take(columns.len());
        each.fold(Vector::zeros(), |sum, (k, y)| sum + Vector::from(masses.scaled(body, columns, k)) * *y)
    }

    /// Pushes a body on one side of the contact.
    fn push(
        &self,
        w: &Condensed<D>,
        masses: &Compliances,
        [body, side]: [usize; 2],
        r: &Vector<D>,
        pushed: &mut [f64],
    ) {
        if !w.bodies().moves(body) {
            return;
        }
        let (columns, range) = (w.pair(self.row).h[side], w.bodies().dofs(body).range());
        for (k, y) in pushed[range].iter_mut().enumerate().take(columns.len()) {
            *y += Vector::<D>::from(masses.scaled(body, columns, k)).dot(r);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_problem::{PairRow, Set, residual};

    /// A triangle of equal disks of mass 1 and radius 1 in rows of `rows`, `rows - 1`, …, 1 on a floor,
    /// pressed down at 1 m/s: every disk above the floor rests on two others. The problem, heights, free
    /// velocities.
    fn triangle(rows: usize) -> (Problem<2, Condensed<2>>, Vec<f64>, Velocities) {
        let mut places = Vec::new();
        for row in 0..rows {
            let first = row as f64;
            places.extend((row..rows).map(|k| [2.0 * (k - row) as f64 + first, 3f64.sqrt() * row as f64]));
        }
        let count = places.len();
        let mut pairs: Vec<(usize, usize, [f64; 2])> = Vec::new();
        for a in 0..count {
            if places[a][1] == 0.0 {
                pairs.push((a, count, [0.0, 1.0]));
            }
            for b in 0..count {
                let d = [places[a][0] - places[b][0], places[a][1] - places[b][1]];
                // level neighbours only touch
                if d[1] > 0.1 && (d[0].hypot(d[1]) - 2.0).abs() < 1e-9 {
                    pairs.push((a, b, d.map(|x| 0.5 * x)));
                }
            }
        }
        let row = |&(a, b, n): &(usize, usize, [f64; 2])| {
            let h = |sign: f64, arm: f64| {
                let spin = sign * arm;
                Matrix::<2, 3>::new(sign * n[0], sign * n[1], 0.0, -sign * n[1], sign * n[0], spin)
            };
            let arm = if b == count { 0.0 } else { 1.0 };
            PairRow::new([a as u32, b as u32], [h(1.0, -1.0), h(-1.0, arm)])
        };
        let rows: Vec<PairRow<2>> = pairs.iter().map(row).collect();
        let masses = (0..=count).map(|body| if body < count { [1.0, 1.0, 2.0] } else { [0.0; 3] });
        let w = Condensed::new(&rows, Compliances::diagonal(masses));
        let falling: Vec<f64> =
            (0..=count).flat_map(|body| [0.0, if body < count { -1.0 } else { 0.0 }, 0.0]).collect();
        let u_free = (0..rows.len()).map(|row| w.relative(row, &falling)).collect();
        let sets = vec![Set::Coulomb { mu: 0.5 }; rows.len()];
        let heights = places.iter().map(|place| place[1]).chain([f64::NAN]).collect();
        let mut free = Velocities::new();
        falling.chunks(3).for_each(|body| free.push(body));
        (Problem { w, u_free, sets }, heights, free)
    }

    #[test]
    fn the_floor_carries_the_weight_at_once() {
        let (problem, heights, free) = triangle(8);
        let mut begin = free.clone();
        begin.flat_mut().fill(0.0);
        let r = held_from_above(&problem, &heights, &free, &begin);
        // the lowest disks at the sides roll away; everything else is held
        let error = |r: &[Vector<2>]| residual(&problem, &problem.velocities(r), r);
        let (found, none) = (error(&r), error(&vec![Vector::zeros(); r.len()]));
        assert!(found.mean < 0.3 * none.mean, "{found:?} {none:?}");
        let floor: f64 =
            problem.w.pairs().zip(&r).filter(|(pair, _)| pair.bodies[1] == 36).map(|(_, r)| r[0]).sum();
        assert!((floor - 36.0).abs() < 0.01, "{floor}");
    }
}
