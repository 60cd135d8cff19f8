//! Ties: what holds two bodies together for good, beside the contacts. Finds no contact and solves nothing; a
//! tie is a few rows of the condensed problem.

mod ahead;
mod bound;
mod free;
mod geometry;
mod view;

pub(crate) use bound::{Bound, Follows};
pub use free::{Rubbing, Stops};
pub use geometry::TieRow;
pub use view::TieView;

use drystone_bulk::{MeshPlace, Port, Solids, mesh_place};
use drystone_math::{PerDof, Pose, Vector, rigid_turns};
use drystone_state::{BodyId, TieMemory};
use free::Free;
use std::borrow::Cow;
use thiserror::Error;

/// The motions that a joint holds. Its last axis is the free one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// All of them.
    Fixed,
    /// The point, free to turn: a pin in the plane, a ball in its socket in space.
    Pin,
    /// The point and all turns but that about the axis; in the plane a pin.
    Hinge,
    /// All turns and the way across the axis, free to slide along it.
    Slider,
    /// As the slider, free to turn about the axis as well; in the plane a pin in a slot.
    Cylindrical,
    /// The point, and in space the turn about the common perpendicular of the first axis on the first body
    /// and the second axis on the second one: Cardan's joint.
    Universal,
}

impl Joint {
    /// How many ways and how many turns it holds.
    pub fn held<const D: usize>(self) -> [usize; 2] {
        let (ways, turns) = (D, rigid_turns(D));
        match self {
            Self::Fixed => [ways, turns],
            Self::Pin => [ways, 0],
            Self::Hinge => [ways, turns - 1],
            Self::Slider => [ways - 1, turns],
            Self::Cylindrical => [ways - 1, turns - 1],
            Self::Universal => [ways, turns / 3],
        }
    }
}

/// A spring and a dashpot side by side (Kelvin, Voigt).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Stiffness k ≥ 0 \[N/m\], of a torsion spring \[N m/rad\].
    pub stiffness: f64,
    /// Damping c ≥ 0 \[N s/m\], of a torsion spring \[N m s/rad\].
    pub damping: f64,
}

/// What a tie does. `ℓ` is the distance of its two ends, `L` its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<const D: usize> {
    /// Holds some relative motions: `u = 0` there, whatever the impulse.
    Joint(Joint),
    /// Holds the distance of its ends: `ℓ = L`.
    Rod {
        /// Length L > 0 \[m\].
        length: f64,
    },
    /// Pulls only: `ℓ ≤ L`, or, elastic, the force `k (ℓ − L) + c ℓ̇ ≥ 0` where `ℓ > L`.
    Wire {
        /// Length L > 0 \[m\].
        length: f64,
        /// What it is made of; rigid without.
        elasticity: Option<Elasticity>,
    },
    /// The force `k (ℓ − L) + c ℓ̇` between its ends.
    Spring {
        /// Length without force L ≥ 0 \[m\].
        length: f64,
        /// What it is made of.
        elasticity: Elasticity,
    },
    /// The moment `k φ + c φ̇` about the first axis (in the plane the third), φ the angle since the start.
    Torsion {
        /// What it is made of.
        elasticity: Elasticity,
    },
    /// A nut on its screw, in space: as a cylindrical joint, with `s = p φ/2π` between the way along the axis
    /// and the turn about it.
    Screw {
        /// Pitch p ≠ 0, the way along the axis for one turn \[m\]; negative for a thread to the left.
        pitch: f64,
    },
    /// A pinion, the first body, on a rack, the second one: `s = −R φ` between the way of the pinion's centre
    /// along the rack, the first axis, and its turn about the last one. Holds nothing else.
    Rack {
        /// Radius R > 0 of the pinion \[m\].
        radius: f64,
    },
    /// A linear relation between the velocities of the two bodies: `c₀·v₀ + c₁·v₁ = 0`, spins in world axes.
    Coupled {
        /// Coefficients of the velocities and spins of the two bodies.
        coefficients: [PerDof<D>; 2],
    },
}

/// What ties two bodies, or a body and the world.
#[doc(alias = "joint")]
#[doc(alias = "constraint")]
#[doc(alias = "bilateral constraint")]
#[derive(Clone, Debug, PartialEq)]
pub struct Tie<const D: usize> {
    /// Name, for messages and output.
    pub name: String,
    /// The two bodies; none is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Where the tie sits: a frame in the axes of each body. Joints compare the two, the others take their
    /// origins as ends.
    pub local: [Pose<D>; 2],
    /// What it does.
    pub kind: Kind<D>,
    /// Mean force over a step at which it breaks \[N\], of a torsion spring and coupled motions never.
    pub strength: Option<f64>,
    /// Dry friction of a joint, where it has some.
    pub rubbing: Option<Rubbing>,
    /// Ends of the motion of a joint, where it has some.
    pub stops: Option<Stops>,
    /// Ends of the turn of a universal joint about its second axis; those of the first where it is `None`.
    pub second_stops: Option<Stops>,
    /// Whether the two bodies still collide with each other.
    pub collide: bool,
    /// Where its ends hold the meshes of deformable bodies; found by [`Ties::hold_meshes`].
    pub meshes: [Option<MeshEnd<D>>; 2],
}

/// The end of a tie that lies within the mesh of a deformable body, and goes where the mesh goes.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshEnd<const D: usize> {
    /// The nodes around it.
    pub port: Port<D>,
    /// Whether the mesh has inertia: one without goes, in a step, the way of the velocity at its end alone.
    has_inertia: bool,
    /// How far deformation has moved it, in the axes of the body \[m\].
    deflection: Vector<D>,
}

impl<const D: usize> Tie<D> {
    /// A tie between two bodies as they stand at `poses`, at a frame given in world axes.
    pub fn at(
        name: &str,
        kind: Kind<D>,
        bodies: [Option<BodyId>; 2],
        at: &Pose<D>,
        poses: &[Pose<D>],
    ) -> Self {
        let local = bodies.map(|body| pose_of(poses, body).inverse().compose(at));
        Self::whole(name, kind, bodies, local, false)
    }

    /// A tie between two ends given in world axes, on bodies as they stand at `poses`.
    pub fn between(
        name: &str,
        kind: Kind<D>,
        bodies: [Option<BodyId>; 2],
        ends: [Vector<D>; 2],
        poses: &[Pose<D>],
    ) -> Self {
        let place = |side: usize| pose_of(poses, bodies[side]).inverse().compose(&Pose::at(ends[side]));
        let local = std::array::from_fn(place);
        Self::whole(name, kind, bodies, local, true)
    }

    /// One without friction and stops that nothing breaks.
    fn whole(
        name: &str,
        kind: Kind<D>,
        bodies: [Option<BodyId>; 2],
        local: [Pose<D>; 2],
        collide: bool,
    ) -> Self {
        let (strength, rubbing, stops, second_stops) = (None, None, None, None);
        let (name, meshes) = (name.into(), [None, None]);
        Self { name, bodies, local, kind, strength, rubbing, stops, second_stops, collide, meshes }
    }

    /// Whether it can hold a deformable body that has no rigid motion, one of that name, by an end at such a
    /// place: by nothing but a point, and one within the mesh.
    pub fn check_frameless(&self, place: MeshPlace, body: &str) -> Result<(), TieError> {
        let (tie, body) = (self.name.clone(), body.to_owned());
        let points_alone = match self.kind {
            Kind::Joint(joint) => joint.held::<D>() == [D, 0],
            Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. } => true,
            Kind::Torsion { .. } | Kind::Screw { .. } | Kind::Rack { .. } | Kind::Coupled { .. } => false,
        };
        match place {
            MeshPlace::Revolved => Err(TieError::Revolved { tie, body }),
            _ if !points_alone || self.rubbing.is_some() || self.stops.is_some() => {
                Err(TieError::Turns { tie, body })
            }
            MeshPlace::Outside => Err(TieError::Outside { tie, body }),
            MeshPlace::Within => Ok(()),
        }
    }

    /// Whether it holds or pulls at points of the bodies; coupled velocities are those of bodies as a whole.
    fn holds_points(&self) -> bool {
        !matches!(self.kind, Kind::Coupled { .. } | Kind::Torsion { .. })
    }

    /// Whether an end is in a mesh without inertia, which is in balance with the forces at the end of a step.
    fn is_static(&self) -> bool {
        self.meshes.iter().flatten().any(|end| !end.has_inertia)
    }

    /// θ of the way that its ends go in a step.
    fn theta(&self, theta: f64) -> f64 {
        if self.is_static() { 1.0 } else { theta }
    }

    /// The same with its ends where meshes are after `dt`; none of them deforms where there are no `solids`.
    pub(crate) fn deflected(&self, solids: Option<&Solids<D>>, dt: f64) -> Cow<'_, Self> {
        let Some(solids) = solids.filter(|_| self.meshes.iter().any(Option::is_some)) else {
            return Cow::Borrowed(self);
        };
        let mut tie = self.clone();
        for (end, body) in tie.meshes.iter_mut().zip(self.bodies) {
            if let (Some(end), Some(BodyId(body))) = (end, body) {
                end.deflection = solids.deflection(body as usize, &end.port, dt);
            }
        }
        Cow::Owned(tie)
    }

    /// What it is called in messages.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::Joint(Joint::Fixed) => "fixed",
            Kind::Joint(Joint::Pin) => "pin",
            Kind::Joint(Joint::Hinge) => "hinge",
            Kind::Joint(Joint::Slider) => "slider",
            Kind::Joint(Joint::Cylindrical) => "cylindrical",
            Kind::Joint(Joint::Universal) => "universal",
            Kind::Screw { .. } => "screw",
            Kind::Rack { .. } => "rack",
            Kind::Rod { .. } => "rod",
            Kind::Wire { .. } => "wire",
            Kind::Spring { .. } => "spring",
            Kind::Torsion { .. } => "torsion",
            Kind::Coupled { .. } => "coupled",
        }
    }
}

/// Why ties do not fit the bodies.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TieError {
    /// A body that is not there.
    #[error("tie \"{tie}\" names body {body}, but there are only {bodies} bodies")]
    NoSuchBody {
        /// Name of the tie.
        tie: String,
        /// Body it names.
        body: u32,
        /// Number of bodies.
        bodies: usize,
    },
    /// A tie of a body with itself, or of the world with itself.
    #[error("tie \"{tie}\" has the same body at both ends")]
    Loop {
        /// Name of the tie.
        tie: String,
    },
    /// A body around an axis, of which a point is a ring.
    #[error("tie \"{tie}\" holds \"{body}\", which goes around an axis; let a rigid body touch it instead")]
    Revolved {
        /// Name of the tie.
        tie: String,
        /// Name of the body.
        body: String,
    },
    /// A body of nodes alone, held by more than a point of it.
    #[error(
        "tie \"{tie}\" holds more than a point of \"{body}\", which has no rigid motion (it is held by deform.hold, or \
         its material is not linear): pins, rods, wires and springs hold a point, without friction and stops; take \
         pins at several places to hold a turn"
    )]
    Turns {
        /// Name of the tie.
        tie: String,
        /// Name of the body.
        body: String,
    },
    /// An end outside of a body of nodes alone.
    #[error(
        "tie \"{tie}\" ends outside of the mesh of \"{body}\", which has no rigid motion (it is held by deform.hold, \
         or its material is not linear); let it end within the mesh"
    )]
    Outside {
        /// Name of the tie.
        tie: String,
        /// Name of the body.
        body: String,
    },
    /// A number out of its range.
    #[error("{what} of tie \"{tie}\" is {value}, allowed is {allowed}")]
    Number {
        /// Name of the tie.
        tie: String,
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        allowed: &'static str,
    },
}

/// All ties of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Ties<const D: usize> {
    list: Vec<Tie<D>>,
    /// Pairs of bodies that do not collide, smaller index first, in order.
    apart: Vec<[u32; 2]>,
    /// Number of the bodies; the world has this index in the rows.
    bodies: usize,
}

impl<const D: usize> Ties<D> {
    /// Checks and takes over the ties between so many bodies.
    pub fn new(list: Vec<Tie<D>>, bodies: usize) -> Result<Self, TieError> {
        list.iter().try_for_each(|tie| check(tie, bodies))?;
        let mut apart: Vec<[u32; 2]> = Vec::new();
        for tie in list.iter().filter(|tie| !tie.collide) {
            if let [Some(BodyId(a)), Some(BodyId(b))] = tie.bodies {
                apart.push([a.min(b), a.max(b)]);
            }
        }
        apart.sort_unstable();
        apart.dedup();
        Ok(Self { list, apart, bodies })
    }

    /// Finds the nodes around ends that lie within the meshes of deformable bodies: from now on these ends
    /// go where the meshes go, and pull at them. Ends outside hold the rigid motion of a body that has one.
    pub fn hold_meshes(&mut self, solids: &mut Solids<D>, names: &[String]) -> Result<(), TieError> {
        for tie in &mut self.list {
            for side in 0..2 {
                let Some(BodyId(body)) = tie.bodies[side] else { continue };
                let body = body as usize;
                let at = &tie.local[side].position;
                if let Some(model) = solids.model(body).filter(|_| !solids.is_floating(body)) {
                    tie.check_frameless(mesh_place(model, at), &names[body])?;
                }
                let port = tie.holds_points().then(|| solids.hold_inside(body, at));
                tie.meshes[side] = port.flatten().map(|port| {
                    let has_inertia = solids.has_inertia(body);
                    MeshEnd { port, has_inertia, deflection: Vector::zeros() }
                });
            }
        }
        Ok(())
    }

    /// The ties.
    pub fn list(&self) -> &[Tie<D>] {
        &self.list
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Pairs of bodies that do not collide because of a tie, smaller index first, in order.
    pub fn apart(&self) -> &[[u32; 2]] {
        &self.apart
    }

    /// The index that stands for the world in the rows of the problem: one behind the last body.
    pub fn world(&self) -> u32 {
        self.bodies as u32
    }

    /// The state of all ties at the start, bodies standing at `poses`.
    pub fn begin(&self, poses: &[Pose<D>]) -> Vec<TieMemory<D>> {
        let of = |tie: &Tie<D>| TieMemory { stored: tie.energy(poses, 0.0), ..TieMemory::default() };
        self.list.iter().map(of).collect()
    }

    /// The position errors of all rigid ties that are whole, with their rows of H, bodies standing at
    /// `poses`: what a projection of positions closes. The world has the index [`Self::world`].
    pub fn errors(&self, poses: &[Pose<D>], memory: &[TieMemory<D>]) -> Vec<TieRow<D>> {
        let mut rows = Vec::new();
        for (index, (tie, kept)) in self.list.iter().zip(memory).enumerate() {
            if !kept.broken && tie.is_rigid() {
                let parts = tie.parts(poses, kept.value, self.world());
                let stops = tie.stop_rows(poses, kept.value, self.world()).into_iter().flatten();
                let rows_of = parts.into_iter().flatten().chain(stops);
                rows.extend(rows_of.map(|part| TieRow { tie: index as u32, ..part }));
            }
        }
        rows
    }
}

/// Pose of a body; that of the world is the identity.
pub(crate) fn pose_of<const D: usize>(poses: &[Pose<D>], body: Option<BodyId>) -> Pose<D> {
    body.and_then(|BodyId(body)| poses.get(body as usize).copied()).unwrap_or_else(Pose::identity)
}

fn check<const D: usize>(tie: &Tie<D>, bodies: usize) -> Result<(), TieError> {
    let name = || tie.name.clone();
    for BodyId(body) in tie.bodies.into_iter().flatten() {
        if body as usize >= bodies {
            return Err(TieError::NoSuchBody { tie: name(), body, bodies });
        }
    }
    if tie.bodies[0] == tie.bodies[1] {
        return Err(TieError::Loop { tie: name() });
    }
    let positive = |what, value: f64| (what, value, value > 0.0 && value.is_finite(), "a positive number");
    let not_negative = |what, value: f64| (what, value, value >= 0.0 && value.is_finite(), "zero or more");
    let mut checks = Vec::new();
    let mut elastic = |elasticity: &Elasticity| {
        checks.push(not_negative("stiffness", elasticity.stiffness));
        checks.push(not_negative("damping", elasticity.damping));
        checks.push(positive("stiffness or damping", elasticity.stiffness.max(elasticity.damping)));
    };
    match &tie.kind {
        Kind::Joint(_) => {}
        Kind::Screw { pitch } => {
            checks.push(("dimension", D as f64, rigid_turns(D) > 1, "3 for a screw"));
            checks.push(positive("size of the pitch", pitch.abs()));
        }
        Kind::Rack { radius } => checks.push(positive("radius", *radius)),
        Kind::Rod { length } => checks.push(positive("length", *length)),
        Kind::Wire { length, elasticity } => {
            elasticity.iter().for_each(&mut elastic);
            if let Some(elasticity) = elasticity {
                checks.push(positive("stiffness", elasticity.stiffness));
            }
            checks.push(positive("length", *length));
        }
        Kind::Spring { length, elasticity } => {
            elastic(elasticity);
            checks.push(not_negative("length", *length));
        }
        Kind::Torsion { elasticity } => elastic(elasticity),
        Kind::Coupled { coefficients } => {
            let largest =
                coefficients.iter().flat_map(|row| row.iter()).fold(0.0, |most: f64, x| most.max(x.abs()));
            checks.push(positive("largest coefficient", largest));
        }
    }
    checks.extend(tie.rubbing.iter().flat_map(Rubbing::checks));
    checks.extend(tie.stops.iter().chain(&tie.second_stops).flat_map(Stops::checks));
    let free = tie.free().is_some();
    let seconds = tie.second_stops.is_none() || tie.stops.is_some() && tie.free() == Some(Free::Cross);
    checks.push(("second stops", 1.0, seconds, "none but beside the first ones of a universal joint"));
    let half = std::f64::consts::PI;
    for [lower, upper] in tie.stops.iter().chain(&tie.second_stops).map(|stops| stops.range) {
        match tie.free() {
            Some(Free::Cross) => {
                checks.push(("lower stop", lower, lower > -half, "more than −π"));
                checks.push(("upper stop", upper, upper < half, "less than π"));
            }
            Some(Free::Ball) => {
                checks.push(("lower stop", lower, lower == 0.0, "zero: a ball has one stop, a cone"));
                checks.push(("upper stop", upper, upper > 0.0 && upper < half, "from 0 to π"));
            }
            _ => {}
        }
    }
    checks.push((
        "friction or stops",
        1.0,
        free || tie.rubbing.is_none() && tie.stops.is_none(),
        "none at this kind",
    ));
    checks.extend(tie.strength.map(|strength| positive("strength", strength)));
    let places = tie.local.iter().flat_map(|pose| pose.position.iter().copied());
    checks.extend(places.map(|x| ("place", x, x.is_finite(), "a finite number")));
    match checks.into_iter().find(|&(_, _, fine, _)| !fine) {
        Some((what, value, _, allowed)) => Err(TieError::Number { tie: name(), what, value, allowed }),
        None => Ok(()),
    }
}
