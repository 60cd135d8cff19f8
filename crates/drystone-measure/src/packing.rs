//! How much of a volume the bodies fill, where they are and how they flow. Looks at no force.

use crate::domain::{Domain, axis, bins, direction, domain, sample, vector};
use crate::readings::axes;
use crate::{BodyView, FrameView, MeasureError, Parameters, Readings};
use drystone::Vector;

/// Share of a ball of radius 1 that lies below `x` \[-\].
fn ball_below(x: f64, dimension: usize) -> f64 {
    let x = x.clamp(-1.0, 1.0);
    if dimension == 2 {
        // circular segment
        let root = (1.0 - x * x).sqrt();
        0.5 + (x * root + drystone_math::portable::atan2(x, root)) / std::f64::consts::PI
    } else {
        0.25 * (2.0 + 3.0 * x - x * x * x)
    }
}

/// Volume of a body between two heights along an axis. A body that is no ball counts as one of its volume
/// about its centre of mass: its whole volume is right, and where it lies to within its own size.
fn between(body: &BodyView, axis: usize, [low, high]: [f64; 2], dimension: usize) -> f64 {
    let radius = ball_radius(body.volume, dimension);
    if radius == 0.0 {
        return 0.0;
    }
    let below = |height: f64| ball_below((height - body.position[axis]) / radius, dimension);
    body.volume * (below(high) - below(low))
}

/// Radius of a ball of a volume.
fn ball_radius(volume: f64, dimension: usize) -> f64 {
    use std::f64::consts::PI;
    match dimension {
        2 => (volume / PI).sqrt(),
        _ => drystone_math::portable::cbrt(0.75 * volume / PI),
    }
}

/// Cells of a side over which a body that a box cuts is sampled.
const CUT_CELLS: usize = 24;

/// Volume of a body in a box: exact for bodies inside of it; one that a face cuts counts as a ball, by the
/// points of a grid in the ball.
fn inside(body: &BodyView, domain: &Domain) -> f64 {
    let d = domain.dimension;
    let radius = ball_radius(body.volume, d);
    let is_in = |axis: usize, reach: f64| {
        body.position[axis] - reach >= domain.low[axis] && body.position[axis] + reach <= domain.high[axis]
    };
    let is_out = |axis: usize| {
        body.position[axis] + radius <= domain.low[axis] || body.position[axis] - radius >= domain.high[axis]
    };
    if radius == 0.0 || (0..d).any(is_out) {
        return 0.0;
    }
    if (0..d).all(|axis| is_in(axis, radius)) {
        return body.volume;
    }
    let cut: Vec<usize> = (0..d).filter(|&axis| !is_in(axis, radius)).collect();
    if let [axis] = cut[..] {
        return between(body, axis, [domain.low[axis], domain.high[axis]], d);
    }
    let place = |cell: usize| 2.0 * (cell as f64 + 0.5) / CUT_CELLS as f64 - 1.0;
    let (mut all, mut within) = (0usize, 0usize);
    for cell in 0..CUT_CELLS.pow(d as u32) {
        let at = Vector::<3>::from_fn(|axis, _| match axis < d {
            true => place(cell / CUT_CELLS.pow(axis as u32) % CUT_CELLS),
            false => 0.0,
        });
        if at.norm_squared() <= 1.0 {
            all += 1;
            within += usize::from(domain.contains(&(body.position + at * radius)));
        }
    }
    body.volume * within as f64 / all as f64
}

/// Solid fraction of the sample in a box \[-\].
pub fn solid_fraction(view: &FrameView, sample: &[bool], domain: &Domain) -> f64 {
    let bodies = view.bodies.iter().zip(sample).filter(|(_, inside)| **inside);
    bodies.map(|(body, _)| inside(body, domain)).sum::<f64>() / domain.volume()
}

/// The measure `void_ratio`.
pub(crate) fn void_ratio(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let domain = domain(view, parameters, &sample)?;
    let solid = match parameters.region {
        Some(_) => solid_fraction(view, &sample, &domain),
        None => {
            let volumes = view.bodies.iter().zip(&sample).filter(|(_, inside)| **inside);
            volumes.map(|(body, _)| body.volume).sum::<f64>() / domain.volume()
        }
    };
    Ok(Readings::row([
        ("void_ratio".into(), "-", (1.0 - solid) / solid),
        ("solid_fraction".into(), "-", solid),
        ("porosity".into(), "-", 1.0 - solid),
        ("volume".into(), if view.dimension == 2 { "m2" } else { "m3" }, domain.volume()),
    ]))
}

/// The measure `profile`: solid fraction, velocity and its scatter, slab by slab along an axis.
pub(crate) fn profile(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let domain = domain(view, parameters, &sample)?;
    let (axis, bins, d) = (axis(view, parameters)?, bins(parameters, 10)?, view.dimension);
    let mut table = Readings::default();
    let cuts_across = parameters.region.is_some();
    for slab in domain.slabs(axis, bins) {
        let (mut volume, mut mass) = (0.0, 0.0);
        let (mut momentum, mut square) = (Vector::<3>::zeros(), 0.0);
        for (body, _) in view.bodies.iter().zip(&sample).filter(|(_, inside)| **inside) {
            let part = match cuts_across {
                true => inside(body, &slab),
                false => between(body, axis, [slab.low[axis], slab.high[axis]], d),
            };
            if part > 0.0 {
                let weight = body.mass * part / body.volume;
                volume += part;
                mass += weight;
                momentum += body.velocity * weight;
                square += body.velocity.norm_squared() * weight;
            }
        }
        let mean = momentum / mass;
        let scatter = ((square / mass - mean.norm_squared()) / d as f64).max(0.0);
        let mut cells = vec![
            ("place".to_string(), "m", 0.5 * (slab.low[axis] + slab.high[axis])),
            ("solid_fraction".into(), "-", volume / slab.volume()),
        ];
        cells.extend(axes(d, "velocity", "m/s", |axis| mean[axis]));
        cells.push(("temperature".into(), "m2/s2", scatter));
        let row = Readings::row(cells);
        table.columns = row.columns;
        table.rows.extend(row.rows);
    }
    Ok(table)
}

/// The measure `mass`: bodies with their centre in the box.
pub(crate) fn mass(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let domain = match parameters.region {
        Some(_) => Some(domain(view, parameters, &sample)?),
        None => None,
    };
    let is_in = |body: &BodyView| domain.as_ref().is_none_or(|domain| domain.contains(&body.position));
    let (mut mass, mut volume, mut count, mut centre) = (0.0, 0.0, 0usize, Vector::<3>::zeros());
    for (body, _) in view.bodies.iter().zip(&sample).filter(|(body, inside)| **inside && is_in(body)) {
        mass += body.mass;
        volume += body.volume;
        centre += body.position * body.mass;
        count += 1;
    }
    let unit = |plane, space| if view.dimension == 2 { plane } else { space };
    let mut cells = vec![
        ("mass".to_string(), unit("kg/m", "kg"), mass),
        ("volume".into(), unit("m2", "m3"), volume),
        ("bodies".into(), "-", count as f64),
    ];
    cells.extend(axes(view.dimension, "centre", "m", |axis| centre[axis] / mass));
    Ok(Readings::row(cells))
}

/// The measure `flow`: the rate at which mass crosses a line or plane along its normal, as the momentum in a
/// slab about it over its thickness; and what lies beyond it.
pub(crate) fn flow(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let missing = |key, about| MeasureError::Missing { measure: "flow".into(), key, about };
    let point = parameters.point.as_ref();
    let point = point.ok_or_else(|| missing("point", "a point of the line or plane that is crossed [m]"))?;
    let (point, normal) = (vector(view, "point", point)?, direction(view, parameters)?);
    let bodies = || view.bodies.iter().zip(&sample).filter(|(_, inside)| **inside).map(|(body, _)| body);
    // as thick as the largest body, so that each body that crosses is seen
    let thick = match parameters.reach {
        Some(reach) if reach > 0.0 && reach.is_finite() => reach,
        Some(reach) => {
            let allowed = "a thickness greater than 0 [m]".into();
            return Err(MeasureError::Value { key: "reach", value: reach.to_string(), allowed });
        }
        None => 2.0 * bodies().map(|body| body.radius).fold(0.0, f64::max),
    };
    let (mut momentum, mut flux, mut beyond, mut behind) = (0.0, 0.0, 0.0, 0.0);
    for body in bodies() {
        let at = view.nearest(body.position - point).dot(&normal);
        if at.abs() <= 0.5 * thick {
            momentum += body.mass * body.velocity.dot(&normal);
            flux += body.velocity.dot(&normal);
        }
        if at > 0.0 { beyond += body.mass } else { behind += body.mass }
    }
    let (rate, unit) = if view.dimension == 2 { ("kg/m/s", "kg/m") } else { ("kg/s", "kg") };
    Ok(Readings::row([
        ("rate".into(), rate, momentum / thick),
        ("bodies_rate".into(), "1/s", flux / thick),
        ("beyond".into(), unit, beyond),
        ("behind".into(), unit, behind),
    ]))
}

/// The measure `extent`: how far the sample reaches, by bounding balls.
pub(crate) fn extent(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let [mut low, mut high] = [Vector::<3>::repeat(f64::INFINITY), Vector::<3>::repeat(f64::NEG_INFINITY)];
    for (body, _) in view.bodies.iter().zip(&sample).filter(|(_, inside)| **inside) {
        low = low.inf(&(body.position - Vector::<3>::repeat(body.radius)));
        high = high.sup(&(body.position + Vector::<3>::repeat(body.radius)));
    }
    if !sample.contains(&true) {
        // nobody reaches anywhere
        (low, high) = (Vector::repeat(f64::NAN), Vector::repeat(f64::NAN));
    }
    let mut cells = axes(view.dimension, "low", "m", |axis| low[axis]);
    cells.extend(axes(view.dimension, "high", "m", |axis| high[axis]));
    Ok(Readings::row(cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_are_cut_exactly() {
        for dimension in [2, 3] {
            assert_eq!([-2.0, 2.0].map(|x| ball_below(x, dimension)), [0.0, 1.0]);
            assert!((ball_below(0.0, dimension) - 0.5).abs() < 1e-15);
            // by summing up thin slices
            let cells = 20_000;
            let (mut below, mut all) = (0.0, 0.0);
            for cell in 0..cells {
                let x = 2.0 * (f64::from(cell) + 0.5) / f64::from(cells) - 1.0;
                let slice = (1.0 - x * x).sqrt().powi(dimension as i32 - 1);
                all += slice;
                below += if x < 0.3 { slice } else { 0.0 };
            }
            assert!((ball_below(0.3, dimension) - below / all).abs() < 1e-4);
        }
    }
}
