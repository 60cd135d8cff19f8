//! From bytes to polygons or heights: a file per format. Opens no file, welds nothing, and keeps the unit of
//! the numbers.

mod asc;
mod assembly;
mod compas;
mod cursor;
mod gmsh;
mod obj;
mod ply;
mod stl;

pub use asc::HeightField;
pub use assembly::{AssemblyBlock, read_assembly};
pub(crate) use cursor::{Cursor, NumberKind, Writing, error_at, parse, shown};
pub(crate) use gmsh::format as gmsh_format;

use crate::MeshError;

/// The formats of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// STL, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY, text or binary of either byte order.
    Ply,
    /// Gmsh MSH 2.2 or 4.1, text or binary.
    Gmsh,
    /// A mesh of COMPAS as JSON.
    Compas,
}

impl Format {
    /// The endings of file names that are known, for messages.
    pub const ENDINGS: &'static str = ".stl, .obj, .ply, .msh, .json";

    /// The format of a file by the ending of its name, in upper or lower case.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "msh" => Some(Self::Gmsh),
            "json" => Some(Self::Compas),
            _ => None,
        }
    }
}

/// Vertices and the loops of their numbers around each face, as they stand in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Coordinates in the unit of the file.
    pub vertices: Vec<[f64; 3]>,
    /// Corners of each face, numbered from 0; every one exists.
    pub faces: Vec<Vec<u32>>,
}

/// Reads a mesh. Memory stays in proportion to the bytes, whatever they claim to hold.
pub fn read(format: Format, bytes: &[u8]) -> Result<Polygons, MeshError> {
    match format {
        Format::Stl => stl::read(bytes),
        Format::Obj => obj::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Gmsh => gmsh::read(bytes),
        Format::Compas => compas::read(bytes),
    }
}

/// Reads a height field in the text format of ESRI (`.asc`).
pub fn read_height_field(bytes: &[u8]) -> Result<HeightField, MeshError> {
    asc::read(bytes)
}
