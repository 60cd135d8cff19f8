//! The scenes of shapes do what they show, for their first steps: towers stand, drums hold, terrain carries.

use drystone::{AnySimulation, Simulation, Vector};
use drystone_scene::Scene;
use std::path::Path;

fn open(name: &str) -> AnySimulation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let scene = Scene::from_file(path).unwrap_or_else(|error| panic!("{error}"));
    scene.build().unwrap_or_else(|error| panic!("{error}"))
}

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A scene that reads no other file, with more keys at its end.
fn open_with(name: &str, more: &str) -> AnySimulation {
    let text = format!("{}\n{more}\n", text(name));
    let scene = Scene::parse(&text, name).unwrap_or_else(|error| panic!("{error}"));
    scene.build().unwrap_or_else(|error| panic!("{error}"))
}

fn plane(simulation: AnySimulation) -> Simulation<2> {
    let AnySimulation::Plane(simulation) = simulation else { panic!("no scene of the plane") };
    simulation
}

fn space(simulation: AnySimulation) -> Simulation<3> {
    let AnySimulation::Space(simulation) = simulation else { panic!("no scene of space") };
    simulation
}

fn run<const D: usize>(simulation: &mut Simulation<D>, steps: usize) {
    for step in 0..steps {
        assert!(simulation.step().converged, "step {step} did not converge");
    }
}

fn deepest<const D: usize>(simulation: &Simulation<D>) -> f64 {
    simulation.overlaps().iter().map(|overlap| overlap.depth).fold(0.0, f64::max)
}

/// Steps of a usual test run; ten thousand where `DRYSTONE_SLOW` is set.
fn steps(usual: usize) -> usize {
    if std::env::var_os("DRYSTONE_SLOW").is_some() { 10_000 } else { usual }
}

#[test]
fn towers_of_drums_and_prisms_stand() {
    for (name, usual) in [("column.toml", 150), ("prisms.toml", 60)] {
        let steps = steps(usual);
        let mut simulation = space(open(name));
        let places: Vec<Vector<3>> = simulation.bodies().pose.iter().map(|pose| pose.position).collect();
        run(&mut simulation, steps);
        for (pose, place) in simulation.bodies().pose.iter().zip(places) {
            assert!((pose.position - place).norm() < 1e-9, "{name}: {}", pose.position - place);
        }
    }
}

#[test]
fn a_tower_of_prisms_stands_on_four_points_a_joint() {
    let mut whole = space(open("prisms.toml"));
    let mut few = space(open_with("prisms.toml", "[detection]\npatch_points = 4"));
    let places: Vec<Vector<3>> = few.bodies().pose.iter().map(|pose| pose.position).collect();
    let (all, left) = (whole.step().contacts, few.step().contacts);
    // ten joints: a prism has 8 or 12 corners on the ground, up to 20 on another
    assert!(left == 40 && all > 100, "{left} of {all} contacts");
    run(&mut few, 60);
    for (pose, place) in few.bodies().pose.iter().zip(places) {
        assert!((pose.position - place).norm() < 1e-9, "{}", pose.position - place);
    }
    let wrong =
        Scene::parse(&format!("{}\n[detection]\npatch_points = 3\n", text("prisms.toml")), "prisms.toml");
    assert!(wrong.is_err_and(|error| error.to_string().contains("at least 4")));
}

/// Pairs are kept for most steps, and nothing else changes: not one bit of the state.
#[test]
fn a_skin_changes_nothing_but_the_number_of_looks() {
    let mut plain = plane(open("drum.toml"));
    let mut kept = plane(open_with("drum.toml", "[detection]\nskin = 0.3"));
    let mut looks = 0;
    for step in 0..200 {
        let (one, two) = (plain.step(), kept.step());
        assert_eq!(plain.state_hash(), kept.state_hash(), "step {step}");
        assert!(one.looked && one.contacts == two.contacts);
        looks += usize::from(two.looked);
    }
    assert!((2..100).contains(&looks), "{looks} looks in 200 steps");
}

#[test]
fn disks_stay_in_the_drum() {
    let mut simulation = plane(open("drum.toml"));
    run(&mut simulation, 400);
    let bodies = simulation.bodies();
    for (pose, radius) in bodies.pose.iter().zip(&bodies.radius).skip(1) {
        assert!(pose.position.norm() + radius < 0.5 + 1e-3, "{}", pose.position);
    }
    assert!(bodies.pose[1..].iter().any(|pose| pose.position.norm() > 0.4), "none has reached the wall");
}

#[test]
fn spheres_stay_on_the_terrain() {
    let mut simulation = space(open("terrain.toml"));
    run(&mut simulation, 400);
    assert!(deepest(&simulation) < 1e-3, "{}", deepest(&simulation));
    let lowest =
        simulation.bodies().pose[1..].iter().map(|pose| pose.position[2]).fold(f64::INFINITY, f64::min);
    assert!(lowest > -0.2, "one fell through, to {lowest}");
}

#[test]
fn stars_flakes_and_pentagons_meet_without_sinking_in() {
    let mut simulation = plane(open("stars.toml"));
    let mut most: f64 = 0.0;
    for _ in 0..350 {
        run(&mut simulation, 1);
        most = most.max(deepest(&simulation));
    }
    // one per cent of the size of a star
    assert!(most < 2e-3, "{most}");
    assert!(simulation.bodies().pose[3..].iter().all(|pose| pose.position[1] > 0.0));
}
