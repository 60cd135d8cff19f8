//! Numbers that change in time, as they are written: a value, a formula, a table or a record of an
//! earthquake. Evaluates nothing.

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number that may change in time: a number, a formula in `t` \[s\] as text, or a table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SignalSpec {
    /// Always the same.
    Value(f64),
    /// A formula in `t` \[s\].
    Formula(String),
    /// Points of time and value, given here or in a file.
    Curve(CurveSpec),
}

impl From<f64> for SignalSpec {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

impl From<&str> for SignalSpec {
    fn from(formula: &str) -> Self {
        Self::Formula(formula.to_owned())
    }
}

/// By hand, because an untagged enum would forget where an error lies.
impl<'de> Deserialize<'de> for SignalSpec {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = SignalSpec;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number, a formula such as \"2*sin(t)\", or a table such as { table = [[0, 0], [1, 5]] }")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<SignalSpec, E> {
                Ok(SignalSpec::Value(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<SignalSpec, E> {
                Ok(SignalSpec::Value(value as f64))
            }
            fn visit_str<E: Error>(self, formula: &str) -> Result<SignalSpec, E> {
                Ok(SignalSpec::Formula(formula.to_owned()))
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<SignalSpec, M::Error> {
                CurveSpec::deserialize(MapAccessDeserializer::new(map)).map(SignalSpec::Curve)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Points of time and value: one of `table`, `file` and `accelerogram` must be given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CurveSpec {
    /// Points of time \[s\] and value, times increasing; default: from `file` or `accelerogram`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Vec<f64>>>,
    /// A CSV file of times and values, relative to the scene; default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A record of the acceleration of the ground, relative to the scene: a file of the PEER data base
    /// (`.AT2`) or a CSV file of times and accelerations; default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerogram: Option<String>,
    /// Which column of a CSV file holds the values, counted from 1, the times being the first \[-\].
    #[schemars(range(min = 2))]
    pub column: u32,
    /// What lies between two points.
    pub interpolation: Interpolation,
    /// What comes after the last point; default: to be given where the run goes on longer, and `"zero"` for
    /// an accelerogram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<AfterEnd>,
    /// Factor of all values \[-\].
    pub scale: f64,
    /// Unit of an accelerogram; default: `"g"` for `.AT2`, to be given for CSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<AccelerationUnit>,
    /// What is taken off an accelerogram so that the ground comes to rest.
    pub baseline: Baseline,
}

impl Default for CurveSpec {
    fn default() -> Self {
        Self {
            table: None,
            file: None,
            accelerogram: None,
            column: 2,
            interpolation: Interpolation::default(),
            after: None,
            scale: 1.0,
            unit: None,
            baseline: Baseline::default(),
        }
    }
}

/// What lies between two points of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// A straight line.
    #[default]
    Linear,
    /// The value of the earlier one.
    Step,
    /// A cubic that is level at both.
    Smooth,
}

/// What comes after the last point of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AfterEnd {
    /// The last value.
    Hold,
    /// Zero.
    Zero,
    /// The table again, from its first point.
    Repeat,
}

/// Unit of an accelerogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum AccelerationUnit {
    /// 9.80665 m/s².
    #[serde(rename = "g")]
    Gravity,
    /// m/s².
    #[serde(rename = "m/s2")]
    Si,
    /// cm/s², gal.
    #[serde(rename = "cm/s2")]
    Gal,
}

impl AccelerationUnit {
    /// In m/s².
    pub(crate) fn size(self) -> f64 {
        match self {
            Self::Gravity => 9.80665,
            Self::Si => 1.0,
            Self::Gal => 0.01,
        }
    }
}

/// What is taken off an accelerogram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Baseline {
    /// Nothing.
    #[default]
    None,
    /// A constant, so that the velocity ends at 0.
    Velocity,
    /// A straight line, so that velocity and displacement end at 0.
    Displacement,
}
