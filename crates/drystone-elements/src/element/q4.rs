//! Q4, the bilinear quadrangle: two by two points. With B-bar it does not lock.

use super::quadrature::SQUARE_4;
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Q4,
    name: "Q4",
    dimension: 2,
    nodes: &NODES,
    corners: 4,
    faces: &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
    edges: &[],
    stiffness_rule: &SQUARE_4,
    reduced_rule: &SQUARE_4,
    mass_rule: &SQUARE_4,
    shape,
};

const NODES: [[f64; 3]; 4] = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];

/// `¼ (1 + ξξ_i)(1 + ηη_i)`.
pub(super) fn shape(&[x, y, _]: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    for (i, &[xi, yi, _]) in NODES.iter().enumerate() {
        let (a, b) = (1.0 + x * xi, 1.0 + y * yi);
        shape.set(i, 0.25 * a * b, [0.25 * xi * b, 0.25 * a * yi, 0.0]);
    }
    shape
}
