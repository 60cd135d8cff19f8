//! Surfaces of a run that did not write them, made from its scene and the poses of its bodies: a file of
//! them, or frame after frame. Makes none of bodies that come and go or deform: their shapes are not in the
//! scene.

use crate::IoError;
use crate::claim::SURFACES;
use crate::double_buffered::DoubleBuffered;
use crate::faces::StoredFaces;
use crate::files;
use crate::folder::{Frame, RunFolder, scene_error};
use crate::hdf5::Values;
use crate::series::SeriesPlan;
use crate::stored::{StoredColumn, StoredNumbers};
use crate::surfaces::Surfaces;
use crate::topology::Topology;
use drystone::{AnySimulation, Simulation};
use std::fs;

/// Reads the surfaces of a run frame by frame; those that are in no file are made.
pub struct FaceReader<'a> {
    run: &'a RunFolder,
    made: Option<(AnySimulation, Surfaces, SeriesPlan)>,
}

impl<'a> FaceReader<'a> {
    /// Builds the scene where the surfaces have to be made.
    pub fn new(run: &'a RunFolder) -> Result<Self, IoError> {
        let stored = run.path().join(SURFACES).exists() || run.is_open();
        let made = if stored { None } else { prepare(run)? };
        Ok(Self { run, made })
    }

    /// The surfaces in the frame `index`, from 0; none where they cannot be known.
    pub fn faces(&self, index: usize) -> Result<Option<StoredFaces>, IoError> {
        let Some((simulation, surfaces, plan)) = &self.made else { return self.run.stored_faces(index) };
        let Frame { bodies, .. } = self.run.frame(index)?;
        let data = match simulation {
            AnySimulation::Plane(simulation) => surfaces.rows_of(simulation, &bodies),
            AnySimulation::Space(simulation) => surfaces.rows_of(simulation, &bodies),
        };
        let Topology::Fixed { lines, polygons, .. } = &plan.topology else { return Ok(None) };
        let mut points = vec![column("Points", 3, &Values::F64(data.points))];
        points.extend(data.columns.iter().map(|own| column(own.name, own.components, &own.values)));
        let owners = plan.fixed_cells.iter().map(|own| column(own.name, own.components, &own.values));
        Ok(Some(StoredFaces { points, cells: [lines.stored(), polygons.stored()], owners: owners.collect() }))
    }
}

/// Writes `surfaces.vtkhdf` into the folder of a run that has ended; gives the number of frames. Where bodies
/// come and go or deform, the run alone can write them.
pub fn write_surfaces(run: &RunFolder) -> Result<usize, IoError> {
    let refuse = |reason: &str| IoError::NotARun { path: run.path().to_owned(), reason: reason.into() };
    if run.is_running() {
        return Err(refuse("it is still being written; its surfaces can be made once it has ended"));
    }
    let Some((simulation, surfaces, plan)) = (if run.is_open() { None } else { prepare(run)? }) else {
        let reason = "its bodies come and go or deform, so their surfaces are not in its scene; let the run write \
                      them: output.surfaces = true";
        return Err(refuse(reason));
    };
    let spare = run.path().join("spare");
    let kept = spare.exists();
    files::make_folder(&spare)?;
    let mut file = DoubleBuffered::new(run.path(), SURFACES, plan);
    for index in 0..run.times().len() {
        let Frame { step, time, bodies, .. } = run.frame(index)?;
        let data = match &simulation {
            AnySimulation::Plane(simulation) => surfaces.rows_of(simulation, &bodies),
            AnySimulation::Space(simulation) => surfaces.rows_of(simulation, &bodies),
        };
        file.commit(step, time, data, false)?;
    }
    if !kept {
        let _ = fs::remove_dir_all(&spare);
    }
    Ok(file.frames())
}

/// The surfaces as the scene has them; none where bodies deform.
fn prepare(run: &RunFolder) -> Result<Option<(AnySimulation, Surfaces, SeriesPlan)>, IoError> {
    let simulation = run.scene()?.build().map_err(|error| scene_error(run.path(), error))?;
    let made = match &simulation {
        AnySimulation::Plane(simulation) => of(simulation),
        AnySimulation::Space(simulation) => of(simulation),
    };
    Ok(made.map(|(surfaces, plan)| (simulation, surfaces, plan)))
}

fn of<const D: usize>(simulation: &Simulation<D>) -> Option<(Surfaces, SeriesPlan)> {
    if !simulation.solids().is_empty() {
        return None;
    }
    let surfaces = Surfaces::new(simulation);
    let plan = surfaces.plan(simulation);
    Some((surfaces, plan))
}

fn column(name: &str, components: usize, values: &Values) -> StoredColumn {
    let numbers = match values {
        Values::F32(numbers) => StoredNumbers::Reals(numbers.iter().copied().map(f64::from).collect()),
        Values::F64(numbers) => StoredNumbers::Reals(numbers.clone()),
        Values::U32(numbers) => StoredNumbers::Words(numbers.clone()),
        Values::U8(numbers) => StoredNumbers::Bytes(numbers.clone()),
        Values::I64(numbers) => StoredNumbers::Reals(numbers.iter().map(|&number| number as f64).collect()),
        Values::U64(numbers) => StoredNumbers::Reals(numbers.iter().map(|&number| number as f64).collect()),
        Values::I32(numbers) => StoredNumbers::Reals(numbers.iter().copied().map(f64::from).collect()),
    };
    StoredColumn { name: name.to_owned(), components, numbers }
}
