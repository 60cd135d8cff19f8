//! The static mode: multipliers and settlements of masonry.

use super::{Comparison, plane, scene, set_friction, space};
use crate::failure::Failure;
use drystone::{Pace, PerDof, Simulation, TOUCHING};
use drystone_diagnose::statics::{Multiplier, StaticsError};
use drystone_scene::Scene;

/// Arch, wall, buttress, spreading supports.
pub fn limits() -> Result<Vec<Comparison>, Failure> {
    let arch = scene(include_str!("../../../../scenes/stability/arch.toml"))?;
    let mut wall = scene(include_str!("../../../../scenes/stability/wall.toml"))?;
    let mut rows =
        vec![Comparison::relative("tilt of an arch, t/R = 0.15: tangent", 0.148315191, tilt(&arch)?, 1e-4)];
    for (friction, expected) in [(2.0, 0.996625422), (0.7, 0.586607819), (0.4, 0.4)] {
        set_friction(&mut wall, friction);
        rows.push(Comparison::relative(
            format!("tilt of a wall, mu = {friction}: tangent"),
            expected,
            tilt(&wall)?,
            1e-4,
        ));
    }
    let buttress = space(&scene(include_str!("../../../../scenes/stability/buttress.toml"))?)?;
    let weight = 2300.0 * 9.81 * 0.6 * 0.5 * 2.0;
    rows.push(Comparison::relative(
        "thrust on a buttress [kN]",
        weight * 0.15 / 1000.0,
        thrust(&buttress)?,
        1e-4,
    ));
    let spreading = plane(&scene(include_str!("../../../../scenes/stability/spreading.toml"))?)?;
    rows.push(Comparison::absolute("spread of an arch, t/R = 0.15 [R]", 0.108, spread(&spreading)?, 1.5e-3));
    Ok(rows)
}

/// Largest share of gravity along x.
fn tilt(scene: &Scene) -> Result<f64, Failure> {
    let statics = plane(scene)?.statics(TOUCHING);
    let live: Vec<PerDof<2>> = statics.weight.iter().map(|w| [-w[1], 0.0, 0.0].into()).collect();
    value(statics.structure.limit(&statics.dead(), &live))
}

/// Largest multiplier of the loads of the scene.
fn thrust(simulation: &Simulation<3>) -> Result<f64, Failure> {
    let statics = simulation.statics(TOUCHING);
    value(statics.structure.limit(&statics.weight, &statics.loads))
}

fn value<const D: usize>(limit: Result<Multiplier<D>, StaticsError>) -> Result<f64, Failure> {
    match limit.map_err(Failure::other)? {
        Multiplier::Largest(limit) => Ok(limit.multiplier),
        _ => Ok(f64::NAN),
    }
}

/// How far the right support goes before the arch lets go.
fn spread(simulation: &Simulation<2>) -> Result<f64, Failure> {
    let names = &simulation.bodies().name;
    let way = names.iter().map(|name| [if name == "right" { 1.0 } else { 0.0 }, 0.0, 0.0].into());
    let pace = Pace { step: 2e-3, farthest: 1.0, lets_go: 100.0 };
    Ok(simulation.settle(&way.collect::<Vec<PerDof<2>>>(), &pace).map_err(Failure::other)?.movement)
}
