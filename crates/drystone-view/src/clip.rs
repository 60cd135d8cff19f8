//! Polygons and lines cut at straight borders, in pixels. Keeps numbers on the sheet however large the scene.

use crate::geometry::V2;

/// The part of a polygon where `normal · (p − origin) ≤ 0` (Sutherland, Hodgman 1974); convex cutter, any
/// polygon.
pub(crate) fn below(points: &[V2], origin: V2, normal: V2) -> Vec<V2> {
    let height = |p: V2| (p[0] - origin[0]) * normal[0] + (p[1] - origin[1]) * normal[1];
    let mut kept = Vec::with_capacity(points.len() + 4);
    for (index, &end) in points.iter().enumerate() {
        let start = points[(index + points.len() - 1) % points.len()];
        let (a, b) = (height(start), height(end));
        if (a > 0.0) != (b > 0.0) {
            let part = a / (a - b);
            kept.push([start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])]);
        }
        if b <= 0.0 {
            kept.push(end);
        }
    }
    kept
}

/// The part of a polygon inside a rectangle.
pub(crate) fn inside(points: &[V2], (low, high): (V2, V2)) -> Vec<V2> {
    if points.iter().all(|p| p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1]) {
        return points.to_vec();
    }
    let mut kept = below(points, low, [-1.0, 0.0]);
    kept = below(&kept, low, [0.0, -1.0]);
    kept = below(&kept, high, [1.0, 0.0]);
    below(&kept, high, [0.0, 1.0])
}

/// The part of a segment inside a rectangle (Liang, Barsky 1984), as parameters from 0 to 1.
pub(crate) fn segment(a: V2, b: V2, (low, high): (V2, V2)) -> Option<(f64, f64)> {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let run = b[axis] - a[axis];
        let (near, far) = (low[axis] - a[axis], high[axis] - a[axis]);
        if run == 0.0 {
            if near > 0.0 || far < 0.0 {
                return None;
            }
            continue;
        }
        let (first, second) = (near / run, far / run);
        from = from.max(first.min(second));
        to = to.min(first.max(second));
    }
    (from <= to).then_some((from, to))
}

/// The corners of a rectangle, in order.
pub(crate) fn corners((low, high): (V2, V2)) -> Vec<V2> {
    vec![low, [high[0], low[1]], high, [low[0], high[1]]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_cut_to_the_rectangle() {
        let border = ([0.0, 0.0], [2.0, 1.0]);
        let cut = inside(&[[-5e9, -5e9], [5e9, -5e9], [5e9, 5e9], [-5e9, 5e9]], border);
        let area = |points: &[V2]| {
            let twice: f64 = (0..points.len())
                .map(|i| (points[i], points[(i + 1) % points.len()]))
                .map(|(p, q)| p[0] * q[1] - q[0] * p[1])
                .sum();
            0.5 * twice.abs()
        };
        assert!((area(&cut) - 2.0).abs() < 1e-5);
        assert!((area(&inside(&[[1.0, -1.0], [3.0, 1.0], [1.0, 3.0]], border)) - 1.0).abs() < 1e-12);
        assert!(inside(&[[5.0, 5.0], [6.0, 5.0], [6.0, 6.0]], border).is_empty());
    }

    #[test]
    fn segments_are_cut_to_the_rectangle() {
        let border = ([0.0, 0.0], [2.0, 1.0]);
        assert_eq!(segment([-1.0, 0.5], [3.0, 0.5], border), Some((0.25, 0.75)));
        assert_eq!(segment([-1.0, 2.0], [3.0, 2.0], border), None);
        assert_eq!(segment([0.5, 0.5], [0.5, 0.5], border), Some((0.0, 1.0)));
    }
}
