//! The landslide and the biaxial test of A-CD². The landslide is shortened here; whole where `DRYSTONE_SLOW`
//! is set.

#[path = "../../examples/biaxial/sample.rs"]
#[allow(dead_code)]
mod sample;

use crate::common::{drystone, read};
use crate::words;
use drystone::{AnySimulation, Simulation, Vector};
use drystone_measure::{ShearDirections, local_shear};
use drystone_scene::Scene;
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn is_slow() -> bool {
    std::env::var_os("DRYSTONE_SLOW").is_some()
}

/// The scene of a template.
fn template(name: &str) -> (Scene, Simulation<2>) {
    let home = tempfile::tempdir().unwrap();
    drystone(&words!["new", name, home.path()]).ends_with(0);
    let text = read(&home.path().join(format!("{name}.toml")));
    let scene = Scene::parse(&text, name).unwrap_or_else(|error| panic!("{error}"));
    match scene.build() {
        Ok(AnySimulation::Plane(simulation)) => (scene, simulation),
        _ => panic!("{name} is not of the plane"),
    }
}

#[test]
fn a_landslide_dissipates_at_every_step_and_comes_to_rest() {
    let (scene, mut simulation) = template("landslide");
    assert_eq!(simulation.bodies().name.iter().filter(|name| name.starts_with("polygon")).count(), 300);
    let steps = if is_slow() { scene.steps() } else { 2000 };
    let mut fastest = 0.0f64;
    let mut kinetic = 0.0f64;
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged, "{report:?}");
        let found = report.dissipation;
        assert_eq!(found.violations, 0, "step {}: {found:?}", report.step);
        fastest = report.speed;
        kinetic = kinetic.max(simulation.energy().kinetic);
    }
    let energy = simulation.energy();
    assert!(energy.balance_error < 1e-8 && energy.viscosity > 0.0, "{energy:?}");
    if is_slow() {
        println!("landslide: speed {fastest:.2e} m/s, kinetic {:.2e} of {kinetic:.2e} J", energy.kinetic);
        assert!(energy.kinetic < 1e-3 * kinetic, "{energy:?}");
    }
}

/// Places of the grains.
fn grains(simulation: &Simulation<2>) -> Vec<Vector<2>> {
    let bodies = simulation.bodies();
    let is_grain = |body: &usize| bodies.name[*body].starts_with("grain");
    (0..bodies.len()).filter(is_grain).map(|body| bodies.pose[body].position).collect()
}

/// Directions of shear of a biaxial test. Every step must converge and gain nothing.
fn sheared(scene: &Scene, mut simulation: Simulation<2>) -> ShearDirections {
    let mut before = grains(&simulation);
    assert_eq!(before.len(), 200);
    // as in the example of the same name: places without a common neighbour, every half per cent of strain
    let mut directions = ShearDirections::between(1.0, 2.0);
    for step in 1..=scene.steps() {
        let report = simulation.step();
        assert!(report.converged && report.dissipation.violations == 0, "{report:?}");
        if step % 250 == 0 {
            let now = grains(&simulation);
            directions.add(&local_shear(&before, &now, 0.5));
            before = now;
        }
    }
    assert!(simulation.energy().balance_error < 1e-8);
    directions
}

fn degrees(directions: &ShearDirections) -> f64 {
    directions.angle().unwrap_or_default().to_degrees()
}

/// Mohr and Coulomb's angle of a band with the friction of the grains.
fn expected() -> f64 {
    45.0 + 0.5 * 0.1f64.atan().to_degrees()
}

/// One sample says little: its bands come and go, and another last digit of the first step gives another
/// angle, anything from 35 to 54 degrees for this one. So it is held to what all of them keep to, and several
/// together to the angle.
#[test]
fn a_biaxial_test_shears_along_bands_and_dissipates_at_every_step() {
    let (scene, simulation) = template("biaxial");
    let found = degrees(&sheared(&scene, simulation));
    assert!((found - expected()).abs() < 15.0, "{found} instead of {}", expected());
}

/// Samples together, strewn and pressed anew. Thirty-two give 46.5 degrees and err by 1.4 (leaving out each
/// in turn); they are held to 5 where `DRYSTONE_SLOW` is set. Eight drawn from them scatter by 2.7 and are
/// held to 10, which tells bands from rows of a grid, along 0 degrees, and from crystals, along 32.
#[test]
fn bands_have_the_angle_of_the_friction() {
    let (samples, bound) = if is_slow() { (32, 5.0) } else { (8, 10.0) };
    let run = |seed: u64| {
        let text = sample::Sample::new(seed).unwrap_or_else(|error| panic!("{seed}: {error}")).scene();
        let scene = Scene::parse(&text, "sample").unwrap_or_else(|error| panic!("{error}"));
        let Ok(AnySimulation::Plane(simulation)) = scene.build() else { panic!("sample {seed}") };
        sheared(&scene, simulation)
    };
    let runs: Vec<ShearDirections> = (1..=samples).into_par_iter().map(run).collect();
    let mut all = ShearDirections::between(1.0, 2.0);
    runs.iter().for_each(|run| all.join(run));
    let single: Vec<f64> = runs.iter().map(degrees).collect();
    assert!((degrees(&all) - expected()).abs() < bound, "{} of {single:?}", degrees(&all));
}
