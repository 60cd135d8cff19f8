//! A body as a user describes it: shape, density, place, motion. What follows from it is found in `newcomer`.

mod newcomer;

use super::Coordinates;
use crate::{Orientation, Polytope, Pose, Shape, ShapeError, Surface, Vector, decompose};
use drystone_math::nalgebra::Unit;
use drystone_math::portable;

/// The group of bodies that were given none.
const DEFAULT: &str = "default";

/// Shapes of one dimension, each where it sits.
type Parts<const D: usize> = Vec<(Shape<D>, Pose<D>)>;

#[derive(Clone, Debug)]
enum BodyForm {
    Plane(Parts<2>),
    Space(Parts<3>),
    /// Fits either dimension.
    HalfSpace,
    Wrong(ShapeError),
}

/// A body to be: first its shape, then, in any order, what else it is.
///
/// ```
/// use drystone::prelude::*;
/// let stone = Body::block([0.4, 0.2]).density(2400.0).at([0.0, 0.1]).angle(0.05).named("stone");
/// let wall = Body::half_space().at([1.0, 0.0]).angle(std::f64::consts::FRAC_PI_2).group("walls");
/// let ball = Body::sphere(0.1).mass(3.0).velocity([0.0, 0.0, -2.0]).spin([10.0, 0.0, 0.0]);
/// # let _ = (stone, wall, ball);
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    kind: &'static str,
    form: BodyForm,
    name: Option<String>,
    group: String,
    density: Option<f64>,
    mass: Option<f64>,
    position: Option<Coordinates>,
    orientation: Orientation,
    velocity: Option<Coordinates>,
    spin: Option<Coordinates>,
    fixed: bool,
}

/// Shapes of the plane.
impl Body {
    /// A disk of this radius \[m\].
    pub fn disk(radius: f64) -> Self {
        Self::plane("disk", Shape::ball(radius))
    }

    /// A convex polygon with these corners \[m\], in either order.
    pub fn polygon(corners: &[[f64; 2]]) -> Self {
        let corners = corners.iter().map(|&corner| corner.into()).collect();
        Self::plane("polygon", Polytope::polygon(corners).map(Shape::from))
    }

    /// A polygon that need not be convex: it is cut into convex pieces.
    pub fn any_polygon(corners: &[[f64; 2]]) -> Self {
        let corners: Vec<Vector<2>> = corners.iter().map(|&corner| corner.into()).collect();
        let parts = |pieces: Vec<Polytope<2>>| -> Parts<2> {
            pieces.into_iter().map(|piece| (piece.into(), Pose::identity())).collect()
        };
        Self::new(
            "polygon",
            decompose(&corners).map_or_else(BodyForm::Wrong, |pieces| BodyForm::Plane(parts(pieces))),
        )
    }

    /// Terrain or a rough wall: a polyline, touched from its left side on the way from the first point to the
    /// last. It has no mass.
    pub fn polyline(points: &[[f64; 2]]) -> Self {
        let points = points.iter().map(|&point| point.into()).collect();
        Self::plane("polyline", Surface::polyline(points).map(Shape::from)).fixed()
    }

    /// The inside of a circle of this radius \[m\]: a drum. It has no mass.
    pub fn drum(radius: f64) -> Self {
        Self::plane("drum", Shape::hollow_disk(radius)).fixed()
    }

    fn plane(kind: &'static str, shape: Result<Shape<2>, ShapeError>) -> Self {
        let form =
            shape.map_or_else(BodyForm::Wrong, |shape| BodyForm::Plane(vec![(shape, Pose::identity())]));
        Self::new(kind, form)
    }
}

/// Shapes of space.
impl Body {
    /// A sphere of this radius \[m\].
    pub fn sphere(radius: f64) -> Self {
        Self::space("sphere", Shape::ball(radius))
    }

    /// A solid cylinder of this radius and height \[m\], its axis along z.
    pub fn cylinder(radius: f64, height: f64) -> Self {
        Self::space("cylinder", Shape::cylinder(radius, height))
    }

    /// The inside of a tube of this radius and height \[m\] about z, open at both ends: a silo. It has no
    /// mass.
    pub fn tube(radius: f64, height: f64) -> Self {
        Self::space("tube", Shape::hollow_cylinder(radius, height)).fixed()
    }

    /// A convex polyhedron with these corners \[m\] and faces, each the numbers of its corners in order
    /// around it.
    pub fn polyhedron(corners: &[[f64; 3]], faces: &[Vec<usize>]) -> Self {
        let corners = corners.iter().map(|&corner| corner.into()).collect();
        Self::space("polyhedron", Polytope::polyhedron(corners, faces.to_vec()).map(Shape::from))
    }

    /// A triangulated surface, touched from its outer side: counter-clockwise seen from there. Closed, it is
    /// a body of any form with a mass; open, it is terrain or a wall, which has none and is fixed.
    pub fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        let corners: Vec<Vector<3>> = corners.iter().map(|&corner| corner.into()).collect();
        let surface = Surface::triangles(corners, triangles.to_vec());
        let is_open = surface.as_ref().is_ok_and(|surface| !surface.is_closed());
        let body = Self::space("mesh", surface.map(Shape::from));
        if is_open { body.fixed() } else { body }
    }

    fn space(kind: &'static str, shape: Result<Shape<3>, ShapeError>) -> Self {
        let form =
            shape.map_or_else(BodyForm::Wrong, |shape| BodyForm::Space(vec![(shape, Pose::identity())]));
        Self::new(kind, form)
    }
}

/// Shapes of both.
impl Body {
    /// A rectangle or a box of these sides \[m\], two or three.
    pub fn block(sides: impl Into<Coordinates>) -> Self {
        match *sides.into() {
            [x, y] => Self::plane("block", Polytope::rectangle([x, y]).map(Shape::from)),
            [x, y, z] => Self::space("block", Polytope::cuboid([x, y, z]).map(Shape::from)),
            _ => Self::new("block", BodyForm::Wrong(ShapeError::Flat { dimension: 1 })),
        }
    }

    /// All that is below the origin, y in the plane and z in space: a floor, or, turned, a wall. It is fixed.
    pub fn half_space() -> Self {
        Self::new("half_space", BodyForm::HalfSpace).fixed()
    }

    /// Any shape of the plane.
    pub fn plane_shape(shape: Shape<2>) -> Self {
        Self::plane("body", Ok(shape))
    }

    /// Any shape of space.
    pub fn space_shape(shape: Shape<3>) -> Self {
        Self::space("body", Ok(shape))
    }

    /// Several bodies as one, each where it is placed; what else they are is forgotten. Where they overlap,
    /// mass counts twice.
    pub fn compound(parts: impl IntoIterator<Item = Body>) -> Self {
        let mut all: Option<BodyForm> = None;
        for part in parts {
            all = match (all, part.placed()) {
                (None, form) | (_, form @ BodyForm::Wrong(_)) => Some(form),
                (Some(BodyForm::Plane(mut parts)), BodyForm::Plane(more)) => {
                    parts.extend(more);
                    Some(BodyForm::Plane(parts))
                }
                (Some(BodyForm::Space(mut parts)), BodyForm::Space(more)) => {
                    parts.extend(more);
                    Some(BodyForm::Space(parts))
                }
                (Some(wrong @ BodyForm::Wrong(_)), _) => Some(wrong),
                _ => Some(BodyForm::Wrong(ShapeError::Flat { dimension: 2 })),
            };
        }
        Self::new("compound", all.unwrap_or(BodyForm::Plane(Vec::new())))
    }

    fn new(kind: &'static str, form: BodyForm) -> Self {
        Self {
            kind,
            form,
            name: None,
            group: DEFAULT.into(),
            density: None,
            mass: None,
            position: None,
            orientation: Orientation::identity(),
            velocity: None,
            spin: None,
            fixed: false,
        }
    }
}

/// What else it is.
impl Body {
    /// Density \[kg/m³\], in the plane \[kg/m²\].
    pub fn density(mut self, density: f64) -> Self {
        self.density = Some(density);
        self
    }

    /// Mass \[kg\], in the plane \[kg/m\], instead of a density.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// Where the origin of the shape is put \[m\].
    pub fn at(mut self, position: impl Into<Coordinates>) -> Self {
        self.position = Some(position.into());
        self
    }

    /// Turns the shape about its origin by an angle about z \[rad\].
    pub fn angle(mut self, angle: f64) -> Self {
        self.orientation = portable::turn(&Vector::<3>::z_axis(), angle);
        self
    }

    /// Turns the shape about its origin, in space: a rotation vector, axis times angle \[rad\].
    pub fn turned(mut self, rotation: [f64; 3]) -> Self {
        self.orientation = match Unit::try_new_and_get(Vector::<3>::from(rotation), 0.0) {
            Some((axis, angle)) => portable::turn(&axis, angle),
            None => Orientation::identity(),
        };
        self
    }

    /// Velocity of the centre of mass \[m/s\].
    pub fn velocity(mut self, velocity: impl Into<Coordinates>) -> Self {
        self.velocity = Some(velocity.into());
        self
    }

    /// Spin \[rad/s\]: one number in the plane, three in space, in world axes.
    pub fn spin(mut self, spin: impl Into<Coordinates>) -> Self {
        self.spin = Some(spin.into());
        self
    }

    /// Holds it where it is. It needs no density.
    pub fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// Its name, no other's; without one it is called after its shape and a number, as "disk 7".
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Its group, for laws; "default" without.
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = group.into();
        self
    }
}

impl Body {
    pub(super) fn group_name(&self) -> &str {
        &self.group
    }

    pub(super) fn given_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Its shapes, placed as it is.
    fn placed(&self) -> BodyForm {
        fn moved<const D: usize>(parts: &Parts<D>, body: &Body) -> Result<Parts<D>, ShapeError> {
            let position = body.position.map(|at| at.vector("a position"));
            let position = match position {
                Some(Err(_)) => return Err(ShapeError::Flat { dimension: D }),
                Some(Ok(position)) => position,
                None => Vector::zeros(),
            };
            let pose = Pose { position, orientation: body.orientation };
            Ok(parts.iter().map(|(shape, local)| (shape.clone(), pose.compose(local))).collect())
        }
        match &self.form {
            BodyForm::Plane(parts) => moved(parts, self).map_or_else(BodyForm::Wrong, BodyForm::Plane),
            BodyForm::Space(parts) => moved(parts, self).map_or_else(BodyForm::Wrong, BodyForm::Space),
            other => other.clone(),
        }
    }
}
