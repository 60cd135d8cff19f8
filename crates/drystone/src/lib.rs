//! Nonsmooth contact dynamics of rigid bodies in the plane and in space (Moreau, Jean 1996; Dubois, Acary, Jean 2018).
//!
//! [`Simulation::step`] is the whole method on one screen. This crate is the face for Rust users; it opens no file
//! and prints nothing.

mod acd2;
mod cell;
mod coasting;
mod dissipation;
mod energy;
mod impact;
mod islands;
mod jam;
mod patches;
mod projection;
mod rest;
mod settlement;
mod simulation;
mod statics;
mod step;
mod structure;
mod ties;
mod trouble;

pub use acd2::Strategy;
pub use cell::misfit;
pub use dissipation::Dissipation;
pub use drystone_contact::{
    Elasticity, Interaction, Joint, Kind, LawError, Laws, Rubbing, Status, Stops, Tie, TieError, TieRow,
    TieView, Ties, Tolerances,
};
pub use drystone_detect::{Cell, Detector, LEVEL_AXES, Misfit, Touch};
pub use drystone_geometry::{
    Contactor, Face, MassProperties, Polytope, Shape, ShapeError, Surface, SurfaceMesh, decompose,
};
pub use drystone_laws::{
    Along, Approach, Bilinear, Capillary, Change, Cohesive, Device, Drift, Exponential, Friction, Inelastic,
    Law, Level, Mac, MohrCoulomb, Orowan, Outcome, Percussion, Poisson, Restitution, Rolling, STICK,
    Softening, Spent, Table, Threshold, Trapezoidal, Tresca, Unilateral, Viscoelastic,
};
pub use drystone_math::{Columns, Matrix, Orientation, PerDof, Pose, Vector, rigid_dofs, rigid_turns};
pub use drystone_problem::{Condensed, Delassus, Problem, Set};
pub use drystone_solvers::{
    AutoParams, Method, Order, Params as SolverParams, Remedy, Route, Verdict, remedies,
};
pub use drystone_state::{
    BRANCHES, Bodies, Body, BodyId, ContactId, ContactMemory, GroupId, Gyroscopic, LAW_MEMORY, Ledger,
    Snapshot, TieMemory, Velocities,
};
pub use energy::Energy;
pub use jam::Inconsistent;
pub use projection::{CLOSED, Projection};
pub use rest::{Rest, RestRule, Rested};
pub use settlement::{Pace, Settled};
pub use simulation::{BuildError, Overlap, Settings, Simulation};
pub use statics::{Statics, TOUCHING};
pub use step::{Seconds, StepReport};
pub use structure::{Standing, Structure};
pub use trouble::{Link, PAIRS, Trouble};

/// A simulation in the plane or in space: the dimension as a value, for the outer edge only.
pub enum AnySimulation {
    /// Two dimensions, three degrees of freedom a body.
    Plane(Simulation<2>),
    /// Three dimensions, six degrees of freedom a body.
    Space(Simulation<3>),
}
