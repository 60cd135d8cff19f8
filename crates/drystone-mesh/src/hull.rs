//! Convex hull of points, for the pieces of an approximate decomposition. Points inside are dropped, as is
//! meant there.

use crate::cell::{Cell, Plane};
use drystone_math::Vector;
use std::collections::HashSet;

/// The hull of the points as triangles; `None` if they are in a plane up to `near`.
pub(crate) fn hull(points: &[Vector<3>], near: f64) -> Option<Cell> {
    let mut faces = tetrahedron(points, near)?;
    // farthest first: the hull is large at once, and most points are soon inside
    let mut open: Vec<u32> = (0..points.len() as u32).collect();
    loop {
        let outside = |point: u32| {
            let at = &points[point as usize];
            faces.iter().map(|face| face.1.height(at)).fold(f64::NEG_INFINITY, f64::max)
        };
        let heights: Vec<(u32, f64)> = open.iter().map(|&point| (point, outside(point))).collect();
        open = heights.iter().filter(|(_, height)| *height > near).map(|(point, _)| *point).collect();
        let Some(&(far, _)) =
            heights.iter().filter(|(_, height)| *height > near).max_by(|a, b| a.1.total_cmp(&b.1))
        else {
            break;
        };
        grow(points, &mut faces, far, near)?;
    }
    Some(
        Cell { vertices: points.to_vec(), faces: faces.into_iter().map(|face| face.0.to_vec()).collect() }
            .compact(),
    )
}

type HullFace = ([u32; 3], Plane);

fn face(points: &[Vector<3>], corners: [u32; 3]) -> Option<HullFace> {
    let [a, b, c] = corners.map(|corner| points[corner as usize]);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    Some((corners, Plane { normal, offset: normal.dot(&a) }))
}

fn tetrahedron(points: &[Vector<3>], near: f64) -> Option<Vec<HullFace>> {
    let most = |measure: &dyn Fn(&Vector<3>) -> f64| {
        let (index, value) = points.iter().map(measure).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (value > near).then_some(index as u32)
    };
    let at = |index: u32| points[index as usize];
    let a = 0;
    let b = most(&|p| (p - at(a)).norm())?;
    let along = (at(b) - at(a)).normalize();
    let c = most(&|p| (p - at(a)).cross(&along).norm())?;
    let normal = along.cross(&(at(c) - at(a))).normalize();
    let d = most(&|p| normal.dot(&(p - at(a))).abs())?;
    let (b, c) = if normal.dot(&(at(d) - at(a))) < 0.0 { (b, c) } else { (c, b) };
    [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].into_iter().map(|corners| face(points, corners)).collect()
}

/// Replaces the faces that see the point by a cone from it to their rim.
fn grow(points: &[Vector<3>], faces: &mut Vec<HullFace>, point: u32, near: f64) -> Option<()> {
    let mut rim = Vec::new();
    faces.retain(|(corners, plane)| {
        let seen = plane.height(&points[point as usize]) > near;
        if seen {
            rim.extend((0..3).map(|k| (corners[k], corners[(k + 1) % 3])));
        }
        !seen
    });
    let known: HashSet<(u32, u32)> = rim.iter().copied().collect();
    for (from, to) in rim {
        if !known.contains(&(to, from)) {
            faces.push(face(points, [from, to, point])?);
        }
    }
    Some(())
}
