//! Stress from contact forces: of the sample, in boxes, along an axis and of single bodies. Velocities have
//! no part in it: see [`stress`](crate::stress) for flows.

use crate::domain::{Domain, axis, bins, domain, sample};
use crate::readings::AXES;
use crate::{FrameView, MeasureError, Parameters, Readings};
use drystone::{Matrix, Vector};

/// Mean stress of the sample in a box \[Pa\], compression positive (Love 1927, Weber 1966):
///
/// `σ = (1/V) Σ f ⊗ ℓ`
///
/// over the contacts of the sample, with the force `f` on a body and the way `ℓ` from the contact point to
/// its centre: between two bodies of the sample the whole branch, between one of it and a wall the part
/// inside. Of a branch that the box cuts, the part inside counts.
pub fn love(view: &FrameView, sample: &[bool], domain: &Domain, is_whole: bool) -> Matrix<3, 3> {
    let mut moments = Matrix::<3, 3>::zeros();
    for contact in &view.contacts {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let body = contact.bodies[side];
            if sample[body] {
                let way = -view.arm(body, contact);
                let share = if is_whole { 1.0 } else { domain.share(&contact.point, &way) };
                moments += contact.force * way.transpose() * (sign * share);
            }
        }
    }
    moments / domain.volume()
}

/// Principal stresses, the largest first; of the symmetric part.
pub fn principal(stress: &Matrix<3, 3>, dimension: usize) -> Vec<f64> {
    let s = (stress + stress.transpose()) * 0.5;
    if dimension == 2 {
        let mean = 0.5 * (s[(0, 0)] + s[(1, 1)]);
        let half = 0.5 * (s[(0, 0)] - s[(1, 1)]);
        let radius = (half * half + s[(0, 1)] * s[(0, 1)]).sqrt();
        return vec![mean + radius, mean - radius];
    }
    let mut values: Vec<f64> = s.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// Direction of the largest principal value in the plane, from the x axis \[deg\], in (−90, 90].
pub(crate) fn direction(tensor: &Matrix<3, 3>) -> f64 {
    let twice =
        drystone_math::portable::atan2(tensor[(0, 1)] + tensor[(1, 0)], tensor[(0, 0)] - tensor[(1, 1)]);
    (0.5 * twice).to_degrees()
}

/// Pressure and deviator: in the plane `(σ₁ + σ₂)/2` and `(σ₁ − σ₂)/2`, in space `tr σ/3` and `√(3/2 s:s)`.
pub(crate) fn invariants(stress: &Matrix<3, 3>, dimension: usize) -> [f64; 2] {
    let values = principal(stress, dimension);
    let mean = values.iter().sum::<f64>() / dimension as f64;
    if dimension == 2 {
        return [mean, 0.5 * (values[0] - values[1])];
    }
    [mean, (1.5 * values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()).sqrt()]
}

type Cell = (String, &'static str, f64);

/// The components of a tensor by name, row by row.
pub(crate) fn components(dimension: usize, tensor: &Matrix<3, 3>, unit: &'static str) -> Vec<Cell> {
    let pairs = (0..dimension).flat_map(|i| (0..dimension).map(move |j| (i, j)));
    pairs.map(|(i, j)| (format!("{}{}", AXES[i], AXES[j]), unit, tensor[(i, j)])).collect()
}

fn cells(view: &FrameView, stress: &Matrix<3, 3>, volume: f64) -> Vec<Cell> {
    let [p, q] = invariants(stress, view.dimension);
    let values = principal(stress, view.dimension);
    let least = values[values.len() - 1];
    let mut cells = components(view.dimension, stress, "Pa");
    cells.extend([
        ("p".into(), "Pa", p),
        ("q".into(), "Pa", q),
        ("ratio".into(), "-", values[0] / least),
        ("volume".into(), if view.dimension == 2 { "m2" } else { "m3" }, volume),
    ]);
    cells
}

/// The measure `stress`.
pub(crate) fn stress(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let domain = domain(view, parameters, &sample)?;
    let stress = love(view, &sample, &domain, parameters.region.is_none());
    Ok(Readings::row(cells(view, &stress, domain.volume())))
}

/// The measure `stress_profile`.
pub(crate) fn profile(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let domain = domain(view, parameters, &sample)?;
    let (axis, bins) = (axis(view, parameters)?, bins(parameters, 10)?);
    let mut table = Readings::default();
    for slab in domain.slabs(axis, bins) {
        let stress = love(view, &sample, &slab, false);
        let middle = 0.5 * (slab.low[axis] + slab.high[axis]);
        let cells =
            [("place".to_string(), "m", middle)].into_iter().chain(cells(view, &stress, slab.volume()));
        let row = Readings::row(cells);
        table.columns = row.columns;
        table.rows.extend(row.rows);
    }
    Ok(table)
}

/// The stress of every body of the sample, over its own volume; those without a volume are left out.
pub fn body_stresses(view: &FrameView, sample: &[bool]) -> Vec<(usize, Matrix<3, 3>)> {
    let mut moments = vec![Matrix::<3, 3>::zeros(); view.bodies.len()];
    for contact in &view.contacts {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = contact.bodies[side];
            let arm: Vector<3> = view.arm(body, contact);
            moments[body] += contact.force * arm.transpose() * sign;
        }
    }
    let of = |body: &usize| sample[*body] && view.bodies[*body].volume > 0.0;
    (0..view.bodies.len()).filter(of).map(|body| (body, moments[body] / view.bodies[body].volume)).collect()
}

/// The measure `body_stress`.
pub(crate) fn of_bodies(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let heading = Readings::row(cells(view, &Matrix::zeros(), 0.0)).columns;
    let mut table = Readings { labels: vec!["body"], columns: heading, rows: Vec::new() };
    for (body, stress) in body_stresses(view, &sample) {
        let cells = cells(view, &stress, view.bodies[body].volume);
        table.push(vec![view.names[body].clone()], cells.into_iter().map(|(_, _, value)| value).collect());
    }
    Ok(table)
}
