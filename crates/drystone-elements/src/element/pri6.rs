//! PRI6, the prism of six nodes: three points of the triangle times two along the height.

use super::quadrature::PRISM_6;
use super::t6::AREAL;
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Pri6,
    name: "PRI6",
    dimension: 3,
    nodes: &[
        [0.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
    ],
    corners: 6,
    faces: &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
    edges: &[],
    stiffness_rule: &PRISM_6,
    reduced_rule: &PRISM_6,
    mass_rule: &PRISM_6,
    shape,
};

/// `½ L_i (1 ± ζ)`.
fn shape(&[r, s, z]: &[f64; 3]) -> ShapeValues {
    let l = [1.0 - r - s, r, s];
    let mut shape = ShapeValues::zeros();
    for (level, sign) in [(0, -1.0), (3, 1.0)] {
        let c = 0.5 * (1.0 + sign * z);
        for i in 0..3 {
            shape.set(level + i, l[i] * c, [AREAL[i][0] * c, AREAL[i][1] * c, 0.5 * sign * l[i]]);
        }
    }
    shape
}
