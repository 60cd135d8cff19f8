//! Which bodies are looked at, and what volume they fill. Reads the parameters that most measures share.

use crate::readings::AXES;
use crate::{FrameView, MeasureError, Parameters};
use drystone::Vector;

/// A box whose sides are along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Lowest corner \[m\].
    pub low: Vector<3>,
    /// Highest corner \[m\].
    pub high: Vector<3>,
    /// 2 or 3.
    pub dimension: usize,
}

impl Domain {
    /// Its volume \[m³\], in the plane its area \[m²\].
    pub fn volume(&self) -> f64 {
        (0..self.dimension).map(|axis| self.high[axis] - self.low[axis]).product()
    }

    /// Whether a point lies in it.
    pub fn contains(&self, point: &Vector<3>) -> bool {
        (0..self.dimension).all(|axis| (self.low[axis]..self.high[axis]).contains(&point[axis]))
    }

    /// What part of a straight way from a point lies in it \[-\] (Liang and Barsky 1984).
    pub fn share(&self, from: &Vector<3>, way: &Vector<3>) -> f64 {
        let (mut first, mut last) = (0.0f64, 1.0f64);
        for axis in 0..self.dimension {
            let bounds = [self.low[axis] - from[axis], self.high[axis] - from[axis]];
            if way[axis] == 0.0 {
                if bounds[0] > 0.0 || bounds[1] <= 0.0 {
                    return 0.0;
                }
                continue;
            }
            let [a, b] = bounds.map(|bound| bound / way[axis]);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        (last - first).max(0.0)
    }

    /// Slabs of equal thickness along an axis, from the lowest on.
    pub fn slabs(&self, axis: usize, bins: usize) -> impl Iterator<Item = Domain> + '_ {
        let thick = (self.high[axis] - self.low[axis]) / bins as f64;
        (0..bins).map(move |bin| {
            let mut slab = *self;
            slab.low[axis] = self.low[axis] + thick * bin as f64;
            slab.high[axis] = self.low[axis] + thick * (bin + 1) as f64;
            slab
        })
    }
}

/// Whether each body belongs to the sample: those of the group, or those that are free in every component.
pub(crate) fn sample(view: &FrameView, parameters: &Parameters) -> Result<Vec<bool>, MeasureError> {
    match &parameters.group {
        Some(name) => members(view, name),
        None => Ok(view.bodies.iter().map(|body| body.is_free).collect()),
    }
}

/// Whether each body belongs to a group.
pub(crate) fn members(view: &FrameView, name: &str) -> Result<Vec<bool>, MeasureError> {
    let group = view.groups.iter().position(|known| known == name).ok_or_else(|| MeasureError::Group {
        name: name.into(),
        known: view.groups.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", "),
    })?;
    Ok(view.bodies.iter().map(|body| body.group as usize == group).collect())
}

/// The body of a name.
pub(crate) fn body(view: &FrameView, name: &str) -> Result<usize, MeasureError> {
    let found = view.names.iter().position(|known| known == name);
    found.ok_or_else(|| MeasureError::Body { name: name.into() })
}

/// The axis of a name; default: up.
pub(crate) fn axis(view: &FrameView, parameters: &Parameters) -> Result<usize, MeasureError> {
    let Some(name) = &parameters.axis else { return Ok(view.dimension - 1) };
    let names = &AXES[..view.dimension];
    names.iter().position(|known| known == name).ok_or_else(|| MeasureError::Value {
        key: "axis",
        value: format!("\"{name}\""),
        allowed: names.join(", "),
    })
}

/// Numbers of a vector, as many as there are dimensions.
pub(crate) fn vector(view: &FrameView, key: &'static str, values: &[f64]) -> Result<Vector<3>, MeasureError> {
    if values.len() != view.dimension || !values.iter().all(|value| value.is_finite()) {
        let allowed = format!("{} finite numbers", view.dimension);
        return Err(MeasureError::Value { key, value: format!("{values:?}"), allowed });
    }
    Ok(Vector::<3>::from_fn(|axis, _| values.get(axis).copied().unwrap_or(0.0)))
}

/// A unit vector along the parameter `normal`; default: x.
pub(crate) fn direction(view: &FrameView, parameters: &Parameters) -> Result<Vector<3>, MeasureError> {
    let Some(values) = &parameters.normal else { return Ok(Vector::<3>::x()) };
    vector(view, "normal", values)?.try_normalize(0.0).ok_or_else(|| MeasureError::Value {
        key: "normal",
        value: format!("{values:?}"),
        allowed: "a direction, not zero".into(),
    })
}

/// How many bins; at least 1, at most a million.
pub(crate) fn bins(parameters: &Parameters, default: u32) -> Result<usize, MeasureError> {
    match parameters.bins.unwrap_or(default) {
        bins @ 1..=1_000_000 => Ok(bins as usize),
        bins => Err(MeasureError::Value {
            key: "bins",
            value: bins.to_string(),
            allowed: "a whole number from 1 to 1000000".into(),
        }),
    }
}

/// The box of the parameter, or what the sample spans.
pub(crate) fn domain(
    view: &FrameView,
    parameters: &Parameters,
    sample: &[bool],
) -> Result<Domain, MeasureError> {
    let Some(values) = &parameters.region else { return Ok(span(view, sample)) };
    let wrong = || MeasureError::Value {
        key: "box",
        value: format!("{values:?}"),
        allowed: format!(
            "{} finite numbers: the lowest corner, then the highest, which is higher along each axis",
            2 * view.dimension
        ),
    };
    if values.len() != 2 * view.dimension {
        return Err(wrong());
    }
    let (low, high) = values.split_at(view.dimension);
    let (low, high) = (vector(view, "box", low)?, vector(view, "box", high)?);
    match (0..view.dimension).all(|axis| low[axis] < high[axis]) {
        true => Ok(Domain { low, high, dimension: view.dimension }),
        false => Err(wrong()),
    }
}

/// Cosine from which on a contact counts as one with a wall across an axis.
const ACROSS: f64 = 0.7;

/// What a sample spans. Along an axis that repeats, the period. On a side where the sample is held by bodies
/// that are not of it, the farthest of these contact points: where walls are flat, the walls. On other sides
/// the farthest reach of a body.
pub fn span(view: &FrameView, sample: &[bool]) -> Domain {
    let [mut low, mut high] = [Vector::<3>::repeat(f64::INFINITY), Vector::<3>::repeat(f64::NEG_INFINITY)];
    for (body, _) in view.bodies.iter().zip(sample).filter(|(_, inside)| **inside) {
        low = low.inf(&(body.position - Vector::<3>::repeat(body.radius)));
        high = high.sup(&(body.position + Vector::<3>::repeat(body.radius)));
    }
    let [mut walls_low, mut walls_high] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for contact in view.contacts.iter().filter(|contact| contact.is_loaded()) {
        let inwards = match contact.bodies.map(|body| sample[body]) {
            [true, false] => contact.normal,
            [false, true] => -contact.normal,
            _ => continue,
        };
        for axis in 0..view.dimension {
            if inwards[axis] > ACROSS {
                walls_low[axis] = walls_low[axis].min(contact.point[axis]);
            } else if inwards[axis] < -ACROSS {
                walls_high[axis] = walls_high[axis].max(contact.point[axis]);
            }
        }
    }
    for axis in 0..view.dimension {
        if walls_low[axis].is_finite() {
            low[axis] = walls_low[axis];
        }
        if walls_high[axis].is_finite() {
            high[axis] = walls_high[axis];
        }
        if let Some(&Some(period)) = view.periods.get(axis) {
            high[axis] = low[axis] + period;
        }
    }
    Domain { low, high, dimension: view.dimension }
}
