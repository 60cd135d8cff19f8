//! Shapes and materials as they are written. Builds no geometry.

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Density \[kg/m³\], greater than 0 (no default); in 2D the depth is one metre.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: f64,
}

/// The form of a body in its own axes. In 2D: disk, line, polygon, box. In 3D: sphere, plane, box, polyhedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ShapeSpec {
    /// Disk about the origin, in 2D.
    Disk {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Half-plane below the origin, in 2D: its boundary passes through the origin, its outward normal is +y.
    Line {},
    /// Convex polygon, in 2D.
    Polygon {
        /// Vertices \[m\], one after the other around the polygon (no default).
        vertices: Vec<Vec<f64>>,
    },
    /// Rectangle (2D) or cuboid (3D) centred on the origin, its sides along the axes.
    Box {
        /// Full lengths of the sides \[m\]: two numbers in 2D, three in 3D (no default).
        size: Vec<f64>,
    },
    /// Sphere about the origin, in 3D.
    Sphere {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Half-space below the origin, in 3D: its boundary passes through the origin, its outward normal is +z.
    Plane {},
    /// Convex polyhedron, in 3D.
    Polyhedron {
        /// Vertices \[m\] (no default).
        vertices: Vec<Vec<f64>>,
        /// Faces as loops of vertices numbered from 0, counter-clockwise seen from outside; default: the convex
        /// hull of the vertices, every one of which must be a corner of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        faces: Option<Vec<Vec<u32>>>,
    },
}

impl ShapeSpec {
    /// The key that names this kind of shape in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Disk { .. } => "disk",
            Self::Line {} => "line",
            Self::Polygon { .. } => "polygon",
            Self::Box { .. } => "box",
            Self::Sphere { .. } => "sphere",
            Self::Plane {} => "plane",
            Self::Polyhedron { .. } => "polyhedron",
        }
    }

    /// Whether it is a line or a plane, which fills half of space.
    pub fn is_half_space(&self) -> bool {
        matches!(self, Self::Line {} | Self::Plane {})
    }
}

/// The shape of a body: the name of one under `shapes`, or the shape itself.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ShapeRef {
    /// Name of a shape under `shapes`.
    Named(String),
    /// The shape itself.
    Inline(ShapeSpec),
}

impl Default for ShapeRef {
    fn default() -> Self {
        Self::Named(String::new())
    }
}

impl From<&str> for ShapeRef {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<ShapeSpec> for ShapeRef {
    fn from(shape: ShapeSpec) -> Self {
        Self::Inline(shape)
    }
}

/// By hand, because an untagged enum would forget where an error inside the shape lies.
impl<'de> Deserialize<'de> for ShapeRef {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        struct NameOrShape;
        impl<'de> Visitor<'de> for NameOrShape {
            type Value = ShapeRef;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a shape or a table such as box.size = [..]")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<ShapeRef, E> {
                Ok(ShapeRef::Named(name.to_owned()))
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<ShapeRef, M::Error> {
                ShapeSpec::deserialize(MapAccessDeserializer::new(map)).map(ShapeRef::Inline)
            }
        }
        deserializer.deserialize_any(NameOrShape)
    }
}
