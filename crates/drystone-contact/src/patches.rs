//! Normal impulses of patches that slide, made even. Solves no contact problem: who calls it solves again.
//!
//! Between two bodies that touch at more than three points with one normal (more than two in the plane) the
//! motion tells the resultant of the normal impulses and its moments, not how the points share it. While all
//! of them stick that does not matter to the motion. A point that slides rubs in proportion to its share: the
//! friction, the moment that stops a spin, and with them the motion would depend on which of the many
//! solutions a solver happens to find, and so on the order of the contacts. Of those the one with the least
//! sum of squares in every such patch is chosen, which is an affine pressure where it is nowhere negative:
//! the most even one.

use crate::assembly::Assembly;
use crate::even::make_even;
use drystone_math::Vector;
use drystone_problem::{Delassus, Set, any_in_pieces, in_pieces};
use std::ops::Range;

/// One minus the cosine of the angle between normals of one patch.
const ONE_NORMAL: f64 = 1e-12;

/// Width of the border of the cone, relative to its radius.
const BORDER: f64 = 1e-6;

/// A point stands still below so much of the velocity that the typical impulse makes by itself, and below the
/// tolerance of the solver, which leaves that much of motion where there is none.
const STILL: f64 = 1e-6;

/// How uneven a patch may be, in units of the tolerance of the solver.
const UNEVEN: f64 = 0.1;

/// Fewest points of a patch that may be shared in more than one way.
const FEWEST: usize = 3;

impl<const D: usize> Assembly<D> {
    /// Makes the normal impulses even in every patch that slides, with the same resultants, friction in
    /// proportion, where any of them is off by more than a tenth of the `tolerance` of the solver, relative
    /// to the largest of its patch or the typical one of all contacts. How far they were off, as
    /// root mean square over the patches that slide, and the impulses before: the problem must be solved
    /// again. `None` where nothing was changed.
    pub fn even_out(&self, r: &mut [Vector<D>], tolerance: f64) -> Option<(f64, Vec<Vector<D>>)> {
        let patches = self.sliding_patches(r);
        if patches.is_empty() {
            return None;
        }
        let typical = self.typical(r);
        let carry = self.problem.w.carry(r);
        let before = r.to_vec();
        let velocity = |alpha: usize| self.problem.u_free[alpha] + self.problem.w.row(alpha, &before, &carry);
        let (count, mut squares) = (patches.len() as f64, 0.0);
        for patch in patches {
            let points: Vec<(usize, Vector<D>)> =
                patch.into_iter().map(|alpha| (alpha, velocity(alpha))).collect();
            if let Some(uneven) = self.even_patch(&points, r, typical, tolerance) {
                squares += uneven * uneven;
            }
        }
        (squares > 0.0).then(|| ((squares / count).sqrt(), before))
    }

    /// Patches with at least one point on the border of its cone and all of them between rigid bodies with
    /// Coulomb's law.
    fn sliding_patches(&self, r: &[Vector<D>]) -> Vec<Vec<usize>> {
        let contacts = self.interactions.len();
        let pair = |alpha: &usize| {
            let interaction = &self.interactions[*alpha];
            (interaction.bodies, interaction.id.image)
        };
        // as a rule contacts come by their bodies, and those of two bodies one after the other
        let look = |piece: Range<usize>| {
            let mut found = [false; 2];
            for k in piece {
                let here = pair(&k);
                found[0] |= k + 1 < contacts && here > pair(&(k + 1));
                found[1] |= k + FEWEST <= contacts && here == pair(&(k + FEWEST - 1));
            }
            found
        };
        let either = |sum: &mut [bool; 2], piece: [bool; 2]| *sum = [sum[0] | piece[0], sum[1] | piece[1]];
        let [is_mixed, any] = in_pieces(contacts, look, either);
        if !is_mixed && !any {
            return Vec::new();
        }
        if !any_in_pieces(contacts, |alpha| self.rubs(alpha, &r[alpha])) {
            return Vec::new();
        }
        let mut order: Vec<usize> = (0..contacts).collect();
        if is_mixed {
            order.sort_by_key(pair);
        }
        let mut patches = Vec::new();
        for between in order.chunk_by(|a, b| pair(a) == pair(b)).filter(|between| between.len() >= FEWEST) {
            let mut left = between.to_vec();
            while let Some(&first) = left.first() {
                let normal = |alpha: usize| self.interactions[alpha].frame.column(0).into_owned();
                let along = |alpha: &usize| normal(first).dot(&normal(*alpha)) > 1.0 - ONE_NORMAL;
                let (patch, others): (Vec<usize>, Vec<usize>) = left.iter().partition(|alpha| along(alpha));
                let rubs = patch.iter().any(|&alpha| self.rubs(alpha, &r[alpha]));
                if rubs && patch.len() >= FEWEST && patch.iter().all(|&alpha| self.is_plain(alpha)) {
                    patches.push(patch);
                }
                left = others;
            }
        }
        patches
    }

    /// Whether the impulse is on the border of its cone.
    fn rubs(&self, alpha: usize, r: &Vector<D>) -> bool {
        matches!(self.problem.sets[alpha], Set::Coulomb { mu }
            if mu > 0.0 && r[0] > 0.0 && r.rows_range(1..).norm() >= (1.0 - BORDER) * mu * r[0])
    }

    /// Whether a contact is Coulomb's between rigid bodies, and no more.
    fn is_plain(&self, alpha: usize) -> bool {
        let bodies = self.problem.w.bodies();
        if self.interactions[alpha].bodies.iter().any(|body| bodies.is_dense(body.0 as usize)) {
            return false;
        }
        let change = &self.changes[alpha];
        let branched = self.branches.binary_search_by_key(&(alpha as u32), |&(contact, _)| contact).is_ok();
        matches!(change.set, Set::Coulomb { .. })
            && change.compliance.amax() == 0.0
            && change.impulse.amax() == 0.0
            && !branched
    }

    /// Velocity that an impulse makes at a contact by itself, but for the direction \[m/s\].
    fn made(&self, alpha: usize, impulse: f64) -> f64 {
        self.block(alpha).trace() / D as f64 * impulse
    }

    /// Root mean square of what the impulses of the contacts that press make by themselves \[m/s\].
    fn typical(&self, r: &[Vector<D>]) -> f64 {
        let made = (0..self.interactions.len()).map(|alpha| self.made(alpha, r[alpha].norm()));
        let (sum, count) = made
            .filter(|&made| made > 0.0)
            .fold((0.0, 0.0), |(sum, count), made| (sum + made * made, count + 1.0));
        if count > 0.0 { (sum / count).sqrt() } else { 0.0 }
    }

    /// Makes one patch even, given its points and their velocities; how far it was off.
    fn even_patch(
        &self,
        points: &[(usize, Vector<D>)],
        r: &mut [Vector<D>],
        typical: f64,
        tolerance: f64,
    ) -> Option<f64> {
        let mu = |alpha: usize| self.problem.sets[alpha].threshold(1.0);
        let still = STILL.max(tolerance) * typical;
        // points that part carry nothing in any solution
        let points: Vec<&(usize, Vector<D>)> =
            points.iter().filter(|(alpha, u)| r[*alpha][0] > 0.0 || u[0] <= still).collect();
        let slides = |&&(alpha, u): &&(usize, Vector<D>)| {
            u.rows_range(1..).norm() > still && (r[alpha][0] <= 0.0 || self.rubs(alpha, &r[alpha]))
        };
        if points.len() < FEWEST || !points.iter().any(slides) {
            return None;
        }
        let least = |point: &&(usize, Vector<D>)| match slides(point) {
            true => 0.0,
            false => r[point.0].rows_range(1..).norm() / mu(point.0),
        };
        let least: Vec<f64> = points.iter().map(least).collect();
        let held: Vec<f64> = points.iter().map(|point| r[point.0][0]).collect();
        let mut shares: Vec<f64> = held.iter().zip(&least).map(|(x, least)| x.max(*least)).collect();
        if !make_even(&self.arms(&points), &least, &mut shares) {
            return None;
        }
        let most = |of: &dyn Fn(usize) -> f64| {
            (0..points.len()).map(|i| self.made(points[i].0, of(i))).fold(0.0, f64::max)
        };
        let farthest = most(&|i| (shares[i] - held[i]).abs());
        let scale = most(&|i| held[i]).max(typical);
        if farthest <= UNEVEN * tolerance * scale {
            return None;
        }
        let sliding: Vec<bool> = points.iter().map(slides).collect();
        for ((&&(alpha, u), share), slides) in points.iter().zip(&shares).zip(sliding) {
            r[alpha][0] = *share;
            if slides {
                let speed = u.rows_range(1..).norm();
                (1..D).for_each(|i| r[alpha][i] = -mu(alpha) * share * u[i] / speed);
            }
        }
        Some(farthest / scale)
    }

    /// A force along the normal at each point as a force and moments about the axes of the patch, in units of
    /// its size.
    fn arms(&self, points: &[&(usize, Vector<D>)]) -> Vec<Vector<D>> {
        let place = |point: &&(usize, Vector<D>)| self.interactions[point.0].point;
        let centre = points.iter().map(place).sum::<Vector<D>>() / points.len() as f64;
        let frame = self.interactions[points[0].0].frame;
        let flat: Vec<Vector<D>> =
            points.iter().map(|point| frame.tr_mul(&(place(point) - centre))).collect();
        let size = flat.iter().map(|at| at.rows_range(1..).norm()).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let arm = |at: &Vector<D>| Vector::from_fn(|i, _| if i == 0 { 1.0 } else { at[i] / size });
        flat.iter().map(arm).collect()
    }
}
