//! Limit analysis of a scene as it stands, asked of the library.

use crate::convert::rows;
use crate::errors;
use crate::scene::NativeScene;
use crate::state::each;
use crate::threads::{detach, ready};
use drystone::{PerDof, Simulation, Vector};
use drystone_diagnose::statics::{Multiplier, Rest, StaticsError};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What was found out.
struct StabilityFindings<const D: usize> {
    contacts: Vec<([u32; 2], Vector<D>, Vector<D>)>,
    reserve: Option<f64>,
    mechanism: Option<Vec<PerDof<D>>>,
    /// The largest multiplier of the push; infinite where nothing bounds it.
    multiplier: Option<f64>,
}

fn find<const D: usize>(
    simulation: &Simulation<D>,
    touching: f64,
    push: Option<Vector<D>>,
) -> Result<StabilityFindings<D>, StaticsError> {
    let statics = simulation.statics(touching);
    let rest = statics.structure.rest(&statics.dead())?;
    let (reserve, mut mechanism, forces) = match rest {
        Rest::Balanced { forces, reserve } => (Some(reserve), None, forces),
        Rest::Mechanism(mechanism) => (None, Some(mechanism), Vec::new()),
    };
    let mut multiplier = None;
    if let (Some(push), Some(_)) = (push, reserve) {
        let bodies = simulation.bodies();
        let force = push * simulation.settings().gravity.norm();
        let one =
            |body: usize| PerDof::from_fn(|i| if i < D { bodies.mass[body][i] * force[i] } else { 0.0 });
        let live: Vec<PerDof<D>> = (0..bodies.len()).map(one).collect();
        match statics.structure.limit(&statics.dead(), &live)? {
            Multiplier::Largest(limit) => {
                (multiplier, mechanism) = (Some(limit.multiplier), Some(limit.mechanism));
            }
            Multiplier::Unbounded => multiplier = Some(f64::INFINITY),
            Multiplier::None(_) => {}
        }
    }
    let force = |row: usize| forces.get(row).copied().unwrap_or_else(Vector::zeros);
    let contact = |(row, contact): (usize, &drystone::Interaction<D>)| {
        (contact.bodies.map(|body| body.0), contact.point, contact.frame * force(row))
    };
    let contacts = statics.contacts.iter().enumerate().map(contact).collect();
    Ok(StabilityFindings { contacts, reserve, mechanism, multiplier })
}

fn tell<'py, const D: usize>(
    py: Python<'py>,
    simulation: &Simulation<D>,
    touching: f64,
    push: Option<&[f64]>,
) -> PyResult<Bound<'py, PyDict>> {
    let push = match push {
        Some(push) if push.len() == D && push.iter().any(|&x| x != 0.0) => {
            Some(Vector::<D>::from_column_slice(push).normalize())
        }
        None => None,
        Some(_) => return Err(PyValueError::new_err(format!("push must be {D} numbers, not all of them 0"))),
    };
    let found = detach(py, || find(simulation, touching, push))?;
    let found = found.map_err(|error| errors::other(format!("not decided: {error}")))?;
    let dict = PyDict::new(py);
    dict.set_item("stands", found.reserve.is_some())?;
    dict.set_item("reserve", found.reserve)?;
    dict.set_item("multiplier", found.multiplier)?;
    let bodies: Vec<i64> = found.contacts.iter().flat_map(|one| one.0.map(i64::from)).collect();
    dict.set_item("bodies", rows(py, bodies, 2)?)?;
    let points: Vec<f64> = found.contacts.iter().flat_map(|one| one.1.as_slice().to_vec()).collect();
    dict.set_item("point", rows(py, points, D)?)?;
    let forces: Vec<f64> = found.contacts.iter().flat_map(|one| one.2.as_slice().to_vec()).collect();
    dict.set_item("force", rows(py, forces, D)?)?;
    let mechanism = found.mechanism.map(|mechanism| -> PyResult<_> {
        let dofs = drystone::rigid_dofs(D);
        rows(py, mechanism.iter().flat_map(|one| one.iter().copied()).collect::<Vec<f64>>(), dofs)
    });
    dict.set_item("mechanism", mechanism.transpose()?)?;
    dict.set_item("masses", PyArray1::from_iter(py, simulation.bodies().mass.iter().map(|mass| mass[0])))?;
    Ok(dict)
}

/// Whether a scene can stand, and how much of a push it bears.
#[pyfunction]
pub(crate) fn stability<'py>(
    py: Python<'py>,
    scene: PyRef<'py, NativeScene>,
    touching: f64,
    push: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyDict>> {
    if !(touching > 0.0 && touching <= 0.1) {
        return Err(PyValueError::new_err(format!(
            "touching is {touching}; allowed are numbers above 0 up to 0.1"
        )));
    }
    ready()?;
    let simulation = scene.scene.build().map_err(errors::scene)?;
    each!(&simulation, simulation => tell(py, simulation, touching, push.as_deref()))
}
