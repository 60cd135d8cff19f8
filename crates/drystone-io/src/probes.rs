//! What a probe records of its body, of nodes of it, of a group or of a tie, as the columns of a table. Opens
//! no file.

use crate::records::{own_orientation, velocity_and_spin};
use crate::table::numbers;
use drystone::{BodyHandle, BodyId, Energy, Simulation, StepReport, TieView, Vector};
use drystone_measure::contact_forces;
use drystone_scene::{Probe, ProbeTarget, Quantity};

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
    let columns = probe.columns().into_iter().flat_map(|quantity| titles(quantity, dimension));
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
        Quantity::Mass => vec!["mass [kg]".into()],
        Quantity::Count => vec!["count [-]".into()],
        Quantity::Moment if dimension == 2 => vec!["moment [N m]".into()],
        Quantity::Moment => axes("moment", "N m"),
        Quantity::Tension => vec!["tension [N]".into()],
        Quantity::Elongation => vec!["elongation [m]".into()],
        Quantity::Coordinate => vec!["coordinate [-]".into()],
        Quantity::Stored => vec!["stored [J]".into()],
    }
}

/// The contact forces on all bodies where any of the probes asks for them, found in one pass over the
/// contacts however many probes there are; else none.
pub(crate) fn forces<'a, const D: usize>(
    mut probes: impl Iterator<Item = &'a Probe>,
    simulation: &Simulation<D>,
) -> Vec<Vector<D>> {
    match probes.any(|probe| probe.columns().contains(&Quantity::Force)) {
        true => contact_forces(simulation),
        false => Vec::new(),
    }
}

/// The nodes that a probe watches, of a body as the run begins; none where it watches the body as a whole.
fn nodes_of<const D: usize>(probe: &Probe, body: usize, simulation: &Simulation<D>) -> Vec<u32> {
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

/// What a probe watches in a run.
pub(crate) enum ProbePlace {
    /// A body, and nodes of it where it is deformable and some are meant.
    Body(BodyHandle, Vec<u32>),
    /// All bodies of the group of this name, which may come and go.
    Group(String),
    /// The tie of this name.
    Tie(String),
}

/// What a probe watches, found as the run begins. None of an unknown body: the scene refuses it earlier.
pub(crate) fn place_of<const D: usize>(probe: &Probe, simulation: &Simulation<D>) -> Option<ProbePlace> {
    match probe.watches() {
        ProbeTarget::Body(name) | ProbeTarget::Nodes(name) => {
            let body = simulation.bodies().name.iter().position(|known| known == name)?;
            let handle = simulation.handle(BodyId(body as u32))?;
            Some(ProbePlace::Body(handle, nodes_of(probe, body, simulation)))
        }
        ProbeTarget::Group(name) => Some(ProbePlace::Group(name.to_owned())),
        ProbeTarget::Tie(name) => Some(ProbePlace::Tie(name.to_owned())),
        ProbeTarget::Unclear => None,
    }
}

/// A line of a probe's table; `forces` are those of [`forces`]. None where what it watches is gone.
pub(crate) fn line<const D: usize>(
    probe: &Probe,
    place: &ProbePlace,
    simulation: &Simulation<D>,
    forces: &[Vector<D>],
) -> Option<String> {
    let values = match place {
        ProbePlace::Body(handle, nodes) => {
            let BodyId(body) = simulation.body_id(*handle).ok()?;
            of_body(probe, body as usize, nodes, simulation, forces)
        }
        ProbePlace::Group(name) => of_group(probe, name, simulation, forces),
        ProbePlace::Tie(name) => {
            let view = simulation.ties().find(|view| view.tie.name == *name)?;
            of_tie(probe, &view)
        }
    };
    let all = std::iter::once(simulation.time()).chain(values);
    Some(format!("{},{}", simulation.steps_done(), numbers(all)))
}

fn list<const D: usize>(vector: &Vector<D>) -> Vec<f64> {
    vector.iter().copied().collect()
}

fn of_body<const D: usize>(
    probe: &Probe,
    body: usize,
    nodes: &[u32],
    simulation: &Simulation<D>,
    forces: &[Vector<D>],
) -> Vec<f64> {
    let bodies = simulation.bodies();
    let id = BodyId(body as u32);
    let [_, spin] = velocity_and_spin(simulation, body);
    let [centre, velocity] = simulation.centre_of_mass(id);
    let [place, displacement, speed] = means(body, nodes, simulation);
    let on_nodes = probe.watches_nodes();
    let one = |quantity: Quantity| match quantity {
        Quantity::Position if on_nodes => list(&place),
        Quantity::Velocity if on_nodes => list(&speed),
        Quantity::Displacement => list(&displacement),
        Quantity::Reaction => list(&simulation.reaction(body, nodes)),
        Quantity::Position => list(&centre),
        Quantity::Velocity => list(&velocity),
        Quantity::Angle => vec![bodies.pose[body].angle()],
        Quantity::Orientation => own_orientation(bodies, body).to_vec(),
        Quantity::Spin if D == 2 => vec![spin[2]],
        Quantity::Spin => spin.to_vec(),
        Quantity::Force => list(&forces[body]),
        Quantity::Energy => vec![simulation.kinetic_of(id)],
        Quantity::Mass => vec![bodies.mass[body][0]],
        // a scene asks for these of groups and ties alone
        Quantity::Count
        | Quantity::Moment
        | Quantity::Tension
        | Quantity::Elongation
        | Quantity::Coordinate
        | Quantity::Stored => vec![f64::NAN; titles(quantity, D).len()],
    };
    probe.columns().into_iter().flat_map(one).collect()
}

/// Sums and means by mass over the bodies of a group. Forces between two of them cancel.
fn of_group<const D: usize>(
    probe: &Probe,
    name: &str,
    simulation: &Simulation<D>,
    forces: &[Vector<D>],
) -> Vec<f64> {
    let bodies = simulation.bodies();
    let group = simulation.group_names().iter().position(|known| known == name);
    let is_in = |body: &usize| Some(bodies.group[*body].0 as usize) == group;
    let (mut mass, mut count, mut energy) = (0.0, 0.0, 0.0);
    let [mut moment, mut momentum, mut force] = [Vector::<D>::zeros(); 3];
    for body in (0..bodies.len()).filter(is_in) {
        let own = bodies.mass[body][0];
        let [centre, velocity] = simulation.centre_of_mass(BodyId(body as u32));
        count += 1.0;
        energy += simulation.kinetic_of(BodyId(body as u32));
        force += forces.get(body).copied().unwrap_or_else(Vector::zeros);
        // walls without an end have no mass
        if own.is_finite() {
            mass += own;
            moment += centre * own;
            momentum += velocity * own;
        }
    }
    let one = |quantity: Quantity| match quantity {
        Quantity::Position => list(&(moment / mass)),
        Quantity::Velocity => list(&(momentum / mass)),
        Quantity::Force => list(&force),
        Quantity::Energy => vec![energy],
        Quantity::Mass => vec![mass],
        Quantity::Count => vec![count],
        // a scene does not ask for the others
        _ => vec![f64::NAN; titles(quantity, D).len()],
    };
    probe.columns().into_iter().flat_map(one).collect()
}

fn of_tie<const D: usize>(probe: &Probe, view: &TieView<D>) -> Vec<f64> {
    let one = |quantity: Quantity| match quantity {
        Quantity::Force => list(&view.force),
        Quantity::Moment if D == 2 => vec![view.moment[2]],
        Quantity::Moment => view.moment.to_vec(),
        Quantity::Tension => vec![view.tension],
        Quantity::Elongation => vec![view.elongation],
        Quantity::Coordinate => vec![view.coordinate],
        Quantity::Stored => vec![view.stored],
        // a scene does not ask for the others
        _ => vec![f64::NAN; titles(quantity, D).len()],
    };
    probe.columns().into_iter().flat_map(one).collect()
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
        let probe = |name: &str| Probe { name: name.into(), body: Some("a".into()), ..Probe::default() };
        let probes = ["a", "A", "../a b", "a/b", "steps", ""].map(probe);
        let names = ["a.csv", "A_.csv", "_a b.csv", "a_b.csv", "steps_.csv", "_.csv"];
        assert_eq!(file_names(&probes), names);
    }
}
