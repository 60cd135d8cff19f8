//! Laws without bonds as they are written. Judges no number.

use drystone::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// No contact at all, for links of a mechanism that lie above each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoneSpec {}

/// Contact without rebound and with all options; exactly one kind of friction must be given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnilateralSpec {
    /// Whether the gap is closed at the level of velocities or of positions.
    pub level: Level,
    /// Gap that counts as none \[m\].
    pub gap_offset: f64,
    /// Whether contacts at the start count their gap from the one they have then.
    pub from_start: bool,
    /// Coefficient of Coulomb friction \[-\], at least 0; default: given in another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Coefficient of friction at rest \[-\], with `friction_dynamic`; default: given in another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_static: Option<f64>,
    /// Coefficient of friction while sliding \[-\], with `friction_static`; default: given in another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_dynamic: Option<f64>,
    /// Points of the distance slid \[m\] and the coefficient of friction there \[-\], straight between them;
    /// default: given in another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_by_slip: Option<Vec<Vec<f64>>>,
    /// Points of time \[s\] and the coefficient of friction then \[-\], straight between them; default: given
    /// in another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_by_time: Option<Vec<Vec<f64>>>,
    /// Infinite friction.
    pub stick: bool,
}

/// Percussions from pseudopotentials of dissipation of the mean velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PercussionSpec {
    /// Coefficient K_N of the quadratic pseudopotential of the normal \[kg\], in 2D for a depth of 1 m; at
    /// least 0.
    #[schemars(range(min = 0.0))]
    pub normal: f64,
    /// Coefficient K_T of that of the tangents \[kg\], in 2D for a depth of 1 m; at least 0.
    #[schemars(range(min = 0.0))]
    pub tangential: f64,
    /// Coefficient of Coulomb friction \[-\], at least 0; default: 0, or a threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub friction: Option<f64>,
    /// Threshold of Tresca's friction \[N\], at least 0; default: Coulomb's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub threshold: Option<f64>,
}

/// Springs and dashpots: either a period or a stiffness must be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViscoelasticSpec {
    /// Coefficient of Coulomb friction \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Period of the critical oscillator, in time steps \[-\], at least 1; default: a stiffness is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
    /// Stiffness of the spring \[N/m\], greater than 0; default: a period is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Viscosity of the dashpot \[N s/m\], at least 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub viscosity: f64,
}
