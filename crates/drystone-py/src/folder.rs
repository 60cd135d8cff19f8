//! Run folders, read by the library.

use crate::convert::{from_json, rows};
use crate::errors;
use crate::scene::NativeScene;
use crate::state::status_code;
use crate::threads::detach;
use drystone_io::RunFolder;
use drystone_view::{Show, Style, picture_of, render_png, render_svg};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// A run folder open for reading, as it was when it was opened.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct NativeRun(RunFolder);

#[pymethods]
impl NativeRun {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        detach(py, || RunFolder::open(path))?.map(Self).map_err(errors::run)
    }

    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.times())
    }

    fn steps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, self.0.steps())
    }

    #[getter]
    fn is_running(&self) -> bool {
        self.0.is_running()
    }

    #[getter]
    fn is_open(&self) -> bool {
        self.0.is_open()
    }

    fn scene(&self, py: Python<'_>) -> PyResult<NativeScene> {
        let scene = detach(py, || self.0.scene())?.map_err(errors::run)?;
        Ok(NativeScene::of(scene, self.0.path().join("scene.toml").display().to_string()))
    }

    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.summary().map_err(errors::run)?.map(|summary| from_json(py, &summary)).transpose()
    }

    /// A quantity of one body in every frame; not a number where it is not there.
    fn history<'py>(
        &self,
        py: Python<'py>,
        quantity: &str,
        body: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (flat, columns) = detach(py, || self.0.history(quantity, body))?.map_err(errors::run)?;
        rows(py, flat, columns)
    }

    /// A quantity of all bodies in one frame.
    fn bodies<'py>(
        &self,
        py: Python<'py>,
        quantity: &str,
        frame: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (flat, columns) = detach(py, || self.0.bodies_in(quantity, frame))?.map_err(errors::run)?;
        rows(py, flat, columns)
    }

    /// The contacts of one frame.
    fn contacts<'py>(&self, py: Python<'py>, frame: usize) -> PyResult<Bound<'py, PyDict>> {
        let contacts = detach(py, || self.0.contacts_in(frame))?.map_err(errors::run)?;
        let flat = |of: &dyn Fn(&drystone_io::ContactRecord) -> [f64; 3]| -> PyResult<_> {
            rows(py, contacts.iter().flat_map(of).collect::<Vec<f64>>(), 3)
        };
        let dict = PyDict::new(py);
        let bodies: Vec<i64> = contacts.iter().flat_map(|one| one.bodies.map(i64::from)).collect();
        dict.set_item("bodies", rows(py, bodies, 2)?)?;
        dict.set_item("point", flat(&|one| one.point)?)?;
        dict.set_item("normal", flat(&|one| one.normal)?)?;
        dict.set_item("force", flat(&|one| one.force)?)?;
        dict.set_item("gap", PyArray1::from_iter(py, contacts.iter().map(|one| one.gap)))?;
        dict.set_item("status", PyArray1::from_iter(py, contacts.iter().map(|one| status_code(one.status))))?;
        Ok(dict)
    }

    /// Writes the run as one page for a browser, with at most about so many bytes of frames.
    fn page(&self, py: Python<'_>, output: PathBuf, most: Option<usize>) -> PyResult<usize> {
        let written = detach(py, || drystone_serve::export_html(self.0.path(), &output, most))?;
        written.map(|page| page.frames).map_err(errors::run)
    }

    /// Writes `surfaces.vtkhdf` into the folder, where the run did not.
    fn surfaces(&self, py: Python<'_>) -> PyResult<usize> {
        detach(py, || drystone_io::write_surfaces(&self.0))?.map_err(errors::run)
    }

    /// A picture of one frame, as the bytes of a PNG or an SVG file.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        frame: usize,
        width: u32,
        show: &str,
        kind: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let show = match show {
            "bodies" => Show::Bodies,
            "velocities" => Show::Velocities,
            "forces" => Show::Forces,
            "all" => Show::All,
            _ => {
                let allowed = "bodies, velocities, forces, all";
                return Err(PyValueError::new_err(format!("{show:?} cannot be shown; allowed: {allowed}")));
            }
        };
        let style = Style { width, show, ..Style::default() };
        let bytes = detach(py, || {
            let picture = picture_of(&self.0, frame)?;
            match kind {
                "svg" => render_svg(&picture, &style).map(String::into_bytes),
                _ => render_png(&picture, &style),
            }
        })?;
        Ok(PyBytes::new(py, &bytes.map_err(errors::run)?))
    }
}
