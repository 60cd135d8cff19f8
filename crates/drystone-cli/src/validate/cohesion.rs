//! Bonds that open along an arm: the double cantilever with rigid arms, in closed form.

use super::{Comparison, plane, run_through, scene, space, threshold};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::Scene;

/// `∫ δ t(δ) dδ` from 0 to an opening \[N\], of the curve of Monerie, Acary and Cangémi with the energy `w`
/// and the stiffness `k`: `t = kδ` up to `δ₀ = √(w/k)`, then `w²/(kδ³)`.
fn mac(opening: f64) -> f64 {
    let (w, k) = (10.0_f64, 2e9_f64);
    let peak = (w / k).sqrt();
    let rising = k * opening.min(peak).powi(3) / 3.0;
    rising + if opening > peak { w * w / k * (1.0 / peak - 1.0 / opening) } else { 0.0 }
}

/// The same of two straight lines: `t = kδ` up to `δ₀ = σ/k`, then down to nothing at `δ_c = 2G/σ`.
fn bilinear(opening: f64) -> f64 {
    let (strength, energy, k) = (1e5_f64, 10.0_f64, 4e9_f64);
    let (peak, last) = (strength / k, 2.0 * energy / strength);
    let rising = k * opening.min(peak).powi(3) / 3.0;
    let falling = |d: f64| strength / (last - peak) * (last * d * d / 2.0 - d * d * d / 3.0);
    rising + if opening > peak { falling(opening.min(last)) - falling(peak) } else { 0.0 }
}

/// Moment of the bonds of an arm about its left end \[N m\].
fn moment(simulation: &Simulation<2>, arm: usize, end: f64) -> f64 {
    let h = simulation.settings().step;
    let of = |contact: &drystone::Interaction<2>| {
        let pull = (contact.frame * contact.r)[1] / h * (contact.point[0] - end);
        match contact.bodies.map(|body| body.0 as usize) {
            [body, _] if body == arm => -pull,
            [_, body] if body == arm => pull,
            _ => 0.0,
        }
    };
    simulation.interactions().iter().map(of).sum()
}

/// An arm turns away from what it is glued to: its moment is `M = (b/α²) ∫ δ t(δ) dδ` up to the opening `Lα`
/// of its end.
pub fn cantilever() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/laws/cantilever.toml"))?;
    let mut simulation = plane(&scene)?;
    let find = |name: &str| simulation.bodies().name.iter().position(|known| known == name).unwrap_or(0);
    let arms = [
        ("MAC", find("mac"), 0.0, mac as fn(f64) -> f64),
        ("bilinear", find("bilinear"), 2.0, bilinear as fn(f64) -> f64),
    ];
    let mut rows = Vec::new();
    let mut peaks = [[0.0_f64; 2]; 2];
    for step in 1..=scene.steps() {
        simulation.step();
        // impulses are those of the middle of the step, where the arm stood half a step ago
        let angle = 0.05 * (step as f64 - 0.5) * scene.time.step;
        for (k, &(name, arm, end, integral)) in arms.iter().enumerate() {
            let known = 1e-3 * integral(angle) / (angle * angle);
            let found = 1e-3 * moment(&simulation, arm, end);
            peaks[k] = [peaks[k][0].max(known), peaks[k][1].max(found)];
            if step % 200 == 0 {
                let what = format!("{name}: moment at {:.0} um of opening [kN m]", 1e6 * angle);
                rows.push(Comparison::relative(what, known, found, 1e-2));
            }
        }
    }
    for ([known, found], (name, ..)) in peaks.into_iter().zip(arms) {
        rows.push(Comparison::relative(format!("{name}: largest moment [kN m]"), known, found, 1e-2));
    }
    Ok(rows)
}

/// A beam glued to a wall: the moments, and the tension off its axis, at which the joint breaks are those of
/// Navier's beam.
pub fn bending() -> Result<Vec<Comparison>, Failure> {
    let flat = scene(include_str!("../../../../scenes/validation/bonded-beam.toml"))?;
    let solid = scene(include_str!("../../../../scenes/validation/bonded-beam-space.toml"))?;
    let (strength, b, l) = (1e5, 0.1, 0.2);
    // tension t with the moment m, in the plane and in space about y and z
    let in_plane = |t: f64, m: f64| loaded(&flat, [t, m, 0.0, 0.0]);
    let in_space = |t: f64, y: f64, z: f64| loaded(&solid, [t, 0.0, y, z]);
    let edge = |known: f64, breaks: &dyn Fn(f64) -> Result<bool, Failure>| {
        threshold(0.2 * known, 4.0 * known, 1e-5 * known, breaks)
    };
    let (plane_moment, y, z) =
        (strength * l * l / 6.0, strength * b * l * l / 6.0, strength * b * b * l / 6.0);
    // σ = T/A + 6 T e/(b L²) with e = L/6
    let off_axis = strength * b * l / 2.0;
    let both = 1.0 / (1.0 / y + 1.0 / z);
    Ok(vec![
        Comparison::relative(
            "plane: moment [N m]",
            plane_moment,
            edge(plane_moment, &|m| in_plane(0.0, m))?,
            1e-3,
        ),
        Comparison::relative(
            "plane: tension, no moment [N]",
            strength * l,
            edge(strength * l, &|t| in_plane(t, 0.0))?,
            1e-3,
        ),
        Comparison::relative("space: moment about y [N m]", y, edge(y, &|m| in_space(0.0, m, 0.0))?, 1e-3),
        Comparison::relative("space: moment about z [N m]", z, edge(z, &|m| in_space(0.0, 0.0, m))?, 1e-3),
        Comparison::relative(
            "space: the same about both [N m]",
            both,
            edge(both, &|m| in_space(0.0, m, m))?,
            1e-3,
        ),
        Comparison::relative(
            "space: tension at L/6 off the axis [N]",
            off_axis,
            edge(off_axis, &|t| in_space(t, t * l / 6.0, 0.0))?,
            1e-3,
        ),
    ])
}

/// Whether the joint of a beam breaks under a force along it and moments: about the third axis in the plane,
/// y and z.
fn loaded(scene: &Scene, [pull, moment, y, z]: [f64; 4]) -> Result<bool, Failure> {
    let mut scene = scene.clone();
    let dimension = scene.dimension;
    if let Some(load) = &mut scene.bodies[1].load {
        load.x = Some(pull);
        if dimension == 2 {
            load.moment = Some(moment);
        } else {
            (load.moment_y, load.moment_z) = (Some(y), Some(z));
        }
    }
    let speed = if scene.dimension == 2 {
        let mut simulation = plane(&scene)?;
        run_through(&scene, &mut simulation);
        simulation.bodies().twist(1).norm()
    } else {
        let mut simulation = space(&scene)?;
        run_through(&scene, &mut simulation);
        simulation.bodies().twist(1).norm()
    };
    Ok(speed > 1e-6)
}
