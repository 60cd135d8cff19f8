//! Samples as they are written: many bodies from a few numbers. Makes none of them.

mod grains;
mod masonry;

pub use grains::{
    CountBySpec, FormSpec, GrainsSpec, LatticeKind, PackingSpec, RegionSpec, RoughSpec, SizesSpec, WallPlane,
};
pub use masonry::{BedsSpec, BondSpec, CapitalSpec, MasonrySpec, OpeningSpec};

use super::{LengthUnit, ShapeRef, Treat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Many bodies from a few numbers: exactly one of grains, rough, masonry, rock, table, meshes and assembly
/// must be given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleSpec {
    /// Name of the sample; its bodies are called after it, "NAME 1", "NAME 2", ... (no default).
    pub name: String,
    /// Group of the bodies, for laws; default: the name of the sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Name of a material; default: none, and density instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Density \[kg/m³\]; default: none. In 2D the depth is one metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// What everything random comes from: the same number gives the same bodies; default: 0.
    #[serde(default)]
    pub seed: u64,
    /// Where the origin of the sample goes \[m\]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// Velocity of every body \[m/s\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Whether the bodies are held still; default: false, but for rough walls, which always are.
    #[serde(default)]
    pub fixed: bool,
    /// Grains in a region; default: not these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grains: Option<GrainsSpec>,
    /// A rough wall of grains, one body that does not move; default: not this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rough: Option<RoughSpec>,
    /// Masonry; default: not this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masonry: Option<MasonrySpec>,
    /// Rock cut into blocks; default: not this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rock: Option<RockSpec>,
    /// Bodies from the lines of a table; default: not these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableSpec>,
    /// Bodies from the meshes of a folder; default: not these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meshes: Option<MeshesSpec>,
    /// Bodies from the blocks of an assembly of COMPAS; default: not these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<AssemblySpec>,
}

impl SampleSpec {
    /// Keys of the samples there are.
    pub(crate) const KINDS: [&'static str; 7] =
        ["grains", "rough", "masonry", "rock", "table", "meshes", "assembly"];

    /// Which of them are given.
    pub(crate) fn given(&self) -> [bool; 7] {
        [
            self.grains.is_some(),
            self.rough.is_some(),
            self.masonry.is_some(),
            self.rock.is_some(),
            self.table.is_some(),
            self.meshes.is_some(),
            self.assembly.is_some(),
        ]
    }
}

/// A region cut into blocks: by sets of joints, or around random points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RockSpec {
    /// Lowest corner of the box that is cut \[m\] (no default).
    pub low: Vec<f64>,
    /// Highest corner of it \[m\] (no default).
    pub high: Vec<f64>,
    /// Slopes: lines or planes beyond which the rock is taken away; default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slopes: Vec<WallPlane>,
    /// Sets of joints, which cut one after the other; default: none, and cells instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSetSpec>,
    /// Least thickness of a block \[m\]: a joint that would leave less does not cut there; default: 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub thinnest: f64,
    /// Number of Voronoi cells; default: none, and joints instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<u32>,
    /// How often the points of the cells are moved to their centres, which makes cells rounder; default: 0.
    #[serde(default)]
    pub rounds: u32,
}

/// A set of joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSetSpec {
    /// Angle below the horizontal \[°\], from −90 to 90; in 2D falling towards +x where it is positive (no
    /// default).
    #[schemars(range(min = -90.0, max = 90.0))]
    pub dip: f64,
    /// In 3D, the direction in which they fall \[°\], clockwise from +y seen from above; default: 0.
    #[serde(default)]
    pub dip_direction: f64,
    /// Distance between neighbours along their normal \[m\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub spacing: f64,
    /// Standard deviation of the spacing relative to it \[-\], from 0 to 1; default: 0.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub spacing_scatter: f64,
    /// Standard deviation of the orientation \[°\], from 0 to 90; default: 0.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 90.0))]
    pub orientation_scatter: f64,
    /// Distance of the first joint from the lowest point of the rock along the normal \[m\]; default: half of
    /// the spacing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<f64>,
    /// Share of the blocks in its way that a joint cuts \[-\], from 0 to 1; default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub persistence: Option<f64>,
}

/// Bodies from a table in CSV, a line each, with a heading that names the columns: x, y, z, radius, angle,
/// vx, vy, vz, name, group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// File beside the scene (no default).
    pub file: String,
    /// What one stands for in its lengths; default: "m".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<LengthUnit>,
    /// Shape of every body; default: a disk or sphere of the column radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeRef>,
}

/// Bodies from all meshes of a folder, in the order of their names, each where its file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshesSpec {
    /// Folder beside the scene (no default).
    pub folder: String,
    /// What one stands for in the files (no default).
    pub unit: LengthUnit,
    /// What is made of the meshes; default: "convex".
    #[serde(default)]
    pub treat: Treat,
}

/// Bodies from the blocks of an assembly of COMPAS, or from a list of its meshes, each where the file has it;
/// supports of the assembly are held still.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssemblySpec {
    /// File beside the scene (no default).
    pub file: String,
    /// What one stands for in the file (no default).
    pub unit: LengthUnit,
    /// What is made of the blocks; default: "convex".
    #[serde(default)]
    pub treat: Treat,
}
