//! Faces cut into triangles in the plane they fit best. Refuses those that cross themselves; a face need be
//! neither convex nor quite planar. The ears are those of `drystone-geometry`.

use drystone_geometry::{EarChoice, clip_ears};
use drystone_math::Vector;

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
    let flat = |corner: u32| Vector::<2>::new(at(corner)[u], at(corner)[v]);
    triangles.extend(clip_ears(corners.to_vec(), flat, 0.0, EarChoice::Next)?);
    Some(())
}
