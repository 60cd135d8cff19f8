//! What changes loads, prescribed velocities, gravity and friction while a run goes on: signals, evaluated at
//! the times of each step. Bodies are added and removed elsewhere, in `population`.

use crate::{ChangeError, Signal, Simulation, Slot};
use drystone_math::{Vector, rigid_dofs};
use drystone_state::{BodyHandle, BodyId, GroupId, Ledger, Velocities};

/// What a signal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A component of gravity.
    Gravity(usize),
    /// A component of the load of a body: force, then moment, in world axes.
    Load(BodyHandle, usize),
    /// A prescribed component of the velocity of a body.
    Drive(BodyHandle, usize),
    /// Friction between two groups.
    Friction(GroupId, GroupId),
}

/// The signals of a simulation, and the numbers they take from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    list: Vec<(Target, Signal)>,
    slots: Vec<f64>,
    /// How many of the slots the program has asked for; a file may have brought more.
    claimed: usize,
    /// What a signal gave that is no number, until somebody asks.
    failed: Option<ChangeError>,
}

/// What signals change that is part of the state, as it was before a step.
pub(crate) struct BeforeSignals<const D: usize> {
    velocity: Velocities,
    ledger: Ledger,
    gravity: Vector<D>,
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
        self.list.retain(|(target, _)| match target {
            Target::Load(body, _) | Target::Drive(body, _) => is_there(*body),
            Target::Gravity(_) | Target::Friction(..) => true,
        });
    }

    fn value(&self, signal: &Signal, time: f64) -> f64 {
        match signal {
            Signal::External(slot) => self.slots.get(slot.0 as usize).copied().unwrap_or(f64::NAN),
            signal => signal.at(time).unwrap_or(f64::NAN),
        }
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
        self.controls.list.retain(|(target, _)| *target != Target::Drive(body, component));
        self.prescribe(index, component, None, None);
        Ok(())
    }

    /// What a signal gave last that is no number, if any did: the value before it was kept.
    pub fn take_failure(&mut self) -> Option<ChangeError> {
        self.controls.failed.take()
    }

    /// Takes a signal over and applies what it is now.
    fn control(&mut self, target: Target, signal: Signal) -> Result<(), ChangeError> {
        match target {
            Target::Gravity(axis) => check_component(axis, D, D)?,
            Target::Load(_, component) | Target::Drive(_, component) => {
                check_component(component, rigid_dofs(D), D)?
            }
            Target::Friction(a, b) => {
                if self.laws.law(a, b).and_then(|law| law.with_friction(0.0)).is_none() {
                    return Err(ChangeError::NoFriction { groups: [a, b].map(|g| self.group_name(g)) });
                }
            }
        }
        if let Signal::External(slot) = signal {
            self.slot_value(slot)?;
        }
        let value = self.controls.value(&signal, self.time());
        check_value(&target, value)?;
        self.begin_change();
        self.controls.list.retain(|(known, _)| *known != target);
        self.apply(target, value, true);
        // what never changes need not be looked at again
        if !matches!(signal, Signal::Constant(_)) {
            self.controls.list.push((target, signal));
        }
        Ok(())
    }

    /// Sets everything to what the signals say of the coming step: prescribed velocities at its end, the
    /// others in its middle. A value that is no number is left out, and kept for [`Self::take_failure`].
    pub(crate) fn apply_signals(&mut self) {
        if self.controls.list.is_empty() {
            return;
        }
        let h = self.settings.step;
        let middle = (self.steps_done as f64 + 0.5) * h;
        let end = (self.steps_done + 1) as f64 * h;
        let list = std::mem::take(&mut self.controls.list);
        for (target, signal) in &list {
            let time = if matches!(target, Target::Drive(..)) { end } else { middle };
            let value = self.controls.value(signal, time);
            match check_value(target, value) {
                Ok(()) => self.apply(*target, value, false),
                Err(error) => self.controls.failed = Some(error),
            }
        }
        self.controls.list = list;
    }

    /// What signals change that is part of the state; none where there are no signals.
    pub(crate) fn before_signals(&self) -> Option<BeforeSignals<D>> {
        (!self.controls.list.is_empty()).then(|| BeforeSignals {
            velocity: self.bodies.velocity.clone(),
            ledger: self.ledger,
            gravity: self.settings.gravity,
        })
    }

    /// Takes back what signals changed.
    pub(crate) fn go_back(&mut self, before: Option<BeforeSignals<D>>) {
        if let Some(BeforeSignals { velocity, ledger, gravity }) = before {
            (self.bodies.velocity, self.ledger, self.settings.gravity) = (velocity, ledger, gravity);
        }
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
            Target::Drive(body, component) => {
                let Some(BodyId(body)) = self.handles.body(body) else { return };
                let body = body as usize;
                self.prescribe(body, component, Some(value), at_once.then_some(value));
            }
            Target::Friction(a, b) => {
                if let Some(law) = self.laws.law(a, b).and_then(|law| law.with_friction(value)) {
                    // the same law with another number keeps its variables
                    let set = self.laws.set(a, b, law);
                    debug_assert!(set.is_ok(), "a law with another friction keeps more variables");
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

fn check_value(target: &Target, value: f64) -> Result<(), ChangeError> {
    let (what, fine, allowed) = match target {
        Target::Gravity(_) => ("gravity", value.is_finite(), "finite numbers"),
        Target::Load(..) => ("a load", value.is_finite(), "finite numbers"),
        Target::Drive(..) => ("a prescribed velocity", value.is_finite(), "finite numbers"),
        Target::Friction(..) => {
            ("a coefficient of friction", value.is_finite() && value >= 0.0, "finite numbers of zero or more")
        }
    };
    match fine {
        true => Ok(()),
        false => Err(ChangeError::Number { what: what.into(), value, allowed }),
    }
}
