//! Signals from what Python has for them: numbers, tables, functions of time, slots.

use crate::errors;
use crate::hooks::Shared;
use drystone::{Signal, Slot};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Weak};

/// A place for a number that is set from outside.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct NativeSlot(pub(crate) Slot);

/// A function of time that Python gave, named by its number: the function itself lives where the garbage
/// collector sees it, as long as a signal needs it.
pub(crate) struct Formula {
    index: usize,
    shared: Weak<Shared>,
}

impl Formula {
    pub(crate) fn new(function: Py<PyAny>, shared: &Arc<Shared>) -> PyResult<Self> {
        Ok(Self { index: shared.add_formula(function)?, shared: Arc::downgrade(shared) })
    }

    /// The function, while its simulation is there.
    pub(crate) fn function(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.shared.upgrade().map_or(Ok(None), |shared| shared.formula(py, self.index))
    }

    /// Remembers what it raised; the run ends.
    pub(crate) fn fail(&self, error: PyErr) {
        if let Some(shared) = self.shared.upgrade() {
            shared.fail(error);
        }
    }

    /// Its value; none where it raises.
    fn at(&self, time: f64) -> f64 {
        Python::attach(|py| {
            let call = || -> PyResult<f64> {
                let function = self.function(py)?;
                function.map_or(Ok(f64::NAN), |function| function.call1(py, (time,))?.extract(py))
            };
            call().unwrap_or_else(|error| {
                self.fail(error);
                f64::NAN
            })
        })
    }
}

impl Drop for Formula {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.drop_formula(self.index);
        }
    }
}

/// A number, pairs of time and value, a function of time, a slot, or the numbers of a sine.
pub(crate) fn signal(value: &Bound<'_, PyAny>, shared: &Arc<Shared>) -> PyResult<Signal> {
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Signal::Constant(number));
    }
    if let Ok(slot) = value.cast::<NativeSlot>() {
        return Ok(Signal::External(slot.get().0));
    }
    if let Ok(sine) = value.cast::<PyDict>() {
        return self::sine(sine);
    }
    if value.is_callable() {
        let formula = Formula::new(value.clone().unbind(), shared)?;
        return Ok(Signal::from(move |time: f64| formula.at(time)));
    }
    let Ok(points) = value.extract::<Vec<[f64; 2]>>() else {
        let kind = value.get_type().name()?;
        let allowed = "a number, rows of time and value, a function of time, a slot, or a dict with the \
                       keys mean, amplitude, frequency and phase";
        return Err(PyTypeError::new_err(format!("a signal cannot be of type {kind}; allowed is {allowed}")));
    };
    Signal::table(points).ok_or_else(|| {
        PyValueError::new_err(
            "a table of a signal needs at least one row, finite numbers and increasing times",
        )
    })
}

fn sine(dict: &Bound<'_, PyDict>) -> PyResult<Signal> {
    let known = ["mean", "amplitude", "frequency", "phase"];
    for key in dict.keys() {
        let key: String = key.extract()?;
        if !known.contains(&key.as_str()) {
            return Err(errors::change(format!("a sine has no {key:?}; allowed: {}", known.join(", "))));
        }
    }
    let number =
        |key: &str| -> PyResult<f64> { dict.get_item(key)?.map_or(Ok(0.0), |value| value.extract()) };
    let [mean, amplitude, frequency, phase] = known.map(number);
    Ok(Signal::Sine { mean: mean?, amplitude: amplitude?, frequency: frequency?, phase: phase? })
}
