//! A servo loop as a hook: a plate comes down on a bed of soft disks and keeps pressing with a given force,
//! whatever the bed does.

use drystone::prelude::*;
use drystone::{Device, Viscoelastic};
use std::f64::consts::FRAC_PI_2;

/// Moves a plate until the contacts push against it with the force asked for. Its velocity is in a slot, so
/// that snapshots hold it.
struct Servo {
    plate: BodyHandle,
    velocity: Slot,
    /// Force to be kept \[N\].
    force: f64,
    /// Speed for each newton that is missing \[m/(N s)\].
    gain: f64,
    /// Largest speed \[m/s\].
    fastest: f64,
}

impl Hook for Servo {
    fn after_step(&mut self, sim: &mut Simulation, _: &StepReport) -> Result<(), HookError> {
        let missing = self.force - sim.contact_force(self.plate)?[1];
        let velocity = (-self.gain * missing).clamp(-self.fastest, self.fastest);
        Ok(sim.set_slot(self.velocity, velocity)?)
    }
}

fn main() -> Result<(), ChangeError> {
    let device = Device::KelvinVoigt { stiffness: 1e6, viscosity: 1e3 };
    let mut sim = Simulation::plane()
        .gravity([0.0, -9.81])
        .step(5e-4)
        .law("*", "*", Viscoelastic { device, friction: 0.3 })
        .body(Body::half_space())
        .bodies([-0.5, 0.5].map(|x| Body::half_space().at([x, 0.0]).angle(x.signum() * FRAC_PI_2)))
        .bodies((0..9).map(|k| Body::disk(0.05).density(2600.0).at([0.11 * k as f64 - 0.44, 0.051])))
        .body(Body::block([0.98, 0.1]).at([0.0, 0.152]).fixed().named("plate"))
        .build()?;
    let (plate, velocity) = (sim.body("plate")?, sim.slot(0.0)?);
    sim.drive(plate, Axis::Y, velocity)?;
    sim.add_hook(Box::new(Servo { plate, velocity, force: 5000.0, gain: 2e-6, fastest: 0.1 }));
    for tenth in 1..=10 {
        sim.run_until(0.1 * f64::from(tenth))?;
        let (force, height) = (sim.contact_force(plate)?[1], sim.position(plate)?[1]);
        println!("{:.1} s: {force:8.1} N at {height:.5} m", sim.time());
    }
    Ok(())
}
