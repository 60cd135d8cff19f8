//! Other shapes in the place of round grains: one sample, many shapes. Each lies within the circle or sphere
//! that it replaces and reaches it; places stay as they are.

mod polyhedron;

pub use polyhedron::PolyhedronForm;

use crate::{Grain, Random, SampleError};
use drystone_math::{Orientation, Vector, portable};
use std::f64::consts::TAU;

/// What takes the place of a circle or a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GrainForm {
    /// The disk or sphere itself.
    Ball,
    /// Regular polygon, in the plane.
    RegularPolygon {
        /// Number of sides.
        sides: usize,
    },
    /// Polygon with its corners at random places of the circle, in the plane.
    RandomPolygon {
        /// Fewest sides.
        fewest: usize,
        /// Most sides.
        most: usize,
        /// From 0, all sides alike, to 1 \[-\].
        irregularity: f64,
    },
    /// Star, in the plane: not convex.
    Star {
        /// Number of points.
        points: usize,
        /// Radius of the inner corners relative to that of the points \[-\].
        inner: f64,
    },
    /// Flake, in the plane: rectangles from the centre outwards, a disk at the end of each.
    Flake {
        /// Number of arms.
        arms: usize,
        /// Width of an arm relative to the radius \[-\].
        width: f64,
    },
    /// Random convex polyhedron, in space.
    Polyhedron(PolyhedronForm),
    /// Balls grown into each other, each of them touching the circle or sphere from inside.
    Clump {
        /// Number of balls.
        balls: usize,
        /// Their radius relative to that of the whole \[-\].
        size: f64,
    },
    /// One of several shapes that the caller has, at random.
    Listed {
        /// How many there are.
        count: usize,
    },
}

/// The geometry of a grain about the centre of the circle or sphere that it replaces \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum GrainShape<const D: usize> {
    /// Disk or sphere of this radius.
    Ball(f64),
    /// Convex polygon, counter-clockwise, or the hull of these corners.
    Convex(Vec<Vector<D>>),
    /// Polygon that is not convex, counter-clockwise.
    Outline(Vec<Vector<D>>),
    /// Several shapes as one.
    Parts(Vec<ShapePart<D>>),
    /// A shape of the caller's list, scaled so that it reaches this radius.
    Listed(usize, f64),
}

/// One part of a grain.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapePart<const D: usize> {
    /// Radius of a ball; none for a box \[m\].
    pub radius: Option<f64>,
    /// Full lengths of the sides of a box \[m\].
    pub size: Vector<D>,
    /// Where it sits \[m\].
    pub position: Vector<D>,
    /// In the plane, its angle \[rad\].
    pub angle: f64,
}

/// A grain with its shape and how it is turned.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapedGrain<const D: usize> {
    /// Circle or sphere around it.
    pub grain: Grain<D>,
    /// Its shape, in its own axes.
    pub shape: GrainShape<D>,
    /// In the plane, how far it is turned \[rad\].
    pub angle: f64,
    /// In space, how it is turned.
    pub orientation: Orientation,
}

impl GrainForm {
    /// Refuses numbers that make no shape, and shapes of the other dimension.
    pub fn check(&self, dimension: usize) -> Result<(), SampleError> {
        let count = |name: &'static str, found: usize, least: usize, allowed: &'static str| match found {
            n if n >= least && n <= 1000 => Ok(()),
            n => Err(SampleError::Number { name, found: n as f64, allowed }),
        };
        let share = |name: &'static str, found: f64, limits: [f64; 2], allowed: &'static str| {
            SampleError::within(name, found, limits, allowed)
        };
        let plane = matches!(
            self,
            Self::RegularPolygon { .. } | Self::RandomPolygon { .. } | Self::Star { .. } | Self::Flake { .. }
        );
        if plane && dimension != 2 {
            return Err(SampleError::Table("polygons, stars and flakes are for the plane".to_owned()));
        }
        match *self {
            Self::Ball => Ok(()),
            Self::RegularPolygon { sides } => count("sides", sides, 3, "it must be from 3 to 1000"),
            Self::RandomPolygon { fewest, most, irregularity } => {
                count("fewest", fewest, 3, "it must be from 3 to 1000")?;
                count("most", most, fewest, "it must be from fewest to 1000")?;
                share("irregularity", irregularity, [0.0, 1.0], "it must be from 0 to 1")
            }
            Self::Star { points, inner } => {
                count("points", points, 3, "it must be from 3 to 1000")?;
                share("inner", inner, [0.05, 0.95], "it must be from 0.05 to 0.95")
            }
            Self::Flake { arms, width } => {
                count("arms", arms, 2, "it must be from 2 to 1000")?;
                share("width", width, [0.01, 1.0], "it must be from 0.01 to 1")
            }
            Self::Polyhedron(form) => match dimension {
                3 => form.check(),
                _ => Err(SampleError::Table("polyhedra are for space; take a polygon".to_owned())),
            },
            Self::Clump { balls, size } => {
                count("balls", balls, 2, "it must be from 2 to 1000")?;
                share("size", size, [0.05, 0.95], "it must be from 0.05 to 0.95")
            }
            Self::Listed { count: shapes } => count("count", shapes, 1, "give at least one shape"),
        }
    }

    /// The shape that takes the place of a grain of this radius \[m\], in its own axes.
    fn shape<const D: usize>(&self, radius: f64, random: &mut Random) -> GrainShape<D> {
        match *self {
            Self::Ball => GrainShape::Ball(radius),
            Self::RegularPolygon { sides } => {
                GrainShape::Convex((0..sides).map(|k| on_circle(radius, k as f64 / sides as f64)).collect())
            }
            Self::RandomPolygon { fewest, most, irregularity } => {
                let sides = random.whole(fewest, most);
                // every corner within its own part of the circle, so that the centre stays inside
                let shift = if sides > 3 { 0.9 * irregularity } else { 0.4 * irregularity };
                let corner = |k: usize| {
                    let along = k as f64 + shift * (random.unit() - 0.5);
                    on_circle(radius, along / sides as f64)
                };
                GrainShape::Convex((0..sides).map(corner).collect())
            }
            Self::Star { points, inner } => {
                let corner = |k: usize| {
                    let radius = if k.is_multiple_of(2) { radius } else { inner * radius };
                    on_circle(radius, k as f64 / (2 * points) as f64)
                };
                GrainShape::Outline((0..2 * points).map(corner).collect())
            }
            Self::Flake { arms, width } => GrainShape::Parts(flake(arms, width * radius, radius)),
            Self::Polyhedron(form) => GrainShape::Convex(form.corners(radius, random)),
            Self::Clump { balls, size } => {
                let ball = |direction: &Vector<D>| ShapePart {
                    radius: Some(size * radius),
                    size: Vector::zeros(),
                    position: direction * ((1.0 - size) * radius),
                    angle: 0.0,
                };
                GrainShape::Parts(polyhedron::spread(balls, 20, random).iter().map(ball).collect())
            }
            Self::Listed { count } => GrainShape::Listed(random.whole(0, count.max(1) - 1), radius),
        }
    }

    /// Puts a shape in the place of every grain, turned at random. Polyhedra repeat after 4096 of them,
    /// scaled and turned otherwise.
    pub fn replace<const D: usize>(&self, grains: &[Grain<D>], seed: u64) -> Vec<ShapedGrain<D>> {
        let mut random = Random::new(seed);
        let mut known: Vec<GrainShape<D>> = Vec::new();
        let mut shaped = |grain: &Grain<D>| {
            let shape = match self {
                Self::Polyhedron(_) => {
                    if known.len() < POLYHEDRA {
                        known.push(self.shape(1.0, &mut random));
                    }
                    let chosen = if known.len() < POLYHEDRA {
                        known.len() - 1
                    } else {
                        random.whole(0, POLYHEDRA - 1)
                    };
                    known[chosen].scaled(grain.radius)
                }
                _ => self.shape(grain.radius, &mut random),
            };
            let round = matches!(shape, GrainShape::Ball(_));
            let angle = if round { 0.0 } else { random.between(0.0, TAU) };
            let orientation = if round || D == 2 { Orientation::identity() } else { random.orientation() };
            ShapedGrain { grain: *grain, shape, angle, orientation }
        };
        grains.iter().map(&mut shaped).collect()
    }
}

/// Polyhedra that differ by more than their size.
const POLYHEDRA: usize = 4096;

impl<const D: usize> GrainShape<D> {
    /// A convex shape of radius 1 with this radius; others as they are.
    fn scaled(&self, radius: f64) -> Self {
        match self {
            Self::Convex(corners) => Self::Convex(corners.iter().map(|corner| corner * radius).collect()),
            other => other.clone(),
        }
    }
}

/// A point of a circle in the first two axes, by the share of the way round.
fn on_circle<const D: usize>(radius: f64, share: f64) -> Vector<D> {
    let (sine, cosine) = portable::sin_cos(TAU * share);
    Vector::from_fn(|axis, _| match axis {
        0 => radius * cosine,
        1 => radius * sine,
        _ => 0.0,
    })
}

fn flake<const D: usize>(arms: usize, width: f64, radius: f64) -> Vec<ShapePart<D>> {
    let end = radius - 0.5 * width;
    (0..arms)
        .flat_map(|k| {
            let share = k as f64 / arms as f64;
            let size = Vector::from_fn(|axis, _| if axis == 0 { end } else { width });
            [
                ShapePart { radius: None, size, position: on_circle(0.5 * end, share), angle: TAU * share },
                ShapePart {
                    radius: Some(0.5 * width),
                    size: Vector::zeros(),
                    position: on_circle(end, share),
                    angle: 0.0,
                },
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Farthest point of a shape from its centre.
    fn reach<const D: usize>(shape: &GrainShape<D>) -> f64 {
        let far = |corners: &[Vector<D>]| corners.iter().map(Vector::norm).fold(0.0, f64::max);
        match shape {
            GrainShape::Ball(radius) | GrainShape::Listed(_, radius) => *radius,
            GrainShape::Convex(corners) | GrainShape::Outline(corners) => far(corners),
            GrainShape::Parts(parts) => parts
                .iter()
                .map(|part| match part.radius {
                    Some(radius) => part.position.norm() + radius,
                    // the outer corners of an arm lie within its disk
                    None => (part.position.norm() + 0.5 * part.size[0]).hypot(0.5 * part.size[1]),
                })
                .fold(0.0, f64::max),
        }
    }

    fn check<const D: usize>(form: GrainForm) {
        form.check(D).unwrap();
        let grain = |k: usize| Grain { radius: 0.1 + 0.01 * k as f64, position: Vector::repeat(k as f64) };
        let grains: Vec<Grain<D>> = (0..40).map(grain).collect();
        let shaped = form.replace(&grains, 6);
        assert_eq!(shaped, form.replace(&grains, 6));
        for (one, grain) in shaped.iter().zip(&grains) {
            assert_eq!(one.grain, *grain);
            let reach = reach(&one.shape) / grain.radius;
            assert!((reach - 1.0).abs() < 1e-9, "{form:?} {reach}");
            if let (GrainShape::Convex(corners), 2) = (&one.shape, D) {
                let n = corners.len();
                let turns = (0..n).all(|k| {
                    let (a, b) = (corners[(k + 1) % n] - corners[k], corners[(k + 2) % n] - corners[k]);
                    a[0] * b[1] - a[1] * b[0] > 0.0 && {
                        let c = corners[k];
                        let next = corners[(k + 1) % n];
                        c[0] * next[1] - c[1] * next[0] > 0.0
                    }
                });
                assert!(turns, "{corners:?}");
            }
        }
    }

    #[test]
    fn every_form_stays_within_its_circle_and_reaches_it() {
        check::<2>(GrainForm::Ball);
        check::<2>(GrainForm::RegularPolygon { sides: 5 });
        check::<2>(GrainForm::RandomPolygon { fewest: 3, most: 8, irregularity: 1.0 });
        check::<2>(GrainForm::Star { points: 5, inner: 0.4 });
        check::<2>(GrainForm::Flake { arms: 3, width: 0.25 });
        check::<2>(GrainForm::Clump { balls: 3, size: 0.5 });
        check::<3>(GrainForm::Ball);
        check::<3>(GrainForm::Clump { balls: 4, size: 0.5 });
        check::<3>(GrainForm::Listed { count: 3 });
        check::<3>(GrainForm::Polyhedron(PolyhedronForm { faces: 8, angularity: 0.0, elongation: 1.0 }));
        check::<3>(GrainForm::Polyhedron(PolyhedronForm { faces: 20, angularity: 1.0, elongation: 2.0 }));
    }

    #[test]
    fn forms_of_the_other_dimension_and_wrong_numbers_are_refused() {
        assert!(GrainForm::Star { points: 5, inner: 0.4 }.check(3).is_err());
        assert!(GrainForm::Star { points: 2, inner: 0.4 }.check(2).is_err());
        assert!(GrainForm::Flake { arms: 3, width: 0.0 }.check(2).is_err());
        let form = PolyhedronForm { faces: 8, angularity: 0.0, elongation: 1.0 };
        assert!(GrainForm::Polyhedron(form).check(2).is_err());
        assert!(GrainForm::Polyhedron(PolyhedronForm { faces: 3, ..form }).check(3).is_err());
        assert!(GrainForm::RandomPolygon { fewest: 6, most: 4, irregularity: 0.0 }.check(2).is_err());
    }
}
