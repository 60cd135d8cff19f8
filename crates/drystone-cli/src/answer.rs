//! The answer of a run: whether what was simulated rests, has collapsed, moves on or failed, and the gauges
//! that say so. How the run itself ended is the outcome's.

use crate::outcome::Outcome;
use drystone::{AnySimulation, Simulation, rigid_dofs};
use drystone_measure::contact_forces;
use drystone_scene::{Scene, stage_state};
use serde_json::{Value, json};

/// The answer in a word, with its gauges.
pub fn answer<const D: usize>(
    scene: &Scene,
    simulation: &Simulation<D>,
    outcome: Outcome,
    verdict: Option<&str>,
) -> Value {
    let speed = simulation.speed();
    let limit = scene.equilibrium.unwrap_or_default().speed;
    let word = match outcome {
        Outcome::Failed | Outcome::Inconsistent => "failed",
        _ if verdict == Some("fallen") => "collapsed",
        Outcome::Equilibrium => "equilibrium",
        // before the first step everything is as slow as it was built
        _ if speed <= limit && simulation.steps_done() > 0 => "equilibrium",
        _ => "moving",
    };
    json!({
        "word": word,
        "speed": finite(speed),
        "speed_limit": limit,
        "unbalanced": unbalanced(simulation).map(finite),
    })
}

/// Where the run is among its stages; null without any.
pub fn stages(scene: &Scene, simulation: &AnySimulation) -> Value {
    let Some(state) = stage_state(scene, simulation) else { return Value::Null };
    let names: Vec<&str> = scene.stages.iter().take(state.begun).map(|stage| stage.name.as_str()).collect();
    json!({ "begun": names, "last_ended": state.ended, "finished": state.finished, "of": scene.stages.len() })
}

/// The stages of a summary, for people.
pub fn stage_line(summary: &Value) -> Option<String> {
    let stages = summary.get("stages")?;
    let begun = stages.get("begun")?.as_array()?;
    let last = begun.last().and_then(Value::as_str).unwrap_or("none");
    let how = match stages.get("last_ended").and_then(Value::as_bool) {
        Some(true) => "ended",
        _ => "did not end before the run",
    };
    Some(format!("{} of {} begun, the last, \"{last}\", {how}", begun.len(), stages.get("of")?))
}

/// The unbalanced force ratio: mean resultant of contacts, ties, weight and load on a free body, relative to
/// the mean size of the contact forces; none where nothing presses.
fn unbalanced<const D: usize>(simulation: &Simulation<D>) -> Option<f64> {
    let bodies = simulation.bodies();
    let (h, gravity) = (simulation.settings().step, simulation.settings().gravity);
    let mut forces = contact_forces(simulation);
    for view in simulation.ties() {
        for (body, sign) in view.tie.bodies.iter().zip([1.0, -1.0]) {
            if let Some(force) = body.and_then(|body| forces.get_mut(body.0 as usize)) {
                *force += view.force * sign;
            }
        }
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for (body, force) in forces.iter().enumerate().filter(|(body, _)| !bodies.is_driven(*body)) {
        let net =
            |axis: usize| force[axis] + bodies.mass[body][axis] * gravity[axis] + bodies.load[body][axis];
        let free = (0..D.min(rigid_dofs(D))).filter(|&axis| bodies.driven[body][axis].is_none());
        sum += free.map(|axis| net(axis).powi(2)).sum::<f64>().sqrt();
        count += 1.0;
    }
    let pressing = simulation.interactions().iter().map(|contact| contact.r.norm() / h).filter(|f| *f > 0.0);
    let (total, contacts) = pressing.fold((0.0, 0.0), |(sum, count), f| (sum + f, count + 1.0));
    (count > 0.0 && contacts > 0.0).then(|| (sum / count) / (total / contacts))
}

fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}
