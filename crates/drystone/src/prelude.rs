//! What most programs need, to be taken with `use drystone::prelude::*;`.

pub use crate::face::{
    AnyLaw, AnySimulation as Simulation, AnySnapshot, Axis, Body, Builder, Contact, Coordinates, Frame,
    FrameBody, Hook, HookError, HookResult, Recorder, RunReport, Sink, Who,
};
pub use crate::{
    Bilinear, Capillary, ChangeError, Cohesive, Drift, Energy, Exponential, Friction, Inelastic, Law,
    MohrCoulomb, Restitution, Rolling, Signal, Slot, Status, StepReport, Table, Unilateral,
};
pub use drystone_state::BodyHandle;
