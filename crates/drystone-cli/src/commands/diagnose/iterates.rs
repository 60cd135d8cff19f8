//! The way sweeps go on one step, in words, as JSON and as a picture. Solves nothing itself.

use super::DiagnosedCase;
use super::words::name;
use crate::failure::Failure;
use drystone::{Delassus, Vector};
use drystone_diagnose::{MOST_TRACED, Trace, trace};
use drystone_view::{Plot, PlotAxis, Series};
use serde_json::{Value, json};

/// Contacts drawn, the strongest first: the colours of a plot end there.
const DRAWN: usize = 4;

/// Sweeps the step `count` times from nothing.
pub fn trace_of<const D: usize, W: Delassus<D>>(
    case: &DiagnosedCase<D, W>,
    count: usize,
) -> Result<Trace<D>, Failure> {
    trace(case.problem, &case.params, count).ok_or_else(|| {
        let unknowns = D * case.problem.contacts();
        Failure::bad_input(format!("{unknowns} unknowns are too many to trace, allowed are {MOST_TRACED}"))
    })
}

/// Angles after the first sweep, in the middle and at the end \[degrees\].
fn angles<const D: usize>(trace: &Trace<D>) -> Option<[f64; 3]> {
    let last = trace.angles.len().checked_sub(1)?;
    Some([0, last / 2, last].map(|sweep| trace.angles[sweep].to_degrees()))
}

/// The way for people.
pub fn words<const D: usize>(trace: &Trace<D>) -> String {
    let sweeps = trace.angles.len();
    let head =
        format!("{:<14}{sweeps} sweeps from nothing; Ker H has {} dimensions", "iterates", trace.kernel);
    match angles(trace) {
        None => head,
        Some([first, middle, last]) => format!(
            "{head}\n{:<14}angle between a sweep and Ker H: {first:.3e} degrees in the first, {middle:.3e} half way, \
             {last:.3e} in the last",
            ""
        ),
    }
}

/// The way for programs.
pub fn object<const D: usize>(trace: &Trace<D>) -> Value {
    let impulses =
        |iterate: &Vec<Vector<D>>| iterate.iter().map(|r| r.as_slice().to_vec()).collect::<Vec<_>>();
    json!({
        "sweeps": trace.angles.len(),
        "kernel_dimension": trace.kernel,
        "angles": trace.angles,
        "impulses": trace.iterates.iter().map(impulses).collect::<Vec<_>>(),
    })
}

/// Impulses of the strongest contacts, tangential over normal, a line each, and beside it the direction in
/// Ker H in which the last sweep went.
pub fn picture<const D: usize, W>(case: &DiagnosedCase<D, W>, trace: &Trace<D>) -> Plot {
    let last = trace.iterates.last().map_or(&[][..], Vec::as_slice);
    let mut order: Vec<usize> = (0..last.len()).filter(|&contact| last[contact].norm() > 0.0).collect();
    order.sort_by(|&a, &b| last[b].norm().total_cmp(&last[a].norm()).then(a.cmp(&b)));
    order.truncate(DRAWN);
    order.sort_unstable();
    // in space the tangent is that of the last iterate
    let point = |contact: usize, r: &Vector<D>| -> [f64; 2] {
        let way = last[contact].rows_range(1..);
        let along = if way.norm() > 0.0 { r.rows_range(1..).dot(&way) / way.norm() } else { 0.0 };
        [r[0], along * if D == 2 && way[0] < 0.0 { -1.0 } else { 1.0 }]
    };
    // one line with gaps: what is not a number is not drawn
    let gap = [f64::NAN; 2];
    let kernel = order.iter().flat_map(|&contact| {
        let start = last[contact] - trace.along[contact];
        [point(contact, &start), point(contact, &last[contact]), gap]
    });
    let mut series = vec![Series { name: "Ker H".into(), points: kernel.collect() }];
    series.extend(order.iter().map(|&contact| Series {
        name: name(case, contact),
        points: trace.iterates.iter().map(|iterate| point(contact, &iterate[contact])).collect(),
    }));
    Plot {
        title: format!("{} sweeps: impulses on their way", trace.angles.len()),
        x: PlotAxis { label: "normal impulse [N s]".into(), ..PlotAxis::default() },
        y: PlotAxis { label: "tangential impulse [N s]".into(), ..PlotAxis::default() },
        series,
        width: 960,
        height: 560,
        ..Plot::default()
    }
}
