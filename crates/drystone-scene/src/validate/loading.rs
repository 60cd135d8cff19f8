//! Loads, motion, gravity, friction and pressure in time, and stages: names, signals, and what contradicts
//! itself. Evaluates formulas where a run would first ask for them.

use super::numbers::{Range, number, optional, show};
use crate::loading::{Placed, SignalUse, axis_of, for_each_signal, points};
use crate::place::{Place, Problems, did_you_mean, shorten};
use crate::spec::{CurveSpec, FrictionSpec, PressureSpec, SceneSpec, SignalSpec, SourceSpec, StageSpec};
use drystone::Expression;
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
    let whole = StageSpec {
        loads: spec.loads.clone(),
        drives: spec.drives.clone(),
        frictions: spec.frictions.clone(),
        gravity: spec.gravity_in_time.clone(),
        pressures: spec.pressures.clone(),
        ..StageSpec::default()
    };
    known.changes(problems, &root, "gravity_in_time", &whole);
    let list = root.key("stage");
    for (index, stage) in spec.stages.iter().enumerate() {
        let place = list.item(index);
        known.changes(problems, &place, "gravity", stage);
        known.stage(problems, &place, stage, spec);
    }
    order(problems, &list, spec);
    super::traffic::traffic(problems, spec);
    for_each_signal(spec, &mut |placed| signal(problems, &placed));
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
            self.friction(problems, &list.item(index), friction);
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

    fn friction(&self, problems: &mut Problems, place: &Place, friction: &FrictionSpec) {
        let between = place.key("between");
        if friction.between.len() != 2 {
            return problems.of(&between, format!("must name two groups, found {}", friction.between.len()));
        }
        for (side, name) in friction.between.iter().enumerate() {
            if name != "*" && !self.groups.contains(name.as_str()) {
                let hint = did_you_mean(name, self.groups.iter().copied());
                let text = format!("names no group: {:?}.{hint}", shorten(name, 60));
                problems.of(&between.item(side), text);
            }
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
            let given = FrictionSpec { between: law.between.clone(), value: SignalSpec::Value(0.0) };
            self.friction(problems, &place, &given);
        }
        self.until(problems, &place.key("until"), stage);
    }

    fn until(&self, problems: &mut Problems, place: &Place, stage: &StageSpec) {
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
        match (&reaches.body, reaches.quantity.is_of_a_body()) {
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

/// One signal: its numbers, its formula at its first moments, the points of its table.
fn signal(problems: &mut Problems, placed: &Placed) {
    let place = placed.place;
    match placed.signal {
        SignalSpec::Value(value) => {
            number(problems, place, *value, Range::Any);
        }
        SignalSpec::Formula(text) => match Expression::parse(text) {
            Err(error) => {
                let column = text.get(..error.at).map_or(0, |before| before.chars().count()) + 1;
                problems.of(place, format!(", at character {column} of the formula: {error}"));
            }
            Ok(formula) => {
                // where a run would ask for it first, and a few moments more
                let moments = (0..=64).map(|k| placed.lasts * f64::from(k) / 64.0);
                let sizes = moments.map(|t| (t, formula.at(t)));
                if let Some((t, x)) = sizes.into_iter().find(|(_, x)| !(x.abs() <= 1e30)) {
                    let text = format!(
                        "is {} at t = {} s; allowed are finite numbers of at most 1e30",
                        show(x),
                        show(t)
                    );
                    problems.of(place, text);
                }
            }
        },
        SignalSpec::Curve(curve) => table(problems, placed, curve),
    }
}

fn table(problems: &mut Problems, placed: &Placed, curve: &CurveSpec) {
    let place = placed.place;
    let is_record = curve.accelerogram.is_some();
    match (&curve.table, &curve.file, &curve.accelerogram) {
        (None, None, None) => problems.of(place, "has no points; give one of table, file, accelerogram"),
        (_, Some(_), Some(_)) => {
            problems.of_key(&place.key("file"), "contradicts accelerogram; give one of the two")
        }
        _ => {}
    }
    number(problems, &place.key("scale"), curve.scale, Range::Any);
    if curve.column < 2 {
        problems.of(
            &place.key("column"),
            format!("must be at least 2, found {}; 1 holds the times", curve.column),
        );
    }
    if is_record && placed.used == SignalUse::Value {
        let text = "is a motion of the ground; drive a body with it, or give it to gravity_in_time";
        problems.of_key(&place.key("accelerogram"), text);
    }
    let is_csv = |name: &String| !name.to_lowercase().ends_with(".at2");
    if curve.accelerogram.as_ref().is_some_and(is_csv) && curve.unit.is_none() {
        problems.of(place, "needs the unit of the accelerations: \"g\", \"m/s2\" or \"cm/s2\"");
    }
    if !is_record && curve.unit.is_some() {
        problems.of_key(&place.key("unit"), "is for an accelerogram");
    }
    let Some(rows) = &curve.table else { return };
    let place = &place.key("table");
    for (index, row) in rows.iter().enumerate() {
        if row.len() != 2 {
            return problems
                .of(&place.item(index), format!("must be a time and a value, found {} numbers", row.len()));
        }
        for (side, &x) in row.iter().enumerate() {
            if !number(problems, &place.item(index).item(side), x, Range::Any) {
                return;
            }
        }
    }
    let points = points(curve);
    if points.len() < 2 {
        return problems.of(place, format!("needs at least 2 points, found {}", points.len()));
    }
    if let Some(index) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
        problems.of(&place.item(index + 1), "must come later than the point before it");
    }
}

/// Tables that end before the run does, once files are read.
pub(crate) fn table_ends(problems: &mut Problems, spec: &SceneSpec) {
    for_each_signal(spec, &mut |placed| {
        let SignalSpec::Curve(curve) = placed.signal else { return };
        let end = points(curve).last().map_or(f64::INFINITY, |point| point[0]);
        if curve.after.is_none() && curve.accelerogram.is_none() && end < placed.lasts * (1.0 - 1e-9) {
            let text = format!(
                "ends at {} s, {} s are to come; say what follows: after = \"hold\", \"zero\" or \"repeat\"",
                show(end),
                show(placed.lasts)
            );
            problems.of(placed.place, text);
        }
    });
}
