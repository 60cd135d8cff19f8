//! The tables that say how to run a scene. Holds no body and no law.

use drystone::{
    AutoParams, Drift, Inconsistent, Method, Order, ResidualMeasure, RestRule, Settings, Strategy,
    Tolerances, Vector,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// System of units of every number in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Units {
    /// Metre, kilogram, second, radian.
    #[default]
    #[serde(rename = "SI")]
    Si,
}

/// Step, duration and scheme.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Time step \[s\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub step: f64,
    /// Length of the run \[s\], greater than 0 (no default).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: f64,
    /// Parameter of the θ-scheme, from 0.5 (keeps the energy) to 1 (damps) \[-\].
    #[serde(default = "theta")]
    #[schemars(range(min = 0.5, max = 1.0))]
    pub theta: f64,
    /// What to do with overlaps.
    #[serde(default)]
    pub drift: Drift,
    /// How forces and laws enter a step.
    #[serde(default)]
    pub strategy: Strategy,
}

impl Default for Time {
    fn default() -> Self {
        let Settings { theta, drift, strategy, .. } = library();
        Self { step: 1e-3, duration: 1.0, theta, drift, strategy }
    }
}

fn theta() -> f64 {
    library().theta
}

/// In which order a sweep visits the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrderSpec {
    /// As numbered.
    #[default]
    Cyclic,
    /// As numbered, one after the other however many there are.
    Identity,
    /// Backwards.
    Reversed,
    /// A new permutation each sweep, drawn from `seed`.
    Random,
}

impl OrderSpec {
    /// The order of the library; the seed is a key of its own.
    pub(crate) fn order(self, seed: u64) -> Order {
        match self {
            Self::Cyclic => Order::Cyclic,
            Self::Identity => Order::Identity,
            Self::Reversed => Order::Reversed,
            Self::Random => Order::Random { seed },
        }
    }
}

/// What the tolerance of a step is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CriterionSpec {
    /// The worst contact.
    #[default]
    Worst,
    /// The root mean square over all contacts, the worst of them within thirty times the tolerance.
    Mean,
}

impl CriterionSpec {
    /// The measure of the library.
    pub(crate) fn measure(self) -> ResidualMeasure {
        match self {
            Self::Worst => ResidualMeasure::Relative,
            Self::Mean => ResidualMeasure::Mean,
        }
    }
}

/// How the contact problem of a step is solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// Which solver.
    pub method: Method,
    /// Largest relative residual of a converged step \[-\], between 0 and 1.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub tolerance: f64,
    /// Whether the tolerance is about the worst contact or about the mean of all of them.
    pub criterion: CriterionSpec,
    /// Most iterations a step may take \[-\], at least 1.
    #[schemars(range(min = 1))]
    pub max_iterations: u32,
    /// Relaxation of the update of a contact \[-\], between 0 and 2.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 2))]
    pub relaxation: f64,
    /// In which order a sweep visits the contacts.
    pub order: OrderSpec,
    /// Seed of the random order \[-\].
    pub seed: u64,
    /// Whether a step starts from the impulses of the last one (warm start).
    pub memory: bool,
    /// Whether `auto` and the proximal point go on beyond the tolerance, so that what rests stays at rest;
    /// without it the tolerance is the tolerance.
    pub polish: bool,
    /// What to do with a step that has no solution.
    pub inconsistent: Inconsistent,
    /// What becomes of bodies at rest that could stay where the solver sets them in motion.
    pub rest: RestRule,
    /// Contacts up to which an island is looked at for it whatever it costs \[-\].
    pub rest_contacts: u32,
    /// Larger islands are looked at where factors of the equations of their bodies, layer by layer, take no
    /// more multiplications than this \[-\], at least 0: slender ones, like towers and walls.
    #[schemars(range(min = 0.0))]
    pub rest_multiplications: f64,
    /// Speed up to which a body is at rest, relative to the largest that the loads alone give a body of its
    /// island in a step \[-\], between 0 and 1.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub rest_speed: f64,
    /// Speed below which a body that was slower than this stands still exactly, relative to what the loads
    /// alone give it in a step \[-\], from 0 to 1e-6.
    #[schemars(range(min = 0.0, max = 1e-6))]
    pub rest_rounding: f64,
    /// Most times a step is solved again so that the normal forces of patches that slide are even \[-\]; 0
    /// takes them as the solver finds them.
    pub even_rounds: u32,
    /// Largest residual at which Newton's method is content with a deformable body, relative to the momenta
    /// and impulses that make it \[-\], between 0 and 1.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub newton_tolerance: f64,
    /// Most iterations of Newton's method in a step \[-\], at least 1; beyond, the step is halved.
    #[schemars(range(min = 1))]
    pub newton_iterations: u32,
    /// The matrix of a deformable body is made anew where its residual falls to no less than this part of the
    /// last \[-\], between 0 and 1.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub newton_contraction: f64,
    /// How often a step of which a deformable body finds no end is halved \[-\], from 0 to 20; beyond, the
    /// run fails.
    #[schemars(range(max = 20))]
    pub newton_halvings: u32,
    /// The policy of `auto`, and the limits of the second-order methods.
    pub auto: AutoParams,
}

/// The defaults of the library.
impl Default for Solver {
    fn default() -> Self {
        let Settings { solver, inconsistent, rest, even_rounds, newton, .. } = library();
        Self {
            method: solver.method,
            tolerance: solver.tolerance,
            criterion: CriterionSpec::default(),
            max_iterations: solver.max_iterations,
            relaxation: solver.relaxation,
            order: OrderSpec::default(),
            seed: 0,
            memory: solver.memory,
            polish: solver.polish,
            inconsistent,
            rest: rest.rule,
            rest_contacts: rest.contacts as u32,
            rest_multiplications: rest.multiplications,
            rest_speed: rest.speed,
            rest_rounding: rest.rounding,
            even_rounds,
            newton_tolerance: newton.tolerance,
            newton_iterations: newton.most_iterations as u32,
            newton_contraction: newton.contraction,
            newton_halvings: newton.most_halvings,
            auto: solver.auto,
        }
    }
}

/// The settings of a simulation that was told nothing of them.
fn library() -> Settings<2> {
    Settings::new(Vector::zeros(), 1.0)
}

/// How contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Detection {
    /// Distance below which two bodies are looked at closely, relative to the radius of the smaller \[-\].
    #[schemars(range(min = 0.0))]
    pub alert: f64,
    /// In space, most points of the patch where two flat faces meet \[-\], at least 4; default: all its
    /// corners.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 4))]
    pub patch_points: Option<u32>,
    /// Depth that bodies may reach in passing each other, relative to the radius of the smaller \[-\], from 0
    /// to 0.01: contacts where they meet no deeper are left out, so that joints between flush neighbours stop
    /// nothing. 0 leaves none out.
    #[schemars(range(min = 0.0, max = 0.01))]
    pub grazing: f64,
    /// How far the search for near pairs reaches ahead, relative to the radius of each shape \[-\], from 0 to
    /// 10: pairs are then kept until one of them has moved by half of it. Contacts are the same. 0 looks for
    /// pairs at every step; not with a periodic cell.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub skin: f64,
    /// Gap up to which bodies count as touching, relative to the radius of the smaller \[-\], from 0 to 1e-3.
    #[schemars(range(min = 0.0, max = 1e-3))]
    pub touching: f64,
    /// Way in a step up to which a contact counts as not sliding, relative to the radius of the smaller body
    /// \[-\], from 0 to 1e-3; what the residual of the solver explains comes on top.
    #[schemars(range(min = 0.0, max = 1e-3))]
    pub sliding: f64,
}

/// The defaults of the library.
impl Default for Detection {
    fn default() -> Self {
        let Settings { alert, grazing, skin, tolerances, .. } = library();
        let Tolerances { touching, sliding } = tolerances;
        Self { alert, patch_points: None, grazing, skin, touching, sliding }
    }
}

/// A periodic cell: what leaves it on one side comes in on the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CellSpec {
    /// Period along x \[m\], greater than 0; default: the cell does not repeat along x.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub x: Option<f64>,
    /// Period along y \[m\], in 3D, greater than 0; default: the cell does not repeat along y.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub y: Option<f64>,
    /// Lowest corner of the cell in pictures and output \[m\]; default: the origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Vec<f64>>,
}

/// What is written, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// Time between two outputs \[s\], at least one step; default: a hundredth of the duration, or one step
    /// if that is longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub interval: Option<f64>,
    /// Whether contacts are written.
    pub contacts: bool,
    /// Whether the surfaces of the bodies are written in every frame; default: where they have no more than
    /// 20,000 corners, deform, or come and go. `drystone export --surfaces` makes them later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<bool>,
    /// Whether the elements of deformable bodies are written, with displacements, strains and stresses at
    /// their nodes.
    pub elements: bool,
}

impl Default for OutputSpec {
    fn default() -> Self {
        Self { interval: None, contacts: true, surfaces: None, elements: false }
    }
}

/// The run ends early once every body has been slower than `speed` for `steps` steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Equilibrium {
    /// Speed below which a body counts as still \[m/s\]; spin counts times the body's radius.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub speed: f64,
    /// For how many steps in a row \[-\], at least 1.
    #[schemars(range(min = 1))]
    pub steps: u32,
}

impl Default for Equilibrium {
    fn default() -> Self {
        Self { speed: 1e-4, steps: 20 }
    }
}

/// A structure has fallen once the centre of mass of one of its bodies is farther from where it began than
/// `displacement` times the radius of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StandingSpec {
    /// Names of bodies or groups that are looked at; default: the bodies that touch a body fixed or driven as
    /// the scene begins, and those that touch these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
    /// Way of the centre of mass that counts as a fall, relative to the radius of the body \[-\], greater
    /// than 0.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub displacement: f64,
}

impl Default for StandingSpec {
    fn default() -> Self {
        Self { bodies: None, displacement: 0.5 }
    }
}

/// A contact force that is known, from which the first step starts: from another program or an earlier run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceSpec {
    /// Names of the two bodies (no default).
    pub between: [String; 2],
    /// Force on the first of them, in world axes \[N\] (no default).
    pub force: Vec<f64>,
    /// Where it acts \[m\]; default: all contacts of the two bodies share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<f64>>,
}
