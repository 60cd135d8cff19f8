//! Flat facets of two bodies that lie on each other: where they overlap, over which area, how far apart they
//! are. Which body they are of is told by the names they bring.

use drystone_geometry::frame_from_normal;
use drystone_math::{Matrix, Vector};

/// Cosine of the angle between two facets below which they lie on each other (30°); beyond it corners touch.
pub(crate) const FLAT: f64 = 0.866_025_403_784_438_6;

/// Overlaps below this, relative to the smaller facet, are none.
const SLIVER: f64 = 1e-9;

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

/// Two facets where they lie on each other.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<const D: usize> {
    /// Middle of the overlap, half way between the facets \[m\].
    pub point: Vector<D>,
    /// Mean of the two normals, from the second to the first.
    pub normal: Vector<D>,
    /// Distance along it \[m\].
    pub gap: f64,
    /// Size of the overlap \[m²\], in the plane \[m\] for a depth of 1 m.
    pub area: f64,
}

impl<const D: usize> Flats<D> {
    pub fn push(&mut self, word: u32, normal: Vector<D>, corners: impl Iterator<Item = Vector<D>>) {
        let first = self.corners.len() as u32;
        self.corners.extend(corners);
        self.flats.push(Flat { first, count: self.corners.len() as u32 - first, normal, word });
    }

    pub fn corners_of(&self, flat: &Flat<D>) -> &[Vector<D>] {
        &self.corners[flat.first as usize..(flat.first + flat.count) as usize]
    }
}

/// Where two facets overlap, seen along the mean of their normals; none where they do not face each other.
pub(crate) fn overlap<const D: usize>(
    a: (&[Vector<D>], &Vector<D>),
    b: (&[Vector<D>], &Vector<D>),
) -> Option<Overlap<D>> {
    if a.1.dot(b.1) > -FLAT {
        return None;
    }
    let normal = (b.1 - a.1).normalize();
    let frame = frame_from_normal(&normal);
    let origin = b.0[0];
    let (size, area, middle) = if D == 2 { stretch(a.0, b.0, &frame) } else { clip(a.0, b.0, &frame) }?;
    if area <= SLIVER * size {
        return None;
    }
    let middle = origin + middle;
    let height = |corner: &Vector<D>, own: &Vector<D>| (corner - middle).dot(own) / normal.dot(own);
    let (high, low) = (height(&a.0[0], a.1), height(&b.0[0], b.1));
    Some(Overlap { point: middle + normal * (0.5 * (high + low)), normal, gap: high - low, area })
}

/// Size of the smaller segment, length of the overlap and its middle from the first corner of `b`.
fn stretch<const D: usize>(
    a: &[Vector<D>],
    b: &[Vector<D>],
    frame: &Matrix<D, D>,
) -> Option<(f64, f64, Vector<D>)> {
    let tangent = frame.column(1).into_owned();
    let along = |ends: &[Vector<D>]| {
        let [p, q] = [0, 1].map(|k| tangent.dot(&(ends[k] - b[0])));
        [p.min(q), p.max(q)]
    };
    let ([a0, a1], [b0, b1]) = (along(a), along(b));
    let (low, high) = (a0.max(b0), a1.min(b1));
    let size = (a1 - a0).min(b1 - b0);
    (high > low).then(|| (size, high - low, tangent * (0.5 * (low + high))))
}

/// The same of two convex polygons: `a` is cut by the sides of `b` (Sutherland, Hodgman 1974).
fn clip<const D: usize>(
    a: &[Vector<D>],
    b: &[Vector<D>],
    frame: &Matrix<D, D>,
) -> Option<(f64, f64, Vector<D>)> {
    let flat = |point: &Vector<D>| {
        let from = point - b[0];
        [frame.column(1).dot(&from), frame.column(D - 1).dot(&from)]
    };
    let mut polygon: Vec<[f64; 2]> = a.iter().map(flat).collect();
    let mut cutter: Vec<[f64; 2]> = b.iter().map(flat).collect();
    let whole = measure(&polygon).0.abs().min(measure(&cutter).0.abs());
    if measure(&cutter).0 < 0.0 {
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
    let (area, middle) = measure(&polygon);
    let place = frame.column(1) * middle[0] + frame.column(D - 1) * middle[1];
    Some((whole, area.abs(), place))
}

/// Area of a polygon, positive if its corners run counterclockwise, and its centroid.
fn measure(polygon: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let o = polygon[0];
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for pair in polygon.windows(2) {
        let [p, q] = [0, 1].map(|k| [pair[k][0] - o[0], pair[k][1] - o[1]]);
        let part = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        area += part;
        (0..2).for_each(|axis| sum[axis] += part * (p[axis] + q[axis]) / 3.0);
    }
    let over = |x: f64| if area == 0.0 { 0.0 } else { x / area };
    (area, [o[0] + over(sum[0]), o[1] + over(sum[1])])
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
        let mut area = 0.0;
        for a in &above {
            for b in &below {
                let found = overlap((a, &down), (b, &up)).unwrap();
                assert!((found.gap - 0.1).abs() < 1e-15 && found.normal == up);
                assert!((found.point[2] - 0.05).abs() < 1e-15);
                area += found.area;
            }
        }
        assert!((area - 1.0).abs() < 1e-15, "{area}");
        assert!(overlap((&above[0], &up), (&below[0], &up)).is_none());
    }

    #[test]
    fn overlaps_in_the_plane_are_stretches() {
        let at = |x: f64, y: f64| Vector::<2>::new(x, y);
        let (up, down) = (at(0., 1.), at(0., -1.));
        let found = overlap((&[at(0.5, 1.0), at(2.0, 1.0)], &down), (&[at(1.0, 0.8), at(0.0, 0.8)], &up));
        let found = found.unwrap();
        assert!((found.area - 0.5).abs() < 1e-15 && (found.gap - 0.2).abs() < 1e-15);
        assert!((found.point - at(0.75, 0.9)).norm() < 1e-15);
        assert_eq!(
            height_over(&at(0.5, 2.0), &[at(1.0, 0.8), at(0.0, 0.8)], &up).map(|x| x > 1.1),
            Some(true)
        );
        assert_eq!(height_over(&at(1.5, 2.0), &[at(1.0, 0.8), at(0.0, 0.8)], &up), None);
    }
}
