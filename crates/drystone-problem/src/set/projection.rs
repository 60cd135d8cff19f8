//! Euclidean projections on the admissible sets. Knows no velocity; refuses nothing, and a coefficient that
//! is no number counts as zero.

use super::{first_of_moment, length};
use drystone_math::Vector;

/// Projection on the cone `‖r_T‖ ≤ μ r_N`.
#[inline]
pub(super) fn on_cone<const D: usize>(mu: f64, r: &Vector<D>) -> Vector<D> {
    let tangential = length(r, 1, D);
    if r[0] >= 0.0 && tangential <= mu * r[0] {
        return *r;
    }
    // in the polar cone: the tip is nearest
    let along = r[0] + mu * tangential;
    if along <= 0.0 {
        return Vector::zeros();
    }
    let normal = along / (1.0 + mu * mu);
    let mut projected = r * if tangential > 0.0 { mu * normal / tangential } else { 0.0 };
    projected[0] = normal;
    projected
}

/// Projection on the cylinder `‖r_T‖ ≤ radius`, the normal left alone.
#[inline]
pub(super) fn on_disk<const D: usize>(radius: f64, r: &Vector<D>) -> Vector<D> {
    let mut projected = *r;
    shorten(&mut projected, 1, D, radius);
    projected
}

/// The same with two disks, the second one from component `split` on.
#[inline]
pub(super) fn on_disks<const D: usize>(radii: [f64; 2], split: usize, r: &Vector<D>) -> Vector<D> {
    let mut projected = *r;
    shorten(&mut projected, 1, split, radii[0]);
    shorten(&mut projected, split, D, radii[1]);
    projected
}

/// Projection on the pen `‖r_T‖ ≤ min(μ r_N, cap)`.
///
/// Where the projection on the cone is too long, the nearest point of the pen lies on the cylinder around it,
/// not below the circle at which the two meet.
#[inline]
pub(super) fn on_pen<const D: usize>(mu: f64, cap: f64, r: &Vector<D>) -> Vector<D> {
    let mut projected = on_cone(mu, r);
    // written so that a cap that is NaN counts as zero
    if length(&projected, 1, D) <= cap {
        return projected;
    }
    let cap = cap.max(0.0);
    for i in 1..D {
        projected[i] = r[i];
    }
    shorten(&mut projected, 1, D, cap);
    projected[0] = r[0].max(if cap > 0.0 { cap / mu } else { 0.0 });
    projected
}

/// Projection on `‖r_T‖ ≤ μ r_N`, `‖r_M‖ ≤ μ_r r_N`.
///
/// With the lengths `t`, `m` of the two parts the normal `n ≥ 0` minimises
/// `(n − r_N)² + max(0, t − μ n)² + max(0, m − μ_r n)²`. Its slope is the least of four increasing lines
/// (neither part shortened, one, both), and the zero of the least of them is the largest of their zeros.
pub(super) fn on_rolling_cone<const D: usize>(
    mu: f64,
    rolling: f64,
    sliding: usize,
    r: &Vector<D>,
) -> Vector<D> {
    let split = first_of_moment::<D>(sliding);
    // comparisons that are false for numbers that are none
    let mu = if mu > 0.0 { mu } else { 0.0 };
    let rolling = if rolling > 0.0 { rolling } else { 0.0 };
    let parts = [(mu, length(r, 1, split)), (rolling, length(r, split, D))];
    let zero = |shortened: [bool; 2]| {
        let (mut along, mut weight) = (r[0], 1.0);
        for (&(slope, length), shortened) in parts.iter().zip(shortened) {
            if shortened {
                along += slope * length;
                weight += slope * slope;
            }
        }
        along / weight
    };
    let normal = [[false, false], [true, false], [false, true], [true, true]]
        .into_iter()
        .map(zero)
        .fold(f64::NEG_INFINITY, f64::max);
    // in the polar cone: the tip is nearest
    if normal <= 0.0 {
        return Vector::zeros();
    }
    let mut pushing = *r;
    pushing[0] = normal;
    on_disks([mu * normal, rolling * normal], split, &pushing)
}

/// Shortens the components `from..to` to a length of at most `radius`, nothing where that is NaN.
#[inline]
fn shorten<const D: usize>(x: &mut Vector<D>, from: usize, to: usize, radius: f64) {
    let length = length(x, from, to);
    if length <= radius {
        return;
    }
    let factor = if radius > 0.0 { radius / length } else { 0.0 };
    for i in from..to {
        x[i] *= factor;
    }
}
