//! When vertices of a polyhedron are one and when they are in a plane. Knows no polyhedron.

use drystone_math::Vector;

/// Vertices closer than this to each other, relative to the size of the shape, are the same; areas below it
/// are none.
pub const REPEATED: f64 = 1e-9;
/// Distances from a plane below this, relative to the size of the shape, are zero: vertices written with
/// seven digits still make planar faces.
pub const PLANAR: f64 = 1e-6;

/// Twice the area of a loop times its normal, from one of its corners so that it is right far from the
/// origin.
pub fn area_vector(vertices: &[Vector<3>], corners: &[u32]) -> Vector<3> {
    let origin = vertices[corners[0] as usize];
    corners
        .windows(2)
        .map(|pair| (vertices[pair[0] as usize] - origin).cross(&(vertices[pair[1] as usize] - origin)))
        .sum()
}
