//! What follows from the description of a body: mass, principal axes, contactors, its place among the others.
//! Knows no shape by name.

use super::super::Coordinates;
use super::{Body, BodyForm, Parts};
use crate::population::Newcomer;
use crate::{
    ChangeError, Gyroscopic, MassProperties, Matrix, Orientation, Pose, Shape, Simulation, Vector,
    principal_axes,
};
use drystone_math::{PerDof, rigid_turns};
use drystone_state::{BodyHandle, GroupId};

impl Body {
    pub(in crate::face) fn in_plane(&self, name: &str) -> Result<Parts<2>, ChangeError> {
        match &self.form {
            BodyForm::Plane(parts) => Ok(parts.clone()),
            BodyForm::HalfSpace => Ok(vec![(Shape::HalfSpace, Pose::identity())]),
            BodyForm::Space(_) => Err(self.other_dimension(name, 3, 2)),
            BodyForm::Wrong(reason) => Err(ChangeError::Shape { body: name.into(), reason: reason.clone() }),
        }
    }

    pub(in crate::face) fn in_space(&self, name: &str) -> Result<Parts<3>, ChangeError> {
        match &self.form {
            BodyForm::Space(parts) => Ok(parts.clone()),
            BodyForm::HalfSpace => Ok(vec![(Shape::HalfSpace, Pose::identity())]),
            BodyForm::Plane(_) => Err(self.other_dimension(name, 2, 3)),
            BodyForm::Wrong(reason) => Err(ChangeError::Shape { body: name.into(), reason: reason.clone() }),
        }
    }

    fn other_dimension(&self, name: &str, found: usize, dimension: usize) -> ChangeError {
        ChangeError::OtherDimension { body: name.into(), found, dimension }
    }

    /// The body with all that follows from its description.
    pub(in crate::face) fn newcomer<const D: usize>(
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
    pub(in crate::face) fn bring(
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
