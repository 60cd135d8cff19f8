//! Arrays of the state that stay: Python reads them without a copy, a run writes into them when Python may
//! look. Their memory is Python's; none points into the simulation, and what is written to them goes nowhere.

use crate::state::each;
use drystone::{AnySimulation, Simulation};
use drystone_measure::contact_forces;
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::ops::Range;

/// What a view shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewedState {
    Positions,
    Velocities,
    ContactForces,
}

impl ViewedState {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "positions" => Ok(Self::Positions),
            "velocities" => Ok(Self::Velocities),
            "contact_forces" => Ok(Self::ContactForces),
            _ => {
                let allowed = "positions, velocities, contact_forces";
                Err(PyValueError::new_err(format!("there is no view of {name:?}; allowed: {allowed}")))
            }
        }
    }
}

/// An array that is written to, and the same memory as users get it: read-only.
struct LiveArray {
    quantity: ViewedState,
    memory: Py<PyArray2<f64>>,
    shown: Py<PyAny>,
}

/// The views of a simulation, at most one of each quantity.
#[derive(Default)]
pub(crate) struct Views(Vec<LiveArray>);

impl Views {
    /// The view of a quantity, where there is one.
    pub(crate) fn get(&self, py: Python<'_>, quantity: ViewedState) -> Option<Py<PyAny>> {
        let found = self.0.iter().find(|view| view.quantity == quantity)?;
        Some(found.shown.clone_ref(py))
    }

    /// Whether an array, or the one it is a part of, is written to.
    pub(crate) fn has(&self, array: &Bound<'_, PyAny>) -> bool {
        let base = array.getattr("base").ok();
        self.0.iter().any(|view| {
            let is = |one: &Bound<'_, PyAny>| one.is(&view.shown) || one.is(&view.memory);
            is(array) || base.as_ref().is_some_and(is)
        })
    }

    /// Takes a view in.
    pub(crate) fn insert(&mut self, made: MadeView) {
        self.0.push(made.0);
    }

    /// Writes the state into all views. One of another number of bodies is left as it is, for good: who
    /// holds it has the last state that it showed.
    pub(crate) fn refresh(&mut self, py: Python<'_>, simulation: &AnySimulation) {
        let count = each!(simulation, simulation => simulation.bodies().len());
        self.0.retain(|view| view.memory.bind(py).shape()[0] == count);
        self.0.iter().for_each(|view| view.write(py, simulation, 0..count));
    }

    /// Writes the velocity of one body, which was set.
    pub(crate) fn refresh_velocity(&self, py: Python<'_>, simulation: &AnySimulation, body: usize) {
        let of_velocity = self.0.iter().filter(|view| view.quantity == ViewedState::Velocities);
        for view in of_velocity.filter(|view| body < view.memory.bind(py).shape()[0]) {
            view.write(py, simulation, body..body + 1);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.iter().try_for_each(|view| visit.call(&view.memory).and(visit.call(&view.shown)))
    }
}

/// A view that nobody has yet. It is made without the lock: making arrays may call back.
pub(crate) struct MadeView(LiveArray);

impl MadeView {
    pub(crate) fn new(py: Python<'_>, quantity: ViewedState, simulation: &AnySimulation) -> PyResult<Self> {
        let count = each!(simulation, simulation => simulation.bodies().len());
        let memory = PyArray2::<f64>::zeros(py, [count, simulation.dimension()], false);
        let shown = memory.call_method0("view")?;
        shown.call_method1("setflags", (false,))?;
        let view = LiveArray { quantity, memory: memory.unbind(), shown: shown.unbind() };
        view.write(py, simulation, 0..count);
        Ok(Self(view))
    }
}

impl LiveArray {
    fn write(&self, py: Python<'_>, simulation: &AnySimulation, bodies: Range<usize>) {
        // Rust lends this memory to nobody else, so that it can be had
        if let Ok(mut memory) = self.memory.bind(py).try_readwrite()
            && let Ok(rows) = memory.as_slice_mut()
        {
            each!(simulation, simulation => write_rows(self.quantity, simulation, bodies, rows));
        }
    }
}

fn write_rows<const D: usize>(
    quantity: ViewedState,
    simulation: &Simulation<D>,
    bodies: Range<usize>,
    rows: &mut [f64],
) {
    let forces = match quantity {
        ViewedState::ContactForces => contact_forces(simulation),
        _ => Vec::new(),
    };
    let state = simulation.bodies();
    for (body, row) in rows.chunks_exact_mut(D).enumerate().skip(bodies.start).take(bodies.len()) {
        row.copy_from_slice(match quantity {
            ViewedState::Positions => state.pose[body].position.as_slice(),
            ViewedState::Velocities => &state.velocity[body][..D],
            ViewedState::ContactForces => forces[body].as_slice(),
        });
    }
}
