//! How long a million grains take, packing by packing:
//! `cargo run --release -p drystone-samples --example million`.

use drystone_math::Vector;
use drystone_samples::{
    Container, CountBy, Cuboid, GrainForm, GrainSizes, GrowthParams, Lattice, PolyhedronForm, deposit, grow,
    lattice, random_sequential, solid_fraction,
};
use std::time::Instant;

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1_000_000);
    let sizes = GrainSizes::Uniform { smallest: 0.4e-3, largest: 1.2e-3, by: CountBy::Volume };
    plane(count, &sizes);
    space(count, &sizes);
}

/// A cube (square) in which the grains fill this share.
fn room<const D: usize>(radii: &[f64], fraction: f64, aspect: f64) -> Cuboid<D> {
    let volume: f64 = radii.iter().map(|r| drystone_samples::ball_volume::<D>(*r)).sum();
    let side = (volume / fraction / aspect).powf(1.0 / D as f64);
    let mut high = Vector::repeat(side);
    high[D - 1] *= aspect;
    Cuboid { low: Vector::zeros(), high }
}

fn show<T>(what: &str, made: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = made();
    println!("{what:45} {:6.2} s", start.elapsed().as_secs_f64());
    result
}

fn both<const D: usize>(count: usize, sizes: &GrainSizes, loose: f64, dense: f64) {
    let radii = show("radii", || sizes.radii::<D>(count, 1));
    let room_of = |fraction| room::<D>(&radii, fraction, 1.0);
    let container = room_of(loose);
    show(&format!("random sequential, {loose}"), || random_sequential(&radii, 0.0, &container, 10_000, 1))
        .map_or_else(|error| println!("{error}"), |grains| println!("{}", grains.len()));
    // open at the top: twice as high as needed
    let bin = room::<D>(&radii, 0.25, 2.0);
    let lying = show("deposit", || deposit(&radii, &bin, 1, 1));
    if let Ok(lying) = lying {
        let top = lying.iter().map(|grain| grain.position[D - 1]).fold(0.0, f64::max);
        println!("solid fraction {:.3}", solid_fraction(&lying, &bin) * bin.high[D - 1] / top);
    }
    let container = room_of(dense);
    show(&format!("growth, {dense}"), || grow(&radii, &container, &GrowthParams::default(), 1))
        .map_or_else(|error| println!("{error}"), |grains| println!("{}", grains.len()));
}

fn plane(count: usize, sizes: &GrainSizes) {
    println!("plane, {count} grains");
    let side = (count as f64).sqrt();
    let square = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::repeat(side) };
    println!(
        "{} places",
        show("lattice", || lattice(Lattice::Square, 1.0, 0.5, &square)).map_or(0, |l| l.len())
    );
    both::<2>(count, sizes, 0.45, 0.75);
}

fn space(count: usize, sizes: &GrainSizes) {
    println!("space, {count} grains");
    let side = (count as f64).cbrt().round();
    let cube = Cuboid { low: Vector::<3>::zeros(), high: Vector::<3>::repeat(side) };
    let places = show("lattice", || lattice(Lattice::Cubic, 1.0, 0.5, &cube)).unwrap_or_default();
    println!("{} places, {} m³", places.len(), cube.volume());
    let grains: Vec<_> =
        places.into_iter().map(|position| drystone_samples::Grain { radius: 0.5, position }).collect();
    let form = PolyhedronForm { faces: 8, angularity: 0.3, elongation: 1.2 };
    show("polyhedra of 8 faces", || GrainForm::Polyhedron(form).replace(&grains, 1));
    both::<3>(count, sizes, 0.25, 0.5);
}
