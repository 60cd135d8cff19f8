//! Frames of a run folder as measures see them. What is not in the files, the scene tells: it is built once.

use crate::IoError;
use crate::files;
use crate::folder::{RunFolder, scene_error};
use crate::hdf5::Source;
use crate::measures::volumes;
use drystone::{AnySimulation, Energy, Pose, Vector};
use drystone_measure::{BodyView, ContactPower, ContactView, FrameView, Reference};
use std::collections::HashMap;

/// Reads frames of a run to measure them.
pub struct FrameReader {
    folder: RunFolder,
    simulation: AnySimulation,
    /// Of the bodies the run began with: what no frame tells.
    bodies: Vec<BodyView>,
    names: Vec<String>,
    groups: Vec<String>,
    /// Names of the sources of bodies.
    sources: Vec<String>,
    /// Energies by step.
    energies: HashMap<u64, Energy>,
    lag: f64,
    /// Length of a step \[s\].
    step: f64,
}

/// A frame that was read.
pub struct LoadedFrame<'a> {
    reader: &'a FrameReader,
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    bodies: Vec<BodyView>,
    contacts: Vec<ContactView>,
    /// Names, where the bodies are not those the run began with.
    names: Option<Vec<String>>,
}

impl RunFolder {
    /// Makes ready to measure frames.
    pub fn reader(&self) -> Result<FrameReader, IoError> {
        let scene = self.scene()?;
        let simulation = scene.build().map_err(|error| scene_error(self.path(), error))?;
        let reference = match &simulation {
            AnySimulation::Plane(simulation) => {
                Reference::with_volumes(simulation, &volumes(&scene, simulation))
            }
            AnySimulation::Space(simulation) => {
                Reference::with_volumes(simulation, &volumes(&scene, simulation))
            }
        };
        let view = FrameView::of_any(&simulation, &reference);
        let (bodies, names, groups) = (view.bodies.clone(), view.names.to_vec(), view.groups.to_vec());
        let lag = scene.time.step * scene.time.theta;
        let energies = energies(self)?;
        let (folder, step) = (self.clone(), scene.time.step);
        let sources = scene.sources.iter().map(|source| source.name.clone()).collect();
        let mut reader =
            FrameReader { folder, simulation, bodies, names, groups, sources, energies, lag, step };
        reader.take_start()?;
        Ok(reader)
    }
}

impl FrameReader {
    /// The simulation as the scene builds it.
    pub fn simulation(&self) -> &AnySimulation {
        &self.simulation
    }

    /// Where the bodies were as the run began: a scene that goes on from another run does not tell.
    fn take_start(&mut self) -> Result<(), IoError> {
        if self.folder.times().is_empty() {
            return Ok(());
        }
        self.count_from(0)
    }

    /// Lets displacements and strains count from the frame `index`, from 0: bodies that came later have none.
    pub fn count_from(&mut self, index: usize) -> Result<(), IoError> {
        let first = self.folder.frame(index)?;
        let own = self.folder.own_columns(index)?;
        for (row, record) in first.bodies.iter().enumerate() {
            let place = match own.as_ref().map(|own| own.ids[row]) {
                None => row,
                Some([id, 0]) => id as usize,
                Some(_) => continue,
            };
            if let Some(body) = self.bodies.get_mut(place) {
                let orientation = Pose::<3>::orientation_from_wxyz(record.orientation_wxyz);
                body.start = Some(Pose { position: record.position.into(), orientation });
            }
        }
        Ok(())
    }

    /// The name of a body where bodies come and go: that of the scene, or of its source with its number.
    fn name_of(&self, [id, generation]: [u32; 2], [source, number]: [u32; 2]) -> String {
        let built = self.names.get(id as usize).filter(|_| generation == 0);
        let source = (source as usize).checked_sub(1).and_then(|source| self.sources.get(source));
        match (source, built) {
            (Some(source), _) => format!("{source} {number}"),
            (None, Some(name)) => name.clone(),
            (None, None) => format!("body {id}.{generation}"),
        }
    }

    /// The frame `index`, from 0.
    pub fn load(&self, index: usize) -> Result<LoadedFrame<'_>, IoError> {
        let frame = self.folder.frame(index)?;
        let own = self.folder.own_columns(index)?;
        let mut bodies = Vec::with_capacity(frame.bodies.len());
        let mut names = own.as_ref().map(|_| Vec::new());
        for (row, record) in frame.bodies.iter().enumerate() {
            let newcomer = BodyView {
                position: Vector::zeros(),
                orientation: drystone::Orientation::identity(),
                velocity: Vector::zeros(),
                mass: 0.0,
                volume: 0.0,
                radius: 0.0,
                group: 0,
                is_free: true,
                start: None,
            };
            let known = match &own {
                None => self.bodies.get(row).copied().unwrap_or(newcomer),
                Some(own) => {
                    let [id, generation] = own.ids[row];
                    let built = self.bodies.get(id as usize).filter(|_| generation == 0);
                    if let Some(names) = &mut names {
                        names.push(self.name_of([id, generation], own.made[row]));
                    }
                    let [mass, volume, radius] = own.sizes[row];
                    BodyView {
                        mass,
                        volume,
                        radius,
                        group: own.groups[row],
                        ..built.copied().unwrap_or(newcomer)
                    }
                }
            };
            bodies.push(BodyView {
                position: record.position.into(),
                orientation: Pose::<3>::orientation_from_wxyz(record.orientation_wxyz),
                velocity: record.velocity.into(),
                ..known
            });
        }
        let is_there = |contact: &&crate::ContactRecord| {
            contact.bodies.iter().all(|&body| (body as usize) < bodies.len())
        };
        let contacts = frame
            .contacts
            .iter()
            .filter(is_there)
            .map(|contact| ContactView {
                bodies: contact.bodies.map(|body| body as usize),
                point: contact.point.into(),
                normal: contact.normal.into(),
                force: contact.force.into(),
                gap: contact.gap,
                status: contact.status,
                area: contact.area,
                power: contact.dissipated.map(|spent| {
                    let [friction, shocks, cohesion, viscosity] = spent.map(|work| work / self.step);
                    ContactPower { friction, shocks, cohesion, viscosity }
                }),
            })
            .collect();
        Ok(LoadedFrame { reader: self, step: frame.step, time: frame.time, bodies, contacts, names })
    }
}

impl LoadedFrame<'_> {
    /// The frame as measures see it.
    pub fn view(&self) -> FrameView<'_> {
        let reader = self.reader;
        let mut periods = [None; 2];
        let cell = match &reader.simulation {
            AnySimulation::Plane(simulation) => {
                simulation.settings().cell.map(|cell| cell.periods().collect::<Vec<_>>())
            }
            AnySimulation::Space(simulation) => {
                simulation.settings().cell.map(|cell| cell.periods().collect::<Vec<_>>())
            }
        };
        for (axis, period) in cell.into_iter().flatten() {
            periods[axis] = Some(period);
        }
        FrameView {
            dimension: reader.simulation.dimension(),
            time: self.time,
            lag: reader.lag,
            periods,
            names: self.names.as_ref().unwrap_or(&reader.names),
            groups: &reader.groups,
            bodies: self.bodies.clone(),
            contacts: self.contacts.clone(),
            energy: reader.energies.get(&self.step).copied(),
        }
    }
}

/// What each frame tells of its bodies, where they come and go.
pub(crate) struct OwnColumns {
    pub ids: Vec<[u32; 2]>,
    /// Which source made them, from 1, and the how manieth of it they are.
    pub made: Vec<[u32; 2]>,
    pub groups: Vec<u32>,
    /// Mass, volume, radius.
    pub sizes: Vec<[f64; 3]>,
}

impl RunFolder {
    fn own_columns(&self, index: usize) -> Result<Option<OwnColumns>, IoError> {
        let Some([start, count]) = self.span_of(index) else { return Ok(None) };
        let source = Source::open(&self.path().join("bodies.vtkhdf"))?;
        let words = |name: &str| source.slice::<u32>(&format!("VTKHDF/PointData/{name}"), start, count);
        let numbers = |name: &str| -> Result<Vec<f64>, IoError> {
            let path = format!("VTKHDF/PointData/{name}");
            // folders of earlier versions have no masses and volumes
            if source.has(&path) { source.slice(&path, start, count) } else { Ok(vec![0.0; count]) }
        };
        let (ids, generations) = (words("id")?, words("generation")?);
        // folders of earlier versions do not tell who made a body
        let told = ["source", "number"].map(|name| words(name).unwrap_or_else(|_| vec![0; count]));
        let (mass, volume, radius) = (numbers("mass")?, numbers("volume")?, numbers("radius")?);
        Ok(Some(OwnColumns {
            ids: ids.into_iter().zip(generations).map(|(id, generation)| [id, generation]).collect(),
            made: (0..count).map(|row| [told[0][row], told[1][row]]).collect(),
            groups: words("group")?,
            sizes: (0..count).map(|row| [mass[row], volume[row], radius[row]]).collect(),
        }))
    }
}

impl RunFolder {
    /// Radius of every body in the frame `index` \[m\], 0 of half-spaces; none where bodies are the same in
    /// all frames.
    pub fn radii_in(&self, index: usize) -> Result<Option<Vec<f64>>, IoError> {
        Ok(self.own_columns(index)?.map(|own| own.sizes.iter().map(|size| size[2]).collect()))
    }
}

/// Energies by step, as the table of all steps tells; before the first step all are 0.
fn energies(folder: &RunFolder) -> Result<HashMap<u64, Energy>, IoError> {
    let path = folder.path().join("probes/steps.csv");
    let text = files::read_text(&path)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column = |name: &str| header.iter().position(|known| *known == format!("{name} [J]"));
    let names = [
        "kinetic",
        "potential",
        "friction",
        "shocks",
        "loads",
        "drives",
        "scheme",
        "cohesion",
        "viscosity",
        "stored",
        "drift",
        "gyroscopic",
    ];
    let places = names.map(column);
    let mut found = HashMap::from([(0, Energy::default())]);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let value = |place: Option<usize>| -> Option<f64> { cells.get(place?)?.parse().ok() };
        let Some(step) = cells.first().and_then(|step| step.parse().ok()) else { continue };
        let [
            kinetic,
            potential,
            friction,
            shocks,
            loads,
            drives,
            scheme,
            cohesion,
            viscosity,
            stored,
            drift,
            gyroscopic,
        ] = places.map(|place| value(place).unwrap_or(f64::NAN));
        let energy = Energy {
            kinetic,
            potential,
            friction,
            shocks,
            loads,
            drives,
            scheme,
            cohesion,
            viscosity,
            stored,
            drift,
            gyroscopic,
            ..Energy::default()
        };
        found.insert(step, energy);
    }
    Ok(found)
}
