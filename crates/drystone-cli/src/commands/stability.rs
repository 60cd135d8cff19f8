//! `drystone stability`.

mod joints;
mod picture;
mod question;
mod words;

use crate::failure::{DONE, FALLS, Failure, NOT_CONVERGED, say};
use crate::files::SceneFiles;
use drystone::{AnySimulation, Pace, PerDof, Settled, Simulation, Statics, TOUCHING, Vector};
use drystone_diagnose::statics::{Coulomb, Limit, Multiplier, Rest, StaticsError};
use drystone_scene::Scene;
use joints::Joint;
use question::{Live, Question};
use std::path::PathBuf;

/// Tell whether a structure can stand, and how much of a load, an earthquake, a tilt or a settlement it
/// bears.
///
/// Limit analysis of the scene as it stands at its start, at rest: contacts that touch, weights, given loads.
/// Finds admissible forces or the mechanism by which it fails, and the largest multiplier of a load.
/// Ends with 0 if the structure can stand as it is, with 5 if it cannot.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scene file.
    scene: PathBuf,
    #[command(flatten)]
    files: SceneFiles,
    /// Largest horizontal acceleration in this direction that it bears, as a share of gravity (pseudo-static
    /// earthquake): x, -x, y, -y, z, -z or numbers such as 1,0.5.
    #[arg(long, value_name = "DIR", group = "asked", allow_hyphen_values = true)]
    push: Option<String>,
    /// Largest angle by which the ground may be tilted towards this direction.
    #[arg(long, value_name = "DIR", group = "asked", allow_hyphen_values = true)]
    tilt: Option<String>,
    /// Largest multiplier of a load on a body: BODY for the load it has in the scene, BODY:FX,FY for a force
    /// [N].
    #[arg(long, value_name = "BODY[:F]", group = "asked")]
    load: Option<String>,
    /// Where the force of --load acts [m]: X,Y or X,Y,Z; the centre of mass unless told otherwise.
    #[arg(long, value_name = "POINT", requires = "load", allow_hyphen_values = true)]
    at: Option<String>,
    /// Largest movement of a support along a direction that it bears: BODY:DIR, bodies joined by +.
    #[arg(long, value_name = "BODY:DIR", group = "asked")]
    settle: Option<String>,
    /// Step of the settlement, relative to the height or width of the structure, the larger.
    #[arg(long, value_name = "S", default_value_t = 1e-3, requires = "settle")]
    settle_step: f64,
    /// Largest settlement to look at, relative to the same.
    #[arg(long, value_name = "S", default_value_t = 1.0, requires = "settle")]
    settle_most: f64,
    /// Also look for a multiplier below which no mechanism of Coulomb's friction exists, proved; in the
    /// plane, a programme for every joint some dozen times.
    #[arg(long, conflicts_with = "settle", requires = "asked")]
    proven: bool,
    /// Gap at which bodies still touch, relative to the radius of the smaller.
    #[arg(long, value_name = "T", default_value_t = TOUCHING)]
    touching: f64,
    /// Draw the mechanism, or the forces and what joints carry at least and at most, .png or .svg.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Width of the picture [pixel].
    #[arg(long, default_value_t = 1200, requires = "picture")]
    width: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Everything found out.
struct Findings<const D: usize> {
    statics: Statics<D>,
    rest: Rest<D>,
    /// Joints under the loads of the scene, where it can stand.
    joints: Vec<Joint>,
    answer: Option<StabilityAnswer<D>>,
}

/// The answer to the question asked.
enum StabilityAnswer<const D: usize> {
    Multiplier {
        live: Live<D>,
        limit: Multiplier<D>,
        coulomb: Option<Coulomb<D>>,
        /// What was proved, where it was asked for.
        proven: Option<Option<f64>>,
    },
    Settled {
        what: String,
        size: f64,
        settled: Settled<D>,
    },
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let share = |name: &str, value: f64, most: f64| match value > 0.0 && value <= most {
        true => Ok(()),
        false => {
            Err(Failure::bad_input(format!("--{name} is {value}: allowed are numbers above 0 up to {most}")))
        }
    };
    share("touching", arguments.touching, 0.1)?;
    share("settle-step", arguments.settle_step, 0.1)?;
    share("settle-most", arguments.settle_most, 10.0)?;
    let scene = arguments.files.read(&arguments.scene)?;
    match scene.build()? {
        AnySimulation::Plane(simulation) => of(arguments, &scene, &simulation),
        AnySimulation::Space(simulation) => of(arguments, &scene, &simulation),
    }
}

fn of<const D: usize>(
    arguments: &Arguments,
    scene: &Scene,
    simulation: &Simulation<D>,
) -> Result<u8, Failure> {
    let statics = simulation.statics(arguments.touching);
    let question = question::read(arguments, simulation, &statics)?;
    let rest = statics.structure.rest(&statics.dead()).map_err(undecided)?;
    let joints = match &rest {
        Rest::Balanced { forces, .. } => joints::all(simulation, &statics, forces)?,
        Rest::Mechanism(_) => Vec::new(),
    };
    let answer = match question {
        None => None,
        Some(question) => Some(ask(arguments, simulation, &statics, question)?),
    };
    let findings = Findings { statics, rest, joints, answer };
    if let Some(path) = &arguments.picture {
        picture::draw(simulation, scene, &findings, arguments.width, path)?;
    }
    match arguments.json {
        true => say(words::object(simulation, arguments, &findings)),
        false => say(words::words(simulation, arguments, scene, &findings)),
    }
    Ok(if matches!(findings.rest, Rest::Balanced { .. }) { DONE } else { FALLS })
}

/// Answers the question.
fn ask<const D: usize>(
    arguments: &Arguments,
    simulation: &Simulation<D>,
    statics: &Statics<D>,
    question: Question<D>,
) -> Result<StabilityAnswer<D>, Failure> {
    match question {
        Question::Live(live) => {
            let limit = statics.structure.limit(&live.dead, &live.live).map_err(undecided)?;
            let coulomb = match limit {
                // a fixed point that was not found is no failure of the rest
                Multiplier::Largest(_) => {
                    statics.structure.coulomb(&live.dead, &live.live).unwrap_or_default()
                }
                _ => None,
            };
            let proven = match &limit {
                Multiplier::Largest(limit) if arguments.proven => {
                    let found = statics.structure.proven(&live.dead, &live.live, limit.multiplier);
                    Some(found.map_err(undecided)?)
                }
                _ => None,
            };
            Ok(StabilityAnswer::Multiplier { live, limit, coulomb, proven })
        }
        Question::Settle { what, way } => {
            let size = size(simulation);
            let pace = Pace {
                step: arguments.settle_step * size,
                farthest: arguments.settle_most * size,
                lets_go: 100.0,
            };
            let settled = simulation.settle(&way, &pace).map_err(undecided)?;
            Ok(StabilityAnswer::Settled { what, size, settled })
        }
    }
}

/// Height or width of all centres of mass with their radii, the larger \[m\].
fn size<const D: usize>(simulation: &Simulation<D>) -> f64 {
    let bodies = simulation.bodies();
    let moving =
        || (0..bodies.len()).filter(|&body| !bodies.is_driven(body) && bodies.radius[body].is_finite());
    let side = |axis: usize| {
        let ends = moving().map(|body| {
            let (x, r) = (bodies.pose[body].position[axis], bodies.radius[body]);
            [x - r, x + r]
        });
        let [low, high] =
            ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)]);
        if high > low { high - low } else { 1.0 }
    };
    (0..D).map(side).fold(0.0, f64::max)
}

/// A programme that gave up.
fn undecided(error: StaticsError) -> Failure {
    Failure { code: NOT_CONVERGED, message: format!("not decided: {error}") }
}

/// A unit vector along a direction of loads.
type Direction<const D: usize> = Vector<D>;

impl<const D: usize> Findings<D> {
    /// The mechanism to show: that of the answer, else that of the loads of the scene.
    fn mechanism(&self) -> Option<&[PerDof<D>]> {
        match (&self.rest, &self.answer) {
            (Rest::Mechanism(mechanism), _) => Some(mechanism),
            (_, Some(StabilityAnswer::Multiplier { coulomb: Some(coulomb), .. })) => Some(&coulomb.mechanism),
            (
                _,
                Some(StabilityAnswer::Multiplier {
                    limit: Multiplier::Largest(Limit { mechanism, .. }), ..
                }),
            ) => Some(mechanism),
            _ => None,
        }
    }
}
