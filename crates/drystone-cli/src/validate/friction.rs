//! Sticking, sliding, rolling.

use super::{Comparison, plane, run_through, scene, set_friction, space, threshold};
use crate::failure::Failure;
use drystone::{AnySimulation, Simulation, Status};
use drystone_scene::Scene;

const SLOPE: f64 = std::f64::consts::FRAC_PI_6;
const G: f64 = 9.81;

/// A block on a slope of 30 degrees.
pub fn incline() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/incline.toml"))?;
    // sticks: 1e5 steps
    let mut still = plane(&scene)?;
    let steps = 100_000;
    for _ in 0..steps {
        still.step();
    }
    let drift = (still.bodies().pose[1].position - still_start(&scene)?).norm() / steps as f64;
    // slides
    set_friction(&mut scene, 0.3);
    let mut sliding = plane(&scene)?;
    run_through(&scene, &mut sliding);
    let acceleration = sliding.bodies().velocity[1][0] / sliding.time();
    // the edge between the two
    let edge = threshold(0.5, 0.7, 1e-7, |friction| {
        set_friction(&mut scene, friction);
        let mut simulation = plane(&scene)?;
        for _ in 0..20 {
            simulation.step();
        }
        Ok(simulation.bodies().twist(1).norm() < 1e-9)
    })?;
    Ok(vec![
        Comparison::absolute("drift a step while sticking, 1e5 steps [m]", 0.0, drift, 1e-12),
        Comparison::absolute(
            "acceleration at mu = 0.3 [m/s2]",
            G * (SLOPE.sin() - 0.3 * SLOPE.cos()),
            acceleration,
            1e-10,
        ),
        Comparison::absolute("friction at which it sticks", SLOPE.tan(), edge, 1e-6),
    ])
}

/// A box on two corners and a slab on four, pulled along the ground without tilt: friction at rest holds up
/// to its own coefficient, however the corners share it.
pub fn at_rest() -> Result<Vec<Comparison>, Failure> {
    let boxed = scene(include_str!("../../../../scenes/validation/static-box.toml"))?;
    let slab = scene(include_str!("../../../../scenes/validation/static-slab.toml"))?;
    let mut rows = Vec::new();
    for (name, scene) in [("box", boxed), ("slab", slab)] {
        let at = |pull: f64| pulled(&scene, pull);
        let edge = threshold(0.3, 0.8, 1e-5, |pull| Ok(at(pull)?.speed > 1e-6))?;
        let (held, slides) = (at(0.599)?, at(0.65)?);
        rows.push(Comparison::absolute(format!("{name}: pull at which it slides [m g]"), 0.6, edge, 1e-4));
        rows.push(Comparison::absolute(
            format!("{name}: contacts that slide at 0.599"),
            0.0,
            held.sliding,
            0.0,
        ));
        rows.push(Comparison::absolute(
            format!("{name}: contacts that slide at 0.65"),
            1.0,
            slides.sliding,
            0.0,
        ));
        let speed = (0.65 - 0.4) * 10.0 * scene.time.duration;
        rows.push(Comparison::relative(format!("{name}: speed at 0.65 [m/s]"), speed, slides.speed, 1e-2));
    }
    Ok(rows)
}

/// How a body fared under a pull.
struct Pulled {
    /// Its speed at the end.
    speed: f64,
    /// The part of the contacts that slides at the end.
    sliding: f64,
}

/// The body of a scene pulled with so many times its weight.
fn pulled(scene: &Scene, pull: f64) -> Result<Pulled, Failure> {
    fn end<const D: usize>(scene: &Scene, mut simulation: Simulation<D>) -> Pulled {
        run_through(scene, &mut simulation);
        let contacts = simulation.interactions();
        let sliding = contacts.iter().filter(|contact| contact.status == Status::Slip).count();
        let sliding = sliding as f64 / contacts.len().max(1) as f64;
        Pulled { speed: simulation.bodies().twist(1).norm(), sliding }
    }
    let mut scene = scene.clone();
    if let Some(load) = &mut scene.bodies[1].load {
        // as it stands in the scene: 0.59 of the weight
        let scale = pull / 0.59;
        let parts = [&mut load.x, &mut load.y, &mut load.z, &mut load.moment, &mut load.moment_x];
        for part in parts.into_iter().chain([&mut load.moment_y, &mut load.moment_z]) {
            *part = part.map(|part| part * scale);
        }
    }
    Ok(match scene.build()? {
        AnySimulation::Plane(simulation) => end(&scene, simulation),
        AnySimulation::Space(simulation) => end(&scene, simulation),
    })
}

fn still_start(scene: &Scene) -> Result<drystone_math::Vector<2>, Failure> {
    Ok(plane(scene)?.bodies().pose[1].position)
}

/// A box sliding in space: it does not lift off, and goes straight.
pub fn slide() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/slide.toml"))?;
    let mut simulation = space(&scene)?;
    let start = simulation.bodies().twist(1);
    let mut lift = 0.0f64;
    for _ in 0..scene.steps() {
        simulation.step();
        lift = simulation.interactions().iter().map(|contact| contact.u[0].abs()).fold(lift, f64::max);
    }
    let end = simulation.bodies().twist(1);
    let turned = (start[0] * end[1] - start[1] * end[0]).atan2(start[0] * end[0] + start[1] * end[1]);
    let speed = start.norm() - 0.3 * G * simulation.time();
    Ok(vec![
        Comparison::absolute("normal velocity while sliding [m/s]", 0.0, lift, 1e-10),
        Comparison::absolute("change of direction [rad]", 0.0, turned, 1e-10),
        Comparison::absolute("speed left [m/s]", speed, end.linear().norm(), 1e-10),
    ])
}

/// A disk and a sphere on a slope: how fast they roll, and the friction they need for it.
pub fn roll() -> Result<Vec<Comparison>, Failure> {
    let mut disk = scene(include_str!("../../../../scenes/validation/roll-disk.toml"))?;
    let mut sphere = scene(include_str!("../../../../scenes/validation/roll-sphere.toml"))?;
    let mut simulation = plane(&disk)?;
    run_through(&disk, &mut simulation);
    let rolls = simulation.bodies().velocity[1][0] / simulation.time();
    let mut simulation = space(&sphere)?;
    run_through(&sphere, &mut simulation);
    let sphere_rolls = simulation.bodies().velocity[1][0] / simulation.time();
    // slip at the contact, as a share of the speed
    let disk_edge = threshold(0.1, 0.4, 1e-7, |friction| {
        set_friction(&mut disk, friction);
        let mut simulation = plane(&disk)?;
        for _ in 0..20 {
            simulation.step();
        }
        Ok(simulation.interactions().iter().all(|contact| contact.u[1].abs() < 1e-9))
    })?;
    let sphere_edge = threshold(0.1, 0.4, 1e-7, |friction| {
        set_friction(&mut sphere, friction);
        let mut simulation = space(&sphere)?;
        for _ in 0..20 {
            simulation.step();
        }
        Ok(simulation.interactions().iter().all(|contact| contact.u.rows_range(1..).norm() < 1e-9))
    })?;
    Ok(vec![
        Comparison::absolute("acceleration of a disk [m/s2]", 2.0 / 3.0 * G * SLOPE.sin(), rolls, 1e-10),
        Comparison::absolute(
            "acceleration of a sphere [m/s2]",
            5.0 / 7.0 * G * SLOPE.sin(),
            sphere_rolls,
            1e-10,
        ),
        Comparison::absolute("friction at which a disk rolls", SLOPE.tan() / 3.0, disk_edge, 1e-6),
        Comparison::absolute("friction at which a sphere rolls", SLOPE.tan() * 2.0 / 7.0, sphere_edge, 1e-6),
    ])
}
