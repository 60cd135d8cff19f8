//! Signals: formulas that read and have values, tables that increase and last. Knows nothing of what they
//! set.

use super::numbers::{Range, number, show};
use crate::loading::{Placed, SignalUse, for_each_signal, points};
use crate::place::Problems;
use crate::spec::{CurveSpec, SceneSpec, SignalSpec};
use drystone::Expression;

/// One signal: its numbers, its formula at its first moments, the points of its table.
pub(super) fn signal(problems: &mut Problems, placed: &Placed) {
    let place = placed.place;
    match placed.signal {
        SignalSpec::Value(value) => {
            number(problems, place, *value, Range::Any);
        }
        SignalSpec::Formula(text) => match Expression::parse(text) {
            Err(error) => {
                let column = text.get(..error.at).map_or(0, |before| before.chars().count()) + 1;
                problems.of(place, format!("is wrong at character {column} of the formula: {error}"));
            }
            Ok(formula) => {
                // where a run would ask for it first, and a few moments more
                let moments = (0..=64).map(|k| placed.lasts * f64::from(k) / 64.0);
                let sizes = moments.map(|t| (t, formula.at(t)));
                if let Some((t, x)) = sizes.into_iter().find(|(_, x)| x.is_nan() || x.abs() > 1e30) {
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
