//! Pictures of the frames of a run folder: the shapes come from its scene, their places from the frame. Runs
//! nothing.

use crate::error::ViewError;
use crate::geometry::V3;
use crate::picture::{ForceSegment, Form, Item, Picture, Status, TieForm, TieSegment};
use drystone::{AnySimulation, Cell, Contactor, LEVEL_AXES, Pose, Shape, Simulation, Vector};
use drystone_io::{BodyRecord, ContactRecord, RunFolder, SkinSpan, TieRecord, skin_spans};

/// Segments of a full turn of what is round.
const ROUND: usize = 64;

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
    ties: Vec<Option<TieForm>>,
    /// Deformable bodies, and by how much more than it is their deformation is drawn.
    skins: Vec<SkinSpan>,
    exaggeration: f64,
}

/// What a picture has to know about a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyKind {
    /// Index of its group.
    pub group: u32,
    /// Whether it is a support: its whole motion is given, or it has no end.
    pub fixed: bool,
    /// Some of its motion is given.
    pub held: bool,
}

/// A shape and where it sits in the frame of its body.
#[derive(Clone, Debug)]
pub struct Attached {
    /// Index of the body.
    pub body: u32,
    /// Its place in the axes of the body that records speak of.
    pub local: Pose<3>,
    /// The shape.
    pub form: Form,
    /// Of a deformable body of the plane, its vertices in order: the line around it first, then those of its
    /// holes.
    pub loops: Vec<Vec<u32>>,
}

impl Attached {
    /// The same, all lengths times a factor.
    fn scaled(&self, factor: f64) -> Self {
        let local = Pose { position: self.local.position * factor, ..self.local };
        Self { local, form: self.form.scaled(factor), ..self.clone() }
    }
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
            AnySimulation::Plane(simulation) => (2, kinds(simulation), shapes(simulation), ties(simulation)),
            AnySimulation::Space(simulation) => (3, kinds(simulation), shapes(simulation), ties(simulation)),
        };
        let cell = match &simulation {
            AnySimulation::Plane(simulation) => simulation.settings().cell.and_then(in_space),
            AnySimulation::Space(simulation) => simulation.settings().cell,
        };
        let skins = match &simulation {
            AnySimulation::Plane(simulation) => skin_spans(simulation),
            AnySimulation::Space(simulation) => skin_spans(simulation),
        };
        let radii = match &simulation {
            AnySimulation::Plane(simulation) => simulation.bodies().radius.clone(),
            AnySimulation::Space(simulation) => simulation.bodies().radius.clone(),
        };
        let title = scene.title.clone();
        Ok(Album { run, title, dimension, bodies, radii, shapes, cell, ties, skins, exaggeration: 1.0 })
    }

    /// The same with deformations drawn by a factor larger than they are.
    pub fn exaggerated(mut self, factor: f64) -> Self {
        self.exaggeration = factor;
        self
    }

    /// The picture of one frame, counted from 0.
    pub fn picture(&self, frame: usize) -> Result<Picture, ViewError> {
        let index = frame;
        let frame = self.run.frame(index)?;
        let fits = frame.bodies.len() == self.bodies.len();
        let known =
            |contact: &ContactRecord| contact.bodies.iter().all(|body| (*body as usize) < self.bodies.len());
        if !fits || !frame.contacts.iter().all(known) {
            let reason =
                format!("its frames hold {} bodies, its scene {}", frame.bodies.len(), self.bodies.len());
            return Err(ViewError::Mismatch { path: self.run.path().to_path_buf(), reason });
        }
        let sizes = self.sizes(index)?;
        let size = |shape: &Attached| sizes.get(shape.body as usize).copied().unwrap_or(1.0);
        let item = |shape: &Attached| match size(shape) {
            1.0 => self.item(shape, &frame.bodies),
            size => self.item(&shape.scaled(size), &frame.bodies),
        };
        let items = self.shapes.iter().map(item).collect();
        Ok(Picture {
            dimension: self.dimension,
            title: self.title.clone(),
            time: frame.time,
            items: self.deformed(index, items)?,
            contacts: frame.contacts.iter().map(|contact| self.segment(contact, &frame.bodies)).collect(),
            ties: frame.ties.iter().filter_map(|tie| self.tie_segment(tie)).collect(),
            bars: Vec::new(),
        })
    }

    /// The sizes of bodies that grow, relative to those they were built with; empty where none can.
    fn sizes(&self, index: usize) -> Result<Vec<f64>, ViewError> {
        let Some(radii) = self.run.radii_in(index)? else { return Ok(Vec::new()) };
        let size =
            |(now, built): (&f64, &f64)| if *built > 0.0 && built.is_finite() { now / built } else { 1.0 };
        Ok(radii.iter().zip(&self.radii).map(size).collect())
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

    /// A tie as it is drawn, unless it is broken.
    fn tie_segment(&self, tie: &TieRecord) -> Option<TieSegment> {
        let form = self.ties.get(tie.tie as usize).copied().flatten();
        form.filter(|_| !tie.broken).map(|form| TieSegment { ends: tie.ends, form })
    }

    fn item(&self, shape: &Attached, records: &[BodyRecord]) -> Item {
        let (kind, record) = (self.bodies[shape.body as usize], &records[shape.body as usize]);
        let orientation = Pose::<3>::orientation_from_wxyz(record.orientation_wxyz);
        let pose = Pose { position: Vector::from(record.position), orientation }.compose(&shape.local);
        let bounded = !matches!(shape.form, Form::HalfSpace);
        let position = match self.cell.filter(|_| bounded) {
            Some(cell) => cell.wrap(&pose.position),
            None => pose.position,
        };
        Item {
            body: shape.body,
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

    fn segment(&self, contact: &ContactRecord, records: &[BodyRecord]) -> ForceSegment {
        let centre = |body: u32| {
            let centre = Vector::from(records[body as usize].position);
            let shift = |cell: Cell<3>| cell.shift(cell.nearest(&centre, &Vector::from(contact.point)));
            let shift = self.cell.map_or_else(Vector::zeros, shift);
            let kind = self.bodies[body as usize];
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

/// What each tie looks like; nothing for coupled motions.
pub fn ties<const D: usize>(simulation: &Simulation<D>) -> Vec<Option<TieForm>> {
    use drystone::Kind;
    let form = |kind: &Kind<D>| match kind {
        Kind::Joint(_) | Kind::Screw { .. } | Kind::Rack { .. } => Some(TieForm::Joint),
        Kind::Rod { .. } => Some(TieForm::Rod),
        Kind::Wire { .. } => Some(TieForm::Wire),
        Kind::Spring { .. } => Some(TieForm::Spring),
        Kind::Torsion { .. } => Some(TieForm::Torsion),
        Kind::Coupled { .. } => None,
    };
    simulation.ties().map(|view| form(&view.tie.kind)).collect()
}

/// A support is a body whose whole motion is given, or that has no end.
pub fn kinds<const D: usize>(simulation: &Simulation<D>) -> Vec<BodyKind> {
    let bodies = simulation.bodies();
    let endless = |contactor: &&Contactor<D>| matches!(contactor.shape, Shape::HalfSpace);
    let mut kinds: Vec<BodyKind> = (0..bodies.len())
        .map(|body| BodyKind {
            group: bodies.group[body].0,
            fixed: bodies.driven[body].iter().all(Option::is_some),
            held: bodies.driven[body].iter().any(Option::is_some),
        })
        .collect();
    for contactor in simulation.contactors().iter().filter(endless) {
        kinds[contactor.body as usize].fixed = true;
    }
    kinds
}

/// The shapes of all contactors and where they sit.
pub fn shapes<const D: usize>(simulation: &Simulation<D>) -> Vec<Attached> {
    let attach = |contactor: &Contactor<D>| {
        // records speak of the body's own axes, contactors sit in its principal ones
        let own = simulation.bodies().own_axes[contactor.body as usize];
        let turned = Pose::<3> { position: Vector::zeros(), orientation: own };
        let position = Vector::from(three(&contactor.local.position));
        let local = turned.compose(&Pose { position, orientation: contactor.local.orientation });
        Attached {
            body: contactor.body,
            local,
            form: form_of(&contactor.shape),
            loops: loops(&contactor.shape),
        }
    };
    simulation.contactors().iter().map(attach).collect()
}

/// The lines around a skin of the plane, the outer one first; none of other shapes.
fn loops<const D: usize>(shape: &Shape<D>) -> Vec<Vec<u32>> {
    let Shape::Skin(skin) = shape else { return Vec::new() };
    if D != 2 {
        return Vec::new();
    }
    let mut lines = shape.skin(ROUND).faces;
    let area = |line: &Vec<u32>| {
        let at = |k: usize| &skin.vertices()[line[k % line.len()] as usize];
        let twice: f64 = (0..line.len()).map(|k| at(k)[0] * at(k + 1)[1] - at(k)[1] * at(k + 1)[0]).sum();
        twice.abs()
    };
    lines.sort_by(|a, b| area(b).total_cmp(&area(a)));
    lines
}

/// A polygon of some points by the lines around it.
fn polygon(points: &[[f64; 2]], loops: &[Vec<u32>]) -> Form {
    let corner = |&vertex: &u32| points.get(vertex as usize).copied();
    let mut lines = loops.iter().map(|line| line.iter().filter_map(corner).collect());
    Form::Polygon { vertices: lines.next().unwrap_or_default(), holes: lines.collect() }
}

/// What a shape looks like; round ones get straight sides.
pub fn form_of<const D: usize>(shape: &Shape<D>) -> Form {
    match shape {
        Shape::Ball { radius } => Form::Ball { radius: *radius },
        Shape::HalfSpace => Form::HalfSpace,
        Shape::Polytope(polytope) if D == 2 => Form::Polygon {
            vertices: polytope.vertices().iter().map(|vertex| [vertex[0], vertex[1]]).collect(),
            holes: Vec::new(),
        },
        Shape::Polytope(polytope) => Form::Polyhedron {
            vertices: polytope.vertices().iter().map(three).collect(),
            faces: polytope.faces().iter().map(|face| face.vertices.clone()).collect(),
        },
        Shape::Point => Form::Point,
        Shape::Skin(skin) if D == 2 => {
            let points: Vec<[f64; 2]> = skin.vertices().iter().map(|at| [at[0], at[1]]).collect();
            polygon(&points, &loops(shape))
        }
        other => {
            let skin = other.skin(ROUND);
            let flat = || skin.points.iter().map(|point| [point[0], point[1]]).collect();
            let wall = other.is_wall();
            let convex = !matches!(other, Shape::Surface(_) | Shape::Hollow { .. } | Shape::Skin(_));
            match (D, wall, convex) {
                (2, true, _) => Form::Line { vertices: flat(), closed: skin.closed },
                (2, false, _) => Form::Polygon { vertices: flat(), holes: Vec::new() },
                (_, _, true) => {
                    Form::Polyhedron { vertices: skin.points.iter().map(three).collect(), faces: skin.faces }
                }
                _ => Form::Surface { vertices: skin.points.iter().map(three).collect(), faces: skin.faces },
            }
        }
    }
}

pub(crate) fn three<const D: usize>(vector: &Vector<D>) -> V3 {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
