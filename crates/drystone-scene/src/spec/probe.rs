//! Bodies, groups and ties whose history is written to a table, as they are written. Records nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body, a group of bodies or a tie whose history is written to a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Name of the table (no default).
    pub name: String,
    /// Name of the body; default: none, and a `group` of bodies or a `tie` instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Beside `body`: name of a group of nodes of a deformable body; default: none, and the body as a whole.
    /// Without `body`: name of a group of bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Name of a tie; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie: Option<String>,
    /// Place as the scene begins \[m\]: the nearest node of a deformable body is meant; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Vec<f64>>,
    /// Columns of the table; default: position, velocity and force, of ties force, tension and elongation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quantities: Vec<Quantity>,
}

/// What a probe records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Centre of mass \[m\]; of groups that of all their bodies.
    Position,
    /// Velocity of the centre of mass \[m/s\].
    Velocity,
    /// Angle \[rad\], in 2D.
    Angle,
    /// Orientation of the principal axes as a unit quaternion w, x, y, z \[-\], in 3D.
    Orientation,
    /// Spin \[rad/s\]; in 3D about the body's principal axes.
    Spin,
    /// Resultant of the contact forces on the body or the group, of a tie its force on its first body \[N\].
    Force,
    /// Kinetic energy of the body or the group \[J\].
    Energy,
    /// Mass of the body or the group \[kg\], in 2D for each metre of depth.
    Mass,
    /// How many bodies the group has \[-\].
    Count,
    /// Mean displacement of nodes by deformation \[m\], in world axes.
    Displacement,
    /// Force of the supports on nodes \[N\].
    Reaction,
    /// Moment of a tie on its first body about its first end, in world axes \[N m\].
    Moment,
    /// Pull of a rod, wire or spring \[N\]; of a joint the size of its force.
    Tension,
    /// Of a rod, wire or spring \[m\], the angle of a torsion spring \[rad\]; of a joint how far it is off
    /// \[m\].
    Elongation,
    /// Of a joint with one free motion: way along its axis \[m\] or turn about it \[rad\] since the start.
    Coordinate,
    /// Energy stored in a tie \[J\].
    Stored,
}

/// What a probe watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeTarget<'a> {
    /// A body as a whole.
    Body(&'a str),
    /// Nodes of a deformable body.
    Nodes(&'a str),
    /// All bodies of a group.
    Group(&'a str),
    /// A tie.
    Tie(&'a str),
    /// Nothing, or several things: the scene is refused.
    Unclear,
}

impl Probe {
    /// What it watches.
    pub fn watches(&self) -> ProbeTarget<'_> {
        let on_nodes = self.group.is_some() || self.near.is_some();
        match (&self.body, &self.group, &self.tie) {
            (Some(body), _, None) if on_nodes => ProbeTarget::Nodes(body),
            (Some(body), None, None) => ProbeTarget::Body(body),
            (None, Some(group), None) if self.near.is_none() => ProbeTarget::Group(group),
            (None, None, Some(tie)) if self.near.is_none() => ProbeTarget::Tie(tie),
            _ => ProbeTarget::Unclear,
        }
    }

    /// Whether it watches nodes of a deformable body, not the body as a whole.
    pub fn watches_nodes(&self) -> bool {
        matches!(self.watches(), ProbeTarget::Nodes(_))
    }

    /// The columns, those that are usual where none are given.
    pub fn columns(&self) -> Vec<Quantity> {
        match (self.quantities.is_empty(), self.watches()) {
            (false, _) => self.quantities.clone(),
            (true, ProbeTarget::Tie(_)) => vec![Quantity::Force, Quantity::Tension, Quantity::Elongation],
            (true, _) => vec![Quantity::Position, Quantity::Velocity, Quantity::Force],
        }
    }
}
