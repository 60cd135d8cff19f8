//! Contact laws as they are written. Decides nothing about which pairs need one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The law between two groups: exactly one of its tables must be given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LawSpec {
    /// The two groups (no default); "*" stands for any group, and a pair without it wins over a pair with it.
    pub between: Vec<String>,
    /// No rebound, with Coulomb friction; default: not this law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inelastic: Option<Inelastic>,
    /// Moreau's restitution, with Coulomb friction; default: not this law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Restitution>,
}

impl LawSpec {
    /// Keys of the laws there are.
    pub(crate) const KINDS: &'static [&'static str] = &["inelastic", "restitution"];

    /// A law without rebound between two groups, with its coefficient of friction \[-\].
    pub fn inelastic(a: &str, b: &str, friction: f64) -> Self {
        Self { between: vec![a.into(), b.into()], inelastic: Some(Inelastic { friction }), restitution: None }
    }

    /// A law with rebound between two groups.
    pub fn restitution(a: &str, b: &str, restitution: Restitution) -> Self {
        Self { between: vec![a.into(), b.into()], inelastic: None, restitution: Some(restitution) }
    }
}

/// Contact without rebound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inelastic {
    /// Coefficient of Coulomb friction \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
}

/// Contact with rebound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restitution {
    /// Part of the normal velocity that comes back \[-\], from 0 to 1 (no default).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub normal: f64,
    /// Part of the tangential velocity that comes back \[-\], from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tangential: f64,
    /// Coefficient of Coulomb friction \[-\], at least 0 (no default).
    #[schemars(range(min = 0.0))]
    pub friction: f64,
}
