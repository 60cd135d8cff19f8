//! The load, direction or support that was asked for. Answers nothing.

use super::{Arguments, Direction};
use crate::failure::Failure;
use drystone::{PerDof, Simulation, Statics, Vector};
use drystone_math::nalgebra::Vector3;

/// What was asked.
pub enum Question<const D: usize> {
    /// How far a load may grow.
    Live(Live<D>),
    /// How far a support may go.
    Settle { what: String, way: Vec<PerDof<D>> },
}

/// A load that grows beside one that stays.
pub struct Live<const D: usize> {
    pub dead: Vec<PerDof<D>>,
    pub live: Vec<PerDof<D>>,
    /// For people.
    pub what: String,
    pub kind: LiveKind,
}

/// What the multiplier means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LiveKind {
    /// Share of gravity.
    Push,
    /// Tangent of an angle.
    Tilt,
    /// Times a load.
    Load,
}

/// Reads the question, if there is one.
pub fn read<const D: usize>(
    arguments: &Arguments,
    simulation: &Simulation<D>,
    statics: &Statics<D>,
) -> Result<Option<Question<D>>, Failure> {
    let gravity = simulation.settings().gravity;
    if let Some((text, kind)) = arguments
        .push
        .as_ref()
        .map(|t| (t, LiveKind::Push))
        .or(arguments.tilt.as_ref().map(|t| (t, LiveKind::Tilt)))
    {
        let name = if kind == LiveKind::Push { "push" } else { "tilt" };
        if gravity.norm() == 0.0 {
            return Err(Failure::bad_input(format!(
                "--{name} is measured by gravity, and the scene has none: use --load"
            )));
        }
        let mut direction: Direction<D> = direction(name, text)?;
        if kind == LiveKind::Tilt {
            let loaded = statics.loads.iter().any(|load| load.iter().any(|&x| x != 0.0));
            if loaded || !statics.is_homogeneous() {
                return Err(Failure::bad_input(
                    "--tilt turns weights alone, and the scene has loads or strengths of its own: use --push",
                ));
            }
            // the part along gravity turns nothing
            let down = gravity / gravity.norm();
            direction -= down * direction.dot(&down);
            if direction.norm() < 1e-9 {
                return Err(Failure::bad_input(format!(
                    "--tilt {text} is along gravity: allowed is any other"
                )));
            }
            direction /= direction.norm();
        }
        let force = direction * gravity.norm();
        let bodies = simulation.bodies();
        let live =
            |body: usize| PerDof::from_fn(|i| if i < D { bodies.mass[body][i] * force[i] } else { 0.0 });
        return Ok(Some(Question::Live(Live {
            dead: statics.dead(),
            live: (0..bodies.len()).map(live).collect(),
            what: format!("{name} {text}"),
            kind,
        })));
    }
    if let Some(text) = &arguments.load {
        return load(text, arguments.at.as_deref(), simulation, statics)
            .map(|live| Some(Question::Live(live)));
    }
    match &arguments.settle {
        Some(text) => settle(text, simulation).map(Some),
        None => Ok(None),
    }
}

/// A direction, of length 1.
fn direction<const D: usize>(name: &str, text: &str) -> Result<Direction<D>, Failure> {
    let refuse = || {
        let axes = if D == 2 { "x, -x, y, -y" } else { "x, -x, y, -y, z, -z" };
        let message =
            format!("--{name} \"{text}\" is no direction: allowed are {axes} or {D} numbers, not all 0");
        Failure::bad_input(message)
    };
    let (sign, axis) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    if let Some(axis) = ["x", "y", "z"].iter().take(D).position(|name| *name == axis) {
        return Ok(Vector::from_fn(|i, _| if i == axis { sign } else { 0.0 }));
    }
    let vector: Vector<D> = numbers(text).ok_or_else(refuse)?;
    match vector.norm() {
        norm if norm > 0.0 && norm.is_finite() => Ok(vector / norm),
        _ => Err(refuse()),
    }
}

fn numbers<const D: usize>(text: &str) -> Option<Vector<D>> {
    let numbers: Vec<f64> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    (numbers.len() == D && numbers.iter().all(|x| x.is_finite())).then(|| Vector::from_fn(|i, _| numbers[i]))
}

/// The index of a body.
fn find<const D: usize>(name: &str, simulation: &Simulation<D>) -> Result<usize, Failure> {
    let names = &simulation.bodies().name;
    names.iter().position(|known| known == name).ok_or_else(|| {
        let near = names
            .iter()
            .map(|known| (strsim::jaro_winkler(known, name), known))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(likeness, _)| *likeness > 0.8);
        let hint = near.map_or(String::new(), |(_, known)| format!("; did you mean \"{known}\"?"));
        Failure::bad_input(format!("no body \"{name}\" in the scene{hint}"))
    })
}

/// A body name and what follows the last colon, unless the whole is a name.
fn split<'a, const D: usize>(text: &'a str, simulation: &Simulation<D>) -> (&'a str, Option<&'a str>) {
    if simulation.bodies().name.iter().any(|name| name == text) {
        return (text, None);
    }
    text.rsplit_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)))
}

fn load<const D: usize>(
    text: &str,
    at: Option<&str>,
    simulation: &Simulation<D>,
    statics: &Statics<D>,
) -> Result<Live<D>, Failure> {
    let (name, force) = split(text, simulation);
    let body = find(name, simulation)?;
    if !statics.structure.free[body].contains(&true) {
        return Err(Failure::bad_input(format!("body \"{name}\" is a support: a load on it does nothing")));
    }
    let (mut dead, mut live) = (statics.dead(), vec![PerDof::zeros(); statics.weight.len()]);
    match force {
        None => {
            live[body] = statics.loads[body];
            dead[body] -= live[body];
        }
        Some(force) => {
            let force: Vector<D> = numbers(force).ok_or_else(|| {
                Failure::bad_input(format!(
                    "--load \"{text}\": allowed are BODY or BODY: and {D} numbers [N]"
                ))
            })?;
            let pose = simulation.bodies().pose[body];
            let point = match at {
                None => pose.position,
                Some(at) => numbers(at).ok_or_else(|| {
                    Failure::bad_input(format!("--at \"{at}\": allowed are {D} numbers [m]"))
                })?,
            };
            let arm = point - pose.position;
            (0..D).for_each(|i| live[body][i] = force[i]);
            if D == 2 {
                live[body][D] = arm[0] * force[1] - arm[1] * force[0];
            } else {
                let three = |v: &Vector<D>| Vector3::new(v[0], v[1], v[2]);
                let moment = pose.orientation.inverse() * three(&arm).cross(&three(&force));
                (0..3).for_each(|i| live[body][D + i] = moment[i]);
            }
        }
    }
    if live[body].norm() == 0.0 {
        return Err(Failure::bad_input(format!(
            "body \"{name}\" has no load in the scene: give one there, or as {name}:FX,FY"
        )));
    }
    Ok(Live { dead, live, what: format!("load on \"{name}\""), kind: LiveKind::Load })
}

fn settle<const D: usize>(text: &str, simulation: &Simulation<D>) -> Result<Question<D>, Failure> {
    let (names, way) = text.rsplit_once(':').ok_or_else(|| {
        Failure::bad_input(format!(
            "--settle \"{text}\": allowed is BODY:DIR, such as \"pier:x\" or \"pier:0,-1\""
        ))
    })?;
    let way: Direction<D> = direction("settle", way)?;
    let mut ways = vec![PerDof::zeros(); simulation.bodies().len()];
    for name in names.split('+') {
        let body = find(name, simulation)?;
        if !simulation.bodies().is_driven(body) {
            return Err(Failure::bad_input(format!(
                "body \"{name}\" is no support: only fixed bodies settle"
            )));
        }
        (0..D).for_each(|i| ways[body][i] = way[i]);
    }
    Ok(Question::Settle { what: text.to_owned(), way: ways })
}
