//! Mooney and Rivlin's energy.

use super::hyperelastic::{Hyperelastic, StoredEnergy};
use crate::dual::Dual;
use crate::error::{ParameterError, require};

/// `ψ = c₁₀ (J^(−2/3) I₁ − 3) + c₀₁ (J^(−4/3) I₂ − 3) + κ/2 (J − 1)²` (Mooney 1940, Rivlin 1948), the change
/// of volume apart from that of form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MooneyRivlin {
    c10: f64,
    c01: f64,
    bulk: f64,
}

impl MooneyRivlin {
    /// By the two constants \[Pa\] and the bulk modulus κ \[Pa\]; the shear modulus is `2 (c₁₀ + c₀₁)`.
    pub fn new(c10: f64, c01: f64, bulk: f64) -> Result<Hyperelastic<Self>, ParameterError> {
        require(c10 >= 0.0, "c10", c10, "it must be 0 Pa or more")?;
        require(c01 >= 0.0, "c01", c01, "it must be 0 Pa or more")?;
        require(c10 + c01 > 0.0, "c10 + c01", c10 + c01, "one of the two must be above 0 Pa")?;
        require(bulk > 0.0, "the bulk modulus", bulk, "it must be above 0 Pa")?;
        Ok(Hyperelastic(Self { c10, c01, bulk }))
    }
}

impl StoredEnergy for MooneyRivlin {
    fn psi(&self, i1: Dual, i2: Dual, j: Dual) -> Dual {
        let shrink = j.pow(-2.0 / 3.0);
        (shrink * i1 - 3.0) * self.c10
            + (shrink * shrink * i2 - 3.0) * self.c01
            + (j - 1.0).squared() * (0.5 * self.bulk)
    }
}
