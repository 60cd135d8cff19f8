//! Q8, the quadrangle of the serendipity family: three by three points, two by two reduced.

use super::quadrature::{SQUARE_4, SQUARE_9};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Q8,
    name: "Q8",
    dimension: 2,
    nodes: &NODES,
    corners: 4,
    faces: &[&[0, 1, 4], &[1, 2, 5], &[2, 3, 6], &[3, 0, 7]],
    edges: &[[0, 1], [1, 2], [2, 3], [3, 0]],
    stiffness_rule: &SQUARE_9,
    reduced_rule: &SQUARE_4,
    mass_rule: &SQUARE_9,
    shape,
};

const NODES: [[f64; 3]; 8] = [
    [-1.0, -1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [-1.0, 0.0, 0.0],
];

/// `¼ (1 + ξξ_i)(1 + ηη_i)(ξξ_i + ηη_i − 1)` at corners, `½ (1 − ξ²)(1 + ηη_i)` on edges.
pub(super) fn shape(&[x, y, _]: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    for (i, &[xi, yi, _]) in NODES.iter().enumerate() {
        let (a, b, c) = (1.0 + x * xi, 1.0 + y * yi, x * xi + y * yi - 1.0);
        if i < 4 {
            let dn = [0.25 * xi * b * (c + a), 0.25 * yi * a * (c + b), 0.0];
            shape.set(i, 0.25 * a * b * c, dn);
        } else if xi == 0.0 {
            shape.set(i, 0.5 * (1.0 - x * x) * b, [-x * b, 0.5 * (1.0 - x * x) * yi, 0.0]);
        } else {
            shape.set(i, 0.5 * (1.0 - y * y) * a, [0.5 * (1.0 - y * y) * xi, -y * a, 0.0]);
        }
    }
    shape
}
