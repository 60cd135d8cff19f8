//! Dilatation by heat: any law of small strains, whose strain is what heat leaves over.

use super::{LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::error::{ParameterError, require};
use crate::tensor::{Tangent6, Voigt};

/// `σ = law(ε − α ΔT)` (Duhamel 1837, Neumann 1885), ΔT above the temperature of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dilatation<L> {
    law: L,
    expansion: [f64; 3],
}

impl<L: SmallLaw> Dilatation<L> {
    /// By the law and the coefficient of expansion along each axis of the body \[1/K\].
    pub fn new(law: L, expansion: [f64; 3]) -> Result<Self, ParameterError> {
        for alpha in expansion {
            require(
                alpha.abs() < 1.0,
                "the coefficient of expansion",
                alpha,
                "it must be from -1 to 1 per K",
            )?;
        }
        Ok(Self { law, expansion })
    }
}

impl<L: SmallLaw> SmallLaw for Dilatation<L> {
    fn respond(
        &self,
        strain: &Voigt,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<SmallResponse, LawFailure> {
        let mut rest = *strain;
        for axis in 0..3 {
            rest[axis] -= self.expansion[axis] * temperature;
        }
        self.law.respond(&rest, temperature, old)
    }

    fn viscosity(&self) -> Option<Tangent6> {
        self.law.viscosity()
    }

    fn is_linear(&self) -> bool {
        self.law.is_linear()
    }

    fn start(&self) -> PointHistory {
        self.law.start()
    }
}
