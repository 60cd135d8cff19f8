//! Signals and slots for either dimension: ways that follow a signal, the time of signals, numbers from
//! outside. What signals set is `controls`' business.

use super::{Axis, Who, each};
use crate::{AnySimulation, ChangeError, FaceLoadPart, Signal, Slot};

impl AnySimulation {
    /// Lets the way of a body along an axis \[m\], or its turn about it \[rad\], follow a signal from where
    /// the body is: its velocity is the rate of the signal. In space a turn is about an axis of the body's
    /// own.
    pub fn move_along<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, component) = simulation.driven(who, axis)?;
            simulation.move_along(handle, component, signal)
        })
    }

    /// Lets the velocity along an axis of nodes of a deformable body that are driven together follow a signal
    /// \[m/s\], by the number of their list, see [`Deformable::driven`](crate::Deformable). It is taken at
    /// the end of each step.
    pub fn drive_nodes<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        list: usize,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, axis) = simulation.part(who, axis)?;
            simulation.drive_nodes(handle, list, axis, signal)
        })
    }

    /// Lets the displacement of such nodes from where they are follow a signal \[m\]: their velocity is its
    /// rate.
    pub fn move_nodes<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        list: usize,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, axis) = simulation.part(who, axis)?;
            simulation.move_nodes(handle, list, axis, signal)
        })
    }

    /// Whether a deformable body has nodes that are driven together along an axis, by the number of their
    /// list.
    pub fn drives_nodes<'a>(&self, body: impl Into<Who<'a>>, list: usize, axis: Axis) -> bool {
        let (who, dimension) = (body.into(), self.dimension());
        each!(self, simulation => match (simulation.find(who), axis.component(dimension)) {
            (Ok(body), Ok(axis)) => simulation.solids.has_driven(body, list, axis),
            _ => false,
        })
    }

    /// Lets the pressure of a load on faces of a deformable body follow a signal \[Pa\], by the number of the
    /// load, see [`Deformable::load`](crate::Deformable). It is taken where the forces of the step are in
    /// balance: its middle for θ = ½, its end for a body without inertia.
    pub fn press_faces<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        number: usize,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, _) = simulation.part(who, Axis::X)?;
            simulation.load_faces(handle, number, FaceLoadPart::Pressure, signal)
        })
    }

    /// The same of the force along an axis \[N\].
    pub fn pull_faces<'a>(
        &mut self,
        body: impl Into<Who<'a>>,
        number: usize,
        axis: Axis,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let (who, signal) = (body.into(), signal.into());
        each!(self, simulation => {
            let (handle, axis) = simulation.part(who, axis)?;
            simulation.load_faces(handle, number, FaceLoadPart::Force(axis), signal)
        })
    }

    /// Lets the time of signals that are set from now on be 0 at this step of the run; 0 at first.
    pub fn set_signal_origin(&mut self, step: u64) {
        each!(self, simulation => simulation.set_signal_origin(step));
    }

    /// Sets signals again that were in force when a run was saved: whatever `set` sets is taken over from the
    /// next step on, without a jump now. A file has all numbers of a run, but not its signals.
    pub fn set_again(
        &mut self,
        set: impl FnOnce(&mut Self) -> Result<(), ChangeError>,
    ) -> Result<(), ChangeError> {
        each!(self, simulation => simulation.set_again(true));
        let done = set(self);
        each!(self, simulation => simulation.set_again(false));
        done
    }

    /// A new slot for a number from outside, see [`Signal::External`]. Snapshots keep its value; in a
    /// simulation that goes on from a file, slots are given out again in their order with the values they had
    /// there.
    pub fn slot(&mut self, value: f64) -> Result<Slot, ChangeError> {
        each!(self, simulation => simulation.slot(value))
    }

    /// A slot with a name, new with its first value where there is none of this name.
    pub fn named_slot(&mut self, name: &str, value: f64) -> Result<Slot, ChangeError> {
        each!(self, simulation => simulation.named_slot(name, value))
    }

    /// The slot of a name.
    pub fn slot_of(&self, name: &str) -> Option<Slot> {
        each!(self, simulation => simulation.slot_of(name))
    }

    /// Puts a number into a slot.
    pub fn set_slot(&mut self, slot: Slot, value: f64) -> Result<(), ChangeError> {
        each!(self, simulation => simulation.set_slot(slot, value))
    }

    /// What a slot holds.
    pub fn slot_value(&self, slot: Slot) -> Result<f64, ChangeError> {
        each!(self, simulation => simulation.slot_value(slot))
    }
}
