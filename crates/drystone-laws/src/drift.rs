//! Overlaps that velocities alone leave behind, and what is done about them. Moves no body: the correction of
//! positions is a problem of its own.

use crate::{Approach, Change, Device};

/// How overlaps are dealt with (Dubois, Acary, Jean 2018, §4.1).
///
/// A law on velocities keeps bodies apart in continuous time; over a step of finite length the rows of H
/// turn, and an overlap of the order of h² is left.
#[doc(alias = "penetration")]
#[doc(alias = "stabilisation")]
#[doc(alias = "stabilization")]
#[doc(alias = "Baumgarte")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case"),
    schemars(description = "What to do with overlaps.")
)]
pub enum Drift {
    /// They stay as they are.
    None,
    /// Where the way of bodies that go on touching curves into each other, the normal velocity is turned
    /// round as far as that takes the overlap off again, and never to more than it was: nothing is fed into
    /// the system.
    #[default]
    Curvature,
    /// A critical oscillator with a period of one time step pushes them out (Jean 1999; Baumgarte 1972).
    Device,
    /// In every other step the law holds for the forecast gap, overlaps included, in the steps between for
    /// velocities (Jean 1999).
    TwoSteps,
    /// Positions are projected after every step (Gear, Leimkuhler, Gupta 1985; Acary 2013), velocities made
    /// tangent where bodies stand then.
    Projection,
}

/// What is added to the laws of contacts that overlap, in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Push {
    /// Nothing.
    #[default]
    None,
    /// The normal velocity is turned round as far as it takes off what bodies sank into each other since they
    /// touch.
    Curvature,
    /// The normal velocity is turned round so that it is tangent at the end of the step, if the way goes on
    /// as in the last.
    Tangent,
    /// A spring and a dashpot in series with the law.
    Device,
    /// A velocity that takes the overlap away until the next middle configuration.
    Position,
}

/// What a contact of the last step left to the push of this one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trace {
    /// See [`Push::mark`] \[m\].
    pub mark: f64,
    /// Whether the bodies pressed against each other.
    pub pressed: bool,
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
    /// Energy that the push brings in over the step \[J\]: the work of the normal impulse `r` \[N s\],
    /// velocity `begin` to `end` \[m/s\], but for what the law alone takes out of bodies on their way to each
    /// other.
    pub fn work(&self, r: f64, begin: f64, end: f64) -> f64 {
        let shock = -0.5 * r * (begin + self.law);
        0.5 * r * (begin + end) + shock.max(0.0)
    }
}

impl Drift {
    /// What to add to the laws in the step after so many.
    pub fn push(self, steps_done: u64) -> Push {
        match self {
            Drift::None => Push::None,
            Drift::Curvature => Push::Curvature,
            Drift::Projection => Push::Tangent,
            Drift::Device => Push::Device,
            Drift::TwoSteps if steps_done.is_multiple_of(2) => Push::Position,
            Drift::TwoSteps => Push::None,
        }
    }
}

impl Push {
    /// Whether it may bring energy in, which is then accounted for.
    pub fn gives(self) -> bool {
        matches!(self, Push::Device | Push::Position)
    }

    /// What a contact keeps of its gap \[m\], given the change of variables of its law. Of
    /// [`Push::Curvature`] the overlap that is none of its business, zero or less: what was there when the
    /// bodies first touched, or the least since; nothing yet, −∞, where the law lets them come nearer, on
    /// their way to each other or in a rebound. Of [`Push::Tangent`] the gap, to which the way of this step
    /// is [added](Push::moved).
    pub fn mark<const D: usize>(
        self,
        approach: &Approach<D>,
        touching: f64,
        trace: Option<Trace>,
        change: &Change<D>,
    ) -> f64 {
        match self {
            Push::Curvature if change.shift[0] > 0.0 => f64::NEG_INFINITY,
            Push::Curvature => left_alone(approach.gap - touching, trace),
            Push::Tangent => approach.gap,
            Push::None | Push::Device | Push::Position => 0.0,
        }
    }

    /// The mark moved on by the way `h u_N` \[m\] of the bodies to the next middle configuration. Of
    /// [`Push::Tangent`] it becomes the gap forecast there; of [`Push::Curvature`] it goes along where they
    /// come nearer, for what velocities sink in, of a solve that did not converge for one, is no curvature.
    pub fn moved(self, mark: f64, way: f64) -> f64 {
        match self {
            Push::Tangent => mark + way,
            Push::Curvature => mark + way.min(0.0),
            Push::None | Push::Device | Push::Position => mark,
        }
    }

    /// Changes the law of a contact that overlaps, if it has to. `touching` is the gap at which the bodies
    /// touch \[m\]. A law that drives the bodies apart faster by itself is left alone.
    pub fn apply<const D: usize>(
        self,
        approach: &Approach<D>,
        touching: f64,
        trace: Option<Trace>,
        change: &mut Change<D>,
    ) -> Option<Pushed> {
        let overlap = approach.gap - touching;
        if overlap >= 0.0 && self != Push::Tangent {
            return None;
        }
        let pressed = trace.is_some_and(|trace| trace.pressed);
        let (shift, compliance) = match self {
            Push::None => return None,
            // bodies that part, rest but for rounding, or let go of each other before, are left to the law
            Push::Curvature if !pressed || -approach.h * approach.u_begin[0] <= approach.touching => {
                return None;
            }
            Push::Curvature => (returned(approach, left_alone(overlap, trace) - overlap), 0.0),
            Push::Tangent => (tangent(approach, overlap, trace)?, 0.0),
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
        self.gives().then_some(Pushed { law })
    }
}

/// The overlap that is left as it is, zero or less: a contact of its own beginning is taken as it comes.
fn left_alone(overlap: f64, trace: Option<Trace>) -> f64 {
    trace.map_or(overlap, |trace| trace.mark.max(overlap)).min(0.0)
}

/// The shift that takes `depth` \[m\] off until the next middle configuration, with no more than the velocity
/// with which the bodies came: the work of the impulse, taken with the mean of the two, is never positive.
///
/// While bodies go on touching the condition of the last step kept them from approaching along the normal it
/// had; they approach along the one they have now because it turned. On a way of radius ρ that is `h v²/2ρ`,
/// when they left the last middle configuration as fast as they came to it; and `h² v²/2ρ` is what they sank
/// in.
fn returned<const D: usize>(approach: &Approach<D>, depth: f64) -> f64 {
    -(depth / approach.h).min(-approach.u_begin[0]).max(0.0)
}

/// The shift for velocities that are tangent at the end of the step, as in RATTLE (Andersen 1983), if the way
/// curves as in the last step, where the gap came to be another by `κ` than forecast; nothing where it did
/// not curve inwards or bodies part.
///
/// Bodies that touch at the beginning of the step and go on along its tangent overlap by `−κ/4` at the middle
/// configuration, half a step later; with `u_N = −κ/h` they touch again at the end. Less of an overlap lets
/// them come nearer by as much.
fn tangent<const D: usize>(approach: &Approach<D>, overlap: f64, trace: Option<Trace>) -> Option<f64> {
    let trace = trace.filter(|trace| trace.pressed && approach.u_begin[0] < 0.0)?;
    let curved = approach.gap - trace.mark;
    let shift = (overlap.max(0.25 * curved) + 0.75 * curved) / approach.h;
    (curved < 0.0).then(|| shift.max(approach.u_begin[0]))
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
            assert_eq!(push.apply(&open, 0.0, None, &mut change), None);
            change.shift[0] = -5.0;
            assert_eq!(push.apply(&overlap(), 0.0, None, &mut change), None);
            assert_eq!(change, Change { shift: Vector::<2>::new(-5.0, 0.0), ..before });
            // the gap is counted from where the law says that bodies touch
            change.shift[0] = 0.0;
            let pushed = push.apply(&open, 2e-3, None, &mut change);
            assert_eq!(pushed.is_some() && change.shift[0] < 0.0, push != Push::None);
        }
    }

    /// 2 kg against a wall, without load: the oscillator is critical, so that its overlap decays without a
    /// swing.
    #[test]
    fn the_device_takes_the_overlap_away_within_a_few_steps() {
        let (mut gap, mut v, h) = (-1e-3_f64, 0.0_f64, 0.01);
        let mut gained = 0.0;
        for _ in 0..8 {
            let middle = gap + 0.5 * h * v;
            let seen = Approach { gap: middle, u_begin: Vector::<2>::new(v, 0.0), ..overlap() };
            let mut change = Change::<2>::new(Set::Coulomb { mu: 0.0 });
            let pushed = Push::Device.apply(&seen, 0.0, None, &mut change);
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
        let pushed = Push::Position.apply(&overlap(), 0.0, None, &mut change).unwrap();
        // g + h u = 0
        assert!((change.shift[0] + 0.1).abs() < 1e-15 && change.compliance[0] == 0.0);
        // bodies that arrive lose what an inelastic shock takes; the rest is brought in
        assert!((pushed.work(2.0, -0.3, 0.1) - 0.1).abs() < 1e-15);
        assert!((pushed.work(2.0, 0.05, 0.1) - 0.15).abs() < 1e-15);
    }

    /// Shift of the law of a contact that the bodies came to at 0.2 m/s.
    fn shift(push: Push, gap: f64, trace: Option<Trace>) -> f64 {
        let seen = Approach { gap, u_begin: Vector::<2>::new(-0.2, 1.0), ..overlap() };
        let mut change = Change::<2>::forecast(Set::Coulomb { mu: 0.3 }, gap.max(0.0) / seen.h);
        assert_eq!(push.apply(&seen, 0.0, trace, &mut change), None);
        change.shift[0]
    }

    #[test]
    fn what_curvature_sank_in_is_returned_with_no_more_than_came() {
        let left = |mark: f64| Some(Trace { mark, pressed: true });
        let shift = |gap, trace| shift(Push::Curvature, gap, trace);
        // 1 mm in 10 ms is 0.1 m/s; 4 mm would be more than the bodies came with
        assert!((shift(-1e-3, left(0.0)) + 0.1).abs() < 1e-15);
        assert!((shift(-4e-3, left(0.0)) + 0.2).abs() < 1e-15);
        // what was there before stays, and so does what nobody has seen before
        assert!((shift(-4e-3, left(-3e-3)) + 0.1).abs() < 1e-15);
        assert_eq!([shift(-4e-3, left(-5e-3)), shift(-4e-3, None)], [0.0; 2]);
        // a rebound lets bodies that part come back as fast, and is not stopped
        let parting = Approach { u_begin: Vector::<2>::new(0.2, 0.0), ..overlap() };
        let mut change = Change::<2>::forecast(Set::Coulomb { mu: 0.3 }, 0.1);
        assert_eq!(Push::Curvature.apply(&parting, 0.0, left(0.0), &mut change), None);
        assert_eq!(change.shift[0], 0.1);
        // bodies that bounce in their overlap do so as their law says
        assert_eq!(shift(-1e-3, Some(Trace { mark: 0.0, pressed: false })), 0.0);
        assert_eq!(shift(1e-3, left(0.0)), 0.1);
        // what is left alone grows less, never more
        let mark = |gap, trace, forecast| {
            let change = Change::<2>::forecast(Set::Coulomb { mu: 0.3 }, forecast);
            Push::Curvature.mark(&Approach { gap, ..overlap() }, 0.0, trace, &change)
        };
        assert_eq!([mark(-1e-3, None, 0.0), mark(0.0, None, 0.0)], [-1e-3, 0.0]);
        assert_eq!([mark(-3e-3, left(-2e-3), 0.0), mark(-1e-3, left(-2e-3), 0.0)], [-2e-3, -1e-3]);
        let moved = |way| Push::Curvature.moved(-1e-3, way);
        assert_eq!([moved(-1e-3), moved(1e-3)], [-2e-3, -1e-3]);
        // where the law lets bodies come nearer, what comes of it is taken as it is
        let nearer = mark(1e-3, left(0.0), 0.1);
        assert_eq!(nearer, f64::NEG_INFINITY);
        assert_eq!([shift(-1e-3, left(nearer)), mark(-1e-3, left(nearer), 0.0)], [0.0, -1e-3]);
    }

    /// A point on the inside of a circle, on its way along chords: it touches at the ends of steps, not
    /// between.
    #[test]
    fn velocities_are_tangent_at_the_ends_of_steps() {
        assert_eq!(Push::Tangent.moved(1e-3, -3e-3), -2e-3);
        let sag = 1e-4; // κ of a whole step, of half of it a quarter
        let pressed = |mark| Some(Trace { mark, pressed: true });
        let shift = |gap, trace| shift(Push::Tangent, gap, trace);
        assert!((shift(-sag / 4.0, pressed(0.75 * sag)) + sag / 0.01).abs() < 1e-15);
        // it may come nearer by what it is off, and a deep overlap is left to the projection
        assert!((shift(sag / 4.0, pressed(1.25 * sag)) + 0.5 * sag / 0.01).abs() < 1e-15);
        assert!((shift(-sag, pressed(0.0)) + sag / 0.01).abs() < 1e-15);
        assert!((shift(-1e-2, pressed(0.0)) + 0.2).abs() < 1e-15);
        assert_eq!(shift(-sag, Some(Trace { mark: 0.0, pressed: false })), 0.0);
        assert_eq!([shift(-sag, pressed(-sag)), shift(-sag, pressed(-2.0 * sag))], [0.0; 2]);
        assert_eq!(
            Push::Tangent.mark(&overlap(), 0.0, None, &Change::new(Set::Coulomb { mu: 0.0 })),
            overlap().gap
        );
    }
}
