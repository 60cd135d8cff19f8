//! Forty disks fall into a box whose left wall shakes: the smallest program with everything in it.

use drystone::prelude::*;
use std::f64::consts::FRAC_PI_2;

fn main() -> Result<(), ChangeError> {
    let wall = |x: f64, angle: f64| Body::half_space().at([x, 0.0]).angle(angle);
    let at = |k: u32| [0.11 * f64::from(k % 8) - 0.4, 0.06 + 0.12 * f64::from(k / 8)];
    let mut sim = Simulation::plane()
        .gravity([0.0, -9.81])
        .law("*", "*", Inelastic { friction: 0.3 })
        .bodies([wall(0.0, 0.0), wall(-0.5, -FRAC_PI_2).named("left"), wall(0.5, FRAC_PI_2)])
        .bodies((0..40).map(|k| Body::disk(0.05).density(2600.0).at(at(k))))
        .build()?;
    sim.drive("left", Axis::X, |t: f64| 0.1 * (30.0 * t).cos())?;
    sim.on_step(|s| s.contact_force("disk 7").map(|f| println!("{:.3} s: {f:.0?} N", s.time())));
    sim.run_until(1.0).map(|run| println!("{run:?}"))
}
