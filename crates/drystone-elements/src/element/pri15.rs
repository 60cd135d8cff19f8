//! PRI15, the prism of fifteen nodes: three points of the triangle times three along the height, for the mass
//! six times three.

use super::quadrature::{PRISM_9, PRISM_18};
use super::t6::AREAL;
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Pri15,
    name: "PRI15",
    dimension: 3,
    nodes: &[
        [0.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.5, 0.0, -1.0],
        [0.5, 0.5, -1.0],
        [0.0, 0.5, -1.0],
        [0.5, 0.0, 1.0],
        [0.5, 0.5, 1.0],
        [0.0, 0.5, 1.0],
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ],
    corners: 6,
    faces: &[
        &[0, 2, 1, 8, 7, 6],
        &[3, 4, 5, 9, 10, 11],
        &[0, 1, 4, 3, 6, 13, 9, 12],
        &[1, 2, 5, 4, 7, 14, 10, 13],
        &[2, 0, 3, 5, 8, 12, 11, 14],
    ],
    edges: &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]],
    stiffness_rule: &PRISM_9,
    reduced_rule: &PRISM_9,
    mass_rule: &PRISM_18,
    shape,
};

/// `½ L_i (1 ± ζ)(2 L_i − 2 ± ζ)` at corners, `2 L_i L_j (1 ± ζ)` on edges of the triangles, `L_i (1 − ζ²)`
/// between them.
fn shape(&[r, s, z]: &[f64; 3]) -> ShapeValues {
    let l = [1.0 - r - s, r, s];
    let mut shape = ShapeValues::zeros();
    for (level, sign) in [(0, -1.0), (1, 1.0)] {
        let c = 1.0 + sign * z;
        for i in 0..3 {
            let factor = 2.0 * l[i] - 2.0 + sign * z;
            let slope = 0.5 * c * (factor + 2.0 * l[i]);
            let along = 0.5 * l[i] * sign * (factor + c);
            let dn = [slope * AREAL[i][0], slope * AREAL[i][1], along];
            shape.set(3 * level + i, 0.5 * l[i] * c * factor, dn);
            let j = (i + 1) % 3;
            let across = [0, 1].map(|k| 2.0 * c * (l[i] * AREAL[j][k] + l[j] * AREAL[i][k]));
            let dn = [across[0], across[1], 2.0 * l[i] * l[j] * sign];
            shape.set(6 + 3 * level + i, 2.0 * l[i] * l[j] * c, dn);
        }
    }
    for i in 0..3 {
        let bubble = 1.0 - z * z;
        shape.set(12 + i, l[i] * bubble, [AREAL[i][0] * bubble, AREAL[i][1] * bubble, -2.0 * z * l[i]]);
    }
    shape
}
