//! Scenes: from and to text and dicts, checked by the library.

use crate::convert::{dict_to_toml, from_json, from_toml};
use crate::errors;
use crate::native::NativeSimulation;
use crate::threads::detach;
use drystone_scene::Scene;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// A checked scene, and what was written to get it.
#[pyclass(frozen, module = "drystone._drystone")]
pub(crate) struct NativeScene {
    pub(crate) scene: Scene,
    /// The text as it was written, samples as samples.
    written: String,
    /// Name of its file; other files are sought beside it.
    file: String,
}

impl NativeScene {
    fn new(py: Python<'_>, written: String, file: String) -> PyResult<Self> {
        let scene = detach(py, || Scene::parse(&written, &file))?.map_err(errors::scene)?;
        Ok(Self { scene, written, file })
    }

    /// Of a scene that was read elsewhere.
    pub(crate) fn of(scene: Scene, file: String) -> Self {
        Self { written: scene.to_toml(), scene, file }
    }
}

#[pymethods]
impl NativeScene {
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, allow_outside: bool) -> PyResult<Self> {
        let read = || if allow_outside { Scene::from_trusted_file(&path) } else { Scene::from_file(&path) };
        let scene = detach(py, read)?.map_err(errors::scene)?;
        let written = std::fs::read_to_string(&path).map_err(errors::scene)?;
        Ok(Self { scene, written, file: path.display().to_string() })
    }

    #[staticmethod]
    fn parse(py: Python<'_>, text: String, file: String) -> PyResult<Self> {
        Self::new(py, text, file)
    }

    #[staticmethod]
    fn from_dict(dict: &Bound<'_, PyDict>, file: String) -> PyResult<Self> {
        let table = dict_to_toml(dict, "", 0)?;
        Self::new(dict.py(), toml::to_string(&table).map_err(errors::scene)?, file)
    }

    /// From the complete text, with what was written to get it.
    #[staticmethod]
    fn revive(py: Python<'_>, complete: String, written: String, file: String) -> PyResult<Self> {
        let scene = detach(py, || Scene::parse(&complete, &file))?.map_err(errors::scene)?;
        Ok(Self { scene, written, file })
    }

    fn to_toml(&self, py: Python<'_>) -> PyResult<String> {
        detach(py, || self.scene.to_toml())
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read(py, &self.scene.to_toml())
    }

    fn written_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read(py, &self.written)
    }

    #[getter]
    fn written(&self) -> &str {
        &self.written
    }

    #[getter]
    fn file(&self) -> &str {
        &self.file
    }

    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.scene.dimension
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.scene.time.duration
    }

    #[getter]
    fn step(&self) -> f64 {
        self.scene.time.step
    }

    #[getter]
    fn interval(&self) -> f64 {
        self.scene.interval()
    }

    #[getter]
    fn body_names(&self) -> Vec<&str> {
        self.scene.body_names().collect()
    }

    /// The simulation, and the scene as it goes on from another run where it does.
    fn build(&self, py: Python<'_>) -> PyResult<(NativeSimulation, Option<Self>)> {
        if self.scene.origin().is_none() {
            let simulation = detach(py, || self.scene.build())?.map_err(errors::scene)?;
            return Ok((NativeSimulation::new(simulation), None));
        }
        let mut scene = self.scene.clone();
        let simulation = detach(py, || drystone_io::begin(&mut scene))?.map_err(errors::run)?;
        let later = Self { scene, written: self.written.clone(), file: self.file.clone() };
        Ok((NativeSimulation::new(simulation), Some(later)))
    }

    fn equals(&self, other: &Self) -> bool {
        self.scene == other.scene
    }
}

fn read<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let table: toml::Table = text.parse().map_err(errors::scene)?;
    from_toml(py, &toml::Value::Table(table))
}

/// A scene of one body in an empty world, from which another simulation can take it.
pub(crate) fn lone_body(dict: &Bound<'_, PyDict>, dimension: usize) -> PyResult<Scene> {
    let mut text = toml::Table::new();
    let number = |value: f64| toml::Value::Float(value);
    text.insert("dimension".into(), toml::Value::Integer(dimension as i64));
    let time = [("step".to_owned(), number(1e-3)), ("duration".to_owned(), number(1e-3))];
    text.insert("time".into(), toml::Value::Table(time.into_iter().collect()));
    let body = toml::Value::Table(dict_to_toml(dict, "body", 0)?);
    text.insert("body".into(), toml::Value::Array(vec![body]));
    let every = || toml::Value::String("*".into());
    let law = [
        ("between".to_owned(), toml::Value::Array(vec![every(), every()])),
        ("none".to_owned(), toml::Value::Table(toml::Table::new())),
    ];
    let law = toml::Value::Table(law.into_iter().collect());
    text.insert("law".into(), toml::Value::Array(vec![law]));
    let text = toml::to_string(&text).map_err(errors::scene)?;
    Scene::parse(&text, "<body>").map_err(errors::scene)
}

/// The JSON schema of scene files.
#[pyfunction]
pub(crate) fn schema(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    from_json(py, &serde_json::to_value(drystone_scene::schema()).map_err(errors::other)?)
}
