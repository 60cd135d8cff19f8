//! Errors of the library as Python exceptions, a sentence each.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::fmt::Display;

create_exception!(drystone, DrystoneError, PyException, "Whatever Drystone refuses, with a sentence.");
create_exception!(drystone, SceneError, DrystoneError, "A scene that cannot be read or built.");
create_exception!(drystone, ChangeError, DrystoneError, "A change of a simulation that cannot be made.");
create_exception!(drystone, RunError, DrystoneError, "A run folder or file that cannot be read or written.");

/// Puts the exceptions into the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("DrystoneError", py.get_type::<DrystoneError>())?;
    module.add("SceneError", py.get_type::<SceneError>())?;
    module.add("ChangeError", py.get_type::<ChangeError>())?;
    module.add("RunError", py.get_type::<RunError>())
}

/// Of a scene.
pub(crate) fn scene(error: impl Display) -> PyErr {
    SceneError::new_err(error.to_string())
}

/// Of a simulation.
pub(crate) fn change(error: impl Display) -> PyErr {
    ChangeError::new_err(error.to_string())
}

/// Of files.
pub(crate) fn run(error: impl Display) -> PyErr {
    RunError::new_err(error.to_string())
}

/// Of anything else.
pub(crate) fn other(error: impl Display) -> PyErr {
    DrystoneError::new_err(error.to_string())
}
