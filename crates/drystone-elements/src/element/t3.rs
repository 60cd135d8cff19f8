//! T3, the triangle of constant strain: one point for the stiffness, three for the mass.

use super::quadrature::{TRIANGLE_1, TRIANGLE_3};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::T3,
    name: "T3",
    dimension: 2,
    nodes: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    corners: 3,
    faces: &[&[0, 1], &[1, 2], &[2, 0]],
    edges: &[],
    stiffness_rule: &TRIANGLE_1,
    reduced_rule: &TRIANGLE_1,
    mass_rule: &TRIANGLE_3,
    shape,
};

pub(super) fn shape(&[r, s, _]: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    shape.set(0, 1.0 - r - s, [-1.0, -1.0, 0.0]);
    shape.set(1, r, [1.0, 0.0, 0.0]);
    shape.set(2, s, [0.0, 1.0, 0.0]);
    shape
}
