//! The factor of a symmetric matrix that is nowhere negative and has a kernel, by elimination with the
//! largest pivots. Refuses others.

/// Asymmetry beyond this, relative to the diagonal, is no rounding: no mechanical system has such an
/// operator.
const ASYMMETRY: f64 = 1e-8;

/// Pivots below this, relative to the largest, are rounding of the operator.
const PIVOT: f64 = 1e-13;

/// The columns of G with `A = G Gᵀ`, as sparse rows of `Gᵀ`; `None` where the matrix is not symmetric
/// (Higham 1990).
pub(super) fn symmetric_factor(mut matrix: Vec<f64>, size: usize) -> Option<Vec<Vec<(usize, f64)>>> {
    let largest = (0..size).map(|k| matrix[k * size + k]).fold(0.0, f64::max);
    for row in 0..size {
        for column in 0..row {
            let (a, b) = (matrix[row * size + column], matrix[column * size + row]);
            if (a - b).abs() > ASYMMETRY * largest {
                return None;
            }
            let mean = 0.5 * (a + b);
            (matrix[row * size + column], matrix[column * size + row]) = (mean, mean);
        }
    }
    let mut factor = Vec::new();
    let mut left: Vec<usize> = (0..size).collect();
    loop {
        let diagonal = |k: usize| matrix[k * size + k];
        let best = (0..left.len())
            .max_by(|&a, &b| diagonal(left[a]).total_cmp(&diagonal(left[b])).then(left[b].cmp(&left[a])));
        let Some(best) = best.filter(|&best| diagonal(left[best]) > PIVOT * largest) else { break };
        let pivot = left.remove(best);
        let root = diagonal(pivot).sqrt();
        let column: Vec<(usize, f64)> =
            left.iter().map(|&k| (k, matrix[pivot * size + k] / root)).filter(|(_, g)| *g != 0.0).collect();
        for &(row, g) in &column {
            let line = &mut matrix[row * size..(row + 1) * size];
            column.iter().for_each(|&(other, h)| line[other] -= g * h);
        }
        let mut row = column;
        row.push((pivot, root));
        row.sort_by_key(|&(k, _)| k);
        factor.push(row);
    }
    Some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_times_its_transpose_is_the_matrix() {
        // rank 2: rows (1, 2, 0), (0, 1, -1)
        let half = [[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]];
        let entry = |i: usize, j: usize| half.iter().map(|row| row[i] * row[j]).sum::<f64>();
        let matrix: Vec<f64> = (0..9).map(|k| entry(k / 3, k % 3)).collect();
        let factor = symmetric_factor(matrix, 3).unwrap();
        assert_eq!(factor.len(), 2);
        let at =
            |row: &Vec<(usize, f64)>, k: usize| row.iter().find(|(j, _)| *j == k).map_or(0.0, |(_, g)| *g);
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let product: f64 = factor.iter().map(|row| at(row, i) * at(row, j)).sum();
            assert!((product - entry(i, j)).abs() < 1e-14);
        }
        assert_eq!(symmetric_factor(vec![1.0, 0.1, 0.0, 1.0], 2), None);
    }
}
