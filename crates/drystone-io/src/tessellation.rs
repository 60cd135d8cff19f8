//! Round shapes and rings as polygons: spheres, areas with holes, and how far endless walls are drawn. Knows
//! no file.

use drystone::{Simulation, Vector};
use std::collections::HashMap;

/// Middle of the scene and how far half-spaces are drawn from it \[m\].
pub(crate) fn extent<const D: usize>(simulation: &Simulation<D>) -> (Vector<D>, f64) {
    let bodies = simulation.bodies();
    let bounded = || bodies.pose.iter().zip(&bodies.radius).filter(|(_, radius)| radius.is_finite());
    let mut low = Vector::<D>::repeat(f64::INFINITY);
    let mut high = Vector::<D>::repeat(f64::NEG_INFINITY);
    for (pose, &radius) in bounded() {
        low = low.zip_map(&pose.position, |bound, x| bound.min(x - radius));
        high = high.zip_map(&pose.position, |bound, x| bound.max(x + radius));
    }
    if bounded().next().is_none() {
        return (Vector::zeros(), 1.0);
    }
    (0.5 * (low + high), 0.75 * (high - low).norm())
}

/// Unit directions and triangles.
pub(crate) type Sphere = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// An icosahedron whose triangles were split in four `splits` times.
pub(crate) fn icosphere(splits: usize) -> Sphere {
    let long = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for [a, b] in [[-1.0, long], [1.0, long], [-1.0, -long], [1.0, -long]] {
        points.extend([[a, b, 0.0], [0.0, a, b], [b, 0.0, a]].map(unit));
    }
    let mut triangles = faces_of_icosahedron(&points);
    for _ in 0..splits {
        let mut middles = HashMap::new();
        let mut middle = |a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = std::array::from_fn(|axis| points[a][axis] + points[b][axis]);
                points.push(unit(sum));
                points.len() - 1
            })
        };
        let split = |[a, b, c]: [usize; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (points, triangles)
}

/// Three corners of an icosahedron make a face where they are all neighbours; turned outwards.
fn faces_of_icosahedron(points: &[[f64; 3]]) -> Vec<[usize; 3]> {
    let dot = |a: usize, b: usize| (0..3).map(|axis| points[a][axis] * points[b][axis]).sum::<f64>();
    let near = |a: usize, b: usize| dot(a, b) > 0.4;
    let mut faces = Vec::new();
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            for c in b + 1..points.len() {
                if near(a, b) && near(b, c) && near(c, a) {
                    let [p, q, r] = [points[a], points[b], points[c]];
                    let volume = p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0])
                        + p[2] * (q[0] * r[1] - q[1] * r[0]);
                    faces.push(if volume > 0.0 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    faces
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.map(|x| x / norm)
}

/// A place of the plane.
type Spot = [f64; 2];

/// Triangles that fill what lies between closed lines of the plane: the one around the largest area, less the
/// others, which lie within it. Corners are named by their indices. Each hole is joined to what is around it
/// by a cut, then ears are clipped (Meisters 1975).
pub(crate) fn fill(points: &[Spot], lines: &[Vec<usize>]) -> Vec<[usize; 3]> {
    let mut loops: Vec<Vec<usize>> = lines.to_vec();
    let area = |line: &Vec<usize>| doubled_area(points, line);
    loops.sort_by(|a, b| area(b).abs().total_cmp(&area(a).abs()));
    for (k, line) in loops.iter_mut().enumerate() {
        // the outer line to the left, holes to the right
        if (doubled_area(points, line) < 0.0) == (k == 0) {
            line.reverse();
        }
    }
    let mut left = loops.into_iter();
    let Some(mut outer) = left.next() else { return Vec::new() };
    let mut holes: Vec<Vec<usize>> = left.collect();
    while !holes.is_empty() {
        let Some((hole, [on_outer, on_hole])) = shortest_cut(points, &outer, &holes) else { break };
        let hole = holes.swap_remove(hole);
        let around = (0..=hole.len()).map(|k| hole[(on_hole + k) % hole.len()]);
        let cut: Vec<usize> = around.chain([outer[on_outer]]).collect();
        outer.splice(on_outer + 1..on_outer + 1, cut);
    }
    clip_ears(points, outer)
}

fn doubled_area(points: &[Spot], line: &[usize]) -> f64 {
    let next = line.iter().cycle().skip(1);
    line.iter().zip(next).map(|(&a, &b)| points[a][0] * points[b][1] - points[a][1] * points[b][0]).sum()
}

/// Twice the signed area of a triangle.
fn turn([a, b, c]: [Spot; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The hole and the two places, in the outer line and in the hole, that can be joined by the shortest segment
/// that meets no other line.
fn shortest_cut(points: &[Spot], outer: &[usize], holes: &[Vec<usize>]) -> Option<(usize, [usize; 2])> {
    let mut cuts = Vec::new();
    for (hole, line) in holes.iter().enumerate() {
        for (j, &b) in line.iter().enumerate() {
            let away = |a: usize| (0..2).map(|axis| (points[a][axis] - points[b][axis]).powi(2)).sum::<f64>();
            let nearest = outer.iter().enumerate().min_by(|x, y| away(*x.1).total_cmp(&away(*y.1)));
            cuts.extend(nearest.map(|(i, &a)| (away(a), hole, [i, j])));
        }
    }
    cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
    // the nearest of all is never behind another line, unless numbers are bad
    cuts.first().map(|&(_, hole, places)| (hole, places))
}

fn clip_ears(points: &[Spot], mut line: Vec<usize>) -> Vec<[usize; 3]> {
    let mut triangles = Vec::new();
    while line.len() > 3 {
        let count = line.len();
        let corners = |k: usize| [line[(k + count - 1) % count], line[k], line[(k + 1) % count]];
        let is_ear = |&k: &usize| {
            let own = corners(k);
            let spots = own.map(|corner| points[corner]);
            let inside = |&other: &usize| {
                let at = points[other];
                // a corner that a cut has doubled is not in the way
                !spots.contains(&at)
                    && turn([spots[0], spots[1], at]) >= 0.0
                    && turn([spots[1], spots[2], at]) >= 0.0
                    && turn([spots[2], spots[0], at]) >= 0.0
            };
            turn(spots) > 0.0 && !line.iter().any(inside)
        };
        // flat corners are left over by areas without a width
        let ear = (0..count).find(is_ear).unwrap_or(0);
        triangles.push(corners(ear));
        line.remove(ear);
    }
    if let [a, b, c] = line[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_closed_and_round() {
        for (splits, corners) in [(0, 12), (1, 42), (2, 162)] {
            let (points, triangles) = icosphere(splits);
            assert_eq!(points.len(), corners);
            assert_eq!(triangles.len(), 2 * corners - 4, "Euler: V − E + F = 2 with 3F = 2E");
            assert!(points.iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14));
        }
    }

    #[test]
    fn rings_keep_their_holes() {
        let ring = |count: usize, radius: f64, middle: Spot| -> Vec<Spot> {
            let angle = |k: usize| k as f64 / count as f64 * std::f64::consts::TAU;
            let at = |k| [middle[0] + radius * angle(k).cos(), middle[1] + radius * angle(k).sin()];
            (0..count).map(at).collect()
        };
        let rings = [ring(24, 2.0, [0.0; 2]), ring(12, 0.6, [-1.0, 0.1]), ring(10, 0.5, [0.9, -0.2])];
        let points: Vec<Spot> = rings.concat();
        let lines: Vec<Vec<usize>> = vec![(0..24).collect(), (24..36).rev().collect(), (36..46).collect()];
        let triangles = fill(&points, &lines);
        // V + 2 H − 2 triangles fill an area with H holes
        assert_eq!(triangles.len(), 46 + 2 * 2 - 2);
        let areas: Vec<f64> = triangles.iter().map(|own| 0.5 * turn(own.map(|k| points[k]))).collect();
        assert!(areas.iter().all(|&area| area > 0.0), "none lies over another");
        let area = |line: &Vec<usize>| 0.5 * doubled_area(&points, line).abs();
        let wanted = area(&lines[0]) - area(&lines[1]) - area(&lines[2]);
        assert!((areas.iter().sum::<f64>() - wanted).abs() < 1e-12 * wanted);
        assert_eq!(fill(&points, &lines[..1]).len(), 22, "no hole, no cut");
        assert!(fill(&points, &[]).is_empty());
    }
}
