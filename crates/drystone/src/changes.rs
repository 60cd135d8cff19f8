//! Why something cannot be changed or read. Nothing is changed here.

use crate::{BuildError, LawError, ShapeError};
use drystone_state::BodyHandle;
use thiserror::Error;

/// Why a simulation cannot be changed as asked, or not go on. Whatever was asked for was left undone.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ChangeError {
    /// A deformable body that found no end of a step.
    #[error(
        "the deformable body \"{body}\" found no end of the step from {time} s on{}: {why}; take a shorter time step, \
         smaller loads or larger elements", in_parts(*parts)
    )]
    Solid {
        /// Its name.
        body: String,
        /// Time at the beginning of the step \[s\].
        time: f64,
        /// What went wrong, with the element.
        why: String,
        /// Parts in which it was tried in the end; 1: as a whole only.
        parts: u32,
    },
    /// A handle of a body that was removed, or of another simulation.
    #[error("there is no body {0:?} any more: it was removed, or belongs to another simulation")]
    NoSuchBody(BodyHandle),
    /// A name that no body has.
    #[error(
        "no body is called \"{0}\"; names are those given by Body::named, or \"body 0\", \"body 1\" and so on"
    )]
    NoSuchName(String),
    /// A body with a name that is taken.
    #[error("there is a body called \"{0}\" already; give each body a name of its own")]
    NameTaken(String),
    /// A group that no body belongs to.
    #[error("there is no group \"{0}\"; groups are those of the bodies, \"default\" where none was given")]
    NoSuchGroup(String),
    /// An axis that the dimension does not have.
    #[error("the axis {axis} does not exist in {dimension} dimensions")]
    NoSuchAxis {
        /// The axis.
        axis: &'static str,
        /// Dimension of the simulation.
        dimension: usize,
    },
    /// As many numbers as another dimension has.
    #[error("{what} has {found} components, the simulation has {dimension} dimensions; give {dimension}")]
    Dimension {
        /// What they are for.
        what: String,
        /// How many there are.
        found: usize,
        /// Dimension of the simulation.
        dimension: usize,
    },
    /// A number that is none.
    #[error("{what} is {value}; allowed are {allowed}")]
    Number {
        /// What it is for.
        what: String,
        /// The number.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A velocity set on a component that a drive prescribes.
    #[error("the velocity of body \"{0}\" is prescribed; change its drive, or release it first")]
    Driven(String),
    /// Something of a mesh that a body does not have.
    #[error(
        "the body \"{body}\" has no {what} of number {number}, counted from 0; they are given as it enters the simulation"
    )]
    NotInMesh {
        /// Its name.
        body: String,
        /// What was asked for.
        what: &'static str,
        /// Its number.
        number: usize,
    },
    /// A drive of one turn of a body whose axes are not principal.
    #[error(
        "a spin of body \"{0}\" cannot be prescribed alone, since the axes of its shape are not principal"
    )]
    NotPrincipal(String),
    /// A slot of another simulation.
    #[error("the slot {0} does not belong to this simulation")]
    NoSuchSlot(u32),
    /// A size that follows a number from outside.
    #[error(
        "the size of a body cannot follow a number from outside, whose rate nobody knows; give a formula, a table or a \
         function of the time"
    )]
    NoRate,
    /// No law between two groups, or one whose friction is no number.
    #[error("between the groups \"{}\" and \"{}\" acts no law with a coefficient of friction", groups[0], groups[1])]
    NoFriction {
        /// The groups.
        groups: [String; 2],
    },
    /// No law between two groups, or one without strengths that may change.
    #[error("between the groups \"{}\" and \"{}\" acts no law with a cohesion that may change", groups[0], groups[1])]
    NoCohesion {
        /// The groups.
        groups: [String; 2],
    },
    /// A law that is not one of A-CD².
    #[error("the law between the groups \"{}\" and \"{}\" has no percussion, which A-CD² needs", groups[0], groups[1])]
    NoPercussion {
        /// The groups.
        groups: [String; 2],
    },
    /// A law that cannot stand in the table.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A body without mass that nothing holds.
    #[error("body \"{0}\" has no density and is free to move; give it one, or fix it")]
    NoDensity(String),
    /// A shape that cannot be made.
    #[error("the shape of body \"{body}\" cannot be made: {reason}")]
    Shape {
        /// Name of the body.
        body: String,
        /// Why.
        reason: ShapeError,
    },
    /// A body of another dimension.
    #[error("body \"{body}\" has a shape in {found} dimensions, the simulation has {dimension}")]
    OtherDimension {
        /// Name of the body.
        body: String,
        /// Dimension of the shape.
        found: usize,
        /// Dimension of the simulation.
        dimension: usize,
    },
    /// What a simulation cannot be built with.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A hook or a sink that failed.
    #[error("{0}")]
    Hook(String),
}

/// How a step was tried, where not only as a whole.
fn in_parts(parts: u32) -> String {
    if parts > 1 { format!(", nor of one of its {parts} parts") } else { String::new() }
}
