//! Python values as those of a scene file and back, rows of numbers as arrays. Knows no meaning of any.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml::Value;

/// Tables in tables deeper than this are no scene; a list that holds itself is one of them.
const DEEPEST: usize = 64;

/// A Python value as one of TOML. `place` is for messages.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>, place: &str, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("{place} is nested deeper than {DEEPEST} levels")));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        let whole = value.extract::<i64>();
        return whole.map(Value::Integer).map_err(|_| {
            PyValueError::new_err(format!("{place} is {value}; allowed are whole numbers of 64 bits"))
        });
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        return dict_to_toml(table, place, depth).map(Value::Table);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let item = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
            to_toml(&item?, &format!("{place}[{index}]"), depth + 1)
        };
        return value.try_iter()?.enumerate().map(item).collect::<PyResult<_>>().map(Value::Array);
    }
    for method in ["tolist", "__fspath__"] {
        if value.hasattr(method)? {
            return to_toml(&value.call_method0(method)?, place, depth + 1);
        }
    }
    let kind = value.get_type().name()?;
    let allowed = "allowed are numbers, texts, booleans, lists, arrays and dicts of these";
    Err(PyTypeError::new_err(format!("{place} is of type {kind}; {allowed}")))
}

/// A dict as a table; entries that are `None` are left out.
pub(crate) fn dict_to_toml(dict: &Bound<'_, PyDict>, place: &str, depth: usize) -> PyResult<toml::Table> {
    let mut table = toml::Table::new();
    for (key, value) in dict.iter() {
        let Ok(key) = key.extract::<String>() else {
            return Err(PyTypeError::new_err(format!("{place} has the key {key}; allowed are texts")));
        };
        if !value.is_none() {
            let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            let value = to_toml(&value, &place, depth + 1)?;
            table.insert(key, value);
        }
    }
    Ok(table)
}

/// A value of TOML as one of Python.
pub(crate) fn from_toml<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Datetime(date) => date.to_string().into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let items = items.iter().map(|item| from_toml(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(table) => {
            let dict = PyDict::new(py);
            for (key, value) in table {
                dict.set_item(key, from_toml(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A value of JSON as one of Python.
pub(crate) fn from_json<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// Rows of so many numbers as an array of two dimensions.
pub(crate) fn rows<'py, T: numpy::Element>(
    py: Python<'py>,
    flat: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let count = flat.len() / columns;
    PyArray1::from_vec(py, flat).reshape([count, columns])
}
