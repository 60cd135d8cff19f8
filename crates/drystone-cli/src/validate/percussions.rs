//! A-CD²: collisions and sliding with percussions, where the answer has a closed form.

use super::{Comparison, plane, run_through, scene};
use crate::failure::Failure;
use drystone::Simulation;

/// Generalised velocity of a body by its name; not numbers where there is none.
fn velocity(simulation: &Simulation<2>, name: &str) -> [f64; 3] {
    let bodies = simulation.bodies();
    match bodies.name.iter().position(|known| known == name) {
        Some(body) => std::array::from_fn(|dof| bodies.velocity[body][dof]),
        None => [f64::NAN; 3],
    }
}

/// A quadratic pseudopotential gives back (2K − m)/(2K + m) of the speed, m the reduced mass, or nothing.
pub fn collisions() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/acd2/shocks.toml"))?;
    let mut simulation = plane(&scene)?;
    run_through(&scene, &mut simulation);
    let of = |name: &str| velocity(&simulation, name);
    let back = |mass: f64| (3.0 - mass) / (3.0 + mass);
    Ok(vec![
        Comparison::absolute("speed of a ball of 1 kg off a wall [m/s]", back(1.0), of("bounces")[1], 1e-12),
        Comparison::absolute("the same of 10 kg [m/s]", 0.0, of("stays")[1], 1e-12),
        Comparison::absolute("two balls: speed of the runner [m/s]", 1.0 - back(0.5), of("runs")[0], 1e-12),
        Comparison::absolute(
            "two balls: speed of the one that waits [m/s]",
            1.0 + back(0.5),
            of("waits")[0],
            1e-12,
        ),
        Comparison::absolute("error of the energy balance", 0.0, simulation.energy().balance_error, 1e-12),
    ])
}

/// Boxes on a slope: Coulomb and Tresca slow them by a force, a pseudopotential lets them creep.
pub fn sliding() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/acd2/blocks.toml"))?;
    let mut simulation = plane(&scene)?;
    let mut least = 0.0f64;
    for _ in 0..scene.steps() {
        least = least.min(simulation.step().dissipation.least);
    }
    let (time, step, mass) = (simulation.time(), scene.time.step, 40.0);
    let &[along, down] = scene.gravity().as_slice() else {
        return Err(Failure::other("the scene is not of the plane"));
    };
    let speed = |name: &str| velocity(&simulation, name)[0];
    // four terms 2 K (u + u): two corners, two velocities
    let creep = mass * along * step / (8.0 * 2.0);
    Ok(vec![
        Comparison::absolute("Coulomb: speed [m/s]", (along + 0.3 * down) * time, speed("Coulomb"), 1e-10),
        Comparison::absolute(
            "Tresca: speed [m/s]",
            (along - 2.0 * 30.0 / mass) * time,
            speed("Tresca"),
            1e-10,
        ),
        Comparison::absolute("quadratic: speed of creep [m/s]", creep, speed("creeping"), 1e-10),
        Comparison::absolute("least dissipation of a contact [J]", 0.0, least, 1e-12),
        Comparison::absolute("error of the energy balance", 0.0, simulation.energy().balance_error, 1e-12),
    ])
}
