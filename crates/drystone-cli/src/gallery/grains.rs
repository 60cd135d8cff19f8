//! Many grains that fall: a collapse of two columns, and a box that is filled. Leaves the run to the command.

use super::commented::{Commented, rounded, wall};
use drystone_math::Vector;
use drystone_samples::{Grain, grid_of_grains, radii};
use drystone_scene::SceneSpec;
use drystone_scene::spec::{BodySpec, Equilibrium, LawSpec, Material, ShapeSpec};

/// Comments that all of these scenes share.
fn notes() -> Vec<(&'static str, String)> {
    [
        ("time.step", "s"),
        ("time.duration", "s"),
        ("solver.tolerance", "of the typical impulse, at the worst contact"),
        ("output.interval", "s"),
        ("equilibrium.speed", "m/s"),
        ("materials.stone.density", "kg/m3, per metre of depth"),
    ]
    .map(|(place, note)| (place, note.to_owned()))
    .to_vec()
}

/// A scene of the plane with stones and one law, without bodies.
fn stones(title: String, [step, duration, interval]: [f64; 3], friction: f64) -> SceneSpec {
    let mut spec = SceneSpec::new(2, step, duration);
    spec.title = title;
    spec.solver.tolerance = 1e-4;
    spec.output.interval = Some(interval);
    spec.materials.insert("stone".into(), Material::of_density(2600.0));
    spec.laws = vec![LawSpec::inelastic("*", "*", friction)];
    spec
}

/// A stone of a group where a grain lies, to so many decimals.
fn stone(name: String, group: &str, shape: ShapeSpec, grain: &Grain<2>, decimals: usize) -> BodySpec {
    BodySpec {
        group: group.into(),
        material: Some("stone".into()),
        position: Some(grain.position.iter().map(|&x| rounded(x, decimals)).collect()),
        ..BodySpec::new(name, shape)
    }
}

/// Two columns, one of disks and one of boxes, dropped side by side.
pub fn collapse() -> Commented {
    let title = "Collapse of a column of disks and a column of boxes".into();
    let mut spec = stones(title, [2e-3, 1.8, 0.02], 0.5);
    spec.bodies = vec![
        wall("ground", "ground", None, None),
        wall("left wall", "ground", Some([-1.6, 0.0]), Some(-90.0)),
        wall("right wall", "ground", Some([1.6, 0.0]), Some(90.0)),
    ];
    let (columns, count) = (8, 8 * 20);
    let sizes = radii(count, 0.025, 0.05, 1);
    let grains = grid_of_grains(&sizes, columns, Vector::<2>::new(-1.59, 0.0), 2);
    spec.bodies.extend(grains.iter().enumerate().map(|(index, grain)| {
        let shape = ShapeSpec::Disk { radius: rounded(grain.radius - 1e-4, 4) };
        stone(format!("disk {}", index + 1), "disks", shape, grain, 4)
    }));
    let sizes = radii(count, 0.03, 0.05, 3);
    let grains = grid_of_grains(&sizes, columns, Vector::<2>::new(0.79, 0.0), 4);
    spec.bodies.extend(grains.iter().enumerate().map(|(index, grain)| {
        // a box inside the circle of the grain, of changing slenderness, turned at random by a fixed rule
        let slender = 0.5 + 0.4 * ((index * 7919 % 101) as f64 / 100.0);
        let size = [slender.cos(), slender.sin()].map(|part| rounded(2.0 * grain.radius * part, 4));
        let turned =
            stone(format!("box {}", index + 1), "boxes", ShapeSpec::Box { size: size.to_vec() }, grain, 4);
        BodySpec { angle_degrees: Some((index * 104_729 % 180) as f64), ..turned }
    }));
    let head =
        "A column of disks and a column of boxes collapse side by side: disks flow, boxes arch and stack.";
    Commented { head: head.into(), spec, notes: notes() }
}

/// Disks of many sizes between three walls.
pub fn settle() -> Commented {
    let (columns, count) = (70, 5000);
    let (smallest, largest) = (0.005, 0.015);
    let width = columns as f64 * 2.0 * largest;
    let mut spec = stones(format!("{count} disks settle in a box"), [1e-3, 2.5, 0.05], 0.4);
    spec.output.surfaces = Some(false);
    spec.equilibrium = Some(Equilibrium { speed: 1e-3, steps: 50 });
    spec.bodies = vec![
        wall("floor", "walls", None, None),
        wall("left wall", "walls", None, Some(-90.0)),
        wall("right wall", "walls", Some([width, 0.0]), Some(90.0)),
    ];
    let sizes = radii(count, smallest, largest, 5);
    let grains = grid_of_grains(&sizes, columns, Vector::<2>::zeros(), 6);
    spec.bodies.extend(grains.iter().enumerate().map(|(index, grain)| {
        let shape = ShapeSpec::Disk { radius: rounded(grain.radius - 1e-6, 6) };
        stone(format!("disk {}", index + 1), "grains", shape, grain, 6)
    }));
    let head = format!("{count} disks with radii from {smallest} to {largest} m fall into a box and settle.");
    Commented { head, spec, notes: notes() }
}
