//! A bar falls on an edge and breaks where it hits too hard: the body goes, its two halves come, and momentum
//! stays.

use drystone::prelude::*;

/// Length and height of the bar \[m\], its density \[kg/m²\], and the force it bears \[N\].
const BAR: [f64; 2] = [1.0, 0.1];
const DENSITY: f64 = 2000.0;
const STRENGTH: f64 = 2e4;

/// Replaces the bar by its halves, which go on with the velocities their centres had.
fn break_in_two(sim: &mut Simulation, bar: BodyHandle) -> Result<[BodyHandle; 2], ChangeError> {
    let (at, angle) = (sim.position(bar)?, sim.angle(bar)?);
    let (velocity, spin) = (sim.velocity(bar)?, sim.spin(bar)?[0]);
    sim.remove(&[bar])?;
    let half = |side: f64| {
        let arm = [side * BAR[0] / 4.0 * angle.cos(), side * BAR[0] / 4.0 * angle.sin()];
        Body::block([BAR[0] / 2.0, BAR[1]])
            .density(DENSITY)
            .at([at[0] + arm[0], at[1] + arm[1]])
            .angle(angle)
            .velocity([velocity[0] - spin * arm[1], velocity[1] + spin * arm[0]])
            .spin(spin)
    };
    Ok([sim.add(half(-1.0))?, sim.add(half(1.0))?])
}

fn momentum(sim: &Simulation, bodies: &[BodyHandle]) -> Result<[f64; 2], ChangeError> {
    let mut sum = [0.0; 2];
    for &body in bodies {
        let (mass, velocity) = (sim.mass(body)?, sim.velocity(body)?);
        (0..2).for_each(|axis| sum[axis] += mass * velocity[axis]);
    }
    Ok(sum)
}

fn main() -> Result<(), ChangeError> {
    let mut sim = Simulation::plane()
        .gravity([0.0, -9.81])
        .law("*", "*", Inelastic { friction: 0.4 })
        .body(Body::half_space())
        .body(Body::polygon(&[[-0.2, 0.0], [0.2, 0.0], [0.0, 0.3]]).fixed().named("edge"))
        .body(Body::block(BAR).density(DENSITY).at([0.03, 0.6]).named("bar"))
        .build()?;
    let bar = sim.body("bar")?;
    sim.on_step(move |sim| {
        let hit = sim.contains(bar) && sim.contact_force(bar)?[1] > STRENGTH;
        if hit {
            let before = momentum(sim, &[bar])?;
            let halves = break_in_two(sim, bar)?;
            println!(
                "{:.3} s: broken, momentum {before:.3?} before, {:.3?} after",
                sim.time(),
                momentum(sim, &halves)?
            );
        }
        Ok::<(), ChangeError>(())
    });
    sim.run_until(2.0)?;
    for body in sim.bodies() {
        println!("{}: {:.3?}", sim.name(body)?, sim.position(body)?);
    }
    let energy = sim.energy();
    println!(
        "exchanged {:.3} J, off by {:.1e} of the largest energy",
        energy.exchanged, energy.balance_error
    );
    Ok(())
}
