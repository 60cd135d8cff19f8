//! A tie between two bodies as it is written. Judges nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a tie does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TieKind {
    /// Holds all motions.
    #[default]
    Fixed,
    /// In 2D, holds a point.
    Pin,
    /// In 3D, holds a point.
    Spherical,
    /// In 3D, holds a point and lets turn about the axis.
    Hinge,
    /// Lets slide along the axis.
    Slider,
    /// Lets slide along the axis and turn: in 3D about the axis, in 2D a pin in a slot.
    Cylindrical,
    /// In 3D, holds a point and lets turn about one axis on each body: Cardan's joint.
    Universal,
    /// In 3D, a nut on its screw: slides along the axis as it turns about it.
    Screw,
    /// A pinion, the first body, on a rack, the second one.
    Rack,
    /// Spring and dashpot between two ends.
    Spring,
    /// Spring and dashpot against turning, in 3D about the axis.
    Torsion,
    /// Holds the distance of two ends.
    Rod,
    /// Pulls only.
    Wire,
    /// A linear relation between velocities, for gears and racks.
    Coupled,
}

impl TieKind {
    /// Its word in a scene.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Pin => "pin",
            Self::Spherical => "spherical",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Cylindrical => "cylindrical",
            Self::Universal => "universal",
            Self::Screw => "screw",
            Self::Rack => "rack",
            Self::Spring => "spring",
            Self::Torsion => "torsion",
            Self::Rod => "rod",
            Self::Wire => "wire",
            Self::Coupled => "coupled",
        }
    }
}

/// What ties two bodies for good, or a body to the ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieSpec {
    /// Name, different from that of every other tie; default: the kind and a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it does (no default).
    pub kind: TieKind,
    /// The two bodies (no default); "ground" is the world where no body has that name.
    pub bodies: Vec<String>,
    /// Where a joint sits as the scene begins \[m\], of a rack where its teeth meet the pinion; default for
    /// "fixed" and "torsion": the first body's centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<f64>>,
    /// Direction in which a joint is free, or about which a torsion spring or a pinion turns in 3D \[-\], of
    /// any length; of a spherical joint the axis whose angle its limits bound (no default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vec<f64>>,
    /// The two axes of a universal joint \[-\], the first on the first body and the second on the second one,
    /// at right angles to each other (no default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<Vec<f64>>>,
    /// Way of a screw along its axis for one turn \[m\], negative for a thread to the left (no default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Coefficient of friction in a joint \[-\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub friction: Option<f64>,
    /// Radius of the pin, ball or thread at which the friction of a joint acts \[m\]; default of a
    /// cylindrical joint: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub radius: Option<f64>,
    /// Friction of a slider or cylindrical joint without any load \[N\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub friction_force: Option<f64>,
    /// Friction of a joint that turns without any load \[N m\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub friction_moment: Option<f64>,
    /// Least and largest way \[m\] or turn \[rad\] of the first body against the second one since the start;
    /// of a universal joint of the turns about its axes, of a spherical one 0 and the largest angle of its
    /// axis; default: no stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Vec<f64>>,
    /// Least and largest turn of a universal joint about its second axis \[rad\]; default: `limits`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_limits: Option<Vec<f64>>,
    /// Coefficient of restitution of the stops \[-\], from 0 to 1; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// The two ends of a rod, wire or spring as the scene begins \[m\]; default: the centres of mass of the
    /// bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Vec<Vec<f64>>>,
    /// Length of a rod or wire, or of a spring without force \[m\]; default: the distance of its ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub length: Option<f64>,
    /// Stiffness of a spring or an elastic wire \[N/m\], of a torsion spring \[N m/rad\]; default: a wire is
    /// rigid, a spring has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub stiffness: Option<f64>,
    /// Damping of a spring or an elastic wire \[N s/m\], of a torsion spring \[N m s/rad\]; default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub damping: Option<f64>,
    /// Mean force over a step at which it breaks for good \[N\]; default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub strength: Option<f64>,
    /// Coefficients of coupled velocities, a list for each body: x, y and spin in 2D; x, y, z and the spins
    /// about them in 3D (no default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<Vec<Vec<f64>>>,
    /// Whether the two bodies still collide with each other; default: those of rods, wires and springs do,
    /// others do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collide: Option<bool>,
}

impl TieSpec {
    /// Whether it is drawn between two ends.
    pub(crate) fn has_ends(&self) -> bool {
        matches!(self.kind, TieKind::Rod | TieKind::Wire | TieKind::Spring)
    }

    /// Whether it leaves turns free, against which it may rub and which it may stop.
    pub(crate) fn is_turning(&self) -> bool {
        use TieKind::{Hinge, Pin, Screw, Spherical, Universal};
        matches!(self.kind, Pin | Spherical | Hinge | Universal | Screw)
    }

    /// Whether it leaves a way free, along which it may rub and stop.
    pub(crate) fn is_sliding(&self) -> bool {
        matches!(self.kind, TieKind::Slider | TieKind::Cylindrical)
    }
}

impl TieSpec {
    /// Its name, as the tie of this number, from 0.
    pub(crate) fn name_at(&self, number: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}-{}", self.kind.word(), number + 1))
    }
}
