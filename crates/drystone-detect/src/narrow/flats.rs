//! Flat facets of two bodies that lie on each other: where they overlap, over which area, how far apart they
//! are. Which body they are of is told by the names they bring.

use drystone_geometry::frame_from_normal;
use drystone_math::{Matrix, Vector};

/// Cosine of the angle between two facets below which they lie on each other (30°); beyond it corners touch.
pub(crate) const FLAT: f64 = 0.866_025_403_784_438_6;

/// Overlaps below this, relative to the smaller facet, are none.
pub(crate) const SLIVER: f64 = 1e-9;

/// Facets of one body in world axes: segments in the plane, convex polygons in space.
#[derive(Default)]
pub(crate) struct Flats<const D: usize> {
    pub corners: Vec<Vector<D>>,
    pub flats: Vec<Flat<D>>,
    /// Vertices that touch as such, with their names, and the flats around them.
    pub sharp: Vec<(u32, Vector<D>, Vec<u32>)>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(crate) struct Flat<const D: usize> {
    first: u32,
    count: u32,
    /// Outer unit normal.
    pub normal: Vector<D>,
    /// Name within its body.
    pub word: u32,
}

/// A point of the rule that integrates over the overlap of two facets; exact for quadratic functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverlapPoint<const D: usize> {
    /// The places on the first and on the second facet, one over the other along the normal \[m\].
    pub on: [Vector<D>; 2],
    /// Its share of the area of the overlap \[m²\], in the plane \[m\] for a depth of 1 m.
    pub weight: f64,
}

impl<const D: usize> Flats<D> {
    pub fn clear(&mut self) {
        self.corners.clear();
        self.flats.clear();
        self.sharp.clear();
    }

    pub fn push(&mut self, word: u32, normal: Vector<D>, corners: impl Iterator<Item = Vector<D>>) {
        let first = self.corners.len() as u32;
        self.corners.extend(corners);
        self.flats.push(Flat { first, count: self.corners.len() as u32 - first, normal, word });
    }

    pub fn corners_of(&self, flat: &Flat<D>) -> &[Vector<D>] {
        &self.corners[flat.first as usize..(flat.first + flat.count) as usize]
    }
}

/// Where two facets overlap, seen along the mean of their normals: the points of the rule over it are added
/// to `rule`, and the mean normal, from the second to the first, is given; none where they do not overlap or
/// do not face each other.
pub(crate) fn overlap<const D: usize>(
    a: (&[Vector<D>], &Vector<D>),
    b: (&[Vector<D>], &Vector<D>),
    rule: &mut Vec<OverlapPoint<D>>,
) -> Option<Vector<D>> {
    if a.1.dot(b.1) > -FLAT {
        return None;
    }
    let along = b.1 - a.1;
    if are_apart(a.0, b.0, &along) {
        return None;
    }
    let normal = along.normalize();
    let frame = frame_from_normal(&normal);
    let origin = b.0[0];
    // how far along the normal it is from one facet to the other for each metre across them
    let steep = [a.1, b.1].map(|own| 1.0 / normal.dot(own));
    let height = |at: &Vector<D>, corner: &Vector<D>, own: &Vector<D>, steep: f64| {
        at + normal * ((corner - at).dot(own) * steep)
    };
    let mut add = |place: Vector<D>, weight: f64| {
        let at = origin + place;
        let on = [height(&at, &a.0[0], a.1, steep[0]), height(&at, &b.0[0], b.1, steep[1])];
        rule.push(OverlapPoint { on, weight });
    };
    if D == 2 {
        let ([low, high], size) = stretch(a.0, b.0, &frame)?;
        if high - low <= SLIVER * size {
            return None;
        }
        let tangent = frame.column(1);
        segment_rule(low, high, |x, weight| add(tangent * x, weight));
    } else {
        let (polygon, size) = clip(a.0, b.0, &frame)?;
        if measure(&polygon).abs() <= SLIVER * size {
            return None;
        }
        polygon_rule(&polygon, |x, weight| add(frame.column(1) * x[0] + frame.column(D - 1) * x[1], weight));
    }
    Some(normal)
}

/// Whether two facets clearly lie beside each other, seen along a vector of any length: most do, and then
/// nothing else needs to be known of them.
fn are_apart<const D: usize>(a: &[Vector<D>], b: &[Vector<D>], along: &Vector<D>) -> bool {
    const CLEARLY: f64 = 1e-9;
    if D == 2 {
        let across = |at: &Vector<D>| along[0] * (at[1] - b[0][1]) - along[1] * (at[0] - b[0][0]);
        let ([p, q], r) = ([across(&a[0]), across(&a[1])], across(&b[1]));
        let (a, b) = ([p.min(q), p.max(q)], [r.min(0.0), r.max(0.0)]);
        return a[0].max(b[0]) - a[1].min(b[1]) > CLEARLY * (a[1] - a[0] + b[1] - b[0]);
    }
    let radius = |corners: &[Vector<D>]| {
        corners[1..].iter().map(|corner| (corner - corners[0]).norm_squared()).fold(0.0, f64::max).sqrt()
    };
    let from = a[0] - b[0];
    let beside = from.norm_squared() - from.dot(along).powi(2) / along.norm_squared();
    beside > (radius(a) + radius(b)).powi(2) + CLEARLY * from.norm_squared()
}

/// The same rule over a whole facet, a segment or a triangle.
pub(crate) fn facet_rule<const D: usize>(corners: &[Vector<D>; D], add: &mut dyn FnMut(Vector<D>, f64)) {
    let one = corners[1] - corners[0];
    if D == 2 {
        let length = one.norm();
        segment_rule(0.0, 1.0, |x, weight| add(corners[0] + one * x, weight * length));
    } else {
        let two = corners[D - 1] - corners[0];
        let (aa, ab, bb) = (one.norm_squared(), one.dot(&two), two.norm_squared());
        let area = 0.5 * (aa * bb - ab * ab).max(0.0).sqrt();
        for corner in corners {
            let sum = corners.iter().fold(Vector::zeros(), |sum: Vector<D>, corner| sum + corner);
            add(sum / 6.0 + corner * 0.5, area / 3.0);
        }
    }
}

/// Gauss's rule of two points.
fn segment_rule(low: f64, high: f64, mut add: impl FnMut(f64, f64)) {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let away = half / 3f64.sqrt();
    add(middle - away, half);
    add(middle + away, half);
}

/// Three points in each triangle of a fan.
fn polygon_rule(polygon: &[[f64; 2]], mut add: impl FnMut([f64; 2], f64)) {
    let first = polygon[0];
    for pair in polygon[1..].windows(2) {
        let triangle = [first, pair[0], pair[1]];
        let weight = measure(&triangle).abs() / 3.0;
        for k in 0..3 {
            let at = |axis: usize| {
                let sum: f64 = triangle.iter().map(|corner| corner[axis]).sum();
                sum / 6.0 + 0.5 * triangle[k][axis]
            };
            add([at(0), at(1)], weight);
        }
    }
}

/// Ends of the overlap of two segments along the tangent, from the first corner of `b`, and the length of the
/// smaller segment.
fn stretch<const D: usize>(
    a: &[Vector<D>],
    b: &[Vector<D>],
    frame: &Matrix<D, D>,
) -> Option<([f64; 2], f64)> {
    let tangent = frame.column(1).into_owned();
    let along = |ends: &[Vector<D>]| {
        let [p, q] = [0, 1].map(|k| tangent.dot(&(ends[k] - b[0])));
        [p.min(q), p.max(q)]
    };
    let ([a0, a1], [b0, b1]) = (along(a), along(b));
    let (low, high) = (a0.max(b0), a1.min(b1));
    (high > low).then(|| ([low, high], (a1 - a0).min(b1 - b0)))
}

/// The overlap of two convex polygons in the plane of the frame, and the area of the smaller one: `a` is cut
/// by the sides of `b` (Sutherland, Hodgman 1974).
fn clip<const D: usize>(
    a: &[Vector<D>],
    b: &[Vector<D>],
    frame: &Matrix<D, D>,
) -> Option<(Vec<[f64; 2]>, f64)> {
    let flat = |point: &Vector<D>| {
        let from = point - b[0];
        [frame.column(1).dot(&from), frame.column(D - 1).dot(&from)]
    };
    let mut polygon: Vec<[f64; 2]> = a.iter().map(flat).collect();
    let mut cutter: Vec<[f64; 2]> = b.iter().map(flat).collect();
    let whole = measure(&polygon).abs().min(measure(&cutter).abs());
    if measure(&cutter) < 0.0 {
        cutter.reverse();
    }
    let mut next = Vec::new();
    for k in 0..cutter.len() {
        let (p, q) = (cutter[k], cutter[(k + 1) % cutter.len()]);
        let left = |x: [f64; 2]| (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]);
        next.clear();
        for j in 0..polygon.len() {
            let (x, y) = (polygon[j], polygon[(j + 1) % polygon.len()]);
            let (dx, dy) = (left(x), left(y));
            if dx >= 0.0 {
                next.push(x);
            }
            if (dx > 0.0 && dy < 0.0) || (dx < 0.0 && dy > 0.0) {
                let t = dx / (dx - dy);
                next.push([x[0] + t * (y[0] - x[0]), x[1] + t * (y[1] - x[1])]);
            }
        }
        std::mem::swap(&mut polygon, &mut next);
        if polygon.len() < 3 {
            return None;
        }
    }
    Some((polygon, whole))
}

/// Area of a polygon, positive if its corners run counterclockwise.
fn measure(polygon: &[[f64; 2]]) -> f64 {
    let o = polygon[0];
    let mut area = 0.0;
    for pair in polygon[1..].windows(2) {
        let [p, q] = [0, 1].map(|k| [pair[k][0] - o[0], pair[k][1] - o[1]]);
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    area
}

/// Height of a point over a facet, if it lies over it.
pub(crate) fn height_over<const D: usize>(
    point: &Vector<D>,
    corners: &[Vector<D>],
    normal: &Vector<D>,
) -> Option<f64> {
    let count = corners.len();
    let inside = (0..count).all(|k| {
        let (p, q) = (corners[k], corners[(k + 1) % count]);
        let (along, from) = (q - p, point - p);
        if D == 2 {
            return along.dot(&from) >= 0.0;
        }
        let axes = |v: &Vector<D>| [v[0], v[1], v[D - 1]];
        let (u, w, n) = (axes(&along), axes(&from), axes(normal));
        let cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
        cross[0] * n[0] + cross[1] * n[1] + cross[2] * n[2] >= 0.0
    });
    inside.then(|| (point - corners[0]).dot(normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_of_triangles_fill_the_square() {
        // two cuts of the unit square, one seen from above, one from below
        let at = |x: f64, y: f64, z: f64| Vector::<3>::new(x, y, z);
        let lower = [at(0., 0., 0.), at(1., 0., 0.), at(1., 1., 0.), at(0., 1., 0.)];
        let upper = lower.map(|p| p + at(0.0, 0.0, 0.1));
        let (up, down) = (at(0., 0., 1.), at(0., 0., -1.));
        let below = [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k| lower[k]));
        let above = [[1, 0, 3], [1, 3, 2]].map(|t| t.map(|k| upper[k]));
        let (mut area, mut moment) = (0.0, 0.0);
        for a in &above {
            for b in &below {
                let mut rule = Vec::new();
                assert_eq!(overlap((a, &down), (b, &up), &mut rule), Some(up));
                for OverlapPoint { on: [one, two], weight } in rule {
                    assert!((one - two - at(0.0, 0.0, 0.1)).norm() < 1e-15);
                    area += weight;
                    moment += weight * one[0] * one[1];
                }
            }
        }
        assert!((area - 1.0).abs() < 1e-15, "{area}");
        assert!((moment - 0.25).abs() < 1e-15, "{moment}");
        assert!(overlap((&above[0], &up), (&below[0], &up), &mut Vec::new()).is_none());
    }

    #[test]
    fn overlaps_in_the_plane_are_stretches() {
        let at = |x: f64, y: f64| Vector::<2>::new(x, y);
        let (up, down) = (at(0., 1.), at(0., -1.));
        let (one, two) = ([at(0.5, 1.0), at(2.0, 1.0)], [at(1.0, 0.8), at(0.0, 0.8)]);
        let mut rule = Vec::new();
        assert_eq!(overlap((&one, &down), (&two, &up), &mut rule), Some(up));
        let sum = |of: &dyn Fn(f64) -> f64| rule.iter().map(|p| p.weight * of(p.on[0][0])).sum::<f64>();
        assert!((sum(&|_| 1.0) - 0.5).abs() < 1e-15 && (sum(&|x| x * x) - 7.0 / 24.0).abs() < 1e-15);
        assert!(rule.iter().all(|p| (p.on[0] - p.on[1] - at(0.0, 0.2)).norm() < 1e-15));
        assert_eq!(
            height_over(&at(0.5, 2.0), &[at(1.0, 0.8), at(0.0, 0.8)], &up).map(|x| x > 1.1),
            Some(true)
        );
        assert_eq!(height_over(&at(1.5, 2.0), &[at(1.0, 0.8), at(0.0, 0.8)], &up), None);
    }
}
