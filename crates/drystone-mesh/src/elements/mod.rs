//! From bytes to meshes of elements, for deformable bodies: a file per format, and the step from what a file
//! holds to a [`Mesh`]. Opens no file, keeps the unit of the numbers, and judges no form: that is the mesh's
//! own check.

mod file;
mod gmsh;
mod inp;
#[cfg(test)]
mod tests;
mod vtu;
mod xml;

pub use file::{CellKind, ElementFile, FileGroup};

use crate::MeshError;

/// The formats of meshes of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementFormat {
    /// Gmsh MSH 2.2 or 4.1, text or binary, with physical groups.
    Gmsh,
    /// VTK's unstructured grid as XML: text, base64 or appended, not compressed.
    Vtu,
    /// Nodes, elements, sets and surfaces of an Abaqus input file.
    Abaqus,
}

impl ElementFormat {
    /// The endings of file names that are known, for messages.
    pub const ENDINGS: &'static str = ".msh, .vtu, .inp";

    /// The format of a file by the ending of its name, in upper or lower case.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "msh" => Some(Self::Gmsh),
            "vtu" => Some(Self::Vtu),
            "inp" => Some(Self::Abaqus),
            _ => None,
        }
    }
}

/// Reads nodes, elements and groups. Memory stays in proportion to the bytes, whatever they claim to hold.
pub fn read_elements(format: ElementFormat, bytes: &[u8]) -> Result<ElementFile, MeshError> {
    match format {
        ElementFormat::Gmsh => gmsh::read(bytes),
        ElementFormat::Vtu => vtu::read(bytes),
        ElementFormat::Abaqus => inp::read(bytes),
    }
}
