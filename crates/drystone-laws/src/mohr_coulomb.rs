//! Rigid bonds with a strength, lost for good once it is exceeded.

use crate::law_variables;
use crate::{Along, Approach, BRANCHES, Change, Dissipated, Law, Outcome};
use drystone_math::Vector;
use drystone_problem::Set;

/// Cohesion of Mohr and Coulomb with a cut-off in tension and brittle loss (Jean 1999; Dubois, Acary, Jean
/// 2018, §3.1.6). While the bond is whole
///
/// `r_N ≥ −h c_N`, `‖r_T‖ ≤ h c_T + μ r_N`, with `c = F + σ A` in each direction;
///
/// and over the patch of a joint `N/A + M/Z ≤ σ` at its corners, with the stress linear between them
/// (Navier), so that a joint bears the moment of a beam. Once it opens or slides it is gone, and
/// Signorini–Coulomb with μ is left. Contacts at the start are bonded, later ones are not. A bond holds the
/// gap it began with.
///
/// The set is the sum of two: Coulomb's cone with its tip at `−h c_N`, a shift of the impulse, and a disk of
/// the radius `h (c_T − μ c_N)` in the tangents, a branch beside it. A cut-off in tension before the tip of
/// Mohr's cone asks for `c_T ≥ μ c_N`; less counts as equal.
///
/// Variables: `bond` (1 or 0), `bond_area` \[m²\], `reference_gap` \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(description = "Rigid bonds with a strength, lost for good.")
)]
pub struct MohrCoulomb {
    /// Coefficient of Coulomb friction μ \[-\], at least 0 (no default).
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0)))]
    pub friction: f64,
    /// Strength in tension of a contact point \[N\], at least 0.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0)))]
    pub normal_force: f64,
    /// Strength in shear of a contact point \[N\], at least `friction` times `normal_force`.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0)))]
    pub tangential_force: f64,
    /// Strength in tension for each area of the contact \[Pa\], at least 0.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0)))]
    pub normal_stress: f64,
    /// Strength in shear for each area of the contact \[Pa\], at least `friction` times `normal_stress`.
    #[cfg_attr(feature = "serde", serde(default), schemars(range(min = 0.0)))]
    pub tangential_stress: f64,
    /// Share of the strengths that acts \[-\]: 1, unless it is changed in time.
    #[cfg_attr(feature = "serde", serde(skip, default = "crate::whole"))]
    pub share: f64,
}

law_variables! {
    /// What a contact remembers.
    struct Bond {
        /// Whether it is whole, 1 or 0.
        bond,
        /// Area it began with \[m²\].
        bond_area,
        /// Gap it began with \[m\].
        reference_gap,
    }
}

impl MohrCoulomb {
    /// Impulses `h c_N` and `h (c_T − μ c_N)` of a whole bond \[N s\]; nothing of a broken one.
    fn strength<const D: usize>(&self, approach: &Approach<D>) -> [f64; 2] {
        let Bond { bond, bond_area: area, .. } = Bond::of(approach.internal);
        let bond = bond * self.share;
        let normal = approach.h * bond * (self.normal_force + self.normal_stress * area);
        let tangential = approach.h * bond * (self.tangential_force + self.tangential_stress * area);
        [normal, (tangential - self.friction * normal).max(0.0)]
    }
}

impl<const D: usize> Law<D> for MohrCoulomb {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let gap = (approach.gap - Bond::of(approach.internal).reference_gap).max(0.0);
        let mut change = Change::forecast(Set::Coulomb { mu: self.friction }, gap / approach.h);
        change.impulse[0] = self.strength(approach)[0];
        Some(change)
    }

    fn beside(&self, approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        let cap = self.strength(approach)[1];
        let branch = Change { along: Along::Tangents, ..Change::new(Set::Tresca { cap }) };
        [(cap > 0.0).then_some(branch), None]
    }

    fn variables(&self) -> Vec<&'static str> {
        Bond::NAMES.to_vec()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        if approach.bonding {
            let (bond_area, reference_gap) = (approach.area, approach.gap_begin());
            Bond { bond: 1.0, bond_area, reference_gap }.store(internal);
        }
        0.0
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        let rigid = Dissipated::rigid(approach, outcome);
        let [normal, disk] = self.strength(approach);
        if normal == 0.0 && disk == 0.0 {
            return rigid;
        }
        let held: Vector<D> = outcome.beside[0];
        let opened = outcome.open && outcome.u[0] > outcome.still;
        let on_disk = held.rows_range(1..).norm() >= disk * (1.0 - 1e-9);
        let slid =
            !outcome.open && !outcome.sticks && on_disk && outcome.u.rows_range(1..).norm() > outcome.still;
        if !opened && !slid {
            return rigid;
        }
        Law::<D>::sever(self, internal);
        let bond = -held.dot(&approach.mean(&outcome.u));
        Dissipated { shocks: 0.0, friction: rigid.friction - bond, cohesion: rigid.shocks + bond, ..rigid }
    }

    fn touching(&self, internal: &[f64]) -> Option<f64> {
        Some(Bond::of(internal).reference_gap)
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn tension_strength(&self, internal: &[f64]) -> Option<f64> {
        let Bond { bond, bond_area: area, .. } = Bond::of(internal);
        let judged = self.normal_stress > 0.0 && bond > 0.0 && area > 0.0;
        judged.then(|| self.share * (self.normal_stress + self.normal_force / area))
    }

    fn sever(&self, internal: &mut [f64]) {
        Bond { bond: 0.0, reference_gap: 0.0, ..Bond::of(internal) }.store(internal);
    }

    fn wants_area(&self) -> bool {
        self.normal_stress > 0.0 || self.tangential_stress > 0.0
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

    const LAW: MohrCoulomb = MohrCoulomb {
        friction: 0.5,
        normal_force: 10.0,
        tangential_force: 8.0,
        normal_stress: 100.0,
        tangential_stress: 0.0,
        share: 1.0,
    };

    #[test]
    fn a_whole_bond_has_its_strength_and_a_broken_one_none() {
        let first = Approach { area: 0.02, ..Approach::new(1e-3, Vector::<2>::zeros(), 0.1) };
        let mut internal = [0.0; 3];
        Law::<2>::begin(&LAW, &first, &mut internal);
        let seen = first.with(&internal);
        let change = LAW.change(&seen).unwrap();
        assert!((change.impulse[0] - 1.2).abs() < 1e-15 && change.shift[0] == 0.0);
        let [Some(beside), None] = LAW.beside(&seen) else { panic!("no branch") };
        assert!((beside.set.threshold(0.0) - 0.2).abs() < 1e-15 && beside.along == Along::Tangents);
        // pulled apart
        let parted =
            Outcome { open: true, ..Outcome::new(Vector::<2>::new(0.2, 0.0), Vector::<2>::new(-1.2, 0.0)) };
        let mut broken = internal;
        let spent = LAW.keep(&seen, &parted, &mut broken);
        assert!((spent.cohesion - 0.12).abs() < 1e-15 && (spent.total() - 0.12).abs() < 1e-15);
        let seen = first.with(&broken);
        assert_eq!(LAW.change(&seen).unwrap().impulse[0], 0.0);
        assert!(LAW.change(&seen).unwrap().shift[0] > 0.0 && LAW.beside(&seen) == [None, None]);
    }

    #[test]
    fn sliding_breaks_it_and_holding_does_not() {
        let first = Approach::new(0.0, Vector::<2>::zeros(), 0.1);
        let mut internal = [1.0, 0.0, 0.0];
        let seen = first.with(&[1.0, 0.0, 0.0]);
        // c_N = 1, disk 0.3: pressed with 2, friction 0.5·(2 + 1) + 0.3
        let mut slides = Outcome::new(Vector::<2>::new(0.0, 1.0), Vector::<2>::new(2.0, -1.8));
        slides.beside[0] = Vector::<2>::new(0.0, -0.3);
        let holds = Outcome { sticks: true, ..slides };
        LAW.keep(&seen, &holds, &mut internal);
        assert_eq!(internal[0], 1.0);
        let spent = LAW.keep(&seen, &slides, &mut internal);
        assert_eq!(internal[0], 0.0);
        assert!((spent.total() - 0.9).abs() < 1e-15 && (spent.cohesion - 0.15).abs() < 1e-15);
        // a contact of later has no bond
        let mut fresh = [0.0; 3];
        Law::<2>::begin(&LAW, &Approach { bonding: false, ..first }, &mut fresh);
        assert_eq!(fresh, [0.0; 3]);
    }
}
