//! Unilateral contact with all its options: where the gap is counted from, at which level it is closed, and
//! friction that is no constant.

use crate::law_variables;
use crate::{Approach, Change, Dissipated, Friction, Law, Outcome};
use drystone_problem::Set;

/// Where Signorini's condition holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Level {
    /// On the forecast gap, an overlap left as it is: as the inelastic law.
    #[default]
    Velocity,
    /// On the gap at the end of the step, `0 ≤ g_end ⟂ r_N ≥ 0`: an overlap is gone after one step, with the
    /// energy that takes. For quasi-statics and bodies that deform (Jean 1999, §3).
    Position,
}

/// Signorini's condition with friction (Moreau, Jean 1996, §4; Jean 1999):
///
/// `0 ≤ u_N + max(g − g₀, 0)/h ⟂ r_N ≥ 0`, or at the level of positions `0 ≤ u_N + (g − g₀)/(θh) ⟂ r_N ≥ 0`;
/// `‖r_T‖ ≤ μ r_N`, sliding against `r_T`.
///
/// The gap is counted from `g₀`, a given offset, or the gap they have then for contacts at the start of the
/// run and for those bonded later. Variables: `reference_gap` g₀ \[m\], `slip_distance` \[m\], `sliding` (0
/// or 1).
#[derive(Clone, Debug, PartialEq)]
pub struct Unilateral {
    /// Velocity or position.
    pub level: Level,
    /// Gap that counts as none \[m\].
    pub gap_offset: f64,
    /// Whether contacts at the start, or bonded later, count their gap from the one they have then, in
    /// addition.
    pub from_start: bool,
    /// Coefficient of friction μ ≥ 0, no unit.
    pub friction: Friction,
}

law_variables! {
    /// What a contact remembers.
    struct Slid {
        /// Gap that counts as none \[m\].
        reference_gap,
        /// Distance slid since the contact began \[m\].
        slip_distance,
        /// Whether it slid in the last step, 0 or 1.
        sliding,
    }
}

impl<const D: usize> Law<D> for Unilateral {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let Slid { reference_gap, slip_distance, sliding } = Slid::of(approach.internal);
        let mu = self.friction.at(approach.time, slip_distance, sliding != 0.0);
        let gap = approach.gap - reference_gap;
        let forecast = match self.level {
            Level::Velocity => gap.max(0.0) / approach.h,
            Level::Position => gap / (approach.theta * approach.h),
        };
        Some(Change::forecast(Set::Coulomb { mu }, forecast))
    }

    fn variables(&self) -> Vec<&'static str> {
        Slid::NAMES.to_vec()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        let start = if self.from_start && approach.bonding { approach.gap_begin() } else { 0.0 };
        Slid { reference_gap: self.gap_offset + start, ..Slid::of(internal) }.store(internal);
        0.0
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        let mut slid = Slid::of(internal);
        if !outcome.open {
            slid.slip_distance += approach.h * approach.way(&outcome.u).rows_range(1..).norm();
        }
        slid.sliding = f64::from(u8::from(!outcome.open && !outcome.sticks));
        slid.store(internal);
        Dissipated::rigid(approach, outcome)
    }

    fn touching(&self, internal: &[f64]) -> Option<f64> {
        Some(Slid::of(internal).reference_gap)
    }

    fn may_pass(&self) -> bool {
        self.gap_offset == 0.0 && !self.from_start
    }

    fn reach(&self) -> f64 {
        self.gap_offset.max(0.0)
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction: Friction::Constant(friction), ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use drystone_math::Vector;

    fn law(friction: Friction) -> Unilateral {
        Unilateral { level: Level::Velocity, gap_offset: 0.0, from_start: false, friction }
    }

    fn mu(law: &Unilateral, approach: &Approach<2>) -> f64 {
        match law.change(approach).map(|change| change.set) {
            Some(Set::Coulomb { mu }) => mu,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rest_and_sliding_have_their_coefficients() {
        let law = law(Friction::StaticDynamic { rest: 0.6, sliding: 0.4 });
        let approach = Approach::new(0.0, Vector::<2>::zeros(), 0.01);
        let mut internal = [0.0; 3];
        Law::<2>::begin(&law, &approach, &mut internal);
        assert_eq!(mu(&law, &approach.with(&internal)), 0.6);
        let slips = Outcome::new(Vector::<2>::new(0.0, 1.0), Vector::<2>::new(1.0, -0.6));
        let spent = law.keep(&approach, &slips, &mut internal);
        assert!((spent.friction - 0.3).abs() < 1e-15 && spent.shocks == 0.0);
        assert_eq!(mu(&law, &approach.with(&internal)), 0.4);
        assert!((internal[1] - 0.005).abs() < 1e-15);
        law.keep(&approach, &Outcome { sticks: true, ..slips }, &mut internal);
        assert_eq!(mu(&law, &approach.with(&internal)), 0.6);
        // a contact without impulse neither slides nor goes on counting its way
        let way = internal[1];
        law.keep(&approach, &Outcome { open: true, ..slips }, &mut internal);
        assert!(internal[1] == way && internal[2] == 0.0);
    }

    #[test]
    fn slip_time_and_stick() {
        let table = || Table::new(vec![[0.0, 0.5], [1.0, 0.1]]).unwrap();
        let approach = Approach { time: 0.5, ..Approach::new(0.0, Vector::<2>::zeros(), 0.01) };
        assert!((mu(&law(Friction::BySlip(table())), &approach.with(&[0.0, 0.25, 0.0])) - 0.4).abs() < 1e-15);
        assert!((mu(&law(Friction::ByTime(table())), &approach) - 0.3).abs() < 1e-15);
        assert_eq!(mu(&law(Friction::Stick), &approach), crate::STICK);
    }

    #[test]
    fn offsets_and_levels_shift_the_gap() {
        let mut law = law(Friction::Constant(0.0));
        (law.gap_offset, law.from_start) = (0.1, true);
        let approach = Approach::new(0.3, Vector::<2>::zeros(), 0.5);
        let mut internal = [0.0; 3];
        Law::<2>::begin(&law, &approach, &mut internal);
        assert!((internal[0] - 0.4).abs() < 1e-15);
        let later = Approach { bonding: false, ..approach };
        let mut fresh = [0.0; 3];
        Law::<2>::begin(&law, &later, &mut fresh);
        assert_eq!(fresh[0], 0.1);
        let shift =
            |law: &Unilateral, internal: &[f64]| law.change(&approach.with(internal)).unwrap().shift[0];
        assert_eq!(shift(&law, &internal), 0.0);
        assert!((shift(&law, &fresh) - 0.4).abs() < 1e-15);
        law.level = Level::Position;
        assert!((shift(&law, &internal) + 0.4).abs() < 1e-14);
    }
}
