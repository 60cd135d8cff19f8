//! The inverse of a small dense matrix. Knows nothing else.

/// The inverse of a square matrix, row after row, by elimination with the largest pivot of each column.
pub(crate) fn inverted(mut matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    let mut inverse = vec![0.0; n * n];
    (0..n).for_each(|k| inverse[k * n + k] = 1.0);
    for k in 0..n {
        let pivot =
            (k..n).fold(
                k,
                |best, row| {
                    if matrix[row * n + k].abs() > matrix[best * n + k].abs() { row } else { best }
                },
            );
        let value = matrix[pivot * n + k];
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        for both in [&mut matrix, &mut inverse] {
            (0..n).for_each(|column| both.swap(k * n + column, pivot * n + column));
            both[k * n..(k + 1) * n].iter_mut().for_each(|entry| *entry /= value);
        }
        for row in (0..n).filter(|&row| row != k) {
            let factor = matrix[row * n + k];
            if factor == 0.0 {
                continue;
            }
            for both in [&mut matrix, &mut inverse] {
                for column in 0..n {
                    both[row * n + column] -= factor * both[k * n + column];
                }
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 4.0, -1.0, 0.5];
        let inverse = inverted(matrix.clone(), 3).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let entry: f64 = (0..3).map(|k| matrix[3 * i + k] * inverse[3 * k + j]).sum();
                assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-15);
            }
        }
        assert_eq!(inverted(vec![1.0, 2.0, 2.0, 4.0], 2), None);
    }
}
