//! A law that a function of Python prescribes, contact by contact: the slow way, for prototypes. What it
//! answers is checked here; what is done with it is the library's.

use crate::hooks::Shared;
use crate::signal::Formula;
use drystone::{Approach, Change, Law, Set, Vector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt;
use std::sync::Arc;

/// What Python answers: friction, shift of the velocity, compliance, impulse.
type PythonChange = Option<(f64, Vec<f64>, Vec<f64>, Vec<f64>)>;

/// Calls a function with what two bodies at a contact bring with them.
pub(crate) struct PythonLaw {
    formula: Formula,
    reach: f64,
}

impl PythonLaw {
    pub(crate) fn new(function: Py<PyAny>, reach: f64, shared: &Arc<Shared>) -> PyResult<Self> {
        if !(reach >= 0.0 && reach.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "reach is {reach}; allowed are numbers of at least 0"
            )));
        }
        Ok(Self { formula: Formula::new(function, shared)?, reach })
    }

    fn ask<const D: usize>(&self, py: Python<'_>, approach: &Approach<D>) -> PyResult<Option<Change<D>>> {
        let Some(function) = self.formula.function(py)? else { return Ok(None) };
        let velocity = approach.u_begin.as_slice().to_vec();
        let given = (approach.gap, velocity, approach.h, approach.theta, approach.time, approach.area);
        let Some((mu, shift, compliance, impulse)) =
            function.call1(py, given)?.extract::<PythonChange>(py)?
        else {
            return Ok(None);
        };
        let vector = |values: &[f64], what: &str| -> PyResult<Vector<D>> {
            if values.len() > D || values.iter().any(|value| !value.is_finite()) {
                let allowed = format!("at most {D} finite numbers, the normal first");
                return Err(PyValueError::new_err(format!(
                    "{what} of a law is {values:?}; allowed are {allowed}"
                )));
            }
            Ok(Vector::from_fn(|row, _| values.get(row).copied().unwrap_or(0.0)))
        };
        if !(mu >= 0.0 && mu.is_finite()) {
            let allowed = "numbers of at least 0";
            return Err(PyValueError::new_err(format!("friction of a law is {mu}; allowed are {allowed}")));
        }
        let compliance = vector(&compliance, "compliance")?;
        if compliance.iter().any(|&entry| entry < 0.0) {
            return Err(PyValueError::new_err(
                "compliance of a law is negative; allowed are numbers of at least 0",
            ));
        }
        let (shift, impulse) = (vector(&shift, "shift")?, vector(&impulse, "impulse")?);
        Ok(Some(Change { shift, compliance, impulse, ..Change::new(Set::Coulomb { mu }) }))
    }
}

impl fmt::Debug for PythonLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PythonLaw").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl<const D: usize> Law<D> for PythonLaw {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        Python::attach(|py| {
            self.ask(py, approach).unwrap_or_else(|error| {
                self.formula.fail(error);
                None
            })
        })
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    /// A function may look at it.
    fn wants_area(&self) -> bool {
        true
    }

    fn may_pass(&self) -> bool {
        self.reach == 0.0
    }
}
