//! From the table of a tie to the tie, once the bodies stand. Reports what only distances can tell.

use crate::geometry::vector;
use crate::place::{Place, Problems};
use crate::spec::{SceneSpec, TieKind, TieSpec};
use crate::validate::show;
use drystone::{
    Bodies, BodyId, Elasticity, Joint, Kind, Orientation, PerDof, Pose, Rubbing, Stops, Tie, Vector,
};
use drystone_math::nalgebra::{Unit, Vector3};
use drystone_math::portable;
use std::collections::HashMap;

/// How far the ends of a rigid rod or wire may be off its length, relative to it: what decimals in a file
/// leave.
const ROUNDED: f64 = 1e-9;

/// All ties of a scene.
pub(super) fn ties<const D: usize>(
    spec: &SceneSpec,
    bodies: &Bodies<D>,
    problems: &mut Problems,
) -> Vec<Tie<D>> {
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
        let maker = TieMaker { tie, bodies: [body(0), body(1)], all: bodies, place: &place };
        let name = tie.name_at(number);
        let mut made = maker.make(&name, problems);
        made.strength = tie.strength;
        made.rubbing = rubbing(tie);
        made.stops = stops(tie, tie.limits.as_deref());
        made.second_stops = stops(tie, tie.second_limits.as_deref());
        made.collide = tie.collide.unwrap_or(tie.has_ends());
        ties.push(made);
    }
    ties
}

/// Dry friction of a joint, where the table has some.
fn rubbing(tie: &TieSpec) -> Option<Rubbing> {
    let constant = tie.friction_force.or(tie.friction_moment);
    let friction = tie.friction.unwrap_or(0.0);
    let radius = tie.radius.unwrap_or(0.0);
    (tie.friction.is_some() || constant.is_some()).then(|| Rubbing {
        friction,
        radius,
        constant: constant.unwrap_or(0.0),
    })
}

/// Stops of a joint, where the table has some.
fn stops(tie: &TieSpec, limits: Option<&[f64]>) -> Option<Stops> {
    let &[lower, upper] = limits? else { return None };
    Some(Stops { range: [lower, upper], restitution: tie.restitution.unwrap_or(0.0) })
}

/// Makes one tie.
struct TieMaker<'a, const D: usize> {
    tie: &'a TieSpec,
    bodies: [Option<BodyId>; 2],
    all: &'a Bodies<D>,
    place: &'a Place<'a>,
}

impl<const D: usize> TieMaker<'_, D> {
    fn make(&self, name: &str, problems: &mut Problems) -> Tie<D> {
        let poses = &self.all.pose;
        let kind = match self.tie.kind {
            TieKind::Fixed => Kind::Joint(Joint::Fixed),
            TieKind::Pin | TieKind::Spherical => Kind::Joint(Joint::Pin),
            TieKind::Hinge => Kind::Joint(Joint::Hinge),
            TieKind::Slider => Kind::Joint(Joint::Slider),
            TieKind::Cylindrical => Kind::Joint(Joint::Cylindrical),
            TieKind::Universal => Kind::Joint(Joint::Universal),
            TieKind::Screw => Kind::Screw { pitch: self.tie.pitch.unwrap_or(1.0) },
            TieKind::Rack => return self.rack(name, problems),
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

    /// A pinion, whose axis goes through its centre of mass, on a rack. The frame stands there, with the last
    /// axis about which the pinion turns and the first one along the rack.
    fn rack(&self, name: &str, problems: &mut Problems) -> Tie<D> {
        let poses = &self.all.pose;
        let Some(centre) = self.centre(0) else {
            problems.of(&self.place.key("bodies"), "must name the pinion first, which is a body");
            return Tie::at(name, Kind::Rack { radius: 1.0 }, self.bodies, &Pose::identity(), poses);
        };
        let three = |x: &Vector<D>| Vector3::new(x[0], x[1], if D == 2 { 0.0 } else { x[2] });
        let at: Vector<D> = self.tie.at.as_ref().map_or(centre, |at| vector(at));
        let axis = self.axis().unwrap_or_else(Vector3::z_axis);
        let arm = three(&at) - three(&centre);
        let across = arm - axis.into_inner() * axis.dot(&arm);
        let radius = across.norm();
        if radius <= ROUNDED * arm.norm() || radius == 0.0 {
            problems.of(&self.place.key("at"), "must be apart from the axis of the pinion, by its radius");
            return Tie::at(name, Kind::Rack { radius: 1.0 }, self.bodies, &Pose::identity(), poses);
        }
        // the teeth are below the axis: y away from them, x along the rack
        let up = -across / radius;
        let along = up.cross(&axis);
        let turn = drystone_math::nalgebra::Rotation3::from_basis_unchecked(&[along, up, axis.into_inner()]);
        let frame = Pose { position: centre, orientation: Orientation::from_rotation_matrix(&turn) };
        Tie::at(name, Kind::Rack { radius }, self.bodies, &frame, poses)
    }

    /// A rod, wire or spring between two ends.
    fn stretching(&self, ends: [Vector<D>; 2], problems: &mut Problems) -> Kind<D> {
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

    fn coefficients(&self) -> [PerDof<D>; 2] {
        let given = self.tie.coefficients.as_deref().unwrap_or(&[]);
        std::array::from_fn(|side| {
            given.get(side).map_or_else(PerDof::zeros, |list| PerDof::from_slice(list))
        })
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

    /// The axis given.
    fn axis(&self) -> Option<Unit<Vector3<f64>>> {
        unit(self.tie.axis.as_deref()?)
    }

    /// Axes whose last one is the axis given; of a torsion spring the first one; of a universal joint the
    /// first two are those given.
    fn orientation(&self) -> Orientation {
        if let Some([a, b]) = self.tie.axes.as_deref()
            && let (Some(a), Some(b)) = (unit(a), unit(b))
        {
            let last = a.cross(&b).normalize();
            let axes = [a.into_inner(), last.cross(&a), last];
            let turn = drystone_math::nalgebra::Rotation3::from_basis_unchecked(&axes);
            return Orientation::from_rotation_matrix(&turn);
        }
        let Some(axis) = self.axis() else { return Orientation::identity() };
        if D == 2 {
            let angle = portable::atan2(axis.y, axis.x) - std::f64::consts::FRAC_PI_2;
            return portable::turn(&Vector3::z_axis(), angle);
        }
        let (from, across) = match self.tie.kind {
            TieKind::Torsion => (Vector3::x_axis(), Vector3::y_axis()),
            _ => (Vector3::z_axis(), Vector3::x_axis()),
        };
        let opposite = || portable::turn(&across, std::f64::consts::PI);
        portable::turn_between(&from, &axis).unwrap_or_else(opposite)
    }
}

/// A direction as a unit vector.
fn unit(axis: &[f64]) -> Option<Unit<Vector3<f64>>> {
    let axis = match *axis {
        [x, y] => Vector3::new(x, y, 0.0),
        [x, y, z] => Vector3::new(x, y, z),
        _ => return None,
    };
    // scaled first, so that the squares of its parts neither overflow nor vanish
    Unit::try_new(axis / axis.amax(), 0.0)
}
