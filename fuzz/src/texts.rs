//! Scenes and meshes from bytes. Everything is refused or read; what it says is not judged here.

use drystone_mesh::{ElementFormat, Format, read, read_elements, read_height_field};
use drystone_scene::Scene;

/// Reads and checks a scene; whether it was taken.
pub fn scene(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| Scene::parse(text, "fuzzed.toml").is_ok())
}

/// The readers of meshes.
pub const READERS: usize = 9;

/// Reads a mesh with one of the readers; whether it was taken.
pub fn mesh(reader: usize, bytes: &[u8]) -> bool {
    let formats = [Format::Stl, Format::Obj, Format::Ply, Format::Gmsh, Format::Compas];
    let elements = [ElementFormat::Gmsh, ElementFormat::Vtu, ElementFormat::Abaqus];
    match reader % READERS {
        0 => read_height_field(bytes).is_ok(),
        at @ 1..=5 => read(formats[at - 1], bytes).is_ok(),
        at => read_elements(elements[at - 6], bytes)
            .is_ok_and(|file| file.to_mesh::<2>(1.0).is_ok() || file.to_mesh::<3>(1.0).is_ok()),
    }
}
