//! How numbers of a frame are spread: histograms of contacts, bodies and columns, roses of directions. Draws
//! nothing.

use super::columns::RunColumns;
use crate::commands::measure;
use crate::failure::Failure;
use clap::ValueEnum;
use drystone_measure::{ContactView, FrameView};
use drystone_view::{Histogram, Scale};
use std::f64::consts::TAU;

/// Numbers with their title.
pub struct NumberSample {
    /// What they are, with the unit.
    pub title: String,
    /// The numbers.
    pub values: Vec<f64>,
}

/// Quantities of contacts and bodies in a frame: name and title.
const QUANTITIES: [(&str, &str); 6] = [
    ("contacts.normal_force", "normal force [N]"),
    ("contacts.tangential_force", "tangential force [N]"),
    ("contacts.gap", "gap [m]"),
    ("bodies.speed", "speed [m/s]"),
    ("bodies.radius", "radius [m]"),
    ("bodies.mass", "mass [kg]"),
];

/// Which bodies count.
pub struct Whose<'a> {
    /// The frame, from 0, from the end where negative.
    pub frame: i64,
    /// Bodies of this group; those that are free in every component where there is none.
    pub group: Option<&'a str>,
}

impl Whose<'_> {
    /// Whether each body counts.
    fn members(&self, view: &FrameView) -> Result<Vec<bool>, Failure> {
        let Some(name) = self.group else { return Ok(view.bodies.iter().map(|body| body.is_free).collect()) };
        let Some(group) = view.groups.iter().position(|known| known == name) else {
            let known = view.groups.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(Failure::bad_input(format!("no group \"{name}\"; there are: {known}")));
        };
        Ok(view.bodies.iter().map(|body| body.group as usize == group).collect())
    }

    /// Calls `with` on the frame and the contacts under load with a body that counts.
    fn look<T>(
        &self,
        columns: &RunColumns,
        with: impl FnOnce(&FrameView, &[bool], Vec<&ContactView>) -> T,
    ) -> Result<T, Failure> {
        let folder = columns.run.path();
        let frame = measure::index(self.frame, columns.run.times().len(), folder)?;
        let loaded = columns.reader()?.load(frame)?;
        let view = loaded.view();
        let members = self.members(&view)?;
        let of_them = |contact: &&ContactView| {
            contact.is_loaded() && contact.bodies.iter().any(|&body| members.get(body) == Some(&true))
        };
        let contacts = view.contacts.iter().filter(of_them).collect();
        Ok(with(&view, &members, contacts))
    }
}

/// The numbers of a histogram: a quantity of contacts or bodies in a frame, else a column as in a plot.
pub fn sample(columns: &RunColumns, name: &str, whose: &Whose) -> Result<NumberSample, Failure> {
    let Some((name, title)) = QUANTITIES.iter().find(|(known, _)| *known == name.replace(' ', "_")) else {
        if name.starts_with("contacts.") || name.starts_with("bodies.") {
            let known = QUANTITIES.map(|(known, _)| known).join(", ");
            return Err(Failure::bad_input(format!("no quantity \"{name}\" of a frame; there are: {known}")));
        }
        let column = columns.find(name)?;
        return Ok(NumberSample { title: column.label(), values: column.values });
    };
    let values = whose.look(columns, |view, members, contacts| {
        let bodies = || view.bodies.iter().zip(members).filter(|(_, counts)| **counts).map(|(body, _)| body);
        match *name {
            "contacts.normal_force" => contacts.iter().map(|contact| contact.normal_force()).collect(),
            "contacts.tangential_force" => {
                contacts.iter().map(|contact| contact.tangential_force().norm()).collect()
            }
            "contacts.gap" => contacts.iter().map(|contact| contact.gap).collect(),
            "bodies.speed" => bodies().map(|body| body.velocity.norm()).collect(),
            "bodies.radius" => bodies().map(|body| body.radius).collect(),
            _ => bodies().map(|body| body.mass).collect::<Vec<f64>>(),
        }
    })?;
    Ok(NumberSample { title: (*title).to_owned(), values })
}

/// Ends of `bins` bins that hold all numbers of some samples, even on the scale.
pub fn edges<'a>(
    samples: impl Iterator<Item = &'a NumberSample>,
    bins: usize,
    scale: Scale,
) -> Option<Vec<f64>> {
    let is_shown = |value: &&f64| value.is_finite() && (scale == Scale::Linear || **value > 0.0);
    let even = |value: f64| if scale == Scale::Log { value.log10() } else { value };
    let values = samples.flat_map(|sample| sample.values.iter().filter(is_shown));
    let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
        (low.min(even(value)), high.max(even(value)))
    });
    if low > high {
        return None;
    }
    if high - low <= 1e-12 * low.abs().max(high.abs()) {
        // numbers that are all alike still need a bin
        let half = if scale == Scale::Log { 0.5 } else { (0.5 * low.abs()).max(0.5) };
        (low, high) = (low - half, high + half);
    }
    let edge = |k: usize| {
        let even = low + (high - low) * k as f64 / bins as f64;
        if scale == Scale::Log { 10f64.powf(even) } else { even }
    };
    Some((0..=bins).map(edge).collect())
}

/// Probability density of a sample in bins; the columns together have the area of the share that lies in
/// them.
pub fn histogram(name: String, sample: &NumberSample, edges: &[f64]) -> Histogram {
    let last = edges.len().saturating_sub(2);
    let mut counts = vec![0.0; last + 1];
    let finite: Vec<f64> = sample.values.iter().copied().filter(|value| value.is_finite()).collect();
    for &value in &finite {
        let place = edges.partition_point(|edge| *edge <= value);
        // rounding may put the ends outside
        let slack = 1e-9 * (edges[last + 1] - edges[0]);
        if value >= edges[0] - slack && value <= edges[last + 1] + slack {
            counts[place.saturating_sub(1).min(last)] += 1.0;
        }
    }
    let total = finite.len().max(1) as f64;
    let widths = edges.windows(2).map(|pair| pair[1] - pair[0]);
    let heights = counts.iter().zip(widths).map(|(count, width)| count / (total * width)).collect();
    Histogram { name, edges: edges.to_vec(), heights }
}

/// What a rose shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Directions {
    /// How many contacts have their normal in a direction, over the same number spread evenly.
    Normals,
    /// Mean normal force of the contacts with their normal in a direction.
    NormalForce,
    /// Mean size of the tangential force of the same.
    TangentialForce,
}

impl Directions {
    /// What the distance from the centre means.
    pub fn title(self) -> &'static str {
        match self {
            Self::Normals => "contacts by direction of the normal, over an even spread [-]",
            Self::NormalForce => "mean normal force by direction of the normal [N]",
            Self::TangentialForce => "mean tangential force by direction of the normal [N]",
        }
    }
}

/// Numbers by direction, with the cosine that fits them best.
#[derive(Clone, Debug, PartialEq)]
pub struct Directed {
    /// Of each sector.
    pub values: Vec<f64>,
    /// Mean over the circle.
    pub mean: f64,
    /// `a` of `mean (1 + a cos 2(θ − θ₀))`.
    pub anisotropy: f64,
    /// `θ₀` in \[0, π) \[rad\].
    pub direction: f64,
}

impl Directed {
    /// The cosine around the circle: angle \[rad\] and value.
    pub fn curve(&self) -> Vec<[f64; 2]> {
        let point = |k: i32| {
            let angle = TAU * f64::from(k) / 180.0;
            [angle, self.mean * (1.0 + self.anisotropy * (2.0 * (angle - self.direction)).cos())]
        };
        (0..=180).map(point).collect()
    }
}

/// Contacts by the direction of their normal in the plane of two axes; a normal counts in both directions.
pub fn directed(
    columns: &RunColumns,
    what: Directions,
    axes: [usize; 2],
    sectors: usize,
    whose: &Whose,
) -> Result<Directed, Failure> {
    let found = whose.look(columns, |_, _, contacts| {
        let one = |contact: &&ContactView| {
            let [x, y] = axes.map(|axis| contact.normal[axis]);
            let value = match what {
                Directions::Normals => 1.0,
                Directions::NormalForce => contact.normal_force(),
                Directions::TangentialForce => contact.tangential_force().norm(),
            };
            // seen along itself a normal has no direction
            (x.hypot(y) > 1e-9).then(|| (y.atan2(x), value))
        };
        contacts.iter().filter_map(one).collect::<Vec<(f64, f64)>>()
    })?;
    if found.is_empty() {
        let folder = columns.run.path().display();
        let frame = whose.frame;
        return Err(Failure::bad_input(format!(
            "{folder}: no contact under load in frame {frame}; choose another by --frame, and see that its scene writes \
             contacts (output.contacts)"
        )));
    }
    Ok(spread(&found, what == Directions::Normals, sectors))
}

/// Numbers at angles, each counted in both directions: their number, or their mean in each sector.
fn spread(found: &[(f64, f64)], is_count: bool, sectors: usize) -> Directed {
    let (mut sums, mut counts) = (vec![0.0; sectors], vec![0.0; sectors]);
    for &(angle, value) in found {
        for way in [angle, angle + 0.5 * TAU] {
            let sector = (way / TAU * sectors as f64).round().rem_euclid(sectors as f64) as usize % sectors;
            sums[sector] += value;
            counts[sector] += 1.0;
        }
    }
    let even = 2.0 * found.len() as f64 / sectors as f64;
    let value = |(sum, count): (&f64, &f64)| match is_count {
        true => count / even,
        false if *count > 0.0 => sum / count,
        false => 0.0,
    };
    let values: Vec<f64> = sums.iter().zip(&counts).map(value).collect();
    // of numbers of contacts the moments are those of the contacts, not of the sectors
    let weighted: Vec<(f64, f64)> = match is_count {
        true => found.iter().map(|(angle, _)| (*angle, 1.0)).collect(),
        false => values.iter().enumerate().map(|(k, v)| (TAU * k as f64 / sectors as f64, *v)).collect(),
    };
    let sum = |of: &dyn Fn(f64) -> f64| weighted.iter().map(|(angle, v)| v * of(2.0 * angle)).sum::<f64>();
    let (cosine, sine, all) = (sum(&f64::cos), sum(&f64::sin), sum(&|_| 1.0));
    Directed {
        mean: if is_count { 1.0 } else { all / sectors as f64 },
        anisotropy: if all > 0.0 { 2.0 * cosine.hypot(sine) / all } else { 0.0 },
        direction: (0.5 * sine.atan2(cosine)).rem_euclid(0.5 * TAU),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_density_has_the_area_one() {
        let values: Vec<f64> = (0..1000).map(|k| (f64::from(k) * 0.618).fract().powi(2) + 0.01).collect();
        let sample = NumberSample { title: String::new(), values };
        for scale in [Scale::Linear, Scale::Log] {
            let edges = edges([&sample].into_iter(), 13, scale).unwrap();
            let found = histogram(String::new(), &sample, &edges);
            let area: f64 = found.heights.iter().zip(edges.windows(2)).map(|(h, e)| h * (e[1] - e[0])).sum();
            assert!((area - 1.0).abs() < 1e-9, "{area}");
        }
        let alike = NumberSample { title: String::new(), values: vec![3.0; 5] };
        let edges = edges([&alike].into_iter(), 4, Scale::Linear).unwrap();
        assert_eq!(histogram(String::new(), &alike, &edges).heights.iter().filter(|h| **h > 0.0).count(), 1);
    }

    #[test]
    fn a_rose_finds_the_anisotropy_it_was_made_with() {
        // the density 1 + 0.4 cos 2(θ − 1) by its own inverse, numerically
        let mut found = Vec::new();
        let steps = 20_000;
        let mut share = 0.0;
        for k in 0..steps {
            let angle = TAU * (f64::from(k) + 0.5) / f64::from(steps);
            share += 1.0 + 0.4 * (2.0 * (angle - 1.0)).cos();
            while share >= 1.0 {
                found.push((angle, 2.0 + (2.0 * (angle - 0.5)).cos()));
                share -= 1.0;
            }
        }
        let rose = spread(&found, true, 36);
        assert!((rose.anisotropy - 0.4).abs() < 2e-3 && (rose.direction - 1.0).abs() < 5e-3, "{rose:?}");
        assert!((rose.values.iter().sum::<f64>() / 36.0 - 1.0).abs() < 1e-12);
        let forces = spread(&found, false, 36);
        assert!((forces.mean - 2.0).abs() < 1e-2 && (forces.anisotropy - 0.5).abs() < 1e-2, "{forces:?}");
        assert!((forces.direction - 0.5).abs() < 1e-2);
    }
}
