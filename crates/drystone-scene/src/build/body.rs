//! One body: mass, principal axes, motion. Lays out no other.

use crate::geometry::{Solid, vector};
use crate::place::{Place, Problems};
use crate::spec::{BodySpec, Components, Inertia, SceneSpec};
use crate::validate::show;
use drystone::{Body, GroupId, Gyroscopic, PerDof, Pose, Vector, rigid_turns};
use drystone_math::Orientation;
use drystone_math::nalgebra::{Matrix3, UnitVector3, Vector3};
use drystone_math::portable;

/// One body with what it needs to become one.
pub(super) struct BodyMaker<'a, const D: usize> {
    pub(super) body: &'a BodySpec,
    pub(super) solid: &'a Solid<D>,
    pub(super) spec: &'a SceneSpec,
    pub(super) place: &'a Place<'a>,
}

impl<const D: usize> BodyMaker<'_, D> {
    /// The body, and the pose of its shape in the body's frame.
    pub(super) fn make(&self, group: GroupId, problems: &mut Problems) -> Option<(Body<D>, Pose<D>)> {
        let (body, solid) = (self.body, self.solid);
        let given = body.inertia.as_ref().map(given);
        let axes = given.map_or(solid.axes, |(_, axes)| axes);
        let shape = Pose {
            position: vector(body.position.as_deref().unwrap_or(&[])),
            orientation: self.orientation(),
        };
        let centre = Pose { position: solid.centroid, orientation: axes };
        let driven = self.driven(&axes, problems)?;
        let is_driven = driven.iter().all(Option::is_some);
        let mass = self.mass(given.map(|(moments, _)| moments), &driven, problems)?;
        let spin = body.spin.as_ref().map_or(&[][..], Components::as_slice);
        let made = Body {
            name: body.name.clone(),
            group,
            pose: shape.compose(&centre),
            velocity: join(body.velocity.as_deref().unwrap_or(&[]), &to_body::<D>(&axes, spin)),
            mass,
            driven,
            load: self.load(),
            gyroscopic: gyroscopic::<D>(body.gyroscopic, is_driven, &mass),
            radius: solid.radius,
        };
        Some((made, Pose { position: Vector::zeros(), orientation: axes.inverse() }))
    }

    /// Where the shape stands, and its velocity and its spin about its own axes.
    pub(super) fn start(&self) -> (Pose<D>, PerDof<D>) {
        let position = vector(self.body.position.as_deref().unwrap_or(&[]));
        let spin = self.body.spin.as_ref().map_or(&[][..], Components::as_slice);
        let pose = Pose { position, orientation: self.orientation() };
        (pose, join(self.body.velocity.as_deref().unwrap_or(&[]), spin))
    }

    fn orientation(&self) -> Orientation {
        match (self.body.angle, self.body.orientation_wxyz.as_deref()) {
            (Some(angle), _) => portable::turn(&UnitVector3::new_unchecked(Vector3::z()), angle),
            (None, Some(&[w, x, y, z])) => Pose::<D>::orientation_from_wxyz([w, x, y, z]),
            _ => Orientation::identity(),
        }
    }

    /// Prescribed components, spin brought to body axes.
    fn driven(&self, axes: &Orientation, problems: &mut Problems) -> Option<PerDof<D, Option<f64>>> {
        if self.body.fixed {
            return Some(PerDof::repeat(Some(0.0)));
        }
        let Some(drive) = &self.body.drive else {
            return Some(PerDof::default());
        };
        let keys: &[Option<f64>] = match D {
            2 => &[drive.x, drive.y, drive.spin],
            _ => &[drive.x, drive.y, drive.z, drive.spin_x, drive.spin_y, drive.spin_z],
        };
        let mut driven = PerDof::<D, Option<f64>>::from_slice(keys);
        let spins: Vec<f64> = driven[D..].iter().copied().flatten().collect();
        if *axes == Orientation::identity() || spins.is_empty() {
            return Some(driven);
        }
        if spins.len() < rigid_turns(D) {
            let text = "prescribes part of the spin, but the shape's axes are not principal; prescribe all three spins, \
                        or give the shape in its principal axes";
            problems.of(&self.place.key("drive"), text);
            return None;
        }
        for (component, spin) in driven[D..].iter_mut().zip(to_body::<D>(axes, &spins)) {
            *component = Some(spin);
        }
        Some(driven)
    }

    /// Mass for every translation, then moments; zero where no density is given, since the component is
    /// driven.
    fn mass(
        &self,
        given: Option<Vector3<f64>>,
        driven: &PerDof<D, Option<f64>>,
        problems: &mut Problems,
    ) -> Option<PerDof<D>> {
        let density = self.spec.density_of(self.body);
        let (mass, moments) = match (self.solid.bulk, density, self.body.mass) {
            (Some((volume, moments)), Some(density), _) => (density * volume, moments * density),
            (Some((volume, moments)), None, Some(mass)) => (mass, moments * (mass / volume)),
            (None, _, Some(mass)) => (mass, Vector3::zeros()),
            _ => (0.0, Vector3::zeros()),
        };
        let moments = given.unwrap_or(moments);
        // in the plane the moment about z is the last of the three
        let inertia = &moments.as_slice()[3 - rigid_turns(D)..];
        let all: PerDof<D> = join(&[mass; D], inertia);
        for (component, &value) in all.iter().enumerate() {
            if driven[component].is_none() && !(value > 0.0 && value.is_finite()) {
                let name = if component < D { "mass" } else { "inertia" };
                let text = format!("is free to move, but its {name} comes out as {}", show(value));
                problems.of(self.place, text);
                return None;
            }
        }
        Some(all)
    }

    pub(super) fn load(&self) -> PerDof<D> {
        let Some(load) = &self.body.load else {
            return PerDof::zeros();
        };
        let keys: &[Option<f64>] = match D {
            2 => &[load.x, load.y, load.moment],
            _ => &[load.x, load.y, load.z, load.moment_x, load.moment_y, load.moment_z],
        };
        PerDof::from_fn(|row| keys.get(row).copied().flatten().unwrap_or(0.0))
    }
}

/// Translation, then rotation.
fn join<const D: usize>(translation: &[f64], rotation: &[f64]) -> PerDof<D> {
    let mut numbers = translation.iter().chain(rotation);
    PerDof::from_fn(|_| numbers.next().copied().unwrap_or(0.0))
}

/// Moments given by hand, and the rotation that turns the axes in which they are principal into those of the
/// shape.
fn given(inertia: &Inertia) -> (Vector3<f64>, Orientation) {
    match inertia {
        Inertia::Moment(moment) => (Vector3::new(0.0, 0.0, *moment), Orientation::identity()),
        Inertia::Moments(moments) => {
            (Vector3::from_fn(|axis, _| moments.get(axis).copied().unwrap_or(0.0)), Orientation::identity())
        }
        Inertia::Tensor(rows) => {
            let entry = |row: usize, column: usize| rows.get(row).and_then(|row| row.get(column)).copied();
            let tensor = Matrix3::from_fn(|row, column| entry(row, column).unwrap_or(0.0));
            drystone::principal_axes(&((tensor + tensor.transpose()) * 0.5))
        }
    }
}

/// A spin about the axes of the shape, about those of the body.
fn to_body<const D: usize>(axes: &Orientation, spin: &[f64]) -> Vec<f64> {
    match *spin {
        [x, y, z] if D == 3 && *axes != Orientation::identity() => {
            (axes.inverse() * Vector3::new(x, y, z)).as_slice().to_vec()
        }
        _ => spin.to_vec(),
    }
}

/// The treatment asked for, or the cheapest exact one.
fn gyroscopic<const D: usize>(asked: Option<Gyroscopic>, is_driven: bool, mass: &PerDof<D>) -> Gyroscopic {
    asked.unwrap_or_else(|| {
        let moments = &mass[D..];
        let (low, high) =
            moments.iter().fold((f64::MAX, 0.0f64), |(low, high), &m| (low.min(m), high.max(m)));
        let isotropic = high - low <= 1e-12 * high;
        if D == 2 || is_driven || isotropic { Gyroscopic::Omitted } else { Gyroscopic::Implicit }
    })
}
