//! What may be changed from outside while a run goes on, for either dimension. The changes themselves are
//! made in `controls` and `population`.

use super::groups::{EVERY, Rule};
use super::{Body, Coordinates, Who, each};
use crate::controls::finite;
use crate::{
    AnySimulation, ChangeError, ContactMemory, GrowthKeeps, Law, Laws, Orientation, Signal, Simulation,
    Vector,
};
use drystone_math::{rigid_dofs, rigid_turns};
use drystone_state::{BodyHandle, BodyId, GroupId};
use std::sync::Arc;

/// A direction of motion: along an axis of the world, or about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z, in space.
    Z,
    /// About x, in space.
    TurnX,
    /// About y, in space.
    TurnY,
    /// About z: the turn of the plane.
    TurnZ,
}

impl Axis {
    /// Its number among the degrees of freedom of a body.
    pub(super) fn component(self, dimension: usize) -> Result<usize, ChangeError> {
        match (self, dimension) {
            (Self::X, _) => Ok(0),
            (Self::Y, _) => Ok(1),
            (Self::Z, 3) => Ok(2),
            (Self::TurnX, 3) => Ok(3),
            (Self::TurnY, 3) => Ok(4),
            (Self::TurnZ, 3) => Ok(5),
            (Self::TurnZ, _) => Ok(2),
            _ => Err(ChangeError::NoSuchAxis { axis: self.word(), dimension }),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::TurnX => "about x",
            Self::TurnY => "about y",
            Self::TurnZ => "about z",
        }
    }
}

/// A law for either dimension. Every law of this crate is one.
#[derive(Clone, Debug)]
pub struct AnyLaw {
    pub(super) plane: Arc<dyn Law<2>>,
    pub(super) space: Arc<dyn Law<3>>,
}

impl AnyLaw {
    /// A law that is one object in the plane and another in space.
    pub fn of(plane: Box<dyn Law<2>>, space: Box<dyn Law<3>>) -> Self {
        Self { plane: plane.into(), space: space.into() }
    }
}

impl<L: Law<2> + Law<3> + 'static> From<L> for AnyLaw {
    fn from(law: L) -> Self {
        let law = Arc::new(law);
        Self { plane: law.clone(), space: law }
    }
}

impl<const D: usize> Simulation<D> {
    /// Component and handle of a drive; one turn alone only about a principal axis.
    pub(super) fn driven(&self, who: Who, axis: Axis) -> Result<(BodyHandle, usize), ChangeError> {
        let (handle, component) = self.part(who, axis)?;
        let BodyId(body) = self.body_id(handle)?;
        let body = body as usize;
        if rigid_turns(D) > 1 && component >= D && self.bodies.own_axes[body] != Orientation::identity() {
            return Err(ChangeError::NotPrincipal(self.bodies.name[body].clone()));
        }
        Ok((handle, component))
    }

    pub(super) fn part(&self, who: Who, axis: Axis) -> Result<(BodyHandle, usize), ChangeError> {
        let component = axis.component(D)?;
        let body = self.find(who)?;
        let handle = self.handle(BodyId(body as u32));
        Ok((handle.ok_or_else(|| ChangeError::NoSuchName(self.bodies.name[body].clone()))?, component))
    }

    /// Sets the components of a velocity from the first one on.
    fn change_velocity(&mut self, who: Who, first: usize, values: &[f64]) -> Result<(), ChangeError> {
        let body = self.find(who)?;
        let components = first..first + values.len();
        if self.bodies.driven[body][components.clone()].iter().any(Option::is_some) {
            return Err(ChangeError::Driven(self.bodies.name[body].clone()));
        }
        values.iter().try_for_each(|&value| finite("a velocity", value))?;
        let before = self.own_kinetic(body);
        for (component, &value) in components.zip(values) {
            self.bodies.velocity[body][component] = value;
        }
        self.ledger.exchanged += self.own_kinetic(body) - before;
        Ok(())
    }

    fn change_linear_velocity(&mut self, who: Who, velocity: &Coordinates) -> Result<(), ChangeError> {
        let velocity: Vector<D> = velocity.vector("a velocity")?;
        self.change_velocity(who, 0, velocity.as_slice())
    }

    fn change_spin(&mut self, who: Who, spin: &Coordinates) -> Result<(), ChangeError> {
        let body = self.find(who)?;
        if spin.len() != rigid_turns(D) {
            let (what, found) = ("a spin".to_string(), spin.len());
            return Err(ChangeError::Dimension { what, found, dimension: rigid_turns(D) });
        }
        match **spin {
            [x, y, z] => {
                let own = self.bodies.pose[body].orientation.inverse() * Vector::<3>::new(x, y, z);
                self.change_velocity(who, D, own.as_slice())
            }
            _ => self.change_velocity(who, D, spin),
        }
    }

    fn change_force(&mut self, who: Who, force: &Coordinates) -> Result<(), ChangeError> {
        let force: Vector<D> = force.vector("a force")?;
        let body = self.find(who)?;
        let Some(handle) = self.handle(BodyId(body as u32)) else { return Ok(()) };
        (0..D).try_for_each(|axis| self.load(handle, axis, force[axis]))
    }

    fn fix(&mut self, who: Who) -> Result<(), ChangeError> {
        let body = self.find(who)?;
        let Some(handle) = self.handle(BodyId(body as u32)) else { return Ok(()) };
        (0..rigid_dofs(D)).try_for_each(|component| self.drive(handle, component, 0.0))
    }

    fn groups_of(&self, groups: [&str; 2]) -> Result<[GroupId; 2], ChangeError> {
        Ok([self.known_group(groups[0])?, self.known_group(groups[1])?])
    }

    fn change_law(&mut self, groups: [&str; 2], law: Arc<dyn Law<D>>) -> Result<(), ChangeError> {
        for name in groups.iter().filter(|name| **name != EVERY) {
            self.known_group(name)?;
        }
        self.begin_change();
        let before = self.laws.clone();
        self.rule(Rule::new(groups[0], groups[1], law))?;
        if !self.is_set_again() {
            self.forget_variables(&before);
        }
        Ok(())
    }

    /// Lets contacts whose law keeps other variables than before begin anew; what they stored is lost.
    fn forget_variables(&mut self, before: &Laws<D>) {
        let (bodies, contactors, laws) = (&self.bodies, &self.contactors, &self.laws);
        let is_same = |contact: &ContactMemory<D>| {
            let of = |contactor: u32| bodies.group[contactors[contactor as usize].body as usize];
            let [a, b] = contact.id.contactors.map(of);
            before.variables(a, b) == laws.variables(a, b)
        };
        let lost: f64 =
            self.memory.iter().filter(|contact| !is_same(contact)).map(|contact| contact.stored).sum();
        self.memory.retain(is_same);
        self.ledger.stored -= lost;
        self.ledger.cohesion += lost;
    }

    /// Lets something of all laws between the groups of two names follow a signal; an error of the first law
    /// that has nothing of the kind where none has.
    fn change_laws(
        &mut self,
        names: [&str; 2],
        mut change: impl FnMut(&mut Self, [GroupId; 2]) -> Result<(), ChangeError>,
    ) -> Result<(), ChangeError> {
        for name in names.iter().filter(|name| **name != EVERY) {
            self.known_group(name)?;
        }
        let is = |name: &str, group: usize| name == EVERY || self.group_name(GroupId(group as u32)) == name;
        let groups = self.laws.groups();
        let pairs = (0..groups).flat_map(|a| (0..=a).map(move |b| [a, b]));
        let meant = |[a, b]: &[usize; 2]| {
            is(names[0], *a) && is(names[1], *b) || is(names[0], *b) && is(names[1], *a)
        };
        let pairs: Vec<_> = pairs.filter(meant).map(|pair| pair.map(|group| GroupId(group as u32))).collect();
        let (mut done, mut wrong) = (false, None);
        for pair in pairs {
            match change(self, pair) {
                Ok(()) => done = true,
                Err(error @ (ChangeError::NoFriction { .. } | ChangeError::NoCohesion { .. })) => {
                    wrong = wrong.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        match (done, wrong) {
            (false, Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    fn bond_bodies(&mut self, who: Who, other: Option<Who>) -> Result<(), ChangeError> {
        let body = BodyId(self.find(who)? as u32);
        let other = other.map(|who| self.find(who)).transpose()?;
        self.begin_change();
        self.ask_for_bond(body, other.map(|body| BodyId(body as u32)));
        Ok(())
    }
}

impl AnySimulation {
    /// Adds a body as it is at this moment.
    pub fn add(&mut self, body: Body) -> Result<BodyHandle, ChangeError> {
        match self {
            Self::Plane(simulation) => simulation.bring(&body, |body, name| body.in_plane(name)),
            Self::Space(simulation) => simulation.bring(&body, |body, name| body.in_space(name)),
        }
    }

    /// Removes bodies, with their contacts, ties and signals. Where one of them is not there, none is
    /// removed.
    pub fn remove(&mut self, bodies: &[BodyHandle]) -> Result<(), ChangeError> {
        each!(self, simulation => simulation.remove(bodies))
    }

    /// Lets the force on a body along an axis \[N\], or the moment about it \[N m\], follow a signal; both in
    /// world axes. It is taken at the middle of each step.
    pub fn load<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, component) = simulation.part(who, axis)?;
            simulation.load(handle, component, signal)
        })
    }

    /// Lets the velocity of a body along an axis \[m/s\], or its spin about it \[rad/s\], follow a signal. It
    /// is taken at the end of each step. In space a spin is about an axis of the body's own.
    pub fn drive<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, component) = simulation.driven(who, axis)?;
            simulation.drive(handle, component, signal)
        })
    }

    /// Lets a body move freely along or about an axis from now on.
    pub fn release<'a>(&mut self, body: impl Into<Who<'a>>, axis: Axis) -> Result<(), ChangeError> {
        let who = body.into();
        each!(self, simulation => {
            let (handle, component) = simulation.driven(who, axis)?;
            simulation.release(handle, component)
        })
    }

    /// Stops a body and holds it where it is.
    pub fn fix<'a>(&mut self, body: impl Into<Who<'a>>) -> Result<(), ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.fix(who))
    }

    /// Sets the force on a body \[N\], gravity and contacts apart, from now on.
    pub fn set_force<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        force: impl Into<Coordinates>,
    ) -> Result<(), ChangeError> {
        let (who, force) = (body.into(), force.into());
        each!(self, simulation => simulation.change_force(who, &force))
    }

    /// Sets the velocity of a body that is free to move \[m/s\].
    pub fn set_velocity<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        velocity: impl Into<Coordinates>,
    ) -> Result<(), ChangeError> {
        let (who, velocity) = (body.into(), velocity.into());
        each!(self, simulation => simulation.change_linear_velocity(who, &velocity))
    }

    /// Sets the spin of a body that is free to turn \[rad/s\]: one number in the plane, three in space, in
    /// world axes.
    pub fn set_spin<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        spin: impl Into<Coordinates>,
    ) -> Result<(), ChangeError> {
        let (who, spin) = (body.into(), spin.into());
        each!(self, simulation => simulation.change_spin(who, &spin))
    }

    /// Lets gravity along an axis follow a signal \[m/s²\], taken at the middle of each step.
    pub fn drive_gravity(&mut self, axis: Axis, signal: impl Into<Signal>) -> Result<(), ChangeError> {
        let (signal, dimension) = (signal.into(), self.dimension());
        let component = axis.component(dimension)?;
        if component >= dimension {
            return Err(ChangeError::NoSuchAxis { axis: axis.word(), dimension });
        }
        each!(self, simulation => simulation.drive_gravity(component, signal))
    }

    /// Lets the friction between two groups follow a signal, taken at the middle of each step.
    pub fn drive_friction(&mut self, a: &str, b: &str, signal: impl Into<Signal>) -> Result<(), ChangeError> {
        let signal = signal.into();
        each!(self, simulation => {
            let groups = simulation.groups_of([a, b])?;
            simulation.drive_friction(groups, signal)
        })
    }

    /// The same for all pairs of groups that two names stand for, `*` being any group: those whose law has a
    /// coefficient of friction. An error where there are none.
    pub fn drive_frictions(&mut self, a: &str, b: &str, signal: &Signal) -> Result<(), ChangeError> {
        each!(self, simulation => {
            simulation.change_laws([a, b], |simulation, pair| simulation.drive_friction(pair, signal.clone()))
        })
    }

    /// Lets the share of the cohesion that acts \[-\] follow a signal, taken at the middle of each step, for
    /// all pairs of groups that two names stand for, `*` being any group: those whose law has strengths or
    /// attractions that may change. An error where there are none.
    pub fn drive_cohesions(&mut self, a: &str, b: &str, signal: &Signal) -> Result<(), ChangeError> {
        each!(self, simulation => {
            simulation.change_laws([a, b], |simulation, pair| simulation.drive_cohesion(pair, signal.clone()))
        })
    }

    /// Lets the lengths of bodies, relative to what they are now, follow a signal \[-\], taken at the
    /// middle of each step; a signal whose rate is known, none of [`Signal::External`]. Each grows about
    /// its centre of mass.
    pub fn grow(
        &mut self,
        bodies: &[BodyHandle],
        keeps: GrowthKeeps,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let signal = signal.into();
        each!(self, simulation => simulation.grow(bodies, keeps, signal))
    }

    /// Sets the law between two groups from the next step on; `*` stands for all of them. Contacts keep their
    /// variables where both laws name them alike, and begin anew, unbonded, where they do not.
    pub fn set_law(&mut self, a: &str, b: &str, law: impl Into<AnyLaw>) -> Result<(), ChangeError> {
        let law = law.into();
        match self {
            Self::Plane(simulation) => simulation.change_law([a, b], law.plane),
            Self::Space(simulation) => simulation.change_law([a, b], law.space),
        }
    }

    /// Bonds the contacts between two bodies in the next step, as those of the first step of a run are: laws
    /// with bonds, liquid bridges or a gap counted from the start begin anew there.
    pub fn bond<'a, 'b>(
        &mut self,
        body: impl Into<Who<'a>>,
        other: impl Into<Who<'b>>,
    ) -> Result<(), ChangeError> {
        let (who, other) = (body.into(), other.into());
        each!(self, simulation => simulation.bond_bodies(who, Some(other)))
    }

    /// Bonds the contacts of a body with all that it touches in the next step.
    pub fn bond_all<'a>(&mut self, body: impl Into<Who<'a>>) -> Result<(), ChangeError> {
        let who = body.into();
        each!(self, simulation => simulation.bond_bodies(who, None))
    }
}
