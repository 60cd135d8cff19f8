//! Deformable bodies: the impact of a bar, Hertz's pressure, the contact patch test.

use super::{Comparison, plane, scene};
use crate::failure::Failure;
use std::f64::consts::PI;

/// A bar on a wall: contact for 2L/c under ρcV; what it loses is the mass of one node.
pub fn bar() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-bar.toml"))?;
    let (length, speed, density) = (1.0, 0.1, 1000.0);
    let wave = (1e7f64 / density).sqrt();
    let mut simulation = plane(&scene)?;
    let h = scene.time.step;
    let (mut touching, mut pressures) = (0, Vec::new());
    for step in 0..160 {
        simulation.step();
        if let Some(contact) = simulation.interactions().iter().find(|contact| contact.r[0] > 0.0) {
            touching += 1;
            if (20..80).contains(&step) {
                pressures.push(contact.r[0] / h / contact.area);
            }
        }
    }
    let mean = pressures.iter().sum::<f64>() / pressures.len().max(1) as f64;
    let energy = simulation.energy();
    let begin = 0.5 * density * 0.02 * length * speed * speed;
    Ok(vec![
        Comparison::relative("time of contact [s]", 2.0 * length / wave, f64::from(touching) * h, 0.03),
        Comparison::relative("pressure [Pa]", density * wave * speed, mean, 2e-3),
        Comparison::absolute("restitution", 0.978, simulation.bodies().velocity[1][1] / speed, 0.01),
        Comparison::absolute("energy left", 0.988, (energy.kinetic + energy.strain) / begin, 0.01),
        Comparison::absolute("balance of energy", 0.0, energy.balance_error, 1e-10),
    ])
}

/// Two blocks with meshes that do not match: impulse over area is the pressure, the stress uniform.
pub fn patch() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/deformable/blocks.toml"))?;
    let mut simulation = plane(&scene)?;
    (0..40).for_each(|_| {
        simulation.step();
    });
    let load = 1e3;
    let acting = || simulation.interactions().iter().filter(|contact| contact.r[0] > 0.0);
    let (force, area) = acting().fold((0.0, 0.0), |(f, a), contact| (f + contact.r[0], a + contact.area));
    let off = |contact: &drystone::Interaction<2>| contact.r[0] / contact.area / (force / area) - 1.0;
    let pressure = acting().map(|contact| off(contact).abs()).fold(0.0, f64::max);
    let mut stress: f64 = 0.0;
    for body in simulation.solids().bodies() {
        let fields = simulation.skin_fields(drystone::BodyId(body));
        let least = fields.iter().flat_map(|fields| &fields.principal).map(|p| (p[2] / -load - 1.0).abs());
        stress = least.fold(stress, f64::max);
    }
    Ok(vec![
        Comparison::relative("force [N]", load, force / scene.time.step, 1e-9),
        Comparison::absolute("impulse over area, largest error", 0.0, pressure, 1e-6),
        Comparison::absolute("stress, largest error", 0.0, stress, 1e-7),
    ])
}

/// A disk on a plane: pressure in the middle and across, half width to one facet.
pub fn hertz() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/soft-hertz.toml"))?;
    let mut simulation = plane(&scene)?;
    (0..40).for_each(|_| {
        simulation.step();
    });
    let (h, modulus) = (scene.time.step, 1e7 / (1.0 - 0.3 * 0.3));
    let load: f64 = simulation.interactions().iter().map(|contact| contact.r[0] / h).sum();
    let wide = (4.0 * load / (PI * modulus)).sqrt();
    let highest = 2.0 * load / (PI * wide);
    let (mut middle, mut across) = (0.0_f64, 0.0_f64);
    for contact in simulation.interactions() {
        let x = (contact.point[0] / wide).abs();
        let found = contact.r[0] / h / contact.area / highest;
        middle = if x < 0.15 { middle.max(found) } else { middle };
        if x < 0.6 {
            across = across.max((found - (1.0 - x * x).sqrt()).abs());
        }
    }
    let pressing = simulation.interactions().iter().filter(|contact| contact.r[0] > 0.0);
    let reach = pressing.map(|contact| contact.point[0].abs()).fold(0.0, f64::max);
    Ok(vec![
        Comparison::relative("pressure in the middle over p0", 1.0, middle, 0.05),
        Comparison::absolute("pressure within 0.6 a, largest error over p0", 0.0, across, 0.2),
        Comparison::absolute("half width [m]", wide, reach, 0.025),
    ])
}
