//! Looks a surface over: holes, orientation, flaws, crossings, convexity. Changes nothing.

use crate::topology::{self, EdgeSide};
use crate::{Convexity, Facing, Inspection, Surface, boxes, intersect};
use drystone_math::Vector;

/// Triangles lower than this, relative to the size of the mesh, have no area.
const LOW: f64 = 1e-9;
/// Vertices farther than this out of a plane, relative to the size of the mesh, make it not convex: as for
/// polyhedra, so that seven digits suffice.
pub(crate) const CONVEX: f64 = 1e-6;
/// Above this many pairs of vertices and planes only neighbours are compared, which decides just as well for
/// a surface that is closed and does not cross itself.
const ALL_PAIRS: usize = 200_000_000;

impl Surface {
    /// Looks the surface over.
    pub fn inspect(&self) -> Inspection {
        let sides = topology::sides(self);
        let size = self.size();
        let (parts, components) = topology::components(self.triangles.len(), &sides);
        let [mut boundary, mut crowded, mut against] = [Vec::new(), Vec::new(), Vec::new()];
        for group in topology::edges(&sides) {
            match group {
                [one] if one.backward => boundary.push([one.ends[1], one.ends[0]]),
                [one] => boundary.push(one.ends),
                [a, b] if a.backward == b.backward => against.push([a.triangle, b.triangle]),
                [_, _] => {}
                _ => crowded.push(group[0].ends),
            }
        }
        let closed = boundary.is_empty() && crowded.is_empty();
        let degenerate = self.degenerate(size);
        let mut intersections = Vec::new();
        boxes::for_each_pair(self, |first, second| {
            if intersect::meet(self, first, second) {
                intersections.push([first, second]);
            }
            intersections.len() < Inspection::MOST_INTERSECTIONS
        });
        intersections.sort_unstable();
        let oriented = closed && against.is_empty();
        let inverted = if oriented { self.inverted(&parts, components) } else { Vec::new() };
        let facing = match (oriented, inverted.len()) {
            (false, _) if closed => Facing::Mixed,
            (false, _) => Facing::Undefined,
            (true, 0) => Facing::Outward,
            (true, count) if count == components => Facing::Inward,
            _ => Facing::Mixed,
        };
        let mut convexity = self.convexity(&sides, facing == Facing::Inward);
        let flawless = oriented && components == 1 && intersections.is_empty();
        convexity.convex = flawless && convexity.height <= CONVEX * size;
        let low = self.vertices.iter().fold(Vector::<3>::repeat(f64::INFINITY), |low, v| low.inf(v));
        let high = self.vertices.iter().fold(Vector::<3>::repeat(f64::NEG_INFINITY), |high, v| high.sup(v));
        Inspection {
            vertices: self.vertices.len(),
            triangles: self.triangles.len(),
            components,
            closed,
            facing,
            boundary,
            crowded,
            against,
            inverted,
            degenerate,
            collapsed: self.collapsed.clone(),
            duplicates: self.duplicates(),
            intersections,
            convexity,
            volume: oriented.then(|| self.mass_properties().volume),
            bounds: [low, high],
        }
    }

    fn degenerate(&self, size: f64) -> Vec<u32> {
        let low = |triangle: usize| {
            let [a, b, c] = self.corners(triangle);
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            (b - a).cross(&(c - a)).norm() <= LOW * size * longest
        };
        (0..self.triangles.len()).filter(|&triangle| low(triangle)).map(|triangle| triangle as u32).collect()
    }

    fn duplicates(&self) -> Vec<[u32; 2]> {
        let mut named: Vec<([u32; 3], u32)> = self
            .triangles
            .iter()
            .zip(0..)
            .map(|(corners, triangle)| {
                let mut corners = *corners;
                corners.sort_unstable();
                (corners, triangle)
            })
            .collect();
        named.sort_unstable();
        let pairs = named.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs.map(|pair| [pair[0].1, pair[1].1]).collect()
    }

    /// A triangle of each part that looks the wrong way: outermost parts bound volume, parts inside them
    /// cavities, and so on inwards.
    fn inverted(&self, parts: &[u32], components: usize) -> Vec<u32> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components];
        for (triangle, &part) in parts.iter().enumerate() {
            members[part as usize].push(triangle);
        }
        let wrong = |part: &usize| {
            let own = &members[*part];
            let corner = self.corners(own[0])[0];
            let around = |other: &Vec<usize>| self.winding(&corner, other.iter().copied()).abs() > 0.5;
            let others = members.iter().enumerate().filter(|(other, _)| other != part);
            let depth = others.filter(|(_, other)| around(other)).count();
            let corners = own.iter().map(|&triangle| self.triangles[triangle]);
            let volume = crate::mass::of(&self.vertices, corners).volume;
            (volume < 0.0) == depth.is_multiple_of(2)
        };
        (0..components).filter(wrong).map(|part| members[part][0] as u32).collect()
    }

    /// The vertex farthest out of the plane of a triangle.
    fn convexity(&self, sides: &[EdgeSide], turned: bool) -> Convexity {
        let sign = if turned { -1.0 } else { 1.0 };
        let mut worst = Convexity { vertex: 0, triangle: 0, height: f64::NEG_INFINITY, convex: false };
        let mut look = |triangle: usize, vertex: u32| {
            let [a, b, c] = self.corners(triangle);
            let normal = (b - a).cross(&(c - a));
            let norm = normal.norm();
            if norm == 0.0 || self.triangles[triangle].contains(&vertex) {
                return;
            }
            let height = sign * normal.dot(&(self.vertices[vertex as usize] - a)) / norm;
            if height > worst.height {
                worst = Convexity { vertex, triangle: triangle as u32, height, convex: false };
            }
        };
        if self.triangles.len().saturating_mul(self.vertices.len()) <= ALL_PAIRS {
            for triangle in 0..self.triangles.len() {
                (0..self.vertices.len() as u32).for_each(|vertex| look(triangle, vertex));
            }
        } else {
            for group in topology::edges(sides) {
                for (one, other) in group.iter().zip(group.iter().skip(1)) {
                    let opposite = |side: &EdgeSide| {
                        self.triangles[side.triangle as usize][(side.rank as usize + 2) % 3]
                    };
                    look(one.triangle as usize, opposite(other));
                    look(other.triangle as usize, opposite(one));
                }
            }
        }
        worst
    }
}
