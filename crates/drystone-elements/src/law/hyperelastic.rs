//! Hyperelasticity: from an energy of the invariants to stress and tangent, once for all energies.

use super::{FiniteLaw, FiniteResponse, LawFailure, PointHistory};
use crate::dual::Dual;
use crate::tensor::{Tensor, cofactor, determinant, product, transpose};

/// Energy per reference volume as a function of `I₁ = tr C`, `I₂ = ½ (I₁² − tr C²)` and `J = det F`,
/// C = FᵀF.
pub trait StoredEnergy: std::fmt::Debug + Send + Sync {
    /// ψ(I₁, I₂, J) \[J/m³\], zero where nothing is deformed.
    fn psi(&self, i1: Dual, i2: Dual, j: Dual) -> Dual;
}

/// The law of a stored energy, `P = ∂ψ/∂F` (Green 1839; Ogden 1984).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperelastic<E>(
    /// The energy.
    pub E,
);

impl<E: StoredEnergy> FiniteLaw for Hyperelastic<E> {
    fn respond(&self, f: &Tensor, _: f64, _: &PointHistory) -> Result<FiniteResponse, LawFailure> {
        let j = determinant(f);
        // not a number, either
        if j.is_nan() || j <= 0.0 {
            return Err(LawFailure::Collapsed(j));
        }
        let (c, b) = (product(&transpose(f), f), product(f, &transpose(f)));
        let i1 = c[0][0] + c[1][1] + c[2][2];
        let squares = c.iter().flatten().fold(0.0, |sum, x| sum + x * x);
        let i2 = 0.5 * (i1 * i1 - squares);
        let psi = self.0.psi(Dual::variable(i1, 0), Dual::variable(i2, 1), Dual::variable(j, 2));

        // first derivatives of the invariants: 2 F, 2 (I₁ F − F C), cof F
        let (fc, cof) = (product(f, &c), cofactor(f));
        let slopes: [[f64; 9]; 3] = [
            std::array::from_fn(|k| 2.0 * f[k / 3][k % 3]),
            std::array::from_fn(|k| 2.0 * (i1 * f[k / 3][k % 3] - fc[k / 3][k % 3])),
            std::array::from_fn(|k| cof[k / 3][k % 3]),
        ];
        let [p1, p2, p3] = psi.first;
        let stress: [f64; 9] =
            std::array::from_fn(|k| p1 * slopes[0][k] + p2 * slopes[1][k] + p3 * slopes[2][k]);

        let mut tangent = [[0.0; 9]; 9];
        for k in 0..9 {
            // Σ ψ_ab ∂I_b
            let mixed: [f64; 3] =
                std::array::from_fn(|a| (0..3).fold(0.0, |sum, b| sum + psi.second[a][b] * slopes[b][k]));
            let (i, m) = (k / 3, k % 3);
            for l in 0..9 {
                let (p, q) = (l / 3, l % 3);
                let (same_row, same_column) = (f64::from(u8::from(i == p)), f64::from(u8::from(m == q)));
                let both = same_row * same_column;
                let second = 4.0 * f[i][m] * f[p][q] + 2.0 * i1 * both
                    - 2.0 * (same_row * c[m][q] + f[i][q] * f[p][m] + b[i][p] * same_column);
                let third = (cof[i][m] * cof[p][q] - cof[i][q] * cof[p][m]) / j;
                let bent = (0..3).fold(0.0, |sum, a| sum + slopes[a][l] * mixed[a]);
                tangent[l][k] = bent + p1 * 2.0 * both + p2 * second + p3 * third;
            }
        }
        Ok(FiniteResponse {
            piola: std::array::from_fn(|i| std::array::from_fn(|m| stress[3 * i + m])),
            tangent,
            stored: psi.value,
            dissipated: 0.0,
            history: PointHistory::None,
        })
    }
}
