//! Convex cores: balls, points, capsules and rounded polytopes are a core and the radius it is grown by (a
//! Minkowski sum with a ball), and share their algorithms. It finds no contact.

use drystone_geometry::{Polytope, Shape};
use drystone_math::{Matrix, Pose, Vector};

/// What is grown by a radius.
#[derive(Clone, Copy)]
pub(crate) enum Core<'a, const D: usize> {
    /// The origin.
    Point,
    /// Half the length of a segment along the last axis.
    Segment(f64),
    Polytope(&'a Polytope<D>),
    /// Radius and half the height of a cylinder about the last axis.
    Cylinder(f64, f64),
}

/// The core of a solid shape and what it is grown by; none for walls.
pub(crate) fn core<const D: usize>(shape: &Shape<D>) -> Option<(Core<'_, D>, f64)> {
    match shape {
        Shape::Ball { radius } => Some((Core::Point, *radius)),
        Shape::Point => Some((Core::Point, 0.0)),
        Shape::Capsule { half_length, radius } => Some((Core::Segment(*half_length), *radius)),
        Shape::Polytope(form) => Some((Core::Polytope(form), 0.0)),
        Shape::Rounded { core, radius } => Some((Core::Polytope(core), *radius)),
        Shape::Cylinder { radius, half_height } => Some((Core::Cylinder(*radius, *half_height), 0.0)),
        Shape::HalfSpace | Shape::Hollow { .. } | Shape::Surface(_) | Shape::Skin(_) => None,
    }
}

/// A core, the radius it is grown by, and its place.
pub(crate) type Grown<'a, const D: usize> = (Core<'a, D>, f64, &'a Pose<D>);

/// Where a polytope stands in the world, or in the axes of another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<const D: usize> {
    pub rotation: Matrix<D, D>,
    pub position: Vector<D>,
}

impl<const D: usize> Placement<D> {
    pub fn of(pose: &Pose<D>) -> Self {
        Self { rotation: pose.rotation(), position: pose.position }
    }

    pub fn apply(&self, point: &Vector<D>) -> Vector<D> {
        self.position + self.rotation * point
    }
}
