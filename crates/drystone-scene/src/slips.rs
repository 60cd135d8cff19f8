//! What in a scene looks like a slip of the pen, although it is allowed. Refuses nothing.

use crate::Scene;
use crate::spec::{BodySpec, LawSpec, SignalSpec};
use crate::validate::{is_component_driven, show};
use std::f64::consts::TAU;
use toml::Value;

/// Coefficients of friction above this are seldom meant.
const MUCH_FRICTION: f64 = 20.0;

/// A sentence for each.
pub(crate) fn slips(scene: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    let turned = |body: &&BodySpec| body.angle.is_some_and(|angle| angle.abs() > TAU + 1e-9);
    if let Some(body) = scene.bodies.iter().find(turned) {
        let angle = show(body.angle.unwrap_or(0.0));
        found.push(format!(
            "{:?} is turned by an angle of {angle} rad: are these degrees (angle_degrees)?",
            body.name
        ));
    }
    found.extend(idle_load(scene));
    if let Some((between, much)) = much_friction(scene) {
        let [a, b] = [0, 1].map(|side| between.get(side).cloned().unwrap_or_default());
        found.push(format!(
            "a friction of {} between {a:?} and {b:?}: is it a coefficient, not an angle?",
            show(much)
        ));
    }
    if scene.interval() > scene.time.duration * (1.0 + 1e-9) {
        let [interval, duration] = [scene.interval(), scene.time.duration].map(show);
        found.push(format!(
            "the time between two outputs, {interval} s, is longer than the run of {duration} s"
        ));
    }
    found
}

/// A load on a component that is fixed or driven, and never let go.
fn idle_load(scene: &Scene) -> Option<String> {
    let released = |body: &BodySpec| {
        let names = |names: &[String]| names.iter().any(|name| *name == body.name || *name == body.group);
        scene.stages.iter().any(|stage| stage.release.iter().any(|release| names(release.on.as_slice())))
    };
    let idle = |body: &&BodySpec| {
        let own = body
            .load
            .iter()
            .flat_map(|load| load.entries())
            .filter(|(_, given)| given.is_some_and(|x| x != 0.0));
        let later = scene
            .loads
            .iter()
            .filter(|load| load.on.as_slice().iter().any(|name| *name == body.name || *name == body.group));
        let mut keys =
            own.map(|(key, _)| key).chain(later.flat_map(|load| load.entries().map(|(key, _)| key)));
        keys.any(|key| is_component_driven(body, &key.replace("moment", "spin"))) && !released(body)
    };
    let body = scene.bodies.iter().find(idle)?;
    Some(format!("a load acts on {:?} along a component that is fixed or driven: it does nothing", body.name))
}

/// The first large coefficient of friction of the laws and of what changes it, and between which groups.
fn much_friction(scene: &Scene) -> Option<(&[String], f64)> {
    let laws = scene.laws.iter().chain(scene.stages.iter().flat_map(|stage| &stage.laws));
    let later = scene.frictions.iter().chain(scene.stages.iter().flat_map(|stage| &stage.frictions));
    let of_laws = laws.filter_map(|law| Some((law.between.as_slice(), friction(law)?)));
    let given = later.filter_map(|given| match given.value {
        SignalSpec::Value(value) if value > MUCH_FRICTION => Some((given.between.as_slice(), value)),
        _ => None,
    });
    of_laws.chain(given).next()
}

/// The largest coefficient of friction of a law, where it is large.
fn friction(law: &LawSpec) -> Option<f64> {
    let mut most: Option<f64> = None;
    let table = Value::try_from(law).ok()?;
    for (key, value) in table.as_table()?.values().filter_map(Value::as_table).flatten() {
        let value = value.as_float().filter(|value| key.starts_with("friction") && *value > MUCH_FRICTION);
        most = value.or(most);
    }
    most
}
