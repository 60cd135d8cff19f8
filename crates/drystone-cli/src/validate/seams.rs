//! Bodies that slide and roll over the joints of floors made of flush tiles, as over one slab.

use super::{Comparison, plane, run_through, scene, set_friction, space};
use crate::failure::Failure;
use drystone_scene::Scene;
use drystone_scene::spec::{BodySpec, Components, PartSpec, ShapeSpec};

const PLANE: &str = include_str!("../../../../scenes/validation/seams.toml");
const SPACE: &str = include_str!("../../../../scenes/validation/seams-space.toml");
const G: f64 = 9.81;

/// Moves every tile; `by` is told its number.
fn move_tiles(scene: &mut Scene, by: impl Fn(usize) -> Vec<f64>) {
    let tiles = scene.bodies.len() - 1;
    for (index, tile) in scene.bodies[..tiles].iter_mut().enumerate() {
        let place = tile.position.get_or_insert_default();
        place.iter_mut().zip(by(index)).for_each(|(x, by)| *x += by);
    }
}

/// The body that moves: the last one.
fn mover(scene: &mut Scene) -> Result<&mut BodySpec, Failure> {
    scene.bodies.last_mut().ok_or_else(|| Failure::other("the scene has no body"))
}

/// Speed along x at the end in the plane, and the fastest it rose on the way.
fn slide_plane(scene: &Scene) -> Result<[f64; 2], Failure> {
    let mut simulation = plane(scene)?;
    let body = scene.bodies.len() - 1;
    let mut rise = 0.0_f64;
    for _ in 0..scene.steps() {
        simulation.step();
        rise = rise.max(simulation.bodies().velocity[body][1]);
    }
    Ok([simulation.bodies().velocity[body][0], rise])
}

/// In the plane.
pub fn plane_tiles() -> Result<Vec<Comparison>, Failure> {
    let start = scene(PLANE)?;
    let mut rows = vec![Comparison::absolute("box [m/s]", 2.0, slide_plane(&start)?[0], 1e-9)];
    let mut add = |what: &str, value: f64| rows.push(Comparison::absolute(what, 2.0, value, 1e-9));
    for (what, gap) in [("box, joints of 1 um [m/s]", 1e-6), ("box, joints of 1 mm [m/s]", 1e-3)] {
        let mut open = start.clone();
        move_tiles(&mut open, |tile| vec![gap * tile as f64, 0.0]);
        add(what, slide_plane(&open)?[0]);
    }
    let mut uneven = start.clone();
    move_tiles(&mut uneven, |tile| vec![0.0, 1e-9 * ((tile * 7) % 3) as f64 - 1e-9]);
    add("box, tops 1 nm up and down [m/s]", slide_plane(&uneven)?[0]);
    let mut slope = start.clone();
    slope.gravity = Some(vec![0.05 * G, -G]);
    rows.push(Comparison::absolute(
        "box, down a slope of 5 % [m/s]",
        2.0 + 0.05 * G,
        slide_plane(&slope)?[0],
        1e-9,
    ));
    let mut step = start.clone();
    move_tiles(&mut step, |tile| vec![0.0, if tile == 4 { 1e-3 } else { 0.0 }]);
    rows.push(Comparison::fact("a tile 1 mm higher stops it", slide_plane(&step)?[0] < 1.0));
    rows.push(bricks(&start)?);
    rows.extend(disk(&start)?);
    Ok(rows)
}

/// The tiles are free bricks on the ground.
fn bricks(start: &Scene) -> Result<Comparison, Failure> {
    let mut scene = start.clone();
    for brick in scene.bodies.iter_mut().filter(|body| body.fixed) {
        (brick.fixed, brick.density) = (false, Some(2000.0));
    }
    let ground = BodySpec {
        fixed: true,
        position: Some(vec![0.0, -0.2]),
        ..BodySpec::new("ground", ShapeSpec::Line {})
    };
    scene.bodies.insert(0, ground);
    Ok(Comparison::absolute("box on free bricks [m/s]", 2.0, slide_plane(&scene)?[0], 1e-9))
}

/// A disk rolls: what it loses of its speed, and how fast it hops, at the worst of four steps.
fn disk(start: &Scene) -> Result<Vec<Comparison>, Failure> {
    let mut scene = start.clone();
    set_friction(&mut scene, 0.5);
    let body = mover(&mut scene)?;
    body.shape = ShapeSpec::Disk { radius: 0.1 }.into();
    body.spin = Some(Components::One(-20.0));
    let (mut speed, mut rise) = (2.0_f64, 0.0_f64);
    for step in [4e-3, 2e-3, 1e-3, 5e-4] {
        scene.time.step = step;
        let [end, up] = slide_plane(&scene)?;
        (speed, rise) = (speed.min(end), rise.max(up));
    }
    Ok(vec![
        Comparison::absolute("disk, steps of 4 to 0.5 ms [m/s]", 2.0, speed, 1e-9),
        Comparison::absolute("hop of the disk [m/s]", 0.0, rise, 1e-9),
    ])
}

/// In space.
pub fn space_tiles() -> Result<Vec<Comparison>, Failure> {
    let start = scene(SPACE)?;
    let speed = 1.9_f64.hypot(0.6);
    let slide = |scene: &Scene| -> Result<f64, Failure> {
        let mut simulation = space(scene)?;
        run_through(scene, &mut simulation);
        Ok(simulation.bodies().twist(scene.bodies.len() - 1).linear().norm())
    };
    let ball = |x: f64, y: f64| PartSpec {
        shape: ShapeSpec::Sphere { radius: 0.1 }.into(),
        position: Some(vec![x, y, 0.0]),
        ..PartSpec::default()
    };
    let corners =
        [[0.2, 0.0], [-0.1, 0.17], [-0.1, -0.17]].map(|[x, y]| [[x, y, -0.1], [0.5 * x, 0.5 * y, 0.1]]);
    let frustum = ShapeSpec::Polyhedron {
        vertices: corners.concat().iter().map(|corner| corner.to_vec()).collect(),
        faces: None,
    };
    let cluster = ShapeSpec::Cluster { shapes: vec![ball(0.15, 0.0), ball(-0.1, 0.1), ball(-0.1, -0.1)] };
    let shapes = [
        ("box [m/s]", None),
        ("frustum [m/s]", Some(frustum)),
        ("cylinder [m/s]", Some(ShapeSpec::Cylinder { radius: 0.15, height: 0.2 })),
        ("sphere [m/s]", Some(ShapeSpec::Sphere { radius: 0.1 })),
        ("cluster of spheres [m/s]", Some(cluster)),
    ];
    let mut rows = Vec::new();
    for (what, shape) in shapes {
        let mut scene = start.clone();
        if let Some(shape) = shape {
            mover(&mut scene)?.shape = shape.into();
        }
        rows.push(Comparison::absolute(what, speed, slide(&scene)?, 1e-9));
    }
    let mut step = start.clone();
    move_tiles(&mut step, |tile| vec![0.0, 0.0, if tile % 7 == 3 { 1e-3 } else { 0.0 }]);
    rows.push(Comparison::fact("tiles 1 mm higher stop it", slide(&step)? < 0.5 * speed));
    Ok(rows)
}
