//! A mesh of COMPAS as JSON, of its first or second major version. Lists and volumes are refused; assemblies
//! are read block by block in `assembly.rs`.

use super::Polygons;
use super::cursor::error_at;
use crate::MeshError;
use serde_json::{Map, Value};
use std::collections::HashMap;

pub(super) fn read(bytes: &[u8]) -> Result<Polygons, MeshError> {
    polygons(&json(bytes)?)
}

/// The bytes as JSON.
pub(super) fn json(bytes: &[u8]) -> Result<Value, MeshError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        error_at(place, "something that is not JSON", error.to_string())
    })
}

/// The mesh that a value holds.
pub(super) fn polygons(root: &Value) -> Result<Polygons, MeshError> {
    let data = mesh(root)?;
    let table = |key: &str| {
        let found = data.get(key).and_then(Value::as_object);
        found.ok_or_else(|| refuse("data", format!("no table {key:?}"), "a mesh has vertex and face"))
    };
    let defaults = ["default_vertex_attributes", "dva"].iter().find_map(|key| data.get(*key)?.as_object());
    let mut polygons = Polygons::default();
    let mut numbers = HashMap::new();
    for (name, vertex) in in_order(table("vertex")?) {
        numbers.insert(name.as_str(), polygons.vertices.len() as u32);
        polygons.vertices.push(point(name, vertex, defaults)?);
    }
    for (name, corners) in in_order(table("face")?) {
        let place = format!("face {name:?}");
        let Some(list) = corners.as_array() else {
            return Err(refuse(&place, short(corners), "a face is a list of vertices"));
        };
        let corner = |corner: &Value| {
            let key = corner.as_str().map_or_else(|| corner.to_string(), str::to_owned);
            let known = numbers.get(key.as_str()).copied();
            known
                .ok_or_else(|| refuse(&place, format!("vertex {}", short(corner)), "no vertex has this name"))
        };
        polygons.faces.push(list.iter().map(corner).collect::<Result<_, _>>()?);
    }
    Ok(polygons)
}

/// The table with `vertex` and `face`: the root itself or what it carries as `data` or `value`.
fn mesh(root: &Value) -> Result<&Map<String, Value>, MeshError> {
    let mut here = root;
    // COMPAS wraps its data at most twice
    for _ in 0..3 {
        let Some(table) = here.as_object() else { break };
        if table.contains_key("vertex") {
            return Ok(table);
        }
        match table.get("data").or(table.get("value")) {
            Some(inner) => here = inner,
            None => break,
        }
    }
    let kind = root.get("dtype").map_or_else(|| short(root), short);
    Err(refuse("the file", kind, "one mesh with the tables vertex and face is allowed"))
}

fn point(name: &str, vertex: &Value, defaults: Option<&Map<String, Value>>) -> Result<[f64; 3], MeshError> {
    let place = format!("vertex {name:?}");
    let mut point = [0.0; 3];
    for (x, axis) in point.iter_mut().zip(["x", "y", "z"]) {
        let value = vertex.get(axis).or_else(|| defaults?.get(axis));
        let number = value.and_then(Value::as_f64).filter(|number| number.is_finite());
        *x = number.ok_or_else(|| {
            let found = value.map_or_else(|| "nothing".to_owned(), short);
            refuse(&place, format!("{found} for {axis}"), "a finite number must stand there")
        })?;
    }
    Ok(point)
}

/// By number where the keys are numbers, so that 10 comes after 9.
pub(super) fn in_order(table: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), *key));
    entries
}

pub(super) fn refuse(place: &str, found: impl Into<String>, allowed: &str) -> MeshError {
    error_at(place.to_owned(), found, allowed)
}

pub(super) fn short(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "a table without them".to_owned(),
        other => super::cursor::shown(other.to_string().as_bytes()),
    }
}
