//! The bodies: what they are, where they are, how they move.

use crate::{BodyId, GroupId, Velocities};
use drystone_math::{Orientation, PerDof, Pose};

/// How the gyroscopic moment `−Ω × JΩ` enters the step (Dubois, Acary, Jean 2018, §3.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase"),
    schemars(description = "Treatment of the gyroscopic moment.")
)]
pub enum Gyroscopic {
    /// Not at all: exact in the plane and for spheres and cubes, where it vanishes.
    #[default]
    Omitted,
    /// From the spin before the impulses of the step.
    Explicit,
    /// By Euler's equations of the free body before and after the impulses of the step, with the mid-point
    /// rule: angular momentum and energy are kept.
    Implicit,
}

/// One rigid body as it enters the simulation. Degrees of freedom: `D` of translation in world axes, then
/// spin in the body's axes (about z in the plane). The body frame sits at the centre of mass, its axes are
/// principal.
#[derive(Clone, Debug)]
pub struct Body<const D: usize> {
    /// Name, for messages and output.
    pub name: String,
    /// Group, for laws.
    pub group: GroupId,
    /// Centre of mass and principal axes.
    pub pose: Pose<D>,
    /// Velocity \[m/s\] in world axes, then spin \[rad/s\] in body axes.
    pub velocity: PerDof<D>,
    /// Mass \[kg\] for each translation (kg/m in the plane), then principal moments of inertia \[kg m²\].
    pub mass: PerDof<D>,
    /// Components whose velocity is prescribed; a fixed body has them all at 0.
    pub driven: PerDof<D, Option<f64>>,
    /// Given force \[N\] and moment \[N m\] in world axes, gravity apart.
    pub load: PerDof<D>,
    /// Treatment of the gyroscopic moment.
    pub gyroscopic: Gyroscopic,
    /// Radius of a ball about the centre of mass that holds the whole body \[m\]; infinite for half-spaces.
    pub radius: f64,
}

/// All bodies, a vector a field, indexed by [`BodyId`]. The velocities of all of them lie in one flat vector,
/// each with as many numbers as it has degrees of freedom.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bodies<const D: usize> {
    /// Names.
    pub name: Vec<String>,
    /// Groups.
    pub group: Vec<GroupId>,
    /// Centre of mass and principal axes.
    pub pose: Vec<Pose<D>>,
    /// Velocity \[m/s\] in world axes, then spin \[rad/s\] in body axes.
    pub velocity: Velocities,
    /// Mass, then principal moments of inertia.
    pub mass: Vec<PerDof<D>>,
    /// Its inverse, zero where the component is driven.
    pub inverse_mass: Vec<PerDof<D>>,
    /// Prescribed components.
    pub driven: Vec<PerDof<D, Option<f64>>>,
    /// Given force and moment in world axes.
    pub load: Vec<PerDof<D>>,
    /// Treatment of the gyroscopic moment.
    pub gyroscopic: Vec<Gyroscopic>,
    /// Radius about the centre of mass.
    pub radius: Vec<f64>,
    /// Turns principal axes into the axes in which people write and read the body, which are those of its
    /// shape.
    pub own_axes: Vec<Orientation>,
}

impl<const D: usize> Bodies<D> {
    /// No bodies yet.
    pub fn new() -> Self {
        Self {
            name: Vec::new(),
            group: Vec::new(),
            pose: Vec::new(),
            velocity: Velocities::new(),
            mass: Vec::new(),
            inverse_mass: Vec::new(),
            driven: Vec::new(),
            load: Vec::new(),
            gyroscopic: Vec::new(),
            radius: Vec::new(),
            own_axes: Vec::new(),
        }
    }

    /// Adds a body whose own axes are principal. Driven components take their prescribed velocity at once.
    pub fn push(&mut self, body: Body<D>) -> BodyId {
        let id = BodyId(self.len() as u32);
        let mut velocity = body.velocity;
        let mut inverse_mass = body.mass.map(|m| 1.0 / m);
        for (component, driven) in body.driven.iter().enumerate() {
            if let Some(given) = *driven {
                velocity[component] = given;
                inverse_mass[component] = 0.0;
            }
        }
        self.name.push(body.name);
        self.group.push(body.group);
        self.pose.push(body.pose);
        self.velocity.push(&velocity);
        self.mass.push(body.mass);
        self.inverse_mass.push(inverse_mass);
        self.driven.push(body.driven);
        self.load.push(body.load);
        self.gyroscopic.push(body.gyroscopic);
        self.radius.push(body.radius);
        self.own_axes.push(Orientation::identity());
        id
    }

    /// Velocity and spin of a rigid body, translation in world axes \[m/s\] and spin in body axes \[rad/s\].
    pub fn twist(&self, body: usize) -> PerDof<D> {
        PerDof::from_slice(&self.velocity[body])
    }

    /// Prescribes a component of the velocity of a body from the next step on, or lets it go. Its velocity
    /// stays as it is.
    pub fn prescribe(&mut self, body: usize, component: usize, velocity: Option<f64>) {
        self.driven[body][component] = velocity;
        self.inverse_mass[body][component] =
            if velocity.is_some() { 0.0 } else { 1.0 / self.mass[body][component] };
    }

    /// Removes the bodies that are not kept, one answer for each; those behind them move up in their order.
    pub fn retain(&mut self, kept: &[bool]) {
        retain(&mut self.name, kept);
        retain(&mut self.group, kept);
        retain(&mut self.pose, kept);
        self.velocity.retain(kept);
        retain(&mut self.mass, kept);
        retain(&mut self.inverse_mass, kept);
        retain(&mut self.driven, kept);
        retain(&mut self.load, kept);
        retain(&mut self.gyroscopic, kept);
        retain(&mut self.radius, kept);
        retain(&mut self.own_axes, kept);
    }

    /// The size that two bodies have in common \[m\]: the radius of the smaller one. Points and half-spaces
    /// have none of their own; 0 where neither body has one.
    pub fn size_of_pair(&self, a: usize, b: usize) -> f64 {
        let own = |body: usize| Some(self.radius[body]).filter(|&radius| radius > 0.0 && radius.is_finite());
        match (own(a), own(b)) {
            (Some(a), Some(b)) => a.min(b),
            (one, other) => one.or(other).unwrap_or(0.0),
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.name.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether every field has a value for each body, as those that a file gave must.
    pub fn is_whole(&self) -> bool {
        let lengths = [
            self.group.len(),
            self.pose.len(),
            self.velocity.len(),
            self.mass.len(),
            self.inverse_mass.len(),
            self.driven.len(),
            self.load.len(),
            self.gyroscopic.len(),
            self.radius.len(),
            self.own_axes.len(),
        ];
        lengths.iter().all(|&length| length == self.len())
    }

    /// Whether no impulse can move the body: every component is driven.
    pub fn is_driven(&self, body: usize) -> bool {
        self.driven[body].iter().all(Option::is_some)
    }
}

/// Keeps the items that are marked, in their order; those without a mark go.
pub fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        kept.get(index - 1).copied().unwrap_or(false)
    });
}
