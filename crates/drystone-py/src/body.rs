//! One body of a simulation: what it is asked and what is set. What concerns all of them is in `simulation`.

use crate::native::NativeSimulation;
use drystone::prelude::{Axis, Coordinates, Who};
use drystone::{AnySimulation, BodyHandle, ChangeError};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One body, whatever its number is by then.
#[pyclass(frozen, eq, hash, module = "drystone._drystone")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NativeHandle(pub(crate) BodyHandle);

/// A body by its handle or by its name, as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum PyWho<'py> {
    #[pyo3(transparent)]
    Handle(PyRef<'py, NativeHandle>),
    #[pyo3(transparent)]
    Name(String),
}

impl PyWho<'_> {
    pub(crate) fn who(&self) -> Who<'_> {
        match self {
            Self::Handle(handle) => Who::Handle(handle.0),
            Self::Name(name) => Who::Name(name),
        }
    }
}

/// As many numbers as dimensions.
fn coordinates(values: &[f64]) -> PyResult<Coordinates> {
    match *values {
        [x] => Ok(x.into()),
        [x, y] => Ok([x, y].into()),
        [x, y, z] => Ok([x, y, z].into()),
        _ => Err(PyValueError::new_err(format!("{} numbers are given; allowed are 1 to 3", values.len()))),
    }
}

pub(crate) fn axis(name: &str) -> PyResult<Axis> {
    Ok(match name {
        "x" => Axis::X,
        "y" => Axis::Y,
        "z" => Axis::Z,
        "about x" => Axis::TurnX,
        "about y" => Axis::TurnY,
        "about z" => Axis::TurnZ,
        _ => {
            let allowed = "x, y, z, about x, about y, about z";
            return Err(PyValueError::new_err(format!("there is no axis {name:?}; allowed: {allowed}")));
        }
    })
}

impl NativeSimulation {
    /// Shows the velocity of one body that was set.
    fn show_velocity(
        &self,
        py: Python<'_>,
        simulation: &AnySimulation,
        body: &PyWho<'_>,
    ) -> Result<(), ChangeError> {
        let handle = match body {
            PyWho::Handle(handle) => handle.0,
            PyWho::Name(name) => simulation.body(name)?,
        };
        self.shared.refresh_velocity(py, simulation, simulation.index_of(handle)?);
        Ok(())
    }

    fn one<'py>(
        &self,
        py: Python<'py>,
        call: impl FnOnce(&AnySimulation) -> Result<Coordinates, ChangeError>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.ask(|simulation| call(simulation))?;
        Ok(PyArray1::from_slice(py, &found))
    }
}

#[pymethods]
impl NativeSimulation {
    fn handle(&self, name: &str) -> PyResult<NativeHandle> {
        self.ask(|simulation| simulation.body(name)).map(NativeHandle)
    }

    fn handles(&self) -> PyResult<Vec<NativeHandle>> {
        self.shared.with(|simulation| simulation.bodies().into_iter().map(NativeHandle).collect())
    }

    fn contains(&self, body: PyRef<'_, NativeHandle>) -> PyResult<bool> {
        self.shared.with(|simulation| simulation.contains(body.0))
    }

    fn index_of(&self, body: PyRef<'_, NativeHandle>) -> PyResult<usize> {
        self.ask(|simulation| simulation.index_of(body.0))
    }

    fn name_of(&self, body: PyRef<'_, NativeHandle>) -> PyResult<String> {
        self.ask(|simulation| simulation.name(body.0).map(str::to_owned))
    }

    fn group_of(&self, body: PyWho<'_>) -> PyResult<String> {
        self.ask(|simulation| simulation.group_of(body.who()))
    }

    fn position<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.one(py, |simulation| simulation.position(body.who()))
    }

    fn orientation<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.ask(|simulation| simulation.orientation_wxyz(body.who()))?;
        Ok(PyArray1::from_slice(py, &found))
    }

    fn angle(&self, body: PyWho<'_>) -> PyResult<f64> {
        self.ask(|simulation| simulation.angle(body.who()))
    }

    fn velocity<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.one(py, |simulation| simulation.velocity(body.who()))
    }

    fn spin<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.one(py, |simulation| simulation.spin(body.who()))
    }

    fn mass(&self, body: PyWho<'_>) -> PyResult<f64> {
        self.ask(|simulation| simulation.mass(body.who()))
    }

    fn contact_force<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.one(py, |simulation| simulation.contact_force(body.who()))
    }

    fn contact_moment<'py>(&self, py: Python<'py>, body: PyWho<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.one(py, |simulation| simulation.contact_moment(body.who()))
    }

    fn set_velocity(&self, py: Python<'_>, body: PyWho<'_>, velocity: Vec<f64>) -> PyResult<()> {
        let velocity = coordinates(&velocity)?;
        self.ask(|simulation| {
            simulation.set_velocity(body.who(), velocity)?;
            self.show_velocity(py, simulation, &body)
        })
    }

    fn set_spin(&self, body: PyWho<'_>, spin: Vec<f64>) -> PyResult<()> {
        let spin = coordinates(&spin)?;
        self.ask(|simulation| simulation.set_spin(body.who(), spin))
    }

    fn set_force(&self, body: PyWho<'_>, force: Vec<f64>) -> PyResult<()> {
        let force = coordinates(&force)?;
        self.ask(|simulation| simulation.set_force(body.who(), force))
    }

    fn load(&self, body: PyWho<'_>, along: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let axis = axis(along)?;
        self.follow(value, |simulation, signal| simulation.load(body.who(), axis, signal))
    }

    fn drive(&self, py: Python<'_>, body: PyWho<'_>, along: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let axis = axis(along)?;
        self.follow(value, |simulation, signal| {
            simulation.drive(body.who(), axis, signal)?;
            self.show_velocity(py, simulation, &body)
        })
    }

    fn release(&self, body: PyWho<'_>, along: &str) -> PyResult<()> {
        let axis = axis(along)?;
        self.ask(|simulation| simulation.release(body.who(), axis))
    }

    fn fix(&self, py: Python<'_>, body: PyWho<'_>) -> PyResult<()> {
        self.ask(|simulation| {
            simulation.fix(body.who())?;
            self.show_velocity(py, simulation, &body)
        })
    }
}
