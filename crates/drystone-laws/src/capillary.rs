//! Liquid bridges: an attraction that holds on over a distance.

use crate::law_variables;
use crate::{Approach, Change, Dissipated, Law, Outcome};
use drystone_math::portable;
use drystone_problem::Set;

/// Unilateral contact with Coulomb friction and a liquid bridge (Rumpf 1962; Richefeu, El Youssoufi, Radjaï
/// 2006):
///
/// `0 ≤ u_N + max(g, 0)/h ⟂ r_N + h f(g) ≥ 0`, `‖r_T‖ ≤ μ (r_N + h f)`,
///
/// `f(g) = F` or, with a decay length λ, `f(g) = F exp(−max(g, 0)/λ)`, up to the rupture distance. A bridge
/// is there at the start between bodies nearer than that distance, forms where bodies touch, and is gone
/// beyond the distance. The attraction is a shift of the impulse; it presses friction too.
///
/// The work of the attraction is stored, and lost when the bridge breaks. Variables: `bridge` (1 or 0).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Liquid bridges.")
)]
pub struct Capillary {
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
    /// Attraction F of bodies that touch \[N\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub force: f64,
    /// Distance at which a bridge breaks \[m\], greater than 0 (no default).
    #[cfg_attr(feature = "serde", schemars(extend("exclusiveMinimum" = 0)))]
    pub rupture: f64,
    /// Length λ over which the attraction decays \[m\]; default: it does not.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub decay: Option<f64>,
    /// Share of the attraction that acts \[-\]: 1, unless it is changed in time.
    #[cfg_attr(feature = "serde", serde(skip, default = "crate::whole"))]
    pub share: f64,
}

law_variables! {
    /// What a contact remembers.
    struct Bridge {
        /// Whether there is one, 1 or 0.
        bridge,
    }
}

impl Capillary {
    /// Attraction at a gap \[N\].
    pub fn attraction(&self, gap: f64) -> f64 {
        if gap > self.rupture {
            return 0.0;
        }
        self.share * self.force * self.decay.map_or(1.0, |length| portable::exp(-gap.max(0.0) / length))
    }

    fn impulse<const D: usize>(&self, approach: &Approach<D>) -> f64 {
        approach.h * Bridge::of(approach.internal).bridge * self.attraction(approach.gap)
    }
}

impl<const D: usize> Law<D> for Capillary {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let forecast = approach.gap.max(0.0) / approach.h;
        let mut change = Change::forecast(Set::Coulomb { mu: self.friction }, forecast);
        change.impulse[0] = self.impulse(approach);
        Some(change)
    }

    fn variables(&self) -> Vec<&'static str> {
        Bridge::NAMES.to_vec()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        let near = approach.gap <= 0.0 || approach.bonding && approach.gap <= self.rupture;
        Bridge { bridge: f64::from(u8::from(near)) }.store(internal);
        0.0
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        let rigid = Dissipated::rigid(approach, outcome);
        let pulled = self.impulse(approach) * approach.mean(&outcome.u)[0];
        let gap = approach.gap_end(&outcome.u);
        let mut spent = Dissipated { shocks: rigid.shocks - pulled, stored: pulled, ..rigid };
        if gap > self.rupture {
            spent.cohesion = approach.stored + spent.stored;
            spent.stored = -approach.stored;
            Bridge { bridge: 0.0 }.store(internal);
        } else if !outcome.open || gap <= 0.0 {
            Bridge { bridge: 1.0 }.store(internal);
        }
        spent
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn reach(&self) -> f64 {
        self.rupture
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction, ..*self }))
    }

    fn with_cohesion(&self, share: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { share, ..*self }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Vector;

    #[test]
    fn a_bridge_pulls_until_it_breaks_and_forms_anew_at_touch() {
        for (decay, work) in [(None, 0.02), (Some(0.005), 0.01 * (1.0 - (-2.0_f64).exp()))] {
            let law = Capillary { friction: 0.3, force: 2.0, rupture: 0.01, decay, share: 1.0 };
            let (h, speed) = (1e-4, 0.1);
            let (mut internal, mut stored, mut cohesion) = ([0.0], 0.0, 0.0);
            for k in 0..1200 {
                // pulled apart at a constant speed
                let u = Vector::<2>::new(speed, 0.0);
                let gap = (k as f64 + 0.5) * h * speed;
                let base = Approach { stored, ..Approach::new(gap, u, h) };
                if k == 0 {
                    Law::<2>::begin(&law, &base, &mut internal);
                    assert_eq!(internal, [1.0]);
                }
                let before = internal;
                let seen = base.with(&before);
                let r = -law.change(&seen).unwrap().impulse[0];
                let outcome = Outcome { open: true, ..Outcome::new(u, Vector::<2>::new(r, 0.0)) };
                let spent = law.keep(&seen, &outcome, &mut internal);
                assert!((spent.total() + r * speed).abs() < 1e-15);
                stored += spent.stored;
                cohesion += spent.cohesion;
            }
            assert_eq!(internal, [0.0]);
            assert!((cohesion - work).abs() < 2e-3 * work && stored.abs() < 1e-15, "{cohesion}");
            let touching = Approach::new(-1e-9, Vector::<2>::zeros(), h);
            law.keep(&touching, &Outcome::new(Vector::zeros(), Vector::<2>::new(1.0, 0.0)), &mut internal);
            assert_eq!(internal, [1.0]);
        }
    }
}
