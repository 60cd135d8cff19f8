//! Hooke's law of an isotropic material.

use super::{LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::error::{ParameterError, require};
use crate::tensor::{Tangent6, Voigt, apply, contract};

/// Linear elasticity, `σ = λ tr ε 1 + 2 μ ε` (Hooke; Lamé 1852).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticIsotropic {
    young: f64,
    poisson: f64,
    tangent: Tangent6,
}

/// Checks Young's modulus and Poisson's ratio.
pub(super) fn check(young: f64, poisson: f64) -> Result<(), ParameterError> {
    require(young > 0.0, "Young's modulus", young, "it must be above 0 Pa")?;
    require(
        poisson > -1.0 && poisson < 0.5,
        "Poisson's ratio",
        poisson,
        "it must be above -1 and below 0.5; for a nearly incompressible material take 0.499 and B-bar or \
         quadratic elements",
    )
}

impl ElasticIsotropic {
    /// By Young's modulus \[Pa\] and Poisson's ratio.
    pub fn new(young: f64, poisson: f64) -> Result<Self, ParameterError> {
        check(young, poisson)?;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        let mu = young / (2.0 * (1.0 + poisson));
        let mut tangent = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                tangent[i][j] = lambda;
            }
            tangent[i][i] += 2.0 * mu;
            tangent[i + 3][i + 3] = mu;
        }
        Ok(Self { young, poisson, tangent })
    }

    /// Young's modulus \[Pa\].
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// Shear modulus μ \[Pa\].
    pub fn shear(&self) -> f64 {
        0.5 * self.young / (1.0 + self.poisson)
    }

    /// Bulk modulus \[Pa\].
    pub fn bulk(&self) -> f64 {
        self.young / (3.0 * (1.0 - 2.0 * self.poisson))
    }

    /// Derivative of the stress by the strain \[Pa\].
    pub fn tangent(&self) -> &Tangent6 {
        &self.tangent
    }
}

impl SmallLaw for ElasticIsotropic {
    fn respond(&self, strain: &Voigt, _: f64, _: &PointHistory) -> Result<SmallResponse, LawFailure> {
        Ok(linear(&self.tangent, strain))
    }

    fn is_linear(&self) -> bool {
        true
    }
}

/// The answer of a linear elastic material.
pub(super) fn linear(tangent: &Tangent6, strain: &Voigt) -> SmallResponse {
    let stress = apply(tangent, strain);
    SmallResponse {
        stress,
        tangent: *tangent,
        stored: 0.5 * contract(&stress, strain),
        dissipated: 0.0,
        history: PointHistory::None,
    }
}
