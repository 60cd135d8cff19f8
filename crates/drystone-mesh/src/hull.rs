//! The convex hull of points as a cell, for the pieces of an approximate decomposition. Points inside are
//! dropped, as is meant there; the hull itself is that of `drystone-geometry`.

use crate::cell::Cell;
use drystone_geometry::hull_triangles;
use drystone_math::Vector;

/// The hull of the points as triangles; `None` if they are in a plane up to `near`.
pub(crate) fn hull(points: &[Vector<3>], near: f64) -> Option<Cell> {
    let triangles = hull_triangles(points, near).ok()?;
    let faces = triangles.into_iter().map(|corners| corners.to_vec()).collect();
    Some(Cell { vertices: points.to_vec(), faces }.compact())
}
