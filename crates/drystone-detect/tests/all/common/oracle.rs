//! Convex bodies in twice the digits of a double, and brute force over all their features. Slow, and knows no
//! code of ours.

use super::double::*;
use drystone_geometry::Polytope;
use drystone_math::{Orientation, Pose, Vector};

/// A convex body in many digits: corners, edges between them, outward normals with a corner of their face.
pub struct Body {
    pub corners: Vec<Triple>,
    pub edges: Vec<[usize; 2]>,
    pub faces: Vec<(Triple, usize)>,
    pub size: f64,
    pub is_flat: bool,
}

impl Body {
    /// Corners relative to `origin`: rotation and difference in many digits.
    pub fn new<const D: usize>(form: &Polytope<D>, pose: &Pose<D>, origin: &Vector<D>) -> Self {
        let shift = minus(&triple(pose.position.iter().copied()), &triple(origin.iter().copied()));
        let corners: Vec<Triple> =
            form.vertices().iter().map(|vertex| plus(&shift, &turned(&pose.orientation, vertex))).collect();
        let ends =
            |face: &drystone_geometry::Face<D>| face.vertices.iter().map(|&k| k as usize).collect::<Vec<_>>();
        let middle = times(
            &corners.iter().fold([Double::ZERO; 3], |sum, corner| plus(&sum, corner)),
            Double::from(1.0) / (corners.len() as f64).into(),
        );
        let normal = |face: &drystone_geometry::Face<D>| {
            let at = ends(face);
            let product = if D == 2 {
                let along = minus(&corners[at[1]], &corners[at[0]]);
                [along[1], -along[0], Double::ZERO]
            } else {
                // of all corners of the face, not of three that may be close
                let fan = (1..at.len() - 1).map(|k| {
                    cross(
                        &minus(&corners[at[k]], &corners[at[0]]),
                        &minus(&corners[at[k + 1]], &corners[at[0]]),
                    )
                });
                fan.fold([Double::ZERO; 3], |sum, one| plus(&sum, &one))
            };
            let unit = times(&product, Double::from(1.0) / norm(&product));
            let out = dot(&unit, &minus(&corners[at[0]], &middle)) > Double::ZERO;
            (times(&unit, if out { 1.0 } else { -1.0 }.into()), at[0])
        };
        let edges = if D == 2 {
            form.faces().iter().map(|face| [face.vertices[0] as usize, face.vertices[1] as usize]).collect()
        } else {
            form.edges().iter().map(|edge| edge.vertices.map(|k| k as usize)).collect()
        };
        Self {
            faces: form.faces().iter().map(normal).collect(),
            edges,
            size: form.size(),
            corners,
            is_flat: D == 2,
        }
    }

    pub fn along(&self, edge: &[usize; 2]) -> Triple {
        minus(&self.corners[edge[1]], &self.corners[edge[0]])
    }

    /// Least and greatest height along a direction.
    pub fn range(&self, way: &Triple) -> [Double; 2] {
        let heights = || self.corners.iter().map(|corner| dot(way, corner));
        let first = dot(way, &self.corners[0]);
        [heights().fold(first, Double::min), heights().fold(first, Double::max)]
    }

    /// Height of a point above the nearest face: zero on the surface.
    pub fn height(&self, point: &Triple) -> f64 {
        let above = |&(normal, corner): &(Triple, usize)| dot(&normal, &minus(point, &self.corners[corner]));
        self.faces.iter().map(above).map(|height| height.high).fold(f64::MIN, f64::max)
    }

    /// The distance of a point; less inside.
    pub fn distance(&self, point: &Triple) -> Double {
        let above = self.height(point);
        if above <= 0.0 {
            return above.into();
        }
        let mut least = Double::from(f64::MAX);
        for (normal, at) in &self.faces {
            let height = dot(normal, &minus(point, &self.corners[*at]));
            let foot = minus(point, &times(normal, height));
            if height > Double::ZERO && self.height(&foot) <= 1e-20 * self.size {
                least = least.min(height);
            }
        }
        for edge in &self.edges {
            least = least.min(between([*point, *point], edge.map(|k| self.corners[k])));
        }
        least
    }
}

/// A point turned by a quaternion that need not be quite a unit.
pub fn turned<const D: usize>(by: &Orientation, point: &Vector<D>) -> Triple {
    let (w, axis) = (Double::from(by.w), triple([by.i, by.j, by.k]));
    let square = w * w + dot(&axis, &axis);
    let point = triple(point.iter().copied());
    let twice = times(&cross(&axis, &point), Double::from(2.0) / square);
    plus(&point, &plus(&times(&twice, w), &cross(&axis, &twice)))
}

/// Separation from `b` to `a` along a direction.
pub fn separation_along(a: &Body, b: &Body, way: &Triple) -> Double {
    (a.range(way)[0] - b.range(way)[1]) / norm(way)
}

/// The largest separation over all axes: the depth of overlapping bodies.
pub fn widest(a: &Body, b: &Body) -> Double {
    let mut best = Double::from(f64::MIN);
    for (normal, _) in &a.faces {
        best = best.max(separation_along(a, b, &times(normal, (-1.0).into())));
    }
    for (normal, _) in &b.faces {
        best = best.max(separation_along(a, b, normal));
    }
    for one in a.edges.iter().filter(|_| !a.is_flat) {
        for two in &b.edges {
            let (d, e) = (a.along(one), b.along(two));
            let product = cross(&d, &e);
            if norm(&product) > Double::from(1e-12) * norm(&d) * norm(&e) {
                best = best.max(separation_along(a, b, &product));
                best = best.max(separation_along(a, b, &times(&product, (-1.0).into())));
            }
        }
    }
    best
}

/// Distance of bodies apart: every corner over every face, every edge with every edge.
pub fn distance(a: &Body, b: &Body) -> Double {
    let mut least = Double::from(f64::MAX);
    for (one, two) in [(a, b), (b, a)] {
        for corner in &two.corners {
            for (normal, at) in &one.faces {
                let above = dot(normal, &minus(corner, &one.corners[*at]));
                let foot = minus(corner, &times(normal, above));
                if above > Double::ZERO && one.height(&foot) <= 1e-20 * one.size {
                    least = least.min(above);
                }
            }
        }
    }
    for one in &a.edges {
        for two in &b.edges {
            least = least.min(between(one.map(|k| a.corners[k]), two.map(|k| b.corners[k])));
        }
    }
    least
}

pub fn between(p: [Triple; 2], q: [Triple; 2]) -> Double {
    let at = |ends: &[Triple; 2], t: Double| plus(&ends[0], &times(&minus(&ends[1], &ends[0]), t));
    let one = Double::from(1.0);
    let foot = |point: &Triple, ends: &[Triple; 2]| {
        let along = minus(&ends[1], &ends[0]);
        let t = (dot(&minus(point, &ends[0]), &along) / dot(&along, &along)).max(Double::ZERO).min(one);
        norm(&minus(point, &at(ends, t)))
    };
    let mut least = foot(&p[0], &q).min(foot(&p[1], &q)).min(foot(&q[0], &p)).min(foot(&q[1], &p));
    let (d, e, r) = (minus(&p[1], &p[0]), minus(&q[1], &q[0]), minus(&p[0], &q[0]));
    let (dd, ee, de) = (dot(&d, &d), dot(&e, &e), dot(&d, &e));
    let slope = dd * ee - de * de;
    if slope > Double::from(1e-24) * dd * ee {
        let s = (de * dot(&e, &r) - ee * dot(&d, &r)) / slope;
        let t = (dd * dot(&e, &r) - de * dot(&d, &r)) / slope;
        let inside = |x: Double| x >= Double::ZERO && x <= one;
        if inside(s) && inside(t) {
            least = least.min(norm(&minus(&at(&p, s), &at(&q, t))));
        }
    }
    least
}
