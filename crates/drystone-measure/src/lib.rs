//! What a person wants to know of a state: pure functions, nothing kept, nothing changed.
//!
//! All measures are in one list, [`MEASURES`]; [`evaluate`] gives the numbers of one on a [`FrameView`],
//! which a running simulation or a file makes, [`measure_now`] one number of a running simulation.

mod directions;
mod dissipation;
mod domain;
mod error;
mod fabric;
mod forces;
mod joints;
mod love;
mod motion;
mod packing;
mod readings;
mod registry;
mod request;
mod shear;
mod stress;
#[cfg(test)]
mod tests;
mod triangles;
mod view;

pub use directions::ShearDirections;
pub use domain::{Domain, span};
pub use error::MeasureError;
pub use fabric::{Anisotropy, Coordination, anisotropy, coordination, size as anisotropy_size};
pub use forces::{Exponents, Resultant, exponents, resultant};
pub use joints::{LEAST_AREA, MasonryJoint, joints};
pub use love::{body_stresses, love, principal};
pub use motion::displacement_gradients;
pub use packing::solid_fraction;
pub use readings::{Heading, Readings};
pub use registry::{MEASURES, MeasureEntry, evaluate, find, measure_now, measure_now_any, scalar};
pub use request::{KEYS, Parameters, Request};
pub use shear::{LocalShear, local_shear};
pub use stress::{Stress, stress};
pub use triangles::{TriangleStrain, triangle_strains};
pub use view::{BodyView, ContactPower, ContactView, FrameView, Reference, volumes};

use drystone::{BodyId, Simulation, Status, Vector};

/// Resultant of the contact forces on every body over the last step, in world axes \[N\].
pub fn contact_forces<const D: usize>(simulation: &Simulation<D>) -> Vec<Vector<D>> {
    let mut forces = vec![Vector::zeros(); simulation.bodies().len()];
    for contact in simulation.interactions() {
        let force = contact.frame * contact.r / simulation.settings().step;
        forces[contact.bodies[0].0 as usize] += force;
        forces[contact.bodies[1].0 as usize] -= force;
    }
    forces
}

/// Counts over the contacts of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactCount {
    /// Contacts without impulse.
    pub open: usize,
    /// Sticking contacts.
    pub stick: usize,
    /// Sliding contacts.
    pub slip: usize,
    /// Mean number of loaded contacts of a body that can move.
    pub coordination: f64,
}

/// How many contacts are open, stick and slip, and the coordination number.
pub fn count_contacts<const D: usize>(simulation: &Simulation<D>) -> ContactCount {
    let mut count = ContactCount { open: 0, stick: 0, slip: 0, coordination: 0.0 };
    let mut ends = 0;
    for contact in simulation.interactions() {
        match contact.status {
            Status::Open => {
                count.open += 1;
                continue;
            }
            Status::Stick => count.stick += 1,
            Status::Slip => count.slip += 1,
        }
        ends += contact.bodies.iter().filter(|&&body| simulation.is_movable(body)).count();
    }
    let moving =
        (0..simulation.bodies().len() as u32).filter(|&body| simulation.is_movable(BodyId(body))).count();
    count.coordination = if moving == 0 { 0.0 } else { ends as f64 / moving as f64 };
    count
}
