//! Loads, motion, gravity, friction and pressure in time, and stages: names, signals, and what contradicts
//! itself. Signals are checked beside it.

use super::numbers::{Range, number, optional, show};
use super::signal::signal;
use crate::loading::{axis_of, for_each_signal, of_whole_run};
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{BodySpec, MembraneSpec, PressureSpec, ReachedQuantity, SceneSpec, SourceSpec, StageSpec};
use std::collections::{BTreeSet, HashSet};

/// Names there are.
struct Known<'a> {
    bodies: HashSet<&'a str>,
    all: BTreeSet<&'a str>,
    groups: BTreeSet<&'a str>,
    dimension: usize,
}

/// Checks all of it.
pub(super) fn loading(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let bodies = || spec.bodies.iter();
    let known = Known {
        bodies: bodies().map(|body| body.name.as_str()).collect(),
        all: bodies()
            .flat_map(|body| [body.name.as_str(), body.group.as_str()])
            .chain(spec.sources.iter().map(SourceSpec::group))
            .collect(),
        groups: bodies()
            .map(|body| body.group.as_str())
            .chain(spec.sources.iter().map(SourceSpec::group))
            .collect(),
        dimension: spec.dimension,
    };
    known.changes(problems, &root, "gravity_in_time", &of_whole_run(spec));
    let list = root.key("stage");
    for (index, stage) in spec.stages.iter().enumerate() {
        let place = list.item(index);
        known.changes(problems, &place, "gravity", stage);
        known.stage(problems, &place, stage, spec);
    }
    order(problems, &list, spec);
    loaded_twice(problems, spec);
    across_gone(problems, &list, spec);
    super::traffic::traffic(problems, spec);
    for_each_signal(spec, &mut |placed| signal(problems, &placed));
}

/// Walls that are taken away while others press across them.
fn across_gone(problems: &mut Problems, list: &Place, spec: &SceneSpec) {
    let is_in = |name: &String, names: &[String]| {
        let group = spec.bodies.iter().find(|body| body.name == *name).map(|body| &body.group);
        names.iter().any(|given| given == name || Some(given) == group)
    };
    let mut pressed: Vec<&PressureSpec> = spec.pressures.iter().collect();
    for (index, stage) in spec.stages.iter().enumerate() {
        let along = |wall: &PressureSpec, key: &str| {
            let (axis, _) = wall.direction.parts();
            ["x", "y", "z"].get(axis) == Some(&key)
        };
        let ends = |wall: &&PressureSpec| {
            let mut drives = stage.drives.iter().filter(|drive| is_in(&wall.on, drive.on.as_slice()));
            is_in(&wall.on, &stage.remove)
                || is_in(&wall.on, &stage.fix)
                || drives.any(|drive| drive.entries().any(|(key, _)| along(wall, key)))
        };
        pressed.retain(|wall| !ends(wall));
        for new in &stage.pressures {
            let same = |wall: &PressureSpec| {
                wall.on == new.on && wall.direction.parts().0 == new.direction.parts().0
            };
            pressed.retain(|wall| !same(wall));
            pressed.push(new);
        }
        for wall in &pressed {
            if let Some(gone) = wall.across.iter().flatten().find(|name| is_in(name, &stage.remove)) {
                let text = format!(
                    "takes {:?} away, across which {:?} is pressed; drive or fix {:?}, or press it with an area",
                    shorten(gone, 60),
                    shorten(&wall.on, 60),
                    shorten(&wall.on, 60)
                );
                problems.of(&list.item(index).key("remove"), text);
            }
        }
    }
}

/// Membranes on bodies whose force something else sets as well.
fn loaded_twice(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let is_meant = |body: &BodySpec, names: &[String]| {
        names.iter().any(|name| *name == body.name || *name == body.group)
    };
    let is_force = |key: &str| matches!(key, "x" | "y");
    let loads: Vec<_> = spec.loads.iter().chain(spec.stages.iter().flat_map(|stage| &stage.loads)).collect();
    let has_force = |body: &BodySpec| {
        let own = body.load.iter().flat_map(|load| load.entries());
        let later = loads.iter().filter(|load| is_meant(body, load.on.as_slice()));
        own.into_iter().any(|(key, given)| is_force(key) && given.is_some_and(|force| force != 0.0))
            || later.flat_map(|load| load.entries()).any(|(key, _)| is_force(key))
    };
    let whole = of_whole_run(spec);
    let stages = root.key("stage");
    let items: Vec<_> = (0..spec.stages.len()).map(|index| stages.item(index)).collect();
    let parts = items.iter().zip(&spec.stages);
    for (at, stage) in std::iter::once((&root, &whole)).chain(parts) {
        for (index, membrane) in stage.membranes.iter().enumerate() {
            let names = membrane.on.as_slice();
            let twice = spec.bodies.iter().find(|body| is_meant(body, names) && has_force(body));
            if let Some(body) = twice {
                let name = shorten(&body.name, 60);
                let text = format!("sets the force on {name:?}, on which a load acts as well; leave one out");
                problems.of(&at.key("membrane").item(index), text);
            }
        }
    }
}

/// What concerns the stages together.
fn order(problems: &mut Problems, list: &Place, spec: &SceneSpec) {
    if spec.stages.is_empty() {
        return;
    }
    if spec.equilibrium.is_some() {
        let text = "is for a run without stages; give until.equilibrium to the stage that it ends";
        problems.of_key(&Place::ROOT.key("equilibrium"), text);
    }
    let mut names = HashSet::new();
    let mut sum = 0.0;
    // those of a run before are over
    for (index, stage) in spec.stages.iter().enumerate().skip(spec.inherited_stages as usize) {
        let place = list.item(index);
        if !names.insert(stage.name.as_str()) {
            problems.of(&place.key("name"), "is that of another stage; every stage needs its own");
        }
        // rounding of a sum of decimals must not count
        if sum > 0.0 && sum >= spec.time.duration * (1.0 - 1e-9) {
            let text = format!(
                "can never begin: the stages before it last {} s, the run {} s (time.duration)",
                show(sum),
                show(spec.time.duration)
            );
            return problems.of(&place, text);
        }
        match (stage.duration, &stage.until) {
            // one that ends earlier leaves room
            (Some(duration), None) => sum += duration,
            (None, None) if index + 1 < spec.stages.len() => {
                let text = "never ends, and others come after it; give duration or until";
                problems.of(&place, text);
            }
            _ => {}
        }
    }
}

impl Known<'_> {
    /// A name of a body or a group.
    fn member(&self, problems: &mut Problems, place: &Place, name: &str) {
        if !self.all.contains(name) {
            let hint = did_you_mean(name, self.all.iter().copied());
            problems.of(place, format!("names no body and no group: {:?}.{hint}", shorten(name, 60)));
        }
    }

    fn body(&self, problems: &mut Problems, place: &Place, name: &str) {
        if !self.bodies.contains(name) {
            let hint = did_you_mean(name, self.bodies.iter().copied());
            problems.of(place, format!("names no body: {:?}.{hint}", shorten(name, 60)));
        }
    }

    fn members(&self, problems: &mut Problems, place: &Place, names: &[String]) {
        if names.is_empty() {
            problems.of(place, "must name a body or a group");
        }
        for (index, name) in names.iter().enumerate() {
            match names.len() {
                1 => self.member(problems, place, name),
                _ => self.member(problems, &place.item(index), name),
            }
        }
    }

    fn keys(&self, turn: &str) -> Vec<String> {
        let word = |axis: &str| format!("{turn}_{axis}");
        match self.dimension {
            2 => vec!["x".into(), "y".into(), turn.into()],
            _ => vec!["x".into(), "y".into(), "z".into(), word("x"), word("y"), word("z")],
        }
    }

    /// Loads, drives, friction, gravity and pressure.
    fn changes(&self, problems: &mut Problems, at: &Place, gravity: &str, stage: &StageSpec) {
        let list = at.key("load");
        for (index, load) in stage.loads.iter().enumerate() {
            let place = list.item(index);
            self.members(problems, &place.key("on"), load.on.as_slice());
            self.components(problems, &place, &self.keys("moment"), load.entries().map(|(key, _)| key));
        }
        let list = at.key("drive");
        for (index, drive) in stage.drives.iter().enumerate() {
            let place = list.item(index);
            self.members(problems, &place.key("on"), drive.on.as_slice());
            self.components(problems, &place, &self.keys("spin"), drive.entries().map(|(key, _)| key));
        }
        let list = at.key("friction");
        for (index, friction) in stage.frictions.iter().enumerate() {
            self.between(problems, &list.item(index), &friction.between);
        }
        let list = at.key("cohesion");
        for (index, cohesion) in stage.cohesions.iter().enumerate() {
            self.between(problems, &list.item(index), &cohesion.between);
        }
        let list = at.key("growth");
        for (index, growth) in stage.growths.iter().enumerate() {
            self.members(problems, &list.item(index).key("on"), growth.on.as_slice());
        }
        if let Some(given) = &stage.gravity {
            let place = at.key(gravity);
            let keys =
                ["x", "y", "z"][..self.dimension].iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
            self.components(problems, &place, &keys, given.entries().map(|(key, _)| key));
        }
        let list = at.key("pressure");
        for (index, pressure) in stage.pressures.iter().enumerate() {
            self.pressure(problems, &list.item(index), pressure);
        }
        let list = at.key("membrane");
        for (index, membrane) in stage.membranes.iter().enumerate() {
            self.membrane(problems, &list.item(index), membrane);
        }
    }

    fn components(
        &self,
        problems: &mut Problems,
        place: &Place,
        allowed: &[String],
        given: impl Iterator<Item = &'static str>,
    ) {
        let mut count = 0;
        for key in given {
            count += 1;
            if !allowed.iter().any(|one| one == key) {
                let text = format!("does not exist in {}D; allowed: {}", self.dimension, allowed.join(", "));
                problems.of_key(&place.key(key), text);
            }
        }
        if count == 0 {
            problems.of(place, format!("sets nothing; give one of {}", allowed.join(", ")));
        }
    }

    fn between(&self, problems: &mut Problems, place: &Place, names: &[String]) {
        let between = place.key("between");
        if names.len() != 2 {
            return problems.of(&between, format!("must name two groups, found {}", names.len()));
        }
        for (side, name) in names.iter().enumerate() {
            if name != "*" && !self.groups.contains(name.as_str()) {
                let hint = did_you_mean(name, self.groups.iter().copied());
                let text = format!("names no group: {:?}.{hint}", shorten(name, 60));
                problems.of(&between.item(side), text);
            }
        }
    }

    fn membrane(&self, problems: &mut Problems, place: &Place, membrane: &MembraneSpec) {
        if self.dimension != 2 {
            return problems
                .of(place, "exists in 2D alone; in 3D press the sample by walls, see [[pressure]]");
        }
        self.members(problems, &place.key("on"), membrane.on.as_slice());
        optional(problems, &place.key("ball"), membrane.ball, Range::Positive);
        for (index, name) in membrane.ends.iter().enumerate() {
            self.body(problems, &place.key("ends").item(index), name);
        }
    }

    fn pressure(&self, problems: &mut Problems, place: &Place, pressure: &PressureSpec) {
        self.body(problems, &place.key("on"), &pressure.on);
        let (axis, _) = pressure.direction.parts();
        if axis >= self.dimension {
            problems.of(&place.key("direction"), "does not exist in 2D; allowed: +x, -x, +y, -y");
        }
        optional(problems, &place.key("area"), pressure.area, Range::Positive);
        let walls = 2 * (self.dimension - 1);
        match (&pressure.area, &pressure.across) {
            (None, None) => problems.of(place, "needs an area, or the walls across which the sample lies"),
            (Some(_), Some(_)) => {
                problems.of_key(&place.key("across"), "contradicts area; give one of the two")
            }
            (None, Some(names)) if names.len() != walls => {
                let text = format!("must name {walls} walls, two by two, found {}", names.len());
                problems.of(&place.key("across"), text);
            }
            (None, Some(names)) => {
                for (index, name) in names.iter().enumerate() {
                    self.body(problems, &place.key("across").item(index), name);
                }
            }
            (Some(_), None) => {}
        }
    }

    fn stage(&self, problems: &mut Problems, place: &Place, stage: &StageSpec, spec: &SceneSpec) {
        if stage.name.is_empty() || stage.name.len() > 1000 || stage.name.chars().any(char::is_control) {
            problems.of(&place.key("name"), "must be a text of 1 to 1000 bytes without control characters");
        }
        optional(problems, &place.key("duration"), stage.duration, Range::Positive);
        if stage.duration.is_some_and(|duration| duration < spec.time.step * (1.0 - 1e-9)) {
            let text = format!("must be at least one step of {} s", show(spec.time.step));
            problems.of(&place.key("duration"), text);
        }
        if !stage.remove.is_empty()
            && let Some(soft) = spec.bodies.iter().find(|body| body.deform.is_some())
        {
            let text = format!(
                "cannot be beside deformable bodies, such as {:?}: no body is removed where one of them is",
                shorten(&soft.name, 60)
            );
            problems.of_key(&place.key("remove"), text);
        }
        for (key, names) in [("remove", &stage.remove), ("fix", &stage.fix)] {
            for (index, name) in names.iter().enumerate() {
                self.member(problems, &place.key(key).item(index), name);
            }
        }
        let list = place.key("release");
        for (index, release) in stage.release.iter().enumerate() {
            let place = list.item(index);
            self.members(problems, &place.key("on"), release.on.as_slice());
            let allowed = self.keys("spin");
            for (axis, name) in release.axes.iter().flatten().enumerate() {
                if !allowed.contains(name) || axis_of(name).is_none() {
                    let text = format!("cannot be {:?}; allowed: {}", shorten(name, 30), allowed.join(", "));
                    problems.of(&place.key("axes").item(axis), text);
                }
            }
        }
        let list = place.key("law");
        for (index, law) in stage.laws.iter().enumerate() {
            let place = list.item(index);
            super::law_kind(problems, &place, law);
            if law.none.is_some() {
                problems.of_key(&place.key("none"), "cannot come with a stage; give a law with friction 0");
            }
            self.between(problems, &place, &law.between);
        }
        self.until(problems, &place.key("until"), stage, spec);
    }

    fn until(&self, problems: &mut Problems, place: &Place, stage: &StageSpec, spec: &SceneSpec) {
        let Some(until) = &stage.until else { return };
        if until.equilibrium.is_none() && until.collapsed.is_none() && until.reaches.is_none() {
            problems.of(place, "says nothing; give one of equilibrium, collapsed, reaches");
        }
        if let Some(rule) = &until.equilibrium {
            number(problems, &place.key("equilibrium").key("speed"), rule.speed, Range::Positive);
        }
        optional(problems, &place.key("collapsed"), until.collapsed, Range::Positive);
        let Some(reaches) = &until.reaches else { return };
        let place = &place.key("reaches");
        for (key, value) in [("above", reaches.above), ("below", reaches.below)] {
            optional(problems, &place.key(key), value, Range::Any);
        }
        if reaches.above.is_some() == reaches.below.is_some() {
            problems.of(place, "needs one of above and below");
        }
        if reaches.quantity.is_some() == reaches.measure.is_some() {
            return problems.of(place, "needs one of quantity and measure");
        }
        if let Some(text) = &reaches.measure {
            super::measure::stop(problems, &place.key("measure"), text, spec);
        }
        let is_of_a_body = reaches.quantity.is_some_and(ReachedQuantity::is_of_a_body);
        match (&reaches.body, is_of_a_body) {
            (Some(name), true) => self.body(problems, &place.key("body"), name),
            (None, true) => problems.of(place, "needs the body whose quantity it is"),
            (Some(_), false) => problems.of_key(&place.key("body"), "is not for a quantity of all bodies"),
            (None, false) => {}
        }
        if let Some(axis) = &reaches.axis
            && !["x", "y", "z"][..self.dimension].contains(&axis.as_str())
        {
            let text = format!("cannot be {:?}; allowed: x, y, z (x, y in 2D)", shorten(axis, 30));
            problems.of(&place.key("axis"), text);
        }
    }
}
