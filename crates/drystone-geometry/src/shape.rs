//! What a body shows to the others. It places nothing and finds no contact: see `pairs`.

use drystone_math::{Pose, portable};
use std::sync::Arc;

use crate::{Polytope, ShapeError, SkinShape, Surface, error};

/// The form of a contactor in its own axes. One enum serves the plane and space.
///
/// Balls, points, capsules and rounded polytopes are all a core (a point, a segment, a polytope) grown by a
/// radius, and share their algorithms. Half-spaces, hollow shapes and surfaces are walls: they have an
/// outside only.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape<const D: usize> {
    /// Disk or sphere of this radius \[m\] about the origin. Made by [`Shape::ball`].
    Ball {
        /// Radius \[m\].
        radius: f64,
    },
    /// The half-space below the origin: outward normal `+y` in the plane, `+z` in space; a line or a plane.
    HalfSpace,
    /// Convex polygon or polyhedron. Made from a [`Polytope`] with `into()`.
    Polytope(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::restored::restored"))]
        Arc<Polytope<D>>,
    ),
    /// The origin: a ball without radius, for probes and the nodes of other bodies. It has no mass.
    Point,
    /// All points within the radius of a segment: along y in the plane, along z in space, from `-half_length`
    /// to `half_length`. Made by [`Shape::capsule`].
    Capsule {
        /// Half the length of the core segment, caps apart \[m\].
        half_length: f64,
        /// Radius \[m\].
        radius: f64,
    },
    /// All points within the radius of a convex core: a rounded rectangle, a pebble with flat faces. Made by
    /// [`Shape::rounded`] and [`Shape::rounded_rectangle`].
    Rounded {
        /// The core.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::restored::restored"))]
        core: Arc<Polytope<D>>,
        /// Radius \[m\].
        radius: f64,
    },
    /// Solid right circular cylinder about z, from `-half_height` to `half_height`; in space only. Made by
    /// [`Shape::cylinder`].
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Half the height \[m\].
        half_height: f64,
    },
    /// The inside of a circle (a drum in the plane) or of a tube about z open at both ends (a silo): others
    /// touch it from within. It has no mass. Made by [`Shape::hollow_disk`] and [`Shape::hollow_cylinder`].
    Hollow {
        /// Inner radius \[m\].
        radius: f64,
        /// Half the length of the tube \[m\]; infinite in the plane.
        half_height: f64,
    },
    /// Polyline or triangulated surface, open or closed, touched from its outer side only: terrain, a rough
    /// wall, a star, a funnel, a height field. Made from a [`Surface`] with `into()`.
    Surface(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::restored::restored"))] Arc<Surface<D>>,
    ),
    /// Boundary of a deformable body, whose vertices move. Made from a [`SkinShape`] with `into()`.
    Skin(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::restored::restored"))]
        Arc<SkinShape<D>>,
    ),
}

/// A shape attached to a body.
#[doc(alias = "collider")]
#[doc(alias = "proxy")]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contactor<const D: usize> {
    /// Index of the body.
    pub body: u32,
    /// The form.
    pub shape: Shape<D>,
    /// Where the shape sits in the body's frame.
    pub local: Pose<D>,
}

impl<const D: usize> Shape<D> {
    /// A ball, if the radius \[m\] is positive and finite.
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        error::check_positive("the radius", radius)?;
        Ok(Shape::Ball { radius })
    }

    /// A capsule whose core segment has this length \[m\] and whose caps have this radius \[m\]; the whole
    /// measures `length + 2 radius`. The core lies along y in the plane, along z in space.
    pub fn capsule(length: f64, radius: f64) -> Result<Self, ShapeError> {
        error::check_positive("the length", length)?;
        error::check_positive("the radius", radius)?;
        Ok(Shape::Capsule { half_length: 0.5 * length, radius })
    }

    /// A convex core grown by a radius \[m\]: each face moves out by it, edges and corners become round.
    pub fn rounded(core: Polytope<D>, radius: f64) -> Result<Self, ShapeError> {
        error::check_positive("the radius", radius)?;
        Ok(Shape::Rounded { core: Arc::new(core), radius })
    }

    /// Radius of a ball about the origin of the shape's axes that holds it \[m\]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Shape::Ball { radius } => *radius,
            Shape::HalfSpace => f64::INFINITY,
            Shape::Polytope(polytope) => polytope.bounding_radius(),
            Shape::Point => 0.0,
            Shape::Capsule { half_length, radius } => half_length + radius,
            Shape::Rounded { core, radius } => core.bounding_radius() + radius,
            Shape::Cylinder { radius, half_height } => portable::hypot(*radius, *half_height),
            Shape::Hollow { radius, half_height } if D == 3 => portable::hypot(*radius, *half_height),
            Shape::Hollow { radius, .. } => *radius,
            Shape::Surface(surface) => surface.bounding_radius(),
            Shape::Skin(skin) => skin.bounding_radius(),
        }
    }

    /// Whether the shape has edges that others can pass: polytopes, cylinders and surfaces.
    pub fn is_sharp(&self) -> bool {
        matches!(self, Shape::Polytope(_) | Shape::Cylinder { .. } | Shape::Surface(_))
    }

    /// Whether the shape is round all over, or a wall without edges: then nothing about it is passed that
    /// does not part.
    pub fn is_smooth(&self) -> bool {
        !self.is_sharp() && !matches!(self, Shape::Rounded { .. })
    }

    /// Whether others can touch the shape from one side only and it encloses nothing: half-spaces, hollow
    /// shapes and open surfaces. Two walls never meet.
    pub fn is_wall(&self) -> bool {
        match self {
            Shape::HalfSpace | Shape::Hollow { .. } => true,
            Shape::Surface(surface) => !surface.is_closed(),
            _ => false,
        }
    }
}

impl Shape<2> {
    /// A rectangle of these outer sides \[m\] about the origin whose corners are rounded with this radius
    /// \[m\]. A side of twice the radius makes a capsule.
    pub fn rounded_rectangle(size: [f64; 2], radius: f64) -> Result<Self, ShapeError> {
        error::check_sides(&size)?;
        error::check_positive("the radius", radius)?;
        let [x, y] = size.map(|side| side - 2.0 * radius);
        if x < 0.0 || y < 0.0 {
            return Err(ShapeError::TooRound { radius, side: size[0].min(size[1]) });
        }
        // a core without thickness is a segment or a point
        let none = 1e-9 * size[0].max(size[1]);
        match (x > none, y > none) {
            (true, true) => Self::rounded(Polytope::rectangle([x, y])?, radius),
            (false, false) => Self::ball(radius),
            (false, true) => Self::capsule(y, radius),
            (true, false) => Self::rounded(Polytope::flat(x)?, radius),
        }
    }

    /// The inside of a circle of this radius \[m\] about the origin.
    pub fn hollow_disk(radius: f64) -> Result<Self, ShapeError> {
        error::check_positive("the radius", radius)?;
        Ok(Shape::Hollow { radius, half_height: f64::INFINITY })
    }
}

impl Shape<3> {
    /// A solid cylinder of this radius and height \[m\] about the origin, its axis along z.
    pub fn cylinder(radius: f64, height: f64) -> Result<Self, ShapeError> {
        error::check_positive("the radius", radius)?;
        error::check_positive("the height", height)?;
        Ok(Shape::Cylinder { radius, half_height: 0.5 * height })
    }

    /// The inside of a tube of this radius and height \[m\] about the origin, its axis along z, open at both
    /// ends.
    pub fn hollow_cylinder(radius: f64, height: f64) -> Result<Self, ShapeError> {
        error::check_positive("the radius", radius)?;
        error::check_positive("the height", height)?;
        Ok(Shape::Hollow { radius, half_height: 0.5 * height })
    }
}

impl<const D: usize> From<Polytope<D>> for Shape<D> {
    fn from(polytope: Polytope<D>) -> Self {
        Shape::Polytope(Arc::new(polytope))
    }
}

impl<const D: usize> From<SkinShape<D>> for Shape<D> {
    fn from(skin: SkinShape<D>) -> Self {
        Shape::Skin(Arc::new(skin))
    }
}

impl<const D: usize> From<Surface<D>> for Shape<D> {
    fn from(surface: Surface<D>) -> Self {
        Shape::Surface(Arc::new(surface))
    }
}
