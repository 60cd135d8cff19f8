//! Saint-Venant and Kirchhoff's energy: Hooke's law on Green's strain.

use super::elastic::check;
use super::hyperelastic::{Hyperelastic, StoredEnergy};
use crate::dual::Dual;
use crate::error::ParameterError;

/// `ψ = λ/2 (tr E)² + μ E : E`, `E = ½ (C − 1)` (Saint-Venant 1844): large turns with small strains. Squeezed
/// to below 58 % of its length it gives way; take the neo-Hookean energy there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaintVenantKirchhoff {
    lambda: f64,
    mu: f64,
}

impl SaintVenantKirchhoff {
    /// By Young's modulus \[Pa\] and Poisson's ratio.
    pub fn new(young: f64, poisson: f64) -> Result<Hyperelastic<Self>, ParameterError> {
        check(young, poisson)?;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Ok(Hyperelastic(Self { lambda, mu: young / (2.0 * (1.0 + poisson)) }))
    }
}

impl StoredEnergy for SaintVenantKirchhoff {
    fn psi(&self, i1: Dual, i2: Dual, _: Dual) -> Dual {
        // tr E = ½ (I₁ − 3), E : E = ¼ (I₁² − 2 I₂ − 2 I₁ + 3)
        let squares = (i1.squared() - i2 * 2.0 - i1 * 2.0 + 3.0) * 0.25;
        ((i1 - 3.0) * 0.5).squared() * (0.5 * self.lambda) + squares * self.mu
    }
}
