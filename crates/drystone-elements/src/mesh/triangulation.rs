//! Triangles between the corners of an outline and points within it: the outline cut in ears, points put in,
//! edges flipped until they are those of Delaunay (Lawson 1977). The outline keeps its edges. Chooses no
//! points.

use drystone_math::Vector;

/// Nothing lies beyond an edge of the outline.
const NONE: u32 = u32::MAX;

/// Least area of an ear over the square of its longest side, and how near another corner may come to it.
const FLAT: f64 = 1e-9;

/// Edges are flipped where the sines of their opposite angles' sum falls below minus this.
const LAWSON: f64 = 1e-12;

/// Triangles that know their neighbours.
pub(super) struct Triangulation {
    points: Vec<Vector<2>>,
    /// Corners, counterclockwise.
    triangles: Vec<[u32; 3]>,
    /// What lies beyond the edge opposite to each corner.
    beyond: Vec<[u32; 3]>,
}

/// Twice the area of a triangle, positive where it goes counterclockwise.
fn twice_area(a: &Vector<2>, b: &Vector<2>, c: &Vector<2>) -> f64 {
    (b - a).perp(&(c - a))
}

impl Triangulation {
    /// Within an outline that goes counterclockwise and does not cross itself; `None` where it does.
    pub fn within(outline: Vec<Vector<2>>) -> Option<Self> {
        let triangles = ears(&outline)?;
        let beyond = neighbours(&triangles);
        let mut own = Self { points: outline, triangles, beyond };
        let all = (0..own.triangles.len() as u32).flat_map(|t| (0..3).map(move |k| (t, k))).collect();
        own.flip(all);
        Some(own)
    }

    /// Puts a point in; one outside of the outline is left out.
    pub fn insert(&mut self, point: Vector<2>, near: u32) -> u32 {
        let Some(t) = self.holding(&point, near) else { return near };
        let p = self.points.len() as u32;
        self.points.push(point);
        let ([a, b, c], [bc, ca, ab]) = (self.triangles[t as usize], self.beyond[t as usize]);
        let (one, two) = (self.triangles.len() as u32, self.triangles.len() as u32 + 1);
        self.triangles[t as usize] = [p, a, b];
        self.beyond[t as usize] = [ab, one, two];
        self.triangles.extend([[p, b, c], [p, c, a]]);
        self.beyond.extend([[bc, two, t], [ca, t, one]]);
        self.replace(bc, t, one);
        self.replace(ca, t, two);
        self.flip(vec![(t, 0), (one, 0), (two, 0)]);
        t
    }

    /// Points and triangles.
    pub fn into_parts(self) -> (Vec<Vector<2>>, Vec<[u32; 3]>) {
        (self.points, self.triangles)
    }

    fn replace(&mut self, of: u32, old: u32, new: u32) {
        if of != NONE {
            self.beyond[of as usize].iter_mut().filter(|t| **t == old).for_each(|t| *t = new);
        }
    }

    /// The triangle that holds a point: on the way from one nearby, else among all.
    fn holding(&self, point: &Vector<2>, near: u32) -> Option<u32> {
        let at = |node: u32| &self.points[node as usize];
        let outside = |t: u32| {
            let corners = self.triangles[t as usize];
            (0..3).find(|k| twice_area(at(corners[(k + 1) % 3]), at(corners[(k + 2) % 3]), point) < 0.0)
        };
        let mut here = near;
        for _ in 0..self.triangles.len() {
            let Some(k) = outside(here) else { return Some(here) };
            match self.beyond[here as usize][k] {
                NONE => break,
                next => here = next,
            }
        }
        (0..self.triangles.len() as u32).find(|&t| outside(t).is_none())
    }

    /// Flips edges, by triangle and opposite corner, until all around them are those of Delaunay.
    fn flip(&mut self, mut edges: Vec<(u32, usize)>) {
        // every flip makes the smallest angles larger; the bound is against rounding
        let mut left = 64 * (self.triangles.len() + 16);
        while let Some((t, k)) = edges.pop().filter(|_| left > 0) {
            let other = self.beyond[t as usize][k];
            if other == NONE {
                continue;
            }
            let [p, a, b] = [0, 1, 2].map(|turn| self.triangles[t as usize][(k + turn) % 3]);
            let Some(l) = self.beyond[other as usize].iter().position(|&beyond| beyond == t) else {
                continue;
            };
            let d = self.triangles[other as usize][l];
            if !self.is_worse([p, a, b, d]) {
                continue;
            }
            left -= 1;
            let [_, beyond_pb, beyond_pa] = [0, 1, 2].map(|turn| self.beyond[t as usize][(k + turn) % 3]);
            let [_, beyond_da, beyond_db] = [0, 1, 2].map(|turn| self.beyond[other as usize][(l + turn) % 3]);
            self.triangles[t as usize] = [p, a, d];
            self.beyond[t as usize] = [beyond_da, other, beyond_pa];
            self.triangles[other as usize] = [p, d, b];
            self.beyond[other as usize] = [beyond_db, beyond_pb, t];
            self.replace(beyond_da, other, t);
            self.replace(beyond_pb, t, other);
            edges.extend([(t, 0), (t, 2), (other, 0), (other, 1)]);
        }
    }

    /// Whether the edge a b between the triangles with the corners p and d is worse than p d: the angles that
    /// look at it sum up to more than half a turn.
    fn is_worse(&self, [p, a, b, d]: [u32; 4]) -> bool {
        let at = |node: u32| self.points[node as usize];
        let angle = |from: u32, one: u32, two: u32| {
            let (u, v) = (at(one) - at(from), at(two) - at(from));
            let size = (u.norm_squared() * v.norm_squared()).sqrt();
            (u.perp(&v) / size, u.dot(&v) / size)
        };
        let ((sin_p, cos_p), (sin_d, cos_d)) = (angle(p, a, b), angle(d, b, a));
        let turned = [[p, a, d], [p, d, b]];
        sin_p * cos_d + cos_p * sin_d < -LAWSON
            && turned.iter().all(|&[x, y, z]| twice_area(&at(x), &at(y), &at(z)) > 0.0)
    }
}

/// An outline cut in ears: triangles of neighbouring corners that hold no other corner.
fn ears(points: &[Vector<2>]) -> Option<Vec<[u32; 3]>> {
    let mut left: Vec<u32> = (0..points.len() as u32).collect();
    let mut triangles = Vec::with_capacity(points.len());
    let mut place = 0;
    let mut tried = 0;
    while left.len() > 3 {
        let count = left.len();
        if tried > count {
            return None;
        }
        let [a, b, c] = [0, 1, 2].map(|k| left[(place + k) % count]);
        if is_ear(points, &left, [a, b, c]) {
            triangles.push([a, b, c]);
            left.remove((place + 1) % count);
            tried = 0;
        } else {
            tried += 1;
        }
        // the next ear beside, so that ears do not become a fan
        place = (place + 1) % left.len();
    }
    let [a, b, c] = left.try_into().ok()?;
    let [x, y, z] = [a, b, c].map(|node| &points[node as usize]);
    (twice_area(x, y, z) > 0.0).then(|| triangles.push([a, b, c]))?;
    Some(triangles)
}

fn is_ear(points: &[Vector<2>], left: &[u32], corners: [u32; 3]) -> bool {
    let [a, b, c] = corners.map(|node| &points[node as usize]);
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    if twice_area(a, b, c) <= FLAT * longest {
        return false;
    }
    let holds = |x: &Vector<2>| {
        [(a, b), (b, c), (c, a)].iter().all(|(one, two)| twice_area(one, two, x) >= -FLAT * longest)
    };
    !left.iter().any(|node| !corners.contains(node) && holds(&points[*node as usize]))
}

fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut beyond = vec![[NONE; 3]; triangles.len()];
    let mut of_edge = std::collections::BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (one, two) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            match of_edge.remove(&[one.min(two), one.max(two)]) {
                None => {
                    of_edge.insert([one.min(two), one.max(two)], (t, k));
                }
                Some((other, l)) => {
                    beyond[t][k] = other as u32;
                    beyond[other][l] = t as u32;
                }
            }
        }
    }
    beyond
}
