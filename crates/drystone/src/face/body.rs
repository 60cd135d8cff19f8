//! A body as a user describes it: shape, density, place, motion. Mass, principal axes and contactors follow
//! from it.

use super::Coordinates;
use crate::population::Newcomer;
use crate::{
    ChangeError, Gyroscopic, MassProperties, Matrix, Orientation, Polytope, Pose, Shape, ShapeError,
    Simulation, Surface, Vector, decompose, principal_axes,
};
use drystone_math::nalgebra::Unit;
use drystone_math::portable;
use drystone_math::{PerDof, rigid_turns};
use drystone_state::{BodyHandle, GroupId};

/// The group of bodies that were given none.
const DEFAULT: &str = "default";

/// Shapes of one dimension, each where it sits.
type Parts<const D: usize> = Vec<(Shape<D>, Pose<D>)>;

#[derive(Clone, Debug)]
enum Form {
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
    form: Form,
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
            decompose(&corners).map_or_else(Form::Wrong, |pieces| Form::Plane(parts(pieces))),
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
        let form = shape.map_or_else(Form::Wrong, |shape| Form::Plane(vec![(shape, Pose::identity())]));
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
        let form = shape.map_or_else(Form::Wrong, |shape| Form::Space(vec![(shape, Pose::identity())]));
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
            _ => Self::new("block", Form::Wrong(ShapeError::Flat { dimension: 1 })),
        }
    }

    /// All that is below the origin, y in the plane and z in space: a floor, or, turned, a wall. It is fixed.
    pub fn half_space() -> Self {
        Self::new("half_space", Form::HalfSpace).fixed()
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
        let mut all: Option<Form> = None;
        for part in parts {
            all = match (all, part.placed()) {
                (None, form) | (_, form @ Form::Wrong(_)) => Some(form),
                (Some(Form::Plane(mut parts)), Form::Plane(more)) => {
                    parts.extend(more);
                    Some(Form::Plane(parts))
                }
                (Some(Form::Space(mut parts)), Form::Space(more)) => {
                    parts.extend(more);
                    Some(Form::Space(parts))
                }
                (Some(wrong @ Form::Wrong(_)), _) => Some(wrong),
                _ => Some(Form::Wrong(ShapeError::Flat { dimension: 2 })),
            };
        }
        Self::new("compound", all.unwrap_or(Form::Plane(Vec::new())))
    }

    fn new(kind: &'static str, form: Form) -> Self {
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
    fn placed(&self) -> Form {
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
            Form::Plane(parts) => moved(parts, self).map_or_else(Form::Wrong, Form::Plane),
            Form::Space(parts) => moved(parts, self).map_or_else(Form::Wrong, Form::Space),
            other => other.clone(),
        }
    }

    pub(super) fn in_plane(&self, name: &str) -> Result<Parts<2>, ChangeError> {
        match &self.form {
            Form::Plane(parts) => Ok(parts.clone()),
            Form::HalfSpace => Ok(vec![(Shape::HalfSpace, Pose::identity())]),
            Form::Space(_) => Err(self.other_dimension(name, 3, 2)),
            Form::Wrong(reason) => Err(ChangeError::Shape { body: name.into(), reason: reason.clone() }),
        }
    }

    pub(super) fn in_space(&self, name: &str) -> Result<Parts<3>, ChangeError> {
        match &self.form {
            Form::Space(parts) => Ok(parts.clone()),
            Form::HalfSpace => Ok(vec![(Shape::HalfSpace, Pose::identity())]),
            Form::Plane(_) => Err(self.other_dimension(name, 2, 3)),
            Form::Wrong(reason) => Err(ChangeError::Shape { body: name.into(), reason: reason.clone() }),
        }
    }

    fn other_dimension(&self, name: &str, found: usize, dimension: usize) -> ChangeError {
        ChangeError::OtherDimension { body: name.into(), found, dimension }
    }

    /// The body with all that follows from its description.
    pub(super) fn newcomer<const D: usize>(
        &self,
        parts: Parts<D>,
        name: String,
        group: GroupId,
    ) -> Result<Newcomer<D>, ChangeError> {
        let numbers = |what: &str, given: &Option<Coordinates>| -> Result<Vector<D>, ChangeError> {
            let what = format!("the {what} of body \"{name}\"");
            given.as_ref().map_or_else(|| Ok(Vector::zeros()), |given| given.vector(&what))
        };
        let bulk = bulk(&parts);
        let (moments, axes) = match &bulk {
            Some(bulk) => principal_axes(&bulk.inertia),
            None => (Vector::<3>::zeros(), Orientation::identity()),
        };
        let mass = self.masses::<D>(bulk.map(|bulk| bulk.volume), &moments, &name)?;
        let centroid = bulk.map_or_else(Vector::zeros, |bulk| bulk.centroid);
        let shape = Pose { position: numbers("position", &self.position)?, orientation: self.orientation };
        let pose = shape.compose(&Pose { position: centroid, orientation: axes });
        let linear = numbers("velocity", &self.velocity)?;
        let spin = self.own_spin::<D>(&pose.orientation, &name)?;
        let to_body = Pose { position: Vector::zeros(), orientation: axes.inverse() };
        let about = |(shape, local): (Shape<D>, Pose<D>)| {
            let moved = Pose { position: local.position - centroid, ..local };
            (shape, to_body.compose(&moved))
        };
        let parts: Parts<D> = parts.into_iter().map(about).collect();
        let reach = |(shape, local): &(Shape<D>, Pose<D>)| local.position.norm() + shape.bounding_radius();
        let round = (D..mass.len()).all(|c| (mass[c] - mass[D]).abs() <= 1e-12 * mass[D].abs());
        let body = drystone_state::Body {
            group,
            pose,
            velocity: PerDof::from_fn(|i| if i < D { linear[i] } else { spin[i - D] }),
            mass,
            driven: PerDof::repeat(self.fixed.then_some(0.0)),
            load: PerDof::zeros(),
            gyroscopic: if round || self.fixed { Gyroscopic::Omitted } else { Gyroscopic::Implicit },
            radius: parts.iter().map(reach).fold(0.0, f64::max),
            name,
        };
        Ok(Newcomer { body, parts, own_axes: axes })
    }

    /// Mass for every translation, then principal moments.
    fn masses<const D: usize>(
        &self,
        volume: Option<f64>,
        moments: &Vector<3>,
        name: &str,
    ) -> Result<PerDof<D>, ChangeError> {
        let positive = |what: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(value),
            false => {
                let what = format!("the {what} of body \"{name}\"");
                Err(ChangeError::Number { what, value, allowed: "positive numbers" })
            }
        };
        let (mass, scale) = match (volume, self.density, self.mass) {
            (Some(volume), _, Some(mass)) => (positive("mass", mass)?, mass / volume),
            (Some(volume), Some(density), None) => (positive("density", density)? * volume, density),
            // nothing can move it
            _ if self.fixed => (1.0, 0.0),
            _ => return Err(ChangeError::NoDensity(name.into())),
        };
        // in the plane the moment about z is the last of the three
        let moment = |component: usize| moments[3 - (rigid_turns(D)) + component] * scale;
        Ok(PerDof::from_fn(|i| match i < D {
            true => mass,
            false if scale == 0.0 => 1.0,
            false => moment(i - D),
        }))
    }

    /// The spin about the body's axes.
    fn own_spin<const D: usize>(
        &self,
        orientation: &Orientation,
        name: &str,
    ) -> Result<Vec<f64>, ChangeError> {
        let Some(spin) = self.spin else { return Ok(vec![0.0; rigid_turns(D)]) };
        let what = format!("the spin of body \"{name}\"");
        if spin.len() != rigid_turns(D) {
            return Err(ChangeError::Dimension { what, found: spin.len(), dimension: rigid_turns(D) });
        }
        if let Some(&value) = spin.iter().find(|x| !x.is_finite()) {
            return Err(ChangeError::Number { what, value, allowed: "finite numbers" });
        }
        Ok(match *spin {
            [x, y, z] => (orientation.inverse() * Vector::<3>::new(x, y, z)).as_slice().to_vec(),
            _ => spin.to_vec(),
        })
    }
}

/// Volume, centroid and inertia of parts that do not overlap; none where one of them has none, or there are
/// none.
fn bulk<const D: usize>(parts: &Parts<D>) -> Option<MassProperties<D>> {
    let each: Vec<(MassProperties<D>, &Pose<D>)> = parts
        .iter()
        .map(|(shape, pose)| shape.mass_properties().map(|bulk| (bulk, pose)))
        .collect::<Option<_>>()?;
    if let [(bulk, pose)] = each[..]
        && *pose == Pose::identity()
    {
        return Some(bulk);
    }
    let volume: f64 = each.iter().map(|(bulk, _)| bulk.volume).sum();
    if each.is_empty() || volume <= 0.0 || volume.is_nan() {
        return None;
    }
    let place = |(bulk, pose): &(MassProperties<D>, &Pose<D>)| pose.to_world(&bulk.centroid);
    let centroid = each.iter().map(|part| place(part) * (part.0.volume / volume)).sum::<Vector<D>>();
    let mut inertia = Matrix::<3, 3>::zeros();
    for part in &each {
        let arm = place(part) - centroid;
        let arm = Vector::<3>::from_fn(|i, _| if i < D { arm[i] } else { 0.0 });
        let turn = part.1.orientation.to_rotation_matrix();
        let moved = Matrix::<3, 3>::identity() * arm.norm_squared() - arm * arm.transpose();
        inertia += turn * part.0.inertia * turn.transpose() + moved * part.0.volume;
    }
    if let [_, _] = centroid.as_slice() {
        // a plane body has no other moment
        let about_z = inertia[(2, 2)];
        inertia = Matrix::zeros();
        inertia[(2, 2)] = about_z;
    }
    Some(MassProperties { volume, centroid, inertia })
}

impl<const D: usize> Simulation<D> {
    /// Adds a body as described, with the shapes it has in this dimension.
    pub(super) fn bring(
        &mut self,
        body: &Body,
        parts: impl Fn(&Body, &str) -> Result<Parts<D>, ChangeError>,
    ) -> Result<BodyHandle, ChangeError> {
        let name = match body.given_name() {
            Some(name) => name.to_string(),
            None => self.next_name(body.kind()),
        };
        if self.bodies.name.contains(&name) {
            return Err(ChangeError::NameTaken(name));
        }
        let parts = parts(body, &name)?;
        // a group comes with its first body
        let newcomer = body.newcomer::<D>(parts, name, GroupId(0))?;
        self.admit(&newcomer)?;
        self.begin_change();
        let group = self.group(body.group_name());
        let body = drystone_state::Body { group, ..newcomer.body };
        self.add(Newcomer { body, ..newcomer })
    }

    /// A name that nobody has: after a shape, with the number behind the largest.
    fn next_name(&self, kind: &str) -> String {
        let number = |name: &String| name.strip_prefix(kind)?.strip_prefix(' ')?.parse::<u64>().ok();
        let next = self.bodies.name.iter().filter_map(number).max().map_or(0, |last| last.saturating_add(1));
        format!("{kind} {next}")
    }
}
