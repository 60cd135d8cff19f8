//! Measures the shear band of a biaxial run, and the friction angle of the same run:
//! `cargo run -p drystone-cli --example shear_band -- runs/biaxial FROM TO PROFILE.svg`, times in seconds.

use drystone::Vector;
use drystone_io::{Frame, RunFolder};
use drystone_measure::{local_shear, shear_band};
use drystone_view::{Axis, Plot, Scale, Series, plot};
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, from, to, picture] = arguments.as_slice() else {
        return Err("give a run folder, two times and a picture".into());
    };
    let run = RunFolder::open(folder)?;
    let scene = run.scene()?;
    let disks: Vec<usize> =
        (0..scene.bodies.len()).filter(|&body| scene.bodies[body].group == "disks").collect();
    let frame = |time: &str| -> Result<Frame, Failure> {
        let time: f64 = time.parse()?;
        let near = |a: &&f64, b: &&f64| (*a - time).abs().total_cmp(&(*b - time).abs());
        let (index, _) = run.times().iter().enumerate().min_by(|a, b| near(&a.1, &b.1)).ok_or("no frame")?;
        Ok(run.frame(index)?)
    };
    let places = |frame: &Frame| -> Vec<Vector<2>> {
        let place =
            |&disk: &usize| Vector::<2>::new(frame.bodies[disk].position[0], frame.bodies[disk].position[1]);
        disks.iter().map(place).collect()
    };
    let (before, after) = (places(&frame(from)?), places(&frame(to)?));
    // neighbours of neighbours, and a band of a few grains
    let diameter = 0.2;
    let field = local_shear(&before, &after, 2.5 * diameter);
    let band = shear_band(&field, 1.5 * diameter).ok_or("no band")?;
    println!(
        "band at {:.1} degrees, contrast {:.2}, explains {:.2} of the variance",
        band.angle.to_degrees(),
        band.contrast,
        band.explained
    );
    let normal = Vector::<2>::new(-band.angle.sin(), band.angle.cos());
    let points = field.iter().map(|local| [normal.dot(&(local.place - band.middle)), local.shear]);
    let axis = |label: &str| Axis { label: label.into(), scale: Scale::Linear };
    let graph = Plot {
        title: "Shear across the band".into(),
        x: axis("distance from its middle [m]"),
        y: axis("local shear strain"),
        series: vec![Series { name: "disks".into(), points: profile(points.collect()) }],
        ..Plot::default()
    };
    Ok(plot(&graph, Path::new(picture))?)
}

/// Means over strips a tenth of a metre wide.
fn profile(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let strips = points.chunk_by(|a, b| (a[0] / 0.1).floor() == (b[0] / 0.1).floor());
    let mean =
        |strip: &[[f64; 2]], axis: usize| strip.iter().map(|p| p[axis]).sum::<f64>() / strip.len() as f64;
    strips.map(|strip| [mean(strip, 0), mean(strip, 1)]).collect()
}
