//! The face for Rust users: a simulation whose dimension is a value, compiled once, in this crate. Everything
//! is done by
//! [`Simulation<D>`](crate::Simulation); here is nothing but calls.

mod access;
mod adopt;
mod body;
mod builder;
mod change;
mod coordinates;
mod extent;
mod groups;
mod hooks;
mod run;
mod signals;
mod sink;

pub use access::{AnySnapshot, Contact};
pub use body::Body;
pub use builder::Builder;
pub use change::{AnyLaw, Axis};
pub use coordinates::Coordinates;
pub use hooks::{Hook, HookError, HookResult};
pub use run::RunReport;
pub use sink::{Frame, FrameBody, Recorder, Sink};

use crate::Simulation;
use drystone_state::BodyHandle;
pub(crate) use groups::Rule;

/// A simulation in the plane or in space: the dimension as a value.
///
/// ```
/// use drystone::prelude::*;
/// # fn main() -> Result<(), ChangeError> {
/// let mut sim = Simulation::plane()
///     .gravity([0.0, -9.81])
///     .step(1e-3)
///     .law("*", "*", Inelastic { friction: 0.3 })
///     .body(Body::half_space().named("floor"))
///     .body(Body::disk(0.05).density(2600.0).at([0.0, 0.2]).named("disk"))
///     .build()?;
/// sim.run_until(1.0)?;
/// let weight = sim.mass("disk")? * 9.81;
/// assert!((sim.position("disk")?[1] - 0.05).abs() < 1e-6);
/// assert!((sim.contact_force("disk")?[1] - weight).abs() < 1e-6 * weight);
/// # Ok(())
/// # }
/// ```
///
/// [Hooks](AnySimulation::on_step) are called by [`AnySimulation::step`]; who takes the simulation of a
/// dimension out of it and steps that calls none.
// one in a program, not in arrays
#[allow(clippy::large_enum_variant)]
pub enum AnySimulation {
    /// Two dimensions, three degrees of freedom a body.
    Plane(Simulation<2>),
    /// Three dimensions, six degrees of freedom a body.
    Space(Simulation<3>),
}

/// Calls the simulation of whichever dimension it is.
macro_rules! each {
    ($any:expr, $simulation:ident => $call:expr) => {
        match $any {
            $crate::AnySimulation::Plane($simulation) => $call,
            $crate::AnySimulation::Space($simulation) => $call,
        }
    };
}
pub(crate) use each;

/// What a simulation keeps for its users: groups and laws by name, and hooks.
pub(crate) struct Face<const D: usize> {
    /// Names of the groups, by their ids.
    pub(crate) groups: Vec<String>,
    /// Laws between groups by name, later ones over earlier ones.
    pub(crate) rules: Vec<Rule<D>>,
    pub(crate) hooks: Vec<Box<dyn Hook>>,
}

impl<const D: usize> Default for Face<D> {
    fn default() -> Self {
        Self { groups: Vec::new(), rules: Vec::new(), hooks: Vec::new() }
    }
}

/// A body by its handle or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who<'a> {
    /// By its handle.
    Handle(BodyHandle),
    /// By its name.
    Name(&'a str),
}

impl From<BodyHandle> for Who<'_> {
    fn from(handle: BodyHandle) -> Self {
        Self::Handle(handle)
    }
}

impl<'a> From<&'a str> for Who<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for Who<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}
