//! The simulation that Python holds, and the run folder it writes. What it can do is told elsewhere.

use crate::hooks::{PythonHooks, Shared};
use drystone::AnySimulation;
use drystone_io::RunSink;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// A simulation that hooks of Python can look at.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct NativeSimulation {
    pub(crate) shared: Arc<Shared>,
    /// The run folder that is being written.
    pub(crate) recording: Mutex<Option<Recording>>,
}

/// A run folder being written.
pub(crate) struct Recording {
    pub(crate) sink: RunSink,
    /// Time between two frames \[s\].
    pub(crate) every: f64,
    /// The step of the last frame.
    pub(crate) written: Option<u64>,
}

impl NativeSimulation {
    pub(crate) fn new(mut simulation: AnySimulation) -> Self {
        let shared = Arc::new_cyclic(|weak| {
            simulation.add_hook(Box::new(PythonHooks(weak.clone())));
            Shared::new(simulation)
        });
        Self { shared, recording: Mutex::new(None) }
    }
}
