//! Percussions from pseudopotentials of dissipation: the laws of A-CD². Finds no contact and moves nothing.

use crate::{Along, Approach, BRANCHES, Change, Dissipated, Law, Outcome};
use drystone_math::Vector;
use drystone_problem::Set;

/// The largest tangential percussion of a contact, the dashpot apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Coulomb: this coefficient μ ≥ 0 times the normal reaction λ, no unit. Tresca's law with a threshold
    /// that moves.
    Coulomb(f64),
    /// Tresca: the percussion of a force \[N\] over the step, whatever the normal one. Associated.
    Tresca(f64),
}

/// A contact whose percussion derives from pseudopotentials of dissipation of the mean velocity
/// `U^Σ = (u_begin + u)/2` (Frémond 1995; Dal Pont, Dimnet 2008, §2.2, §4.2 and §5.1):
///
/// `−r ∈ ∂Φ(U^Σ)`, `Φ = ½ K_N (2 U_N^Σ)² + ½ K_T ‖2 U_T^Σ‖² + g ‖U_T^Σ‖ + I_K(U_N^Σ)`,
/// `K = [min(u_N,begin, 0)/2, ∞[`,
///
/// at contacts that touch or overlap at the middle of the step; `g` is the threshold. In words: a dashpot
/// `r^d = −2 K (u_begin + u)`, beside it a reaction λ ≥ 0 that acts where the bodies would go on into each
/// other, and friction up to `g` against the mean tangential velocity. A ball of mass m that meets a wall
/// leaves it with `e = max(0, (2 K_N − m)/(2 K_N + m))` of its speed.
///
/// The text has `K = [u_N,begin/2, ∞[`, which contains the origin, and is dissipative, for bodies that
/// approach only. Where they part (`u_N,begin > 0`) and are pushed together again in the same step, they may
/// come back as fast as they parted, no nearer than they were a step before; the next step stops them. Bodies
/// that part do not collide either: `K_N` does not hold them back while they still overlap from the step that
/// turned them round.
///
/// The comparison of the text's eq. 16 exchanges the multipliers: it must read `|ξ| ≤ μ|λ|` with ξ the
/// tangential and λ the normal one. The threshold of Coulomb is that of the reaction λ (eq. 16 and `Φ^df`);
/// without a dashpot it is all of the normal percussion.
///
/// Change of variables: the first branch `(u + s, r)` in Coulomb's or Tresca's set with
/// `s = (max(u_N,begin, 0), u_T,begin)`; the dashpot is a bilateral branch with the compliance `1/(2K)` and
/// the shift
/// `u_begin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percussion {
    /// Normal coefficient K_N ≥ 0 \[kg\]; in the plane for a depth of 1 m.
    pub normal: f64,
    /// Tangential coefficient K_T ≥ 0 \[kg\]; in the plane for a depth of 1 m.
    pub tangential: f64,
    /// Threshold of friction.
    pub threshold: Threshold,
}

impl Percussion {
    /// Nothing but a reaction and friction.
    pub fn rigid(threshold: Threshold) -> Self {
        Self { normal: 0.0, tangential: 0.0, threshold }
    }

    /// The branch of the dashpot.
    fn dashpot<const D: usize>(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let collides = self.normal > 0.0 && approach.u_begin[0] <= 0.0;
        let rows = match (collides, self.tangential > 0.0) {
            (false, false) => return None,
            (true, false) => 1,
            _ => D,
        };
        let mut change = Change::new(Set::Bilateral { rows });
        change.shift = approach.u_begin;
        change.compliance = Vector::from_fn(|i, _| {
            let k = if i == 0 { self.normal } else { self.tangential };
            if k > 0.0 { 0.5 / k } else { 0.0 }
        });
        if !collides {
            change.along = Along::Tangents;
            change.shift[0] = 0.0;
        }
        Some(change)
    }
}

impl<const D: usize> Law<D> for Percussion {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        if !approach.meets() {
            return None;
        }
        let mut change = Change::new(match self.threshold {
            Threshold::Coulomb(mu) => Set::Coulomb { mu },
            Threshold::Tresca(force) => Set::Tresca { cap: approach.h * force },
        });
        change.shift = approach.u_begin;
        change.shift[0] = approach.u_begin[0].max(0.0);
        Some(change)
    }

    fn beside(&self, approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        let mut branches = [None; BRANCHES];
        branches[0] = self.dashpot(approach);
        branches
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, _internal: &mut [f64]) -> Dissipated {
        let dashpot = outcome.beside[0];
        let rest = Outcome { r: outcome.r - dashpot, ..*outcome };
        let viscosity = -dashpot.dot(&approach.mean(&outcome.u));
        Dissipated { viscosity, ..Dissipated::rigid(approach, &rest) }
    }

    fn atomised(&self) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mass of 1 kg against a wall, solved by hand: the dashpot's branch is linear, the reaction one
    /// number.
    fn meet(law: &Percussion, u: f64) -> (f64, Dissipated) {
        let approach = Approach::new(0.0, Vector::<2>::new(u, 0.0), 1e-3);
        let change = law.change(&approach).unwrap();
        let dashpot = Law::<2>::beside(law, &approach)[0].unwrap();
        let compliance = dashpot.compliance[0];
        // u' = u + λ + d, u' + C d + u = 0, 0 ≤ u' + s ⟂ λ ≥ 0
        let d_of = |lambda: f64| -(2.0 * u + lambda) / (1.0 + compliance);
        let free = u + d_of(0.0) + change.shift[0];
        let lambda = if free >= 0.0 { 0.0 } else { -free * (1.0 + compliance) / compliance };
        let d = d_of(lambda);
        let after = u + lambda + d;
        let mut outcome = Outcome::new(Vector::<2>::new(after, 0.0), Vector::<2>::new(lambda + d, 0.0));
        outcome.beside[0] = Vector::<2>::new(d, 0.0);
        (after, law.keep(&approach, &outcome, &mut []))
    }

    #[test]
    fn a_ball_leaves_a_wall_as_the_closed_form_says() {
        for k in [0.1, 0.4, 0.5, 1.0, 4.5, 1e6] {
            let law = Percussion { normal: k, tangential: 0.0, threshold: Threshold::Coulomb(0.0) };
            let (after, spent) = meet(&law, -2.0);
            let e = f64::max(0.0, (2.0 * k - 1.0) / (2.0 * k + 1.0));
            assert!((after - 2.0 * e).abs() < 1e-9, "{k}: {after}");
            assert!((spent.total() - 0.5 * 4.0 * (1.0 - e * e)).abs() < 1e-9);
            assert!(spent.viscosity >= 0.0 && spent.shocks >= -1e-12, "{spent:?}");
        }
    }

    #[test]
    fn bodies_that_part_may_come_back_and_gain_nothing() {
        let law = Percussion::rigid(Threshold::Coulomb(0.3));
        let change = law.change(&Approach::new(-1e-6, Vector::<2>::new(0.2, 1.0), 1e-3)).unwrap();
        // the slowest end allowed is u = −0.2, whose mean with 0.2 does no work
        assert_eq!(change.shift, Vector::<2>::new(0.2, 1.0));
        assert_eq!(change.set, Set::Coulomb { mu: 0.3 });
    }

    #[test]
    fn it_acts_where_bodies_touch_with_the_dashpots_given() {
        let law = |normal, tangential| Percussion { normal, tangential, threshold: Threshold::Tresca(3.0) };
        let touching = Approach::new(0.0, Vector::<3>::new(-1.0, 2.0, 0.5), 0.1);
        assert!(law(1.0, 1.0).change(&Approach { gap: 1e-12, ..touching }).is_none());
        assert_eq!(law(1.0, 1.0).change(&touching).unwrap().set.threshold(9.0), 3.0 * 0.1);
        let branch = |normal, tangential| Law::<3>::beside(&law(normal, tangential), &touching)[0];
        assert!(branch(0.0, 0.0).is_none());
        let both = branch(2.0, 4.0).unwrap();
        assert_eq!(both.compliance, Vector::<3>::new(0.25, 0.125, 0.125));
        assert_eq!((both.set, both.along), (Set::Bilateral { rows: 3 }, Along::Whole));
        assert_eq!(branch(2.0, 0.0).unwrap().set, Set::Bilateral { rows: 1 });
        // who parts is not held back, but rubs as long as it touches
        let parting = Approach { u_begin: Vector::<3>::new(0.5, 2.0, 0.5), ..touching };
        assert!(Law::<3>::beside(&law(2.0, 0.0), &parting)[0].is_none());
        assert_eq!(Law::<3>::beside(&law(2.0, 4.0), &parting)[0].unwrap().along, Along::Tangents);
        let rubs = branch(0.0, 4.0).unwrap();
        assert_eq!((rubs.along, rubs.shift), (Along::Tangents, Vector::<3>::new(0.0, 2.0, 0.5)));
    }
}
