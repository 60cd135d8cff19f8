//! Polygons cut into triangles, ear by ear (Meisters 1975), in the plane they fit best. Refuses those that
//! cross themselves; a polygon need be neither convex nor quite planar.

use drystone_math::Vector;
use robust::{Coord, orient2d};

/// Most corners of a face: the time to cut it grows with the square at least.
pub(crate) const MOST_CORNERS: usize = 4096;

/// Adds the triangles of a polygon; `None` if it has no area or no ear.
pub(crate) fn cut(vertices: &[Vector<3>], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> Option<()> {
    if let [a, b, c] = *corners {
        triangles.push([a, b, c]);
        return Some(());
    }
    let at = |corner: u32| vertices[corner as usize];
    let origin = at(corners[0]);
    let normal: Vector<3> =
        corners.windows(2).map(|pair| (at(pair[0]) - origin).cross(&(at(pair[1]) - origin))).sum();
    // seen along the largest part of the normal, the polygon goes counter-clockwise
    let axis = normal.iamax();
    if normal[axis] == 0.0 {
        return None;
    }
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = if normal[axis] > 0.0 { (u, v) } else { (v, u) };
    let flat = |corner: u32| Coord { x: at(corner)[u], y: at(corner)[v] };
    let mut left: Vec<u32> = corners.to_vec();
    let mut start = 0;
    while left.len() > 3 {
        let count = left.len();
        // starting after the last ear keeps long strips from becoming fans of needles
        let ear = (0..count).map(|k| (start + k) % count).find(|&k| is_ear(&left, k, &flat))?;
        triangles.push([left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]]);
        left.remove(ear);
        start = ear + 1;
    }
    triangles.push([left[0], left[1], left[2]]);
    Some(())
}

fn is_ear(left: &[u32], k: usize, flat: &impl Fn(u32) -> Coord<f64>) -> bool {
    let count = left.len();
    let names = [left[(k + count - 1) % count], left[k], left[(k + 1) % count]];
    let [a, b, c] = names.map(flat);
    if orient2d(a, b, c) <= 0.0 {
        return false;
    }
    let inside =
        |p: Coord<f64>| orient2d(a, b, p) >= 0.0 && orient2d(b, c, p) >= 0.0 && orient2d(c, a, p) >= 0.0;
    !left.iter().any(|&other| !names.contains(&other) && inside(flat(other)))
}
