//! The native half of the Python package `drystone`: converts and calls. What a user sees is in
//! `python/drystone`; nothing is computed here.

mod body;
mod convert;
mod errors;
mod folder;
mod hooks;
mod law;
mod native;
mod problem;
mod running;
mod scene;
mod signal;
mod simulation;
mod stability;
mod state;
mod threads;
mod views;

use pyo3::prelude::*;

#[pymodule]
fn _drystone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<scene::NativeScene>()?;
    module.add_class::<native::NativeSimulation>()?;
    module.add_class::<simulation::NativeSnapshot>()?;
    module.add_class::<body::NativeHandle>()?;
    module.add_class::<signal::NativeSlot>()?;
    module.add_class::<folder::NativeRun>()?;
    module.add_function(wrap_pyfunction!(scene::schema, module)?)?;
    module.add_function(wrap_pyfunction!(running::resume, module)?)?;
    module.add_function(wrap_pyfunction!(problem::solve, module)?)?;
    module.add_function(wrap_pyfunction!(problem::solve_file, module)?)?;
    module.add_function(wrap_pyfunction!(stability::stability, module)?)?;
    Ok(())
}
