//! What may change in time, a line for each: a load, a prescribed motion and its end, gravity, friction.

use drystone::prelude::*;

fn main() -> Result<(), ChangeError> {
    let mut sim = Simulation::plane()
        .gravity([0.0, -9.81])
        .step(1e-3)
        .law("*", "*", Inelastic { friction: 0.6 })
        .body(Body::half_space().group("ground").named("floor"))
        .body(Body::block([1.0, 0.4]).density(2000.0).at([0.0, 0.2]).group("stones").named("block"))
        .body(Body::block([1.0, 0.1]).density(2000.0).at([0.0, 0.46]).group("stones").named("plate"))
        .build()?;
    let points = vec![[0.0, 0.0], [0.1, -0.1], [1.0, -0.1]];
    sim.load("block", Axis::X, |t: f64| 20.0 * t)?; // force [N]; Axis::TurnZ for a moment [N m]
    sim.drive("plate", Axis::Y, Signal::table(points).unwrap())?; // velocity [m/s], spin [rad/s]
    sim.release("plate", Axis::Y)?; // free again, with the velocity it has
    sim.drive_gravity(Axis::X, Signal::Sine { mean: 0.0, amplitude: 1.0, frequency: 2.0, phase: 0.0 })?;
    sim.drive_friction("stones", "ground", |t: f64| 0.6 - 0.1 * t)?;
    sim.run_until(0.5).map(|run| println!("{run:?}"))
}
