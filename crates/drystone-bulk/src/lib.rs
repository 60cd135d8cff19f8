//! What the step and contacts ask of a family of bodies; rigid ones in the plane and in space: free motion,
//! H, the two half steps of the θ-scheme; what deformable ones have beside. Knows no contact law and no
//! shape.

mod coast;
mod family;
mod kinematics;
mod motion;
mod solid;
mod turning;

pub use coast::{coast, from_touch};
pub use family::Bulk;
pub use kinematics::{advance, jacobian, middle, particle_rate, spin_rows};
pub use motion::FreeMotion;
pub use solid::{
    CentredSolid, DeformableSpec, DrivenNodes, FaceLoad, FaceLoadPart, MeshPlace, NewtonStage, Port,
    SolidEnergies, SolidFailure, SolidFrame, SolidLoad, SolidOperators, SolidWorks, Solids, centred,
    mesh_place,
};
pub use turning::{moment_in_world, row_in_body_axes, turn_about_last, turn_rows, turned_off, twist};
