//! The tables of a run: one of all steps, one for each probe and each measure, one of the stress in a
//! periodic cell. When they are written, and how far a checkpoint reaches, is the writer's.

use crate::IoError;
use crate::table::CsvTable;
use crate::{measures, probes, stress};
use drystone::{BodyHandle, BodyId, Energy, Simulation, StepReport};
use drystone_measure::{Reference, Request};
use drystone_scene::{Probe, Scene};
use std::path::Path;

/// A probe, the body and the nodes it watches, and its table.
struct ProbeTable {
    probe: Probe,
    body: BodyHandle,
    nodes: Vec<u32>,
    table: CsvTable,
}

/// The tables of a run.
pub(crate) struct Tables {
    /// A line for each step.
    steps: CsvTable,
    probes: Vec<ProbeTable>,
    /// The stress of the sample, in a periodic cell.
    stress: Option<CsvTable>,
    /// What the scene asks to measure, and every how many steps.
    measures: Vec<(Request, u64, CsvTable)>,
    /// The bodies as the run began, where something is measured.
    reference: Reference,
}

impl Tables {
    /// New ones, with the bodies of the probes as the run begins.
    pub(crate) fn create<const D: usize>(
        folder: &Path,
        scene: &Scene,
        simulation: &Simulation<D>,
    ) -> Result<Self, IoError> {
        let own = folder.join("probes");
        let steps = CsvTable::create(&own.join("steps.csv"), probes::STEPS_HEADER)?;
        let mut tables = Vec::new();
        let forces = probes::forces(scene.probes.iter(), simulation);
        for (probe, body, name) in located(&scene.probes, simulation) {
            let mut table = CsvTable::create(&own.join(name), &probes::header(probe, D))?;
            let nodes = watched(probe, body, simulation);
            if let Ok(BodyId(index)) = simulation.body_id(body) {
                table.line(&probes::line(probe, (index as usize, &nodes), simulation, &forces))?;
            }
            tables.push(ProbeTable { probe: probe.clone(), body, nodes, table });
        }
        let path = own.join("stress.csv");
        let stress = simulation.settings().cell.map(|_| CsvTable::create(&path, &stress::header(D)));
        let (measures, reference) = measures::create(folder, scene, simulation)?;
        Ok(Self { steps, probes: tables, stress: stress.transpose()?, measures, reference })
    }

    /// Whether the tables of a folder are as long as a checkpoint says, at least; changes nothing.
    pub(crate) fn check<const D: usize>(
        folder: &Path,
        scene: &Scene,
        simulation: &Simulation<D>,
        lengths: &[u64],
    ) -> Result<(), IoError> {
        let probes = located(&scene.probes, simulation).map(|(_, _, name)| format!("probes/{name}"));
        let stress = simulation.settings().cell.map(|_| "probes/stress.csv".to_owned());
        let measures = measures::wanted(scene).map(|(_, _, name)| name);
        let names =
            std::iter::once("probes/steps.csv".to_owned()).chain(probes).chain(stress).chain(measures);
        let mut lengths = lengths.iter();
        for name in names {
            let path = folder.join(name);
            match lengths.next() {
                Some(&length) => CsvTable::check(&path, length)?,
                None => return Err(IoError::damaged(&path, "the checkpoint does not know this table")),
            }
        }
        Ok(())
    }

    /// Those of a folder, cut to the lengths that a checkpoint names.
    pub(crate) fn reopen<const D: usize>(
        folder: &Path,
        scene: &Scene,
        simulation: &Simulation<D>,
        lengths: &[u64],
    ) -> Result<Self, IoError> {
        let mut lengths = lengths.iter().copied();
        let mut next = |name: &str| {
            let path = folder.join(name);
            match lengths.next() {
                Some(length) => CsvTable::reopen(&path, length),
                None => Err(IoError::damaged(&path, "the checkpoint does not know this table")),
            }
        };
        let steps = next("probes/steps.csv")?;
        let mut probes = Vec::new();
        for (probe, body, name) in located(&scene.probes, simulation) {
            let nodes = watched(probe, body, simulation);
            let table = next(&format!("probes/{name}"))?;
            probes.push(ProbeTable { probe: probe.clone(), body, nodes, table });
        }
        let stress = simulation.settings().cell.map(|_| next("probes/stress.csv")).transpose()?;
        let mut measures = Vec::new();
        for (request, every, name) in measures::wanted(scene) {
            measures.push((request, every, next(&name)?));
        }
        let reference = measures::reference(scene, simulation);
        Ok(Self { steps, probes, stress, measures, reference })
    }

    /// Adds a step to the table of all steps and to the probes.
    pub(crate) fn write_step<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        report: &StepReport,
        energy: &Energy,
    ) -> Result<(), IoError> {
        self.steps.line(&probes::step_line(report, energy))?;
        let forces = probes::forces(self.probes.iter().map(|own| &own.probe), simulation);
        for ProbeTable { probe, body, nodes, table } in &mut self.probes {
            // a body that is gone has nothing to tell
            if let Ok(BodyId(index)) = simulation.body_id(*body) {
                table.line(&probes::line(probe, (index as usize, nodes), simulation, &forces))?;
            }
        }
        self.stress.as_mut().map_or(Ok(()), |table| table.line(&stress::line(simulation)))?;
        measures::write(&mut self.measures, &self.reference, simulation)
    }

    /// Bytes in each of them, in the order in which they are reopened.
    pub(crate) fn lengths(&self) -> Vec<u64> {
        self.all().map(CsvTable::length).collect()
    }

    /// Waits for the disk.
    pub(crate) fn sync(&self) -> Result<(), IoError> {
        self.all().try_for_each(CsvTable::sync)
    }

    fn all(&self) -> impl Iterator<Item = &CsvTable> {
        let probes = self.probes.iter().map(|own| &own.table);
        let measures = self.measures.iter().map(|(_, _, table)| table);
        std::iter::once(&self.steps).chain(probes).chain(&self.stress).chain(measures)
    }
}

/// The nodes that a probe watches; the simulation is as the scene builds it.
fn watched<const D: usize>(probe: &Probe, body: BodyHandle, simulation: &Simulation<D>) -> Vec<u32> {
    let index = simulation.body_id(body).map(|BodyId(index)| index as usize);
    index.map_or_else(|_| Vec::new(), |index| probes::nodes_of(probe, index, simulation))
}

/// The probes with the bodies they watch and the names of their tables. A probe of an unknown body is left
/// out: the scene refuses it earlier.
fn located<'a, const D: usize>(
    probes: &'a [Probe],
    simulation: &'a Simulation<D>,
) -> impl Iterator<Item = (&'a Probe, BodyHandle, String)> {
    let find = |probe: &Probe| {
        let body = simulation.bodies().name.iter().position(|name| *name == probe.body)?;
        simulation.handle(BodyId(body as u32))
    };
    let named = probes.iter().zip(probes::file_names(probes));
    named.filter_map(move |(probe, name)| find(probe).map(|body| (probe, body, name)))
}
