//! What a body shows to the others.

use drystone_math::{Matrix, Pose, Vector};
use std::sync::Arc;

use crate::{Polytope, ShapeError};

/// The form of a contactor in its own axes. One enum serves the plane and space.
#[derive(Clone, Debug)]
pub enum Shape<const D: usize> {
    /// Disk or sphere of this radius \[m\] about the origin.
    Ball {
        /// Radius \[m\].
        radius: f64,
    },
    /// The half-space below the origin: outward normal `+y` in the plane, `+z` in space; a line or a plane.
    HalfSpace,
    /// Convex polygon or polyhedron.
    Polytope(Arc<Polytope<D>>),
}

/// A shape attached to a body.
#[derive(Clone, Debug)]
pub struct Contactor<const D: usize> {
    /// Index of the body.
    pub body: u32,
    /// The form.
    pub shape: Shape<D>,
    /// Where the shape sits in the body's frame.
    pub local: Pose<D>,
}

/// One point where two contactors touch or nearly do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<const D: usize> {
    /// Candidate (side 0) and antagonist (side 1), as indices of contactors.
    pub contactors: [u32; 2],
    /// Which features touch; the same from step to step as long as they do, whichever face is the reference.
    pub feature: u64,
    /// Half way between the two surfaces, in world axes \[m\].
    pub point: Vector<D>,
    /// Columns: unit normal from antagonist to candidate, then tangents.
    pub frame: Matrix<D, D>,
    /// Signed distance along the normal, negative when the bodies overlap \[m\].
    pub gap: f64,
}

impl<const D: usize> Shape<D> {
    /// A ball, if the radius is positive and finite.
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        if radius.is_finite() && radius > 0.0 {
            Ok(Shape::Ball { radius })
        } else {
            Err(ShapeError::NotPositive { name: "the radius", value: radius })
        }
    }

    /// Radius of a ball about the origin of the shape's axes that holds it \[m\]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Shape::Ball { radius } => *radius,
            Shape::HalfSpace => f64::INFINITY,
            Shape::Polytope(polytope) => polytope.bounding_radius(),
        }
    }
}

impl<const D: usize> From<Polytope<D>> for Shape<D> {
    fn from(polytope: Polytope<D>) -> Self {
        Shape::Polytope(Arc::new(polytope))
    }
}
