//! The landslide and the biaxial test of A-CD², shortened here; whole where `DRYSTONE_SLOW` is set.

mod common;

use common::{drystone, read};
use drystone::{AnySimulation, Simulation, Vector};
use drystone_measure::{contact_forces, local_shear, shear_band};
use drystone_scene::Scene;

fn is_slow() -> bool {
    std::env::var_os("DRYSTONE_SLOW").is_some()
}

/// The scene of a template.
fn template(name: &str) -> (Scene, Simulation<2, 3>) {
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

/// Places of the disks.
fn disks(simulation: &Simulation<2, 3>) -> Vec<Vector<2>> {
    let bodies = simulation.bodies();
    let is_disk = |body: &usize| bodies.name[*body].starts_with("disk");
    (0..bodies.len()).filter(is_disk).map(|body| bodies.pose[body].position).collect()
}

#[test]
fn a_biaxial_test_fails_along_a_band_at_the_angle_of_its_friction() {
    let (scene, mut simulation) = template("biaxial");
    let start = disks(&simulation);
    assert_eq!(start.len(), 200);
    let plate = simulation.bodies().name.iter().position(|name| name == "upper plate").unwrap();
    let steps = if is_slow() { scene.steps() } else { 400 };
    let (mut peak, mut sum, mut count) = (0.0f64, 0.0, 0.0);
    for step in 0..steps {
        let report = simulation.step();
        assert!(report.converged && report.dissipation.violations == 0, "{report:?}");
        if step >= 500 {
            let x = disks(&simulation).into_iter().map(|place| place[0]);
            let (low, high) = x.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            let stress = contact_forces(&simulation)[plate][1] / (high - low + 0.2);
            (sum, count) = (sum + stress, count + 1.0);
            peak = peak.max(stress);
        }
    }
    assert!(simulation.energy().balance_error < 1e-8);
    if !is_slow() {
        return;
    }
    // a membrane of 10 kPa, and the mean stress of the plate, over grains that come and go
    let (major, minor) = (sum / count, 1e4);
    let friction = ((major - minor) / (major + minor)).asin();
    let expected = 45.0 + 0.5 * friction.to_degrees();
    let field = local_shear(&start, &disks(&simulation), 0.5);
    let band = shear_band(&field, 0.3).unwrap();
    let found = band.angle.to_degrees().abs();
    println!(
        "biaxial: peak {peak:.0} Pa, mean {major:.0} Pa, phi {:.1}, band {found:.1}, expected {expected:.1}, \
         contrast {:.2}",
        friction.to_degrees(),
        band.contrast
    );
    assert!((found - expected).abs() < 5.0, "{found} instead of {expected}");
}
