//! Whether the structure of a run stands, as the scene asks: which bodies are looked at, and what is said of
//! them. Measures nothing itself.

use drystone::{BodyId, Simulation, Standing, Structure};
use drystone_scene::{Scene, StandingSpec};
use serde_json::{Value, json};

/// The structure of a run as it was built.
pub struct Built {
    structure: Structure,
    named: Option<Vec<BodyId>>,
    limit: f64,
    /// Whether the scene asks for a verdict: it waits for rest, or says what a fall is.
    judged: bool,
}

impl Built {
    /// The structure of a scene; `structure` is as the scene begins.
    pub fn new(scene: &Scene, structure: Structure) -> Self {
        let StandingSpec { bodies, displacement } = scene.standing.clone().unwrap_or_default();
        let members = |names: &Vec<String>| {
            let is_meant = |name: &str| names.iter().any(|one| one == name);
            let all = scene.bodies.iter().enumerate();
            let meant = all.filter(|(_, body)| is_meant(&body.name) || is_meant(&body.group));
            meant.map(|(index, _)| BodyId(index as u32)).collect()
        };
        let named = bodies.as_ref().map(members);
        let judged = scene.standing.is_some() || scene.equilibrium.is_some();
        Self { structure, named, limit: displacement, judged }
    }

    /// How it fares.
    pub fn gauge<const D: usize>(&self, simulation: &Simulation<D>) -> Standing {
        self.structure.gauge(simulation, self.named.as_deref(), self.limit)
    }

    /// The verdict: none where the scene asks for none or nothing stood.
    pub fn verdict(&self, found: &Standing) -> Option<&'static str> {
        let judged = self.judged && found.bodies > 0;
        judged.then_some(if found.moved > 0 { "fallen" } else { "standing" })
    }

    /// What the summary says of it.
    pub fn json<const D: usize>(&self, found: &Standing, simulation: &Simulation<D>) -> Value {
        let name =
            |BodyId(body): BodyId| -> Option<String> { simulation.bodies().name.get(body as usize).cloned() };
        let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
        let moved = |&(body, way): &(BodyId, f64)| json!({ "body": name(body), "way": finite(way) });
        json!({
            "verdict": self.verdict(found),
            "bodies": found.bodies,
            "bodies_moved": found.moved,
            "displacement_limit": self.limit,
            "displacement_max": finite(found.displacement),
            "displacement_way": finite(found.way),
            "worst": found.worst.and_then(name),
            "pairs_start": found.pairs,
            "pairs_lost": found.lost,
            "moved": found.farthest.iter().map(moved).collect::<Vec<_>>(),
            "opened": found.opened.iter().map(|pair| pair.map(name)).collect::<Vec<_>>(),
        })
    }
}

/// The structure of a summary, for people; nothing without a verdict.
pub fn line(structure: &Value) -> Option<String> {
    let verdict = structure.get("verdict")?.as_str()?;
    let count = |key: &str| structure.get(key).and_then(Value::as_u64).unwrap_or(0);
    let number = |key: &str| structure.get(key).and_then(Value::as_f64);
    let size = |key: &str| number(key).map_or("not finite".into(), |x| format!("{x:.2e}"));
    let worst = structure.get("worst").and_then(Value::as_str).unwrap_or("");
    let (moved, bodies) = (count("bodies_moved"), count("bodies"));
    let (limit, lost, pairs) =
        (number("displacement_limit").unwrap_or(0.0), count("pairs_lost"), count("pairs_start"));
    Some(format!(
        "{verdict}: {moved} of {bodies} bodies moved by more than {limit} of their radius, \"{worst}\" most: {} m, {} of it; \
         {lost} of {pairs} pairs that touched are apart",
        size("displacement_way"),
        size("displacement_max"),
    ))
}
