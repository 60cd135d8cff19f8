//! Euclidean projections on the admissible sets. Knows no velocity; refuses nothing, and a coefficient that
//! is no number counts as zero.

use super::length;
use drystone_math::Vector;
use std::ops::Range;

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

/// The same with a disk for each kind of friction.
#[inline]
pub(super) fn on_disks<const D: usize>(
    radii: [f64; 3],
    parts: &[Range<usize>; 3],
    r: &Vector<D>,
) -> Vector<D> {
    let mut projected = *r;
    for (part, radius) in parts.iter().zip(radii) {
        shorten(&mut projected, part.start, part.end, radius);
    }
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

/// Projection on `‖r_T‖ ≤ μ r_N`, `‖r_M‖ ≤ μ_r r_N`, `‖r_Z‖ ≤ μ_t r_N`.
///
/// With the lengths `l_k` of the three parts the normal `n ≥ 0` minimises
/// `(n − r_N)² + Σ max(0, l_k − μ_k n)²`. Its slope is the least of eight increasing lines (each part
/// shortened or not), and the zero of the least of them is the largest of their zeros.
pub(super) fn on_rolling_cone<const D: usize>(
    slopes: [f64; 3],
    parts: &[Range<usize>; 3],
    r: &Vector<D>,
) -> Vector<D> {
    // comparisons that are false for numbers that are none
    let slopes = slopes.map(|slope| if slope > 0.0 { slope } else { 0.0 });
    let lengths = parts.each_ref().map(|part| length(r, part.start, part.end));
    let zero = |shortened: u32| {
        let (mut along, mut weight) = (r[0], 1.0);
        for kind in (0..3).filter(|kind| shortened & (1 << kind) != 0) {
            along += slopes[kind] * lengths[kind];
            weight += slopes[kind] * slopes[kind];
        }
        along / weight
    };
    let normal = (0..8).map(zero).fold(f64::NEG_INFINITY, f64::max);
    // in the polar cone: the tip is nearest
    if normal <= 0.0 {
        return Vector::zeros();
    }
    let mut pushing = *r;
    pushing[0] = normal;
    on_disks(slopes.map(|slope| slope * normal), parts, &pushing)
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
