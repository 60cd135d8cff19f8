//! Closest points of points and segments. Degenerate segments are points, never a division by zero.

use drystone_math::Vector;

/// Where on the segment, 0 at `from` and 1 at `to`, the nearest point to `point` lies.
pub(crate) fn parameter<const D: usize>(point: &Vector<D>, from: &Vector<D>, to: &Vector<D>) -> f64 {
    let along = to - from;
    let square = along.norm_squared();
    if square > 0.0 { ((point - from).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// Where the lines through two segments pass each other, as parameters on both; nothing if nearly parallel.
pub(crate) fn passing<const D: usize>(p: [&Vector<D>; 2], q: [&Vector<D>; 2]) -> Option<(f64, f64)> {
    let (d, e, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(&e));
    let determinant = dd * ee - de * de;
    if determinant <= 1e-14 * dd * ee {
        return None;
    }
    let (dr, er) = (d.dot(&r), e.dot(&r));
    Some(((de * er - ee * dr) / determinant, (dd * er - de * dr) / determinant))
}

/// Parameters of the closest points of two segments, and the square of their distance.
///
/// The least of the four end-to-segment distances and of the passing of the lines, which stays exact for
/// nearly parallel segments where clamping one after the other does not.
pub(crate) fn closest<const D: usize>(p: [&Vector<D>; 2], q: [&Vector<D>; 2]) -> (f64, f64, f64) {
    let at = |ends: [&Vector<D>; 2], t: f64| ends[0] + (ends[1] - ends[0]) * t;
    let ends = [
        (0.0, parameter(p[0], q[0], q[1])),
        (1.0, parameter(p[1], q[0], q[1])),
        (parameter(q[0], p[0], p[1]), 0.0),
        (parameter(q[1], p[0], p[1]), 1.0),
    ];
    let inside = |t: f64| (0.0..=1.0).contains(&t);
    let between = passing(p, q).filter(|&(s, t)| inside(s) && inside(t));
    let mut best = (0.0, 0.0, f64::INFINITY);
    for (s, t) in ends.into_iter().chain(between) {
        let square = (at(p, s) - at(q, t)).norm_squared();
        if square < best.2 {
            best = (s, t, square);
        }
    }
    best
}
