//! Overlaps that velocities alone leave behind, and what is done about them. Moves no body: the correction of positions
//! is a problem of its own.

use crate::{Approach, Change, Device};

/// How overlaps are dealt with (Dubois, Acary, Jean 2018, §4.1).
///
/// A law on velocities keeps bodies apart in continuous time; over a step of finite length the rows of H turn, and an
/// overlap of the order of h² is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drift {
    /// They stay as they are. Nothing is fed into the system.
    #[default]
    None,
    /// A critical oscillator with a period of one time step pushes them out (Jean 1999; Baumgarte 1972).
    Device,
    /// In every other step the law holds for the forecast gap, overlaps included, in the steps between for velocities
    /// (Jean 1999).
    TwoSteps,
    /// Positions are projected after every step, velocities left alone (Gear, Leimkuhler, Gupta 1985; Acary 2013).
    Projection,
}

/// What is added to the laws of contacts that overlap, in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Push {
    /// Nothing.
    #[default]
    None,
    /// A spring and a dashpot in series with the law.
    Device,
    /// A velocity that takes the overlap away until the next middle configuration.
    Position,
}

/// Period of the device in time steps: the one the method's authors use.
const PERIOD: f64 = 1.0;

/// A contact that is pushed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    /// Normal velocity that the law alone would leave it with \[m/s\].
    pub law: f64,
}

impl Pushed {
    /// Energy that the push brings in over the step \[J\]: the work of the normal impulse `r` \[N s\], velocity `begin` to
    /// `end` \[m/s\], but for what the law alone takes out of bodies on their way to each other.
    pub fn work(&self, r: f64, begin: f64, end: f64) -> f64 {
        let shock = -0.5 * r * (begin + self.law);
        0.5 * r * (begin + end) + shock.max(0.0)
    }
}

impl Drift {
    /// What to add to the laws in the step after so many.
    pub fn push(self, steps_done: u64) -> Push {
        match self {
            Drift::None | Drift::Projection => Push::None,
            Drift::Device => Push::Device,
            Drift::TwoSteps if steps_done.is_multiple_of(2) => Push::Position,
            Drift::TwoSteps => Push::None,
        }
    }
}

impl Push {
    /// Changes the law of a contact that overlaps, if it has to. `touching` is the gap at which the bodies touch \[m\]. A
    /// law that drives the bodies apart faster by itself is left alone.
    pub fn apply<const D: usize>(
        self,
        approach: &Approach<D>,
        touching: f64,
        change: &mut Change<D>,
    ) -> Option<Pushed> {
        let overlap = approach.gap - touching;
        if overlap >= 0.0 {
            return None;
        }
        let (shift, compliance) = match self {
            Push::None => return None,
            Push::Position => (overlap / approach.h, 0.0),
            Push::Device => {
                // the force at the next middle configuration, −r_N = h k (g + h u) + h η u
                let [k, eta] = Device::Period(PERIOD).values(approach);
                let a = approach.h * (approach.h * k + eta);
                (approach.h * k * overlap / a, 1.0 / a)
            }
        };
        if change.shift[0] <= shift {
            return None;
        }
        let law = -change.shift[0];
        change.shift[0] = shift;
        change.compliance[0] += compliance;
        Some(Pushed { law })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::{Matrix, Vector};
    use drystone_problem::Set;

    fn overlap() -> Approach<'static, 2> {
        Approach { w: Matrix::identity() * 0.5, ..Approach::new(-1e-3, Vector::<2>::zeros(), 0.01) }
    }

    #[test]
    fn only_overlaps_are_pushed_and_only_if_the_law_does_not_do_so_faster() {
        let open = Approach { gap: 1e-3, ..overlap() };
        for push in [Push::None, Push::Device, Push::Position] {
            let mut change = Change::<2>::forecast(Set::Coulomb { mu: 0.3 }, 0.1);
            let before = change;
            assert_eq!(push.apply(&open, 0.0, &mut change), None);
            change.shift[0] = -5.0;
            assert_eq!(push.apply(&overlap(), 0.0, &mut change), None);
            assert_eq!(change, Change { shift: Vector::<2>::new(-5.0, 0.0), ..before });
            // the gap is counted from where the law says that bodies touch
            change.shift[0] = 0.0;
            let pushed = push.apply(&open, 2e-3, &mut change);
            assert_eq!(pushed.is_some() && change.shift[0] < 0.0, push != Push::None);
        }
    }

    /// 2 kg against a wall, without load: the oscillator is critical, so that its overlap decays without a swing.
    #[test]
    fn the_device_takes_the_overlap_away_within_a_few_steps() {
        let (mut gap, mut v, h) = (-1e-3_f64, 0.0_f64, 0.01);
        let mut gained = 0.0;
        for _ in 0..8 {
            let middle = gap + 0.5 * h * v;
            let seen = Approach { gap: middle, u_begin: Vector::<2>::new(v, 0.0), ..overlap() };
            let mut change = Change::<2>::new(Set::Coulomb { mu: 0.0 });
            let pushed = Push::Device.apply(&seen, 0.0, &mut change);
            let r = (-(v + change.shift[0]) / (0.5 + change.compliance[0])).max(0.0);
            let after = v + 0.5 * r;
            gained += pushed.map_or(0.0, |pushed| pushed.work(r, v, after));
            gap += 0.5 * h * (v + after);
            v = after;
        }
        assert!(gap > -1e-6, "{gap}");
        // all that moves now came from the pushes
        assert!((gained - v * v).abs() < 1e-15, "{gained} {v}");
    }

    #[test]
    fn two_steps_push_in_every_other_one() {
        let pushes: Vec<Push> = (0..4).map(|step| Drift::TwoSteps.push(step)).collect();
        assert_eq!(pushes, [Push::Position, Push::None, Push::Position, Push::None]);
        let mut change = Change::<2>::new(Set::Coulomb { mu: 0.0 });
        let pushed = Push::Position.apply(&overlap(), 0.0, &mut change).unwrap();
        // g + h u = 0
        assert!((change.shift[0] + 0.1).abs() < 1e-15 && change.compliance[0] == 0.0);
        // bodies that arrive lose what an inelastic shock takes; the rest is brought in
        assert!((pushed.work(2.0, -0.3, 0.1) - 0.1).abs() < 1e-15);
        assert!((pushed.work(2.0, 0.05, 0.1) - 0.15).abs() < 1e-15);
    }
}
