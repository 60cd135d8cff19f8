//! The mechanism or the forces as a picture. Computes nothing but how far to move the bodies.

use super::{Findings, StabilityAnswer};
use crate::failure::Failure;
use drystone::{PerDof, Pose, Simulation};
use drystone_diagnose::statics::Rest;
use drystone_math::per_dof::norm;
use drystone_scene::Scene;
use drystone_view::{ColourBy, ForceSegment, Show, Status, Style, still};
use std::path::Path;

/// How far the fastest body is moved, relative to the size of the structure.
const SHOWN: f64 = 0.06;

/// Draws the mechanism, where bodies ended up as supports moved, or the forces.
pub fn draw<const D: usize>(
    simulation: &Simulation<D>,
    scene: &Scene,
    findings: &Findings<D>,
    width: u32,
    path: &Path,
) -> Result<(), Failure> {
    let mut style = Style { width, ..Style::default() };
    let bodies = simulation.bodies();
    let mut picture = if let Some(mechanism) = findings.mechanism() {
        let (moved, velocities) = moved(simulation, mechanism);
        (style.colour_by, style.show) = (ColourBy::Speed, Show::Bodies);
        still(simulation, &format!("{}: mechanism", scene.title), &moved, &velocities, true)
    } else if let Some(StabilityAnswer::Settled { settled, .. }) = &findings.answer {
        let title = format!("{}: settled by {:.4} m", scene.title, settled.movement);
        still(simulation, &title, &settled.poses, &[], true)
    } else {
        style.show = Show::Forces;
        still(simulation, &format!("{}: admissible forces", scene.title), &bodies.pose, &[], false)
    };
    if let (Rest::Balanced { .. }, None) = (&findings.rest, &findings.answer) {
        let middles = middles(simulation, &findings.joints);
        picture.contacts = findings.joints.iter().filter_map(|joint| thrust(&middles, joint)).collect();
    }
    Ok(drystone_view::render(&picture, &style, path)?)
}

/// Poses along a mechanism, and velocities in units of its fastest body.
fn moved<const D: usize>(
    simulation: &Simulation<D>,
    mechanism: &[PerDof<D>],
) -> (Vec<Pose<D>>, Vec<PerDof<D>>) {
    let bodies = simulation.bodies();
    let speed = |body: usize| {
        let radius = if bodies.radius[body].is_finite() { bodies.radius[body] } else { 0.0 };
        norm(&mechanism[body][..D]) + radius * norm(&mechanism[body][D..])
    };
    let fastest = (0..bodies.len()).map(speed).fold(0.0, f64::max);
    let unit = if fastest > 0.0 { 1.0 / fastest } else { 0.0 };
    let way = SHOWN * super::size(simulation);
    let velocities: Vec<PerDof<D>> = mechanism.iter().take(bodies.len()).map(|v| v * unit).collect();
    (simulation.moved(&velocities, way), velocities)
}

/// The resultant of a joint, from body to body through the point where it passes.
fn thrust(middles: &[Option<[f64; 3]>], joint: &super::Joint) -> Option<ForceSegment> {
    (joint.pushes > 0.0).then(|| ForceSegment {
        bodies: joint.indices.map(|body| body as u32),
        point: joint.pressed,
        normal: joint.normal,
        force: joint.normal.map(|x| x * joint.pushes),
        centres: joint.indices.map(|body| middles[body]),
        status: Status::Stick,
    })
}

/// Where the lines of a body meet: the mean of the points where its resultants pass, each by its force, so
/// that those of a voussoir make one straight line; the centre of mass where there is one resultant only.
/// None for supports.
fn middles<const D: usize>(simulation: &Simulation<D>, joints: &[super::Joint]) -> Vec<Option<[f64; 3]>> {
    let bodies = simulation.bodies();
    let middle = |body: usize| -> Option<[f64; 3]> {
        let own: Vec<&super::Joint> =
            joints.iter().filter(|joint| joint.pushes > 0.0 && joint.indices.contains(&body)).collect();
        if bodies.is_driven(body) {
            return None;
        }
        if own.len() < 2 {
            let position = bodies.pose[body].position;
            return Some(std::array::from_fn(|i| if i < D { position[i] } else { 0.0 }));
        }
        let sum: f64 = own.iter().map(|joint| joint.pushes).sum();
        Some(std::array::from_fn(|i| {
            own.iter().map(|joint| joint.pushes * joint.pressed[i]).sum::<f64>() / sum
        }))
    };
    (0..bodies.len()).map(middle).collect()
}
