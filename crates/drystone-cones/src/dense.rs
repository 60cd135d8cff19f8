//! The inverse of a small dense matrix. Knows nothing else.

/// The inverse of a square matrix, row after row, in its place (Gauss, Jordan), with the largest pivot of
/// each column.
pub(crate) fn inverted(mut matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    let mut swapped = Vec::with_capacity(n);
    for k in 0..n {
        let larger = |best: usize, row: usize| {
            if matrix[row * n + k].abs() > matrix[best * n + k].abs() { row } else { best }
        };
        let pivot = (k..n).fold(k, larger);
        let value = matrix[pivot * n + k];
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        swapped.push(pivot);
        if pivot != k {
            let (upper, lower) = matrix.split_at_mut(pivot * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
        }
        let (before, rest) = matrix.split_at_mut(k * n);
        let (own, after) = rest.split_at_mut(n);
        own[k] = 1.0;
        own.iter_mut().for_each(|entry| *entry /= value);
        for row in before.chunks_exact_mut(n).chain(after.chunks_exact_mut(n)) {
            let factor = std::mem::take(&mut row[k]);
            if factor != 0.0 {
                row.iter_mut().zip(own.iter()).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
    }
    // rows that changed places are columns of the inverse
    for (k, pivot) in swapped.into_iter().enumerate().rev().filter(|&(k, pivot)| k != pivot) {
        matrix.chunks_exact_mut(n).for_each(|row| row.swap(k, pivot));
    }
    Some(matrix)
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
