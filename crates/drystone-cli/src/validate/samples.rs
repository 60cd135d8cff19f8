//! Samples of grains: stress of the contacts against the forces on walls, friction of plane shear, the
//! distribution of forces, the pressure in a silo, the density of close packing.

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

/// Bernal and Mason 1960, O'Hern and others 2003: spheres without friction, away from the walls, have six
/// contacts each, rattlers apart. Means over the last fifth of the run.
pub fn close_packing() -> Result<Vec<Comparison>, Failure> {
    let text = include_str!("../../../../scenes/gallery/close-packing.toml")
        .replace("smallest = 0.09, largest = 0.11", "smallest = 0.034, largest = 0.040")
        // from not far below the end, in steps so long that little is left of shocks
        .replace("solid_fraction = 0.5", "solid_fraction = 0.58")
        .replace("step = 2e-3, duration = 0.8", "step = 3e-3, duration = 1.2");
    let [fraction, contacts] = means(
        &scene(&text)?,
        0.8,
        [
            "void_ratio.solid_fraction:group=balls:box=0.2,0.2,0.2,0.7,0.7,0.7",
            "coordination.without_rattlers:group=balls:box=0.2,0.2,0.2,0.7,0.7,0.7:least=4",
        ],
    )?;
    Ok(vec![
        Comparison::absolute("solid fraction", 0.635, fraction, 0.01),
        Comparison::absolute("contacts of a sphere, without rattlers", 6.0, contacts, 0.15),
    ])
}

/// Layers of a silo, from its floor up.
const LAYERS: usize = 12;

/// Samples of the silo.
const SILOS: u32 = 8;

/// Janssen 1895: the pressure in a silo is `w l (1 - exp(-z/l))` at the depth z, with the weight w of the
/// grains and one length l to be found. Means over samples and over the second half of their runs.
pub fn janssen() -> Result<Vec<Comparison>, Failure> {
    // the grains of each sample reach a little higher
    let height = 5.76;
    let places: [f64; LAYERS] = std::array::from_fn(|layer| height * (layer as f64 + 0.5) / LAYERS as f64);
    let half = 0.5 * height / LAYERS as f64;
    let layers =
        places.map(|place| format!("stress.yy:group=grains:box=0,{},1,{}", place - half, place + half));
    let (mut pressures, mut top, mut weight) = ([0.0; LAYERS], 0.0, 0.0);
    let share = 1.0 / f64::from(SILOS);
    for seed in 1..=SILOS {
        let text = include_str!("../../../../scenes/validation/janssen.toml");
        let scene = scene(&text.replace("seed = 2", &format!("seed = {seed}")))?;
        let mut measures = [""; LAYERS + 3];
        measures.iter_mut().zip(&layers).for_each(|(measure, layer)| *measure = layer);
        measures[LAYERS..].copy_from_slice(&[
            "void_ratio.solid_fraction:group=grains:box=0,1,1,5",
            "mass.centre_y:group=grains",
            "displacement.y:body=floor",
        ]);
        let found: [f64; LAYERS + 3] = means(&scene, 0.5, measures)?;
        let [fraction, centre, floor] = [found[LAYERS], found[LAYERS + 1], found[LAYERS + 2]];
        pressures.iter_mut().zip(found).for_each(|(sum, pressure)| *sum += share * pressure);
        weight += share * 2000.0 * 9.81 * fraction;
        // loose grains on top weigh less than their height says: an even column with this centre ends here
        top += share * (2.0 * centre - floor);
    }
    let depths = places.map(|place| top - place);
    Ok(vec![Comparison::absolute("R² of Janssen's curve", 1.0, explained(&depths, &pressures, weight), 0.01)])
}

/// How much of the variance of pressures the curve `w l (1 - exp(-z/l))` explains, for the length `l` that
/// fits best.
fn explained(depths: &[f64], pressures: &[f64], weight: f64) -> f64 {
    let mean = pressures.iter().sum::<f64>() / pressures.len() as f64;
    let spread: f64 = pressures.iter().map(|pressure| (pressure - mean).powi(2)).sum();
    let left = |length: f64| -> f64 {
        let curve = |z: &f64| weight * length * (1.0 - (-z / length).exp());
        depths.iter().zip(pressures).map(|(z, pressure)| (pressure - curve(z)).powi(2)).sum()
    };
    let lengths = (1..=2000).map(|k| 0.005 * f64::from(k));
    1.0 - lengths.map(left).fold(f64::INFINITY, f64::min) / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_its_own_kind_is_explained_wholly_and_others_are_not() {
        let depths: Vec<f64> = (1..=12).map(|k| 0.5 * f64::from(k)).collect();
        let curve = |weight: f64| -> Vec<f64> {
            depths.iter().map(|z| weight * 1.5 * (1.0 - (-z / 1.5).exp())).collect()
        };
        assert!(explained(&depths, &curve(1.6e4), 1.6e4) > 1.0 - 1e-9);
        // the right form of a column that weighs half as much more
        assert!(explained(&depths, &curve(2.4e4), 1.6e4) < 0.95);
        let wavy: Vec<f64> = depths.iter().map(|z| 2e4 + 1e4 * (3.0 * z).sin()).collect();
        assert!(explained(&depths, &wavy, 1.6e4) < 0.5);
    }
}
