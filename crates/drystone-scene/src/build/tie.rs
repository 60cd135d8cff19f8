//! From the table of a tie to the tie, once the bodies stand. Reports what only distances can tell.

use crate::geometry::vector;
use crate::place::{Place, Problems};
use crate::spec::{SceneSpec, TieKind, TieSpec};
use crate::validate::show;
use drystone::{Bodies, BodyId, Elasticity, Joint, Kind, Orientation, Pose, Tie, Vector};
use drystone_math::nalgebra::{Unit, Vector3};
use std::collections::HashMap;

/// How far the ends of a rigid rod or wire may be off its length, relative to it: what decimals in a file leave.
const ROUNDED: f64 = 1e-9;

/// All ties of a scene.
pub(super) fn ties<const D: usize, const N: usize>(
    spec: &SceneSpec,
    bodies: &Bodies<D, N>,
    problems: &mut Problems,
) -> Vec<Tie<D, N>> {
    let root = Place::ROOT;
    let list = root.key("tie");
    let index: HashMap<&str, u32> =
        (0..).zip(&bodies.name).map(|(body, name)| (name.as_str(), body)).collect();
    let mut ties = Vec::with_capacity(spec.ties.len());
    for (number, tie) in spec.ties.iter().enumerate() {
        let body = |side: usize| {
            tie.bodies.get(side).and_then(|name| index.get(name.as_str())).map(|&body| BodyId(body))
        };
        let place = list.item(number);
        let maker = Maker { tie, bodies: [body(0), body(1)], all: bodies, place: &place };
        let name = tie.name.clone().unwrap_or_else(|| format!("{}-{}", tie.kind.word(), number + 1));
        let mut made = maker.make(&name, problems);
        made.strength = tie.strength;
        made.collide = tie.collide.unwrap_or(tie.has_ends());
        ties.push(made);
    }
    ties
}

/// Makes one tie.
struct Maker<'a, const D: usize, const N: usize> {
    tie: &'a TieSpec,
    bodies: [Option<BodyId>; 2],
    all: &'a Bodies<D, N>,
    place: &'a Place<'a>,
}

impl<const D: usize, const N: usize> Maker<'_, D, N> {
    fn make(&self, name: &str, problems: &mut Problems) -> Tie<D, N> {
        let poses = &self.all.pose;
        let kind = match self.tie.kind {
            TieKind::Fixed => Kind::Joint(Joint::Fixed),
            TieKind::Pin | TieKind::Spherical => Kind::Joint(Joint::Pin),
            TieKind::Hinge => Kind::Joint(Joint::Hinge),
            TieKind::Slider => Kind::Joint(Joint::Slider),
            TieKind::Cylindrical => Kind::Joint(Joint::Cylindrical),
            TieKind::Torsion => Kind::Torsion { elasticity: self.elasticity() },
            TieKind::Coupled => Kind::Coupled { coefficients: self.coefficients() },
            TieKind::Rod | TieKind::Wire | TieKind::Spring => {
                let ends = std::array::from_fn(|side| self.end(side));
                return Tie::between(name, self.stretching(ends, problems), self.bodies, ends, poses);
            }
        };
        let position = match &self.tie.at {
            Some(at) => vector(at),
            None => self.centre(0).or(self.centre(1)).unwrap_or_else(Vector::zeros),
        };
        Tie::at(name, kind, self.bodies, &Pose { position, orientation: self.orientation() }, poses)
    }

    /// A rod, wire or spring between two ends.
    fn stretching(&self, ends: [Vector<D>; 2], problems: &mut Problems) -> Kind<N> {
        let distance = (ends[0] - ends[1]).norm();
        let length = self.tie.length.unwrap_or(distance);
        let rigid = self.tie.stiffness.is_none();
        let apart = show(distance);
        let place = self.place.key("length");
        match self.tie.kind {
            TieKind::Rod if distance == 0.0 => {
                problems.of(self.place, "is a rod whose ends meet; use a \"pin\" or \"spherical\" joint");
            }
            TieKind::Rod if (length - distance).abs() > ROUNDED * distance => {
                problems.of(&place, format!("must be the distance of the ends, {apart} m, or left out"));
            }
            TieKind::Wire if rigid && length < distance * (1.0 - ROUNDED) => {
                problems.of(&place, format!("is less than the distance of the ends, {apart} m"));
            }
            TieKind::Wire if length == 0.0 => {
                problems.of(self.place, "is a wire whose ends meet and needs length");
            }
            _ => {}
        }
        let elasticity = self.elasticity();
        match self.tie.kind {
            TieKind::Rod => Kind::Rod { length },
            TieKind::Wire => Kind::Wire { length, elasticity: (!rigid).then_some(elasticity) },
            _ => Kind::Spring { length, elasticity },
        }
    }

    fn elasticity(&self) -> Elasticity {
        let (stiffness, damping) = (self.tie.stiffness, self.tie.damping);
        Elasticity { stiffness: stiffness.unwrap_or(0.0), damping: damping.unwrap_or(0.0) }
    }

    fn coefficients(&self) -> [Vector<N>; 2] {
        let given = self.tie.coefficients.as_deref().unwrap_or(&[]);
        std::array::from_fn(|side| given.get(side).map_or_else(Vector::zeros, |list| vector(list)))
    }

    /// An end in world axes.
    fn end(&self, side: usize) -> Vector<D> {
        let given = self.tie.ends.as_ref().and_then(|ends| ends.get(side));
        let centre = || self.centre(side).unwrap_or_else(Vector::zeros);
        given.map_or_else(centre, |end| vector(end))
    }

    fn centre(&self, side: usize) -> Option<Vector<D>> {
        self.bodies[side].and_then(|body| self.all.pose.get(body.0 as usize)).map(|pose| pose.position)
    }

    /// Axes whose last one is the axis given; of a torsion spring the first one.
    fn orientation(&self) -> Orientation {
        let axis = match self.tie.axis.as_deref() {
            Some(&[x, y]) => Vector3::new(x, y, 0.0),
            Some(&[x, y, z]) => Vector3::new(x, y, z),
            _ => return Orientation::identity(),
        };
        // scaled first, so that the squares of its parts neither overflow nor vanish
        let Some(axis) = Unit::try_new(axis / axis.amax(), 0.0) else { return Orientation::identity() };
        if D == 2 {
            let angle = axis.y.atan2(axis.x) - std::f64::consts::FRAC_PI_2;
            return Orientation::from_axis_angle(&Vector3::z_axis(), angle);
        }
        let (from, across) = match self.tie.kind {
            TieKind::Torsion => (Vector3::x_axis(), Vector3::y_axis()),
            _ => (Vector3::z_axis(), Vector3::x_axis()),
        };
        let opposite = || Orientation::from_axis_angle(&across, std::f64::consts::PI);
        Orientation::rotation_between_axis(&from, &axis).unwrap_or_else(opposite)
    }
}
