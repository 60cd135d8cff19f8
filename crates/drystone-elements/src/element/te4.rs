//! TE4, the tetrahedron of constant strain: one point for the stiffness, four for the mass.

use super::quadrature::{TETRAHEDRON_1, TETRAHEDRON_4};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Te4,
    name: "TE4",
    dimension: 3,
    nodes: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    corners: 4,
    faces: &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
    edges: &[],
    stiffness_rule: &TETRAHEDRON_1,
    reduced_rule: &TETRAHEDRON_1,
    mass_rule: &TETRAHEDRON_4,
    shape,
};

fn shape(&[r, s, t]: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    shape.set(0, 1.0 - r - s - t, [-1.0; 3]);
    shape.set(1, r, [1.0, 0.0, 0.0]);
    shape.set(2, s, [0.0, 1.0, 0.0]);
    shape.set(3, t, [0.0, 0.0, 1.0]);
    shape
}
