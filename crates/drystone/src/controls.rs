//! What changes loads, prescribed velocities, gravity and friction while a run goes on: signals, evaluated at
//! the times of each step. Bodies are added and removed elsewhere, in `population`.

mod mesh;

use crate::{ChangeError, Signal, Simulation, Slot};
use drystone_bulk::FaceLoadPart;
use drystone_elements::scheme::MatrixPlace;
use drystone_math::{Vector, rigid_dofs};
use drystone_state::{BodyHandle, BodyId, GroupId, Ledger, Velocities};
use std::collections::HashSet;
use std::sync::Arc;

/// What a signal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A component of gravity.
    Gravity(usize),
    /// A component of the load of a body: force, then moment, in world axes.
    Load(BodyHandle, usize),
    /// A prescribed component of the velocity of a body.
    Drive(BodyHandle, usize),
    /// A prescribed component of the way of a body, whose rate becomes its velocity.
    Way(BodyHandle, usize),
    /// Friction between two groups.
    Friction(GroupId, GroupId),
    /// Share of the cohesion between two groups.
    Cohesion(GroupId, GroupId),
    /// The lengths of a body, relative to what they were as its growth began.
    Size(BodyHandle),
    /// Velocity of nodes of a deformable body: the number of their list and the axis.
    Nodes(BodyHandle, [usize; 2]),
    /// Displacement of such nodes, whose rate becomes their velocity.
    NodesWay(BodyHandle, [usize; 2]),
    /// A number of a load on faces of a deformable body.
    Faces(BodyHandle, usize, FaceLoadPart),
}

impl Target {
    /// Whether two signals would set the same number.
    fn clashes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Drive(a, i) | Self::Way(a, i), Self::Drive(b, j) | Self::Way(b, j)) => (a, i) == (b, j),
            (Self::Nodes(a, i) | Self::NodesWay(a, i), Self::Nodes(b, j) | Self::NodesWay(b, j)) => {
                (a, i) == (b, j)
            }
            _ => self == other,
        }
    }

    /// Whether it changes what is in no file: laws, and what drives and loads meshes.
    fn is_in_no_file(&self) -> bool {
        let of_mesh = matches!(self, Self::Nodes(..) | Self::NodesWay(..) | Self::Faces(..));
        of_mesh || matches!(self, Self::Friction(..) | Self::Cohesion(..))
    }

    fn is_motion(&self) -> bool {
        matches!(self, Self::Drive(..) | Self::Way(..) | Self::Nodes(..) | Self::NodesWay(..))
    }
}

/// One signal, what it sets and the step at which its time is 0.
#[derive(Clone, Debug)]
struct Control {
    target: Target,
    signal: Signal,
    origin: u64,
}

/// The signals of a simulation, and the numbers they take from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    list: Vec<Control>,
    slots: Vec<f64>,
    /// Slots that have a name.
    named: Vec<(String, Slot)>,
    /// Step at which the time of signals set from now on is 0.
    origin: u64,
    /// Whether signals are set again after a run was restored: what they set is in the state already.
    is_again: bool,
    /// How many of the slots the program has asked for; a file may have brought more.
    claimed: usize,
    /// What a signal gave that is no number, until somebody asks.
    pub(crate) failed: Option<ChangeError>,
}

/// What signals and the flight of bodies change of the state before a step is solved.
pub(crate) struct BeforeStep<const D: usize> {
    velocity: Velocities,
    ledger: Ledger,
    gravity: Vector<D>,
    /// Where matrices of Newton's method were made.
    matrices: Vec<Option<Arc<MatrixPlace>>>,
    /// Sizes of bodies that grow.
    sizes: Vec<(BodyHandle, f64)>,
}

impl Controls {
    /// Values of all slots.
    pub(crate) fn slots(&self) -> &[f64] {
        &self.slots
    }

    /// Replaces the values of the first slots.
    pub(crate) fn set_slots(&mut self, values: &[f64]) {
        let known = self.slots.len().min(values.len());
        self.slots[..known].copy_from_slice(&values[..known]);
        self.slots.extend_from_slice(&values[known..]);
    }

    /// Forgets the signals of bodies that are gone.
    pub(crate) fn retain(&mut self, is_there: impl Fn(BodyHandle) -> bool) {
        self.list.retain(|control| match control.target {
            Target::Load(body, _) | Target::Drive(body, _) | Target::Way(body, _) | Target::Size(body) => {
                is_there(body)
            }
            Target::Nodes(body, _) | Target::NodesWay(body, _) | Target::Faces(body, ..) => is_there(body),
            Target::Gravity(_) | Target::Friction(..) | Target::Cohesion(..) => true,
        });
    }

    fn value(&self, signal: &Signal, time: f64) -> f64 {
        match signal {
            Signal::External(slot) => self.slots.get(slot.0 as usize).copied().unwrap_or(f64::NAN),
            signal => signal.at(time).unwrap_or(f64::NAN),
        }
    }

    /// The rate of a way at a time: a difference over a step `h`, of which the share `ahead` is to come, half
    /// of it for θ = ½ and 1 − θ else. What the θ-scheme makes of such velocities adds up to the way itself.
    /// Before time 0 the way goes on as it begins, `x(−t) = 2 x(0) − x(t)`, so that nothing of it is lost in
    /// the first step.
    fn rate(&self, signal: &Signal, time: f64, h: f64, ahead: f64) -> f64 {
        let way = |time: f64| match time < 0.0 {
            true => 2.0 * self.value(signal, 0.0) - self.value(signal, -time),
            false => self.value(signal, time),
        };
        (way(time + ahead * h) - way(time - (1.0 - ahead) * h)) / h
    }
}

impl<const D: usize> Simulation<D> {
    /// A new slot for a number from outside, with its first value. In a simulation that goes on from a file,
    /// slots are given out again in their order with the values they had there.
    pub fn slot(&mut self, value: f64) -> Result<Slot, ChangeError> {
        finite("the value of a slot", value)?;
        self.begin_change();
        let slot = self.controls.claimed;
        if slot == self.controls.slots.len() {
            self.controls.slots.push(value);
        }
        self.controls.claimed += 1;
        Ok(Slot(slot as u32))
    }

    /// A slot with a name, new with its first value where there is none of this name.
    pub fn named_slot(&mut self, name: &str, value: f64) -> Result<Slot, ChangeError> {
        if let Some(slot) = self.slot_of(name) {
            return Ok(slot);
        }
        let slot = self.slot(value)?;
        self.controls.named.push((name.to_owned(), slot));
        Ok(slot)
    }

    /// The slot of a name.
    pub fn slot_of(&self, name: &str) -> Option<Slot> {
        self.controls.named.iter().find(|(known, _)| known == name).map(|&(_, slot)| slot)
    }

    /// Lets the time of signals that are set from now on be 0 at this step; 0 at first.
    pub fn set_signal_origin(&mut self, step: u64) {
        self.controls.origin = step;
    }

    /// Says whether signals that are set now were in force before: they are then taken over without setting
    /// anything before the next step. A run that goes on from a file has all numbers already, but not the
    /// signals.
    pub(crate) fn set_again(&mut self, is_again: bool) {
        self.controls.is_again = is_again;
    }

    /// Whether signals are set again.
    pub(crate) fn is_set_again(&self) -> bool {
        self.controls.is_again
    }

    /// Puts a number into a slot; signals see it from the next step on.
    pub fn set_slot(&mut self, slot: Slot, value: f64) -> Result<(), ChangeError> {
        finite("the value of a slot", value)?;
        let held = self.controls.slots.get_mut(slot.0 as usize);
        *held.ok_or(ChangeError::NoSuchSlot(slot.0))? = value;
        Ok(())
    }

    /// What a slot holds.
    pub fn slot_value(&self, slot: Slot) -> Result<f64, ChangeError> {
        self.controls.slots.get(slot.0 as usize).copied().ok_or(ChangeError::NoSuchSlot(slot.0))
    }

    /// Lets a component of the force (below `D`) or moment on a body follow a signal \[N\], \[N m\], in world
    /// axes.
    pub fn load(
        &mut self,
        body: BodyHandle,
        component: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.body_id(body)?;
        self.control(Target::Load(body, component), signal.into())
    }

    /// Lets a component of the velocity (below `D`) or spin of a body follow a signal \[m/s\], \[rad/s\]. The
    /// body takes the velocity of the moment at once. A spin in space is about a principal axis of the body.
    pub fn drive(
        &mut self,
        body: BodyHandle,
        component: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.body_id(body)?;
        self.control(Target::Drive(body, component), signal.into())
    }

    /// Lets a component of the way of a body from where it is follow a signal \[m\], \[rad\]: its velocity is
    /// the rate of the signal. A spin in space is about a principal axis of the body.
    pub fn move_along(
        &mut self,
        body: BodyHandle,
        component: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.body_id(body)?;
        self.control(Target::Way(body, component), signal.into())
    }

    /// What a signal sets at a time.
    fn given(&self, target: &Target, signal: &Signal, time: f64) -> f64 {
        let h = self.settings.step;
        match *target {
            Target::Way(..) => self.controls.rate(signal, time, h, 0.5),
            Target::NodesWay(body, _) => self.controls.rate(signal, time, h, 1.0 - self.theta_of(body)),
            _ => self.controls.value(signal, time),
        }
    }

    /// Lets a component of gravity follow a signal \[m/s²\]. The work of a change is that of a load.
    pub fn drive_gravity(&mut self, axis: usize, signal: impl Into<Signal>) -> Result<(), ChangeError> {
        self.control(Target::Gravity(axis), signal.into())
    }

    /// Lets the coefficient of friction between two groups follow a signal. The law stays the same otherwise;
    /// a law whose friction is no single number gets one.
    pub fn drive_friction(
        &mut self,
        groups: [GroupId; 2],
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.control(Target::Friction(groups[0], groups[1]), signal.into())
    }

    /// Lets the share of the strengths and attractions between two groups that acts follow a signal \[-\].
    /// The law stays the same otherwise; bonds that are broken stay broken.
    pub fn drive_cohesion(
        &mut self,
        groups: [GroupId; 2],
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        self.control(Target::Cohesion(groups[0], groups[1]), signal.into())
    }

    /// Lets a component of the velocity of a body go: it moves on from the velocity it has.
    pub fn release(&mut self, body: BodyHandle, component: usize) -> Result<(), ChangeError> {
        let BodyId(index) = self.body_id(body)?;
        check_component(component, rigid_dofs(D), D)?;
        let index = index as usize;
        let value = self.bodies.mass[index][component];
        if !(value > 0.0 && value.is_finite()) {
            return Err(ChangeError::NoDensity(self.bodies.name[index].clone()));
        }
        self.begin_change();
        let motion = Target::Drive(body, component);
        self.controls.list.retain(|control| !control.target.clashes(&motion));
        self.prescribe(index, component, None, None);
        Ok(())
    }

    /// What a signal gave last that is no number, if any did: the value before it was kept; or the deformable
    /// body that found no end of a step, which was [abandoned](crate::StepReport::is_abandoned).
    pub fn take_failure(&mut self) -> Option<ChangeError> {
        self.controls.failed.take()
    }

    /// Of bodies whose size follows a signal: the size in the middle of the coming step, and its rates as the
    /// step begins and as it ends \[1/s\].
    pub(crate) fn sizes_in_time(&self) -> Vec<(BodyHandle, [f64; 3])> {
        let h = self.settings.step;
        let one = |Control { target, signal, origin }: &Control| {
            let Target::Size(body) = *target else { return None };
            let begin = self.parts_done(*origin) as f64 * h;
            let rate = |time: f64| self.controls.rate(signal, time, h, 0.5);
            Some((body, [self.controls.value(signal, begin + 0.5 * h), rate(begin), rate(begin + h)]))
        };
        self.controls.list.iter().filter_map(one).collect()
    }

    /// What a signal of sizes says now, if that can be a size.
    pub(crate) fn size_now(&self, signal: &Signal) -> Result<f64, ChangeError> {
        let h = self.settings.step;
        let done = self.clock().saturating_sub(self.controls.origin);
        let factor = self.controls.value(signal, done as f64 * h);
        check_size(factor).map(|()| factor)
    }

    /// Lets the sizes of bodies follow a signal, which is `factor` now; all at once, since one after the
    /// other would look at every signal and every body for each of them.
    pub(crate) fn follow_sizes(&mut self, bodies: &[BodyHandle], signal: &Signal, factor: f64) {
        let meant: HashSet<BodyHandle> = bodies.iter().copied().collect();
        self.controls
            .list
            .retain(|control| !matches!(control.target, Target::Size(body) if meant.contains(&body)));
        if !self.controls.is_again {
            let factors: Vec<(BodyHandle, f64)> = bodies.iter().map(|&body| (body, factor)).collect();
            self.set_sizes(&factors);
        }
        if !matches!(signal, Signal::Constant(_)) {
            let origin = self.controls.origin;
            let control = |&body| Control { target: Target::Size(body), signal: signal.clone(), origin };
            self.controls.list.extend(bodies.iter().map(control));
        }
    }

    fn control(&mut self, target: Target, signal: Signal) -> Result<(), ChangeError> {
        match target {
            Target::Gravity(axis) => check_component(axis, D, D)?,
            Target::Load(_, component) | Target::Drive(_, component) | Target::Way(_, component) => {
                check_component(component, rigid_dofs(D), D)?
            }
            // `follow_sizes` sets sizes, the others are checked by who sets them
            Target::Size(_) | Target::Nodes(..) | Target::NodesWay(..) | Target::Faces(..) => {}
            Target::Friction(a, b) => {
                if self.laws.law(a, b).and_then(|law| law.with_friction(0.0)).is_none() {
                    return Err(ChangeError::NoFriction { groups: [a, b].map(|g| self.group_name(g)) });
                }
            }
            Target::Cohesion(a, b) => {
                if self.laws.law(a, b).and_then(|law| law.with_cohesion(1.0)).is_none() {
                    return Err(ChangeError::NoCohesion { groups: [a, b].map(|g| self.group_name(g)) });
                }
            }
        }
        if let Signal::External(slot) = signal {
            self.slot_value(slot)?;
        }
        let origin = self.controls.origin;
        let (h, done) = (self.settings.step, self.clock().saturating_sub(origin));
        let value = self.given(&target, &signal, done as f64 * h);
        check_value(&target, value)?;
        self.begin_change();
        self.controls.list.retain(|control| !control.target.clashes(&target));
        // the laws of a run that goes on are those it was built with
        if !self.controls.is_again || target.is_in_no_file() {
            self.apply(target, value, true);
        }
        // what never changes need not be looked at again
        if !matches!(signal, Signal::Constant(_)) {
            self.controls.list.push(Control { target, signal, origin });
        }
        Ok(())
    }

    /// Sets everything to what the signals say of the coming step: prescribed velocities at its end, loads on
    /// meshes where their forces are in balance, the others in its middle. A value that is no number is left
    /// out, and kept for [`Self::take_failure`].
    pub(crate) fn apply_signals(&mut self) {
        if self.controls.list.is_empty() {
            return;
        }
        let h = self.settings.step;
        let list = std::mem::take(&mut self.controls.list);
        for Control { target, signal, origin } in &list {
            // all sizes at once, below
            if matches!(target, Target::Size(_)) {
                continue;
            }
            let done = self.parts_done(*origin);
            let moment = match *target {
                Target::Faces(body, ..) => self.theta_of(body),
                _ => 0.5,
            };
            let time = if target.is_motion() { (done + 1) as f64 * h } else { (done as f64 + moment) * h };
            let value = self.given(target, signal, time);
            match check_value(target, value) {
                Ok(()) => self.apply(*target, value, false),
                Err(error) => self.controls.failed = Some(error),
            }
        }
        self.controls.list = list;
        self.grow_on();
    }

    /// What has to be kept so that a step can be taken back before it is solved.
    pub(crate) fn before_step(&self) -> BeforeStep<D> {
        BeforeStep {
            velocity: self.bodies.velocity.clone(),
            ledger: self.ledger,
            gravity: self.settings.gravity,
            matrices: self.solids.matrix_places(),
            sizes: self.sizes(),
        }
    }

    /// Takes back what was changed before a step was solved.
    pub(crate) fn go_back(&mut self, before: BeforeStep<D>) {
        let BeforeStep { velocity, ledger, gravity, matrices, sizes } = before;
        self.set_sizes(&sizes);
        (self.bodies.velocity, self.ledger, self.settings.gravity) = (velocity, ledger, gravity);
        // one that was made can be made again
        let made = self.solids.set_matrix_places(&matrices);
        debug_assert!(made, "a matrix that was made before cannot be made again");
        self.place_skins(0.0);
    }

    fn apply(&mut self, target: Target, value: f64, at_once: bool) {
        match target {
            Target::Gravity(axis) => {
                let mut gravity = self.settings.gravity;
                gravity[axis] = value;
                self.change_gravity(gravity);
            }
            Target::Load(body, component) => {
                if let Some(BodyId(body)) = self.handles.body(body) {
                    self.bodies.load[body as usize][component] = value;
                }
            }
            Target::Drive(body, component) | Target::Way(body, component) => {
                let Some(BodyId(body)) = self.handles.body(body) else { return };
                let body = body as usize;
                self.prescribe(body, component, Some(value), at_once.then_some(value));
            }
            Target::Size(body) => self.set_sizes(&[(body, value)]),
            Target::Nodes(body, which) | Target::NodesWay(body, which) => {
                let Some(BodyId(body)) = self.handles.body(body) else { return };
                let now = at_once && matches!(target, Target::NodesWay(..)) && !self.controls.is_again;
                let before = if now { self.kinetic() } else { 0.0 };
                self.solids.drive_nodes(body as usize, which, value, now);
                if now {
                    self.ledger.drives += self.kinetic() - before;
                }
            }
            Target::Faces(body, number, part) => {
                if let Some(BodyId(body)) = self.handles.body(body) {
                    self.solids.load_faces(body as usize, number, part, value);
                }
            }
            Target::Friction(a, b) | Target::Cohesion(a, b) => {
                let known = self.laws.law(a, b);
                let changed = known.and_then(|law| match target {
                    Target::Friction(..) => law.with_friction(value),
                    _ => law.with_cohesion(value),
                });
                if let Some(law) = changed {
                    // the same law with another number keeps its variables
                    let set = self.laws.set(a, b, law);
                    debug_assert!(set.is_ok(), "a law with another number keeps more variables");
                }
            }
        }
    }

    /// Prescribes a component of a velocity or lets it go, and sets it where a value is given. Energies count
    /// free components only: the kinetic energy of one that changes sides is that of the drive, its potential
    /// energy stays what it was.
    fn prescribe(&mut self, body: usize, component: usize, driven: Option<f64>, velocity: Option<f64>) {
        let (kinetic, fallen) = (self.own_kinetic(body), self.fallen(body));
        self.bodies.prescribe(body, component, driven);
        if let Some(velocity) = velocity {
            self.bodies.velocity[body][component] = velocity;
        }
        self.ledger.drives += self.own_kinetic(body) - kinetic;
        self.ledger.settled += self.fallen(body) - fallen;
    }

    /// Sets gravity; what potential energies gain by it is work of the loads.
    pub(crate) fn change_gravity(&mut self, gravity: drystone_math::Vector<D>) {
        if gravity == self.settings.gravity {
            return;
        }
        let before = self.potential();
        self.settings.gravity = gravity;
        self.ledger.loads += self.potential() - before;
    }
}

pub(crate) fn finite(what: &str, value: f64) -> Result<(), ChangeError> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(ChangeError::Number { what: what.into(), value, allowed: "finite numbers" }),
    }
}

fn check_component(component: usize, components: usize, dimension: usize) -> Result<(), ChangeError> {
    match component < components {
        true => Ok(()),
        false => Err(ChangeError::NoSuchAxis { axis: "of this number", dimension }),
    }
}

fn check_size(value: f64) -> Result<(), ChangeError> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => {
            let (what, allowed) = ("the size of a body".into(), "finite numbers above 0");
            Err(ChangeError::Number { what, value, allowed })
        }
    }
}

fn check_value(target: &Target, value: f64) -> Result<(), ChangeError> {
    let (what, fine, allowed) = match target {
        Target::Size(_) => return check_size(value),
        Target::Gravity(_) => ("gravity", value.is_finite(), "finite numbers"),
        Target::Load(..) | Target::Faces(..) => ("a load", value.is_finite(), "finite numbers"),
        Target::Drive(..) | Target::Way(..) | Target::Nodes(..) | Target::NodesWay(..) => {
            ("a prescribed velocity", value.is_finite(), "finite numbers")
        }
        Target::Friction(..) => {
            ("a coefficient of friction", value.is_finite() && value >= 0.0, "finite numbers of zero or more")
        }
        Target::Cohesion(..) => {
            ("a share of cohesion", value.is_finite() && value >= 0.0, "finite numbers of zero or more")
        }
    };
    match fine {
        true => Ok(()),
        false => Err(ChangeError::Number { what: what.into(), value, allowed }),
    }
}
