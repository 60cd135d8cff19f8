//! How far solvers differ on the forces of a step: several solves of it, as a table, as JSON and as a
//! picture. Proves nothing; what forces can be is in `spread`.

use super::DiagnosedCase;
use super::words::name;
use crate::failure::Failure;
use drystone::{Delassus, Vector};
use drystone_diagnose::{Spread, spread};
use drystone_view::{Plot, PlotAxis, Scale, Series};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Contacts shown to people.
const SHOWN: usize = 12;

/// Solves the step `count` times.
pub fn measure<const D: usize, W: Delassus<D>>(
    case: &DiagnosedCase<D, W>,
    count: usize,
    seed: u64,
) -> Result<Spread<D>, Failure> {
    let spread = spread(case.problem, &case.r, &case.params, count, seed);
    if spread.converged == 0 {
        return Err(Failure {
            code: crate::failure::NOT_CONVERGED,
            message: format!("none of {count} solves converged: there are no forces to compare"),
        });
    }
    Ok(spread)
}

/// The contacts by decreasing mean normal force.
fn ranked<const D: usize>(spread: &Spread<D>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spread.mean.len()).collect();
    order.sort_by(|&a, &b| spread.mean[b][0].total_cmp(&spread.mean[a][0]).then(a.cmp(&b)));
    order
}

/// Unit of what is shown.
fn unit<const D: usize, W>(case: &DiagnosedCase<D, W>) -> &'static str {
    if case.h.is_some() { "N" } else { "N s" }
}

/// The spread for people: the strongest contacts.
pub fn words<const D: usize, W>(case: &DiagnosedCase<D, W>, spread: &Spread<D>) -> String {
    let h = case.h.unwrap_or(1.0);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:<14}{} of {} solves converged, in random orders from random starts",
        "samples",
        spread.converged,
        spread.reports.len()
    );
    let _ = writeln!(
        text,
        "{:<14}they differ by up to {:.2e} of the typical force; what forces can be: --spread",
        "",
        spread.relative()
    );
    let _ = writeln!(text, "{:<14}normal force [{}], strongest first", "", unit(case));
    let _ =
        writeln!(text, "{:<14}{:>11} {:>11} {:>11} {:>11}", "", "mean", "smallest", "largest", "deviation");
    for contact in ranked(spread).into_iter().take(SHOWN) {
        let of = |values: &[Vector<D>]| values[contact][0] / h;
        let _ = writeln!(
            text,
            "{:<14}{:>11.4e} {:>11.4e} {:>11.4e} {:>11.4e}  {}",
            "",
            of(&spread.mean),
            of(&spread.smallest),
            of(&spread.largest),
            of(&spread.deviation),
            name(case, contact)
        );
    }
    if spread.mean.len() > SHOWN {
        let _ = writeln!(text, "{:<14}and {} more (-o FILE.csv has all)", "", spread.mean.len() - SHOWN);
    }
    text.trim_end().to_owned()
}

/// The spread as JSON.
pub fn object<const D: usize, W>(case: &DiagnosedCase<D, W>, spread: &Spread<D>) -> Value {
    let h = case.h.unwrap_or(1.0);
    let vector = |r: &Vector<D>| r.iter().map(|x| x / h).collect::<Vec<f64>>();
    let entry = |contact: usize| {
        json!({
            "contact": contact,
            "bodies": case.bodies.get(contact),
            "mean": vector(&spread.mean[contact]),
            "smallest": vector(&spread.smallest[contact]),
            "largest": vector(&spread.largest[contact]),
            "deviation": vector(&spread.deviation[contact]),
        })
    };
    json!({
        "solves": spread.reports.len(),
        "converged": spread.converged,
        "relative": spread.relative(),
        "unit": unit(case),
        "contacts": (0..spread.mean.len()).map(entry).collect::<Vec<_>>(),
    })
}

/// Writes the spread as a table of comma-separated values, a line for each contact.
pub fn write<const D: usize, W>(
    case: &DiagnosedCase<D, W>,
    spread: &Spread<D>,
    path: &Path,
) -> Result<(), Failure> {
    let h = case.h.unwrap_or(1.0);
    let axes = ["normal", "tangential", "tangential 2", "moment", "moment 2"];
    let unit = unit(case);
    let mut text = String::from("contact,candidate,antagonist");
    for axis in axes.iter().take(D) {
        for what in ["mean", "smallest", "largest", "deviation"] {
            let _ = write!(text, ",{axis} {what} [{unit}]");
        }
    }
    text.push('\n');
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    for contact in 0..spread.mean.len() {
        let [a, b] = case
            .bodies
            .get(contact)
            .map_or([String::new(), String::new()], |pair| pair.each_ref().map(|name| quoted(name)));
        let _ = write!(text, "{contact},{a},{b}");
        for axis in 0..D {
            for values in [&spread.mean, &spread.smallest, &spread.largest, &spread.deviation] {
                let _ = write!(text, ",{:?}", values[contact][axis] / h);
            }
        }
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|error| Failure::other(format!("{}: {error}", path.display())))
}

/// Normal forces with their spread, contacts by decreasing mean.
pub fn picture<const D: usize, W>(case: &DiagnosedCase<D, W>, spread: &Spread<D>) -> Plot {
    let h = case.h.unwrap_or(1.0);
    let order = ranked(spread);
    let series = |name: &str, values: &[Vector<D>]| Series {
        name: name.into(),
        points: order
            .iter()
            .enumerate()
            .map(|(rank, &contact)| [rank as f64 + 1.0, values[contact][0] / h])
            .collect(),
    };
    Plot {
        title: format!("Normal forces in {} solves of the same step", spread.converged),
        x: PlotAxis { label: "contact, by mean force".into(), scale: Scale::Linear },
        y: PlotAxis { label: format!("normal force [{}]", unit(case)), scale: Scale::Linear },
        series: vec![
            series("mean", &spread.mean),
            series("largest", &spread.largest),
            series("smallest", &spread.smallest),
        ],
        ..Plot::default()
    }
}
