//! T6, the triangle of linear strain: three points for the stiffness, six for the mass.

use super::quadrature::{TRIANGLE_3, TRIANGLE_6};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::T6,
    name: "T6",
    dimension: 2,
    nodes: &[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
    ],
    corners: 3,
    faces: &[&[0, 1, 3], &[1, 2, 4], &[2, 0, 5]],
    edges: &[[0, 1], [1, 2], [2, 0]],
    stiffness_rule: &TRIANGLE_3,
    reduced_rule: &TRIANGLE_3,
    mass_rule: &TRIANGLE_6,
    shape,
};

/// Gradients of the areal coordinates by r and s.
pub(super) const AREAL: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];

/// `L_i (2 L_i − 1)` at corners, `4 L_i L_j` on edges.
pub(super) fn shape(&[r, s, _]: &[f64; 3]) -> ShapeValues {
    let l = [1.0 - r - s, r, s];
    let mut shape = ShapeValues::zeros();
    for i in 0..3 {
        let slope = 4.0 * l[i] - 1.0;
        shape.set(i, l[i] * (2.0 * l[i] - 1.0), [slope * AREAL[i][0], slope * AREAL[i][1], 0.0]);
        let j = (i + 1) % 3;
        let dn = [0, 1].map(|k| 4.0 * (l[i] * AREAL[j][k] + l[j] * AREAL[i][k]));
        shape.set(3 + i, 4.0 * l[i] * l[j], [dn[0], dn[1], 0.0]);
    }
    shape
}
