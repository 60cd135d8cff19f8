//! Between which bounds the forces of a step are open, as a table, as JSON and as bars on the joints. The
//! programmes are the library's; says that forces are unique only where the bounds prove it.

mod chosen;

use super::DiagnosedCase;
use crate::failure::Failure;
use chosen::{Chosen, choose};
use drystone::Delassus;
use drystone_diagnose::statics::{Functional, Open, OpenForces};
use drystone_view::{Bar, Plot, PlotAxis, Scale, Series, Show, Style};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Rows shown to people.
const SHOWN: usize = 12;

/// Bounds nearer to each other than this share of the largest force are one number: the digits of the
/// programmes.
const ONE: f64 = 1e-6;

/// Name, value in the solution found, and bounds; none where a programme gave up.
type Quantity = (String, f64, Option<Open>);

/// What was bounded.
pub struct Bounds {
    /// Rows of the table.
    rows: Vec<Bounded>,
    /// Largest impulse of the solution \[N s\].
    scale: f64,
}

/// One joint, contact or support.
struct Bounded {
    name: String,
    /// `joint`, `contact` or `support`.
    kind: &'static str,
    quantities: Vec<Quantity>,
    /// Middle of the joint \[m\], its normal.
    place: Option<[[f64; 3]; 2]>,
}

impl Bounds {
    /// Widest bounds of any force, relative to the largest force; `None` where a programme gave up.
    fn widest(&self) -> Option<f64> {
        let mut widest = 0.0_f64;
        for (name, _, open) in self.rows.iter().flat_map(|row| &row.quantities) {
            let width = (*open)?.width();
            // eccentricities are lengths
            if !name.starts_with("eccentricity") {
                widest = widest.max(width / self.scale);
            }
        }
        Some(widest)
    }

    fn undecided(&self) -> usize {
        self.rows.iter().flat_map(|row| &row.quantities).filter(|(_, _, open)| open.is_none()).count()
    }
}

/// Bounds all that was chosen.
pub fn bound<const D: usize, W: Delassus<D>>(
    case: &DiagnosedCase<D, W>,
    of: &[String],
) -> Result<Bounds, Failure> {
    if !case.converged {
        return Err(Failure {
            code: crate::failure::NOT_CONVERGED,
            message: "the step did not converge: without velocities there is nothing to bound forces at"
                .into(),
        });
    }
    let r = case.solution();
    let open = OpenForces::of_step(case.problem, &r);
    let value = |functional: &Functional<D>| -> f64 {
        functional.iter().map(|(row, weights)| weights.dot(&r[*row])).sum()
    };
    let bounded = |chosen: &Chosen<D>| {
        let mut quantities = Vec::new();
        for (name, functional) in &chosen.linear {
            quantities.push((name.clone(), value(functional), open.bounds(functional).ok()));
        }
        for (name, [numerator, denominator]) in &chosen.ratios {
            if let Ok(Some(bounds)) = open.ratio(numerator, denominator) {
                let found = value(numerator) / value(denominator);
                quantities.push((name.clone(), found, Some(bounds)));
            }
        }
        Bounded { name: chosen.name.clone(), kind: chosen.kind, quantities, place: chosen.place }
    };
    let rows = choose(case, of)?.par_iter().map(bounded).collect();
    Ok(Bounds { rows, scale: open.scale() })
}

/// Unit and factor of what is shown: forces where the time step is known; eccentricities are lengths anyway.
fn shown<const D: usize, W>(case: &DiagnosedCase<D, W>, name: &str) -> (&'static str, f64) {
    match (name.starts_with("eccentricity"), case.h) {
        (true, _) => ("m", 1.0),
        (false, Some(h)) => ("N", 1.0 / h),
        (false, None) => ("N s", 1.0),
    }
}

/// The bounds for people.
pub fn words<const D: usize, W>(case: &DiagnosedCase<D, W>, bounds: &Bounds) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
    let said = match bounds.widest() {
        None => format!("{} bounds were not found: nothing is proved of those", bounds.undecided()),
        Some(widest) if widest <= ONE => {
            format!(
                "proved: the forces below are the same in every solution at these velocities, to {ONE:.0e} of the largest"
            )
        }
        Some(widest) if widest.is_finite() => {
            format!("the forces below are open, by up to {widest:.3} of the largest one found")
        }
        Some(_) => "the forces below are open, some without bound".into(),
    };
    line("spread", said);
    line("", format!("{:>12} {:>12} {:>12}", "least", "found", "largest"));
    let mut order: Vec<(&Bounded, &Quantity)> = bounds
        .rows
        .iter()
        .flat_map(|row| row.quantities.iter().map(move |quantity| (row, quantity)))
        .collect();
    let width = |quantity: &Quantity| quantity.2.map_or(f64::INFINITY, |open| open.width());
    // forces first, the widest first; then lengths
    order.sort_by(|(_, a), (_, b)| {
        let length = |q: &Quantity| q.0.starts_with("eccentricity");
        length(a).cmp(&length(b)).then(width(b).total_cmp(&width(a)))
    });
    for (row, (name, found, open)) in order.iter().take(SHOWN) {
        let (unit, factor) = shown(case, name);
        let number = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{:.4e}", x * factor));
        line(
            "",
            format!(
                "{:>12} {:>12} {:>12}  {name} [{unit}], {}",
                number(open.map(|open| open.least)),
                number(Some(*found)),
                number(open.map(|open| open.largest)),
                row.name
            ),
        );
    }
    if order.len() > SHOWN {
        line("", format!("and {} more (-o FILE.csv has all)", order.len() - SHOWN));
    }
    text.trim_end().to_owned()
}

/// A number, or null where it is not finite.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { Value::Null }
}

/// The bounds as JSON.
pub fn object<const D: usize, W>(case: &DiagnosedCase<D, W>, bounds: &Bounds) -> Value {
    let row = |row: &Bounded| {
        let quantity = |(name, found, open): &Quantity| {
            let (unit, factor) = shown(case, name);
            json!({
                "quantity": name,
                "unit": unit,
                "found": found * factor,
                "least": open.map(|open| finite(open.least * factor)),
                "largest": open.map(|open| finite(open.largest * factor)),
                "decided": open.is_some(),
            })
        };
        json!({
            "name": row.name,
            "kind": row.kind,
            "quantities": row.quantities.iter().map(quantity).collect::<Vec<_>>(),
        })
    };
    let widest = bounds.widest();
    json!({
        "widest": widest.map(finite),
        "proved_unique": widest.is_some_and(|widest| widest <= ONE),
        "undecided": bounds.undecided(),
        "bounds": bounds.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// Writes the bounds as a table, a line for each quantity.
pub fn write<const D: usize, W>(
    case: &DiagnosedCase<D, W>,
    bounds: &Bounds,
    path: &Path,
) -> Result<(), Failure> {
    let mut text = String::from("kind,name,quantity,unit,least,found,largest\n");
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    for row in &bounds.rows {
        for (name, found, open) in &row.quantities {
            let (unit, factor) = shown(case, name);
            let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{:?}", x * factor));
            let _ = writeln!(
                text,
                "{},{},{name},{unit},{},{},{}",
                row.kind,
                quoted(&row.name),
                number(open.map(|open| open.least)),
                number(Some(*found)),
                number(open.map(|open| open.largest))
            );
        }
    }
    std::fs::write(path, text).map_err(|error| Failure::other(format!("{}: {error}", path.display())))
}

/// Draws the normal forces as bars on their joints, or over the numbers of their contacts where nobody knows
/// the places.
pub fn draw<const D: usize, W>(
    case: &DiagnosedCase<D, W>,
    bounds: &Bounds,
    path: &Path,
) -> Result<(), Failure> {
    let normals = || {
        bounds.rows.iter().filter_map(|row| {
            let (_, found, open) = row.quantities.iter().find(|(name, ..)| name == "normal force")?;
            Some((row, *found, (*open)?))
        })
    };
    let h = case.h.unwrap_or(1.0);
    if let Some(picture) = &case.picture {
        let mut picture = picture.clone();
        picture.title = format!("{}: least and largest normal force of the joints", case.source);
        let bar = |(row, _, open): (&Bounded, f64, Open)| {
            let [point, along] = row.place?;
            Some(Bar { point, along, between: [open.least / h, open.largest / h] })
        };
        picture.bars = normals().filter_map(bar).collect();
        let style = Style { width: 1200, show: Show::Bodies, ..Style::default() };
        return Ok(drystone_view::render(&picture, &style, path)?);
    }
    let series = |name: &str, of: &dyn Fn(f64, Open) -> f64| Series {
        name: name.into(),
        points: normals().enumerate().map(|(k, (_, found, open))| [k as f64, of(found, open) / h]).collect(),
    };
    let plot = Plot {
        title: "Least and largest normal impulse at the velocities found".into(),
        x: PlotAxis { label: "contact".into(), scale: Scale::Linear },
        y: PlotAxis { label: "normal impulse [N s]".into(), scale: Scale::Linear },
        series: vec![
            series("least", &|_, open| open.least),
            series("found", &|found, _| found),
            series("largest", &|_, open| open.largest),
        ],
        ..Plot::default()
    };
    Ok(drystone_view::plot(&plot, path)?)
}
