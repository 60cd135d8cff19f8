//! From a shape as written to a solid: contact geometry about the centre of mass, volume, principal axes. Knows no
//! density and no motion.

use crate::principal::principal;
use crate::spec::ShapeSpec;
use drystone::{Orientation, Polytope, Pose, Shape, ShapeError, Vector};
use drystone_math::nalgebra::Vector3;

/// A shape ready to be put on bodies.
#[derive(Clone)]
pub(crate) struct Solid<const D: usize> {
    /// Contact geometry; its origin is the centre of mass, its axes are those of the shape as written.
    pub(crate) shape: Shape<D>,
    /// Centre of mass in the axes of the shape as written \[m\].
    pub(crate) centroid: Vector<D>,
    /// Principal axes: turns body axes into shape axes.
    pub(crate) axes: Orientation,
    /// Volume (area in the plane) and principal moments at unit density; none for a half-space.
    pub(crate) bulk: Option<(f64, Vector3<f64>)>,
    /// Radius about the centre of mass \[m\].
    pub(crate) radius: f64,
}

/// A convex polytope of the right dimension from what the file says; `None` for shapes that are not polytopes.
pub(crate) trait FromSpec: Sized {
    /// Builds it.
    fn from_spec(spec: &ShapeSpec) -> Option<Result<Self, ShapeError>>;
}

impl FromSpec for Polytope<2> {
    fn from_spec(spec: &ShapeSpec) -> Option<Result<Self, ShapeError>> {
        match spec {
            ShapeSpec::Box { size } => match *size.as_slice() {
                [x, y] => Some(Polytope::rectangle([x, y])),
                _ => None,
            },
            ShapeSpec::Polygon { vertices } => Some(Polytope::polygon(points(vertices))),
            _ => None,
        }
    }
}

impl FromSpec for Polytope<3> {
    fn from_spec(spec: &ShapeSpec) -> Option<Result<Self, ShapeError>> {
        match spec {
            ShapeSpec::Box { size } => match *size.as_slice() {
                [x, y, z] => Some(Polytope::cuboid([x, y, z])),
                _ => None,
            },
            ShapeSpec::Polyhedron { vertices, faces: Some(faces) } => {
                let corners = |face: &Vec<u32>| face.iter().map(|&corner| corner as usize).collect();
                Some(Polytope::polyhedron(points(vertices), faces.iter().map(corners).collect()))
            }
            ShapeSpec::Polyhedron { vertices, faces: None } => Some(Polytope::hull(points(vertices))),
            _ => None,
        }
    }
}

fn points<const D: usize>(vertices: &[Vec<f64>]) -> Vec<Vector<D>> {
    vertices.iter().map(|vertex| vector(vertex)).collect()
}

/// The numbers as a vector; numbers too many are dropped, numbers missing are 0 (a valid scene has neither).
pub(crate) fn vector<const D: usize>(numbers: &[f64]) -> Vector<D> {
    Vector::from_fn(|row, _| numbers.get(row).copied().unwrap_or(0.0))
}

impl<const D: usize> Solid<D>
where
    Polytope<D>: FromSpec,
{
    /// Builds the solid of a shape.
    pub(crate) fn new(spec: &ShapeSpec) -> Result<Self, ShapeError> {
        let polytope = match spec {
            ShapeSpec::Disk { radius } | ShapeSpec::Sphere { radius } => {
                return Ok(Self::centred(Shape::ball(*radius)?, Vector::zeros()));
            }
            ShapeSpec::Line {} | ShapeSpec::Plane {} => {
                return Ok(Self::centred(Shape::HalfSpace, Vector::zeros()));
            }
            _ => Polytope::from_spec(spec).unwrap_or(Err(ShapeError::Flat { dimension: D }))?,
        };
        // about the centre of mass: a block given in world coordinates is as small as one given about its own origin
        let centroid = polytope.mass_properties().centroid;
        if centroid.norm() <= 1e-13 * polytope.size() {
            return Ok(Self::centred(polytope.into(), Vector::zeros()));
        }
        Ok(Self::centred(polytope.transformed(&Pose::at(-centroid)).into(), centroid))
    }

    fn centred(shape: Shape<D>, centroid: Vector<D>) -> Self {
        let radius = shape.bounding_radius();
        let mut axes = Orientation::identity();
        let bulk = shape.mass_properties().map(|mass| {
            let (moments, turn) = principal(&mass.inertia);
            axes = turn;
            (mass.volume, moments)
        });
        Self { shape, centroid, axes, bulk, radius }
    }
}
