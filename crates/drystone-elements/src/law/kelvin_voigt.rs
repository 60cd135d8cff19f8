//! Kelvin and Voigt's damper beside an elastic law.

use super::{LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::error::{ParameterError, require};
use crate::tensor::{Tangent6, Voigt};

/// `σ = D ε + τ D ε̇` (Voigt 1892): the damping matrix of a body is τ times its stiffness, so that rigid
/// motion is not damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KelvinVoigt<L> {
    law: L,
    retardation: f64,
}

impl<L: SmallLaw> KelvinVoigt<L> {
    /// By the elastic law and the time of retardation τ \[s\].
    pub fn new(law: L, retardation: f64) -> Result<Self, ParameterError> {
        require(retardation >= 0.0, "the time of retardation", retardation, "it must be 0 s or more")?;
        Ok(Self { law, retardation })
    }
}

impl<L: SmallLaw> SmallLaw for KelvinVoigt<L> {
    fn respond(
        &self,
        strain: &Voigt,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<SmallResponse, LawFailure> {
        self.law.respond(strain, temperature, old)
    }

    fn viscosity(&self) -> Option<Tangent6> {
        let unloaded = self.law.respond(&[0.0; 6], 0.0, &self.law.start()).ok()?;
        Some(unloaded.tangent.map(|row| row.map(|x| self.retardation * x)))
    }

    fn is_linear(&self) -> bool {
        self.law.is_linear()
    }

    fn start(&self) -> PointHistory {
        self.law.start()
    }
}
