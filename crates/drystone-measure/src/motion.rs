//! How bodies moved: displacements, strains, fields, shear bands, energies. Looks at no contact.

use crate::domain::{axis, bins, body, domain, sample};
use crate::readings::{AXES, axes};
use crate::{FrameView, LocalShear, MeasureError, Parameters, Readings, ShearDirections, local_shear};
use drystone::{Matrix, Vector};

fn absent(measure: &'static str) -> MeasureError {
    MeasureError::Absent { measure, what: "where the bodies were at the start" }
}

/// The measure `displacement`: of one body, or the mean and the largest of a sample.
pub(crate) fn displacement(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let bodies = match &parameters.body {
        Some(name) => vec![body(view, name)?],
        None => {
            let sample = sample(view, parameters)?;
            (0..view.bodies.len()).filter(|&body| sample[body]).collect()
        }
    };
    let (mut sum, mut largest, mut turned) = (Vector::<3>::zeros(), 0.0f64, 0.0f64);
    for &index in &bodies {
        let start = view.bodies[index].start.ok_or_else(|| absent("displacement"))?;
        let moved = view.displacement(index).unwrap_or_default();
        let turn = view.bodies[index].orientation * start.orientation.inverse();
        sum += moved;
        largest = largest.max(moved.norm());
        turned = turned.max(drystone_math::portable::scaled_axis(&turn).norm());
    }
    let mean = sum / bodies.len() as f64;
    let mut cells = axes(view.dimension, "", "m", |axis| mean[axis]);
    cells.push(("size".into(), "m", largest));
    cells.push(("turn".into(), "deg", turned.to_degrees()));
    Ok(Readings::row(cells))
}

/// The measure `wall_strain`: how much nearer two bodies came along an axis, `1 − d/d₀`, compression
/// positive; and the natural strain `ln(d₀/d)`.
pub(crate) fn wall_strain(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let named = |name: &Option<String>, key: &'static str| match name {
        Some(name) => body(view, name),
        None => {
            let about = "the two walls are `body` and `other`";
            Err(MeasureError::Missing { measure: "wall_strain".into(), key, about })
        }
    };
    let (a, b) = (named(&parameters.body, "body")?, named(&parameters.other, "other")?);
    let axis = axis(view, parameters)?;
    let start = |body: usize| view.bodies[body].start.ok_or_else(|| absent("wall_strain"));
    let before = (start(a)?.position - start(b)?.position)[axis].abs();
    let now = (view.bodies[a].position - view.bodies[b].position)[axis].abs();
    Ok(Readings::row([
        ("strain".into(), "-", 1.0 - now / before),
        ("natural".into(), "-", drystone_math::portable::ln(before / now)),
        ("distance".into(), "m", now),
    ]))
}

/// Mean displacement gradient about every body of the sample, over the bodies of it within a reach (Falk,
/// Langer 1998): `min Σ ‖Δu − G Δx‖²`; none with too few neighbours.
pub fn displacement_gradients(view: &FrameView, sample: &[bool], reach: f64) -> Vec<(usize, Matrix<3, 3>)> {
    let known: Vec<(usize, Vector<3>, Vector<3>)> = (0..view.bodies.len())
        .filter(|&body| sample[body])
        .filter_map(|body| Some((body, view.bodies[body].start?.position, view.displacement(body)?)))
        .collect();
    // neighbours along x lie next to each other
    let mut order: Vec<usize> = (0..known.len()).collect();
    order.sort_by(|&i, &j| known[i].1[0].total_cmp(&known[j].1[0]));
    let mut found = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let (body, place, moved) = known[i];
        let (mut with, mut spread) = (Matrix::<3, 3>::zeros(), Matrix::<3, 3>::zeros());
        let mut enter = |j: usize| {
            let apart = known[j].1 - place;
            if apart.norm() < reach {
                with += (known[j].2 - moved) * apart.transpose();
                spread += apart * apart.transpose();
            }
            apart[0].abs() < reach
        };
        order[rank + 1..].iter().all(|&j| enter(j));
        order[..rank].iter().rev().all(|&j| enter(j));
        if view.dimension == 2 {
            spread[(2, 2)] = 1.0;
        }
        if let Some(inverse) = spread.try_inverse().filter(|m| m.iter().all(|x| x.is_finite())) {
            found.push((body, with * inverse));
        }
    }
    found.sort_by_key(|(body, _)| *body);
    found
}

/// Five radii, so that a neighbourhood holds a dozen bodies.
fn default_reach(view: &FrameView, sample: &[bool], parameters: &Parameters) -> Result<f64, MeasureError> {
    match parameters.reach {
        Some(reach) if reach > 0.0 && reach.is_finite() => return Ok(reach),
        Some(reach) => {
            let allowed = "a distance greater than 0 [m]".into();
            return Err(MeasureError::Value { key: "reach", value: reach.to_string(), allowed });
        }
        None => {}
    }
    let radii: Vec<f64> =
        view.bodies.iter().zip(sample).filter(|(_, inside)| **inside).map(|(body, _)| body.radius).collect();
    Ok(5.0 * radii.iter().sum::<f64>() / radii.len() as f64)
}

/// The measure `strain_field`: strain about every body, compression positive.
pub(crate) fn strain_field(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let (sample, d) = (sample(view, parameters)?, view.dimension);
    let reach = default_reach(view, &sample, parameters)?;
    let pairs: Vec<(usize, usize)> = (0..d).flat_map(|i| (i..d).map(move |j| (i, j))).collect();
    let names = pairs.iter().map(|&(i, j)| format!("{}{}", AXES[i], AXES[j]));
    let names: Vec<String> = AXES[..d].iter().map(|axis| (*axis).to_string()).chain(names).collect();
    let mut columns: Vec<(&str, &'static str)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), if k < d { "m" } else { "-" })).collect();
    columns.extend([("volumetric", "-"), ("shear", "-")]);
    let mut table = Readings::table(&["body"], columns);
    for (body, gradient) in displacement_gradients(view, &sample, reach) {
        let strain = -(gradient + gradient.transpose()) * 0.5;
        let values = crate::love::principal(&strain, d);
        let place = view.bodies[body].position;
        let mut row: Vec<f64> = (0..d).map(|axis| place[axis]).collect();
        row.extend(pairs.iter().map(|&(i, j)| strain[(i, j)]));
        row.extend([values.iter().sum::<f64>(), values[0] - values[d - 1]]);
        table.push(vec![view.names[body].clone()], row);
    }
    Ok(table)
}

/// The measure `shear_band`: the direction along which shear is alike, from the x axis, in the plane.
pub(crate) fn shear_band(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let reach = default_reach(view, &sample, parameters)?;
    let known: Vec<_> = (0..view.bodies.len())
        .filter(|&body| sample[body])
        .filter_map(|body| Some((view.bodies[body].start?.position, view.displacement(body)?)))
        .collect();
    let plane = |v: &Vector<3>| Vector::<2>::new(v[0], v[1]);
    let before: Vec<_> = known.iter().map(|(start, _)| plane(start)).collect();
    let after: Vec<_> = known.iter().map(|(start, moved)| plane(&(start + moved))).collect();
    let field: Vec<LocalShear> = local_shear(&before, &after, reach);
    let size = |axis: usize| {
        let along = before.iter().map(|place| place[axis]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    };
    let mut directions = ShearDirections::between(2.0 * reach, size(0).max(size(1)));
    directions.add(&field);
    let shears = field.iter().map(|local| local.shear);
    Ok(Readings::row([
        ("angle".into(), "deg", directions.angle().map_or(f64::NAN, f64::to_degrees)),
        ("mean_shear".into(), "-", shears.clone().sum::<f64>() / field.len() as f64),
        ("largest_shear".into(), "-", shears.fold(f64::NAN, f64::max)),
    ]))
}

/// The measure `field`: velocity and displacement of the bodies of the sample, or their means by mass in the
/// cells of a grid.
pub(crate) fn field(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let (sample, d) = (sample(view, parameters)?, view.dimension);
    let names: Vec<(String, &'static str)> = [("", "m"), ("velocity", "m/s"), ("displacement", "m")]
        .into_iter()
        .flat_map(|(name, unit)| axes(d, name, unit, |_| 0.0).into_iter().map(|(name, unit, _)| (name, unit)))
        .collect();
    let columns = names.iter().map(|(name, unit)| (name.as_str(), *unit));
    let unknown = Vector::<3>::repeat(f64::NAN);
    let row = |place: &Vector<3>, velocity: &Vector<3>, moved: &Vector<3>| -> Vec<f64> {
        [place, velocity, moved].into_iter().flat_map(|v| (0..d).map(|axis| v[axis])).collect()
    };
    let bodies = (0..view.bodies.len()).filter(|&body| sample[body]);
    if parameters.bins.is_none() && parameters.region.is_none() {
        let mut table = Readings::table(&["body"], columns);
        for body in bodies {
            let moved = view.displacement(body).unwrap_or(unknown);
            let one = &view.bodies[body];
            table.push(vec![view.names[body].clone()], row(&one.position, &one.velocity, &moved));
        }
        return Ok(table);
    }
    let (domain, bins) = (domain(view, parameters, &sample)?, bins(parameters, 10)?);
    if bins.pow(d as u32) > 10_000_000 {
        let allowed = "at most ten million cells".into();
        return Err(MeasureError::Value { key: "bins", value: bins.to_string(), allowed });
    }
    let mut cells = vec![(0.0, Vector::<3>::zeros(), Vector::<3>::zeros()); bins.pow(d as u32)];
    let sides = (domain.high - domain.low) / bins as f64;
    for body in bodies.filter(|&body| domain.contains(&view.bodies[body].position)) {
        let one = &view.bodies[body];
        let index = |axis: usize| (((one.position - domain.low)[axis] / sides[axis]) as usize).min(bins - 1);
        let cell = &mut cells[(0..d).map(|axis| index(axis) * bins.pow(axis as u32)).sum::<usize>()];
        cell.0 += one.mass;
        cell.1 += one.velocity * one.mass;
        cell.2 += view.displacement(body).unwrap_or(unknown) * one.mass;
    }
    let mut table = Readings::table(&[], columns);
    for (cell, (mass, momentum, moved)) in cells.iter().enumerate() {
        let at = |axis: usize| (cell / bins.pow(axis as u32) % bins) as f64 + 0.5;
        let place =
            Vector::<3>::from_fn(
                |axis, _| if axis < d { domain.low[axis] + sides[axis] * at(axis) } else { 0.0 },
            );
        table.push(Vec::new(), row(&place, &(momentum / *mass), &(moved / *mass)));
    }
    Ok(table)
}

/// The measure `energy`.
pub(crate) fn energy(view: &FrameView, _: &Parameters) -> Result<Readings, MeasureError> {
    let energy =
        view.energy.ok_or(MeasureError::Absent { measure: "energy", what: "the energies so far" })?;
    let dissipated = energy.friction + energy.shocks + energy.cohesion + energy.viscosity;
    let cells = [
        ("kinetic", energy.kinetic),
        ("potential", energy.potential),
        ("dissipated", dissipated),
        ("friction", energy.friction),
        ("shocks", energy.shocks),
        ("cohesion", energy.cohesion),
        ("viscosity", energy.viscosity),
        ("stored", energy.stored),
        ("loads", energy.loads),
        ("drives", energy.drives),
        ("scheme", energy.scheme),
        ("drift", energy.drift),
    ];
    Ok(Readings::row(cells.map(|(name, value)| (name.to_string(), "J", value))))
}

/// The measure `speed`: of the centres of mass of the sample.
pub(crate) fn speed(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let speeds: Vec<f64> = view
        .bodies
        .iter()
        .zip(&sample)
        .filter(|(_, inside)| **inside)
        .map(|(body, _)| body.velocity.norm())
        .collect();
    Ok(Readings::row([
        ("largest".into(), "m/s", speeds.iter().copied().fold(f64::NAN, f64::max)),
        ("mean".into(), "m/s", speeds.iter().sum::<f64>() / speeds.len() as f64),
    ]))
}
