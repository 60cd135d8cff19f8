//! The state of a simulation as arrays, each a copy: a step moves what it was taken from.

use crate::convert::rows;
use drystone::{AnySimulation, Energy, Simulation, Status, StepReport, Verdict};
use drystone_measure::contact_forces;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Calls the simulation of whichever dimension it is.
macro_rules! each {
    ($any:expr, $simulation:ident => $call:expr) => {
        match $any {
            drystone::AnySimulation::Plane($simulation) => $call,
            drystone::AnySimulation::Space($simulation) => $call,
        }
    };
}
pub(crate) use each;

/// Numbers of all bodies, row after row, and how many a row has.
pub(crate) type Rows = (Vec<f64>, usize);

pub(crate) fn positions(simulation: &AnySimulation) -> Rows {
    let flat = each!(simulation, simulation => {
        simulation.bodies().pose.iter().flat_map(|pose| pose.position.as_slice().to_vec()).collect()
    });
    (flat, simulation.dimension())
}

pub(crate) fn forces(simulation: &AnySimulation) -> Rows {
    fn flat<const D: usize>(simulation: &Simulation<D>) -> Vec<f64> {
        contact_forces(simulation).iter().flat_map(|force| force.as_slice().to_vec()).collect()
    }
    (each!(simulation, simulation => flat(simulation)), simulation.dimension())
}

/// A row of every body, as the library tells it.
pub(crate) fn of_bodies<C: std::ops::Deref<Target = [f64]>>(
    simulation: &AnySimulation,
    of: impl Fn(drystone::BodyHandle) -> Result<C, drystone::ChangeError>,
) -> Result<Vec<f64>, drystone::ChangeError> {
    let mut flat = Vec::new();
    for body in simulation.bodies() {
        flat.extend_from_slice(&of(body)?);
    }
    Ok(flat)
}

/// The contacts of the last step, an array for each quantity.
pub(crate) fn contacts<'py>(py: Python<'py>, simulation: &AnySimulation) -> PyResult<Bound<'py, PyDict>> {
    let dimension = simulation.dimension();
    let (mut bodies, mut gap, mut status) = (Vec::new(), Vec::new(), Vec::new());
    let (mut point, mut normal, mut force) = (Vec::new(), Vec::new(), Vec::new());
    each!(simulation, simulation => for contact in simulation.interactions() {
        bodies.extend(contact.bodies.map(|body| i64::from(body.0)));
        point.extend_from_slice(contact.point.as_slice());
        normal.extend_from_slice(contact.frame.column(0).into_owned().as_slice());
        force.extend_from_slice((contact.frame * contact.r / simulation.settings().step).as_slice());
        gap.push(contact.gap);
        status.push(status_code(contact.status));
    });
    let dict = PyDict::new(py);
    dict.set_item("bodies", rows(py, bodies, 2)?)?;
    dict.set_item("point", rows(py, point, dimension)?)?;
    dict.set_item("normal", rows(py, normal, dimension)?)?;
    dict.set_item("force", rows(py, force, dimension)?)?;
    dict.set_item("gap", PyArray1::from_vec(py, gap))?;
    dict.set_item("status", PyArray1::from_vec(py, status))?;
    Ok(dict)
}

/// 0 open, 1 stick, 2 slip, as in run files.
pub(crate) fn status_code(status: Status) -> u8 {
    match status {
        Status::Open => 0,
        Status::Stick => 1,
        Status::Slip => 2,
    }
}

/// The energies by name.
pub(crate) fn energy<'py>(py: Python<'py>, energy: &Energy) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let entries = [
        ("kinetic", energy.kinetic),
        ("potential", energy.potential),
        ("friction", energy.friction),
        ("shocks", energy.shocks),
        ("cohesion", energy.cohesion),
        ("viscosity", energy.viscosity),
        ("stored", energy.stored),
        ("scheme", energy.scheme),
        ("drift", energy.drift),
        ("loads", energy.loads),
        ("drives", energy.drives),
        ("gyroscopic", energy.gyroscopic),
        ("exchanged", energy.exchanged),
        ("balance_error", energy.balance_error),
    ];
    entries.into_iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
    Ok(dict)
}

/// What a step did.
pub(crate) fn step_report<'py>(py: Python<'py>, report: &StepReport) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("step", report.step)?;
    dict.set_item("time", report.time)?;
    dict.set_item("contacts", report.contacts)?;
    dict.set_item("active", report.active)?;
    dict.set_item("iterations", report.iterations)?;
    dict.set_item("residual", report.residual)?;
    dict.set_item("converged", report.converged)?;
    dict.set_item("penetration", report.penetration)?;
    dict.set_item("speed", report.speed)?;
    dict.set_item("verdict", report.trouble.map(|trouble| Verdict::words(trouble.verdict)))?;
    Ok(dict)
}
