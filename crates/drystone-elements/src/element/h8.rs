//! H8, the trilinear hexahedron: two by two by two points. With B-bar it does not lock.

use super::quadrature::CUBE_8;
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::H8,
    name: "H8",
    dimension: 3,
    nodes: &NODES,
    corners: 8,
    faces: &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
    edges: &[],
    stiffness_rule: &CUBE_8,
    reduced_rule: &CUBE_8,
    mass_rule: &CUBE_8,
    shape,
};

const NODES: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// `⅛ (1 + ξξ_i)(1 + ηη_i)(1 + ζζ_i)`.
fn shape(&[x, y, z]: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    for (i, &[xi, yi, zi]) in NODES.iter().enumerate() {
        let (a, b, c) = (1.0 + x * xi, 1.0 + y * yi, 1.0 + z * zi);
        shape.set(i, 0.125 * a * b * c, [0.125 * xi * b * c, 0.125 * a * yi * c, 0.125 * a * b * zi]);
    }
    shape
}
