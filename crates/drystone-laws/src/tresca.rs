//! Friction with a threshold that does not depend on the normal force.

use crate::law_variables;
use crate::{Approach, Change, Dissipated, Law, Outcome, Percussion, Threshold};
use drystone_problem::Set;

/// Signorini's condition on the forecast gap with Tresca's friction (Dal Pont, Dimnet 2008, fig. 3):
///
/// `0 ≤ u_N + max(g, 0)/h ⟂ r_N ≥ 0`, `‖r_T‖ ≤ h (F + τ A)`, sliding against `r_T`,
///
/// at contacts that are closed: they touch or overlap at the middle configuration, or pushed in the last
/// step. Variables: `pushed` (0 or 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields, default),
    schemars(description = "Friction of a given threshold.")
)]
pub struct Tresca {
    /// Largest friction F at a contact point \[N\], at least 0.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub threshold: f64,
    /// Largest friction τ for each area of the contact \[Pa\], at least 0.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub stress: f64,
}

law_variables! {
    /// What a contact remembers.
    struct Pushed {
        /// Whether it pushed in the last step, 0 or 1.
        pushed,
    }
}

impl<const D: usize> Law<D> for Tresca {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let closed = approach.gap <= 0.0 || Pushed::of(approach.internal).pushed != 0.0;
        let force = self.threshold + self.stress * approach.area;
        let set = Set::Tresca { cap: if closed { approach.h * force } else { 0.0 } };
        Some(Change::forecast(set, approach.gap.max(0.0) / approach.h))
    }

    fn variables(&self) -> Vec<&'static str> {
        Pushed::NAMES.to_vec()
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        Pushed { pushed: f64::from(u8::from(outcome.r[0] > 0.0)) }.store(internal);
        Dissipated::rigid(approach, outcome)
    }

    /// A threshold by area has no percussion: its contacts are points.
    fn atomised(&self) -> Option<Box<dyn Law<D>>> {
        let threshold = Threshold::Tresca(self.threshold);
        (self.stress == 0.0).then(|| Box::new(Percussion::rigid(threshold)) as Box<dyn Law<D>>)
    }

    fn wants_area(&self) -> bool {
        self.stress > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Vector;

    #[test]
    fn the_threshold_is_there_when_the_contact_is_closed() {
        let law = Tresca { threshold: 2.0, stress: 10.0 };
        let near = Approach { area: 0.1, ..Approach::new(1e-6, Vector::<3>::zeros(), 0.5) };
        let cap = |approach: &Approach<3>| law.change(approach).unwrap().set.threshold(0.0);
        assert_eq!(cap(&near.with(&[0.0])), 0.0);
        assert_eq!(cap(&near.with(&[1.0])), 1.5);
        assert_eq!(cap(&Approach { gap: 0.0, ..near.with(&[0.0]) }), 1.5);
        let mut internal = [0.0];
        let pushes = Outcome::new(Vector::<3>::zeros(), Vector::<3>::new(1.0, 0.0, 0.0));
        law.keep(&near, &pushes, &mut internal);
        assert_eq!(internal, [1.0]);
    }
}
