//! An assembly of `compas_assembly` as JSON, or a list of meshes: its blocks, and which of them are supports.
//! Interfaces and forces that stand in the file are passed over: they are found anew.

use super::Polygons;
use super::compas::{in_order, json, polygons, refuse, short};
use crate::MeshError;
use serde_json::{Map, Value};

/// A block of an assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblyBlock {
    /// Its node in the graph of the assembly, or its number in a list, from 0.
    pub name: String,
    /// Whether the assembly names it a support.
    pub is_support: bool,
    /// The block itself.
    pub polygons: Polygons,
}

/// Most tables around the graph of an assembly: COMPAS wraps its data twice, and the graph once more.
const DEEPEST: usize = 6;

/// Reads the blocks of an assembly in the order of their nodes; of a list of meshes in its order.
pub fn read_assembly(bytes: &[u8]) -> Result<Vec<AssemblyBlock>, MeshError> {
    let root = json(bytes)?;
    let mut here = &root;
    let mut blocks = None;
    for _ in 0..DEEPEST {
        blocks = match here {
            Value::Array(list) => Some(of_list(list)?),
            Value::Object(table) => of_graph(table)?,
            _ => None,
        };
        let inner = ["data", "value", "graph"].iter().find_map(|key| here.get(key));
        match (&blocks, inner) {
            (None, Some(inner)) => here = inner,
            _ => break,
        }
    }
    let allowed = "an assembly, a graph with a block at every node, or a list of meshes is allowed";
    match blocks {
        Some(blocks) if blocks.is_empty() => Err(refuse("the file", "no block", allowed)),
        Some(blocks) => Ok(blocks),
        None => {
            let kind = root.get("dtype").map_or_else(|| "no assembly".to_owned(), short);
            Err(refuse("the file", kind, allowed))
        }
    }
}

/// Every item is a mesh.
fn of_list(list: &[Value]) -> Result<Vec<AssemblyBlock>, MeshError> {
    list.iter().enumerate().map(|(index, mesh)| block(&index.to_string(), mesh, false)).collect()
}

/// The nodes of a graph with their blocks; in files of versions before 0.17 both stand beside each other.
fn of_graph(table: &Map<String, Value>) -> Result<Option<Vec<AssemblyBlock>>, MeshError> {
    let tables = |key: &str| table.get(key).and_then(Value::as_object);
    if let (Some(graph), Some(blocks)) = (table.get("assembly"), tables("blocks")) {
        let graph = graph.get("data").unwrap_or(graph);
        let of = |(name, mesh): (&String, &Value)| {
            block(name, mesh, is_support(graph.get("vertex").and_then(|nodes| nodes.get(name)), None))
        };
        return in_order(blocks).into_iter().map(of).collect::<Result<_, _>>().map(Some);
    }
    let Some(nodes) = tables("node") else { return Ok(None) };
    let defaults = table.get("default_node_attributes").or_else(|| table.get("dna"));
    let of = |(name, node): (&String, &Value)| {
        let mesh = node.get("block").filter(|mesh| !mesh.is_null()).ok_or_else(|| {
            refuse(&format!("node {name:?}"), "no block", "every node of an assembly has one")
        })?;
        block(name, mesh, is_support(Some(node), defaults))
    };
    in_order(nodes).into_iter().map(of).collect::<Result<_, _>>().map(Some)
}

fn is_support(node: Option<&Value>, defaults: Option<&Value>) -> bool {
    let told = [node, defaults].into_iter().flatten().find_map(|table| table.get("is_support")?.as_bool());
    told.unwrap_or(false)
}

/// A block, its problem told with its name.
fn block(name: &str, mesh: &Value, is_support: bool) -> Result<AssemblyBlock, MeshError> {
    let told = |error| match error {
        MeshError::Read { place, found, allowed } => {
            MeshError::Read { place: format!("block {name:?}, {place}"), found, allowed }
        }
        other => other,
    };
    let polygons = polygons(mesh).map_err(told)?;
    Ok(AssemblyBlock { name: name.to_owned(), is_support, polygons })
}
