//! Contacts at one point: edges that pass each other, closest vertices and edges. Faces are not its matter,
//! nor are edges side by side: see `along`.

use drystone_math::Vector;

use crate::narrow::polytope_pair::PolytopePair;
use crate::narrow::scratch::{Axis, Scratch};
use crate::narrow::{feature, segment};

/// A single contact: unit normal from the first body to the second, point and gap, in the axes of the first.
pub(crate) struct Single<const D: usize> {
    pub feature: u64,
    pub point: Vector<D>,
    pub normal: Vector<D>,
    pub gap: f64,
    /// On each body an edge, in the plane a side, that holds the point, and where on it, from 0 to 1, if it
    /// is on one.
    pub segments: Option<[(u32, f64); 2]>,
}

impl<const D: usize> PolytopePair<'_, D> {
    /// The contact of two edges that really pass over each other.
    pub fn passing_edges(&self, axis: &Axis<D>) -> Option<Single<D>> {
        let Axis::Edges { edges, normal, separation } = *axis else {
            return None;
        };
        let [a, b] = [0, 1].map(|side| self.forms[side].segment(edges[side] as usize));
        let a = a.map(|vertex| self.forms[0].vertices()[vertex as usize]);
        let b = b.map(|vertex| self.places[0].apply(&self.forms[1].vertices()[vertex as usize]));
        let (s, t) = segment::passing([&a[0], &a[1]], [&b[0], &b[1]])?;
        // overlapping bodies: rounding alone can push the passing beyond an end
        let slack = if separation > 0.0 { 1e-9 } else { f64::INFINITY };
        let inside = |t: f64| (-slack..=1.0 + slack).contains(&t);
        if !inside(s) || !inside(t) {
            return None;
        }
        let on_b = b[0] + (b[1] - b[0]) * t.clamp(0.0, 1.0);
        let point = on_b - normal * (0.5 * separation);
        let feature = feature::edges(edges[0], edges[1]);
        // within both: what ends there is of no matter here
        let segments = Some(edges.map(|edge| (edge, 0.5)));
        Some(Single { feature, point, normal, gap: separation, segments })
    }

    /// The vertex of the other body deepest below a face; met only where rounding hides the patch of that
    /// face.
    pub fn deepest_vertex(&self, side: usize, face: usize, gap: f64) -> Option<Single<D>> {
        let outward = self.forms[side].faces()[face].normal;
        let placed = self.forms[1 - side].vertices().iter().map(|vertex| self.places[side].apply(vertex));
        let (index, vertex) =
            placed.enumerate().min_by(|(_, p), (_, q)| outward.dot(p).total_cmp(&outward.dot(q)))?;
        let point = vertex - outward * (0.5 * gap);
        let (point, normal) = match side {
            0 => (point, outward),
            _ => (self.places[0].apply(&point), -(self.places[0].rotation * outward)),
        };
        Some(Single {
            feature: feature::vertex(1 - side as u64, index as u32),
            point,
            normal,
            gap,
            segments: None,
        })
    }

    /// The closest points of the boundaries of two bodies that are apart; `axis` separates them by
    /// `separation`, and gives the normal where the distance is too small to tell.
    pub fn closest(&self, axis: &Vector<D>, separation: f64, scratch: &mut Scratch<D>) -> Option<Single<D>> {
        let [a, b] = self.forms;
        scratch.vertices.clear();
        scratch.vertices.extend(b.vertices().iter().map(|vertex| self.places[0].apply(vertex)));
        let on_a = |vertex: u32| a.vertices()[vertex as usize];
        let on_b = |vertex: u32| scratch.vertices[vertex as usize];
        // along the axis every segment of A keeps a distance from all of B, every pair of segments one from
        // the other
        let front =
            a.vertices().iter().map(|vertex| axis.dot(vertex)).fold(f64::NEG_INFINITY, f64::max) + separation;
        let reach = self.alert.max(separation) + self.tolerance;
        let (near_a, near_b) = (around(a.vertices(), reach), around(&scratch.vertices, reach));
        scratch.candidates.clear();
        scratch.candidates.extend((0..b.segment_count() as u32).filter(|&j| {
            let [r, s] = b.segment(j as usize).map(on_b);
            !is_beyond(&near_a, &r, &s)
        }));
        let mut least = reach * reach;
        let mut best = None;
        for i in 0..a.segment_count() {
            let [p, q] = a.segment(i).map(on_a);
            let ahead = axis.dot(&p).max(axis.dot(&q));
            if front - ahead > reach || is_beyond(&near_b, &p, &q) {
                continue;
            }
            for j in scratch.candidates.iter().map(|&j| j as usize) {
                let [r, s] = b.segment(j).map(on_b);
                let between = axis.dot(&r).min(axis.dot(&s)) - ahead;
                if between > 0.0 && between * between > least {
                    continue;
                }
                let (t, u, square) = segment::closest([&p, &q], [&r, &s]);
                if square < least {
                    (least, best) = (square, Some((i, j, t, u)));
                }
            }
        }
        let (i, j, t, u) = best?;
        let [p, q] = a.segment(i).map(on_a);
        let [r, s] = b.segment(j).map(on_b);
        let (from, to) = (p + (q - p) * t, r + (s - r) * u);
        let distance = (to - from).norm();
        let close = distance <= self.tolerance;
        let (normal, gap) = if close { (*axis, separation) } else { ((to - from) / distance, distance) };
        let end = |t: f64, ends: [u32; 2]| {
            if t <= 0.0 { Some(ends[0]) } else { (t >= 1.0).then_some(ends[1]) }
        };
        let feature = match (end(t, a.segment(i)), end(u, b.segment(j))) {
            (Some(vertex), _) => feature::vertex(0, vertex),
            (_, Some(vertex)) => feature::vertex(1, vertex),
            _ => feature::edges(i as u32, j as u32),
        };
        let segments = Some([(i as u32, t), (j as u32, u)]);
        Some(Single { feature, point: (from + to) * 0.5, normal, gap, segments })
    }
}

/// Lowest and highest coordinates of some points, grown by a distance.
fn around<const D: usize>(points: &[Vector<D>], reach: f64) -> [Vector<D>; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY].map(Vector::<D>::repeat);
    let [low, high] = points.iter().fold(start, |[low, high], point| [low.inf(point), high.sup(point)]);
    [low.add_scalar(-reach), high.add_scalar(reach)]
}

/// Whether a segment lies beyond one side of a box.
fn is_beyond<const D: usize>([low, high]: &[Vector<D>; 2], p: &Vector<D>, q: &Vector<D>) -> bool {
    (0..D).any(|axis| p[axis].max(q[axis]) < low[axis] || p[axis].min(q[axis]) > high[axis])
}
