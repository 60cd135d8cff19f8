//! Laws with bonds as they are written: contacts at the start are bonded, later ones are not. Judges no
//! number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Cohesive zone with an intensity of adhesion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MacSpec {
    /// Coefficient of Coulomb friction of the broken bond \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Energy of decohesion \[J/m²\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub energy: f64,
    /// Stiffness in tension \[Pa/m\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub normal_stiffness: f64,
    /// Stiffness in shear \[Pa/m\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tangential_stiffness: f64,
    /// Viscosity of the adhesion \[J s/m²\], at least 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub viscosity: f64,
    /// Area of contacts that touch at a single point \[m²\], at least 0: without it they are not bonded.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub point_area: f64,
}

/// Cohesive zone along two straight lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BilinearSpec {
    /// Coefficient of Coulomb friction of the broken bond \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Strength in tension \[Pa\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub normal_strength: f64,
    /// Strength in shear \[Pa\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tangential_strength: f64,
    /// Energy in opening \[J/m²\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub normal_energy: f64,
    /// Energy in sliding \[J/m²\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tangential_energy: f64,
    /// Stiffness in tension \[Pa/m\], greater than the square of the strength over twice the energy (no
    /// default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub normal_stiffness: f64,
    /// Time over which damage follows the opening \[s\], at least 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub relaxation: f64,
    /// Area of contacts that touch at a single point \[m²\], at least 0: without it they are not bonded.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub point_area: f64,
}

/// Cohesive zone along three straight lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrapezoidalSpec {
    /// Coefficient of Coulomb friction of the broken bond \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Strength \[Pa\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub strength: f64,
    /// Opening at which nothing is left \[m\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub normal_opening: f64,
    /// Slip at which nothing is left \[m\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub tangential_opening: f64,
    /// End of the rise, relative to the last opening \[-\], between 0 and 1 (no default).
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub rise: f64,
    /// Beginning of the fall, relative to the last opening \[-\], from `rise` to 1 (no default).
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1.0))]
    pub fall: f64,
    /// Time over which damage follows the opening \[s\], at least 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub relaxation: f64,
    /// Area of contacts that touch at a single point \[m²\], at least 0: without it they are not bonded.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub point_area: f64,
}

/// Cohesive zone with a smooth curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExponentialSpec {
    /// Coefficient of Coulomb friction of the broken bond \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Strength in tension \[Pa\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub strength: f64,
    /// Energy \[J/m²\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub energy: f64,
    /// Strength in shear relative to that in tension \[-\], greater than 0.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub shear_ratio: f64,
    /// Time over which damage follows the opening \[s\], at least 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub relaxation: f64,
    /// Area of contacts that touch at a single point \[m²\], at least 0: without it they are not bonded.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub point_area: f64,
}

fn one() -> f64 {
    1.0
}
