//! Where bodies come into a run and where they leave it, as it is written. Makes no body.

use crate::spec::FormSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Drops bodies into the scene, disks or spheres by default, at a rate or one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceSpec {
    /// Name of the source (no default); its bodies are called after it: `NAME 1`, `NAME 2` and so on.
    pub name: String,
    /// Group of the bodies, for laws; default: the name of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Density \[kg/m³\], greater than 0 (no default); in 2D the depth is one metre.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: f64,
    /// Least and largest radius \[m\], all between them alike; default: none, for shapes of a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub radius: Vec<f64>,
    /// Shape in the place of each disk or sphere, turned at random; default: the disk or sphere itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormSpec>,
    /// Names of shapes of the scene, such as meshes, of which each body has one at random, turned at random
    /// and as large as it is; default: none, as `radius` and `form` say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<String>,
    /// Lowest corner of the box in which the centres appear \[m\] (no default).
    pub lower: Vec<f64>,
    /// Highest corner of the box \[m\] (no default).
    pub upper: Vec<f64>,
    /// Velocity with which they come \[m/s\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Bodies a second \[1/s\]; default: one by one, the next once `rest` holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rate: Option<f64>,
    /// Speed of the last body below which the next one comes \[m/s\]; default: by `rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rest: Option<f64>,
    /// How many bodies in all \[-\] (no default).
    pub count: u32,
    /// When it begins \[s\].
    #[serde(default)]
    pub start: f64,
    /// What places and radii come from \[-\]: the same number gives the same bodies.
    #[serde(default)]
    pub seed: u32,
}

impl SourceSpec {
    /// Group of its bodies.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.name)
    }
}

/// Takes bodies away whose centre of mass goes beyond a line or plane; one of `above` and `below` must be
/// given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutletSpec {
    /// Name of the outlet (no default).
    pub name: String,
    /// "x", "y" or "z" (no default).
    pub axis: String,
    /// Bodies go whose coordinate is greater \[m\]; default: not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// Bodies go whose coordinate is less \[m\]; default: not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
}
