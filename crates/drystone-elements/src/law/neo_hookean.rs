//! The compressible neo-Hookean energy.

use super::elastic::check;
use super::hyperelastic::{Hyperelastic, StoredEnergy};
use crate::dual::Dual;
use crate::error::ParameterError;

/// `ψ = μ/2 (I₁ − 3 − 2 ln J) + λ/2 (ln J)²` (Bonet, Wood 1997): rubber, and anything that must not be
/// crushed to nothing by finite forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    lambda: f64,
    mu: f64,
}

impl NeoHookean {
    /// By Young's modulus \[Pa\] and Poisson's ratio at small strains.
    pub fn new(young: f64, poisson: f64) -> Result<Hyperelastic<Self>, ParameterError> {
        check(young, poisson)?;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Ok(Hyperelastic(Self { lambda, mu: young / (2.0 * (1.0 + poisson)) }))
    }
}

impl StoredEnergy for NeoHookean {
    fn psi(&self, i1: Dual, _: Dual, j: Dual) -> Dual {
        let ln = j.log();
        (i1 - 3.0 - ln * 2.0) * (0.5 * self.mu) + ln.squared() * (0.5 * self.lambda)
    }
}
