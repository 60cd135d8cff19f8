//! Steps and runs, with the interpreter let go in between, and the folder that a run is written to. The loop
//! is the library's.

use crate::errors;
use crate::hooks::Shared;
use crate::native::{NativeSimulation, Recording};
use crate::scene::NativeScene;
use crate::state;
use crate::threads::{detach, ready};
use drystone::prelude::RunReport;
use drystone::{AnySimulation, ChangeError, HookError, Sink, StepReport};
use drystone_io::{RunSink, RunWriter};
use drystone_scene::{Scene, stage_state};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Python is asked for signals, and told of progress, at most this often: taking the interpreter may mean to
/// wait for another thread.
const LOOK: Duration = Duration::from_millis(50);

/// Steps between frames that no run reaches.
const NEVER: f64 = 1e14;

/// What is watched during a run.
struct Watch<'a> {
    shared: &'a Shared,
    recording: Option<&'a mut Recording>,
    progress: Option<Py<PyAny>>,
    looked: Instant,
    /// The scene whose rules of ending count, if they do.
    scene: Option<&'a Scene>,
    at_rest: u64,
    last: Option<StepReport>,
}

impl Watch<'_> {
    fn is_over(&self, simulation: &AnySimulation) -> Option<&'static str> {
        let rule = self.scene.and_then(|scene| scene.equilibrium.as_ref());
        if self.shared.has_failed() {
            Some("failed")
        } else if self.shared.is_stopped() {
            Some("stopped")
        } else if rule.is_some_and(|rule| self.at_rest >= u64::from(rule.steps.max(1))) {
            Some("equilibrium")
        } else if self
            .scene
            .is_some_and(|scene| stage_state(scene, simulation).is_some_and(|state| state.finished))
        {
            Some("completed")
        } else {
            None
        }
    }

    fn look(&mut self, simulation: &AnySimulation) {
        if self.looked.elapsed() < LOOK {
            return;
        }
        let (step, time) = (simulation.steps_done(), simulation.time());
        let told = Python::attach(|py| {
            py.check_signals()?;
            self.shared.refresh_views(py, simulation);
            self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (step, time)).map(drop))
        });
        if let Err(error) = told {
            self.shared.fail(error);
        }
        self.looked = Instant::now();
    }
}

impl Sink for Watch<'_> {
    fn wants_step(&mut self, simulation: &mut AnySimulation) -> Result<bool, HookError> {
        self.look(simulation);
        Ok(self.is_over(simulation).is_none())
    }

    fn step(&mut self, simulation: &AnySimulation, report: &StepReport) -> Result<(), HookError> {
        self.last = Some(*report);
        let rule = self.scene.and_then(|scene| scene.equilibrium.as_ref());
        let slow = rule.is_some_and(|rule| report.speed <= rule.speed);
        self.at_rest = if slow { self.at_rest + 1 } else { 0 };
        self.recording.as_mut().map_or(Ok(()), |recording| recording.sink.step(simulation, report))
    }

    fn frame(&mut self, simulation: &AnySimulation) -> Result<(), HookError> {
        let Some(recording) = &mut self.recording else { return Ok(()) };
        recording.written = Some(simulation.steps_done());
        recording.sink.frame(simulation)
    }

    /// Where a run ends the next may begin: the last frame is that of the end of the recording.
    fn last_frame(&mut self, _: &AnySimulation) -> Result<(), HookError> {
        Ok(())
    }
}

/// What a run came to.
struct Ran {
    result: Result<RunReport, ChangeError>,
    over: Option<&'static str>,
    last: Option<StepReport>,
}

impl Recording {
    /// Writes the state as it is, to go on from, unless it is written.
    fn save(&mut self, simulation: &AnySimulation) -> PyResult<()> {
        if self.written == Some(simulation.steps_done()) {
            return Ok(());
        }
        self.sink.last_frame(simulation).map_err(errors::run)?;
        self.written = Some(simulation.steps_done());
        Ok(())
    }
}

impl NativeSimulation {
    /// Runs to a time, or by one step.
    fn go(
        &self,
        py: Python<'_>,
        owner: Py<PyAny>,
        until: Option<f64>,
        progress: Option<Py<PyAny>>,
        scene: Option<&Scene>,
    ) -> PyResult<Ran> {
        ready()?;
        let shared = &self.shared;
        let mut simulation = shared.depart(py, owner)?;
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ran = py.detach(|| {
            let mut watch = Watch {
                shared,
                recording: recording.as_mut(),
                progress,
                looked: Instant::now(),
                scene,
                at_rest: 0,
                last: None,
            };
            let step = simulation.step_size();
            let every = watch.recording.as_ref().map_or(NEVER * step, |recording| recording.every);
            let until = until.unwrap_or((simulation.steps_done() + 1) as f64 * step);
            let result = simulation.run_into(until, every, &mut watch);
            Ran { result, over: watch.is_over(&simulation), last: watch.last }
        });
        let mut saved = Ok(());
        if let Some(recording) = recording.as_mut()
            && shared.has_failed()
        {
            saved = recording.save(&simulation);
        }
        *self.recording.lock().unwrap_or_else(PoisonError::into_inner) = recording;
        shared.come_back(py, simulation)?;
        saved?;
        Ok(ran)
    }
}

#[pymethods]
impl NativeSimulation {
    fn step<'py>(&self, py: Python<'py>, owner: Py<PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let ran = self.go(py, owner, None, None, None)?;
        ran.result.map_err(errors::change)?;
        match ran.last {
            Some(report) => state::step_report(py, &report),
            None => Err(errors::other("the simulation was told to stop")),
        }
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        owner: Py<PyAny>,
        until: f64,
        progress: Option<Py<PyAny>>,
        scene: Option<Py<NativeScene>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let scene = scene.as_ref().map(|scene| &scene.get().scene);
        let ran = self.go(py, owner, Some(until), progress, scene)?;
        let report = ran.result.map_err(errors::change)?;
        let dict = PyDict::new(py);
        dict.set_item("outcome", ran.over.unwrap_or("completed"))?;
        dict.set_item("steps", report.steps)?;
        dict.set_item("not_converged", report.not_converged)?;
        dict.set_item("residual", report.residual)?;
        Ok(dict)
    }

    /// Begins a run folder.
    fn record(
        &self,
        scene: PyRef<'_, NativeScene>,
        folder: PathBuf,
        every: f64,
        force: bool,
        changing: bool,
    ) -> PyResult<()> {
        self.shared.is_at_rest("a run folder")?;
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*recording {
            let folder = known.sink.writer().folder().display();
            return Err(errors::run(format!(
                "the simulation is recorded in {folder} already; close it first"
            )));
        }
        let sink = self.shared.with(|simulation| match changing {
            true => RunSink::create(folder, &scene.scene, simulation, force),
            false => RunSink::create_for(folder, &scene.scene, simulation, force),
        })?;
        *recording = Some(Recording { sink: sink.map_err(errors::run)?, every, written: None });
        Ok(())
    }

    /// Ends the run folder, if there is one.
    fn close(&self, py: Python<'_>, outcome: &str) -> PyResult<()> {
        self.shared.is_at_rest("a run folder")?;
        let taken = self.recording.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut recording) = taken else { return Ok(()) };
        let summary = self.shared.with(|simulation| {
            py.detach(|| -> PyResult<serde_json::Value> {
                recording.save(simulation)?;
                Ok(summary(simulation, &recording.sink, outcome))
            })
        })??;
        detach(py, || recording.sink.into_writer().finish(&summary))?.map_err(errors::run)
    }

    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        let recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        recording.as_ref().map(|recording| recording.sink.writer().folder().to_owned())
    }
}

/// What the run came to, for `summary.json`.
fn summary(simulation: &AnySimulation, sink: &RunSink, outcome: &str) -> serde_json::Value {
    let totals = sink.totals();
    let finite = |x: f64| if x.is_finite() { json!(x) } else { serde_json::Value::Null };
    let energy = simulation.energy();
    json!({
        "outcome": outcome,
        "steps": simulation.steps_done(),
        "time": simulation.time(),
        "bodies": simulation.bodies().len(),
        "dimension": simulation.dimension(),
        "contacts_max": totals.contacts_max,
        "iterations_total": totals.iterations,
        "residual_max": finite(totals.residual_max),
        "steps_not_converged": totals.steps_not_converged,
        "penetration_max": finite(totals.penetration_max),
        "energy": {
            "kinetic": finite(energy.kinetic),
            "potential": finite(energy.potential),
            "balance_error": finite(energy.balance_error),
        },
        "state_hash": format!("{:016x}", simulation.state_hash()),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Goes on with a run folder from its last checkpoint: the simulation and its scene.
#[pyfunction]
pub(crate) fn resume(py: Python<'_>, folder: PathBuf) -> PyResult<(NativeSimulation, NativeScene)> {
    let resumed = detach(py, || RunWriter::reopen(&folder))?.map_err(errors::run)?;
    let every = resumed.scene.interval();
    let file = folder.join("scene.toml").display().to_string();
    let scene = NativeScene::of(resumed.scene, file);
    let written = Some(resumed.simulation.steps_done());
    let simulation = NativeSimulation::new(resumed.simulation);
    let sink = RunSink::new(resumed.writer, resumed.totals);
    *simulation.recording.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(Recording { sink, every, written });
    Ok((simulation, scene))
}
