//! Bodies that grow in time, as it is written. Grows nothing.

use crate::spec::{NamesSpec, SignalSpec};
use drystone::GrowthKeeps;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bodies that grow or shrink in time, each about its centre of mass, all its lengths alike: radii of a
/// sample that is brought to a solid fraction, grains that swell. Contacts know how fast surfaces move, so
/// that bodies push each other away and do not come to overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrowthSpec {
    /// Name of a body or a group, or several of them (no default).
    pub on: NamesSpec,
    /// Lengths over those they had as the growth begins \[-\]: 1 at t = 0 and above 0 later (no default).
    pub factor: SignalSpec,
    /// What a body keeps meanwhile: "density", so that its mass grows with its volume, or "mass".
    #[serde(default)]
    pub keeps: GrowthKeeps,
}
