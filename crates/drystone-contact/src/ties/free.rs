//! The motion that a joint leaves free: how far it went, the friction against it and the stops at its ends.
//! Holds nothing that the joint holds.

use super::{Joint, Kind, Tie, TieRow, pose_of};
use drystone_bulk::{turn_about_last, turn_rows};
use drystone_geometry::frame_from_normal;
use drystone_math::nalgebra::Vector3;
use drystone_math::{Columns, Matrix, Pose, Vector, portable, rigid_turns};
use drystone_problem::Set;

/// Dry friction in a joint (Coulomb): `‖f‖ ≤ c + μ ρ ‖R‖` against the free motion, and on that border where
/// it moves.
///
/// `R` is the force that the joint bears. Against a turn `f` is a moment and ρ the radius of the pin; against
/// a way `f` is a force and ρ = 1; with both, in a cylindrical joint in space, the velocities along the axis
/// and round it at the radius of the pin are two components of one. In a ball in its socket `f` is a moment
/// against the spin about any axis; of the two pins of a universal joint each rubs for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rubbing {
    /// Coefficient of friction μ ≥ 0, no unit.
    pub friction: f64,
    /// Radius of the pin ρ ≥ 0 \[m\]; of no account for a slider.
    pub radius: f64,
    /// Friction c ≥ 0 without any load \[N\], of turns \[N m\].
    pub constant: f64,
}

/// Ends of the free motion: `lower ≤ s ≤ upper`, pushed back there without friction. Of a ball in its socket
/// `s` is the angle between the last axes of its two frames; of a universal joint it is the turn about each
/// of its two axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stops {
    /// Least and largest way \[m\] or turn \[rad\] of the first body against the second one since the start.
    pub range: [f64; 2],
    /// Coefficient of restitution e from 0 to 1 \[-\]: `u' ≥ −e u` at a stop that is reached. With 0 the stop
    /// is seen ahead and not passed.
    pub restitution: f64,
}

/// One number to check: its name, its value, whether it is fine, what may be given.
type Check = (&'static str, f64, bool, &'static str);

impl Rubbing {
    pub(super) fn checks(&self) -> [Check; 3] {
        let check = |what, value: f64| (what, value, value >= 0.0 && value.is_finite(), "zero or more");
        [
            check("friction", self.friction),
            check("radius", self.radius),
            check("friction without load", self.constant),
        ]
    }
}

impl Stops {
    pub(super) fn checks(&self) -> [Check; 3] {
        let [lower, upper] = self.range;
        let e = self.restitution;
        [
            ("lower stop", lower, lower <= 0.0 && lower.is_finite(), "zero or less, where the joint begins"),
            ("upper stop", upper, upper >= 0.0 && upper.is_finite(), "zero or more, where the joint begins"),
            ("restitution", e, (0.0..=1.0).contains(&e), "a number from 0 to 1"),
        ]
    }
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    /// The turn about the axis.
    Turn,
    /// The way along the axis.
    Way,
    /// Both; stops are at the ends of the way.
    Both,
    /// All turns, of a ball in its socket; its stop is a cone about the last axis.
    Ball,
    /// The turns about two axes, the first on the first body and the second on the second one.
    Cross,
}

/// An angle between two axes, or a sine of one, from which on their common perpendicular has a direction.
const APART: f64 = 1e-9;

impl<const D: usize> Tie<D> {
    /// The motion that friction and stops act on; none where there is more than one of a kind, or none.
    pub(crate) fn free(&self) -> Option<Free> {
        match self.kind {
            Kind::Joint(Joint::Pin) => Some(if rigid_turns(D) == 1 { Free::Turn } else { Free::Ball }),
            Kind::Joint(Joint::Universal) if rigid_turns(D) > 1 => Some(Free::Cross),
            // of a screw the way goes with the turn
            Kind::Joint(Joint::Hinge) | Kind::Screw { .. } => Some(Free::Turn),
            Kind::Joint(Joint::Slider) => Some(Free::Way),
            Kind::Joint(Joint::Cylindrical) => Some(if rigid_turns(D) == 1 { Free::Way } else { Free::Both }),
            _ => None,
        }
    }

    /// How far the joint went along its free motion \[m\], or turned \[rad\] with turns counted from `value`;
    /// of a ball in its socket and a universal joint the angle between the last axes of its frames; 0 of
    /// joints without a free motion.
    pub(crate) fn coordinate(&self, poses: &[Pose<D>], value: f64) -> f64 {
        let Some(free) = self.free() else { return 0.0 };
        let [a, b] = self.places(poses);
        match free {
            Free::Turn => {
                let turn = std::f64::consts::TAU;
                let angle = turn_about_last(&a.orientation, &b.orientation);
                angle + turn * ((value - angle) / turn).round()
            }
            Free::Way | Free::Both => b.rotation().column(D - 1).dot(&(a.position - b.position)),
            Free::Ball | Free::Cross => {
                let [a, b] = [a, b].map(|place| place.orientation * Vector3::z());
                portable::atan2(b.cross(&a).norm(), a.dot(&b))
            }
        }
    }

    /// The turns of a universal joint about its two axes since the start, from −π to π \[rad\]: of the first
    /// body against the cross, and of the cross against the second one.
    fn cross_turns(&self, poses: &[Pose<D>]) -> [f64; 2] {
        let [a, b] = self.places(poses).map(|place| place.orientation);
        let [axis, other] = [a * Vector3::x(), b * Vector3::y()];
        let (first, second) = (a * Vector3::y(), b * Vector3::x());
        [
            portable::atan2(first.dot(&axis.cross(&other)), first.dot(&other)),
            portable::atan2(axis.dot(&other.cross(&second)), axis.dot(&second)),
        ]
    }

    /// The rate of the turn about an axis of space, as the first row of a block.
    fn turn_about(&self, poses: &[Pose<D>], axis: &Vector3<f64>) -> [Columns<D>; 2] {
        let along = Vector::from_fn(|i, _| axis[i.min(2)]);
        self.row_of(poses, &|pose| turn_rows::<D>(&frame_from_normal(&along), pose), 0)
    }

    /// Rows of H for the rate of the way along the axis and of the turn about it, each as the first row of a
    /// block.
    fn rates(&self, poses: &[Pose<D>]) -> [[Columns<D>; 2]; 2] {
        let places = self.places(poses);
        let frame = places[1].rotation();
        let of = self.bodies.map(|body| pose_of(poses, body));
        let ways = self.ways(&frame, [&places[0].position; 2], &of);
        let way = self.as_first_row(ways, D - 1);
        let turn = self.row_of(poses, &|pose| turn_rows::<D>(&frame, pose), rigid_turns(D) - 1);
        [way, turn]
    }

    /// One of the rows that a body has, of the first body against the second one, as the first row of a
    /// block.
    fn row_of(
        &self,
        poses: &[Pose<D>],
        rows: &dyn Fn(&Pose<D>) -> Columns<D>,
        row: usize,
    ) -> [Columns<D>; 2] {
        let [a, b] = self.bodies.map(|body| rows(&pose_of(poses, body)));
        self.as_first_row([a, -b], row)
    }

    /// One row of a block as the first row of another one; the world has none.
    fn as_first_row(&self, [a, b]: [Columns<D>; 2], row: usize) -> [Columns<D>; 2] {
        [(a, 0), (b, 1)].map(|(mut h, side)| {
            if self.bodies[side].is_none() {
                return Columns::zeros(0);
            }
            for column in h.iter_mut() {
                let rate = column[row];
                *column = [0.0; D];
                column[0] = rate;
            }
            h
        })
    }

    /// The rows of the lower and the upper stop, with what is left up to them as the first component of the
    /// error; of a universal joint those of its first turn, then those of its second one.
    pub(crate) fn stop_rows(&self, poses: &[Pose<D>], value: f64, world: u32) -> [Option<TieRow<D>>; 4] {
        let (Some(stops), Some(free)) = (self.stops, self.free()) else { return [const { None }; 4] };
        let of = |stops: Stops, s: f64, h: [Columns<D>; 2]| {
            let [lower, upper] = stops.range;
            [(s - lower, 1.0), (upper - s, -1.0)].map(|(left, sign)| {
                let mut error = Vector::zeros();
                error[0] = left;
                let along = h.each_ref().map(|h| {
                    let mut h = h.clone();
                    h.iter_mut().flatten().for_each(|x| *x *= sign);
                    h
                });
                Some(self.row(along, error, Set::Coulomb { mu: 0.0 }, world))
            })
        };
        let s = self.coordinate(poses, value);
        let [a, b] = self.places(poses).map(|place| place.orientation);
        match free {
            Free::Cross => {
                let turns = self.cross_turns(poses);
                let [one, two] = [a * Vector3::x(), b * Vector3::y()];
                let [lower, upper] = of(stops, turns[0], self.turn_about(poses, &one));
                let second = self.second_stops.unwrap_or(stops);
                let [lower_second, upper_second] = of(second, turns[1], self.turn_about(poses, &two));
                [lower, upper, lower_second, upper_second]
            }
            Free::Ball => {
                let across = (b * Vector3::z()).cross(&(a * Vector3::z()));
                let axis = across.try_normalize(APART);
                [
                    None,
                    axis.and_then(|axis| of(stops, s, self.turn_about(poses, &axis))[1].take()),
                    None,
                    None,
                ]
            }
            Free::Turn | Free::Way | Free::Both => {
                let [way, turn] = self.rates(poses);
                let [lower, upper] = of(stops, s, if free == Free::Turn { turn } else { way });
                [lower, upper, None, None]
            }
        }
    }

    /// The row of the friction: the free motions behind a first component that carries nothing, or, of a ball
    /// in its socket and a universal joint, from the first component on.
    pub(crate) fn friction_row(&self, poses: &[Pose<D>], world: u32) -> Option<TieRow<D>> {
        let (Some(rubbing), Some(free)) = (self.rubbing, self.free()) else { return None };
        let whole = |apart: bool| Set::Bearing { held: 0, base: 0.0, factor: 0.0, apart };
        if free == Free::Ball {
            let frame = self.places(poses)[1].rotation();
            let turns: [_; D] =
                std::array::from_fn(|row| self.row_of(poses, &|pose| turn_rows::<D>(&frame, pose), row));
            return Some(self.row(side_by_side(&turns), Vector::zeros(), whole(false), world));
        }
        if free == Free::Cross {
            let [a, b] = self.places(poses).map(|place| place.orientation);
            let turns = [a * Vector3::x(), b * Vector3::y()].map(|axis| self.turn_about(poses, &axis));
            return Some(self.row(side_by_side(&turns), Vector::zeros(), whole(true), world));
        }
        let [way, turn] = self.rates(poses);
        let h = std::array::from_fn(|side| {
            let (way, turn) = (&way[side], &turn[side]);
            let mut h = Columns::<D>::zeros(way.len());
            for (dof, column) in h.iter_mut().enumerate() {
                column[1] = if free == Free::Turn { turn[dof][0] } else { way[dof][0] };
                if free == Free::Both {
                    column[D - 1] = turn[dof][0] * rubbing.radius;
                }
            }
            h
        });
        Some(self.row(h, Vector::zeros(), Set::Tresca { cap: 0.0 }, world))
    }

    fn row(&self, h: [Columns<D>; 2], error: Vector<D>, set: Set, world: u32) -> TieRow<D> {
        let bodies = self.bodies.map(|body| body.map_or(world, |body| body.0));
        TieRow { tie: 0, bodies, h, error, set, frame: Matrix::identity() }
    }

    /// Force or moment of friction for a unit of the force that the joint bears.
    pub(crate) fn rubs(&self) -> f64 {
        match (self.rubbing, self.free()) {
            (Some(Rubbing { friction, radius, .. }), Some(Free::Turn | Free::Ball | Free::Cross)) => {
                friction * radius
            }
            (Some(Rubbing { friction, .. }), Some(_)) => friction,
            _ => 0.0,
        }
    }
}

/// The first rows of some blocks as one block.
fn side_by_side<const D: usize>(rows: &[[Columns<D>; 2]]) -> [Columns<D>; 2] {
    std::array::from_fn(|side| {
        let mut all = Columns::<D>::zeros(rows.first().map_or(0, |row| row[side].len()));
        for (component, row) in rows.iter().enumerate().take(D) {
            for (to, from) in all.iter_mut().zip(row[side].iter()) {
                to[component] = from[0];
            }
        }
        all
    })
}
