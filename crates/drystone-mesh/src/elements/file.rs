//! What a file of elements holds, and the mesh it makes in the plane or in space.

use crate::MeshError;
use crate::read::error_at;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{ElementFace, Mesh, MeshGroup};
use drystone_math::Vector;
use std::collections::{BTreeMap, HashMap};

/// Kinds of cells in files; triangles and quadrangles are faces in a mesh of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// One node.
    Point,
    /// A segment of two or three nodes.
    Line,
    /// An element of ours.
    Element(ElementKind),
}

impl CellKind {
    fn dimension(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Element(kind) => kind.dimension(),
        }
    }
}

/// A cell as it stands in the file, its nodes in the order of VTK.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileCell {
    pub kind: CellKind,
    pub nodes: Vec<u32>,
}

/// Something with a name in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileGroup {
    /// Its cells, by their number in the file from 0.
    pub cells: Vec<u32>,
    /// Its nodes, by their number in the file from 0.
    pub nodes: Vec<u32>,
    /// Its faces of cells: cell, and number of the face in the table of its kind.
    pub faces: Vec<(u32, u8)>,
}

/// Nodes, cells and groups of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementFile {
    pub(super) nodes: Vec<[f64; 3]>,
    pub(super) cells: Vec<FileCell>,
    pub(super) groups: BTreeMap<String, FileGroup>,
}

impl ElementFile {
    /// Places of the nodes, in the unit of the file.
    pub fn nodes(&self) -> &[[f64; 3]] {
        &self.nodes
    }

    /// Groups by name.
    pub fn groups(&self) -> &BTreeMap<String, FileGroup> {
        &self.groups
    }

    /// The largest dimension of a cell: 2 for a mesh of the plane, 3 for one of space.
    pub fn dimension(&self) -> usize {
        self.cells.iter().map(|cell| cell.kind.dimension()).max().unwrap_or(0)
    }

    /// The mesh of the cells of dimension `D`, lengths multiplied by `scale` (0.001 for millimetres).
    ///
    /// Cells of one dimension less become faces of their groups, points nodes. Nodes that only such cells
    /// hold are left out; those that nothing holds stay, and the mesh's check tells them.
    pub fn to_mesh<const D: usize>(&self, scale: f64) -> Result<Mesh<D>, MeshError> {
        let mut seen = vec![Seen::Never; self.nodes.len()];
        for cell in &self.cells {
            let by = if cell.kind.dimension() == D { Seen::ByElement } else { Seen::ByLess };
            cell.nodes.iter().for_each(|&node| seen[node as usize] = seen[node as usize].max(by));
        }
        let mut number = vec![None; self.nodes.len()];
        let mut places = Vec::new();
        for (node, place) in self.nodes.iter().enumerate().filter(|&(node, _)| seen[node] != Seen::ByLess) {
            if D == 2 && place[2] != self.nodes[0][2] {
                let found = format!("z = {} after z = {}", place[2], self.nodes[0][2]);
                let allowed = "all nodes of a mesh of the plane must have the same z";
                return Err(error_at(format!("node {node}"), found, allowed));
            }
            number[node] = Some(places.len() as u32);
            places.push(Vector::<D>::from_fn(|axis, _| scale * place[axis]));
        }
        let renumbered =
            |nodes: &[u32]| -> Vec<u32> { nodes.iter().filter_map(|&node| number[node as usize]).collect() };
        // number of the element that a cell becomes
        let mut element_of = vec![None; self.cells.len()];
        let mut elements = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            if let CellKind::Element(kind) = cell.kind
                && kind.dimension() == D
            {
                element_of[index] = Some(elements.len() as u32);
                elements.push((kind, renumbered(&cell.nodes)));
            }
        }
        let mut mesh = Mesh::new(places, elements)?;
        let faces = faces_by_corners(&mesh);
        let mut parts = Vec::new();
        for (name, group) in &self.groups {
            let mut part = MeshGroup { nodes: renumbered(&group.nodes), ..MeshGroup::default() };
            for &cell in &group.cells {
                let (kind, nodes) = (self.cells[cell as usize].kind, &self.cells[cell as usize].nodes);
                match element_of[cell as usize] {
                    Some(element) => part.elements.push(element),
                    None if kind.dimension() + 1 == D => {
                        let own = renumbered(nodes);
                        let found = faces.get(&corners(kind, &own));
                        part.faces.extend(found.into_iter().flatten());
                        part.nodes.extend(own);
                    }
                    None => part.nodes.extend(renumbered(nodes)),
                }
            }
            let face = |&(cell, face): &(u32, u8)| {
                element_of[cell as usize].map(|element| ElementFace { element, face })
            };
            part.faces.extend(group.faces.iter().filter_map(face));
            parts.push((name, part));
        }
        parts.iter().for_each(|(name, part)| mesh.add_to_group(name, part));
        Ok(mesh)
    }
}

/// Who holds a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Never,
    ByLess,
    ByElement,
}

/// Corners of a face, sorted.
fn corners(kind: CellKind, nodes: &[u32]) -> Vec<u32> {
    let count = match kind {
        CellKind::Point => 1,
        CellKind::Line => 2,
        CellKind::Element(kind) => kind.reference().corners,
    };
    let mut corners: Vec<u32> = nodes.iter().copied().take(count).collect();
    corners.sort_unstable();
    corners
}

/// Faces of the skin by their corners.
fn faces_by_corners<const D: usize>(mesh: &Mesh<D>) -> HashMap<Vec<u32>, Vec<ElementFace>> {
    let mut all: HashMap<Vec<u32>, Vec<ElementFace>> = HashMap::new();
    for face in mesh.skin_faces() {
        let nodes: Vec<u32> = mesh.face_nodes(face).collect();
        let count = match (D, nodes.len()) {
            (2, _) => 2,
            (_, 3 | 6) => 3,
            _ => 4,
        };
        let mut key = nodes[..count].to_vec();
        key.sort_unstable();
        all.entry(key).or_default().push(face);
    }
    all
}
