//! Meshes of elements: nodes, elements, named groups, the skin. Moves nothing and knows no material.

mod ball;
mod build;
mod check;
mod locate;
mod polyhedron;
mod refine;
mod region;
mod skin;
mod triangulation;

pub use ball::{capsule_mesh, sphere_mesh};
pub use build::{cuboid_mesh, cylinder_mesh, disk_mesh, rectangle_mesh};
pub use check::MeshLimits;
pub use polyhedron::polyhedron_mesh;
pub use region::{polygon_mesh, rounded_rectangle_mesh, stadium_mesh};
pub use skin::{Skin, SkinFacet};

use crate::element::ElementKind;
use crate::error::MeshFault;
use drystone_math::Vector;
use std::collections::BTreeMap;

/// A face of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ElementFace {
    /// Number of the element.
    pub element: u32,
    /// Number of the face in the table of its kind.
    pub face: u8,
}

/// Something of a mesh with a name: where it is held, pushed or measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshGroup {
    /// Its nodes, increasing; those of its faces and elements among them.
    pub nodes: Vec<u32>,
    /// Its faces, increasing.
    pub faces: Vec<ElementFace>,
    /// Its elements, increasing.
    pub elements: Vec<u32>,
}

/// Nodes \[m\] and elements between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh<const D: usize> {
    nodes: Vec<Vector<D>>,
    kinds: Vec<ElementKind>,
    starts: Vec<u32>,
    connectivity: Vec<u32>,
    groups: BTreeMap<String, MeshGroup>,
}

/// Kinds of elements that fill the plane or space, for messages.
fn kinds_of(dimension: usize) -> &'static str {
    if dimension == 2 { "T3, T6, Q4 and Q8" } else { "TE4, TE10, H8, H20, PRI6 and PRI15" }
}

/// A point for messages.
pub(crate) fn shown<const D: usize>(point: &Vector<D>) -> String {
    let numbers: Vec<String> = point.iter().map(|x| format!("{x:.6}")).collect();
    format!("({})", numbers.join(", "))
}

impl<const D: usize> Mesh<D> {
    /// Nodes and elements as they are given; wrong numbers are refused, wrong forms by [`Mesh::check`].
    pub fn new(
        nodes: Vec<Vector<D>>,
        elements: impl IntoIterator<Item = (ElementKind, Vec<u32>)>,
    ) -> Result<Self, MeshFault> {
        if let Some(node) = nodes.iter().position(|node| node.iter().any(|x| !x.is_finite())) {
            return Err(MeshFault::NotFinite { node });
        }
        let mut mesh = Self { nodes, starts: vec![0], ..Self::default() };
        for (element, (kind, list)) in elements.into_iter().enumerate() {
            let name = kind.reference().name;
            if kind.dimension() != D {
                return Err(MeshFault::Kind { element, kind: name, allowed: kinds_of(D) });
            }
            if list.len() != kind.nodes() {
                let (found, allowed) = (list.len(), kind.nodes());
                return Err(MeshFault::NodeCount { element, kind: name, found, allowed });
            }
            for (place, &node) in list.iter().enumerate() {
                let (node, nodes) = (node as usize, mesh.nodes.len());
                if node >= nodes {
                    return Err(MeshFault::NoSuchNode { element, node, nodes });
                }
                if list[..place].contains(&(node as u32)) {
                    return Err(MeshFault::RepeatedNode { element, node });
                }
            }
            mesh.kinds.push(kind);
            mesh.connectivity.extend(list);
            mesh.starts.push(mesh.connectivity.len() as u32);
        }
        if mesh.kinds.is_empty() { Err(MeshFault::Empty) } else { Ok(mesh) }
    }

    /// Where the nodes are \[m\].
    pub fn nodes(&self) -> &[Vector<D>] {
        &self.nodes
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.kinds.len()
    }

    /// Kind of an element.
    pub fn kind(&self, element: usize) -> ElementKind {
        self.kinds[element]
    }

    /// Nodes of an element.
    pub fn element(&self, element: usize) -> &[u32] {
        &self.connectivity[self.starts[element] as usize..self.starts[element + 1] as usize]
    }

    /// Kinds and nodes of all elements.
    pub fn elements(&self) -> impl Iterator<Item = (ElementKind, &[u32])> + Clone {
        (0..self.element_count()).map(|element| (self.kinds[element], self.element(element)))
    }

    /// Nodes of a face, corners first, seen from outside counterclockwise.
    pub fn face_nodes(&self, face: ElementFace) -> impl Iterator<Item = u32> + '_ {
        let element = face.element as usize;
        let nodes = self.element(element);
        let table = self.kinds[element].reference();
        table.faces[face.face as usize].iter().map(move |&local| nodes[local as usize])
    }

    /// All groups by name.
    pub fn groups(&self) -> &BTreeMap<String, MeshGroup> {
        &self.groups
    }

    /// A group, or which ones there are.
    pub fn group(&self, name: &str) -> Result<&MeshGroup, MeshFault> {
        self.groups.get(name).ok_or_else(|| {
            let names: Vec<String> = self.groups.keys().map(|name| format!("{name:?}")).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            MeshFault::NoSuchGroup { name: name.to_owned(), known }
        })
    }

    /// Adds to a group, or makes it; nodes of faces and elements come along.
    pub fn add_to_group(&mut self, name: &str, part: &MeshGroup) {
        let mut nodes = part.nodes.clone();
        nodes.extend(part.faces.iter().flat_map(|&face| self.face_nodes(face)));
        nodes.extend(part.elements.iter().flat_map(|&element| self.element(element as usize)));
        let group = self.groups.entry(name.to_owned()).or_default();
        group.nodes.extend(nodes);
        group.faces.extend(&part.faces);
        group.elements.extend(&part.elements);
        group.nodes.sort_unstable();
        group.nodes.dedup();
        group.faces.sort_unstable();
        group.faces.dedup();
        group.elements.sort_unstable();
        group.elements.dedup();
    }

    /// Makes a group of the faces of the skin whose nodes all satisfy a condition.
    pub fn group_faces(&mut self, name: &str, wanted: impl Fn(&Vector<D>) -> bool) {
        let all_wanted =
            |face: ElementFace| self.face_nodes(face).all(|node| wanted(&self.nodes[node as usize]));
        let faces = self.skin_faces().into_iter().filter(|&face| all_wanted(face)).collect();
        self.add_to_group(name, &MeshGroup { faces, ..MeshGroup::default() });
    }

    /// The nodes that satisfy a condition.
    pub fn nodes_where(&self, wanted: impl Fn(&Vector<D>) -> bool) -> Vec<u32> {
        (0..self.nodes.len() as u32).filter(|&node| wanted(&self.nodes[node as usize])).collect()
    }

    /// The same mesh with its nodes moved.
    pub fn map_nodes(mut self, place: impl Fn(&Vector<D>) -> Vector<D>) -> Self {
        self.nodes.iter_mut().for_each(|node| *node = place(node));
        self
    }

    /// The node nearest to a point.
    pub fn nearest_node(&self, point: &Vector<D>) -> usize {
        let distance = |node: usize| (self.nodes[node] - point).norm_squared();
        (1..self.nodes.len()).fold(0, |best, node| if distance(node) < distance(best) { node } else { best })
    }
}
