//! Materials, one short file each, written once in space: plane and axisymmetric bodies embed them. They know
//! a point, no element and no time step.
//!
//! A law answers a strain and the internal variables of the last step that converged with a stress, its
//! derivative, energies and new internal variables. It never changes the old ones: whoever asked keeps the
//! new ones once the step has converged, or drops them.

mod dilatation;
mod elastic;
mod hyperelastic;
mod kelvin_voigt;
mod logarithmic;
mod mooney_rivlin;
mod neo_hookean;
mod orthotropic;
mod plane_stress;
mod plastic;
mod saint_venant;
#[cfg(test)]
mod tests;

pub use dilatation::Dilatation;
pub use elastic::ElasticIsotropic;
pub use hyperelastic::{Hyperelastic, StoredEnergy};
pub use kelvin_voigt::KelvinVoigt;
pub use logarithmic::Logarithmic;
pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;
pub use orthotropic::{Orthotropic, OrthotropicModuli};
pub(crate) use plane_stress::{finite_plane_stress, small_plane_stress};
pub use plastic::{J2Plasticity, PlasticState};
pub use saint_venant::SaintVenantKirchhoff;

use crate::tensor::{Tangent6, Tangent9, Tensor, Voigt};

/// Internal variables of one point: what a law remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PointHistory {
    /// Nothing.
    #[default]
    None,
    /// Those of plasticity.
    Plastic(PlasticState),
}

impl PointHistory {
    /// As numbers, for checkpoints.
    pub fn to_numbers(&self) -> Vec<f64> {
        match self {
            Self::None => Vec::new(),
            Self::Plastic(state) => state.to_numbers().to_vec(),
        }
    }

    /// From the numbers of a history of the same law; `None` where their count is another.
    pub fn from_numbers(&self, numbers: &[f64]) -> Option<Self> {
        match self {
            Self::None => numbers.is_empty().then_some(Self::None),
            Self::Plastic(_) => {
                numbers.try_into().ok().map(|numbers| Self::Plastic(PlasticState::from_numbers(numbers)))
            }
        }
    }
}

/// Why a law has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LawFailure {
    /// The volume vanished or was turned inside out; with the volume ratio.
    Collapsed(f64),
    /// No state was found, for this reason.
    NoState(&'static str),
}

/// What a law of small strains answers.
#[derive(Clone, Copy, Debug)]
pub struct SmallResponse {
    /// Stress \[Pa\].
    pub stress: Voigt,
    /// Its derivative by the strain \[Pa\], consistent with the update of the internal variables.
    pub tangent: Tangent6,
    /// Free energy, elastic and of hardening \[J/m³\].
    pub stored: f64,
    /// Energy dissipated since the old internal variables \[J/m³\].
    pub dissipated: f64,
    /// Internal variables at the end.
    pub history: PointHistory,
}

/// A law of small strains.
pub trait SmallLaw: std::fmt::Debug + Send + Sync {
    /// The answer to a strain at a temperature above that of the reference \[K\].
    fn respond(
        &self,
        strain: &Voigt,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<SmallResponse, LawFailure>;

    /// Derivative of the stress by the rate of strain \[Pa s\], where the law is viscous.
    fn viscosity(&self) -> Option<Tangent6> {
        None
    }

    /// Whether the tangent is constant, so that a body may be factored once.
    fn is_linear(&self) -> bool;

    /// Internal variables of a point at the beginning.
    fn start(&self) -> PointHistory {
        PointHistory::None
    }
}

/// What a law of finite strains answers.
#[derive(Clone, Copy, Debug)]
pub struct FiniteResponse {
    /// First Piola–Kirchhoff stress, force per reference area \[Pa\].
    pub piola: Tensor,
    /// Its derivative by the deformation gradient \[Pa\].
    pub tangent: Tangent9,
    /// Free energy per reference volume \[J/m³\].
    pub stored: f64,
    /// Energy dissipated since the old internal variables \[J/m³\].
    pub dissipated: f64,
    /// Internal variables at the end.
    pub history: PointHistory,
}

/// A law of finite strains.
pub trait FiniteLaw: std::fmt::Debug + Send + Sync {
    /// The answer to a deformation gradient at a temperature above that of the reference \[K\].
    fn respond(
        &self,
        gradient: &Tensor,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<FiniteResponse, LawFailure>;

    /// Internal variables of a point at the beginning.
    fn start(&self) -> PointHistory {
        PointHistory::None
    }
}
