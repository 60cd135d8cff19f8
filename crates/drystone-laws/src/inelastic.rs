//! Unilateral contact without bounce.

use crate::{Approach, Change, Law, Percussion, Threshold};
use drystone_problem::Set;

/// Signorini's condition on the forecast gap, with Coulomb friction (Moreau, Jean 1996, §4; Dubois, Acary,
/// Jean 2018, §3.1.6):
///
/// `0 ≤ u_N + max(g_m, 0)/h ⟂ r_N ≥ 0`, `‖r_T‖ ≤ μ r_N`, sliding against `r_T`.
///
/// The next middle configuration is `q_m + h v`, so `g_m + h u_N` is the gap forecast there: two bodies on
/// their way to each other are stopped when they touch, not a step later. An overlap is never pushed out,
/// since that would feed energy into the system.
#[doc(alias = "Signorini")]
#[doc(alias = "complementarity")]
#[doc(alias = "Coulomb")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Contact without rebound.")
)]
pub struct Inelastic {
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
}

impl<const D: usize> Law<D> for Inelastic {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let set = Set::Coulomb { mu: self.friction };
        Some(Change::forecast(set, approach.gap.max(0.0) / approach.h))
    }

    fn atomised(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Percussion::rigid(Threshold::Coulomb(self.friction))))
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Vector;

    #[test]
    fn stops_at_touch_and_never_pushes_out() {
        let law = Inelastic { friction: 0.3 };
        let u_begin = Vector::<2>::new(-5.0, 1.0);
        let near = law.change(&Approach::new(0.02, u_begin, 0.01));
        assert_eq!(near.map(|c| c.shift), Some(Vector::<2>::new(2.0, 0.0)));
        let deep = law.change(&Approach::new(-0.02, u_begin, 0.01));
        assert_eq!(deep.map(|c| c.shift), Some(Vector::<2>::zeros()));
    }
}
