//! Nonsmooth contact dynamics of rigid and deformable bodies in the plane and in space (Moreau, Jean 1996;
//! Dubois, Acary, Jean 2018).
//!
//! [`Simulation::step`] is the whole method on one screen. This crate is the face for Rust users; it opens no
//! file and prints nothing.

mod account;
mod acd2;
mod bending;
mod bonds;
mod cell;
mod changes;
mod coasting;
mod cold_start;
mod controls;
mod diagnosis;
mod dissipation;
mod energy;
mod expression;
mod face;
mod growth;
mod impact;
mod islands;
mod jam;
mod parts;
mod patches;
mod population;
pub mod prelude;
mod principal;
mod projection;
mod report;
mod rest;
#[cfg(feature = "diagnose")]
mod settlement;
mod signal;
mod simulation;
mod snapshot;
mod solid_fields;
mod solids;
#[cfg(feature = "diagnose")]
mod start_forces;
mod statics;
mod step;
mod structure;
mod ties;
mod trouble;
mod whole;
mod work;

pub use acd2::Strategy;
pub use cell::misfit;
pub use changes::ChangeError;
pub use dissipation::Dissipation;
pub use drystone_bulk::{
    CentredSolid, DeformableSpec, DrivenNodes, FaceLoad, FaceLoadPart, MeshPlace, SolidFailure, SolidFrame,
    SolidLoad, Solids, centred, mesh_place,
};
pub use drystone_contact::{
    Elasticity, Interaction, Joint, Kind, LawError, Laws, MeshEnd, Rubbing, Status, Stops, Tie, TieError,
    TieRow, TieView, Ties, Tolerances,
};
pub use drystone_detect::{Cell, ContactPoint, Detector, LEVEL_AXES, Misfit};
pub use drystone_geometry::{
    Contactor, Face, MassProperties, OutlineLink, Polytope, Shape, ShapeError, SkinShape, Surface,
    SurfaceMesh, decompose, delaunay, outline, outline_area, outline_length,
};
pub use drystone_laws::{
    Along, Approach, Bilinear, Capillary, Change, Cohesive, Device, Dissipated, Drift, Exponential, Friction,
    Inelastic, Law, Level, Mac, MohrCoulomb, Orowan, Outcome, Percussion, Poisson, Restitution, Rolling,
    STICK, Softening, Table, Threshold, Trapezoidal, Tresca, Unilateral, Viscoelastic, law_variables,
};
pub use drystone_math::{Columns, Matrix, Orientation, PerDof, Pose, Vector, rigid_dofs, rigid_turns};
pub use drystone_problem::{
    Condensed, Delassus, Measure as ResidualMeasure, Monitor, Problem, Set, SolveStatus,
};
pub use drystone_solvers::{
    AutoParams, Method, Order, Params as SolverParams, Remedy, Route, Verdict, remedies,
};
pub use drystone_state::{
    BRANCHES, Bodies, Body, BodyHandle, BodyId, ContactId, ContactMemory, GroupId, Gyroscopic, Handles,
    LAW_MEMORY, Ledger, SolidMemory, TieMemory, Velocities,
};
pub use energy::Energy;
pub use expression::{Expression, ExpressionError};
pub use face::{AnySimulation, AnySnapshot, Hook, HookError, Recorder, Sink};
pub use growth::{GrownBody, GrowthKeeps};
pub use jam::Inconsistent;
pub use population::Newcomer;
pub use principal::principal_axes;
pub use projection::{CLOSED, Projection};
pub use report::{Seconds, StepReport};
pub use rest::{Rest, RestRule, Rested};
#[cfg(feature = "diagnose")]
pub use settlement::{Pace, Settled};
pub use signal::{Signal, Slot};
pub use simulation::{BuildError, Overlap, Settings, Simulation};
pub use snapshot::{Setup, Snapshot};
pub use solid_fields::SolidFields;
pub use solids::{Deformable, SkinFields, skin_of};
#[cfg(feature = "diagnose")]
pub use start_forces::StartForce;
pub use statics::{Statics, TOUCHING};
pub use structure::{LISTED, Standing, Structure};
pub use trouble::{Link, PAIRS, Trouble};
pub use work::WorkHistory;
