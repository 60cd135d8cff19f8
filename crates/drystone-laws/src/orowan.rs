//! Coulomb's friction up to a normal force, and no more beyond.

use crate::{Approach, Change, Law};
use drystone_problem::Set;

/// Signorini's condition on the forecast gap with the friction of Coulomb and Orowan (Orowan 1943; Alart,
/// Renouf 2018, §5.1):
///
/// `0 ≤ u_N + max(g, 0)/h ⟂ r_N ≥ 0`, `‖r_T‖ ≤ μ min(r_N, h F)`, sliding against `r_T`.
///
/// Beyond the normal force `F` friction stays what it is: asperities are flat. That takes the jammed networks
/// of impulses their cones, so that a step without a solution under Coulomb's law has one. Without a given
/// threshold `F` is the mean normal force of the contacts that push, over about the last hundred steps, as
/// the text recommends (§5.3).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Friction that grows no more beyond a normal force.")
)]
pub struct Orowan {
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
    /// Normal force F from which on friction grows no more \[N\]; default: the mean normal force of about the
    /// last hundred steps.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub threshold: Option<f64>,
}

impl Orowan {
    /// The set of a contact in a step of `h` \[s\] whose mean normal impulse is so large \[N s\].
    pub fn set(friction: f64, threshold: Option<f64>, h: f64, mean_normal: f64) -> Set {
        Set::Orowan { mu: friction, cap: friction * threshold.map_or(mean_normal, |force| force * h) }
    }
}

impl<const D: usize> Law<D> for Orowan {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let set = Self::set(self.friction, self.threshold, approach.h, approach.mean_normal);
        Some(Change::forecast(set, approach.gap.max(0.0) / approach.h))
    }

    fn wants_mean(&self) -> bool {
        self.threshold.is_none()
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction, ..*self }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Vector;

    #[test]
    fn friction_grows_with_the_normal_force_up_to_the_threshold() {
        let approach = Approach { mean_normal: 0.5, ..Approach::new(0.0, Vector::<2>::zeros(), 0.1) };
        for (threshold, cap) in [(Some(20.0), 2.0), (None, 0.5)] {
            let law = Orowan { friction: 0.8, threshold };
            assert_eq!(Law::<2>::wants_mean(&law), threshold.is_none());
            let set = law.change(&approach).map(|change| change.set).unwrap();
            for normal in [0.1, 1.0, 3.0] {
                assert!((set.threshold(normal) - 0.8 * f64::min(normal, cap)).abs() < 1e-15);
            }
        }
    }
}
