//! Shocks with restitution.

use crate::{Approach, Change, Law};
use drystone_problem::Set;

/// Moreau's restitution (Moreau, Jean 1996, §5): the Signorini–Coulomb law holds between the impulse and
/// weighted averages of the velocities before and after,
///
/// `u_N^a = (ρ u_N^begin + u_N)/(1 + ρ)`, `u_T^a = (τ u_T^begin + u_T)/(1 + τ)`,
///
/// at the contacts that touch or overlap at q_m, or where a fast body would else pass a thin one
/// ([`Approach::meets`]). The law asks for the sign of `u_N^a` and the direction of `u_T^a`
/// only, so the positive factors `1/(1+ρ)` and `1/(1+τ)` drop out and a shift of the velocity by
/// `(ρ u_N^begin, τ u_T^begin)` is the whole change of variables. For two bodies ρ is Newton's coefficient.
#[doc(alias = "Newton impact")]
#[doc(alias = "coefficient of restitution")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Contact with rebound.")
)]
pub struct Restitution {
    /// Part ρ of the normal velocity that comes back \[-\], from 0 to 1 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub normal: f64,
    /// Part τ of the tangential velocity that comes back \[-\], from 0 to 1.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0, max = 1.0)))]
    pub tangential: f64,
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
}

impl<const D: usize> Law<D> for Restitution {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        if !approach.meets() {
            return None;
        }
        let mut change = Change::new(Set::Coulomb { mu: self.friction });
        change.shift = approach.u_begin * self.tangential;
        change.shift[0] = approach.u_begin[0] * self.normal;
        Some(change)
    }

    fn is_impact(&self) -> bool {
        true
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
    fn acts_on_touching_bodies_only() {
        let law = Restitution { normal: 0.5, tangential: 0.25, friction: 0.3 };
        let u_begin = Vector::<2>::new(-2.0, 4.0);
        assert!(law.change(&Approach::new(1e-9, u_begin, 0.01)).is_none());
        let touching = law.change(&Approach::new(0.0, u_begin, 0.01));
        assert_eq!(touching.map(|c| c.shift), Some(Vector::<2>::new(-1.0, 1.0)));
        // what rounding leaves of a gap is none
        let rounded = Approach { touching: 1e-12, ..Approach::new(1e-15, u_begin, 0.01) };
        assert!(law.change(&rounded).is_some());
        // 20 mm ahead in a step that begins 5 mm away
        let fast = Approach { depth: 0.01, ..Approach::new(5e-3, u_begin, 0.01) };
        assert!(law.change(&fast).is_some());
        assert!(law.change(&Approach { depth: 0.016, ..fast }).is_none());
    }
}
