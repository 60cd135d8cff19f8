//! The contact frame: normal first.

use drystone_math::{Matrix, Vector};

/// Orthonormal frame whose column 0 is the unit normal `n`; columns 1.. are tangents.
///
/// In the plane `t = (n_y, −n_x)`, the convention of Alart, Renouf 2018, eq. 9. In space the branchless
/// construction of Duff et al. 2017, which depends on `n` alone.
pub fn frame_from_normal<const D: usize>(n: &Vector<D>) -> Matrix<D, D> {
    let mut frame = Matrix::<D, D>::zeros();
    frame.set_column(0, n);
    if D == 2 {
        frame[(0, 1)] = n[1];
        frame[(1, 1)] = -n[0];
    } else {
        let sign = 1.0f64.copysign(n[2]);
        let a = -1.0 / (sign + n[2]);
        let b = n[0] * n[1] * a;
        for (row, value) in [1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]].into_iter().enumerate() {
            frame[(row, 1)] = value;
        }
        for (row, value) in [b, sign + n[1] * n[1] * a, -n[1]].into_iter().enumerate() {
            frame[(row, 2)] = value;
        }
    }
    frame
}

/// Unit vector perpendicular to two others; none where they are parallel, and in the plane.
pub fn common_perpendicular<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Option<Vector<D>> {
    if D != 3 {
        return None;
    }
    let across = Vector::<D>::from_fn(|axis, _| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    });
    across.try_normalize(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_orthonormal_and_right_handed() {
        for k in 0..500 {
            let a = k as f64;
            let n = Vector::<3>::new((a * 0.71).sin(), (a * 1.9).cos(), (a * 0.37).sin() - 0.3).normalize();
            let f = frame_from_normal(&n);
            assert!((f.transpose() * f - Matrix::<3, 3>::identity()).norm() < 1e-14);
            assert!((f.determinant() - 1.0).abs() < 1e-14);
            let n = Vector::<2>::new(a.cos(), a.sin());
            let f = frame_from_normal(&n);
            assert!((f.transpose() * f - Matrix::<2, 2>::identity()).norm() < 1e-15);
        }
        let floor = frame_from_normal(&Vector::<2>::new(0.0, 1.0));
        assert_eq!(floor.column(1).into_owned(), Vector::<2>::new(1.0, 0.0));
    }
}
