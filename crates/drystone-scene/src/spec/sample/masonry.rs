//! Masonry as it is written. Lays no stone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How stones of one course lie over those of the course below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BondSpec {
    /// Joint over joint.
    Stack,
    /// Shifted by half a stone.
    #[default]
    Running,
    /// A stretcher and a header in turn.
    Flemish,
    /// Courses of stretchers and of headers in turn.
    English,
}

/// Beds of a dome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BedsSpec {
    /// On cones about the centre.
    #[default]
    Radial,
    /// Level, as in a corbelled dome.
    Level,
}

/// A rectangular opening of a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningSpec {
    /// Distance from the beginning of the wall \[m\] (no default).
    pub left: f64,
    /// Height of its lower edge, on a joint \[m\] (no default).
    pub bottom: f64,
    /// Width \[m\], greater than 0 (no default).
    pub width: f64,
    /// Height, a whole number of courses \[m\] (no default).
    pub height: f64,
    /// How far its lintel rests on the wall at either side \[m\]; default: 0, no lintel.
    #[serde(default)]
    pub bearing: f64,
}

/// What a column ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapitalSpec {
    /// Height \[m\], greater than 0 (no default).
    pub height: f64,
    /// Side of its slab \[m\], at least twice the radius at the top (no default).
    pub width: f64,
}

/// A structure of stones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MasonrySpec {
    /// Straight wall along x from the origin; in 2D its front.
    Wall {
        /// Length \[m\] (no default).
        length: f64,
        /// Number of courses (no default).
        courses: u32,
        /// Length of a stretcher \[m\] (no default).
        stone_length: f64,
        /// Height of a course \[m\] (no default).
        course_height: f64,
        /// In 3D, thickness \[m\] (no default there).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thickness: Option<f64>,
        /// Bond; default: "running".
        #[serde(default)]
        bond: BondSpec,
        /// Openings; default: none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        openings: Vec<OpeningSpec>,
    },
    /// Wall of two leaves with bond stones through both; in 2D its cross-section.
    TwoLeaves {
        /// In 3D, length \[m\] (no default there).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<f64>,
        /// Number of courses (no default).
        courses: u32,
        /// Thickness of both leaves together \[m\] (no default).
        thickness: f64,
        /// In 3D, length of a stone \[m\] (no default there).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stone_length: Option<f64>,
        /// Height of a course \[m\] (no default).
        course_height: f64,
        /// Every so many courses have bond stones; default: 0, none has.
        #[serde(default)]
        bond_courses: u32,
        /// In 3D, every so many stones of such a course is one; default: 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bond_stones: Option<u32>,
    },
    /// Arch over x, its springings at height 0, its middle at the origin.
    Arch {
        /// Clear span of the intrados \[m\] (no default).
        span: f64,
        /// Height of the intrados above the springings \[m\]: half of the span is a semicircle, less a
        /// segment, more a pointed arch; default: half of the span.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rise: Option<f64>,
        /// Thickness across the ring \[m\]; default: from thickness_ratio.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thickness: Option<f64>,
        /// Thickness over the mean radius \[-\]; default: from thickness.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thickness_ratio: Option<f64>,
        /// Number of voussoirs, even in a pointed arch (no default).
        voussoirs: u32,
        /// In 3D, depth along y \[m\] (no default there).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<f64>,
    },
    /// Barrel vault along y, in 3D.
    BarrelVault {
        /// Clear span \[m\] (no default).
        span: f64,
        /// Height of the intrados above the springings \[m\]; default: half of the span.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rise: Option<f64>,
        /// Thickness \[m\] (no default).
        thickness: f64,
        /// Number of voussoirs (no default).
        voussoirs: u32,
        /// Length along y \[m\] (no default).
        length: f64,
        /// Number of stones along y (no default).
        stones: u32,
    },
    /// Cross vault about the origin, standing on its four corners, in 3D.
    CrossVault {
        /// Clear span of both barrels \[m\] (no default).
        span: f64,
        /// Height of the intrados above the springings \[m\]; default: half of the span.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rise: Option<f64>,
        /// Thickness \[m\] (no default).
        thickness: f64,
        /// Number of voussoirs, odd (no default).
        voussoirs: u32,
        /// How far the barrels reach beyond the springings \[m\]; default: the thickness.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        margin: Option<f64>,
        /// Length of a stone along the barrels \[m\] (no default).
        stone_length: f64,
    },
    /// Hemispherical dome about z, in 3D.
    Dome {
        /// Inner radius \[m\] (no default).
        radius: f64,
        /// Thickness \[m\] (no default).
        thickness: f64,
        /// Number of rings (no default).
        rings: u32,
        /// Number of stones of a ring, from 3 (no default).
        stones: u32,
        /// Half of the angle of the opening at the top \[°\]; default: 0, closed by a keystone.
        #[serde(default)]
        oculus: f64,
        /// Beds; default: "radial".
        #[serde(default)]
        beds: BedsSpec,
    },
    /// Column of drums about z, in 3D.
    Column {
        /// Radius at the foot \[m\] (no default).
        radius: f64,
        /// Radius at the top \[m\]; default: that at the foot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        top_radius: Option<f64>,
        /// Height of the drums together \[m\] (no default).
        height: f64,
        /// Number of drums (no default).
        drums: u32,
        /// Sides of a drum, from 3; default: 0, round: then it cannot taper.
        #[serde(default)]
        sides: u32,
        /// Capital; default: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        capital: Option<CapitalSpec>,
    },
    /// Wall with a leaning face at its left, its back at x = 0: a buttress, or a retaining wall.
    Battered {
        /// Height \[m\] (no default).
        height: f64,
        /// Thickness at the foot \[m\] (no default).
        base: f64,
        /// Thickness at the top \[m\] (no default).
        top: f64,
        /// Number of courses (no default).
        courses: u32,
        /// Stones of a course from back to face; default: 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stones: Option<u32>,
        /// Every so many courses are one stone from back to face; default: 0, none is.
        #[serde(default)]
        bond_courses: u32,
        /// In 3D, depth along y \[m\] (no default there).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<f64>,
    },
    /// Roman arena about z: arches on piers in a ring, on several levels, in 3D.
    Arena {
        /// Half axes of the ellipse along x and y \[m\], two numbers (no default).
        half_axes: Vec<f64>,
        /// Number of bays, from 6 (no default).
        bays: u32,
        /// Number of levels (no default).
        levels: u32,
        /// Clear span of the arches \[m\] (no default).
        span: f64,
        /// Thickness of the arches \[m\] (no default).
        thickness: f64,
        /// Number of voussoirs of an arch, divisible by 4 (no default).
        voussoirs: u32,
        /// Height of the piers below the springings \[m\] (no default).
        pier_height: f64,
        /// Number of courses of a pier (no default).
        pier_courses: u32,
        /// Height of the course above the crown of the arches \[m\] (no default).
        crown: f64,
        /// Depth of the fronts \[m\] (no default).
        depth: f64,
    },
}
