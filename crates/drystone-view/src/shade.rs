//! Light on bodies in space, the same in both back ends. No shadows: a body is seen as if it were alone.

use crate::geometry::{V3, add, cross, dot, scale, sub, unit};
use crate::stage::{Outline, PlacedItem, Stage};
use std::collections::HashMap;

/// Direction of the light along the axes of the eye: from the upper left, behind the viewer.
const LIGHT: V3 = [-0.4264, 0.6396, 0.6396];
const AMBIENT: f64 = 0.54;
const DIFFUSE: f64 = 0.56;

/// Strength of the light on a surface with this unit normal, along the axes of the eye.
pub(crate) fn light(normal: V3) -> f64 {
    AMBIENT + DIFFUSE * dot(normal, LIGHT).max(0.0)
}

/// A face of a solid: its corners in the world and its unit normal, which points out of the solid.
pub(crate) struct Facet {
    pub corners: Vec<V3>,
    pub normal: V3,
    /// Whether the side that starts at the corner of the same rank is an edge to be seen.
    pub sharp: Vec<bool>,
}

/// Neighbours whose normals have a larger product than this are parts of one round face.
const ROUND: f64 = 0.96;

/// The faces of a solid that make sense: known corners, at least three, a direction. Those of a convex one
/// are turned outwards.
pub(crate) fn facets(corners: &[V3], faces: &[Vec<u32>], convex: bool) -> Vec<Facet> {
    let sum = corners.iter().fold([0.0; 3], |sum, corner| add(sum, *corner));
    let middle = scale(sum, 1.0 / corners.len().max(1) as f64);
    let facet = |face: &Vec<u32>| -> Option<Facet> {
        let loop_corners: Option<Vec<V3>> =
            face.iter().map(|index| corners.get(*index as usize).copied()).collect();
        let loop_corners = loop_corners.filter(|found| found.len() > 2)?;
        // twice the area as a vector, about the first corner to spare digits
        let first = loop_corners[0];
        let area = loop_corners
            .windows(2)
            .fold([0.0; 3], |area, ends| add(area, cross(sub(ends[0], first), sub(ends[1], first))));
        let normal = unit(area)?;
        let inward = convex && dot(normal, sub(first, middle)) < 0.0;
        let normal = if inward { scale(normal, -1.0) } else { normal };
        let sharp = vec![true; loop_corners.len()];
        Some(Facet { corners: loop_corners, normal, sharp })
    };
    let (faces, mut facets): (Vec<&Vec<u32>>, Vec<Facet>) =
        faces.iter().filter_map(|face| Some((face, facet(face)?))).unzip();
    smooth(&faces, &mut facets);
    facets
}

/// Finds the sides where two facets go over into each other.
fn smooth(faces: &[&Vec<u32>], facets: &mut [Facet]) {
    let mut sides: HashMap<[u32; 2], (usize, usize)> = HashMap::new();
    for (index, face) in faces.iter().enumerate() {
        for (rank, &from) in face.iter().enumerate() {
            let to = face[(rank + 1) % face.len()];
            let Some((other, other_rank)) = sides.insert([from.min(to), from.max(to)], (index, rank)) else {
                continue;
            };
            if dot(facets[index].normal, facets[other].normal) > ROUND {
                facets[index].sharp[rank] = false;
                facets[other].sharp[other_rank] = false;
            }
        }
    }
}

/// Triangles of a field are cut into pieces where there are no more than so many of them in a picture.
const SMOOTH: usize = 40_000;

/// Pieces along a side of the triangles of a field.
pub(crate) fn fineness(stage: &Stage) -> usize {
    let count = |placed: &PlacedItem| match placed.outline {
        Outline::Field { triangles, .. } => triangles.len(),
        _ => 0,
    };
    let all: usize = stage.items.iter().map(count).sum();
    (1..=8).rev().find(|n| all * n * n <= SMOOTH).unwrap_or(1)
}

/// A triangle with values at its corners as `n²` pieces, each with its mean value.
pub(crate) fn pieces(corners: [V3; 3], values: [f64; 3], n: usize) -> Vec<([V3; 3], f64)> {
    let at = |i: usize, j: usize| {
        let [a, b] = [i, j].map(|k| k as f64 / n as f64);
        let mix = |k: [f64; 3]| k[0] + a * (k[1] - k[0]) + b * (k[2] - k[0]);
        (std::array::from_fn(|axis| mix(corners.map(|corner| corner[axis]))), mix(values))
    };
    let mut found = Vec::with_capacity(n * n);
    let mut put = |ends: [(V3, f64); 3]| {
        found.push((ends.map(|end| end.0), ends.iter().map(|end| end.1).sum::<f64>() / 3.0));
    };
    for i in 0..n {
        for j in 0..n - i {
            put([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < n {
                put([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    found
}

/// Whether a support stands between the viewer and what moves, so that only its edges may be drawn.
pub(crate) fn hides_the_rest(stage: &Stage, placed: &PlacedItem) -> bool {
    let Outline::Solid { .. } = placed.outline else {
        return false;
    };
    let ahead = dot(stage.eye.towards, sub(placed.middle(), stage.focus));
    placed.item.fixed && placed.size() > 0.4 * stage.reach && ahead > 0.35 * stage.reach
}
