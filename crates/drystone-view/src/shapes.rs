//! The shapes of a scene and what a picture has to know about its bodies. Knows no frame and draws nothing.

use crate::geometry::V3;
use crate::picture::Form;
use drystone::{Contactor, Pose, Shape, Simulation, Vector};

/// Segments of a full turn of what is round.
const ROUND: usize = 64;

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
    pub fn scaled(&self, factor: f64) -> Self {
        let local = Pose { position: self.local.position * factor, ..self.local };
        Self { local, form: self.form.scaled(factor), ..self.clone() }
    }
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
pub(crate) fn polygon(points: &[[f64; 2]], loops: &[Vec<u32>]) -> Form {
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
