//! Shapes and materials as they are written. Builds no geometry and opens no file.

use crate::spec::{ElementsSpec, Rotation};
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
    /// Young's modulus E of deformable bodies \[Pa\], greater than 0; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub young: Option<f64>,
    /// Poisson's ratio ν of deformable bodies \[-\], greater than -1 and less than 0.5; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<f64>,
    /// Time by which strains lag behind stresses (Kelvin–Voigt) \[s\], 0 or greater; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub retardation: Option<f64>,
    /// How stress follows strain in deformable bodies; default: "elastic", for small strains. All others but
    /// "orthotropic" are for strains and turns of any size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<MaterialLawName>,
    /// First constant of "mooney-rivlin" \[Pa\], 0 or greater; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub c10: Option<f64>,
    /// Second constant of "mooney-rivlin" \[Pa\], 0 or greater; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub c01: Option<f64>,
    /// Bulk modulus of "mooney-rivlin" \[Pa\], greater than 0; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub bulk: Option<f64>,
    /// Yield stress of "plastic" \[Pa\], greater than 0; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub yield_stress: Option<f64>,
    /// Modulus of isotropic hardening of "plastic" \[Pa\], 0 or greater; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub hardening: Option<f64>,
    /// Modulus of kinematic hardening of "plastic" \[Pa\], 0 or greater; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub kinematic_hardening: Option<f64>,
    /// Whether "plastic" is for strains of any size or for small ones; default: "finite".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain: Option<StrainName>,
    /// Young's moduli of "orthotropic" along its three axes \[Pa\], each greater than 0; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young_moduli: Option<[f64; 3]>,
    /// Poisson's ratios ν₁₂, ν₂₃, ν₁₃ of "orthotropic": contraction along the second axis for a pull along
    /// the first; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson_ratios: Option<[f64; 3]>,
    /// Shear moduli G₁₂, G₂₃, G₁₃ of "orthotropic" \[Pa\], each greater than 0; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_moduli: Option<[f64; 3]>,
    /// The three axes of "orthotropic" in those of the shape, of length 1 and at right angles; default: those
    /// of the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<[[f64; 3]; 3]>,
    /// Expansion by heat of "elastic" and "orthotropic" \[1/K\], greater than -1 and less than 1;
    /// default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<f64>,
}

/// Which measure of strain a law goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StrainName {
    /// The logarithmic strain, for strains and turns of any size.
    Finite,
    /// The gradient of the displacements, for strains and turns of a few hundredths.
    Small,
}

/// How stress follows strain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MaterialLawName {
    /// Hooke's law, with `young` and `poisson`, perhaps `retardation`.
    #[default]
    Elastic,
    /// The neo-Hookean energy, with `young` and `poisson`: rubber.
    NeoHookean,
    /// Mooney and Rivlin's energy, with `c10`, `c01` and `bulk`.
    MooneyRivlin,
    /// Hooke's law on Green's strain, with `young` and `poisson`: large turns, small strains.
    SaintVenant,
    /// J2 plasticity, with `young`, `poisson`, `yield_stress` and hardening, perhaps `strain`.
    Plastic,
    /// Hooke's law with three planes of symmetry, with `young_moduli`, `poisson_ratios` and `shear_moduli`,
    /// perhaps `axes`: wood, fibres. For small strains.
    Orthotropic,
}

impl Material {
    /// A material of rigid bodies with a density \[kg/m³\].
    pub fn of_density(density: f64) -> Self {
        Self {
            density,
            young: None,
            poisson: None,
            retardation: None,
            law: None,
            c10: None,
            c01: None,
            bulk: None,
            yield_stress: None,
            hardening: None,
            kinematic_hardening: None,
            strain: None,
            young_moduli: None,
            poisson_ratios: None,
            shear_moduli: None,
            axes: None,
            expansion: None,
        }
    }

    /// How stress follows strain.
    pub fn material_law(&self) -> MaterialLawName {
        self.law.unwrap_or_default()
    }

    /// Whether bodies of it deform by any amount, in the world frame.
    pub fn is_nonlinear(&self) -> bool {
        !matches!(self.material_law(), MaterialLawName::Elastic | MaterialLawName::Orthotropic)
    }

    /// A modulus that the fastest wave goes by \[Pa\], 0 where it is not given.
    pub fn stiffness(&self) -> f64 {
        match self.material_law() {
            MaterialLawName::MooneyRivlin => {
                self.bulk.unwrap_or(0.0) + 8.0 / 3.0 * (self.c10.unwrap_or(0.0) + self.c01.unwrap_or(0.0))
            }
            MaterialLawName::Orthotropic => {
                self.young_moduli.unwrap_or_default().into_iter().fold(0.0, f64::max)
            }
            _ => self.young.unwrap_or(0.0),
        }
    }
}

/// The form of a body in its own axes. In 2D: disk, line, polygon, box, rounded_rectangle, capsule,
/// hollow_disk, polyline, point, elements, cluster. In 3D: sphere, plane, box, polyhedron, cylinder, capsule,
/// hollow_cylinder, mesh, height_field, point, elements, cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeSpec {
    /// Disk about the origin, in 2D.
    Disk {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Half-plane below the origin, in 2D: its boundary passes through the origin, its outward normal is +y.
    Line {},
    /// Polygon, in 2D.
    Polygon {
        /// Vertices \[m\], one after the other around the polygon (no default).
        vertices: Vec<Vec<f64>>,
        /// What is made of it: it must be convex, is cut into convex pieces, or is touched along its outline;
        /// default: "convex".
        #[serde(default, skip_serializing_if = "Treat::is_convex")]
        treat: Treat,
    },
    /// Rectangle about the origin with round corners, in 2D.
    RoundedRectangle {
        /// Full outer lengths of the sides \[m\], two numbers (no default).
        size: Vec<f64>,
        /// Radius of the corners \[m\], greater than 0 and at most half of the shorter side (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// All points within the radius of a segment about the origin, along y in 2D and along z in 3D.
    Capsule {
        /// Length of the segment, caps apart \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        length: f64,
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Inside of a circle about the origin, in 2D: a drum.
    HollowDisk {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Open line of segments, in 2D, touched from the left on the way from the first vertex to the last: from
    /// above if they go from left to right.
    Polyline {
        /// Vertices \[m\], at least two (no default).
        vertices: Vec<Vec<f64>>,
    },
    /// The origin alone, in 2D and 3D: a ball without radius or mass.
    Point {},
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
        /// Faces as loops of vertices numbered from 0, counter-clockwise seen from outside; default: the
        /// convex hull of the vertices, every one of which must be a corner of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        faces: Option<Vec<Vec<u32>>>,
    },
    /// Solid circular cylinder about the origin, its axis along z, in 3D.
    Cylinder {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// Height \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        height: f64,
    },
    /// Inside of a tube about the origin, its axis along z, open at both ends, in 3D: a silo.
    HollowCylinder {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// Height \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        height: f64,
    },
    /// Mesh, from a file or written out, in 3D.
    Mesh(MeshSpec),
    /// Solid of finite elements, from a file or written out, in 2D and 3D; only for bodies with `deform`.
    Elements(ElementsSpec),
    /// Terrain over a regular grid, from a file or written out, in 3D.
    HeightField(HeightFieldSpec),
    /// Several shapes as one, in 2D and 3D.
    Cluster {
        /// The shapes and where they sit (no default).
        shapes: Vec<PartSpec>,
    },
}

impl ShapeSpec {
    /// A disk or a sphere.
    pub(crate) fn ball<const D: usize>(radius: f64) -> Self {
        if D == 2 { Self::Disk { radius } } else { Self::Sphere { radius } }
    }
}

/// What is made of a polygon or a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Treat {
    /// It must be convex, and is refused otherwise.
    #[default]
    Convex,
    /// It is cut into convex pieces of one body.
    Decompose,
    /// It is touched along its surface as it is, convex or not, open or closed.
    Surface,
}

impl Treat {
    fn is_convex(&self) -> bool {
        *self == Self::Convex
    }
}

/// What one stands for in a file without units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LengthUnit {
    /// Metre.
    #[serde(rename = "m")]
    Metre,
    /// Kilometre.
    #[serde(rename = "km")]
    Kilometre,
    /// Decimetre.
    #[serde(rename = "dm")]
    Decimetre,
    /// Centimetre.
    #[serde(rename = "cm")]
    Centimetre,
    /// Millimetre.
    #[serde(rename = "mm")]
    Millimetre,
    /// Micrometre.
    #[serde(rename = "um")]
    Micrometre,
    /// Inch.
    #[serde(rename = "in")]
    Inch,
    /// Foot.
    #[serde(rename = "ft")]
    Foot,
}

impl LengthUnit {
    /// Its length \[m\].
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Kilometre => 1e3,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Millimetre => 1e-3,
            Self::Micrometre => 1e-6,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
        }
    }
}

/// A mesh: a file with its unit, or vertices and faces. A scene that was read has both, and the file is then
/// only a note of where they came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshSpec {
    /// File beside the scene: .stl, .obj, .ply, .msh or .json (COMPAS); default: none, and vertices and faces
    /// instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What one stands for in the file; default: none, and it must be given with a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<LengthUnit>,
    /// What is made of it (no default).
    pub treat: Treat,
    /// With "decompose", depth of hollows that are filled, relative to the size of the mesh, from 0 (exact)
    /// to 0.5; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 0.5))]
    pub tolerance: Option<f64>,
    /// With "decompose", most pieces that are allowed; default: 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_pieces: Option<u32>,
    /// Vertices \[m\]; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Vec<Vec<f64>>>,
    /// Faces as loops of vertices numbered from 0, counter-clockwise seen from outside; default: from the
    /// file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faces: Option<Vec<Vec<u32>>>,
}

/// Heights over a grid: an ESRI file with its unit, or columns, spacing and heights. A scene that was read
/// has both, and the file is then only a note of where they came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeightFieldSpec {
    /// File beside the scene, .asc; default: none, and columns, spacing and heights instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What one stands for in the file; default: none, and it must be given with a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<LengthUnit>,
    /// Where the first height is, x and y \[m\]; default: as in the file, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Vec<f64>>,
    /// Number of heights along x; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// Distance between neighbours \[m\]; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub spacing: Option<f64>,
    /// Heights \[m\], row by row from smallest y, each from smallest x; default: from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heights: Option<Vec<f64>>,
}

/// One shape of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartSpec {
    /// Name of a shape, or the shape itself; no cluster (no default).
    pub shape: ShapeRef,
    /// Where its origin sits in the axes of the cluster \[m\]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// In 2D, its angle \[rad\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// In 2D, the same in degrees \[°\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_degrees: Option<f64>,
    /// In 3D, its rotation; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// In 3D, the same as a unit quaternion, scalar part first \[-\]; default: \[1, 0, 0, 0\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation_wxyz: Option<Vec<f64>>,
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
            Self::RoundedRectangle { .. } => "rounded_rectangle",
            Self::Capsule { .. } => "capsule",
            Self::HollowDisk { .. } => "hollow_disk",
            Self::Polyline { .. } => "polyline",
            Self::Point {} => "point",
            Self::Cylinder { .. } => "cylinder",
            Self::HollowCylinder { .. } => "hollow_cylinder",
            Self::Mesh(_) => "mesh",
            Self::Elements(_) => "elements",
            Self::HeightField(_) => "height_field",
            Self::Cluster { .. } => "cluster",
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
