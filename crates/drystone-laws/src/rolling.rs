//! Resistance to rolling and twisting beside Coulomb friction.

use crate::law_variables;
use crate::{Along, Approach, BRANCHES, Change, Dissipated, Law, Outcome, Restitution};
use drystone_problem::Set;

/// Signorini's condition on the forecast gap with friction against sliding, rolling and twisting (Acary,
/// Bourrier 2021):
///
/// `‖r_T‖ ≤ μ r_N`, `‖M_roll‖ ≤ ρ r_N`, `|M_twist| ≤ τ r_N`, each against its motion.
///
/// The moments are branches of their own, solved together with the forces of the contact as one local problem
/// ([`Change::follows`]). Outside a solve they have Tresca's set, with the threshold of the last normal
/// impulse or, at a new contact, that of a shock. In the plane bodies roll about the third axis and do not
/// twist. With a restitution the contact is that of [`Restitution`] instead of the forecast one, with the
/// moments beside it. Variables: `normal_impulse` \[N s\].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Resistance to sliding, rolling and twisting.")
)]
pub struct Rolling {
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
    /// Arm ρ of the resistance to rolling \[m\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub rolling: f64,
    /// Arm τ of the resistance to twisting \[m\], at least 0; nothing in 2D.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0)))]
    pub twisting: f64,
    /// Part of the normal velocity that comes back \[-\], from 0 to 1; default: no rebound, contact on the
    /// forecast gap, bodies stop as they touch.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none"),
        schemars(range(min = 0.0, max = 1.0))
    )]
    pub normal: Option<f64>,
    /// Part of the tangential velocity that comes back \[-\], from 0 to 1; only with `normal`.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0, max = 1.0)))]
    pub tangential: f64,
}

law_variables! {
    /// What a contact remembers.
    struct Pressed {
        /// Normal impulse of the last step \[N s\], of which the first thresholds are made.
        normal_impulse,
    }
}

impl<const D: usize> Law<D> for Rolling {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        if let Some(normal) = self.normal {
            let Self { friction, tangential, .. } = *self;
            return Restitution { normal, tangential, friction }.change(approach);
        }
        let set = Set::Coulomb { mu: self.friction };
        Some(Change::forecast(set, approach.gap.max(0.0) / approach.h))
    }

    fn beside(&self, approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        let normal = Pressed::of(approach.internal).normal_impulse;
        let branch = |along: Along, arm: f64| {
            let set = Set::Tresca { cap: arm * normal };
            (arm > 0.0).then(|| Change { along, follows: arm, ..Change::new(set) })
        };
        // of the axes to turn about rolling takes those in the tangent plane; the plane has no other
        let (axes, rolling) = (D * (D - 1) / 2, D - 1);
        let twisting = if axes > rolling { self.twisting } else { 0.0 };
        [branch(Along::Rolling, self.rolling), branch(Along::Twisting, twisting)]
    }

    fn is_impact(&self) -> bool {
        self.normal.is_some()
    }

    fn variables(&self) -> Vec<&'static str> {
        Pressed::NAMES.to_vec()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        let closing = match self.normal {
            Some(normal) => -approach.u_begin[0] * (1.0 + normal),
            None => -(approach.u_begin[0] + approach.gap.max(0.0) / approach.h),
        };
        let normal_impulse = (closing / approach.w[(0, 0)].max(f64::MIN_POSITIVE)).max(0.0);
        Pressed { normal_impulse }.store(internal);
        0.0
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        Pressed { normal_impulse: outcome.r[0].max(0.0) }.store(internal);
        let mut spent = Dissipated::rigid(approach, outcome);
        let [begin, end] = outcome.spin;
        let mean = (begin + end) * 0.5;
        // a rolling branch has its moments in components 1 and on, a twisting one in component 1
        spent.friction -= (1..D).map(|i| outcome.beside[0][i] * mean[i]).sum::<f64>();
        spent.friction -= outcome.beside[1][1] * mean[0];
        spent
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
    fn thresholds_follow_the_normal_impulse() {
        let law = Rolling { friction: 0.5, rolling: 0.1, twisting: 0.02, normal: None, tangential: 0.0 };
        let approach = Approach::new(0.0, Vector::<3>::new(-2.0, 0.0, 0.0), 0.1);
        let mut internal = [0.0];
        Law::<3>::begin(&law, &approach, &mut internal);
        assert_eq!(internal, [2.0]);
        let mut outcome = Outcome::new(Vector::<3>::zeros(), Vector::<3>::new(5.0, 0.0, 0.0));
        outcome.spin = [Vector::<3>::new(1.0, 2.0, 0.0); 2];
        (outcome.beside[0][1], outcome.beside[1][1]) = (-0.5, -0.1);
        let spent = law.keep(&approach, &outcome, &mut internal);
        assert!((spent.friction - 1.1).abs() < 1e-15 && internal == [5.0]);
        let seen = approach.with(&internal);
        let caps = law.beside(&seen).map(|branch| branch.map(|branch| branch.set.threshold(0.0)));
        assert_eq!(caps, [Some(0.5), Some(0.1)]);
        let bounces = Rolling { normal: Some(0.5), ..law };
        Law::<3>::begin(&bounces, &approach, &mut internal);
        assert_eq!((internal, bounces.change(&approach).unwrap().shift[0]), ([3.0], -1.0));
        assert!(bounces.change(&Approach { gap: 1e-9, ..approach }).is_none());
    }
}
