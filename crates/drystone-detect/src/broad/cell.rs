//! The periodic cell: what leaves it on one side comes in on the other. It moves nothing and finds no
//! contact; positions run on without end, and which image of a body is meant is a matter of whole periods.

use drystone_math::{Pose, Vector};

use drystone_geometry::aabb::aabb;
use drystone_geometry::{Contactor, Shape};

/// Axes along which a cell may repeat: those that are not vertical, so x in the plane, x and y in space.
pub const LEVEL_AXES: usize = 2;

/// A cell that repeats along one or two level axes (Parrinello, Rahman 1981, for a cell of constant shape).
///
/// A state of `n` bodies stands for endlessly many: each body with its images, away by whole periods.
/// Positions run on through the seam and are never set back: no bit of a state changes where a body crosses,
/// the work of a force along x stays a product of force and way, and the image in which two bodies touch,
/// told from their positions, is the same number as long as they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell<const D: usize> {
    origin: Vector<D>,
    /// Infinite where the cell does not repeat.
    periods: [f64; LEVEL_AXES],
}

/// Why there is no such cell, or why a body cannot be in it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Misfit {
    /// A period that is not a positive finite number.
    #[error("the period is {period}, but it must be a positive finite number")]
    NotPositive {
        /// What was given \[m\].
        period: f64,
    },
    /// A period along the vertical, or none at all.
    #[error("the cell must repeat along x or, in space, along y, and along no other axis")]
    NotLevel,
    /// A body that can turn and may reach its own image.
    #[error(
        "is {} m across, but the cell repeats every {period} m and a body that turns must be smaller than that",
        rounded(*size)
    )]
    TooLarge {
        /// Diameter about its centre of mass \[m\].
        size: f64,
        /// Period \[m\].
        period: f64,
    },
    /// A body that does not turn, and covers some place twice.
    #[error(
        "is {} m long, but the cell repeats every {period} m: give one period of it, or a line or plane", rounded(*size)
    )]
    TooLong {
        /// Length of a piece, or of the way from the middle of one piece to that of another \[m\].
        size: f64,
        /// Period \[m\].
        period: f64,
    },
    /// A half-space that is not the same one period on, or may not stay so.
    #[error("is endless, but not level along the periodic axes of the cell and kept from turning")]
    Tilted,
}

/// Six digits, for people.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

impl<const D: usize> Cell<D> {
    /// A cell with this lowest corner \[m\] and these periods \[m\] along x and y, none where it does not
    /// repeat.
    pub fn new(origin: Vector<D>, periods: [Option<f64>; LEVEL_AXES]) -> Result<Self, Misfit> {
        if let Some(period) = periods.into_iter().flatten().find(|&one| !(one > 0.0 && one.is_finite())) {
            return Err(Misfit::NotPositive { period });
        }
        let [level, upright] = [periods.iter().take(D - 1), periods[D - 1..].iter().take(D)];
        if level.flatten().count() == 0 || upright.flatten().count() > 0 {
            return Err(Misfit::NotLevel);
        }
        Ok(Self { origin, periods: periods.map(|period| period.unwrap_or(f64::INFINITY)) })
    }

    /// The lowest corner of the cell \[m\]; it says nothing along axes that do not repeat.
    pub fn origin(&self) -> &Vector<D> {
        &self.origin
    }

    /// The axes along which the cell repeats, each with its period \[m\].
    pub fn periods(&self) -> impl Iterator<Item = (usize, f64)> + use<D> {
        self.periods.into_iter().enumerate().filter(|(_, period)| period.is_finite())
    }

    /// The way to an image so many periods away \[m\].
    pub fn shift(&self, image: [i32; LEVEL_AXES]) -> Vector<D> {
        let mut shift = Vector::zeros();
        for (axis, period) in self.periods() {
            shift[axis] = f64::from(image[axis]) * period;
        }
        shift
    }

    /// How many periods a place is away from the cell; zero for one that is not finite.
    pub fn turns(&self, place: &Vector<D>) -> [i32; LEVEL_AXES] {
        let mut turns = [0; LEVEL_AXES];
        for (axis, period) in self.periods() {
            // a conversion from a float stays within bounds
            turns[axis] = ((place[axis] - self.origin[axis]) / period).floor() as i32;
        }
        turns
    }

    /// The place in the cell where an image of this one is \[m\].
    pub fn wrap(&self, place: &Vector<D>) -> Vector<D> {
        place - self.shift(self.turns(place))
    }

    /// How many periods to go from a place to come nearest to another.
    pub fn nearest(&self, place: &Vector<D>, other: &Vector<D>) -> [i32; LEVEL_AXES] {
        let mut image = [0; LEVEL_AXES];
        for (axis, period) in self.periods() {
            image[axis] = ((other[axis] - place[axis]) / period).round() as i32;
        }
        image
    }

    /// Whether a body fits: the contactors are all of it, `radius` holds it about its centre of mass \[m\],
    /// `pose` is where it is, and `turns` whether its spin is anything but prescribed as zero.
    ///
    /// What turns must be smaller than the period, so that no body meets itself. What does not may be as long
    /// as one period, a floor or a rough wall whose end is where its next image begins.
    pub fn admit<'a>(
        &self,
        contactors: impl Iterator<Item = &'a Contactor<D>> + Clone,
        (pose, radius, turns): (&Pose<D>, f64, bool),
    ) -> Result<(), Misfit> {
        /// Lengths that differ by less, relative to the period, are the same.
        const SAME: f64 = 1e-9;
        for (axis, period) in self.periods() {
            let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
            for contactor in contactors.clone() {
                let placed = pose.compose(&contactor.local);
                if matches!(contactor.shape, Shape::HalfSpace) {
                    let normal = placed.rotation().column(D - 1)[axis];
                    if turns || normal.abs() > SAME {
                        return Err(Misfit::Tilted);
                    }
                    continue;
                }
                let extent = aabb(&contactor.shape, &placed, 0.0);
                let size = extent.high[axis] - extent.low[axis];
                if size > period * (1.0 + SAME) {
                    return Err(Misfit::TooLong { size, period });
                }
                let middle = extent.middle()[axis];
                ends = [ends[0].min(middle), ends[1].max(middle)];
            }
            let spread = ends[1] - ends[0];
            if turns && radius.is_finite() && 2.0 * radius >= period {
                return Err(Misfit::TooLarge { size: 2.0 * radius, period });
            }
            if spread >= period * (1.0 - SAME) {
                return Err(Misfit::TooLong { size: spread, period });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_images_agree() {
        let cell = Cell::new(Vector::<3>::new(-1.0, 0.5, 7.0), [Some(2.0), Some(0.25)]).unwrap();
        for k in 0..200 {
            let wave = |rate: f64| 40.0 * (rate * k as f64).sin();
            let place = Vector::<3>::new(wave(0.7), wave(1.3), wave(2.1));
            let inside = cell.wrap(&place);
            assert!((-1.0..1.0).contains(&inside[0]) && (0.5..0.75 + 1e-12).contains(&inside[1]));
            assert_eq!(inside[2], place[2]);
            assert!((inside + cell.shift(cell.turns(&place)) - place).norm() < 1e-13);
            let other = Vector::<3>::new(wave(0.3), wave(0.1), wave(0.2));
            let between = other - place - cell.shift(cell.nearest(&place, &other));
            assert!(between[0].abs() <= 1.0 + 1e-12 && between[1].abs() <= 0.125 + 1e-12);
        }
    }

    #[test]
    fn what_does_not_repeat_is_refused() {
        let cell = Cell::new(Vector::<2>::zeros(), [Some(1.0), None]).unwrap();
        let of = |shape| Contactor { body: 0, shape, local: Pose::identity() };
        let ball = of(Shape::ball(0.5).unwrap());
        let level = Pose::<2>::identity();
        let fits = |one: &Contactor<2>, pose: &Pose<2>, turns| {
            cell.admit(std::iter::once(one), (pose, one.shape.bounding_radius(), turns))
        };
        assert!(matches!(fits(&ball, &level, true), Err(Misfit::TooLarge { .. })));
        assert!(fits(&ball, &level, false).is_ok());
        assert!(matches!(fits(&of(Shape::ball(0.51).unwrap()), &level, false), Err(Misfit::TooLong { .. })));
        let plane = of(Shape::HalfSpace);
        assert!(fits(&plane, &level, false).is_ok());
        assert_eq!(fits(&plane, &level, true), Err(Misfit::Tilted));
        let mut tilted = level;
        tilted.orientation =
            drystone_math::Orientation::from_scaled_axis(drystone_math::Vector::<3>::new(0.0, 0.0, 0.1));
        assert_eq!(fits(&plane, &tilted, false), Err(Misfit::Tilted));
        assert!(Cell::new(Vector::<2>::zeros(), [None, Some(1.0)]).is_err());
        assert!(Cell::new(Vector::<2>::zeros(), [Some(-1.0), None]).is_err());
    }
}
