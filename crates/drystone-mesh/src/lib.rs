//! Meshes: bytes in, a triangulated [`Surface`] or a [`HeightField`] out, with a report on what is wrong with
//! it, its mass properties, its convex pieces and tetrahedra that fill it. It opens no file, repairs nothing
//! silently and makes no hull unasked.
//!
//! ```
//! use drystone_mesh::{Format, Surface, read};
//! let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
//! let polygons = read(Format::Obj, text)?;
//! let surface = Surface::new(&polygons.vertices, &polygons.faces)?;
//! let found = surface.inspect();
//! assert!(found.closed && found.problems().is_empty());
//! assert!((surface.mass_properties().volume - 1.0 / 6.0).abs() < 1e-15);
//! # Ok::<(), drystone_mesh::MeshError>(())
//! ```

mod boxes;
mod cell;
mod decompose;
mod ears;
mod elements;
mod error;
mod hull;
mod inspect;
mod intersect;
mod mass;
mod read;
mod report;
mod stuffing;
mod surface;
mod topology;
mod union;
mod weld;

pub use decompose::{Decomposition, MOST_PIECES, Piece};
pub use elements::{CellKind, ElementFile, ElementFormat, FileGroup, read_elements};
pub use error::MeshError;
pub use mass::MassProperties;
pub use read::{AssemblyBlock, Format, HeightField, Polygons, read, read_assembly, read_height_field};
pub use report::{Convexity, Facing, Inspection, MeshProblem};
pub use surface::Surface;
pub use union::union_mass;
