//! Principal axes of an inertia. Leaves axes alone that are already principal.

use drystone_math::nalgebra::{Matrix3, Rotation3, Vector3};
use drystone_math::{Matrix, Orientation};

/// Off-diagonal terms smaller than this, relative to the largest moment, are rounding.
const DIAGONAL: f64 = 1e-12;

/// Principal moments, and the rotation that turns principal axes into the given ones.
///
/// Axes that are principal already stay exactly as they are. Otherwise moments come in increasing order, the
/// largest part of the first two axes is positive, and the third makes the frame right-handed.
pub fn principal_axes(inertia: &Matrix<3, 3>) -> (Vector3<f64>, Orientation) {
    let diagonal = inertia.diagonal();
    let largest = diagonal.amax();
    let off = [inertia[(0, 1)], inertia[(0, 2)], inertia[(1, 2)]];
    if off.iter().all(|x| x.abs() <= DIAGONAL * largest) {
        return (diagonal, Orientation::identity());
    }
    // scaled, so that the iteration works on numbers near 1
    let eigen = (inertia / largest).symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let axis = |rank: usize| -> Vector3<f64> {
        let axis = eigen.eigenvectors.column(order[rank]).normalize();
        let sign = axis[axis.iamax()].signum();
        axis * sign
    };
    let first = axis(0);
    let second = (axis(1) - first * first.dot(&axis(1))).normalize();
    let turn = Matrix3::from_columns(&[first, second, first.cross(&second)]);
    let moments = Vector3::from_fn(|rank, _| eigen.eigenvalues[order[rank]] * largest);
    (moments, Orientation::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonal_inertia_keeps_its_axes_to_the_bit() {
        let inertia = Matrix3::new(3.0, 1e-13, 0.0, 1e-13, 1.0, 0.0, 0.0, 0.0, 2.0);
        let (moments, turn) = principal_axes(&inertia);
        assert_eq!(moments, Vector3::new(3.0, 1.0, 2.0));
        assert_eq!(turn, Orientation::identity());
    }

    #[test]
    fn a_turned_inertia_is_found_again() {
        for k in 0..200 {
            let a = f64::from(k);
            let rotation = Rotation3::from_euler_angles(a * 0.37, a * 1.3, a * 2.1 + 0.2);
            // twice the same moment in every third case
            let moments =
                Vector3::new(1.0, if k % 3 == 0 { 1.0 } else { 1.5 }, 2.2) * 10f64.powi(k % 40 - 20);
            let inertia = rotation * Matrix3::from_diagonal(&moments) * rotation.inverse();
            let (found, turn) = principal_axes(&inertia);
            let frame = turn.to_rotation_matrix();
            let rebuilt = frame * Matrix3::from_diagonal(&found) * frame.inverse();
            assert!((rebuilt - inertia).norm() < 1e-14 * 10.0 * inertia.norm(), "case {k}");
            assert!((frame.matrix().determinant() - 1.0).abs() < 1e-14);
        }
    }
}
