//! A plane cut into triangles is a plane: what rolls or slides over it takes the same path. Drums stand.

mod common;

use common::*;
use drystone::*;

/// A level square of side 8, cut into triangles along either diagonal in turn.
fn flat_mesh() -> Shape<3> {
    let side = 23u32;
    let place = |k: u32| (f64::from(k) - 11.0) * 0.37;
    let vertices =
        (0..side * side).map(|k| Vector::<3>::new(place(k % side), place(k / side), 0.0)).collect();
    let mut triangles = Vec::new();
    for k in 0..(side - 1) * (side - 1) {
        let a = k / (side - 1) * side + k % (side - 1);
        let [b, c, d] = [a + 1, a + side + 1, a + side];
        triangles.extend(if k % 3 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    Surface::triangles(vertices, triangles).expect("a mesh").into()
}

/// The path of a body thrown over a floor.
fn path(floor: Shape<3>, shape: Shape<3>, height: f64, velocity: [f64; 6]) -> Vec<Pose<3>> {
    let mut scene = Builder::<3, 6>::new(2e-3);
    scene.add(floor, Pose::identity(), Vector::zeros(), true);
    let start = Vector::<3>::new(-1.3, -0.9, height);
    let body = scene.add(shape, Pose::at(start), velocity.into(), false);
    let mut simulation = scene.build(Inelastic { friction: 0.3 });
    (0..600)
        .map(|_| {
            simulation.step();
            simulation.bodies().pose[body.0 as usize]
        })
        .collect()
}

#[test]
fn a_ball_rolls_and_a_box_slides_over_a_mesh_as_over_a_plane() {
    for (shape, height) in [(Shape::ball(0.25).expect("a ball"), 0.25), (cuboid([0.5, 0.4, 0.3]), 0.15)] {
        let velocity = [2.0, 1.5, 0.0, 0.0, 0.0, 0.5];
        let on_plane = path(Shape::HalfSpace, shape.clone(), height, velocity);
        let on_mesh = path(flat_mesh(), shape, height, velocity);
        assert!((on_plane[599].position - on_plane[0].position).norm() > 0.5, "it moved");
        for (one, two) in on_plane.iter().zip(&on_mesh) {
            assert!((one.position - two.position).norm() < 1e-9);
            assert!(one.orientation.angle_to(&two.orientation) < 1e-9);
        }
    }
}

#[test]
fn a_column_of_drums_stands() {
    let mut scene = Builder::<3, 6>::new(5e-3);
    scene.settings.solver.tolerance = 1e-8;
    scene.ground();
    let drum = Shape::cylinder(0.5, 0.8).expect("a drum");
    for k in 0..10 {
        scene.add(
            drum.clone(),
            Pose::at([0.0, 0.0, 0.4 + 0.8 * f64::from(k)].into()),
            Vector::zeros(),
            false,
        );
    }
    let mut simulation = scene.build(Inelastic { friction: 0.5 });
    for _ in 0..400 {
        simulation.step();
    }
    for (k, pose) in simulation.bodies().pose[1..].iter().enumerate() {
        assert!(
            (pose.position - Vector::<3>::new(0.0, 0.0, 0.4 + 0.8 * k as f64)).norm() < 1e-4,
            "{k} {pose:?}"
        );
    }
}
