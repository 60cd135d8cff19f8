//! H20, the hexahedron of the serendipity family: three by three by three points, two by two by two reduced.

use super::quadrature::{CUBE_8, CUBE_27};
use super::{ElementKind, ReferenceElement, ShapeValues};

pub(super) static TABLE: ReferenceElement = ReferenceElement {
    kind: ElementKind::H20,
    name: "H20",
    dimension: 3,
    nodes: &NODES,
    corners: 8,
    faces: &[
        &[0, 3, 2, 1, 11, 10, 9, 8],
        &[4, 5, 6, 7, 12, 13, 14, 15],
        &[0, 1, 5, 4, 8, 17, 12, 16],
        &[1, 2, 6, 5, 9, 18, 13, 17],
        &[2, 3, 7, 6, 10, 19, 14, 18],
        &[3, 0, 4, 7, 11, 16, 15, 19],
    ],
    edges: &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]],
    stiffness_rule: &CUBE_27,
    reduced_rule: &CUBE_8,
    mass_rule: &CUBE_27,
    shape,
};

const NODES: [[f64; 3]; 20] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [0.0, -1.0, -1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, -1.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [-1.0, 0.0, 1.0],
    [-1.0, -1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
];

/// `⅛ (1 + ξξ_i)(1 + ηη_i)(1 + ζζ_i)(ξξ_i + ηη_i + ζζ_i − 2)` at corners, `¼ (1 − ξ²)(1 + ηη_i)(1 + ζζ_i)` on
/// edges.
fn shape(x: &[f64; 3]) -> ShapeValues {
    let mut shape = ShapeValues::zeros();
    for (i, node) in NODES.iter().enumerate() {
        let f = [0, 1, 2].map(|k| 1.0 + x[k] * node[k]);
        if i < 8 {
            let sum = f[0] + f[1] + f[2] - 5.0;
            let product = 0.125 * f[0] * f[1] * f[2];
            let dn = [0, 1, 2].map(|k| {
                let (a, b) = (f[(k + 1) % 3], f[(k + 2) % 3]);
                0.125 * node[k] * a * b * (sum + f[k])
            });
            shape.set(i, product * sum, dn);
        } else {
            // the one direction in which the node lies in the middle
            let m = (0..3).find(|&k| node[k] == 0.0).unwrap_or(0);
            let (p, q) = ((m + 1) % 3, (m + 2) % 3);
            let bubble = 1.0 - x[m] * x[m];
            let mut dn = [0.0; 3];
            dn[m] = -0.5 * x[m] * f[p] * f[q];
            dn[p] = 0.25 * bubble * node[p] * f[q];
            dn[q] = 0.25 * bubble * f[p] * node[q];
            shape.set(i, 0.25 * bubble * f[p] * f[q], dn);
        }
    }
    shape
}
