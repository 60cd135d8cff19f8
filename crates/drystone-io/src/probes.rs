//! What a probe records of its body or of nodes of it, as the columns of a table. Opens no file.

use crate::records::{kinetic_energy, own_orientation, velocity_and_spin};
use crate::table::numbers;
use drystone::{Energy, Simulation, StepReport, Vector};
use drystone_measure::contact_forces;
use drystone_scene::{Probe, Quantity};

/// Header of the table of all steps.
pub(crate) const STEPS_HEADER: &str = "step,time [s],contacts,active,iterations,residual,converged,penetration [m],\
    kinetic [J],potential [J],friction [J],shocks [J],loads [J],drives [J],scheme [J],cohesion [J],viscosity [J],\
    stored [J],drift [J],gyroscopic [J],dissipation [J],dissipation least [J],violations,verdict,\
    islands held,islands passed over,islands unchecked,residual mean,work gap,work gap absolute,work limit,parts";

/// A line of the table of all steps.
pub(crate) fn step_line(report: &StepReport, energy: &Energy) -> String {
    let StepReport { step, contacts, active, iterations, .. } = report;
    let energies = [
        energy.kinetic,
        energy.potential,
        energy.friction,
        energy.shocks,
        energy.loads,
        energy.drives,
        energy.scheme,
        energy.cohesion,
        energy.viscosity,
        energy.stored,
        energy.drift,
        energy.gyroscopic,
    ];
    let gap = report.gap.unwrap_or_default();
    format!(
        "{step},{:?},{contacts},{active},{iterations},{:?},{},{:?},{},{:?},{:?},{},{},{},{},{},{},{},{}",
        report.time,
        report.residual,
        u8::from(report.converged),
        report.penetration,
        numbers(energies),
        report.dissipation.total,
        report.dissipation.least,
        report.dissipation.violations,
        report.trouble.map_or(0, |trouble| 1 + trouble.verdict as u8),
        report.rest.held,
        report.rest.passed_over,
        report.rest.unchecked,
        numbers([report.mean_residual, gap.signed, gap.absolute]),
        u8::from(report.is_limited),
        report.parts
    )
}

/// Header of a probe's table.
pub(crate) fn header(probe: &Probe, dimension: usize) -> String {
    let columns = probe.quantities.iter().flat_map(|quantity| titles(*quantity, dimension));
    ["step".to_string(), "time [s]".to_string()].into_iter().chain(columns).collect::<Vec<_>>().join(",")
}

fn titles(quantity: Quantity, dimension: usize) -> Vec<String> {
    let axes = |name: &str, unit: &str| -> Vec<String> {
        ["x", "y", "z"][..dimension].iter().map(|axis| format!("{name} {axis} [{unit}]")).collect()
    };
    match quantity {
        Quantity::Position => axes("position", "m"),
        Quantity::Velocity => axes("velocity", "m/s"),
        Quantity::Angle => vec!["angle [rad]".into()],
        Quantity::Orientation => {
            ["w", "x", "y", "z"].iter().map(|part| format!("orientation {part} [-]")).collect()
        }
        Quantity::Spin if dimension == 2 => vec!["spin [rad/s]".into()],
        Quantity::Spin => axes("spin", "rad/s"),
        Quantity::Force => axes("force", "N"),
        Quantity::Energy => vec!["kinetic energy [J]".into()],
        Quantity::Displacement => axes("displacement", "m"),
        Quantity::Reaction => axes("reaction", "N"),
    }
}

/// The contact forces on all bodies where any of the probes asks for them, found in one pass over the
/// contacts however many probes there are; else none.
pub(crate) fn forces<'a, const D: usize>(
    mut probes: impl Iterator<Item = &'a Probe>,
    simulation: &Simulation<D>,
) -> Vec<Vector<D>> {
    match probes.any(|probe| probe.quantities.contains(&Quantity::Force)) {
        true => contact_forces(simulation),
        false => Vec::new(),
    }
}

/// The nodes that a probe watches, of a body as the run begins; none where it watches the body as a whole.
pub(crate) fn nodes_of<const D: usize>(probe: &Probe, body: usize, simulation: &Simulation<D>) -> Vec<u32> {
    let Some(model) = simulation.solids().model(body) else { return Vec::new() };
    if let Some(group) = &probe.group {
        return model.mesh().group(group).map_or_else(|_| Vec::new(), |group| group.nodes.clone());
    }
    let Some(near) = &probe.near else { return Vec::new() };
    let near = Vector::<D>::from_fn(|axis, _| near.get(axis).copied().unwrap_or(0.0));
    vec![model.mesh().nearest_node(&simulation.bodies().pose[body].to_local(&near)) as u32]
}

/// Means over nodes of their places, displacements and velocities.
fn means<const D: usize>(body: usize, nodes: &[u32], simulation: &Simulation<D>) -> [Vector<D>; 3] {
    let moved = nodes.iter().filter_map(|&node| simulation.node_motion(body, node as usize));
    let sum = moved.fold([Vector::zeros(); 3], |sum, one| std::array::from_fn(|k| sum[k] + one[k]));
    sum.map(|sum| sum / nodes.len().max(1) as f64)
}

/// A line of a probe's table; `forces` are those of [`forces`], `nodes` those of [`nodes_of`].
pub(crate) fn line<const D: usize>(
    probe: &Probe,
    (body, nodes): (usize, &[u32]),
    simulation: &Simulation<D>,
    forces: &[Vector<D>],
) -> String {
    let bodies = simulation.bodies();
    let pose = &bodies.pose[body];
    let [velocity, spin] = velocity_and_spin(bodies, body);
    let [place, displacement, speed] = means(body, nodes, simulation);
    let on_nodes = probe.watches_nodes();
    let list = |vector: &Vector<D>| vector.iter().copied().collect::<Vec<f64>>();
    let values = probe.quantities.iter().flat_map(|quantity| match quantity {
        Quantity::Position if on_nodes => list(&place),
        Quantity::Velocity if on_nodes => list(&speed),
        Quantity::Displacement => list(&displacement),
        Quantity::Reaction => list(&simulation.reaction(body, nodes)),
        Quantity::Position => list(&pose.position),
        Quantity::Velocity => velocity[..D].to_vec(),
        Quantity::Angle => vec![pose.angle()],
        Quantity::Orientation => own_orientation(bodies, body).to_vec(),
        Quantity::Spin if D == 2 => vec![spin[2]],
        Quantity::Spin => spin.to_vec(),
        Quantity::Force => list(&forces[body]),
        Quantity::Energy => vec![kinetic_energy(simulation, body)],
    });
    format!("{},{}", simulation.steps_done(), numbers(std::iter::once(simulation.time()).chain(values)))
}

/// The file names of the probes' tables: what a scene allows in a name stays, and no two are the same, not
/// even where capitals do not count.
pub(crate) fn file_names(probes: &[Probe]) -> Vec<String> {
    let keep = |c: char| {
        if c.is_alphanumeric() || "-_+. ".contains(c) { c } else { '_' }
    };
    let mut taken = vec!["steps".to_string(), "stress".to_string()];
    let mut name_of = |probe: &Probe| {
        let mut name: String = probe.name.trim_start_matches('.').chars().map(keep).collect();
        while taken.contains(&name.to_lowercase()) || name.is_empty() {
            name.push('_');
        }
        taken.push(name.to_lowercase());
        format!("{name}.csv")
    };
    probes.iter().map(&mut name_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_names_of_their_own() {
        let probe = |name: &str| Probe {
            name: name.into(),
            body: "a".into(),
            group: None,
            near: None,
            quantities: Vec::new(),
        };
        let probes = ["a", "A", "../a b", "a/b", "steps", ""].map(probe);
        let names = ["a.csv", "A_.csv", "_a b.csv", "a_b.csv", "steps_.csv", "_.csv"];
        assert_eq!(file_names(&probes), names);
    }
}
