//! The biaxial test of Dal Pont and Dimnet (2008, §5.2), on as many samples as one likes.
//! `cargo run --release -p drystone-cli --example biaxial -- scene SEED FILE` writes the scene of a sample,
//! `cargo run --release -p drystone-cli --example biaxial -- bands FIRST LAST PICTURE.svg` runs samples and
//! measures the angle of their shear bands.

mod sample;

use drystone::{Simulation, Vector};
use drystone_measure::{ShearDirections, contact_forces, local_shear};
use drystone_view::{Plot, PlotAxis, Scale, Series, plot};
use rayon::prelude::*;
use sample::{FRICTION, PRESSURE, RATE, Sample, simulation};
use std::path::Path;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Strain of the test, and of one look at what sheared.
const STRAIN: f64 = 0.08;
const LOOK: f64 = 0.005;
/// How far neighbours are \[m\], and places whose shear is compared: without a common neighbour, within the
/// sample.
const REACH: f64 = 0.5;
const APART: [f64; 2] = [2.0 * REACH, 2.0];
/// Over how long forces are smoothed \[s\].
const SMOOTH: f64 = 0.1;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["scene", seed, file] => Ok(std::fs::write(file, Sample::new(seed.parse()?)?.scene())?),
        ["bands", first, last, picture] => bands(first.parse()?, last.parse()?, Path::new(picture)),
        _ => Err("give `scene SEED FILE` or `bands FIRST LAST PICTURE.svg`".into()),
    }
}

/// What one sample did.
struct Found {
    seed: u64,
    size: [f64; 2],
    directions: ShearDirections,
    /// Largest and mean stress of the plate over the pressure of the membrane.
    largest: f64,
    mean: f64,
    not_converged: usize,
    gave_work: u64,
    balance: f64,
}

fn bands(first: u64, last: u64, picture: &Path) -> Result<(), Failure> {
    let found: Vec<Found> = (first..=last).into_par_iter().map(test).collect::<Result<_, Failure>>()?;
    let expected = 45.0 + 0.5 * FRICTION.atan().to_degrees();
    println!(
        "| sample | size [m] | σ₁/σ₃ largest, mean | direction of shear [°] | not converged | gave work | balance |"
    );
    println!("|---|---|---|---|---|---|---|");
    for one in &found {
        println!(
            "| {} | {:.2} × {:.2} | {:.2}, {:.2} | {:.1} | {} | {} | {:.0e} |",
            one.seed,
            one.size[0],
            one.size[1],
            one.largest,
            one.mean,
            degrees(&one.directions),
            one.not_converged,
            one.gave_work,
            one.balance,
        );
    }
    let all = joined(found.iter());
    // jackknife: what the samples say without each of them in turn
    let without: Vec<f64> = (0..found.len())
        .map(|k| degrees(&joined(found.iter().enumerate().filter(|f| f.0 != k).map(|f| f.1))))
        .collect();
    let count = found.len() as f64;
    let middle = without.iter().sum::<f64>() / count;
    let error = (without.iter().map(|x| (x - middle).powi(2)).sum::<f64>() * (count - 1.0) / count).sqrt();
    let near = found.iter().filter(|one| (degrees(&one.directions) - expected).abs() <= 5.0).count();
    println!(
        "\nall: {:.1} ± {error:.1}, expected {expected:.1}; {near} of {count} samples within 5°",
        degrees(&all)
    );
    let curve = |name: &str, directions: &ShearDirections| Series {
        name: name.into(),
        points: directions.curve().into_iter().map(|[angle, c]| [angle.to_degrees(), c]).collect(),
    };
    let axis = |label: &str| PlotAxis { label: label.into(), scale: Scale::Linear };
    let graph = Plot {
        title: "Where shear is alike".into(),
        x: axis("direction from the horizontal [°]"),
        y: axis("correlation of shear"),
        series: vec![
            curve("all samples", &all),
            curve(&format!("sample {first}"), &found[0].directions),
            Series { name: "π/4 + φ/2".into(), points: vec![[expected, -0.3], [expected, 0.1]] },
        ],
        ..Plot::default()
    };
    Ok(plot(&graph, picture)?)
}

fn degrees(directions: &ShearDirections) -> f64 {
    directions.angle().map_or(f64::NAN, f64::to_degrees)
}

fn joined<'a>(found: impl Iterator<Item = &'a Found>) -> ShearDirections {
    let mut all = ShearDirections::between(APART[0], APART[1]);
    found.for_each(|one| all.join(&one.directions));
    all
}

/// Makes a sample and presses it.
fn test(seed: u64) -> Result<Found, Failure> {
    let sample = Sample::new(seed)?;
    let mut simulation = simulation(&sample.scene())?;
    let plate = simulation.bodies().name.iter().position(|name| name == "upper plate").ok_or("no plate")?;
    let step = simulation.settings().step;
    let steps = (STRAIN / RATE / step).round() as usize;
    let look = (LOOK / RATE / step).round() as usize;
    let mut found = Found {
        seed,
        size: [sample.width, sample.height],
        directions: ShearDirections::between(APART[0], APART[1]),
        largest: 0.0,
        mean: 0.0,
        not_converged: 0,
        gave_work: 0,
        balance: 0.0,
    };
    let (mut before, mut stress) = (grains(&simulation), Vec::new());
    for done in 1..=steps {
        let report = simulation.step();
        found.not_converged += usize::from(!report.converged);
        found.gave_work += u64::from(report.dissipation.violations);
        stress.push(contact_forces(&simulation)[plate][1] / (sample.width * PRESSURE));
        if done % look == 0 {
            let now = grains(&simulation);
            found.directions.add(&local_shear(&before, &now, REACH));
            before = now;
        }
    }
    let window = (SMOOTH / step).round() as usize;
    found.largest = stress.windows(window).map(|w| w.iter().sum::<f64>() / window as f64).fold(0.0, f64::max);
    found.mean = stress.iter().sum::<f64>() / steps as f64;
    found.balance = simulation.energy().balance_error;
    eprintln!(
        "sample {seed}: {:.1}°, {} steps not converged",
        degrees(&found.directions),
        found.not_converged
    );
    Ok(found)
}

fn grains(simulation: &Simulation<2>) -> Vec<Vector<2>> {
    let bodies = simulation.bodies();
    let is_grain = |body: &usize| bodies.name[*body].starts_with("grain");
    (0..bodies.len()).filter(is_grain).map(|body| bodies.pose[body].position).collect()
}
