//! What a person wants to know of a state: pure functions, nothing kept, nothing changed.

mod directions;
mod shear;
mod stress;

pub use directions::ShearDirections;
pub use shear::{LocalShear, local_shear};
pub use stress::{Stress, stress};

use drystone::{Simulation, Status, Vector};

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
    let bodies = simulation.bodies();
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
        ends += contact.bodies.iter().filter(|body| !bodies.is_driven(body.0 as usize)).count();
    }
    let moving = (0..bodies.len()).filter(|&body| !bodies.is_driven(body)).count();
    count.coordination = if moving == 0 { 0.0 } else { ends as f64 / moving as f64 };
    count
}
