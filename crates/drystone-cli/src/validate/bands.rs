//! Bands of shear in a biaxial test: along which angle a sample breaks, and which its friction would have.

use super::{Comparison, scene};
use crate::failure::Failure;
use drystone::{AnySimulation, Vector};
use drystone_measure::{FrameView, Reference, Request, ShearDirections, local_shear, measure_now_any};

/// Samples, each of other disks.
const SAMPLES: u32 = 8;

/// Steps while the sample is pressed together, those of the first stage.
const PRESSED: u64 = 300;

/// Steps between two looks at the stress.
const LOOK: u64 = 10;

/// Looks over which the ratio of the stresses is averaged: a tenth of a second.
const WINDOW: usize = 10;

/// Mean radius of the disks \[m\].
const RADIUS: f64 = 0.023;

/// Height of the samples \[m\], beyond which no two places are apart.
const HEIGHT: f64 = 2.0;

/// Coulomb 1773, Mohr 1900: a sample shears along `π/4 + φ/2` from the direction of the least compression,
/// with the friction angle φ of the largest ratio of its stresses, `sin φ = (σ₁ - σ₃)/(σ₁ + σ₃)`.
pub fn shear_band() -> Result<Vec<Comparison>, Failure> {
    let mut directions = ShearDirections::between(10.0 * RADIUS, HEIGHT);
    let mut ratios: Vec<f64> = Vec::new();
    for seed in 1..=SAMPLES {
        let found = compressed(seed, &mut directions)?;
        ratios.resize(found.len(), 0.0);
        ratios.iter_mut().zip(found).for_each(|(sum, ratio)| *sum += ratio / f64::from(SAMPLES));
    }
    let mean = |window: &[f64]| window.iter().sum::<f64>() / window.len() as f64;
    let largest = ratios.windows(WINDOW).map(mean).fold(f64::NAN, f64::max);
    let expected = 45.0 + 0.5 * friction_angle(largest);
    let found = directions.angle().map_or(f64::NAN, f64::to_degrees);
    Ok(vec![
        Comparison::absolute("angle of the shear band, by its friction [deg]", expected, found, 5.0),
        Comparison::fact("shear is alike along it, not beside", stands_out(&directions)),
    ])
}

/// Friction angle of a ratio of principal stresses \[°\].
fn friction_angle(ratio: f64) -> f64 {
    ((ratio - 1.0) / (ratio + 1.0)).asin().to_degrees()
}

/// Whether shear is correlated along the band, and is not along and across the sample.
fn stands_out(directions: &ShearDirections) -> bool {
    let curve = directions.curve();
    let largest = curve.iter().map(|point| point[1]).fold(f64::NAN, f64::max);
    let ends = [curve.first(), curve.last()];
    largest > 0.05 && ends.iter().all(|end| end.is_some_and(|point| point[1] < 0.5 * largest))
}

/// Presses a sample together and compresses it; adds where it sheared from then on, as it lay then, and gives
/// the ratio of its principal stresses at every look.
fn compressed(seed: u32, directions: &mut ShearDirections) -> Result<Vec<f64>, Failure> {
    let text = include_str!("../../../../scenes/gallery/biaxial-membrane.toml")
        .replace("seed = 5", &format!("seed = {seed}"))
        .replace("smallest = 0.05, largest = 0.08", "smallest = 0.018, largest = 0.028")
        .replace("step = 2e-3, duration = 0.7", "step = 1e-3, duration = 1.3");
    let scene = scene(&text)?;
    let mut simulation = scene.build()?;
    for _ in 0..PRESSED {
        simulation.step().map_err(Failure::other)?;
    }
    let reference = Reference::of_any(&simulation);
    let request = Request::parse("stress.ratio:group=sand").map_err(Failure::other)?;
    let mut ratios = Vec::new();
    for step in PRESSED + 1..=scene.steps() {
        simulation.step().map_err(Failure::other)?;
        if step % LOOK == 0 {
            ratios.push(measure_now_any(&simulation, &reference, &request).map_err(Failure::other)?);
        }
    }
    let (before, after) = places(&simulation, &reference);
    directions.add(&local_shear(&before, &after, 5.0 * RADIUS));
    Ok(ratios)
}

/// Centres of the grains as the sample was pressed, and now.
fn places(simulation: &AnySimulation, reference: &Reference) -> (Vec<Vector<2>>, Vec<Vector<2>>) {
    let view = FrameView::of_any(simulation, reference);
    let group = view.groups.iter().position(|name| name == "sand");
    let plane = |place: &Vector<3>| Vector::<2>::new(place[0], place[1]);
    view.bodies
        .iter()
        .filter(|body| Some(body.group as usize) == group)
        .filter_map(|body| Some((plane(&body.start?.position), plane(&body.position))))
        .unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_of_three_is_a_friction_angle_of_thirty_degrees() {
        assert!((friction_angle(3.0) - 30.0).abs() < 1e-12);
        assert!(friction_angle(1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_stands_out_of_nothing() {
        assert!(!stands_out(&ShearDirections::between(0.2, 2.0)));
    }
}
