//! Ids and all the data of the bodies in one place, with what must survive from step to step. Computes
//! nothing.

mod bodies;
mod handles;
mod memory;
mod velocities;

pub use bodies::{Bodies, Body, Gyroscopic, retain};
pub use handles::{BodyHandle, Handles};
pub use memory::{BRANCHES, ContactId, ContactMemory, LAW_MEMORY, SolidMemory, TieMemory};
pub use velocities::Velocities;

/// Index of a body, from 0 in the order of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(pub u32);

/// Index of a group of bodies that share their laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupId(pub u32);

/// Where the energy of a run went, in joules, summed since its start. Works are taken with the mean of the
/// velocities at the two ends of the step, which makes the balance of kinetic energy exact.
#[doc(alias = "energy balance")]
#[doc(alias = "dissipation")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// Work of given forces, gravity apart.
    pub loads: f64,
    /// Work done on the system by bodies whose velocity is prescribed.
    pub drives: f64,
    /// Dissipated by friction: minus the work of the tangential impulses.
    pub friction: f64,
    /// Dissipated by shocks: minus the work of the normal impulses.
    pub shocks: f64,
    /// Dissipated by bonds that break.
    pub cohesion: f64,
    /// Dissipated by the viscosity of contacts, and by viscosity and plastic flow of deformable bodies.
    pub viscosity: f64,
    /// Of that, by plastic flow.
    pub plastic: f64,
    /// Stored in contacts that give way elastically.
    pub stored: f64,
    /// Dissipated by the θ-scheme itself, zero for θ = ½.
    pub scheme: f64,
    /// Brought in by the correction of overlaps: work of its pushes, weights it lifted.
    pub drift: f64,
    /// Work of the gyroscopic moment: of the explicit one, and on bodies with a part of their spin driven;
    /// rounding otherwise.
    pub gyroscopic: f64,
    /// Brought in by bodies added and velocities set from outside, less what bodies removed took away:
    /// kinetic energy, and what their contacts stored.
    pub exchanged: f64,
    /// Potential energy, from where they came to where they went, of bodies that were removed and of
    /// components that were free before they were prescribed.
    pub settled: f64,
}
