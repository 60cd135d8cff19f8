//! From a shape as written to a solid: contact geometry about the centre of mass, volume, principal axes.
//! Knows no density and no motion.

mod cluster;
mod moments;
mod plane;
mod quadrature;
mod refusal;
mod space;
mod union_plane;
mod union_space;

pub(crate) use refusal::Refusal;
pub(crate) use space::closed_surface;

use crate::spec::{SceneSpec, ShapeSpec, Treat};
use drystone::{MassProperties, Orientation, Pose, Shape, Vector};
use drystone_math::nalgebra::Vector3;

/// A shape ready to be put on bodies.
#[derive(Clone)]
pub(crate) struct Solid<const D: usize> {
    /// Contact geometry, in the axes of the shape as written but about the centre of mass.
    pub(crate) parts: Vec<(Shape<D>, Pose<D>)>,
    /// Centre of mass in the axes of the shape as written \[m\].
    pub(crate) centroid: Vector<D>,
    /// Principal axes: turns body axes into shape axes.
    pub(crate) axes: Orientation,
    /// Volume (area in the plane) and principal moments at unit density; none for walls and points.
    pub(crate) bulk: Option<(f64, Vector3<f64>)>,
    /// Radius about the centre of mass \[m\].
    pub(crate) radius: f64,
}

/// Contact geometry and mass properties in the axes of the shape as written.
pub(crate) struct Made<const D: usize> {
    parts: Vec<(Shape<D>, Pose<D>)>,
    mass: Option<MassProperties<D>>,
}

/// What differs between the plane and space.
pub(crate) trait FromSpec<const D: usize> {
    /// Makes a shape that is no cluster.
    fn made(spec: &ShapeSpec) -> Result<Made<D>, Refusal>;
    /// Mass properties of all that the parts fill, each place once; none if none of them fills anything.
    fn union(parts: &[(Shape<D>, Pose<D>)]) -> Result<Option<MassProperties<D>>, Refusal>;
}

/// For a shape that is cut into convex pieces, their number, and their volume less that of the shape relative
/// to the latter.
pub(crate) fn cut(spec: &ShapeSpec) -> Option<(usize, f64)> {
    match spec {
        ShapeSpec::Polygon { vertices, treat: Treat::Decompose } => {
            let made = <drystone::Polytope<2> as FromSpec<2>>::made(spec).ok()?;
            let corners: Vec<Vector<2>> = points(vertices);
            let origin = *corners.first()?;
            let next = corners.iter().skip(1).chain(corners.first());
            let doubled: f64 = corners.iter().zip(next).map(|(a, b)| (a - origin).perp(&(b - origin))).sum();
            Some(pieces(&made, 0.5 * doubled.abs()))
        }
        ShapeSpec::Mesh(form) if form.treat == Treat::Decompose => {
            let made = <drystone::Polytope<3> as FromSpec<3>>::made(spec).ok()?;
            let volume = made.mass?.volume;
            Some(pieces(&made, volume))
        }
        _ => None,
    }
}

fn pieces<const D: usize>(made: &Made<D>, volume: f64) -> (usize, f64) {
    let each = made.parts.iter().filter_map(|(shape, _)| shape.mass_properties());
    (made.parts.len(), each.map(|mass| mass.volume).sum::<f64>() / volume - 1.0)
}

/// The polyhedron of a shape, in the axes of the shape as written.
pub(crate) fn polyhedron(spec: &ShapeSpec) -> Option<drystone::Polytope<3>> {
    let made = <drystone::Polytope<3> as FromSpec<3>>::made(spec).ok()?;
    match made.parts.into_iter().next()? {
        (Shape::Polytope(polytope), _) => Some((*polytope).clone()),
        _ => None,
    }
}

/// The numbers as a vector; numbers too many are dropped, numbers missing are 0 (a valid scene has neither).
pub(crate) fn vector<const D: usize>(numbers: &[f64]) -> Vector<D> {
    Vector::from_fn(|row, _| numbers.get(row).copied().unwrap_or(0.0))
}

fn points<const D: usize>(vertices: &[Vec<f64>]) -> Vec<Vector<D>> {
    vertices.iter().map(|vertex| vector(vertex)).collect()
}

impl<const D: usize> From<Shape<D>> for Made<D> {
    fn from(shape: Shape<D>) -> Self {
        let mass = shape.mass_properties();
        Self { parts: vec![(shape, Pose::identity())], mass }
    }
}

impl<const D: usize> Solid<D>
where
    drystone::Polytope<D>: FromSpec<D>,
{
    /// Builds the solid of a shape; `scene` has the shapes that a cluster names.
    pub(crate) fn new(spec: &ShapeSpec, scene: &SceneSpec) -> Result<Self, Refusal> {
        let made = match spec {
            ShapeSpec::Cluster { shapes } => cluster::made(shapes, scene)?,
            // only deformable bodies have it, and make their own skin of it
            ShapeSpec::Elements(_) => Shape::Point.into(),
            _ => <drystone::Polytope<D> as FromSpec<D>>::made(spec)?,
        };
        Ok(Self::centred(made))
    }

    /// About the centre of mass: a block given in world coordinates is as small as one given about its own
    /// origin.
    fn centred(made: Made<D>) -> Self {
        let reach = |(shape, pose): &(Shape<D>, Pose<D>)| pose.position.norm() + shape.bounding_radius();
        let size = made.parts.iter().map(reach).fold(0.0, f64::max);
        let near = |point: &Vector<D>| point.norm() <= 1e-13 * size;
        let centroid = made.mass.map_or_else(Vector::zeros, |mass| mass.centroid);
        let centroid = if near(&centroid) { Vector::zeros() } else { centroid };
        let mut mass = made.mass;
        let parts: Vec<(Shape<D>, Pose<D>)> = match made.parts.as_slice() {
            [(Shape::Polytope(polytope), pose)] if *pose == Pose::identity() => {
                let shape: Shape<D> = match centroid == Vector::<D>::zeros() {
                    true => Shape::Polytope(polytope.clone()),
                    false => polytope.transformed(&Pose::at(-centroid)).into(),
                };
                mass = shape.mass_properties();
                vec![(shape, Pose::identity())]
            }
            parts => parts.iter().map(|(shape, pose)| shifted(shape, pose, &centroid)).collect(),
        };
        let mut axes = Orientation::identity();
        let bulk = mass.map(|mass| {
            let (moments, turn) = drystone::principal_axes(&mass.inertia);
            axes = turn;
            (mass.volume, moments)
        });
        let radius = parts.iter().map(reach).fold(0.0, f64::max);
        Self { parts, centroid, axes, bulk, radius }
    }
}

/// A part about the centre of mass of the whole, a polytope also about its own.
fn shifted<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, centroid: &Vector<D>) -> (Shape<D>, Pose<D>) {
    let moved = Pose { position: pose.position - centroid, ..*pose };
    let Shape::Polytope(polytope) = shape else {
        return (shape.clone(), moved);
    };
    let own = polytope.mass_properties().centroid;
    if own.norm() <= 1e-13 * polytope.size() {
        return (shape.clone(), moved);
    }
    let position = pose.to_world(&own) - centroid;
    (polytope.transformed(&Pose::at(-own)).into(), Pose { position, ..*pose })
}
