//! What of a run does not change: names, groups, shapes. Every shape that occurs more than once is told once;
//! reads no frame.

use crate::skins::ShownSkin;
use drystone::{AnySimulation, Cell, Simulation};
use drystone_scene::Scene;
use drystone_view::{Attached, BodyKind, Form, TieForm, kinds, shapes, tie_shapes};
use serde::Serialize;
use std::collections::HashMap;

/// Everything the page has to know once.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    pub title: String,
    pub dimension: usize,
    /// Whether bodies come and go: their surfaces then come with the frames.
    pub open: bool,
    /// Places in frames are relative to this \[m\].
    pub origin: [f64; 3],
    step: f64,
    duration: f64,
    names: Vec<String>,
    groups: Vec<String>,
    /// Names of the sources that bodies come from.
    sources: Vec<String>,
    group: Vec<u32>,
    fixed: Vec<u8>,
    held: Vec<u8>,
    balls: Balls,
    forms: Vec<FormNote>,
    /// Body, form, place and orientation (scalar first) in the axes of the body.
    items: Vec<(u32, u32, [f32; 3], [f32; 4])>,
    /// Items that deform, and the first of their vertices in the `skins/points` of a frame.
    skins: Vec<(u32, u32)>,
    ties: Vec<Option<&'static str>>,
    cell: Option<CellNote>,
}

/// Disks and spheres; a radius of 0 is a point.
#[derive(Debug, Default, Serialize)]
struct Balls {
    body: Vec<u32>,
    radius: Vec<f32>,
    /// Their places in the axes of the bodies, three numbers each; empty where all are 0.
    local: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct FormNote {
    kind: &'static str,
    /// Three numbers each.
    vertices: Vec<f32>,
    /// Lists of vertices; of a polygon with holes the lines around it, the outer one first.
    faces: Vec<Vec<u32>>,
    closed: bool,
}

#[derive(Debug, Serialize)]
struct CellNote {
    origin: Vec<f64>,
    periods: Vec<Option<f64>>,
}

impl Description {
    /// Of a scene as it begins, with its bodies that deform.
    pub fn new(scene: &Scene, simulation: &AnySimulation, open: bool, skins: &[ShownSkin]) -> Self {
        let mut groups: Vec<(u32, String)> = Vec::new();
        let (kinds, attached, ties, cell, radius) = match simulation {
            AnySimulation::Plane(simulation) => parts(simulation),
            AnySimulation::Space(simulation) => parts(simulation),
        };
        let handles = simulation.bodies();
        let mut known = vec![false; kinds.len() + 1];
        for (handle, kind) in handles.iter().zip(&kinds) {
            let place = (kind.group as usize).min(kinds.len());
            if !std::mem::replace(&mut known[place], true) {
                groups.push((kind.group, simulation.group_of(*handle).unwrap_or_default()));
            }
        }
        let count = groups.iter().map(|(group, _)| group + 1).max().unwrap_or(0);
        let mut names = vec![String::new(); count as usize];
        groups.into_iter().for_each(|(group, name)| names[group as usize] = name);
        // those of bodies that are still to come
        let told = match simulation {
            AnySimulation::Plane(simulation) => simulation.group_names(),
            AnySimulation::Space(simulation) => simulation.group_names(),
        };
        names.extend(told.iter().skip(names.len()).cloned());
        let mut description = Self {
            title: scene.title.clone(),
            dimension: simulation.dimension(),
            open,
            origin: middle(simulation, &radius),
            step: scene.time.step,
            duration: scene.time.duration,
            names: handles.iter().map(|&body| simulation.name(body).unwrap_or_default().to_owned()).collect(),
            groups: names,
            sources: scene.sources.iter().map(|source| source.name.clone()).collect(),
            group: kinds.iter().map(|kind| kind.group).collect(),
            fixed: kinds.iter().map(|kind| kind.fixed.into()).collect(),
            held: kinds.iter().map(|kind| kind.held.into()).collect(),
            balls: Balls::default(),
            forms: Vec::new(),
            items: Vec::new(),
            skins: Vec::new(),
            ties,
            cell,
        };
        if !open {
            let items = description.enter(&attached);
            let mut first = 0;
            for skin in skins {
                if let Some(item) = items[skin.span.contactor as usize] {
                    description.skins.push((item, first));
                }
                first += skin.order.len() as u32;
            }
        }
        description
    }

    /// Takes shapes in; gives the item of each, those that are balls apart.
    fn enter(&mut self, attached: &[Attached]) -> Vec<Option<u32>> {
        let mut numbers = Vec::with_capacity(attached.len());
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        for item in attached {
            let place = [0, 1, 2].map(|axis| item.local.position[axis] as f32);
            let radius = match item.form {
                Form::Ball { radius } => Some(radius),
                Form::Point => Some(0.0),
                _ => None,
            };
            if let Some(radius) = radius {
                self.balls.body.push(item.body);
                self.balls.radius.push(radius as f32);
                self.balls.local.extend(place);
                numbers.push(None);
                continue;
            }
            let note = note(&item.form);
            let next = self.forms.len() as u32;
            let form = *known.entry(key(&note)).or_insert(next);
            if form == next {
                self.forms.push(note);
            }
            let turned = item.local.orientation_wxyz().map(|part| part as f32);
            numbers.push(Some(self.items.len() as u32));
            self.items.push((item.body, form, place, turned));
        }
        if self.balls.local.iter().all(|&x| x == 0.0) {
            self.balls.local.clear();
        }
        numbers
    }
}

type Parts = (Vec<BodyKind>, Vec<Attached>, Vec<Option<&'static str>>, Option<CellNote>, Vec<f64>);

fn parts<const D: usize>(simulation: &Simulation<D>) -> Parts {
    let ties =
        tie_shapes(simulation).into_iter().map(|shape| shape.map(|shape| tie_word(shape.form))).collect();
    let cell = simulation.settings().cell.as_ref().map(cell_note);
    (kinds(simulation), shapes(simulation), ties, cell, simulation.bodies().radius.clone())
}

fn cell_note<const D: usize>(cell: &Cell<D>) -> CellNote {
    let mut periods = vec![None; 3];
    cell.periods().for_each(|(axis, period)| periods[axis] = Some(period));
    CellNote { origin: cell.origin().iter().copied().collect(), periods }
}

fn tie_word(form: TieForm) -> &'static str {
    match form {
        TieForm::Weld => "weld",
        TieForm::Ball => "ball",
        TieForm::Hinge => "hinge",
        TieForm::Slider => "slider",
        TieForm::Cylindrical => "cylindrical",
        TieForm::Universal => "universal",
        TieForm::Screw => "screw",
        TieForm::Rack => "rack",
        TieForm::Rod => "rod",
        TieForm::Wire => "wire",
        TieForm::Spring => "spring",
        TieForm::Torsion => "torsion",
    }
}

/// The middle of the bodies that end somewhere, where f32 would lose digits about 0 \[m\]; else 0.
fn middle(simulation: &AnySimulation, radius: &[f64]) -> [f64; 3] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (body, radius) in simulation.bodies().into_iter().zip(radius) {
        let Ok(place) = simulation.position(body) else { continue };
        for axis in (0..simulation.dimension()).filter(|_| radius.is_finite()) {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
    }
    std::array::from_fn(|axis| {
        let (middle, size) = (0.5 * (low[axis] + high[axis]), high[axis] - low[axis]);
        if middle.is_finite() && middle.abs() > 1e3 * size.max(1.0) { middle } else { 0.0 }
    })
}

fn note(form: &Form) -> FormNote {
    let flat = |points: &[[f64; 3]]| points.as_flattened().iter().map(|&x| x as f32).collect();
    let plane = |points: &[[f64; 2]]| -> Vec<f32> {
        points.iter().flat_map(|&[x, y]| [x as f32, y as f32, 0.0]).collect()
    };
    let note = |kind, vertices, faces, closed| FormNote { kind, vertices, faces, closed };
    match form {
        Form::Polygon { vertices, holes } if holes.is_empty() => {
            note("polygon", plane(vertices), Vec::new(), true)
        }
        Form::Polygon { vertices, holes } => {
            let (mut points, mut loops) = (Vec::new(), Vec::new());
            for line in [vertices].into_iter().chain(holes) {
                let first = points.len() as u32 / 3;
                points.extend(plane(line));
                loops.push((first..first + line.len() as u32).collect());
            }
            note("polygon", points, loops, true)
        }
        Form::Line { vertices, closed } => note("line", plane(vertices), Vec::new(), *closed),
        Form::Polyhedron { vertices, faces } => note("polyhedron", flat(vertices), faces.clone(), true),
        Form::Surface { vertices, faces } => note("surface", flat(vertices), faces.clone(), false),
        Form::Field { vertices, triangles, .. } => {
            note("surface", flat(vertices), triangles.iter().map(|corners| corners.to_vec()).collect(), false)
        }
        Form::HalfSpace | Form::Ball { .. } | Form::Point => {
            note("half-space", Vec::new(), Vec::new(), false)
        }
    }
}

/// Equal for equal forms.
fn key(note: &FormNote) -> Vec<u8> {
    let mut key: Vec<u8> = note.kind.bytes().chain([u8::from(note.closed)]).collect();
    note.vertices.iter().for_each(|x| key.extend(x.to_le_bytes()));
    for face in &note.faces {
        key.extend((face.len() as u32).to_le_bytes());
        face.iter().for_each(|corner| key.extend(corner.to_le_bytes()));
    }
    key
}
