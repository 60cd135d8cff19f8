//! What a user wants to know before a long run: overlaps, ratios, memory, output, and what looks like a slip.
//! Refuses nothing that the scene itself allows.

use crate::pieces::{DecompositionReport, decompositions};
use crate::slips::slips;
use crate::validate::show;
use crate::{Scene, SceneError, forecast};
use drystone::{AnySimulation, Bodies, BodyId, Simulation};
use serde::Serialize;
use std::fmt;

/// Overlaps listed by name; the rest is counted.
const LISTED: usize = 100;

/// Bodies laid one on the other overlap by rounding; less than this, relative to the smaller, is no overlap.
const ROUNDING: f64 = 1e-10;

/// Two bodies that overlap at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverlapReport {
    /// Names of the two.
    pub bodies: [String; 2],
    /// How deep \[m\].
    pub depth: f64,
    /// The same relative to the radius of the smaller \[-\].
    pub relative: f64,
}

/// The largest and the smallest of something, and whose they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Largest over smallest \[-\].
    pub ratio: f64,
    /// The largest value, in the unit of the quantity.
    pub largest: f64,
    /// Whose it is.
    pub largest_body: String,
    /// The smallest value.
    pub smallest: f64,
    /// Whose it is.
    pub smallest_body: String,
}

/// What [`check`] found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// Number of bodies.
    pub bodies: usize,
    /// Of them wholly fixed or driven.
    pub driven: usize,
    /// Number of time steps.
    pub steps: u64,
    /// Number of outputs, with that of the start.
    pub outputs: u64,
    /// Pairs that overlap at the start.
    pub overlap_count: usize,
    /// The deepest of them, at most a hundred.
    pub overlaps: Vec<OverlapReport>,
    /// Masses \[kg\] of the bodies that can move; none if there are none.
    pub mass_ratio: Option<Ratio>,
    /// Radii \[m\] of the bodies of finite size; none if there are none.
    pub size_ratio: Option<Ratio>,
    /// Shapes that are cut into convex pieces.
    pub decompositions: Vec<DecompositionReport>,
    /// Memory a run will take, that of the command included, roughly \[bytes\].
    pub memory_bytes: u64,
    /// Size of the run folder at the end, roughly \[bytes\].
    pub output_bytes: u64,
    /// What looks like a slip, a sentence each.
    pub warnings: Vec<String>,
}

/// Builds the scene and looks it over.
pub fn check(scene: &Scene) -> Result<CheckReport, SceneError> {
    Ok(match scene.build()? {
        AnySimulation::Plane(simulation) => look_over(scene, &simulation),
        AnySimulation::Space(simulation) => look_over(scene, &simulation),
    })
}

fn look_over<const D: usize>(scene: &Scene, simulation: &Simulation<D>) -> CheckReport {
    let bodies = simulation.bodies();
    let smaller = |pair: [BodyId; 2]| {
        let [a, b] = pair.map(|body| bodies.radius[body.0 as usize]);
        a.min(b)
    };
    let mut overlaps = simulation.overlaps();
    overlaps.retain(|overlap| overlap.depth > ROUNDING * smaller(overlap.bodies));
    let free = |body: &usize| !bodies.is_driven(*body);
    let outputs = (scene.time.duration / scene.interval()).floor() as u64 + 1;
    let name = |overlap: &drystone::Overlap| {
        let pair = overlap.bodies.map(|body| body.0 as usize);
        OverlapReport {
            bodies: pair.map(|body| bodies.name[body].clone()),
            depth: overlap.depth,
            relative: overlap.depth / smaller(overlap.bodies),
        }
    };
    let mut report = CheckReport {
        bodies: bodies.len(),
        driven: (0..bodies.len()).filter(|body| !free(body)).count(),
        steps: scene.steps(),
        outputs,
        overlap_count: overlaps.len(),
        overlaps: overlaps.iter().take(LISTED).map(name).collect(),
        mass_ratio: None,
        size_ratio: None,
        decompositions: decompositions(scene),
        memory_bytes: forecast::memory(scene, simulation),
        output_bytes: forecast::output(scene, simulation, outputs),
        warnings: Vec::new(),
    };
    let mass = |body: usize| (0..D).find(|&c| bodies.driven[body][c].is_none()).map(|c| bodies.mass[body][c]);
    report.mass_ratio = ratio(bodies, (0..bodies.len()).filter_map(|body| Some((body, mass(body)?))));
    let sizes = (0..bodies.len()).map(|body| (body, bodies.radius[body]));
    report.size_ratio = ratio(bodies, sizes.filter(|(_, radius)| radius.is_finite()));
    report.warnings = warnings(scene, &report);
    report
}

fn ratio<const D: usize>(
    bodies: &Bodies<D>,
    values: impl Iterator<Item = (usize, f64)> + Clone,
) -> Option<Ratio> {
    let (largest_body, largest) = values.clone().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (smallest_body, smallest) = values.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Ratio {
        ratio: largest / smallest,
        largest,
        largest_body: bodies.name[largest_body].clone(),
        smallest,
        smallest_body: bodies.name[smallest_body].clone(),
    })
}

/// Sentences about what looks like a slip.
fn warnings(scene: &Scene, report: &CheckReport) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(deepest) = report.overlaps.iter().max_by(|a, b| a.relative.total_cmp(&b.relative))
        && deepest.relative > 0.01
    {
        let [a, b] = &deepest.bodies;
        warnings.push(format!(
            "{a:?} and {b:?} overlap at the start by {} m, {} % of the smaller",
            show(rounded(deepest.depth)),
            show(rounded(deepest.relative * 100.0)),
        ));
    }
    if let Some(mass) = report.mass_ratio.as_ref().filter(|mass| mass.ratio > 1e4) {
        warnings.push(format!(
            "{:?} is {} times as heavy as {:?}: the solver will be slow",
            mass.largest_body,
            show(rounded(mass.ratio)),
            mass.smallest_body,
        ));
    }
    if let Some(size) = &report.size_ratio {
        let gravity = scene.gravity().iter().map(|x| x * x).sum::<f64>().sqrt();
        let fall = 0.5 * gravity * scene.time.step * scene.time.step;
        if fall > size.smallest {
            warnings.push(format!(
                "in one step of {} s a body falls {} m, more than the size of {:?}: take a smaller step",
                show(scene.time.step),
                show(rounded(fall)),
                size.smallest_body,
            ));
        }
        if size.largest > 1e4 {
            warnings.push(format!(
                "{:?} measures {} m: are the lengths in metres?",
                size.largest_body,
                show(rounded(size.largest)),
            ));
        }
    }
    if scene.solver.tolerance > 1e-3 {
        warnings.push(format!(
            "the tolerance {} is loose: forces will not balance",
            show(scene.solver.tolerance)
        ));
    }
    for cut in report.decompositions.iter().filter(|cut| cut.volume_error.abs() > 0.01) {
        warnings.push(format!(
            "the pieces of {:?} fill {} % more than the shape: take a smaller tolerance",
            cut.shape,
            show(rounded(cut.volume_error * 100.0)),
        ));
    }
    let light = scene.materials.values().map(|material| material.density);
    let light =
        light.chain(scene.bodies.iter().filter_map(|body| body.density)).find(|&density| density < 10.0);
    if let Some(density) = light {
        warnings.push(format!("a density of {} kg/m³ is that of a gas: is it in kg/m³?", show(density)));
    }
    warnings.extend(slips(scene));
    warnings
}

/// Shapes and overlaps that people are shown.
const SHOWN: usize = 5;

/// Three digits, for people.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

fn bytes(count: u64) -> String {
    let mut size = count as f64;
    for unit in ["bytes", "kB", "MB", "GB", "TB"] {
        if size < 1000.0 {
            return format!("{} {unit}", size.round());
        }
        size /= 1000.0;
    }
    format!("{} PB", size.round())
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bodies      {} ({} driven)", self.bodies, self.driven)?;
        writeln!(f, "steps       {}, {} outputs", self.steps, self.outputs)?;
        for (name, unit, ratio) in
            [("mass ratio", "kg", &self.mass_ratio), ("size ratio", "m", &self.size_ratio)]
        {
            if let Some(r) = ratio {
                let number = |x: f64| show(rounded(x));
                writeln!(
                    f,
                    "{name}  {} ({:?} {} {unit}, {:?} {} {unit})",
                    number(r.ratio),
                    r.largest_body,
                    number(r.largest),
                    r.smallest_body,
                    number(r.smallest),
                )?;
            }
        }
        for cut in self.decompositions.iter().take(SHOWN) {
            writeln!(f, "pieces      {cut}")?;
        }
        if let Some(more) = self.decompositions.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            writeln!(f, "            and {more} shapes more")?;
        }
        writeln!(f, "memory      about {}", bytes(self.memory_bytes))?;
        writeln!(f, "output      about {}", bytes(self.output_bytes))?;
        writeln!(f, "overlaps    {}", self.overlap_count)?;
        for overlap in self.overlaps.iter().take(SHOWN) {
            let [a, b] = &overlap.bodies;
            writeln!(f, "            {a:?} and {b:?}, {} m", show(rounded(overlap.depth)))?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}
