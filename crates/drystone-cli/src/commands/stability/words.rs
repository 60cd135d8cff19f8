//! What was found, for people and as JSON. Computes nothing.

use super::question::LiveKind;
use super::{Arguments, Findings, Joint, StabilityAnswer};
use drystone::{PerDof, Simulation};
use drystone_diagnose::statics::{Coulomb, Limit, Multiplier, Rest};
use drystone_scene::Scene;
use serde_json::{Value, json};
use std::fmt::Write;

/// Joints shown to people, the most used first.
const SHOWN: usize = 8;

/// Velocities below this share of the fastest row count as none.
const STILL: f64 = 1e-4;

/// What a joint does in a mechanism.
struct Moves {
    bodies: [String; 2],
    what: &'static str,
}

/// Everything for people.
pub fn words<const D: usize>(
    simulation: &Simulation<D>,
    arguments: &Arguments,
    scene: &Scene,
    findings: &Findings<D>,
) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<13} {value}");
    };
    line("scene", format!("{}: {}", arguments.scene.display(), scene.title));
    let moving = findings.statics.structure.free.iter().filter(|free| free.contains(&true)).count();
    let (contacts, joints) = (findings.statics.contacts.len(), findings.statics.structure.joints.len());
    line(
        "structure",
        format!("{moving} bodies that can move, {contacts} contacts in {joints} joints and ties"),
    );
    match &findings.rest {
        Rest::Balanced { reserve, .. } => line(
            "as it stands",
            format!("stable: admissible forces exist that spare {reserve:.4} of every joint"),
        ),
        Rest::Mechanism(_) => {
            line("as it stands", "unstable: no admissible forces balance weights and loads".into());
        }
    }
    match &findings.answer {
        Some(StabilityAnswer::Multiplier { live, limit, coulomb, proven }) => {
            multiplier(&live.what, live.kind, limit, coulomb.as_ref(), &mut line);
            match proven {
                Some(Some(proven)) => {
                    line("", format!("proved: no such mechanism below {}", amount(live.kind, *proven)));
                }
                Some(None) => line("", "nothing is proved of smaller multipliers".into()),
                None => {}
            }
        }
        Some(StabilityAnswer::Settled { what, size, settled }) => {
            let bore =
                format!("{:.6} m ({:.6} of the size {size:.4} m)", settled.movement, settled.movement / size);
            line(
                &format!("settle {what}"),
                match settled.lets_go {
                    true => format!("bears {bore}; no admissible forces beyond"),
                    false => format!("bears {bore} and more: the search ended there"),
                },
            );
        }
        None => {}
    }
    if let Some(mechanism) = findings.mechanism() {
        for (index, moves) in moves(simulation, findings, mechanism).iter().take(SHOWN).enumerate() {
            let [a, b] = &moves.bodies;
            line(
                if index == 0 { "mechanism" } else { "" },
                format!("{} between \"{a}\" and \"{b}\"", moves.what),
            );
        }
    }
    table(findings, &mut line);
    if let Some(path) = &arguments.picture {
        line("wrote", path.display().to_string());
    }
    text.trim_end().to_owned()
}

/// A multiplier in its own words.
fn amount(kind: LiveKind, multiplier: f64) -> String {
    match kind {
        LiveKind::Push => format!("{multiplier:.6} g"),
        LiveKind::Tilt => format!("{:.4} degrees (tangent {multiplier:.6})", multiplier.atan().to_degrees()),
        LiveKind::Load => format!("{multiplier:.6} times the load"),
    }
}

fn multiplier<const D: usize>(
    what: &str,
    kind: LiveKind,
    limit: &Multiplier<D>,
    coulomb: Option<&Coulomb<D>>,
    line: &mut impl FnMut(&str, String),
) {
    match limit {
        Multiplier::Largest(limit) => {
            line(
                what,
                format!("at most {}: admissible forces exist up to there", amount(kind, limit.multiplier)),
            );
            let (low, high) = (limit.multiplier, limit.kinematic);
            line("", format!("static theorem {low:.8}, kinematic theorem {high:.8} (associated)"));
            line(
                "",
                match coulomb {
                    Some(found) => format!(
                        "Coulomb's friction: a mechanism that slides without widening from {}",
                        amount(kind, found.multiplier)
                    ),
                    None => "Coulomb's friction: no mechanism found that slides without widening".into(),
                },
            );
        }
        Multiplier::Unbounded => line(what, "no limit: admissible forces exist for any multiplier".into()),
        Multiplier::None(_) => line(what, "no multiplier has admissible forces".into()),
    }
}

/// Joints that open, slide or turn, fastest first.
fn moves<const D: usize>(
    simulation: &Simulation<D>,
    findings: &Findings<D>,
    mechanism: &[PerDof<D>],
) -> Vec<Moves> {
    let structure = &findings.statics.structure;
    let relative = structure.relative(mechanism);
    let fastest = relative.iter().map(|u| u.norm()).fold(0.0, f64::max);
    let names = &simulation.bodies().name;
    let mut found: Vec<(f64, Moves)> = Vec::new();
    for rows in &structure.joints {
        let points: Vec<usize> =
            rows.iter().copied().filter(|&row| row < findings.statics.contacts.len()).collect();
        let Some(&first) = points.first() else { continue };
        let fast = |speed: f64| speed > STILL * fastest;
        let opens = points.iter().filter(|&&row| fast(relative[row][0])).count();
        let slides =
            points.iter().any(|&row| !fast(relative[row][0]) && fast(relative[row].rows_range(1..).norm()));
        let what = match (opens, slides) {
            (0, false) => continue,
            (n, _) if n == points.len() => "parts",
            (0, true) => "slides",
            (_, true) => "hinge and slides",
            (_, false) => "hinge",
        };
        let speed = points.iter().map(|&row| relative[row].norm()).fold(0.0, f64::max);
        let bodies = findings.statics.contacts[first].bodies.map(|body| names[body.0 as usize].clone());
        found.push((speed, Moves { bodies, what }));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, moves)| moves).collect()
}

fn table<const D: usize>(findings: &Findings<D>, line: &mut impl FnMut(&str, String)) {
    if findings.joints.is_empty() {
        return;
    }
    let mut order: Vec<&Joint> = findings.joints.iter().filter(|joint| joint.pushes > 0.0).collect();
    order.sort_by(|a, b| a.reserve().total_cmp(&b.reserve()));
    line(
        "joints",
        format!(
            "{:>11} {:>11} {:>9} {:>9} {:>9} {:>11} {:>11}",
            "normal [N]", "shear [N]", "friction", "eccentr.", "reserve", "least [N]", "largest [N]"
        ),
    );
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.4}"));
    for joint in order.iter().take(SHOWN) {
        let bound = |of: fn(&drystone_diagnose::statics::Open) -> f64| {
            joint.between.as_ref().map_or("-".to_owned(), |open| format!("{:.4e}", of(open)))
        };
        let [a, b] = &joint.bodies;
        line(
            "",
            format!(
                "{:>11.4e} {:>11.4e} {:>9} {:>9} {:>9.4} {:>11} {:>11}  \"{a}\" and \"{b}\"",
                joint.pushes,
                joint.shear,
                share(joint.friction_used),
                share(joint.eccentricity_used),
                joint.reserve(),
                bound(|open| open.least),
                bound(|open| open.largest),
            ),
        );
    }
    if order.len() > SHOWN {
        line("", format!("and {} more (--json has all)", order.len() - SHOWN));
    }
}

/// A number, or null where it is not finite.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { Value::Null }
}

/// Everything for programs.
pub fn object<const D: usize>(
    simulation: &Simulation<D>,
    arguments: &Arguments,
    findings: &Findings<D>,
) -> Value {
    let joint = |joint: &Joint| {
        json!({
            "bodies": joint.bodies,
            "point": joint.point[..D],
            "normal": joint.normal[..D],
            "normal_force": joint.pushes,
            "shear": joint.shear,
            "friction_used": joint.friction_used,
            "eccentricity_used": joint.eccentricity_used,
            "reserve": joint.reserve(),
            "least": joint.between.map(|open| finite(open.least)),
            "largest": joint.between.map(|open| finite(open.largest)),
        })
    };
    let mechanism = findings.mechanism().map(|mechanism| {
        let moves = moves(simulation, findings, mechanism);
        json!({
            "velocities": mechanism.iter().take(simulation.bodies().len()).map(|v| v.to_vec()).collect::<Vec<_>>(),
            "joints": moves.iter().map(|m| json!({ "bodies": m.bodies, "does": m.what })).collect::<Vec<_>>(),
        })
    });
    let reserve = match &findings.rest {
        Rest::Balanced { reserve, .. } => Some(*reserve),
        Rest::Mechanism(_) => None,
    };
    json!({
        "scene": arguments.scene.display().to_string(),
        "dimension": D,
        "contacts": findings.statics.contacts.len(),
        "joint_count": findings.statics.structure.joints.len(),
        "stable": reserve.is_some(),
        "reserve": reserve,
        "joints": findings.joints.iter().map(joint).collect::<Vec<_>>(),
        "answer": findings.answer.as_ref().map(answer),
        "mechanism": mechanism,
    })
}

fn answer<const D: usize>(answer: &StabilityAnswer<D>) -> Value {
    match answer {
        StabilityAnswer::Multiplier { live, limit, coulomb, proven } => {
            let what = match live.kind {
                LiveKind::Push => "push",
                LiveKind::Tilt => "tilt",
                LiveKind::Load => "load",
            };
            let (state, values) = match limit {
                Multiplier::Largest(Limit { multiplier, kinematic, .. }) => {
                    ("limited", Some((*multiplier, *kinematic)))
                }
                Multiplier::Unbounded => ("unbounded", None),
                Multiplier::None(_) => ("none", None),
            };
            let coulomb = coulomb.as_ref().map(|found| found.multiplier);
            json!({
                "what": what,
                "state": state,
                "static": values.map(|(low, _)| low),
                "kinematic": values.map(|(_, high)| high),
                "coulomb": coulomb,
                "proven": proven.flatten(),
                "degrees": values.filter(|_| live.kind == LiveKind::Tilt).map(|(low, _)| low.atan().to_degrees()),
            })
        }
        StabilityAnswer::Settled { what, size, settled } => json!({
            "what": "settle",
            "support": what,
            "movement": settled.movement,
            "size": size,
            "lets_go": settled.lets_go,
            "steps": settled.steps,
        }),
    }
}
