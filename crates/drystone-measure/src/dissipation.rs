//! What contacts dissipate, one by one or of a sample, and by which cause. The sums of a whole run since its
//! start are those of the measure `energy`.

use crate::domain::sample;
use crate::readings::axes;
use crate::view::ContactPower;
use crate::{ContactView, FrameView, MeasureError, Parameters, Readings};

/// The contacts of a sample that push, with their power.
fn powers<'a>(
    view: &'a FrameView,
    sample: &'a [bool],
    measure: &'static str,
) -> Result<Vec<(&'a ContactView, ContactPower)>, MeasureError> {
    let own = view.contacts.iter().filter(|contact| contact.bodies.iter().any(|&body| sample[body]));
    let absent = MeasureError::Absent { measure, what: "what each contact dissipated" };
    own.filter(|contact| contact.is_loaded())
        .map(|contact| contact.power.map(|power| (contact, power)).ok_or_else(|| absent.clone()))
        .collect()
}

fn causes(power: &ContactPower) -> [(String, &'static str, f64); 5] {
    [
        ("power".into(), "W", power.total()),
        ("friction".into(), "W", power.friction),
        ("shocks".into(), "W", power.shocks),
        ("cohesion".into(), "W", power.cohesion),
        ("viscosity".into(), "W", power.viscosity),
    ]
}

/// The measure `dissipation`: the power that the contacts of a sample dissipate, by cause.
pub(crate) fn whole(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let all = powers(view, &sample, "dissipation")?;
    let mut sum = ContactPower::default();
    for (_, power) in &all {
        sum.friction += power.friction;
        sum.shocks += power.shocks;
        sum.cohesion += power.cohesion;
        sum.viscosity += power.viscosity;
    }
    let largest = all.iter().map(|(_, power)| power.total()).fold(f64::NAN, f64::max);
    let mut cells = causes(&sum).to_vec();
    cells.extend([("largest".into(), "W", largest), ("contacts".into(), "-", all.len() as f64)]);
    Ok(Readings::row(cells))
}

/// The measure `contact_dissipation`: the same of each contact, with its place.
pub(crate) fn table(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let (sample, d) = (sample(view, parameters)?, view.dimension);
    let row = |place: &drystone::Vector<3>, power: &ContactPower| {
        let mut cells = axes(d, "", "m", |axis| place[axis]);
        cells.extend(causes(power));
        Readings::row(cells)
    };
    let columns = row(&drystone::Vector::zeros(), &ContactPower::default()).columns;
    let mut table = Readings { labels: vec!["body", "other"], columns, rows: Vec::new() };
    for (contact, power) in powers(view, &sample, "contact_dissipation")? {
        let names = contact.bodies.map(|body| view.names[body].clone()).to_vec();
        let rows = row(&contact.point, &power).rows.into_iter();
        table.rows.extend(rows.map(|(_, values)| (names.clone(), values)));
    }
    Ok(table)
}
