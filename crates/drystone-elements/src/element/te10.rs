//! TE10, the tetrahedron of linear strain: four points for the stiffness, eleven for the mass.

use super::quadrature::{TETRAHEDRON_4, TETRAHEDRON_11};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::Te10,
    name: "TE10",
    dimension: 3,
    nodes: &[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.0, 0.5],
        [0.5, 0.0, 0.5],
        [0.0, 0.5, 0.5],
    ],
    corners: 4,
    faces: &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 8, 7], &[1, 2, 3, 5, 9, 8], &[0, 3, 2, 7, 9, 6]],
    edges: &EDGES,
    stiffness_rule: &TETRAHEDRON_4,
    reduced_rule: &TETRAHEDRON_4,
    mass_rule: &TETRAHEDRON_11,
    shape,
};

const EDGES: [[u8; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// Gradients of the volume coordinates.
const VOLUME: [[f64; 3]; 4] = [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// `L_i (2 L_i − 1)` at corners, `4 L_i L_j` on edges.
fn shape(&[r, s, t]: &[f64; 3]) -> ShapeValues {
    let l = [1.0 - r - s - t, r, s, t];
    let mut shape = ShapeValues::zeros();
    for i in 0..4 {
        let slope = 4.0 * l[i] - 1.0;
        shape.set(i, l[i] * (2.0 * l[i] - 1.0), VOLUME[i].map(|g| slope * g));
    }
    for (k, &[i, j]) in EDGES.iter().enumerate() {
        let (i, j) = (i as usize, j as usize);
        let dn = [0, 1, 2].map(|x| 4.0 * (l[i] * VOLUME[j][x] + l[j] * VOLUME[i][x]));
        shape.set(4 + k, 4.0 * l[i] * l[j], dn);
    }
    shape
}
