//! The stages of a run as they are written: what changes when one begins, and when it ends. Carries nothing
//! out.

use crate::spec::{
    CohesionSpec, DriveSpec, Equilibrium, FrictionSpec, GravitySpec, GrowthSpec, LawSpec, LoadSpec,
    MembraneSpec, NamesSpec, PressureSpec,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a run. What it sets holds until a later stage sets it anew; the time `t` of its signals is 0
/// where it begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StageSpec {
    /// What it is called, in messages and in the summary (no default).
    pub name: String,
    /// How long it lasts at most \[s\]; default: until its conditions hold, or the run ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: Option<f64>,
    /// What ends it before; default: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilSpec>,
    /// Names of bodies and groups that are taken away when it begins; default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// Names of bodies and groups that are stopped and held; default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<String>,
    /// Bodies and groups that are let go; default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<ReleaseSpec>,
    /// Laws that change; default: none.
    #[serde(rename = "law", skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<LawSpec>,
    /// Friction that changes; default: none.
    #[serde(rename = "friction", skip_serializing_if = "Vec::is_empty")]
    pub frictions: Vec<FrictionSpec>,
    /// Cohesion that changes; default: none.
    #[serde(rename = "cohesion", skip_serializing_if = "Vec::is_empty")]
    pub cohesions: Vec<CohesionSpec>,
    /// Bodies that grow from here on; default: none.
    #[serde(rename = "growth", skip_serializing_if = "Vec::is_empty")]
    pub growths: Vec<GrowthSpec>,
    /// Gravity that changes; default: as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<GravitySpec>,
    /// Loads that change; default: none.
    #[serde(rename = "load", skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadSpec>,
    /// Prescribed motion that changes; default: none.
    #[serde(rename = "drive", skip_serializing_if = "Vec::is_empty")]
    pub drives: Vec<DriveSpec>,
    /// Walls that are pressed from here on; default: none.
    #[serde(rename = "pressure", skip_serializing_if = "Vec::is_empty")]
    pub pressures: Vec<PressureSpec>,
    /// Membranes that press from here on; default: none.
    #[serde(rename = "membrane", skip_serializing_if = "Vec::is_empty")]
    pub membranes: Vec<MembraneSpec>,
}

/// Bodies that are let go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSpec {
    /// Name of a body or a group, or several of them (no default).
    pub on: NamesSpec,
    /// Along which axes: "x", "y", "spin" in 2D; "x", "y", "z", "spin_x", "spin_y", "spin_z" in 3D; default:
    /// all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<String>>,
}

/// What ends a stage: whichever of them holds first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UntilSpec {
    /// Everything has come to rest; default: not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equilibrium: Option<Equilibrium>,
    /// A body that is free has gone farther than this times its radius from where it came into the run \[-\];
    /// default: not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub collapsed: Option<f64>,
    /// A quantity of a body or of all, or a measure, crosses a value; default: not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaches: Option<ReachesSpec>,
}

/// A quantity or a measure that crosses a value; one of `above` and `below` must be given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReachesSpec {
    /// Which quantity; default: a `measure` instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<ReachedQuantity>,
    /// A measure with its parameters, as `drystone measure` takes it: `NAME`, `NAME.COLUMN`,
    /// `NAME.COLUMN:KEY=VALUE`; default: a `quantity` instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Name of the body; default: none, for a quantity of all bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// "x", "y" or "z"; default: the size of the vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<String>,
    /// The stage ends once the quantity is at least this, in its unit; default: not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// The stage ends once the quantity is at most this, in its unit; default: not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
}

/// What may end a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReachedQuantity {
    /// Position of the centre of mass of a body \[m\].
    Position,
    /// Way of a body since the stage began \[m\].
    Displacement,
    /// Velocity of a body \[m/s\].
    Velocity,
    /// Resultant of the contact forces on a body \[N\].
    Force,
    /// Kinetic energy of all bodies \[J\].
    KineticEnergy,
    /// How many bodies there are \[-\].
    Bodies,
    /// How many contacts press \[-\].
    Contacts,
}

impl ReachedQuantity {
    /// Whether it belongs to one body.
    pub(crate) fn is_of_a_body(self) -> bool {
        matches!(self, Self::Position | Self::Displacement | Self::Velocity | Self::Force)
    }
}
