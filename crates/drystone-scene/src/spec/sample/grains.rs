//! Samples of grains as they are written: region, sizes, packing, shape. Places none of them.

use crate::spec::{DeformSpec, LengthUnit, Treat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Grains in a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrainsSpec {
    /// Where they go (no default).
    pub region: RegionSpec,
    /// Radii of the grains, or of the circles or spheres around them (no default).
    pub sizes: SizesSpec,
    /// How they find their places (no default).
    pub packing: PackingSpec,
    /// Number of grains; default: from solid_fraction, else as many as fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Share of the region that circles or spheres fill \[-\]; default: from count, else as many as fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1.0))]
    pub solid_fraction: Option<f64>,
    /// Shape in the place of every circle or sphere; default: the disk or sphere itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormSpec>,
    /// How every grain deforms, of disks; default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deform: Option<DeformSpec>,
}

/// A region that holds grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RegionSpec {
    /// Rectangle or box with its sides along the axes.
    Box {
        /// Lowest corner \[m\] (no default).
        low: Vec<f64>,
        /// Highest corner \[m\] (no default).
        high: Vec<f64>,
    },
    /// Inside of a circle, in 2D.
    Disk {
        /// Centre \[m\] (no default).
        centre: Vec<f64>,
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Inside of a sphere, in 3D.
    Sphere {
        /// Centre \[m\] (no default).
        centre: Vec<f64>,
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Inside of an upright cylinder, in 3D.
    Cylinder {
        /// Centre \[m\] (no default).
        centre: Vec<f64>,
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// Height \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        height: f64,
    },
    /// Inside of a cylinder that lies along y, in 3D.
    Drum {
        /// Centre \[m\] (no default).
        centre: Vec<f64>,
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// Length \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        length: f64,
    },
    /// What lies within a box and on the inner side of all walls.
    Walls {
        /// Lowest corner of the box \[m\] (no default).
        low: Vec<f64>,
        /// Highest corner of the box \[m\] (no default).
        high: Vec<f64>,
        /// The walls (no default).
        walls: Vec<WallPlane>,
    },
    /// Inside of a closed mesh, in 3D.
    Mesh {
        /// File beside the scene (no default).
        file: String,
        /// What one stands for in the file (no default).
        unit: LengthUnit,
    },
}

/// A line in 2D, a plane in 3D, of which one side is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallPlane {
    /// A point on it \[m\] (no default).
    pub point: Vec<f64>,
    /// Direction to the side that is kept, of any length but 0 \[-\] (no default).
    pub normal: Vec<f64>,
}

/// What is even in a distribution of sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CountBySpec {
    /// The number of grains.
    #[default]
    Number,
    /// Their volume, in 2D area.
    Volume,
}

/// Distribution of radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SizesSpec {
    /// All alike.
    Mono {
        /// Radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
    },
    /// Uniform between two radii.
    Uniform {
        /// Smallest radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        smallest: f64,
        /// Largest radius \[m\] (no default).
        largest: f64,
        /// What is even; default: "number".
        #[serde(default)]
        by: CountBySpec,
    },
    /// Two radii.
    Two {
        /// The smaller radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        small: f64,
        /// The larger radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        large: f64,
        /// Share of the larger ones \[-\], from 0 to 1 (no default).
        #[schemars(range(min = 0.0, max = 1.0))]
        share_of_large: f64,
        /// What the share counts; default: "number".
        #[serde(default)]
        by: CountBySpec,
    },
    /// Beta distribution by number, stretched to an interval.
    Beta {
        /// Smallest radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        smallest: f64,
        /// Largest radius \[m\] (no default).
        largest: f64,
        /// First parameter \[-\], which draws radii away from the smallest (no default).
        a: f64,
        /// Second parameter \[-\], which draws radii away from the largest (no default).
        b: f64,
    },
    /// Log-normal by number, cut off at both ends.
    LogNormal {
        /// Median radius before cutting \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        median: f64,
        /// Standard deviation of the logarithm of the radius \[-\] (no default).
        deviation: f64,
        /// Smallest radius \[m\], greater than 0 (no default).
        #[schemars(extend("exclusiveMinimum" = 0))]
        smallest: f64,
        /// Largest radius \[m\] (no default).
        largest: f64,
    },
    /// Sieve curve: how much of the mass passes sieves of several widths.
    Sieve {
        /// CSV beside the scene, two columns: width and share that passes (or per cent); default: none, and
        /// points instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// What one stands for in the widths of the file; default: "mm".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<LengthUnit>,
        /// Pairs of width \[m\] and share that passes \[-\], from 0 to 1; default: from the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<Vec<Vec<f64>>>,
    },
}

/// A lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LatticeKind {
    /// Squares, in 2D.
    Square,
    /// Triangles, in 2D.
    Hexagonal,
    /// Cubes, in 3D.
    Cubic,
    /// Face-centred cubes, in 3D.
    FaceCentred,
}

/// How grains find their places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PackingSpec {
    /// On a regular lattice, from below.
    Lattice {
        /// Which one (no default).
        kind: LatticeKind,
        /// Distance between neighbours \[m\]; default: twice the largest radius.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("exclusiveMinimum" = 0))]
        spacing: Option<f64>,
    },
    /// At random places without overlap, one after the other.
    Random {
        /// Least distance between grains \[m\]; default: 0.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        gap: f64,
        /// Tries of a grain before the region counts as full; default: 10000.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tries: Option<u32>,
    },
    /// Dropped one after the other, each rolling down over the others until it lies.
    Deposit {
        /// Places a grain is dropped at, of which it takes the lowest; default: 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tries: Option<u32>,
    },
    /// Grown all over the region to a dense state without overlap.
    Growth {
        /// Most rounds of pushing grains apart; default: 20000.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u32>,
        /// Distance left between grains relative to their radii \[-\]; default: 0.001.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(extend("exclusiveMinimum" = 0))]
        clearance: Option<f64>,
    },
}

/// Shape in the place of a circle or sphere, within it and reaching it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FormSpec {
    /// The disk or sphere itself.
    Ball {},
    /// Regular polygon, in 2D.
    RegularPolygon {
        /// Number of sides, from 3 (no default).
        sides: u32,
    },
    /// Polygon with its corners at random places of the circle, in 2D.
    RandomPolygon {
        /// Fewest sides, from 3 (no default).
        fewest: u32,
        /// Most sides (no default).
        most: u32,
        /// From 0, all sides alike, to 1 \[-\]; default: 0.5.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.0, max = 1.0))]
        irregularity: Option<f64>,
    },
    /// Star, in 2D.
    Star {
        /// Number of points, from 3 (no default).
        points: u32,
        /// Radius of the inner corners relative to that of the points \[-\], from 0.05 to 0.95; default: 0.4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inner: Option<f64>,
    },
    /// Arms with round ends, in 2D.
    Flake {
        /// Number of arms, from 2 (no default).
        arms: u32,
        /// Width of an arm relative to the radius \[-\], from 0.01 to 1; default: 0.25.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        width: Option<f64>,
    },
    /// Random convex polyhedron, in 3D.
    Polyhedron {
        /// Number of faces, from 4 to 100 (no default).
        faces: u32,
        /// From 0, faces evenly spread, to 1, anyhow \[-\]; default: 0.3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.0, max = 1.0))]
        angularity: Option<f64>,
        /// Length over width \[-\], from 1 to 20; default: 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elongation: Option<f64>,
    },
    /// Balls grown into each other.
    Clump {
        /// Number of balls, from 2 (no default).
        balls: u32,
        /// Their radius relative to that of the whole \[-\], from 0.05 to 0.95; default: 0.5.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<f64>,
    },
    /// One of several meshes at random, in 3D, scaled about its centre.
    Meshes {
        /// Files beside the scene (no default).
        files: Vec<String>,
        /// What is made of the meshes; default: "convex".
        #[serde(default)]
        treat: Treat,
    },
}

/// A rough wall of grains, one body that does not move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoughSpec {
    /// In 2D, where it begins; in 3D, the lowest corner of a level rectangle \[m\] (no default).
    pub from: Vec<f64>,
    /// In 2D, where it ends; in 3D, the opposite corner, at the same height \[m\] (no default).
    pub to: Vec<f64>,
    /// Radii of its grains (no default).
    pub sizes: SizesSpec,
    /// How far grains are off the line or plane, relative to their radius \[-\], from 0 to 0.9; default: 0.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.9))]
    pub scatter: f64,
}
