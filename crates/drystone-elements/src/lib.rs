//! Deformable solids alone: elements, materials, meshes of elements, assembly, and one body in time. Nothing
//! here knows a contact, a scene or a file.
//!
//! - [`element`]: T3 T6 Q4 Q8 TE4 TE10 H8 H20 PRI6 PRI15 as tables.
//! - [`law`]: materials, written once in space; [`model::Kinematics`] embeds them in plane strain, plane
//!   stress and around an axis.
//! - [`mesh`]: nodes, elements, groups, the skin; built-in meshes; what is wrong with one.
//! - [`model`]: a mesh with a material: forces, stiffness, mass, damping, loads, stresses.
//! - [`scheme`]: the θ-scheme of one body, its floating frame, compliance at ports, Newton's method, statics.
//!
//! # How contacts will use it
//!
//! A contact holds a mesh by a [`scheme::Grip`], the shape functions of a face of the skin, and knows an
//! impulse and a velocity there; nothing else of the body is seen by the solvers. The body answers impulses
//! on its grips by a dense symmetric matrix `C_b`, [`scheme::PortCompliance::block`], in the frames of the
//! contacts. A body of `p` ports is then, to the condensed problem, one body more whose generalised
//! velocities are
//!
//! - in a floating frame: the rigid ones (3 or 6) and the `D p` velocities of its ports due to deformation,
//!   answered by `J⁻¹` and `C_b` on the diagonal ([`scheme::FloatingBody::compliance`]); a row of H has the
//!   columns of a rigid body, taken at the *reference* place of the port, and a unit for each component of
//!   its own port;
//! - in the world frame: the `D p` velocities of the ports alone.
//!
//! A step asks for `v_free` (one solve), takes rows and `C_b` from the grips, hands the impulses back
//! (a second solve) and advances. Congruent bodies share a [`scheme::SolidTemplate`]: mesh, factors and the
//! columns of `A⁻¹` that contacts have asked for.
//!
//! ```
//! use drystone_elements::element::ElementKind;
//! use drystone_elements::law::ElasticIsotropic;
//! use drystone_elements::mesh::rectangle_mesh;
//! use drystone_elements::model::{Constitutive, Kinematics, SolidModel, SolidOptions};
//! use drystone_elements::scheme::{SolidState, StaticLoad, StaticParams, Supports, equilibrium};
//! use std::sync::Arc;
//!
//! // a bar of 1 m, held at the left, pulled at the right with 1 MPa
//! let mesh = Arc::new(rectangle_mesh([1.0, 0.1], 0.05, ElementKind::Q4)?);
//! let steel = Constitutive::Small(Arc::new(ElasticIsotropic::new(210e9, 0.0)?));
//! let plate = Kinematics::PlaneStress { depth: 0.01 };
//! let bar = SolidModel::new(mesh, plate, steel, 7800.0, SolidOptions::default())?;
//! let ends = ["left", "right"].map(|name| bar.mesh().group(name));
//! let [left, right] = ends;
//! let supports = Supports::none(bar.dofs()).clamp::<2>(&left?.nodes);
//! let right = right?;
//! let mut load = vec![0.0; bar.dofs()];
//! bar.add_pressure(&right.faces, -1e6, None, &mut load);
//! let load = StaticLoad { load: Some(&load), ..StaticLoad::default() };
//! let start = SolidState::at_rest(&bar);
//! let found = equilibrium(&bar, &supports, &load, &start, &StaticParams::default())?;
//! let end = right.nodes[0] as usize;
//! assert!((found.state.displacement[2 * end] - 1e6 / 210e9).abs() < 1e-15);
//! # Ok::<(), drystone_elements::SolidError>(())
//! ```

pub mod dual;
pub mod element;
mod error;
pub mod law;
pub mod mesh;
pub mod model;
pub mod scheme;
pub mod tensor;

pub use error::{MeshFault, ParameterError, SolidError};
