//! What is measured while a run goes on, as it is written. What the measures are, `drystone-measure` knows.

use drystone_measure::{Parameters, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something measured while the run goes on. `drystone measure --list` shows all measures and the keys they
/// take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureSpec {
    /// Which measure (no default).
    pub name: String,
    /// Name of its table, without `.csv`; default: the name of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Time between two lines \[s\], at least one step; default: `output.interval`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub every: Option<f64>,
    /// The sample: all bodies of this group; default: all bodies that are free in every component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The other group, of `group_force`; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// A body; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Another body; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// A box: its lowest corner, then its highest \[m\]; default: what the sample spans.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Vec<f64>>,
    /// An axis, "x", "y" or "z"; default: up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<String>,
    /// A point \[m\]; default: as the measure tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec<f64>>,
    /// A direction; default: x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
    /// How many slabs, bins or cells \[-\], from 1 to 1000000; default: as the measure tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub bins: Option<u32>,
    /// How many contacts a body has at least that is no rattler \[-\]; default: 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// A distance \[m\], greater than 0; default: as the measure tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub reach: Option<f64>,
}

impl MeasureSpec {
    /// The measure with its parameters.
    pub fn request(&self) -> Request {
        let parameters = Parameters {
            group: self.group.clone(),
            with: self.with.clone(),
            body: self.body.clone(),
            other: self.other.clone(),
            region: self.region.clone(),
            axis: self.axis.clone(),
            point: self.point.clone(),
            normal: self.normal.clone(),
            bins: self.bins,
            least: self.least,
            reach: self.reach,
        };
        Request { name: self.name.clone(), column: None, parameters }
    }

    /// Name of its table.
    pub fn file(&self) -> &str {
        self.file.as_deref().unwrap_or(&self.name)
    }
}
