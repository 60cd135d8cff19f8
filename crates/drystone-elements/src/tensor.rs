//! Symmetric tensors as six numbers, others as three by three, and the algebra on them. No materials.
//!
//! Order of the six: xx, yy, zz, xy, yz, xz. Strains carry engineering shears `2 ε_xy`, stresses do not, so
//! that power is the plain product of the two.

/// A stress or a strain as six numbers.
pub type Voigt = [f64; 6];

/// Derivative of a stress by a strain, row after row.
pub type Tangent6 = [[f64; 6]; 6];

/// A tensor of second order, row after row.
pub type Tensor = [[f64; 3]; 3];

/// Derivative of a tensor by a tensor, both row after row.
pub type Tangent9 = [[f64; 9]; 9];

/// Row and column of each of the six numbers.
pub const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];

/// The unit tensor.
pub const UNIT: Tensor = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// `Σ a_i b_i`: the power of a stress on a strain.
pub fn contract(a: &Voigt, b: &Voigt) -> f64 {
    (0..6).fold(0.0, |sum, i| sum + a[i] * b[i])
}

/// Sum of the three normal components.
pub fn trace(a: &Voigt) -> f64 {
    a[0] + a[1] + a[2]
}

/// `a + s b`.
pub fn add(a: &Voigt, s: f64, b: &Voigt) -> Voigt {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// A matrix of six by six times six numbers.
pub fn apply(matrix: &Tangent6, x: &Voigt) -> Voigt {
    std::array::from_fn(|i| contract(&matrix[i], x))
}

/// Deviator of a stress.
pub fn deviator(stress: &Voigt) -> Voigt {
    let mean = trace(stress) / 3.0;
    std::array::from_fn(|i| if i < 3 { stress[i] - mean } else { stress[i] })
}

/// `√(s : s)` of a stress.
pub fn stress_norm(s: &Voigt) -> f64 {
    let squares: [f64; 6] = std::array::from_fn(|i| if i < 3 { s[i] * s[i] } else { 2.0 * s[i] * s[i] });
    squares.iter().sum::<f64>().sqrt()
}

/// Von Mises' equivalent stress, `√(3/2 s : s)` of the deviator s.
pub fn von_mises(stress: &Voigt) -> f64 {
    1.5f64.sqrt() * stress_norm(&deviator(stress))
}

/// The stress as a tensor.
pub fn stress_tensor(s: &Voigt) -> Tensor {
    [[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]]
}

/// The strain as a tensor.
pub fn strain_tensor(e: &Voigt) -> Tensor {
    let half = [e[0], e[1], e[2], 0.5 * e[3], 0.5 * e[4], 0.5 * e[5]];
    stress_tensor(&half)
}

/// The six numbers of a symmetric tensor that is a stress.
pub fn to_stress(t: &Tensor) -> Voigt {
    std::array::from_fn(|k| t[PLACES[k].0][PLACES[k].1])
}

/// The six numbers of a symmetric tensor that is a strain.
pub fn to_strain(t: &Tensor) -> Voigt {
    std::array::from_fn(|k| if k < 3 { t[k][k] } else { 2.0 * t[PLACES[k].0][PLACES[k].1] })
}

/// `A B`.
pub fn product(a: &Tensor, b: &Tensor) -> Tensor {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

/// `Aᵀ`.
pub fn transpose(a: &Tensor) -> Tensor {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// Determinant.
pub fn determinant(a: &Tensor) -> f64 {
    a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
        + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])
}

/// Cofactors, `det(A) A⁻ᵀ`: the derivative of the determinant.
pub fn cofactor(a: &Tensor) -> Tensor {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (p, q, r, s) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            a[p][r] * a[q][s] - a[p][s] * a[q][r]
        })
    })
}

/// `A⁻ᵀ`; the determinant must not be 0.
pub fn inverse_transposed(a: &Tensor) -> Tensor {
    let determinant = determinant(a);
    cofactor(a).map(|row| row.map(|x| x / determinant))
}

/// Cauchy's stress `P Fᵀ / det F` of Piola's.
pub fn cauchy(piola: &Tensor, gradient: &Tensor) -> Voigt {
    let kirchhoff = product(piola, &transpose(gradient));
    let volume = determinant(gradient);
    to_stress(&kirchhoff.map(|row| row.map(|x| x / volume)))
}

/// The matrix that turns strains: `ε' = Q ε Qᵀ` for the rows of Q the new axes, in the order of [`Voigt`].
pub fn turn_strain(q: &Tensor) -> Tangent6 {
    let mut turned = [[0.0; 6]; 6];
    for column in 0..6 {
        let mut unit = [0.0; 6];
        unit[column] = 1.0;
        let image = product(&product(q, &strain_tensor(&unit)), &transpose(q));
        let image = to_strain(&image);
        (0..6).for_each(|row| turned[row][column] = image[row]);
    }
    turned
}

/// Principal values, largest first, and their directions as rows (Jacobi 1846: turns until nothing is left
/// beside the diagonal).
pub fn principal(of: &Tensor) -> ([f64; 3], Tensor) {
    let mut a = *of;
    let mut rows = UNIT;
    for _ in 0..50 {
        let beside = a[0][1].abs() + a[1][2].abs() + a[0][2].abs();
        let size = a[0][0].abs() + a[1][1].abs() + a[2][2].abs() + beside;
        // below this a turn changes no digit of a value
        if beside <= 1e-17 * size || size == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let half = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = if half.is_finite() {
                half.signum() / (half.abs() + (half * half + 1.0).sqrt())
            } else {
                0.0
            };
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (x, y) = (a[k][p], a[k][q]);
                (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
            }
            for k in 0..3 {
                let (x, y) = (a[p][k], a[q][k]);
                (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
                let (x, y) = (rows[p][k], rows[q][k]);
                (rows[p][k], rows[q][k]) = (c * x - s * y, s * x + c * y);
            }
            (a[p][q], a[q][p]) = (0.0, 0.0);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    (order.map(|i| a[i][i]), order.map(|i| rows[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_values_rebuild_the_tensor() {
        for k in 0..20 {
            let x = |rate: f64| (f64::from(k) * rate + 0.3).sin();
            let s = [x(0.7), x(1.9), x(2.3), x(3.1), if k % 3 == 0 { 0.0 } else { x(0.9) }, 1e-9 * x(1.3)];
            let tensor = stress_tensor(&s);
            let (values, rows) = principal(&tensor);
            assert!(values[0] >= values[1] && values[1] >= values[2]);
            for i in 0..3 {
                for j in 0..3 {
                    let rebuilt: f64 = (0..3).map(|k| values[k] * rows[k][i] * rows[k][j]).sum();
                    assert!((rebuilt - tensor[i][j]).abs() < 1e-14, "{rebuilt} {tensor:?}");
                    let unit: f64 = (0..3).map(|k| rows[i][k] * rows[j][k]).sum();
                    assert!((unit - UNIT[i][j]).abs() < 1e-14);
                }
            }
        }
        assert_eq!(principal(&UNIT).0, [1.0; 3]);
    }

    #[test]
    fn cofactors_are_the_derivative_of_the_determinant() {
        let f = [[1.1, 0.2, -0.3], [0.05, 0.9, 0.4], [0.3, -0.1, 1.2]];
        let c = cofactor(&f);
        for i in 0..3 {
            for j in 0..3 {
                let mut other = f;
                other[i][j] += 0.5;
                let mut before = f;
                before[i][j] -= 0.5;
                // the determinant is linear in each component
                let difference = determinant(&other) - determinant(&before);
                assert!((difference - c[i][j]).abs() < 1e-13);
            }
        }
        let product = product(&transpose(&f), &inverse_transposed(&f));
        assert!((0..9).all(|k| (product[k / 3][k % 3] - UNIT[k / 3][k % 3]).abs() < 1e-14));
    }

    #[test]
    fn von_mises_of_tension_is_the_tension() {
        assert!((von_mises(&[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 3.0).abs() < 1e-15);
        assert!((von_mises(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]) - 2.0 * 3f64.sqrt()).abs() < 1e-15);
        assert!(von_mises(&[5.0, 5.0, 5.0, 0.0, 0.0, 0.0]) < 1e-15);
    }
}
