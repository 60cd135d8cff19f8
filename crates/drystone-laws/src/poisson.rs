//! Shocks with restitution of impulses: compression, then expansion. Solves neither phase.

use crate::{Along, Approach, BRANCHES, Change, Law};
use drystone_problem::Set;

/// Poisson's restitution in two phases (Poisson 1835; Glocker, Pfeiffer 1995; Anitescu, Potra 1997), at
/// contacts that touch:
///
/// - compression: impulses `c` with `0 ≤ u_N ⟂ c_N ≥ 0` and Coulomb's friction, from the velocities before
///   the shock;
/// - expansion: further impulses `d` with `0 ≤ u_N ⟂ d_N − e c_N ≥ 0` and Coulomb's friction `‖d_T‖ ≤ μ d_N`.
///
/// `e` is the part of the normal impulse of the compression that comes back. For two bodies without friction
/// it is Newton's coefficient.
///
/// Energy never rises. With `u₁ = u₀ + W c` the compression changes the kinetic energy by
/// `c·u₁ − ½ c·Wc ≤ −½ c·Wc`, and the expansion by `ψ(d) = d·u₁ + ½ d·Wd`. The gradient of ψ is the velocity
/// at the end, so that `d` is the minimum of ψ over the convex set `x_N ≥ e c_N`, `‖x_T‖ ≤ μ d_N`. That set
/// contains `e c`: `ψ(d) ≤ ψ(e c) ≤ ½ e² c·Wc`, and the loss is at least `½ (1 − e²) c·Wc`, with any number
/// of contacts, with friction, in the plane and in space. Where contacts with different coefficients
/// `E = diag(e)` meet in one shock, `E` is scaled so that `c·EWEc ≤ c·Wc`.
///
/// Half of the impulse of the loads over the step acts before the shock and half after it: a contact at rest
/// stays at rest, and a ball keeps its energy with `e = 1`. Change of variables: a shift of the impulse by
/// `−c − e c_N n`, found by a solve of the compression, and beside it Tresca's disk of the radius `μ e c_N`
/// in the tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Contact with rebound in two phases.")
)]
pub struct Poisson {
    /// Part e of the normal impulse of the compression that comes back \[-\], from 0 to 1 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub normal: f64,
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
}

impl<const D: usize> Law<D> for Poisson {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let change = Change::new(Set::Coulomb { mu: self.friction });
        approach.meets().then_some(Change { returns: self.normal, ..change })
    }

    fn beside(&self, _approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        let returns = self.friction * self.normal;
        let disk = Change { along: Along::Tangents, returns, ..Change::new(Set::Tresca { cap: 0.0 }) };
        [(returns > 0.0).then_some(disk), None]
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
        let law = Poisson { normal: 0.5, friction: 0.4 };
        let u_begin = Vector::<3>::new(-2.0, 4.0, 0.0);
        assert!(law.change(&Approach::new(1e-9, u_begin, 0.01)).is_none());
        let touching = Approach::new(0.0, u_begin, 0.01);
        let change = law.change(&touching).unwrap();
        assert_eq!((change.returns, change.shift), (0.5, Vector::zeros()));
        assert_eq!(Law::<3>::beside(&law, &touching)[0].unwrap().returns, 0.2);
        let smooth = Poisson { friction: 0.0, ..law };
        assert!(Law::<3>::beside(&smooth, &touching)[0].is_none());
    }
}
