//! A simulation: what it is asked and what is changed in it. How it runs is in `running`.

use crate::body::{NativeHandle, PyWho, axis};
use crate::convert::rows;
use crate::errors;
use crate::law::PythonLaw;
use crate::native::NativeSimulation;
use crate::scene::lone_body;
use crate::signal::{NativeSlot, signal};
use crate::state::{self, each};
use crate::threads::ready;
use crate::views::ViewedState;
use drystone::{AnySimulation, AnySnapshot, BodyHandle, ChangeError, Signal};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

/// A simulation at one moment.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct NativeSnapshot(AnySnapshot);

impl NativeSimulation {
    /// Asks, with the errors of the library.
    pub(crate) fn ask<R>(
        &self,
        call: impl FnOnce(&mut AnySimulation) -> Result<R, ChangeError>,
    ) -> PyResult<R> {
        let answer = self.shared.with(call)?;
        answer.map_err(errors::change)
    }

    /// Lets something follow what Python gave for a signal. The library asks it for its value at once: what
    /// a function raises then comes out here.
    pub(crate) fn follow(
        &self,
        value: &Bound<'_, PyAny>,
        set: impl FnOnce(&mut AnySimulation, Signal) -> Result<(), ChangeError>,
    ) -> PyResult<()> {
        let signal = signal(value, &self.shared)?;
        let before = self.shared.has_failed();
        let answer = self.shared.with(|simulation| set(simulation, signal))?;
        if !before && let Some(error) = self.shared.forgive()? {
            return Err(error);
        }
        answer.map_err(errors::change)
    }

    /// Changes the simulation, and shows it in the views.
    fn change<R>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut AnySimulation) -> Result<R, ChangeError>,
    ) -> PyResult<R> {
        self.ask(|simulation| {
            let answer = call(simulation);
            self.shared.refresh_views(py, simulation);
            answer
        })
    }
}

#[pymethods]
impl NativeSimulation {
    #[getter]
    fn dimension(&self) -> PyResult<usize> {
        self.shared.with(|simulation| simulation.dimension())
    }

    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.shared.with(|simulation| simulation.time())
    }

    #[getter]
    fn steps_done(&self) -> PyResult<u64> {
        self.shared.with(|simulation| simulation.steps_done())
    }

    #[getter]
    fn step_size(&self) -> PyResult<f64> {
        self.shared.with(|simulation| simulation.step_size())
    }

    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let gravity = self.shared.with(|simulation| simulation.gravity())?;
        Ok(PyArray1::from_slice(py, &gravity))
    }

    fn state_hash(&self) -> PyResult<String> {
        self.shared.with(|simulation| format!("{:016x}", simulation.state_hash()))
    }

    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let energy = self.shared.with(|simulation| simulation.energy())?;
        state::energy(py, &energy)
    }

    fn names(&self) -> PyResult<Vec<String>> {
        self.shared.with(|simulation| each!(simulation, simulation => simulation.bodies().name.clone()))
    }

    fn groups(&self) -> PyResult<Vec<String>> {
        self.shared.with(|simulation| simulation.groups())
    }

    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (flat, columns) = self.shared.with(|simulation| state::positions(simulation))?;
        rows(py, flat, columns)
    }

    fn orientations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let flat = self.ask(|simulation| {
            let of = |body| simulation.orientation_wxyz(body).map(|values| values.to_vec());
            state::of_bodies(simulation, of)
        })?;
        rows(py, flat, 4)
    }

    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = self.dimension()?;
        let flat = self.ask(|simulation| state::of_bodies(simulation, |body| simulation.velocity(body)))?;
        rows(py, flat, columns)
    }

    fn spins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = if self.dimension()? == 2 { 1 } else { 3 };
        let flat = self.ask(|simulation| state::of_bodies(simulation, |body| simulation.spin(body)))?;
        rows(py, flat, columns)
    }

    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (flat, columns) = self.shared.with(|simulation| state::forces(simulation))?;
        rows(py, flat, columns)
    }

    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let masses = self.shared.with(|simulation| {
            each!(simulation, simulation => simulation.bodies().mass.iter().map(|mass| mass[0]).collect())
        })?;
        Ok(PyArray1::from_vec(py, masses))
    }

    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.shared.with(|simulation| state::contacts(py, simulation))?
    }

    fn drive_gravity(&self, along: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let axis = axis(along)?;
        self.follow(value, |simulation, signal| simulation.drive_gravity(axis, signal))
    }

    fn drive_friction(&self, a: &str, b: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.follow(value, |simulation, signal| simulation.drive_friction(a, b, signal))
    }

    fn set_law(&self, a: &str, b: &str, function: Py<PyAny>, reach: f64) -> PyResult<()> {
        let law = PythonLaw::new(function, reach, &self.shared)?;
        self.ask(|simulation| simulation.set_law(a, b, law))
    }

    fn bond(&self, a: PyWho<'_>, b: PyWho<'_>) -> PyResult<()> {
        self.ask(|simulation| simulation.bond(a.who(), b.who()))
    }

    fn add(&self, py: Python<'_>, body: &Bound<'_, PyDict>) -> PyResult<NativeHandle> {
        ready()?;
        let scene = lone_body(body, self.dimension()?)?;
        let alone = scene.build().map_err(errors::scene)?;
        let added = self.change(py, |simulation| simulation.adopt(&alone))?;
        added.first().copied().map(NativeHandle).ok_or_else(|| errors::other("no body was given"))
    }

    fn remove(&self, py: Python<'_>, bodies: Vec<PyRef<'_, NativeHandle>>) -> PyResult<()> {
        let bodies: Vec<BodyHandle> = bodies.iter().map(|body| body.0).collect();
        self.change(py, |simulation| simulation.remove(&bodies))
    }

    fn slot(&self, value: f64) -> PyResult<NativeSlot> {
        self.ask(|simulation| simulation.slot(value)).map(NativeSlot)
    }

    fn set_slot(&self, slot: PyRef<'_, NativeSlot>, value: f64) -> PyResult<()> {
        self.ask(|simulation| simulation.set_slot(slot.0, value))
    }

    fn slot_value(&self, slot: PyRef<'_, NativeSlot>) -> PyResult<f64> {
        self.ask(|simulation| simulation.slot_value(slot.0))
    }

    fn snapshot(&self) -> PyResult<NativeSnapshot> {
        self.shared.with(|simulation| simulation.snapshot()).map(NativeSnapshot)
    }

    fn restore(&self, py: Python<'_>, snapshot: PyRef<'_, NativeSnapshot>) -> PyResult<()> {
        let snapshot = snapshot.0.clone();
        self.change(py, |simulation| simulation.restore(snapshot))
    }

    fn view(&self, py: Python<'_>, quantity: &str) -> PyResult<Py<PyAny>> {
        self.shared.view(py, ViewedState::named(quantity)?)
    }

    fn is_live(&self, array: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.shared.is_live(array)
    }

    fn add_hook(&self, py: Python<'_>, hook: Py<PyAny>, after: bool) -> PyResult<()> {
        self.shared.add_hook(py, hook, after)
    }

    fn clear_hooks(&self) -> PyResult<()> {
        self.shared.clear_hooks()
    }

    fn stop(&self) {
        self.shared.ask_to_stop();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.shared.traverse(&visit)
    }

    fn __clear__(&self) {
        self.shared.clear();
    }
}
