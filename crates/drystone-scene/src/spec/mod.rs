//! The scene as it is written: one type per table of the file, those of the library where they say the same.
//! Fills in no default that depends on other keys, and judges nothing.

mod body;
mod bonds;
mod contacts;
mod deform;
mod elements;
mod growth;
mod inertia;
mod law;
mod loading;
mod measure;
mod membrane;
mod probe;
mod sample;
mod settings;
mod shape;
mod signal;
mod source;
mod stage;
mod tie;

pub use body::{BodySpec, Components, Drive, Load, Rotation};
pub use bonds::{BilinearSpec, ExponentialSpec, MacSpec, TrapezoidalSpec};
pub use contacts::{NoneSpec, PercussionSpec, UnilateralSpec, ViscoelasticSpec};
pub(crate) use deform::ListedSignal;
pub use deform::{DeformSpec, ElementName, FaceLoadSpec, HoldSpec, IntegrationName, MassName, PlaneName};
pub use drystone::{
    AutoParams, Capillary, Drift, GrowthKeeps, Gyroscopic, Inconsistent, Inelastic, Level, Method,
    MohrCoulomb, Orowan, Poisson, RestRule, Restitution, Rolling, Strategy, Tresca,
};
pub use elements::{ElementGroupSpec, ElementListSpec, ElementsSpec};
pub use growth::GrowthSpec;
pub use inertia::Inertia;
pub use law::LawSpec;
pub use loading::{
    CohesionSpec, DriveKind, DriveSpec, FrictionSpec, GravitySpec, LoadSpec, NamesSpec, PressureSpec,
    PushDirection,
};
pub use measure::MeasureSpec;
pub use membrane::MembraneSpec;
pub use probe::{Probe, ProbeTarget, Quantity};
pub use sample::{
    AssemblySpec, BedsSpec, BondSpec, CapitalSpec, CountBySpec, FormSpec, GrainsSpec, JointSetSpec,
    LatticeKind, MasonrySpec, MeshesSpec, OpeningSpec, PackingSpec, RegionSpec, RockSpec, RoughSpec,
    SampleSpec, SizesSpec, TableSpec, WallPlane,
};
pub use settings::{
    CellSpec, CriterionSpec, Detection, Equilibrium, ForceSpec, OrderSpec, OutputSpec, Solver, StandingSpec,
    Time, Units,
};
pub use shape::{
    HeightFieldSpec, LengthUnit, Material, MaterialLawName, MeshSpec, PartSpec, ShapeRef, ShapeSpec,
    StrainName, Treat,
};
pub use signal::{AccelerationUnit, AfterEnd, Baseline, CurveSpec, Interpolation, SignalSpec};
pub use source::{OutletSpec, SourceSpec};
pub use stage::{ReachedQuantity, ReachesSpec, ReleaseSpec, StageSpec, UntilSpec};
pub use tie::{TieKind, TieSpec};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A scene of Drystone: bodies, the laws between them, and how to run them. SI units; y up in 2D, z up in 3D.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneSpec {
    /// What the scene shows, in one line; default: no title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Dimension of space: 2 or 3.
    #[schemars(range(min = 2, max = 3))]
    pub dimension: usize,
    /// System of units; only "SI".
    #[serde(default)]
    pub units: Units,
    /// Acceleration of gravity \[m/s²\]; default: 9.81 downwards (y in 2D, z in 3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vec<f64>>,
    /// Step, duration and scheme (no default: step and duration must be given).
    pub time: Time,
    /// How the contact problem of a step is solved.
    #[serde(default)]
    pub solver: Solver,
    /// How contacts are found.
    #[serde(default)]
    pub detection: Detection,
    /// The periodic cell; default: none, the world has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellSpec>,
    /// What is written, and how often.
    #[serde(default)]
    pub output: OutputSpec,
    /// When to end the run early because everything is at rest; default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equilibrium: Option<Equilibrium>,
    /// When a structure counts as fallen; default: all defaults, judged where `equilibrium` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<StandingSpec>,
    /// Materials by name; default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub materials: BTreeMap<String, Material>,
    /// Shapes by name; default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shapes: BTreeMap<String, ShapeSpec>,
    /// The bodies, in the order of their numbers; default: none.
    #[serde(rename = "body", default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySpec>,
    /// Many bodies from a few numbers, which come behind the others; default: none. A scene that was read has
    /// bodies in their place.
    #[serde(rename = "sample", default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<SampleSpec>,
    /// The laws between groups of bodies; default: none.
    #[serde(rename = "law", default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<LawSpec>,
    /// What ties bodies to each other or to the ground for good; default: nothing.
    #[serde(rename = "tie", default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<TieSpec>,
    /// Loads that change in time; default: none.
    #[serde(rename = "load", default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadSpec>,
    /// Prescribed motion that changes in time; default: none.
    #[serde(rename = "drive", default, skip_serializing_if = "Vec::is_empty")]
    pub drives: Vec<DriveSpec>,
    /// Friction that changes in time; default: none.
    #[serde(rename = "friction", default, skip_serializing_if = "Vec::is_empty")]
    pub frictions: Vec<FrictionSpec>,
    /// Cohesion that changes in time; default: none.
    #[serde(rename = "cohesion", default, skip_serializing_if = "Vec::is_empty")]
    pub cohesions: Vec<CohesionSpec>,
    /// Bodies that grow in time; default: none.
    #[serde(rename = "growth", default, skip_serializing_if = "Vec::is_empty")]
    pub growths: Vec<GrowthSpec>,
    /// Gravity that changes in time; default: it stays what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity_in_time: Option<GravitySpec>,
    /// Walls pressed against a sample; default: none.
    #[serde(rename = "pressure", default, skip_serializing_if = "Vec::is_empty")]
    pub pressures: Vec<PressureSpec>,
    /// Membranes around samples without walls; default: none.
    #[serde(rename = "membrane", default, skip_serializing_if = "Vec::is_empty")]
    pub membranes: Vec<MembraneSpec>,
    /// The stages of the run, one after the other; default: none, the run is of one piece.
    #[serde(rename = "stage", default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSpec>,
    /// Where bodies come into the run; default: nowhere.
    #[serde(rename = "source", default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSpec>,
    /// Where bodies leave the run; default: nowhere.
    #[serde(rename = "outlet", default, skip_serializing_if = "Vec::is_empty")]
    pub outlets: Vec<OutletSpec>,
    /// The run that this one goes on from, `"FOLDER@end"` or `"FOLDER@TIME"`: bodies, laws, ties and what
    /// acts on them are those of that run; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Written by the program: what `from` was; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_from: Option<String>,
    /// Written by the program: steps of the run before \[-\]; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_before: Option<u64>,
    /// Written by the program: how many of the stages are of the run before \[-\]; default:
    /// 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inherited_stages: u32,
    /// Contact forces that are known, from which the first step starts; default: none.
    #[serde(rename = "force", default, skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<ForceSpec>,
    /// Bodies, groups and ties whose history is written to a table; default: none.
    #[serde(rename = "probe", default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// What is measured while the run goes on, each in a table of its own; default: nothing.
    #[serde(rename = "measure", default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureSpec>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl SceneSpec {
    /// An empty scene of `dimension` 2 or 3, with its time step and duration \[s\].
    pub fn new(dimension: usize, step: f64, duration: f64) -> Self {
        Self { dimension, time: Time { step, duration, ..Time::default() }, ..Self::default() }
    }

    /// Gravity \[m/s²\], as many numbers as dimensions; the default where none is given.
    pub fn gravity(&self) -> Vec<f64> {
        self.gravity.clone().unwrap_or_else(|| {
            let mut gravity = vec![0.0; self.dimension];
            if let Some(up) = gravity.last_mut() {
                *up = -9.81;
            }
            gravity
        })
    }

    /// Time between two outputs \[s\]; the default where none is given.
    pub fn interval(&self) -> f64 {
        self.output.interval.unwrap_or((self.time.duration / 100.0).max(self.time.step))
    }

    /// Number of time steps of the whole run.
    pub fn steps(&self) -> u64 {
        (self.time.duration / self.time.step).round().max(1.0) as u64
    }

    /// Steps between two outputs.
    pub fn steps_between_outputs(&self) -> u64 {
        (self.interval() / self.time.step).round().max(1.0) as u64
    }

    /// Density of a body \[kg/m³\], its own or that of its material.
    pub fn density_of(&self, body: &BodySpec) -> Option<f64> {
        let material = body.material.as_ref().and_then(|name| self.materials.get(name));
        body.density.or(material.map(|material| material.density))
    }

    /// Whether bodies come or go while the scene runs, or change their size.
    pub fn bodies_change(&self) -> bool {
        let changed = self.stages.iter().any(|stage| !stage.remove.is_empty() || !stage.growths.is_empty());
        changed || !self.sources.is_empty() || !self.outlets.is_empty() || !self.growths.is_empty()
    }

    /// Names of the bodies, in the order of their ids.
    pub fn body_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bodies.iter().map(|body| body.name.as_str())
    }
}
