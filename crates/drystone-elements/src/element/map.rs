//! The map from reference coordinates to places. Knows shape functions and places of nodes, no mesh.

use super::ShapeValues;
use crate::tensor::{Tensor, determinant};
use drystone_math::Vector;

/// Derivative of places by reference coordinates, and its determinant; in the plane filled up with a one.
pub(crate) fn jacobian<const D: usize>(places: &[Vector<D>], shape: &ShapeValues) -> (Tensor, f64) {
    let mut map = [[0.0; 3]; 3];
    for (place, dn) in places.iter().zip(&shape.dn) {
        for i in 0..D {
            (0..D).for_each(|j| map[i][j] += place[i] * dn[j]);
        }
    }
    (D..3).for_each(|k| map[k][k] = 1.0);
    (map, determinant(&map))
}
