//! Scenes built by hand, for tests that must not depend on the scene file.

use drystone::*;
use std::sync::Arc;

pub const G: f64 = 9.81;

/// A disk or sphere of unit density, or a fixed polytope, at a place.
pub struct Builder<const D: usize> {
    pub bodies: Bodies<D>,
    pub contactors: Vec<Contactor<D>>,
    pub settings: Settings<D>,
}

impl<const D: usize> Builder<D> {
    pub fn new(step: f64) -> Self {
        let mut gravity = Vector::zeros();
        gravity[D - 1] = -G;
        let mut settings = Settings::new(gravity, step);
        settings.solver.tolerance = 1e-12;
        Self { bodies: Bodies::new(), contactors: Vec::new(), settings }
    }

    pub fn add(&mut self, shape: Shape<D>, pose: Pose<D>, velocity: PerDof<D>, fixed: bool) -> BodyId {
        let mass = match shape.mass_properties() {
            Some(p) => PerDof::from_fn(|i| match i {
                _ if i < D => p.volume,
                _ if D == 2 => p.inertia[(2, 2)],
                _ => p.inertia[(i - D, i - D)],
            }),
            None => PerDof::repeat(1.0),
        };
        let id = self.bodies.push(Body {
            name: format!("body {}", self.bodies.len()),
            group: GroupId(0),
            pose,
            velocity,
            mass,
            driven: PerDof::repeat(fixed.then_some(0.0)),
            load: PerDof::zeros(),
            gyroscopic: Gyroscopic::Omitted,
            radius: shape.bounding_radius(),
        });
        self.contactors.push(Contactor { body: id.0, shape, local: Pose::identity() });
        id
    }

    pub fn ground(&mut self) -> BodyId {
        self.add(Shape::HalfSpace, Pose::identity(), PerDof::zeros(), true)
    }

    pub fn ball(&mut self, radius: f64, position: Vector<D>, velocity: PerDof<D>) -> BodyId {
        self.add(Shape::Ball { radius }, Pose::at(position), velocity, false)
    }

    pub fn build(self, law: impl Law<D> + 'static) -> Simulation<D> {
        let mut laws = Laws::new(1);
        laws.set(GroupId(0), GroupId(0), Box::new(law)).unwrap();
        Simulation::new(self.settings, self.bodies, self.contactors, laws).expect("a sound scene")
    }
}

pub fn cuboid(size: [f64; 3]) -> Shape<3> {
    Shape::Polytope(Arc::new(Polytope::<3>::cuboid(size).expect("a box")))
}

pub fn rectangle(size: [f64; 2]) -> Shape<2> {
    Shape::Polytope(Arc::new(Polytope::<2>::rectangle(size).expect("a rectangle")))
}

/// Bodies without shapes, tied to each other and to the world (`None`).
pub struct Rig<const D: usize> {
    pub bodies: Bodies<D>,
    pub settings: Settings<D>,
    pub ties: Vec<Tie<D>>,
}

impl<const D: usize> Rig<D> {
    pub fn new(step: f64) -> Self {
        let settings = Builder::<D>::new(step).settings;
        Self { bodies: Bodies::new(), settings, ties: Vec::new() }
    }

    /// A free body of 1 kg with the given moments of inertia.
    pub fn body(&mut self, position: Vector<D>, inertia: &[f64]) -> BodyId {
        self.bodies.push(Body {
            name: format!("body {}", self.bodies.len()),
            group: GroupId(0),
            pose: Pose::at(position),
            velocity: PerDof::zeros(),
            mass: PerDof::from_fn(|i| if i < D { 1.0 } else { inertia[i - D] }),
            driven: PerDof::default(),
            load: PerDof::zeros(),
            gyroscopic: if D == 3 { Gyroscopic::Implicit } else { Gyroscopic::Omitted },
            radius: 0.1,
        })
    }

    pub fn joint(&mut self, joint: Joint, bodies: [Option<BodyId>; 2], at: Pose<D>) {
        let name = format!("tie {}", self.ties.len());
        self.ties.push(Tie::at(&name, Kind::Joint(joint), bodies, &at, &self.bodies.pose));
    }

    pub fn between(&mut self, kind: Kind<D>, bodies: [Option<BodyId>; 2], ends: [Vector<D>; 2]) {
        let name = format!("tie {}", self.ties.len());
        self.ties.push(Tie::between(&name, kind, bodies, ends, &self.bodies.pose));
    }

    pub fn build(self) -> Simulation<D> {
        let simulation = Simulation::new(self.settings, self.bodies, Vec::new(), Laws::new(1));
        simulation.and_then(|simulation| simulation.with_ties(self.ties)).expect("a sound rig")
    }
}
