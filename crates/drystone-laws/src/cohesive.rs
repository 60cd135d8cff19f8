//! Cohesive zones: bonds that open elastically and lose their stiffness on the way. The curve is a
//! [`Softening`]; what a contact makes of it is here.

use crate::law_variables;
use crate::{Approach, BRANCHES, Change, Dissipated, Law, Outcome, slip};
use drystone_math::Vector;
use drystone_problem::Set;

/// How a bond loses its stiffness. Its stress is `t = g k δ` with the part `g` of the stiffness that is
/// whole.
pub trait Softening: std::fmt::Debug + Send + Sync + Clone + 'static {
    /// Stiffness of the whole bond, normal and tangential \[Pa/m\].
    fn stiffness(&self) -> [f64; 2];

    /// The part that is whole after a step of `h` \[s\] with these openings, normal (0 where it is closed)
    /// and tangential \[m\], from the part before. Never more than before.
    fn whole(&self, opening: [f64; 2], whole: f64, h: f64) -> f64;

    /// Energy of the bond in opening and in sliding, without viscosity \[J/m²\].
    fn energies(&self) -> [f64; 2];

    /// Opening beyond which nothing worth speaking of is left \[m\].
    fn reach(&self) -> f64;
}

/// A bond beside a unilateral contact with friction (Monerie, Acary 2001; Acary, Monerie 2006):
///
/// `0 ≤ u_N + max(g − g₀, 0)/h ⟂ r_N^c ≥ 0`, `‖r_T^c‖ ≤ μ (1 − g) r_N^c`, and `r = r^c − h A g k δ`.
///
/// Friction grows as the bond loses its stiffness. The bond is a row of its own, held with a compliance: its
/// opening is taken in the middle of the step, `δ_θ = δ + h (θ² u − (1−θ)² u_begin)`, so that for θ = ½ a
/// bond that keeps its stiffness conserves energy and for θ = 1 it is fully implicit; then
/// `u + r/(h² θ² A g k) + δ/(h θ²) − … = 0`. How much is whole follows from the opening at the middle
/// configuration, where the gap is known before the solve: a closed form, of second order in the step like
/// the scheme, without iterations. It never heals.
///
/// Contacts at the start are bonded, and those that are asked for; later ones are not. A point without area
/// counts as `point_area`. Variables: `damage` 1 − g (1 for unbonded ones), `bond_area` \[m²\],
/// `reference_gap` g₀ \[m\], `slip_x` … the slip in world axes \[m\]. Cohesion takes what the bond stores
/// less than before at the same opening, `(g_before − g) k δ²/2`, never negative.
#[derive(Clone, Debug)]
pub struct Cohesive<S> {
    /// The curve.
    pub softening: S,
    /// Coefficient of friction μ ≥ 0 of the broken bond, no unit.
    pub friction: f64,
    /// Area of contacts that touch at a point \[m²\].
    pub point_area: f64,
}

law_variables! {
    /// What a contact remembers; its slip comes behind.
    struct Adhesion {
        /// The part of the bond that is gone.
        damage,
        /// Area it began with \[m²\].
        bond_area,
        /// Gap it began with \[m\].
        reference_gap,
    }
}

/// Where the slip begins among the variables.
const SLIP: usize = Adhesion::NAMES.len();

/// A bond in a step.
struct Bond<const D: usize> {
    /// Stiffness that is left, by component \[N/m\].
    stiffness: Vector<D>,
    /// Opening at the middle configuration, normal and tangential \[m\].
    opening: Vector<D>,
    /// The part that is whole.
    whole: f64,
}

impl<S: Softening> Cohesive<S> {
    /// The bond of a contact in this step.
    fn bond<const D: usize>(&self, approach: &Approach<D>) -> Bond<D> {
        let Adhesion { damage, bond_area, reference_gap } = Adhesion::of(approach.internal);
        let before = 1.0 - damage;
        let begin = slip::recall(approach, approach.internal.get(SLIP..).unwrap_or(&[]));
        let mut opening = begin + approach.u_begin * ((1.0 - approach.theta) * approach.h);
        opening[0] = approach.gap - reference_gap;
        let sizes = [opening[0].max(0.0), opening.rows_range(1..).norm()];
        let mut whole = self.softening.whole(sizes, before, approach.h);
        if sizes[0] > self.softening.reach() {
            whole = 0.0;
        }
        let [normal, tangential] = self.softening.stiffness().map(|k| k * whole * bond_area);
        let stiffness = Vector::from_fn(|i, _| if i == 0 { normal } else { tangential });
        Bond { stiffness, opening, whole }
    }

    /// Opening at the beginning of the step and at its end \[m\].
    fn ends<const D: usize>(approach: &Approach<D>, bond: &Bond<D>, u: &Vector<D>) -> [Vector<D>; 2] {
        let (h, theta) = (approach.h, approach.theta);
        [bond.opening - approach.u_begin * ((1.0 - theta) * h), bond.opening + u * (theta * h)]
    }

    /// Energy of the bond at an opening \[J\].
    fn energy<const D: usize>(&self, approach: &Approach<D>, whole: f64, opening: &Vector<D>) -> f64 {
        let area = Adhesion::of(approach.internal).bond_area;
        let [normal, tangential] = self.softening.stiffness().map(|k| 0.5 * k * whole * area);
        normal * opening[0].powi(2) + tangential * opening.rows_range(1..).norm_squared()
    }
}

impl<const D: usize, S: Softening> Law<D> for Cohesive<S> {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let mu = self.friction * (1.0 - self.bond(approach).whole);
        let reference = Adhesion::of(approach.internal).reference_gap;
        Some(Change::forecast(Set::Coulomb { mu }, (approach.gap - reference).max(0.0) / approach.h))
    }

    fn beside(&self, approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        let bond = self.bond(approach);
        let (h, theta) = (approach.h, approach.theta);
        if !bond.stiffness.iter().all(|&k| k > 0.0) {
            return [None; BRANCHES];
        }
        let mut change = Change::new(Set::Bilateral { rows: D });
        // r = −(a u + b), component by component
        for i in 0..D {
            let a = h * h * theta * theta * bond.stiffness[i];
            let constant = bond.opening[i] - h * (1.0 - theta).powi(2) * approach.u_begin[i];
            change.compliance[i] = 1.0 / a;
            change.shift[i] = constant / (h * theta * theta);
        }
        [Some(change), None]
    }

    fn variables(&self) -> Vec<&'static str> {
        Adhesion::NAMES.iter().copied().chain(slip::names::<D>()).collect()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        let mut adhesion = Adhesion::of(internal);
        if approach.bonding {
            adhesion.bond_area = if approach.area > 0.0 { approach.area } else { self.point_area };
            adhesion.reference_gap = approach.gap_begin();
        }
        adhesion.damage = if adhesion.bond_area > 0.0 { 0.0 } else { 1.0 };
        adhesion.store(internal);
        0.0
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        let bond = self.bond(approach);
        let [begin, end] = Self::ends(approach, &bond, &outcome.u);
        let mut adhesion = Adhesion { damage: 1.0 - bond.whole, ..Adhesion::of(internal) };
        if bond.whole > 0.0 {
            let mut tangential = end;
            tangential[0] = 0.0;
            slip::store(approach, &tangential, &mut internal[SLIP..]);
        } else {
            adhesion.reference_gap = 0.0;
            internal[SLIP..].fill(0.0);
        }
        adhesion.store(internal);
        let rigid = Dissipated::rigid(approach, outcome);
        let (mean, way) = (approach.mean(&outcome.u), approach.way(&outcome.u));
        let held = outcome.beside[0];
        let [before, after] = [begin, end].map(|opening| self.energy(approach, bond.whole, &opening));
        let damaged = bond.whole < 1.0 - Adhesion::of(approach.internal).damage;
        let cohesion = if damaged { approach.stored - before } else { 0.0 };
        let stored = after - approach.stored;
        Dissipated {
            shocks: rigid.shocks + held[0] * mean[0],
            friction: rigid.friction + (1..D).map(|i| held[i] * mean[i]).sum::<f64>(),
            cohesion,
            drift: 0.0,
            viscosity: -held.dot(&way) - stored - cohesion,
            scheme: held.dot(&(way - mean)),
            stored,
        }
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn reach(&self) -> f64 {
        self.softening.reach()
    }

    fn touching(&self, internal: &[f64]) -> Option<f64> {
        Some(Adhesion::of(internal).reference_gap)
    }

    fn wants_area(&self) -> bool {
        true
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction, ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bilinear, Exponential, Mac, Trapezoidal};

    /// What a bond of 1 cm² did while it was moved.
    #[derive(Default)]
    struct Pull {
        /// Opening along the way, and stress.
        curve: Vec<[f64; 2]>,
        cohesion: f64,
        stored: f64,
        damage: f64,
    }

    const AREA: f64 = 1e-4;

    /// Moves the two sides along `direction` through the given openings at a constant speed in between.
    fn pull<S: Softening + Clone>(softening: &S, direction: Vector<2>, way: &[f64]) -> Pull {
        let law = Cohesive { softening: softening.clone(), friction: 0.0, point_area: 0.0 };
        let h = 1e-4;
        let mut internal = [0.0; 8];
        let first = Approach { area: AREA, ..Approach::new(0.0, Vector::<2>::zeros(), h) };
        Law::<2>::begin(&law, &first, &mut internal);
        let (mut pulled, mut stored, mut at) = (Pull::default(), 0.0, 0.0);
        let count = 4000;
        for goal in way {
            let u = direction * ((goal - at) / (count as f64 * h));
            for k in 0..count {
                let middle = at + (goal - at) * (k as f64 + 0.5) / count as f64;
                let before = internal;
                let base = Approach::new(direction[0] * middle, u, h);
                let seen = Approach { stored, bonding: false, internal: &before, ..base };
                // the velocity is given, so that the branch says its impulse
                let [branch, _] = law.beside(&seen);
                let r = branch.map_or_else(Vector::zeros, |branch| {
                    -(u + branch.shift).component_div(&branch.compliance)
                });
                let mut outcome = Outcome { open: true, ..Outcome::new(u, r) };
                outcome.beside[0] = r;
                let spent = law.keep(&seen, &outcome, &mut internal);
                assert!((spent.total() + r.dot(&u)).abs() < 1e-12 * (1e-9 + r.norm() * u.norm()));
                assert!(spent.cohesion >= 0.0 && spent.friction == 0.0 && spent.shocks == 0.0);
                stored += spent.stored;
                pulled.cohesion += spent.cohesion;
                pulled.curve.push([middle, -r.dot(&direction) / (h * AREA)]);
            }
            at = *goal;
        }
        (pulled.stored, pulled.damage) = (stored, internal[0]);
        pulled
    }

    /// Opening and sliding to the end take the energy of the curve, and the stress has its peak.
    fn check<S: Softening + Clone>(softening: S, strengths: [f64; 2], far: f64) {
        for mode in 0..2 {
            let direction = Vector::<2>::from_fn(|i, _| if i == mode { 1.0 } else { 0.0 });
            let pulled = pull(&softening, direction, &[far]);
            let energy = (pulled.cohesion + pulled.stored) / AREA;
            let expected = softening.energies()[mode];
            assert!((energy / expected - 1.0).abs() < 0.01, "mode {mode}: {energy}, not {expected}");
            let peak = pulled.curve.iter().map(|point| point[1]).fold(0.0, f64::max);
            assert!((peak / strengths[mode] - 1.0).abs() < 0.01, "mode {mode}: {peak}");
            assert!(pulled.damage > 0.9);
        }
        // halfway there, back to the start and on again: no healing, no energy on the way back
        let normal = Vector::<2>::new(1.0, 0.0);
        let there = pull(&softening, normal, &[0.1 * far]);
        let back = pull(&softening, normal, &[0.1 * far, 0.0]);
        let again = pull(&softening, normal, &[0.1 * far, 0.0, 0.1 * far]);
        assert!(there.damage > 0.0);
        assert!((back.damage - there.damage).abs() < 1e-2 && again.damage >= back.damage);
        assert!((back.cohesion - there.cohesion) < 0.01 * there.cohesion && back.stored < 1e-9);
        assert!((again.cohesion / there.cohesion - 1.0).abs() < 0.01);
        let [_, last] = back.curve[back.curve.len() - 1];
        assert!(last.abs() < 1e-2 * strengths[0]);
    }

    #[test]
    fn every_curve_takes_its_energy_and_never_heals() {
        let mac = Mac { energy: 50.0, normal_stiffness: 2e9, tangential_stiffness: 1e9, viscosity: 0.0 };
        let peak = |k: f64| (50.0 * k).sqrt();
        check(mac, [peak(2e9), peak(1e9)], 20.0 * (50.0_f64 / 1e9).sqrt());
        let bilinear = Bilinear {
            normal_strength: 1e6,
            tangential_strength: 2e6,
            normal_energy: 100.0,
            tangential_energy: 300.0,
            normal_stiffness: 1e11,
            relaxation: 0.0,
        };
        check(bilinear, [1e6, 2e6], 4e-4);
        let trapezoidal = Trapezoidal {
            strength: 1e6,
            normal_opening: 1e-4,
            tangential_opening: 2e-4,
            rise: 0.1,
            fall: 0.6,
            relaxation: 0.0,
        };
        check(trapezoidal, [1e6, 0.5e6], 2.5e-4);
        let exponential = Exponential { strength: 1e6, energy: 100.0, shear_ratio: 0.7, relaxation: 0.0 };
        check(exponential, [1e6, 0.7e6], 7e-4);
    }

    #[test]
    fn viscosity_holds_longer() {
        let rate = |viscosity: f64| {
            let mac = Mac { energy: 50.0, normal_stiffness: 2e9, tangential_stiffness: 1e9, viscosity };
            pull(&mac, Vector::<2>::new(1.0, 0.0), &[3e-3]).cohesion
        };
        let late = |relaxation: f64| {
            let curve = Exponential { strength: 1e6, energy: 100.0, shear_ratio: 1.0, relaxation };
            pull(&curve, Vector::<2>::new(1.0, 0.0), &[7e-4]).cohesion
        };
        assert!(rate(1.0) > 1.01 * rate(0.0) && late(0.01) > 1.01 * late(0.0));
    }

    #[test]
    fn friction_grows_with_damage_and_later_contacts_have_no_bond() {
        let softening = Exponential { strength: 1e6, energy: 100.0, shear_ratio: 1.0, relaxation: 0.0 };
        let law = Cohesive { softening, friction: 0.8, point_area: 1e-4 };
        let mu = |damage: f64, gap: f64| {
            let internal = [damage, AREA, 0.0, 0.0, 0.0];
            let approach = Approach::new(gap, Vector::<2>::zeros(), 1e-3);
            law.change(&approach.with(&internal)).unwrap().set.threshold(1.0)
        };
        assert_eq!(mu(0.0, 0.0), 0.0);
        assert!((mu(0.5, 0.0) - 0.4).abs() < 1e-15 && (mu(1.0, 0.0) - 0.8).abs() < 1e-15);
        let mut internal = [0.0; 8];
        let first = Approach::new(0.0, Vector::<2>::zeros(), 1e-3);
        Law::<2>::begin(&law, &first, &mut internal);
        assert_eq!(internal[..2], [0.0, 1e-4]);
        let mut internal = [0.0; 8];
        Law::<2>::begin(&law, &Approach { bonding: false, ..first }, &mut internal);
        assert_eq!(internal[..2], [1.0, 0.0]);
        assert!(law.beside(&first.with(&internal))[0].is_none());
    }
}
