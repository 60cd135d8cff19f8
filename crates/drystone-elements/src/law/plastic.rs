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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{FiniteLaw, Logarithmic};
    use crate::tensor::{cauchy, determinant};

    fn hooke() -> ElasticIsotropic {
        ElasticIsotropic::new(210e9, 0.3).unwrap()
    }

    /// Strain along x that leaves no other stress, by plane stress twice: here by a search over both others.
    fn uniaxial(law: &J2Plasticity, axial: f64, old: &PointHistory) -> SmallResponse {
        let mut across = 0.0;
        for _ in 0..200 {
            let answer = law.respond(&[axial, across, across, 0.0, 0.0, 0.0], 0.0, old).unwrap();
            let slope = answer.tangent[1][1] + answer.tangent[1][2];
            across -= answer.stress[1] / slope;
        }
        law.respond(&[axial, across, across, 0.0, 0.0, 0.0], 0.0, old).unwrap()
    }

    #[test]
    fn plastic_tension_follows_the_closed_form() {
        let (young, yields) = (210e9, 250e6);
        for (isotropic, kinematic) in [(2e9, 0.0), (0.0, 5e9), (1e9, 3e9), (0.0, 0.0)] {
            let law = J2Plasticity::new(hooke(), yields, isotropic, kinematic).unwrap();
            let hardening: f64 = isotropic + kinematic;
            let mut history = law.start();
            for k in 1..=10 {
                let axial = 5e-4 * f64::from(k);
                let answer = uniaxial(&law, axial, &history);
                let beyond = axial - yields / young;
                let expected = match beyond > 0.0 {
                    true => yields + young * hardening / (young + hardening) * beyond,
                    false => young * axial,
                };
                assert!((answer.stress[0] - expected).abs() < 1e-10 * yields, "{k} {}", answer.stress[0]);
                history = answer.history;
            }
        }
    }

    #[test]
    fn kinematic_hardening_closes_its_loop() {
        // shear cycles: yield shifts with the back stress, the loop repeats and has the area of its
        // dissipation
        let (yields, kinematic) = (250e6, 4e9);
        let law = J2Plasticity::new(hooke(), yields, 0.0, kinematic).unwrap();
        let mu = hooke().shear();
        let slope = mu * kinematic / (3.0 * mu + kinematic);
        let shear_yield = yields / 3f64.sqrt();
        let mut history = law.start();
        let mut stress = 0.0;
        let (mut loop_area, mut dissipated) = (0.0, 0.0);
        let most = 4e-3;
        for step in 0..400 {
            // to +most, then cycles −most … +most
            let phase = |k: f64| {
                let t = (k / 100.0) % 4.0;
                most * if t < 1.0 {
                    t
                } else if t < 3.0 {
                    2.0 - t
                } else {
                    t - 4.0
                }
            };
            let (before, gamma) = (phase(f64::from(step)), phase(f64::from(step + 1)));
            let answer = law.respond(&[0.0, 0.0, 0.0, gamma, 0.0, 0.0], 0.0, &history).unwrap();
            loop_area += 0.5 * (stress + answer.stress[3]) * (gamma - before);
            dissipated += answer.dissipated;
            history = answer.history;
            stress = answer.stress[3];
            if step == 99 {
                let expected = shear_yield + slope * (most - shear_yield / mu);
                assert!((stress - expected).abs() < 1e-9 * yields, "{stress} {expected}");
            }
            if step == 299 {
                // the mirror image
                let expected = -(shear_yield + slope * (most - shear_yield / mu));
                assert!((stress - expected).abs() < 1e-9 * yields, "{stress} {expected}");
            }
        }
        let answer = law.respond(&[0.0; 6], 0.0, &history).unwrap();
        assert!(
            (loop_area - answer.stored - dissipated).abs() < 2e-2 * dissipated,
            "{loop_area} {dissipated}"
        );
        assert!(dissipated > 0.0);
    }

    #[test]
    fn finite_plasticity_in_tension_is_the_small_one_in_logarithms() {
        let law = J2Plasticity::new(hooke(), 250e6, 1e9, 2e9).unwrap();
        let stretch = 1.3f64;
        let small = uniaxial(&law, stretch.ln(), &law.start());
        // the same sideways strain
        let mut across = 0.0;
        for _ in 0..200 {
            let answer =
                law.respond(&[stretch.ln(), across, across, 0.0, 0.0, 0.0], 0.0, &law.start()).unwrap();
            across -= answer.stress[1] / (answer.tangent[1][1] + answer.tangent[1][2]);
        }
        let side = across.exp();
        let f = [[stretch, 0.0, 0.0], [0.0, side, 0.0], [0.0, 0.0, side]];
        let finite = Logarithmic(law).respond(&f, 0.0, &law.start()).unwrap();
        // Kirchhoff's stress is the stress of the logarithmic strain
        let kirchhoff = cauchy(&finite.piola, &f)[0] * determinant(&f);
        assert!((kirchhoff - small.stress[0]).abs() < 1e-9 * small.stress[0]);
        assert!(
            (kirchhoff - 250e6 - 3e9 * 210e9 / 213e9 * (stretch.ln() - 250e6 / 210e9)).abs() < 1e-6 * 250e6
        );
    }
}
