//! A body cut into convex pieces carries others as one that is whole: nothing stumbles over a cut.

use drystone::{AnySimulation, Simulation, Vector};
use drystone_scene::Scene;

/// A bridge with a flat top at height 0 from -2 to 2, on two legs.
const BRIDGE: [[f64; 2]; 8] = [
    [-2.0, -1.0],
    [-1.3, -1.0],
    [-1.3, -0.5],
    [0.9, -0.5],
    [0.9, -1.0],
    [2.0, -1.0],
    [2.0, 0.0],
    [-2.0, 0.0],
];

/// The bridge as a mesh, as broad as long.
fn bridge_mesh() -> String {
    let ring = |y: f64| BRIDGE.iter().map(move |[x, z]| format!("[{x:?}, {y:?}, {z:?}]"));
    let vertices: Vec<String> = ring(-2.0).chain(ring(2.0)).collect();
    let sides = (0..8).map(|k| format!("[{k}, {}, {}, {}]", 8 + k, 8 + (k + 1) % 8, (k + 1) % 8));
    let mut faces: Vec<String> = sides.collect();
    faces.push("[0, 1, 2, 3, 4, 5, 6, 7]".to_owned());
    faces.push("[15, 14, 13, 12, 11, 10, 9, 8]".to_owned());
    let (vertices, faces) = (vertices.join(", "), faces.join(", "));
    format!("shape.mesh = {{ treat = \"decompose\", vertices = [{vertices}], faces = [{faces}] }}")
}

fn scene(dimension: usize, ground: &str, traveller: &str) -> AnySimulation {
    let text = format!(
        "dimension = {dimension}\ntime = {{ step = 2e-3, duration = 1.0 }}\nsolver.tolerance = 1e-10\n\
         law = [{{ between = [\"*\", \"*\"], inelastic.friction = 0.3 }}]\n\
         [[body]]\nname = \"ground\"\nfixed = true\n{ground}\n\
         [[body]]\nname = \"traveller\"\ndensity = 1000\n{traveller}\n"
    );
    let scene = Scene::parse(&text, "bridge.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Where the traveller is after every step.
fn path<const D: usize>(mut simulation: Simulation<D>, steps: usize) -> Vec<Vec<f64>> {
    let mut places = Vec::new();
    for _ in 0..steps {
        assert!(simulation.step().converged);
        let pose = &simulation.bodies().pose[1];
        let turn = pose.orientation.coords;
        places.push(pose.position.iter().chain(turn.iter()).copied().collect());
    }
    places
}

fn travel(simulation: AnySimulation, steps: usize) -> (usize, Vec<Vec<f64>>) {
    match simulation {
        AnySimulation::Plane(simulation) => (simulation.contactors().len(), path(simulation, steps)),
        AnySimulation::Space(simulation) => (simulation.contactors().len(), path(simulation, steps)),
    }
}

#[track_caller]
fn same_path(dimension: usize, cut: &str, whole: &str, traveller: &str, steps: usize) {
    let (pieces, over_cuts) = travel(scene(dimension, cut, traveller), steps);
    let (one, smooth) = travel(scene(dimension, whole, traveller), steps);
    assert!(pieces > 3 && one == 2, "{pieces} contactors and {one}");
    for (step, (a, b)) in over_cuts.iter().zip(&smooth).enumerate() {
        let off = a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "step {step}: {a:?} instead of {b:?}");
    }
    let moved = smooth[steps - 1][0] - smooth[0][0];
    assert!(moved > 1.0, "moved by {moved} m only");
}

#[test]
fn boxes_and_disks_travel_over_a_cut_polygon() {
    let cut = format!("shape.polygon = {{ treat = \"decompose\", vertices = {BRIDGE:?} }}");
    let whole = "shape.box.size = [4.0, 1.0]\nposition = [0.0, -0.5]";
    for traveller in [
        "shape.box.size = [0.6, 0.2]\nposition = [-1.6, 0.1]\nvelocity = [3.5, 0.0]",
        "shape.disk.radius = 0.2\nposition = [-1.7, 0.2]\nvelocity = [3.0, 0.0]",
        // falls on a corner, rocks and slides
        "shape.box.size = [0.5, 0.3]\nposition = [-1.5, 0.6]\nangle = 0.3\nvelocity = [3.5, 0.0]",
    ] {
        same_path(2, &cut, whole, traveller, 400);
    }
}

#[test]
fn boxes_spheres_and_drums_travel_over_a_cut_mesh() {
    let whole = "shape.box.size = [4.0, 4.0, 1.0]\nposition = [0.0, 0.0, -0.5]";
    for traveller in [
        "shape.box.size = [0.6, 0.4, 0.2]\nposition = [-1.6, -0.5, 0.1]\nvelocity = [3.5, 0.7, 0.0]",
        "shape.sphere.radius = 0.2\nposition = [-1.7, 0.1, 0.2]\nvelocity = [3.0, 0.3, 0.0]",
        "shape.cylinder = { radius = 0.3, height = 0.2 }\nposition = [-1.6, 0.2, 0.1]\nvelocity = [3.5, -0.5, 0.0]",
    ] {
        same_path(3, &bridge_mesh(), whole, traveller, 300);
    }
}

#[test]
fn a_cut_box_slides_over_the_ground_as_a_whole_one() {
    // the pieces travel, over a box and over pieces
    let [x, y]: [Vec<f64>; 2] = [0, 1].map(|k| BRIDGE.iter().map(|corner| corner[k]).collect());
    let turned: Vec<[f64; 2]> = x.iter().zip(&y).map(|(x, y)| [0.2 * x, -0.2 * y]).collect();
    let traveller = format!(
        "shape.polygon = {{ treat = \"decompose\", vertices = {turned:?} }}\nposition = [-1.5, 0.0]\nvelocity = [3.5, 0.0]"
    );
    let whole = "shape.box.size = [4.0, 1.0]\nposition = [0.0, -0.5]";
    let cut = format!("shape.polygon = {{ treat = \"decompose\", vertices = {BRIDGE:?} }}");
    let (_, over_cuts) = travel(scene(2, &cut, &traveller), 400);
    let (_, smooth) = travel(scene(2, whole, &traveller), 400);
    // friction stops it at once or not at all: a straight path, and the same
    let start = Vector::<2>::new(smooth[0][0], smooth[0][1]);
    for (a, b) in over_cuts.iter().zip(&smooth) {
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} {b:?}");
        assert!((b[1] - start[1]).abs() < 1e-9);
    }
    assert!(smooth[399][0] - start[0] > 1.0);
}
