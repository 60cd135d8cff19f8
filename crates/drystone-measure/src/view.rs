//! One frame as measures see it: plain numbers in three dimensions (z = 0 in the plane), from a simulation or
//! from a file. Computes nothing but where things are.

use drystone::{AnySimulation, BodyHandle, BodyId, Energy, Orientation, Pose, Simulation, Status, Vector};
use std::collections::HashMap;

/// A body in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyView {
    /// Centre of mass \[m\].
    pub position: Vector<3>,
    /// Orientation of the axes of its shape.
    pub orientation: Orientation,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: Vector<3>,
    /// Mass \[kg\], in the plane \[kg/m\].
    pub mass: f64,
    /// Volume \[m³\], in the plane area \[m²\]; 0 of walls without an end.
    pub volume: f64,
    /// Radius of a ball about the centre of mass that holds the body \[m\]; 0 of walls without an end.
    pub radius: f64,
    /// Index of its group.
    pub group: u32,
    /// Whether nothing of it is held or driven.
    pub is_free: bool,
    /// Where it was when it came, and how it was turned then; none where that is not known.
    pub start: Option<Pose<3>>,
}

/// A contact in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// Candidate and antagonist, as indices of bodies.
    pub bodies: [usize; 2],
    /// Contact point \[m\].
    pub point: Vector<3>,
    /// Unit normal from antagonist to candidate.
    pub normal: Vector<3>,
    /// Mean force over the step on the candidate \[N\].
    pub force: Vector<3>,
    /// Signed distance \[m\].
    pub gap: f64,
    /// Open, stick or slip.
    pub status: Status,
    /// Area that it stands for \[m²\], in the plane length \[m\]; none where it is a point, or not known.
    pub area: Option<f64>,
    /// What it dissipated in the last step, over the step; none where that is not known.
    pub power: Option<ContactPower>,
}

/// The power that a contact dissipates, by cause \[W\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPower {
    /// Of friction: minus the power of the tangential force, of rolling and twisting too.
    pub friction: f64,
    /// Of shocks: minus the power of the normal force.
    pub shocks: f64,
    /// Of bonds that break.
    pub cohesion: f64,
    /// Of viscosity.
    pub viscosity: f64,
}

impl ContactPower {
    /// All of it \[W\].
    pub fn total(&self) -> f64 {
        self.friction + self.shocks + self.cohesion + self.viscosity
    }
}

impl ContactView {
    /// Normal force, compression positive \[N\].
    pub fn normal_force(&self) -> f64 {
        self.force.dot(&self.normal)
    }

    /// Tangential force on the candidate \[N\].
    pub fn tangential_force(&self) -> Vector<3> {
        self.force - self.normal * self.normal_force()
    }

    /// Whether the bodies push each other.
    pub fn is_loaded(&self) -> bool {
        self.status != Status::Open
    }
}

/// One frame of a run.
#[derive(Clone, Debug)]
pub struct FrameView<'a> {
    /// 2 or 3.
    pub dimension: usize,
    /// Time \[s\].
    pub time: f64,
    /// By how much later than the contacts the bodies are shown \[s\]: contacts are found at the middle
    /// configuration, `θh` before the end of the step.
    pub lag: f64,
    /// Periods of the cell along x and y \[m\], where it repeats.
    pub periods: [Option<f64>; 2],
    /// Names of the bodies.
    pub names: &'a [String],
    /// Names of the groups.
    pub groups: &'a [String],
    /// The bodies.
    pub bodies: Vec<BodyView>,
    /// The contacts of the last step.
    pub contacts: Vec<ContactView>,
    /// The energies so far.
    pub energy: Option<Energy>,
}

impl FrameView<'_> {
    /// The vector to the nearest image.
    pub fn nearest(&self, mut apart: Vector<3>) -> Vector<3> {
        for (axis, period) in self.periods.iter().enumerate() {
            if let Some(period) = period {
                apart[axis] -= period * (apart[axis] / period).round();
            }
        }
        apart
    }

    /// Where a body was when its contacts were found \[m\].
    pub fn middle(&self, body: usize) -> Vector<3> {
        self.bodies[body].position - self.bodies[body].velocity * self.lag
    }

    /// From the centre of a body to a contact of it \[m\].
    pub fn arm(&self, body: usize, contact: &ContactView) -> Vector<3> {
        self.nearest(contact.point - self.middle(body))
    }

    /// How far a body went since it came \[m\].
    pub fn displacement(&self, body: usize) -> Option<Vector<3>> {
        let body = &self.bodies[body];
        body.start.map(|start| self.nearest(body.position - start.position))
    }
}

/// What is known of bodies that does not change in time, to be taken as a run begins: where they were, and
/// their volumes. Bodies that come later have none of the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    bodies: HashMap<BodyHandle, Known>,
}

/// A body as it came.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    pose: Pose<3>,
    volume: f64,
    radius: f64,
}

impl Known {
    /// Its volume once its radius is another one: all its lengths grow alike.
    fn volume_at<const D: usize>(&self, radius: f64) -> f64 {
        match radius == self.radius {
            true => self.volume,
            false => (0..D).fold(self.volume, |volume, _| volume * (radius / self.radius)),
        }
    }
}

impl Reference {
    /// The simulation as it is now.
    pub fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        Self::with_volumes(simulation, &volumes(simulation))
    }

    /// The same with volumes that somebody knows better than [`volumes`] does, one for each body.
    pub fn with_volumes<const D: usize>(simulation: &Simulation<D>, volumes: &[f64]) -> Self {
        let one = |(body, volume): (usize, &f64)| {
            let handle = simulation.handle(BodyId(body as u32))?;
            let radius = simulation.bodies().radius[body];
            Some((handle, Known { pose: pose(simulation, body), volume: *volume, radius }))
        };
        Self { bodies: volumes.iter().enumerate().filter_map(one).collect() }
    }

    /// The same of either dimension.
    pub fn of_any(simulation: &AnySimulation) -> Self {
        match simulation {
            AnySimulation::Plane(simulation) => Self::of(simulation),
            AnySimulation::Space(simulation) => Self::of(simulation),
        }
    }

    fn is_whole<const D: usize>(&self, simulation: &Simulation<D>) -> bool {
        let count = simulation.bodies().len() as u32;
        (0..count).all(|body| {
            simulation.handle(BodyId(body)).is_some_and(|handle| self.bodies.contains_key(&handle))
        })
    }
}

/// Volume of every body \[m³\], in the plane area \[m²\]: the sum over its parts, those that lie in each
/// other counted each.
pub fn volumes<const D: usize>(simulation: &Simulation<D>) -> Vec<f64> {
    let mut volumes = vec![0.0; simulation.bodies().len()];
    for contactor in simulation.contactors() {
        volumes[contactor.body as usize] += contactor.shape.mass_properties().map_or(0.0, |of| of.volume);
    }
    volumes
}

/// Pose of the axes of the shape of a body.
fn pose<const D: usize>(simulation: &Simulation<D>, body: usize) -> Pose<3> {
    let bodies = simulation.bodies();
    let position = three(&bodies.pose[body].position);
    Pose { position, orientation: bodies.pose[body].orientation * bodies.own_axes[body].inverse() }
}

/// A vector of the plane or of space with three components.
fn three<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    Vector::<3>::from_fn(|axis, _| vector.get(axis).copied().unwrap_or(0.0))
}

impl<'a> FrameView<'a> {
    /// A simulation as it is now, with what was known of it as it began.
    pub fn of<const D: usize>(simulation: &'a Simulation<D>, reference: &Reference) -> Self {
        let (bodies, settings) = (simulation.bodies(), simulation.settings());
        let fresh = if reference.is_whole(simulation) { Vec::new() } else { volumes(simulation) };
        let body = |body: usize| {
            let known =
                simulation.handle(BodyId(body as u32)).and_then(|handle| reference.bodies.get(&handle));
            let orientation = pose(simulation, body).orientation;
            let [position, velocity] = simulation.centre_of_mass(BodyId(body as u32)).map(|v| three(&v));
            let radius = bodies.radius[body];
            BodyView {
                position,
                orientation,
                velocity,
                mass: bodies.mass[body][0],
                volume: known.map_or_else(
                    || fresh.get(body).copied().unwrap_or(0.0),
                    |known| known.volume_at::<D>(radius),
                ),
                radius: if radius.is_finite() { radius } else { 0.0 },
                group: bodies.group[body].0,
                is_free: simulation.is_free(BodyId(body as u32)),
                start: known.map(|known| known.pose),
            }
        };
        let contact = |contact: &drystone::Interaction<D>| ContactView {
            bodies: contact.bodies.map(|body| body.0 as usize),
            point: three(&contact.point),
            normal: three(&contact.frame.column(0).into_owned()),
            force: three(&(contact.frame * contact.r / settings.step)),
            gap: contact.gap,
            status: contact.status,
            area: Some(contact.area).filter(|area| *area > 0.0 && !simulation.solids().is_empty()),
            power: Some(ContactPower {
                friction: contact.spent.friction / settings.step,
                shocks: contact.spent.shocks / settings.step,
                cohesion: contact.spent.cohesion / settings.step,
                viscosity: contact.spent.viscosity / settings.step,
            }),
        };
        let mut periods = [None; 2];
        for (axis, period) in settings.cell.iter().flat_map(|cell| cell.periods()) {
            periods[axis] = Some(period);
        }
        Self {
            dimension: D,
            time: simulation.time(),
            lag: settings.theta * settings.step,
            periods,
            names: &bodies.name,
            groups: simulation.group_names(),
            bodies: (0..bodies.len()).map(body).collect(),
            contacts: simulation.interactions().iter().map(contact).collect(),
            energy: Some(simulation.energy()),
        }
    }

    /// The same of either dimension.
    pub fn of_any(simulation: &'a AnySimulation, reference: &Reference) -> Self {
        match simulation {
            AnySimulation::Plane(simulation) => Self::of(simulation, reference),
            AnySimulation::Space(simulation) => Self::of(simulation, reference),
        }
    }
}
