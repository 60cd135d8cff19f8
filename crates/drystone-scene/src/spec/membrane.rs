//! A membrane around a sample without walls, as it is written. Presses nothing.

use crate::spec::{NamesSpec, SignalSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A pressure on the outer bodies of a sample in the plane, which follows the sample: the force on each
/// straight line between neighbours of its outline is the pressure times the length, half of it on each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MembraneSpec {
    /// Name of a group or a body, or several of them: the sample (no default).
    pub on: NamesSpec,
    /// The pressure \[Pa\], positive in compression (no default).
    pub pressure: SignalSpec,
    /// Radius of the ball that finds the outline by rolling around the sample \[m\]: it does not enter gaps
    /// that are narrower; default: the radius of the largest body of the sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub ball: Option<f64>,
    /// Names of bodies at which the membrane ends, such as the platens of a press: where the ball would
    /// meet one of them there is no membrane; default: none, it is closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<String>,
}
