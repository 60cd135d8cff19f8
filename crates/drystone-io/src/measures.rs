//! What a scene asks to measure, as the lines of tables. What is measured, `drystone-measure` knows.

use crate::IoError;
use crate::files;
use crate::table::{CsvTable, numbers};
use drystone::Simulation;
use drystone_measure::{FrameView, Readings, Reference, Request, evaluate};
use drystone_scene::Scene;
use std::path::Path;

/// What is measured, every how many steps, and into which file of the run folder.
pub(crate) fn wanted(scene: &Scene) -> impl Iterator<Item = (Request, u64, String)> + '_ {
    scene.measures.iter().map(|measure| {
        let steps = measure.every.map(|every| (every / scene.time.step).round().max(1.0) as u64);
        let every = steps.unwrap_or_else(|| scene.steps_between_outputs());
        (measure.request(), every, format!("measures/{}.csv", measure.file()))
    })
}

/// The bodies as they are now, where the scene asks to measure something.
pub(crate) fn reference<const D: usize>(scene: &Scene, simulation: &Simulation<D>) -> Reference {
    match scene.measures.is_empty() {
        true => Reference::default(),
        false => Reference::with_volumes(simulation, &volumes(scene, simulation)),
    }
}

/// Volumes of the bodies of a scene as it begins \[m³\]: mass over density, which is right also where parts
/// of a body lie in each other; where no density is given, the sum over the parts.
pub(crate) fn volumes<const D: usize>(scene: &Scene, simulation: &Simulation<D>) -> Vec<f64> {
    let mut volumes = drystone_measure::volumes(simulation);
    let (names, masses) = (&simulation.bodies().name, &simulation.bodies().mass);
    for (index, body) in scene.bodies.iter().enumerate().take(volumes.len()) {
        // a run that goes on from another may have lost bodies
        let is_it = names[index] == body.name && masses[index][0] > 0.0;
        if let Some(density) = scene.density_of(body).filter(|_| is_it) {
            volumes[index] = masses[index][0] / density;
        }
    }
    volumes
}

type OpenTables = Vec<(Request, u64, CsvTable)>;

/// New tables, with the lines of the beginning.
pub(crate) fn create<const D: usize>(
    folder: &Path,
    scene: &Scene,
    simulation: &Simulation<D>,
) -> Result<(OpenTables, Reference), IoError> {
    let reference = reference(scene, simulation);
    if scene.measures.is_empty() {
        return Ok((Vec::new(), reference));
    }
    let own = folder.join("measures");
    files::make_folder(&own)?;
    let view = FrameView::of(simulation, &reference);
    let mut tables = Vec::new();
    for (request, every, name) in wanted(scene) {
        let readings = evaluate(&view, &request)
            .map_err(|error| IoError::Scene { path: folder.join("scene.toml"), reason: error.to_string() })?;
        let mut table = CsvTable::create(&folder.join(name), &header(&readings))?;
        add(&mut table, simulation, &readings)?;
        tables.push((request, every, table));
    }
    Ok((tables, reference))
}

/// Adds lines for the tables whose turn it is.
pub(crate) fn write<const D: usize>(
    tables: &mut OpenTables,
    reference: &Reference,
    simulation: &Simulation<D>,
) -> Result<(), IoError> {
    let steps = simulation.steps_done();
    if !tables.iter().any(|(_, every, _)| steps.is_multiple_of(*every)) {
        return Ok(());
    }
    let view = FrameView::of(simulation, reference);
    for (request, _, table) in tables.iter_mut().filter(|(_, every, _)| steps.is_multiple_of(*every)) {
        // of a body that is gone there is nothing to tell
        if let Ok(readings) = evaluate(&view, request) {
            add(table, simulation, &readings)?;
        }
    }
    Ok(())
}

fn add<const D: usize>(
    table: &mut CsvTable,
    simulation: &Simulation<D>,
    readings: &Readings,
) -> Result<(), IoError> {
    let (step, time) = (simulation.steps_done(), simulation.time());
    readings.rows.iter().try_for_each(|row| table.line(&format!("{step},{time:?},{}", cells(row))))
}

/// Header of a table of readings: step, time, labels, columns with units.
pub fn header(readings: &Readings) -> String {
    let first = ["step".to_string(), "time [s]".to_string()];
    first.into_iter().chain(readings.header()).collect::<Vec<_>>().join(",")
}

/// A row of readings with commas between; labels in quotes where they need them.
pub fn cells((labels, values): &(Vec<String>, Vec<f64>)) -> String {
    let quoted = |label: &String| match label.contains([',', '"', '\n']) {
        true => format!("\"{}\"", label.replace('"', "\"\"")),
        false => label.clone(),
    };
    let labels = labels.iter().map(quoted);
    labels.chain(std::iter::once(numbers(values.iter().copied()))).collect::<Vec<_>>().join(",")
}
