//! Samples of grains: stress of the contacts against the forces on walls, friction of plane shear, the
//! distribution of forces, the density of close packing.

use super::{Comparison, scene};
use crate::failure::Failure;
use drystone::AnySimulation;
use drystone_measure::{Reference, Request, measure_now_any};
use drystone_scene::Scene;

/// Runs a scene and gives means over the steps from a share of the run on, of as many measures.
fn means<const N: usize>(scene: &Scene, from: f64, measures: [&str; N]) -> Result<[f64; N], Failure> {
    let mut simulation = scene.build()?;
    let reference = Reference::of_any(&simulation);
    let requests = measures.map(Request::parse);
    let (steps, mut sums, mut count) = (scene.steps(), [0.0; N], 0.0);
    let first = (from * steps as f64) as u64;
    for step in 1..=steps {
        simulation.step().map_err(Failure::other)?;
        if step < first {
            continue;
        }
        for (sum, request) in sums.iter_mut().zip(&requests) {
            let request = request.as_ref().map_err(Failure::other)?;
            *sum += one(&simulation, &reference, request)?;
        }
        count += 1.0;
    }
    Ok(sums.map(|sum| sum / count))
}

fn one(simulation: &AnySimulation, reference: &Reference, request: &Request) -> Result<f64, Failure> {
    measure_now_any(simulation, reference, request).map_err(Failure::other)
}

/// Love 1927, Weber 1966: the stress of the contacts in a loaded box is the force on a wall over its length.
pub fn weber() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/gallery/loaded-box.toml"))?;
    let [xx, yy, volume, top, right] = means(
        &scene,
        1.0,
        [
            "stress.xx:group=disks",
            "stress.yy:group=disks",
            "stress.volume:group=disks",
            "displacement.y:body=top",
            "displacement.x:body=right",
        ],
    )?;
    let (width, height) = (1.0 + right, 1.0 + top);
    Ok(vec![
        Comparison::relative("stress along y: 3000 N over the width [Pa]", 3000.0 / width, yy, 0.01),
        Comparison::relative("stress along x: 2500 N over the height [Pa]", 2500.0 / height, xx, 0.01),
        Comparison::relative("area between the walls [m2]", width * height, volume, 0.01),
    ])
}

/// da Cruz and others 2005: friction 0.25 + 1.1 I and solid fraction 0.81 - 0.3 I of plane shear at the
/// inertial number I, for grains of friction 0.4; at I = 0.1.
pub fn shear() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/gallery/shear-cell.toml"))?;
    let [shear, pressure, fraction] = means(
        &scene,
        0.5,
        ["stress.xy:group=grains", "stress.yy:group=grains", "void_ratio.solid_fraction:group=grains"],
    )?;
    Ok(vec![
        Comparison::absolute("shear stress over pressure at I = 0.1", 0.36, (shear / pressure).abs(), 0.04),
        Comparison::absolute("solid fraction at I = 0.1", 0.78, fraction, 0.02),
    ])
}

/// Radjai, Jean, Moreau and Roux 1996: above the mean normal forces are distributed as `exp(-1.4 f)`, f in
/// means, and three contacts of five bear less than the mean.
pub fn forces() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/force-distribution.toml"))?;
    let [exponent, weak] =
        means(&scene, 0.8, ["forces.strong_exponent:group=disks", "forces.weak_share:group=disks"])?;
    Ok(vec![
        Comparison::absolute("exponent of strong forces", 1.4, exponent, 0.3),
        Comparison::absolute("share of contacts below the mean", 0.6, weak, 0.05),
    ])
}

/// Bernal and Mason 1960, O'Hern and others 2003: spheres without friction, away from the walls.
pub fn close_packing() -> Result<Vec<Comparison>, Failure> {
    let text = include_str!("../../../../scenes/gallery/close-packing.toml")
        .replace("smallest = 0.09, largest = 0.11", "smallest = 0.034, largest = 0.040")
        .replace("step = 2e-3, duration = 0.8", "step = 1e-3, duration = 0.5");
    let inside = "void_ratio.solid_fraction:group=balls:box=0.2,0.2,0.2,0.7,0.7,0.7";
    let [fraction] = means(&scene(&text)?, 1.0, [inside])?;
    Ok(vec![Comparison::absolute("solid fraction", 0.635, fraction, 0.01)])
}
