//! Hooke's law of a material with three planes of symmetry: wood, masonry smeared out, fibres.

use super::elastic::linear;
use super::{LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::error::{ParameterError, require};
use crate::tensor::{Tangent6, Tensor, UNIT, Voigt, cofactor, determinant, turn_strain};

/// The nine moduli, and the axes they belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrthotropicModuli {
    /// Young's moduli E₁, E₂, E₃ \[Pa\].
    pub young: [f64; 3],
    /// Poisson's ratios ν₁₂, ν₂₃, ν₁₃: contraction along the second axis for a pull along the first.
    pub poisson: [f64; 3],
    /// Shear moduli G₁₂, G₂₃, G₁₃ \[Pa\].
    pub shear: [f64; 3],
    /// The material's axes as rows, in those of the body.
    pub axes: Tensor,
}

/// Linear orthotropic elasticity (Lekhnitskii 1963).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    tangent: Tangent6,
}

impl Orthotropic {
    /// By its moduli.
    pub fn new(moduli: &OrthotropicModuli) -> Result<Self, ParameterError> {
        for (&young, &shear) in moduli.young.iter().zip(&moduli.shear) {
            require(young > 0.0, "Young's modulus", young, "all three must be above 0 Pa")?;
            require(shear > 0.0, "the shear modulus", shear, "all three must be above 0 Pa")?;
        }
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| moduli.axes[i][k] * moduli.axes[j][k]).sum();
                let allowed = "the three axes must be of length 1 and at right angles";
                require((product - UNIT[i][j]).abs() < 1e-9, "a product of two axes", product, allowed)?;
            }
        }
        let ([e1, e2, e3], [p12, p23, p13]) = (moduli.young, moduli.poisson);
        for &poisson in &moduli.poisson {
            require(true, "Poisson's ratio", poisson, "all three must be finite numbers")?;
        }
        let normal = [
            [1.0 / e1, -p12 / e1, -p13 / e1],
            [-p12 / e1, 1.0 / e2, -p23 / e2],
            [-p13 / e1, -p23 / e2, 1.0 / e3],
        ];
        // positive leading minors, without units
        let minor = 1.0 - p12 * p12 * e2 / e1;
        let whole = determinant(&normal) * e1 * e2 * e3;
        let allowed =
            "Poisson's ratios must leave it above 0: take them smaller (|ν₁₂| < √(E₁/E₂) and so on)";
        require(minor > 0.0 && whole > 0.0, "the determinant of the moduli", minor.min(whole), allowed)?;
        // the inverse of a symmetric matrix
        let inverse = cofactor(&normal).map(|row| row.map(|x| x / determinant(&normal)));
        let mut own = [[0.0; 6]; 6];
        for i in 0..3 {
            own[i][..3].copy_from_slice(&inverse[i]);
            own[i + 3][i + 3] = moduli.shear[i];
        }
        let turn = turn_strain(&moduli.axes);
        let tangent = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let row = |k: usize| (0..6).fold(0.0, |sum, l| sum + own[k][l] * turn[l][j]);
                (0..6).fold(0.0, |sum, k| sum + turn[k][i] * row(k))
            })
        });
        Ok(Self { tangent })
    }

    /// Derivative of the stress by the strain, in the axes of the body \[Pa\].
    pub fn tangent(&self) -> &Tangent6 {
        &self.tangent
    }
}

impl SmallLaw for Orthotropic {
    fn respond(&self, strain: &Voigt, _: f64, _: &PointHistory) -> Result<SmallResponse, LawFailure> {
        Ok(linear(&self.tangent, strain))
    }

    fn is_linear(&self) -> bool {
        true
    }
}
