//! The triangulation of points of the plane in which no circle about a triangle holds another point. Gives
//! triangles alone: what they mean is for others.

use drystone_math::Vector;
use robust::{Coord, incircle, orient2d};

/// The vertex at infinity of the triangles outside of the hull.
const FAR: usize = usize::MAX;

/// Triangles of points of the plane, each against the clock, so that no other point lies inside of the circle
/// about one (Delaunay 1934): by inserting the points from left to right (Bowyer 1981, Watson 1981), with
/// exact tests (Shewchuk 1997). Points that are there twice have the first of them alone; empty where all
/// points lie on a line, or where one is no number.
pub fn delaunay(points: &[Vector<2>]) -> Vec<[usize; 3]> {
    if !points.iter().flatten().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    let key = |k: usize| (points[k][0], points[k][1]);
    order.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (key(a), key(b));
        ax.total_cmp(&bx).then(ay.total_cmp(&by)).then(a.cmp(&b))
    });
    order.dedup_by(|b, a| points[*a] == points[*b]);
    let Some(mut front) = Front::begin(points, &order) else { return Vec::new() };
    let begun = front.begun;
    order[begun..].iter().for_each(|&point| front.insert(point));
    let open = front.open.iter().map(|one| one.corners).filter(|corners| corners[2] != FAR);
    front.done.iter().copied().chain(open).collect()
}

/// A triangle that the next points may still change; `[a, b, FAR]` outside of the edge from b to a.
struct OpenTriangle {
    corners: [usize; 3],
    /// No point farther to the right lies in its circle \[m\].
    right: f64,
}

/// Triangles behind which no point comes any more, and those at the front.
struct Front<'a> {
    points: &'a [Vector<2>],
    done: Vec<[usize; 3]>,
    open: Vec<OpenTriangle>,
    begun: usize,
}

impl<'a> Front<'a> {
    /// The first triangles: those of the first points, all on a line, with the first one beside it.
    fn begin(points: &'a [Vector<2>], order: &[usize]) -> Option<Self> {
        let turn = |k: usize| orient(points, [order[0], order[1], order[k]]);
        let tip = (2..order.len()).find(|&k| turn(k) != 0.0)?;
        let mut front = Self { points, done: Vec::new(), open: Vec::new(), begun: tip + 1 };
        let is_left = turn(tip) > 0.0;
        for pair in order[..tip].windows(2) {
            let [a, b] = if is_left { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
            front.add([a, b, order[tip]]);
            front.add([b, a, FAR]);
        }
        let [first, last] = [order[0], order[tip - 1]];
        let [first, last] = if is_left { [first, last] } else { [last, first] };
        front.add([first, order[tip], FAR]);
        front.add([order[tip], last, FAR]);
        Some(front)
    }

    fn add(&mut self, corners: [usize; 3]) {
        let right = if corners[2] == FAR { f64::INFINITY } else { self.right_of_circle(corners) };
        self.open.push(OpenTriangle { corners, right });
    }

    /// How far to the right the circle about a triangle reaches at most, rounding included.
    fn right_of_circle(&self, corners: [usize; 3]) -> f64 {
        let [a, b, c] = corners.map(|k| self.points[k]);
        let (b, c) = (b - a, c - a);
        let twice = 2.0 * (b[0] * c[1] - b[1] * c[0]);
        let centre = Vector::<2>::new(
            c[1] * b.norm_squared() - b[1] * c.norm_squared(),
            b[0] * c.norm_squared() - c[0] * b.norm_squared(),
        ) / twice;
        let right = a[0] + (centre[0] + centre.norm()) + 1e-6 * centre.norm();
        if right.is_finite() && centre.norm() < 1e6 * (b.norm() + c.norm()) { right } else { f64::INFINITY }
    }

    /// Takes a point in that is farther to the right than all before.
    fn insert(&mut self, point: usize) {
        let mut edges: Vec<[usize; 2]> = Vec::new();
        let open = std::mem::take(&mut self.open);
        for triangle in open {
            if triangle.right < self.points[point][0] {
                self.done.push(triangle.corners);
            } else if self.is_hit(triangle.corners, point) {
                let [a, b, c] = triangle.corners;
                edges.extend([[a, b], [b, c], [c, a]]);
            } else {
                self.open.push(triangle);
            }
        }
        // the rim of the hole: edges that only one of the triangles has
        let rim: Vec<_> = edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a])).copied().collect();
        for [a, b] in rim {
            self.add(match (a, b) {
                (FAR, _) => [b, point, FAR],
                (_, FAR) => [point, a, FAR],
                _ => [a, b, point],
            });
        }
    }

    fn is_hit(&self, corners: [usize; 3], point: usize) -> bool {
        let [a, b, c] = corners;
        if c == FAR {
            return orient(self.points, [a, b, point]) > 0.0;
        }
        let [a, b, c, p] = [a, b, c, point].map(|k| coord(&self.points[k]));
        incircle(a, b, c, p) > 0.0
    }
}

fn orient(points: &[Vector<2>], corners: [usize; 3]) -> f64 {
    let [a, b, c] = corners.map(|k| coord(&points[k]));
    orient2d(a, b, c)
}

fn coord(point: &Vector<2>) -> Coord<f64> {
    Coord { x: point[0], y: point[1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: usize) -> Vec<Vector<2>> {
        let part = |k: usize, by: f64| (k as f64 * by).fract();
        (0..count).map(|k| Vector::<2>::new(part(k, 0.754_877_666), 2.0 * part(k, 0.569_840_291))).collect()
    }

    fn area(points: &[Vector<2>], [a, b, c]: [usize; 3]) -> f64 {
        let (b, c) = (points[b] - points[a], points[c] - points[a]);
        0.5 * (b[0] * c[1] - b[1] * c[0])
    }

    /// No point in any circle, all areas positive, and as many triangles as Euler's formula says.
    fn is_delaunay(points: &[Vector<2>], on_hull: usize) {
        let triangles = delaunay(points);
        assert_eq!(triangles.len(), 2 * points.len() - 2 - on_hull);
        for &corners in &triangles {
            assert!(area(points, corners) > 0.0);
            let [a, b, c] = corners.map(|k| coord(&points[k]));
            assert!(points.iter().all(|p| incircle(a, b, c, coord(p)) <= 0.0), "{corners:?}");
        }
    }

    /// Points of the convex hull, those on its edges included: brute force.
    fn on_hull(points: &[Vector<2>]) -> usize {
        let is_outer =
            |a: usize, b: usize| a != b && (0..points.len()).all(|c| orient(points, [a, b, c]) >= 0.0);
        let count = points.len();
        (0..count).filter(|&a| (0..count).any(|b| is_outer(a, b))).count()
    }

    #[test]
    fn circles_are_empty() {
        for count in [3, 4, 7, 50, 200] {
            let points = scattered(count);
            is_delaunay(&points, on_hull(&points));
        }
    }

    #[test]
    fn lattices_and_lines_are_no_trouble() {
        let lattice: Vec<_> = (0..56).map(|k| Vector::<2>::new((k % 8) as f64, (k / 8) as f64)).collect();
        is_delaunay(&lattice, on_hull(&lattice));
        let sum: f64 = delaunay(&lattice).iter().map(|&corners| area(&lattice, corners)).sum();
        assert_eq!(sum, 42.0);
        let line: Vec<_> = (0..5).map(|k| Vector::<2>::new(k as f64, 2.0 * k as f64)).collect();
        assert!(delaunay(&line).is_empty());
        for side in [-1.0, 1.0] {
            let mut beside = line.clone();
            beside.push(Vector::<2>::new(2.5, 5.0 + side));
            assert_eq!(delaunay(&beside).len(), 4);
        }
        let mut twice = scattered(20);
        let whole = delaunay(&twice).len();
        twice.push(twice[7]);
        assert_eq!(delaunay(&twice).len(), whole);
        assert!(delaunay(&[]).is_empty() && delaunay(&[Vector::<2>::new(f64::NAN, 0.0); 4]).is_empty());
    }
}
