//! What a simulation of either dimension tells of itself. Changes nothing.

use super::{Coordinates, Who, each};
use crate::{AnySimulation, ChangeError, Energy, Simulation, Snapshot, Status, Vector};
use drystone_math::rigid_turns;
use drystone_state::{BodyHandle, BodyId};

/// A contact of the last step, with forces: impulses over the time of the step.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The two bodies.
    pub bodies: [BodyHandle; 2],
    /// Where it is \[m\].
    pub point: Coordinates,
    /// Unit normal, from the second body to the first.
    pub normal: Coordinates,
    /// Mean force over the step on the first body \[N\].
    pub force: Coordinates,
    /// Gap \[m\], negative where the bodies overlap.
    pub gap: f64,
    /// Open, stick or slip.
    pub status: Status,
}

/// A snapshot of either dimension.
#[derive(Clone, Debug)]
// one in a program, not in arrays
#[allow(clippy::large_enum_variant)]
pub enum AnySnapshot {
    /// Of the plane.
    Plane(Snapshot<2>),
    /// Of space.
    Space(Snapshot<3>),
}

impl<const D: usize> Simulation<D> {
    pub(super) fn find(&self, who: Who) -> Result<usize, ChangeError> {
        match who {
            Who::Handle(handle) => self.body_id(handle).map(|BodyId(body)| body as usize),
            Who::Name(name) => {
                let found = self.bodies.name.iter().position(|known| known == name);
                found.ok_or_else(|| ChangeError::NoSuchName(name.into()))
            }
        }
    }

    fn handle_of(&self, who: Who) -> Result<BodyHandle, ChangeError> {
        let body = self.find(who)?;
        match (who, self.handle(BodyId(body as u32))) {
            (_, Some(handle)) | (Who::Handle(handle), None) => Ok(handle),
            (Who::Name(name), None) => Err(ChangeError::NoSuchName(name.into())),
        }
    }

    fn spin_in_world(&self, who: Who) -> Result<Coordinates, ChangeError> {
        let body = self.find(who)?;
        if rigid_turns(D) == 1 {
            return Ok(self.bodies.velocity[body][D].into());
        }
        Ok((self.bodies.pose[body].orientation * self.bodies.twist(body).spin()).into())
    }

    /// Mean force of all contacts on a body over the last step \[N\], and their moment about its centre of
    /// mass \[N m\] (the last component in the plane).
    fn contact_load(&self, who: Who) -> Result<(Vector<D>, Vector<3>), ChangeError> {
        let body = self.find(who)?;
        let (mut force, mut moment) = (Vector::<D>::zeros(), Vector::<3>::zeros());
        let [centre, _] = self.centre_of_mass(BodyId(body as u32));
        let three = |v: &Vector<D>| Vector::<3>::from_fn(|i, _| if i < D { v[i] } else { 0.0 });
        for contact in &self.interactions {
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                if contact.bodies[side].0 as usize == body {
                    let one = contact.frame * contact.r * (sign / self.settings.step);
                    let arm = contact.point - centre;
                    force += one;
                    moment += three(&arm).cross(&three(&one));
                }
            }
        }
        Ok((force, moment))
    }

    fn contact_list(&self) -> Vec<Contact> {
        let one = |contact: &crate::Interaction<D>| {
            let [a, b] = contact.bodies.map(|body| self.handle(body));
            Some(Contact {
                bodies: [a?, b?],
                point: contact.point.into(),
                normal: contact.frame.column(0).into_owned().into(),
                force: (contact.frame * contact.r / self.settings.step).into(),
                gap: contact.gap,
                status: contact.status,
            })
        };
        self.interactions.iter().filter_map(one).collect()
    }
}

impl AnySimulation {
    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Plane(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// Time since the start \[s\].
    pub fn time(&self) -> f64 {
        each!(self, simulation => simulation.time())
    }

    /// Steps done since the start.
    pub fn steps_done(&self) -> u64 {
        each!(self, simulation => simulation.steps_done())
    }

    /// Steps since time 0: those done, and those of the run that this one goes on from.
    pub fn clock(&self) -> u64 {
        each!(self, simulation => simulation.clock())
    }

    /// Says how many steps of another run came before this one, which goes on from there.
    pub fn set_steps_before(&mut self, steps: u64) {
        each!(self, simulation => simulation.set_steps_before(steps));
    }

    /// Time step \[s\].
    pub fn step_size(&self) -> f64 {
        each!(self, simulation => simulation.settings().step)
    }

    /// Gravity in the last step \[m/s²\].
    pub fn gravity(&self) -> Coordinates {
        each!(self, simulation => simulation.settings().gravity.into())
    }

    /// The energies now.
    pub fn energy(&self) -> Energy {
        each!(self, simulation => simulation.energy())
    }

    /// A number that changes with any bit of the poses and velocities.
    pub fn state_hash(&self) -> u64 {
        each!(self, simulation => simulation.state_hash())
    }

    /// The body of a name.
    pub fn body(&self, name: &str) -> Result<BodyHandle, ChangeError> {
        each!(self, simulation => simulation.handle_of(Who::Name(name)))
    }

    /// All bodies, in their order.
    pub fn bodies(&self) -> Vec<BodyHandle> {
        each!(self, simulation => {
            (0..simulation.bodies.len() as u32).filter_map(|body| simulation.handle(BodyId(body))).collect()
        })
    }

    /// Whether a body is there.
    pub fn contains(&self, body: BodyHandle) -> bool {
        each!(self, simulation => simulation.body_id(body).is_ok())
    }

    /// Name of a body.
    pub fn name(&self, body: BodyHandle) -> Result<&str, ChangeError> {
        each!(self, simulation => simulation.find(body.into()).map(|body| simulation.bodies.name[body].as_str()))
    }

    /// Group of a body.
    pub fn group_of<'a>(&self, body: impl Into<Who<'a>>) -> Result<String, ChangeError> {
        let who = body.into();
        each!(self, simulation => {
            simulation.find(who).map(|body| simulation.group_name(simulation.bodies.group[body]))
        })
    }

    /// Centre of mass of a body \[m\].
    pub fn position<'a>(&self, body: impl Into<Who<'a>>) -> Result<Coordinates, ChangeError> {
        let who = body.into();
        each!(self, simulation => Ok(simulation.centre_of_mass(BodyId(simulation.find(who)? as u32))[0].into()))
    }

    /// Orientation of the shape of a body as a unit quaternion w, x, y, z.
    pub fn orientation_wxyz<'a>(&self, body: impl Into<Who<'a>>) -> Result<[f64; 4], ChangeError> {
        let who = body.into();
        each!(self, simulation => {
            let body = simulation.find(who)?;
            let pose = &simulation.bodies.pose[body];
            let orientation = pose.orientation * simulation.bodies.own_axes[body].inverse();
            Ok(crate::Pose { orientation, ..*pose }.orientation_wxyz())
        })
    }

    /// Angle of a body about z \[rad\], in (−π, π]: its whole orientation in the plane.
    pub fn angle<'a>(&self, body: impl Into<Who<'a>>) -> Result<f64, ChangeError> {
        let who = body.into();
        each!(self, simulation => Ok(simulation.bodies.pose[simulation.find(who)?].angle()))
    }

    /// Velocity of the centre of mass of a body \[m/s\].
    pub fn velocity<'a>(&self, body: impl Into<Who<'a>>) -> Result<Coordinates, ChangeError> {
        let who = body.into();
        each!(self, simulation => Ok(simulation.centre_of_mass(BodyId(simulation.find(who)? as u32))[1].into()))
    }

    /// Spin of a body \[rad/s\]: one number in the plane, three in space, in world axes.
    pub fn spin<'a>(&self, body: impl Into<Who<'a>>) -> Result<Coordinates, ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.spin_in_world(who))
    }

    /// Mass of a body \[kg\], in the plane \[kg/m\].
    pub fn mass<'a>(&self, body: impl Into<Who<'a>>) -> Result<f64, ChangeError> {
        let who = body.into();
        each!(self, simulation => Ok(simulation.bodies.mass[simulation.find(who)?][0]))
    }

    /// Mean force of all contacts on a body over the last step \[N\].
    pub fn contact_force<'a>(&self, body: impl Into<Who<'a>>) -> Result<Coordinates, ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.contact_load(who).map(|(force, _)| force.into()))
    }

    /// Mean moment of all contact forces on a body about its centre of mass over the last step \[N m\], in
    /// world axes; the last of the three in the plane. Moments of rolling friction are left out.
    pub fn contact_moment<'a>(&self, body: impl Into<Who<'a>>) -> Result<Coordinates, ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.contact_load(who).map(|(_, moment)| moment.into()))
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> Vec<Contact> {
        each!(self, simulation => simulation.contact_list())
    }

    /// What the simulation is at this moment, its bodies included where it was changed.
    pub fn snapshot(&self) -> AnySnapshot {
        match self {
            Self::Plane(simulation) => AnySnapshot::Plane(simulation.snapshot()),
            Self::Space(simulation) => AnySnapshot::Space(simulation.snapshot()),
        }
    }

    /// Goes back (or forth) to a snapshot of the same simulation. Hooks stay as they are.
    pub fn restore(&mut self, snapshot: AnySnapshot) -> Result<(), ChangeError> {
        match (self, snapshot) {
            (Self::Plane(simulation), AnySnapshot::Plane(snapshot)) => simulation.restore(snapshot)?,
            (Self::Space(simulation), AnySnapshot::Space(snapshot)) => simulation.restore(snapshot)?,
            (Self::Plane(_), AnySnapshot::Space(_)) => return Err(other(3, 2)),
            (Self::Space(_), AnySnapshot::Plane(_)) => return Err(other(2, 3)),
        }
        Ok(())
    }
}

fn other(found: usize, dimension: usize) -> ChangeError {
    ChangeError::Dimension { what: "the snapshot".into(), found, dimension }
}
