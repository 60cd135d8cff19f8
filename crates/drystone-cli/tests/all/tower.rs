//! Towers that must stand: what friction holds does not creep, however long one waits and whatever the
//! masses.

use crate::common::made::tower;
use crate::common::root;
use drystone::{AnySimulation, Simulation};
use drystone_scene::Scene;

/// Steps of a usual test run; the full count where `DRYSTONE_SLOW` is set.
fn steps() -> usize {
    if std::env::var_os("DRYSTONE_SLOW").is_some() { 10_000 } else { 2_000 }
}

fn stands(text: &str) {
    let scene = Scene::parse(text, "tower.toml").unwrap_or_else(|error| panic!("{error}"));
    match scene.build().unwrap_or_else(|error| panic!("{error}")) {
        AnySimulation::Plane(simulation) => does_not_drift(simulation),
        AnySimulation::Space(simulation) => does_not_drift(simulation),
    }
}

fn does_not_drift<const D: usize>(mut simulation: Simulation<D>) {
    let start = simulation.bodies().pose.clone();
    let mut slow = 0;
    for _ in 0..steps() {
        slow += usize::from(!simulation.step().converged);
    }
    let bodies = simulation.bodies();
    let moved = |body: usize| (bodies.pose[body].position - start[body].position).norm();
    let turned = |body: usize| bodies.pose[body].orientation.angle_to(&start[body].orientation);
    // a box measures a metre, so that a turn in radians is what its corners move by in metres
    let drift = |body: usize| moved(body).max(turned(body));
    let worst = (0..bodies.len()).max_by(|&a, &b| drift(a).total_cmp(&drift(b))).unwrap();
    let (moved, turned, name) = (moved(worst), turned(worst), &bodies.name[worst]);
    let found = format!("{name} moved by {moved:e} m and turned by {turned:e} rad in {} steps", steps());
    assert!(drift(worst) <= 1e-9, "{found}");
    assert_eq!(slow, 0, "steps that did not converge");
}

#[test]
fn twenty_boxes_in_the_plane_stand() {
    stands(&tower(2, 20, 1.0, 1e-2, |_| 2000.0));
}

#[test]
fn twenty_boxes_in_space_stand() {
    stands(&tower(3, 20, 1.0, 1e-2, |_| 2000.0));
}

#[test]
fn heavy_boxes_stand_on_light_ones() {
    // one box of a hundred times the mass on top of nineteen
    stands(&tower(2, 20, 1.0, 1e-2, |level| if level == 19 { 200_000.0 } else { 2000.0 }));
}

#[test]
fn heavy_and_light_boxes_by_turns_stand() {
    stands(&tower(2, 20, 1.0, 1e-2, |level| if level % 2 == 1 { 200_000.0 } else { 2000.0 }));
}

#[test]
fn a_heavy_box_stands_on_light_ones_in_space() {
    stands(&tower(3, 20, 1.0, 1e-2, |level| if level == 19 { 200_000.0 } else { 2000.0 }));
}

/// The dry wall of the validation at friction 2, tilted.
fn tilted_wall(angle: f64) -> Scene {
    let path = root().join("scenes/validation/wall.toml");
    let mut scene = Scene::from_file(&path).unwrap_or_else(|error| panic!("{error}"));
    let (sin, cos) = f64::to_radians(angle).sin_cos();
    scene.gravity = Some(vec![9.81 * sin, -9.81 * cos]);
    for law in &mut scene.laws {
        law.inelastic.as_mut().unwrap().friction = 2.0;
    }
    scene
}

#[test]
fn a_wall_that_can_stand_stands_whatever_the_solver() {
    use drystone_scene::spec::Method;
    let methods =
        [Method::Auto, Method::Nlgs, Method::Accelerated, Method::Interior, Method::Proximal, Method::Cpg];
    for method in methods {
        let mut scene = tilted_wall(44.0);
        scene.solver.method = method;
        scene.solver.max_iterations = 200;
        let AnySimulation::Plane(mut wall) = scene.build().unwrap() else { panic!("not of the plane") };
        let start = wall.bodies().pose.clone();
        let mut held = 0;
        for _ in 0..20 {
            let report = wall.step();
            assert!(report.converged, "{method:?}: {report:?}");
            held += report.rest.held;
        }
        let moved = wall.bodies().pose.iter().zip(&start).map(|(a, b)| (a.position - b.position).norm());
        let moved = moved.fold(0.0, f64::max);
        assert!(moved < 1e-12 && held > 0, "{method:?}: moved by {moved:e} m, held {held} times");
    }
}
