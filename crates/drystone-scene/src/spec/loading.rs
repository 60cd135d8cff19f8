//! What acts on bodies in time, as it is written: loads, prescribed motion, gravity, friction, pressure. Says
//! nothing of when it begins; a stage may.

use crate::spec::SignalSpec;
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One name, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NamesSpec {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl NamesSpec {
    /// The names.
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl From<&str> for NamesSpec {
    fn from(name: &str) -> Self {
        Self::One(name.to_owned())
    }
}

/// By hand, because an untagged enum would forget where an error lies.
impl<'de> Deserialize<'de> for NamesSpec {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = NamesSpec;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a name or an array of names")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<NamesSpec, E> {
                Ok(NamesSpec::One(name.to_owned()))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<NamesSpec, S::Error> {
                let mut names = Vec::new();
                while let Some(name) = items.next_element()? {
                    names.push(name);
                }
                Ok(NamesSpec::Several(names))
            }
        }
        deserializer.deserialize_any(OneOrSeveral)
    }
}

/// A force and a moment that change in time, in world axes, over those of the body itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSpec {
    /// Name of a body or a group, or several of them (no default).
    pub on: NamesSpec,
    /// Force along x \[N\]; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<SignalSpec>,
    /// Force along y \[N\]; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<SignalSpec>,
    /// Force along z \[N\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<SignalSpec>,
    /// Moment about the centre of mass \[N m\], in 2D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<SignalSpec>,
    /// Moment about the world's x axis \[N m\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment_x: Option<SignalSpec>,
    /// Moment about the world's y axis \[N m\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment_y: Option<SignalSpec>,
    /// Moment about the world's z axis \[N m\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment_z: Option<SignalSpec>,
}

impl LoadSpec {
    /// Every component that is given, with its key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, &SignalSpec)> {
        let all = [
            ("x", &self.x),
            ("y", &self.y),
            ("z", &self.z),
            ("moment", &self.moment),
            ("moment_x", &self.moment_x),
            ("moment_y", &self.moment_y),
            ("moment_z", &self.moment_z),
        ];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_ref()?)))
    }

    /// The same, to change them.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut SignalSpec)> {
        let all = [
            ("x", &mut self.x),
            ("y", &mut self.y),
            ("z", &mut self.z),
            ("moment", &mut self.moment),
            ("moment_x", &mut self.moment_x),
            ("moment_y", &mut self.moment_y),
            ("moment_z", &mut self.moment_z),
        ];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_mut()?)))
    }
}

/// Whether a drive prescribes a velocity or a way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DriveKind {
    /// The velocity \[m/s\], \[rad/s\].
    #[default]
    Velocity,
    /// The way from where the body is when the drive begins \[m\], \[rad\].
    Displacement,
}

/// A motion that changes in time, over what the body itself says: a body that is fixed stays so otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveSpec {
    /// Name of a body or a group, or several of them (no default).
    pub on: NamesSpec,
    /// What the signals are.
    #[serde(default)]
    pub prescribes: DriveKind,
    /// Along x \[m/s\], \[m\]; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<SignalSpec>,
    /// Along y \[m/s\], \[m\]; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<SignalSpec>,
    /// Along z \[m/s\], \[m\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<SignalSpec>,
    /// About the centre of mass \[rad/s\], \[rad\], in 2D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<SignalSpec>,
    /// About the shape's x axis \[rad/s\], \[rad\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_x: Option<SignalSpec>,
    /// About the shape's y axis \[rad/s\], \[rad\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_y: Option<SignalSpec>,
    /// About the shape's z axis \[rad/s\], \[rad\], in 3D; default: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_z: Option<SignalSpec>,
}

impl DriveSpec {
    /// Every component that is given, with its key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, &SignalSpec)> {
        let all = [
            ("x", &self.x),
            ("y", &self.y),
            ("z", &self.z),
            ("spin", &self.spin),
            ("spin_x", &self.spin_x),
            ("spin_y", &self.spin_y),
            ("spin_z", &self.spin_z),
        ];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_ref()?)))
    }

    /// The same, to change them.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut SignalSpec)> {
        let all = [
            ("x", &mut self.x),
            ("y", &mut self.y),
            ("z", &mut self.z),
            ("spin", &mut self.spin),
            ("spin_x", &mut self.spin_x),
            ("spin_y", &mut self.spin_y),
            ("spin_z", &mut self.spin_z),
        ];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_mut()?)))
    }
}

/// Friction between two groups that changes in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionSpec {
    /// The two groups (no default); "*" stands for any group.
    pub between: Vec<String>,
    /// The coefficient \[-\] (no default).
    pub value: SignalSpec,
}

/// Cohesion between two groups that changes in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CohesionSpec {
    /// The two groups (no default); "*" stands for any group.
    pub between: Vec<String>,
    /// What share of the strengths and attractions of their law acts \[-\] (no default).
    pub factor: SignalSpec,
}

/// Components of gravity that change in time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GravitySpec {
    /// Along x \[m/s²\]; default: as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<SignalSpec>,
    /// Along y \[m/s²\]; default: as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<SignalSpec>,
    /// Along z \[m/s²\], in 3D; default: as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<SignalSpec>,
}

impl GravitySpec {
    /// Every component that is given, with its key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, &SignalSpec)> {
        let all = [("x", &self.x), ("y", &self.y), ("z", &self.z)];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_ref()?)))
    }

    /// The same, to change them.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut SignalSpec)> {
        let all = [("x", &mut self.x), ("y", &mut self.y), ("z", &mut self.z)];
        all.into_iter().filter_map(|(key, given)| Some((key, given.as_mut()?)))
    }
}

/// A wall that is pressed against a sample with a given stress: it moves freely along one axis, its weight
/// along that axis carried. Its mass is all the inertia it has, and may be small: the step is implicit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PressureSpec {
    /// Name of the wall (no default). A line or plane needs a `mass`, and is `fixed` otherwise.
    pub on: String,
    /// The way it pushes: "+x", "-x", "+y", "-y", in 3D also "+z", "-z" (no default).
    pub direction: PushDirection,
    /// The stress \[Pa\], positive in compression (no default).
    pub stress: SignalSpec,
    /// The area that it acts on \[m²\], in 2D a length \[m\]; default: from `across`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub area: Option<f64>,
    /// Walls between whose faces the sample lies, two by two: the area is the product of their distances, at
    /// every step; default: from `area`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub across: Option<Vec<String>>,
}

/// Where a wall pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PushDirection {
    /// Along x.
    #[serde(rename = "+x")]
    PlusX,
    /// Against x.
    #[serde(rename = "-x")]
    MinusX,
    /// Along y.
    #[serde(rename = "+y")]
    PlusY,
    /// Against y.
    #[serde(rename = "-y")]
    MinusY,
    /// Along z.
    #[serde(rename = "+z")]
    PlusZ,
    /// Against z.
    #[serde(rename = "-z")]
    MinusZ,
}

impl PushDirection {
    /// Number of the axis, and 1 or -1.
    pub(crate) fn parts(self) -> (usize, f64) {
        match self {
            Self::PlusX => (0, 1.0),
            Self::MinusX => (0, -1.0),
            Self::PlusY => (1, 1.0),
            Self::MinusY => (1, -1.0),
            Self::PlusZ => (2, 1.0),
            Self::MinusZ => (2, -1.0),
        }
    }
}
