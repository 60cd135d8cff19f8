//! A solid of finite elements as it is written, and the mesh it makes. Opens no file and knows no material.

use super::{ElementName, LengthUnit};
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{ElementFace, Mesh, MeshGroup};
use drystone_math::Vector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A solid of finite elements: a file with its unit, or nodes, elements and groups. A scene that was read has
/// both, and the file is then only a note of where they came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementsSpec {
    /// File beside the scene: .msh (gmsh 2.2, 4.1), .vtu or .inp (Abaqus); default: none, and nodes and
    /// elements instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What one stands for in the file; default: none, and it must be given with a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<LengthUnit>,
    /// Nodes \[m\]; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<Vec<f64>>>,
    /// Elements, kind by kind; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Vec<ElementListSpec>>,
    /// Groups by name, for deform.hold and deform.load; default: those of the file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, ElementGroupSpec>,
}

/// Elements of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementListSpec {
    /// Kind of the elements (no default).
    pub kind: ElementName,
    /// Nodes of each element, numbered from 0, in the order of VTK (no default).
    pub nodes: Vec<Vec<u32>>,
}

/// A group of nodes and faces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementGroupSpec {
    /// Its nodes, numbered from 0, those of its faces apart; default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u32>,
    /// Its faces, each by its corners; default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<Vec<u32>>,
}

impl ElementsSpec {
    /// Takes over nodes, elements and groups of a mesh.
    pub(crate) fn fill<const D: usize>(&mut self, mesh: &Mesh<D>) {
        self.nodes = Some(mesh.nodes().iter().map(|node| node.as_slice().to_vec()).collect());
        let mut lists: Vec<ElementListSpec> = Vec::new();
        for (kind, nodes) in mesh.elements() {
            let kind = ElementName::of(kind);
            match lists.iter_mut().find(|list| list.kind == kind) {
                Some(list) => list.nodes.push(nodes.to_vec()),
                None => lists.push(ElementListSpec { kind, nodes: vec![nodes.to_vec()] }),
            }
        }
        self.elements = Some(lists);
        let group = |group: &MeshGroup| ElementGroupSpec {
            nodes: group.nodes.clone(),
            faces: group.faces.iter().map(|&face| corners(mesh, face)).collect(),
        };
        self.groups = mesh.groups().iter().map(|(name, of)| (name.clone(), group(of))).collect();
    }

    /// The mesh; a sentence where it is none.
    pub(crate) fn mesh<const D: usize>(&self) -> Result<Mesh<D>, String> {
        let place = |node: &Vec<f64>| Vector::<D>::from_fn(|axis, _| node.get(axis).copied().unwrap_or(0.0));
        let nodes: Vec<Vector<D>> = self.nodes.iter().flatten().map(place).collect();
        let count = nodes.len() as u32;
        let lists = self.elements.iter().flatten();
        let elements =
            lists.flat_map(|list| list.nodes.iter().map(|nodes| (list.kind.element(), nodes.clone())));
        let mut mesh = Mesh::new(nodes, elements).map_err(|fault| fault.to_string())?;
        let known: BTreeMap<Vec<u32>, ElementFace> =
            mesh.skin_faces().into_iter().map(|face| (sorted(corners(&mesh, face)), face)).collect();
        for (name, group) in &self.groups {
            if let Some(node) = group.nodes.iter().find(|&&node| node >= count) {
                return Err(format!(
                    "group {name:?} names node {node}, but there are {count}, numbered from 0"
                ));
            }
            let mut faces = Vec::with_capacity(group.faces.len());
            for face in &group.faces {
                let Some(found) = known.get(&sorted(face.clone())) else {
                    let text = format!(
                        "group {name:?} names a face {face:?} that is not on the boundary; give the corners of faces of \
                         the boundary"
                    );
                    return Err(text);
                };
                faces.push(*found);
            }
            mesh.add_to_group(name, &MeshGroup { nodes: group.nodes.clone(), faces, elements: Vec::new() });
        }
        Ok(mesh)
    }

    /// The shortest distance between neighbours in the list of an element \[m\]; infinite where there are
    /// none.
    pub(crate) fn shortest_edge(&self) -> f64 {
        let Some(nodes) = &self.nodes else { return f64::INFINITY };
        let distance = |pair: &[u32]| -> f64 {
            let [a, b] = [0, 1].map(|k| nodes.get(pair[k] as usize).map_or(&[][..], Vec::as_slice));
            a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
        };
        let lists = self.elements.iter().flatten().flat_map(|list| &list.nodes);
        lists.flat_map(|nodes| nodes.windows(2)).map(distance).fold(f64::INFINITY, f64::min)
    }
}

fn sorted(mut nodes: Vec<u32>) -> Vec<u32> {
    nodes.sort_unstable();
    nodes
}

/// Corners of a face, which come first among its nodes.
fn corners<const D: usize>(mesh: &Mesh<D>, face: ElementFace) -> Vec<u32> {
    let mut nodes: Vec<u32> = mesh.face_nodes(face).collect();
    nodes.truncate(match (D, nodes.len()) {
        (2, _) => 2,
        (_, 3 | 6) => 3,
        _ => 4,
    });
    nodes
}

/// The names and the kinds of elements.
const KINDS: [(ElementName, ElementKind); 10] = [
    (ElementName::T3, ElementKind::T3),
    (ElementName::T6, ElementKind::T6),
    (ElementName::Q4, ElementKind::Q4),
    (ElementName::Q8, ElementKind::Q8),
    (ElementName::Te4, ElementKind::Te4),
    (ElementName::Te10, ElementKind::Te10),
    (ElementName::H8, ElementKind::H8),
    (ElementName::H20, ElementKind::H20),
    (ElementName::Pri6, ElementKind::Pri6),
    (ElementName::Pri15, ElementKind::Pri15),
];

impl ElementName {
    fn of(kind: ElementKind) -> Self {
        KINDS.iter().find(|(_, of)| *of == kind).map_or(Self::T3, |(name, _)| *name)
    }

    /// What it names.
    pub(crate) fn element(self) -> ElementKind {
        KINDS.iter().find(|(name, _)| *name == self).map_or(ElementKind::T3, |(_, kind)| *kind)
    }
}
