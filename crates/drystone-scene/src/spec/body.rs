//! A body as it is written. Knows neither its mass properties nor its principal axes.

use crate::spec::{DeformSpec, Inertia, ShapeRef};
use drystone::Gyroscopic;
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Name, different from that of every other body (no default).
    pub name: String,
    /// Group, for laws.
    #[serde(default = "default_group")]
    pub group: String,
    /// Name of a material; default: none, and one of density and mass instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Density \[kg/m³\]; default: none. In 2D the depth is one metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// Mass \[kg\], whatever the shape; default: from the density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: Option<f64>,
    /// Moment of inertia about the centre of mass \[kg m²\], only with `mass`: a number in 2D; in 3D three
    /// about the shape's axes, which are then principal, or the tensor in the shape's axes as three rows of
    /// three numbers; default: that of the shape, scaled to the mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Inertia>,
    /// Name of a shape, or the shape itself, such as `disk.radius = 0.1` (no default).
    pub shape: ShapeRef,
    /// Where the origin of the shape goes \[m\]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// In 2D, angle of the shape \[rad\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// In 2D, the same in degrees \[°\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_degrees: Option<f64>,
    /// In 3D, rotation of the shape; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// In 3D, the same as a unit quaternion, scalar part first \[-\]; default: \[1, 0, 0, 0\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation_wxyz: Option<Vec<f64>>,
    /// Velocity of the centre of mass \[m/s\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Spin \[rad/s\]: a number in 2D, in 3D three about the shape's axes; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Components>,
    /// Whether the body is held still; default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fixed: bool,
    /// Prescribed components of the velocity; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<Drive>,
    /// Given force and moment, gravity apart; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// Treatment of the gyroscopic moment; default: implicit in 3D unless the inertia is the same about all
    /// axes, omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gyroscopic: Option<Gyroscopic>,
    /// How the body deforms; default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deform: Option<DeformSpec>,
}

impl BodySpec {
    /// A body of the group "default" with its shape at the origin, free, and as yet without density or mass.
    pub fn new(name: impl Into<String>, shape: impl Into<ShapeRef>) -> Self {
        Self { name: name.into(), group: default_group(), shape: shape.into(), ..Self::default() }
    }
}

fn default_group() -> String {
    "default".to_owned()
}

pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

/// A rotation about an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Direction of the axis, of any length but 0 \[-\] (no default).
    pub axis: Vec<f64>,
    /// Angle \[rad\], counter-clockwise about the axis; default: from `angle_degrees`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// The same in degrees \[°\]; default: from `angle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_degrees: Option<f64>,
}

macro_rules! components {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_meta])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<f64>,)*
        }

        impl $name {
            /// Every component with its key, given or not.
            pub(crate) fn entries(&self) -> [(&'static str, Option<f64>); 7] {
                [$((stringify!($field), self.$field),)*]
            }
        }
    };
}

components! {
    /// Prescribed velocity, component by component: x, y, spin in 2D; x, y, z, spin_x, spin_y, spin_z in 3D.
    Drive {
        /// Velocity along x \[m/s\]; default: free.
        x,
        /// Velocity along y \[m/s\]; default: free.
        y,
        /// Velocity along z \[m/s\], in 3D; default: free.
        z,
        /// Spin \[rad/s\], in 2D; default: free.
        spin,
        /// Spin about the shape's x axis \[rad/s\], in 3D; default: free.
        spin_x,
        /// Spin about the shape's y axis \[rad/s\], in 3D; default: free.
        spin_y,
        /// Spin about the shape's z axis \[rad/s\], in 3D; default: free.
        spin_z,
    }
}

components! {
    /// Given force and moment in world axes: x, y, moment in 2D; x, y, z, moment_x, moment_y, moment_z in 3D.
    Load {
        /// Force along x \[N\]; default: 0.
        x,
        /// Force along y \[N\]; default: 0.
        y,
        /// Force along z \[N\], in 3D; default: 0.
        z,
        /// Moment about the centre of mass \[N m\], in 2D; default: 0.
        moment,
        /// Moment about the world's x axis through the centre of mass \[N m\], in 3D; default: 0.
        moment_x,
        /// Moment about the world's y axis through the centre of mass \[N m\], in 3D; default: 0.
        moment_y,
        /// Moment about the world's z axis through the centre of mass \[N m\], in 3D; default: 0.
        moment_z,
    }
}

/// One number in 2D, three in 3D.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Components {
    /// The one number of the plane.
    One(f64),
    /// The three of space.
    Three(Vec<f64>),
}

impl Components {
    /// The numbers.
    pub fn as_slice(&self) -> &[f64] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Three(numbers) => numbers,
        }
    }
}

/// By hand, because an untagged enum would forget where an error lies.
impl<'de> Deserialize<'de> for Components {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct OneOrThree;
        impl<'de> Visitor<'de> for OneOrThree {
            type Value = Components;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number or an array of numbers")
            }
            fn visit_f64<E: Error>(self, number: f64) -> Result<Components, E> {
                Ok(Components::One(number))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Components, E> {
                Ok(Components::One(number as f64))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Components, S::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = items.next_element()? {
                    numbers.push(number);
                }
                Ok(Components::Three(numbers))
            }
        }
        deserializer.deserialize_any(OneOrThree)
    }
}
