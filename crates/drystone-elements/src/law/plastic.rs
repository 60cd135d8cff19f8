//! J2 plasticity with linear hardening, isotropic and kinematic, at small strains; at finite ones through
//! [`super::Logarithmic`].

use super::{ElasticIsotropic, LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::error::{ParameterError, require};
use crate::tensor::{Voigt, add, apply, contract, deviator, stress_norm};

/// Internal variables of plasticity at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlasticState {
    /// Plastic strain, engineering shears.
    pub strain: Voigt,
    /// Accumulated plastic strain `∫ √(2/3 ε̇ᵖ : ε̇ᵖ) dt`.
    pub accumulated: f64,
}

impl PlasticState {
    /// As numbers, for checkpoints.
    pub fn to_numbers(&self) -> [f64; 7] {
        std::array::from_fn(|k| if k < 6 { self.strain[k] } else { self.accumulated })
    }

    /// From the same numbers.
    pub fn from_numbers(numbers: &[f64; 7]) -> Self {
        Self { strain: std::array::from_fn(|k| numbers[k]), accumulated: numbers[6] }
    }
}

/// `‖dev σ − β‖ ≤ √(2/3) (σ₀ + H_i p)`, `β = 2/3 H_k εᵖ`, associated flow, radial return with its consistent
/// tangent (Wilkins 1964; Simo, Taylor 1985; Simo, Hughes 1998, box 3.2).
///
/// In uniaxial tension the slope beyond the yield stress is `E H / (E + H)`, `H = H_i + H_k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct J2Plasticity {
    elastic: ElasticIsotropic,
    yield_stress: f64,
    isotropic: f64,
    kinematic: f64,
}

/// Beyond the yield surface by no more than this part of its radius, a point is on it and answers
/// elastically: where a step begins, rounding must not decide which way it is expected to go.
const ON_SURFACE: f64 = 1e-12;

impl J2Plasticity {
    /// By the elastic law, the yield stress σ₀ \[Pa\] and the moduli of isotropic and kinematic hardening
    /// H_i, H_k \[Pa\].
    pub fn new(
        elastic: ElasticIsotropic,
        yield_stress: f64,
        isotropic: f64,
        kinematic: f64,
    ) -> Result<Self, ParameterError> {
        require(yield_stress > 0.0, "the yield stress", yield_stress, "it must be above 0 Pa")?;
        let allowed = "it must be 0 Pa or more; softening would need a length that this law does not have";
        require(isotropic >= 0.0, "the modulus of isotropic hardening", isotropic, allowed)?;
        require(kinematic >= 0.0, "the modulus of kinematic hardening", kinematic, allowed)?;
        Ok(Self { elastic, yield_stress, isotropic, kinematic })
    }

    /// Energy of hardening at a state \[J/m³\].
    fn hardening(&self, state: &PlasticState) -> f64 {
        0.5 * self.isotropic * state.accumulated.powi(2)
            + 0.5 * contract(&self.back_stress(state), &state.strain)
    }

    /// Back stress `2/3 H_k εᵖ` \[Pa\].
    pub fn back_stress(&self, state: &PlasticState) -> Voigt {
        std::array::from_fn(|k| {
            let strain = if k < 3 { state.strain[k] } else { 0.5 * state.strain[k] };
            2.0 / 3.0 * self.kinematic * strain
        })
    }
}

impl SmallLaw for J2Plasticity {
    fn respond(&self, strain: &Voigt, _: f64, old: &PointHistory) -> Result<SmallResponse, LawFailure> {
        let old = match old {
            PointHistory::Plastic(state) => *state,
            PointHistory::None => PlasticState::default(),
        };
        let mut tangent = *self.elastic.tangent();
        let elastic = add(strain, -1.0, &old.strain);
        let trial = apply(&tangent, &elastic);
        let xi = add(&deviator(&trial), -1.0, &self.back_stress(&old));
        let (size, mu) = (stress_norm(&xi), self.elastic.shear());
        let root = (2.0f64 / 3.0).sqrt();
        let radius = root * (self.yield_stress + self.isotropic * old.accumulated);
        let excess = size - radius;
        if excess <= ON_SURFACE * radius {
            let stored = 0.5 * contract(&trial, &elastic) + self.hardening(&old);
            let history = PointHistory::Plastic(old);
            return Ok(SmallResponse { stress: trial, tangent, stored, dissipated: 0.0, history });
        }
        // return along the direction of the trial stress
        let hardening = self.isotropic + self.kinematic;
        let flow = excess / (2.0 * mu + 2.0 / 3.0 * hardening);
        let n = xi.map(|x| x / size);
        let flow_strain: Voigt = std::array::from_fn(|k| if k < 3 { n[k] } else { 2.0 * n[k] });
        let new = PlasticState {
            strain: add(&old.strain, flow, &flow_strain),
            accumulated: old.accumulated + root * flow,
        };
        let stress = add(&trial, -2.0 * mu * flow, &n);
        // consistent tangent: κ 1⊗1 + 2μ θ I_dev − 2μ θ' n⊗n
        let theta = 1.0 - 2.0 * mu * flow / size;
        let along = 1.0 / (1.0 + hardening / (3.0 * mu)) - (1.0 - theta);
        let bulk = self.elastic.bulk();
        for i in 0..6 {
            for j in 0..6 {
                let mut isotropic =
                    if i == j { 2.0 * mu * theta * if i < 3 { 1.0 } else { 0.5 } } else { 0.0 };
                if i < 3 && j < 3 {
                    isotropic += bulk - 2.0 * mu * theta / 3.0;
                }
                tangent[i][j] = isotropic - 2.0 * mu * along * n[i] * n[j];
            }
        }
        let elastic = add(strain, -1.0, &new.strain);
        let hardening = self.hardening(&new);
        let work = flow * contract(&stress, &flow_strain);
        Ok(SmallResponse {
            stress,
            tangent,
            stored: 0.5 * contract(&stress, &elastic) + hardening,
            dissipated: work - (hardening - self.hardening(&old)),
            history: PointHistory::Plastic(new),
        })
    }

    fn is_linear(&self) -> bool {
        false
    }

    fn start(&self) -> PointHistory {
        PointHistory::Plastic(PlasticState::default())
    }
}
