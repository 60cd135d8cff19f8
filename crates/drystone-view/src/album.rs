//! Pictures of the frames of a run folder: the shapes come from its scene, their places from the frame. Runs
//! nothing.

use crate::error::ViewError;
use crate::newcomers::Cast;
use crate::picture::{ForceSegment, Form, Item, Picture, SolidField, Status, TieSegment};
use crate::shapes::{Attached, BodyKind, kinds, polygon, shapes, three};
use crate::tie_shapes::{TieShape, tie_shapes};
use drystone::{AnySimulation, Cell, LEVEL_AXES, Pose, Vector};
use drystone_io::{
    BodyRecord, ContactRecord, NodeSpan, RunFolder, SkinRecord, SkinSpan, TieRecord, node_spans, skin_spans,
};

/// The column of accumulated plastic strain in files.
const PLASTIC_STRAIN: &str = "accumulated_plastic_strain";

/// The shapes of a run, read once, from which a picture of any frame can be made.
#[derive(Clone, Debug)]
pub struct Album<'a> {
    run: &'a RunFolder,
    title: String,
    dimension: usize,
    bodies: Vec<BodyKind>,
    /// Radii of the bodies as they were built \[m\].
    radii: Vec<f64>,
    shapes: Vec<Attached>,
    cell: Option<Cell<3>>,
    /// What each tie looks like; nothing for coupled motions.
    ties: Vec<Option<TieShape>>,
    /// Deformable bodies, and by how much more than it is their deformation is drawn.
    skins: Vec<SkinSpan>,
    exaggeration: f64,
    /// Their elements, in the plane, and the field that gives them their colours.
    nodes: Vec<NodeSpan>,
    field: Option<SolidField>,
}

/// The picture of one frame of a run, counted from 0. For several frames an [`Album`] reads the scene only
/// once.
pub fn picture_of(run: &RunFolder, frame: usize) -> Result<Picture, ViewError> {
    Album::new(run)?.picture(frame)
}

impl<'a> Album<'a> {
    /// Reads the scene of the run and keeps its shapes.
    pub fn new(run: &'a RunFolder) -> Result<Album<'a>, ViewError> {
        let scene = run.scene()?;
        let simulation = scene.build().map_err(|error| ViewError::Scene { reason: error.to_string() })?;
        let (dimension, bodies, shapes, ties) = match &simulation {
            AnySimulation::Plane(simulation) => {
                (2, kinds(simulation), shapes(simulation), tie_shapes(simulation))
            }
            AnySimulation::Space(simulation) => {
                (3, kinds(simulation), shapes(simulation), tie_shapes(simulation))
            }
        };
        let cell = match &simulation {
            AnySimulation::Plane(simulation) => simulation.settings().cell.and_then(in_space),
            AnySimulation::Space(simulation) => simulation.settings().cell,
        };
        let skins = match &simulation {
            AnySimulation::Plane(simulation) => skin_spans(simulation),
            AnySimulation::Space(simulation) => skin_spans(simulation),
        };
        let nodes = match &simulation {
            AnySimulation::Plane(simulation) => node_spans(simulation),
            AnySimulation::Space(_) => Vec::new(),
        };
        let radii = match &simulation {
            AnySimulation::Plane(simulation) => simulation.bodies().radius.clone(),
            AnySimulation::Space(simulation) => simulation.bodies().radius.clone(),
        };
        let title = scene.title.clone();
        let (exaggeration, field) = (1.0, None);
        Ok(Album {
            run,
            title,
            dimension,
            bodies,
            radii,
            shapes,
            cell,
            ties,
            skins,
            exaggeration,
            nodes,
            field,
        })
    }

    /// The same with deformations drawn by a factor larger than they are.
    pub fn exaggerated(mut self, factor: f64) -> Self {
        self.exaggeration = factor;
        self
    }

    /// The same with deformable bodies in the colours of a field. Refuses runs that have none, and runs of
    /// the plane that did not write their elements.
    pub fn coloured(mut self, field: SolidField) -> Result<Self, ViewError> {
        let refuse = |reason: &str| ViewError::Mismatch {
            path: self.run.path().to_path_buf(),
            reason: format!("has no {} to show: {reason}", field.name()),
        };
        if self.skins.is_empty() {
            return Err(refuse("none of its bodies is deformable"));
        }
        if self.dimension == 2 && !self.run.path().join("elements.vtkhdf").exists() {
            return Err(refuse("it did not write its elements; run it again with output.elements = true"));
        }
        self.field = Some(field);
        Ok(self)
    }

    /// The picture of one frame, counted from 0.
    pub fn picture(&self, frame: usize) -> Result<Picture, ViewError> {
        let index = frame;
        let frame = self.run.frame(index)?;
        let cast = self.cast(index, &frame.bodies)?;
        let count = frame.bodies.len();
        let known = |contact: &ContactRecord| contact.bodies.iter().all(|body| (*body as usize) < count);
        if !frame.contacts.iter().all(known) {
            return Err(
                self.mismatch(format!("a contact names a body that a frame of {count} does not hold"))
            );
        }
        let radii = self.run.radii_in(index)?;
        let placed = |shape: &Attached| {
            let row = cast.rows[shape.body as usize]?;
            let kind = cast.kinds[row as usize];
            let size = radii.as_ref().map_or(1.0, |radii| self.size(shape.body, radii[row as usize]));
            let record = &frame.bodies[row as usize];
            Some(match size {
                1.0 => self.item(shape, row, kind, record),
                size => self.item(&shape.scaled(size), row, kind, record),
            })
        };
        let record = |body: u32| {
            let row = cast.rows.get(body as usize).copied().flatten()?;
            frame.bodies.get(row as usize)
        };
        let tie = |tie: &TieRecord| -> Option<TieSegment> {
            let shape = self.ties.get(tie.tie as usize).copied().flatten().filter(|_| !tie.broken);
            shape.map(|shape| shape.placed(tie, record))
        };
        let items = match self.skins.is_empty() {
            true => self.shapes.iter().filter_map(placed).chain(cast.newcomers.iter().cloned()).collect(),
            // deformable bodies neither come nor go
            false => self.deformed(index, self.shapes.iter().filter_map(placed).collect())?,
        };
        Ok(Picture {
            dimension: self.dimension,
            title: self.title.clone(),
            time: frame.time,
            items,
            contacts: frame
                .contacts
                .iter()
                .map(|contact| self.segment(contact, &frame.bodies, &cast))
                .collect(),
            ties: frame.ties.iter().filter_map(tie).collect(),
            bars: Vec::new(),
            field: self.field,
        })
    }

    /// Who is in a frame.
    fn cast(&self, index: usize, records: &[BodyRecord]) -> Result<Cast, ViewError> {
        if self.run.is_open() {
            let stored = self.run.stored_bodies(index)?;
            let cast = Cast::of(&stored, records, &self.bodies, self.dimension);
            return cast.ok_or_else(|| self.mismatch("a frame does not name its bodies".into()));
        }
        let counts = [records.len(), self.bodies.len()];
        match counts[0] == counts[1] {
            true => Ok(Cast::unchanged(&self.bodies)),
            false => {
                Err(self.mismatch(format!("its frames hold {} bodies, its scene {}", counts[0], counts[1])))
            }
        }
    }

    fn mismatch(&self, reason: String) -> ViewError {
        ViewError::Mismatch { path: self.run.path().to_path_buf(), reason }
    }

    /// The size of a body of this radius, relative to the one it was built with: bodies may grow.
    fn size(&self, body: u32, radius: f64) -> f64 {
        let built = self.radii.get(body as usize).copied().unwrap_or(0.0);
        if built > 0.0 && built.is_finite() { radius / built } else { 1.0 }
    }

    /// Items with the boundaries of deformable bodies as they are in a frame.
    fn deformed(&self, index: usize, mut items: Vec<Item>) -> Result<Vec<Item>, ViewError> {
        for span in &self.skins {
            let (Some(skin), Some(item)) =
                (self.run.skin(index, span)?, items.get_mut(span.contactor as usize))
            else {
                continue;
            };
            let more = self.exaggeration - 1.0;
            let moved = |(point, by): (&[f64; 3], &[f64; 3])| -> [f64; 3] {
                std::array::from_fn(|axis| point[axis] + more * by[axis])
            };
            let points: Vec<[f64; 3]> = skin.points.iter().zip(&skin.displacement).map(moved).collect();
            if let Some(field) = self.field {
                item.form = self.field_form(index, span.contactor, field, (&skin, points), &item.form)?;
                (item.position, item.orientation_wxyz) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
                continue;
            }
            match &mut item.form {
                Form::Polygon { .. } => {
                    let flat: Vec<[f64; 2]> = points.iter().map(|p| [p[0], p[1]]).collect();
                    item.form = polygon(&flat, &self.shapes[span.contactor as usize].loops);
                }
                Form::Surface { vertices, .. } => *vertices = points,
                _ => continue,
            }
            // the file has places in the world
            (item.position, item.orientation_wxyz) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        }
        Ok(items)
    }

    /// The form of a deformable body with the values of a field: from the nodes of its elements in the plane,
    /// from its boundary in space, whose places are given.
    fn field_form(
        &self,
        index: usize,
        contactor: u32,
        field: SolidField,
        (skin, points): (&SkinRecord, Vec<[f64; 3]>),
        form: &Form,
    ) -> Result<Form, ViewError> {
        let size = |d: &[f64; 3]| (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        if let Form::Surface { faces, .. } = form {
            let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
                face.windows(2).skip(1).map(|ends| [face[0], ends[0], ends[1]]).collect()
            };
            let values = match field {
                SolidField::VonMises => skin.von_mises.clone(),
                SolidField::Displacement => skin.displacement.iter().map(size).collect(),
                SolidField::PlasticStrain => skin.reals(PLASTIC_STRAIN, points.len()),
            };
            return Ok(Form::Field {
                vertices: points,
                triangles: faces.iter().flat_map(fan).collect(),
                values,
            });
        }
        let missing = || self.mismatch("holds no nodes of a deformable body".into());
        let span = self.nodes.iter().find(|span| span.contactor == contactor).ok_or_else(missing)?;
        let column = match field {
            SolidField::PlasticStrain => PLASTIC_STRAIN,
            _ => "von_mises_stress",
        };
        let nodes = self.run.nodes(index, span, column)?.ok_or_else(missing)?;
        let more = self.exaggeration - 1.0;
        let moved =
            |(point, by): (&[f64; 3], &[f64; 3])| std::array::from_fn(|axis| point[axis] + more * by[axis]);
        Ok(Form::Field {
            vertices: nodes.points.iter().zip(&nodes.displacement).map(moved).collect(),
            triangles: span.triangles.clone(),
            values: match field {
                SolidField::Displacement => nodes.displacement.iter().map(size).collect(),
                _ => nodes.values,
            },
        })
    }

    fn item(&self, shape: &Attached, row: u32, kind: BodyKind, record: &BodyRecord) -> Item {
        let orientation = Pose::<3>::orientation_from_wxyz(record.orientation_wxyz);
        let pose = Pose { position: Vector::from(record.position), orientation }.compose(&shape.local);
        let bounded = !matches!(shape.form, Form::HalfSpace);
        let position = match self.cell.filter(|_| bounded) {
            Some(cell) => cell.wrap(&pose.position),
            None => pose.position,
        };
        Item {
            body: row,
            group: kind.group,
            fixed: kind.fixed,
            position: position.into(),
            orientation_wxyz: pose.orientation_wxyz(),
            velocity: record.velocity,
            form: shape.form.clone(),
        }
    }

    fn is_soft(&self, body: u32) -> bool {
        self.skins.iter().any(|span| self.shapes[span.contactor as usize].body == body)
    }

    fn segment(&self, contact: &ContactRecord, records: &[BodyRecord], cast: &Cast) -> ForceSegment {
        let centre = |body: u32| {
            let centre = Vector::from(records[body as usize].position);
            let shift = |cell: Cell<3>| cell.shift(cell.nearest(&centre, &Vector::from(contact.point)));
            let shift = self.cell.map_or_else(Vector::zeros, shift);
            let kind = cast.kinds[body as usize];
            // the middle of a wall as long as the cell tells nothing of where it is pushed, nor does
            // that of a body that deforms
            let support = kind.fixed || self.cell.is_some() && kind.held || self.is_soft(body);
            (!support).then(|| (centre + shift).into())
        };
        ForceSegment {
            bodies: contact.bodies,
            point: contact.point,
            normal: contact.normal,
            force: contact.force,
            centres: contact.bodies.map(centre),
            status: match contact.status {
                drystone::Status::Open => Status::Open,
                drystone::Status::Stick => Status::Stick,
                drystone::Status::Slip => Status::Slip,
            },
        }
    }
}

/// The cell of a plane as one of space.
fn in_space(cell: Cell<2>) -> Option<Cell<3>> {
    let mut periods = [None; LEVEL_AXES];
    cell.periods().for_each(|(axis, period)| periods[axis] = Some(period));
    Cell::new(Vector::from(three(cell.origin())), periods).ok()
}
