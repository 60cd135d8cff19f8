//! Deformable bodies beside the rigid ones: what each adds to its rigid line, and how contacts hold its mesh.
//! A body in a floating frame keeps its rigid line and deforms beside it; one in the world frame has a line
//! that nothing moves, and all its motion in its mesh. Finds no contact.

mod bundle;
mod centred;
mod newton;
mod operator;
mod step;
mod whole;

pub use centred::{CentredSolid, centred};
pub use newton::{NewtonStage, SolidFailure};
pub use operator::SolidOperators;
pub use step::{SolidEnergies, SolidWorks};

use bundle::{BundleSide, bundled};
use drystone_elements::SolidError;
use drystone_elements::model::{Kinematics, SolidModel};
use drystone_elements::scheme::{
    ABREAST, CoupledEnd, Grip, NewtonParams, SolidInertia, SolidState, Supports,
};
use drystone_math::{Matrix, Vector};
use operator::SolidOperator;
use std::sync::Arc;

/// What the motion of a mesh is relative to.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidFrame {
    /// A frame that goes with the body: rigid motion of any size, small deformation beside it.
    Floating,
    /// The world: the body is held by its supports, with the velocity at which each degree of freedom that
    /// is held moves \[m/s\].
    World {
        /// What is held.
        supports: Supports,
        /// Velocity of each degree of freedom, of which those held count \[m/s\].
        drive: Vec<f64>,
    },
}

/// Given loads on the nodes of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidLoad<const D: usize> {
    /// Forces on nodes that stay the same, in the axes of the body, a number for each degree of freedom
    /// \[N\]; empty: none.
    pub following: Vec<f64>,
    /// Loads on groups of faces, which may change from step to step.
    pub faces: Vec<FaceLoad<D>>,
}

/// A load on some faces of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceLoad<const D: usize> {
    /// Forces on nodes of a pressure of 1 Pa, in the axes of the body, by degrees of freedom \[N\].
    pub inwards: Vec<(u32, f64)>,
    /// Weights of the nodes that share a force.
    pub shares: Vec<(u32, f64)>,
    /// Pressure \[Pa\].
    pub pressure: f64,
    /// Force in world axes \[N\].
    pub force: Vector<D>,
}

/// Which number of a load on faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceLoadPart {
    /// The pressure \[Pa\].
    Pressure,
    /// A component of the force \[N\].
    Force(usize),
}

/// Nodes of a body in the world frame that are driven together, those along each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrivenNodes<const D: usize> {
    /// The nodes along each axis; no other such list has them along that axis.
    pub along: [Vec<u32>; D],
}

/// A deformable body as it enters the simulation.
#[derive(Clone, Debug)]
pub struct DeformableSpec<const D: usize> {
    /// Index of the body that is its rigid line.
    pub body: u32,
    /// Index of the contactor that is its skin.
    pub contactor: u32,
    /// Mesh and material, the mesh in the frame of the body; congruent bodies share it.
    pub model: Arc<SolidModel<D>>,
    /// What its motion is relative to.
    pub frame: SolidFrame,
    /// Given loads.
    pub load: Option<SolidLoad<D>>,
    /// Nodes that are driven together, see [`Solids::drive_nodes`].
    pub driven: Vec<DrivenNodes<D>>,
    /// Whether deformation has inertia; without it, in a floating frame, the rigid motion has it all the
    /// same.
    pub inertia: SolidInertia,
    /// Velocity of each degree of freedom at the beginning, in the axes of the body \[m/s\]; empty: at rest.
    pub velocity: Vec<f64>,
}

/// Where a contact or a tie holds a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Port<const D: usize> {
    /// Nodes and their weights.
    pub grip: Grip,
    /// The place in the body's frame, not deformed: rows of the rigid line are taken there, so that they and
    /// the deformation part exactly \[m\].
    pub place: Vector<D>,
}

impl<const D: usize> Port<D> {
    /// Two ports of one body as one: its velocity is that of the first less that of the second, and an
    /// impulse on it acts on both in turn.
    pub fn less(&self, other: &Self) -> Self {
        let less = other.grip.parts().map(|(node, weight)| (node, -weight));
        Self { grip: Grip::new(self.grip.parts().chain(less)), place: self.place }
    }
}

/// Where a point is that something is to hold of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshPlace {
    /// Within an element.
    Within,
    /// Outside of the mesh.
    Outside,
    /// Anywhere in a mesh that goes around an axis, where a point is a ring.
    Revolved,
}

/// Where a point of the frame of a body is in its mesh, not deformed.
pub fn mesh_place<const D: usize>(model: &SolidModel<D>, point: &Vector<D>) -> MeshPlace {
    match model.mesh().locate(point) {
        _ if model.kinematics() == Kinematics::Axisymmetric => MeshPlace::Revolved,
        Some(_) => MeshPlace::Within,
        None => MeshPlace::Outside,
    }
}

/// One deformable body.
#[derive(Debug)]
struct SolidBody<const D: usize> {
    body: u32,
    contactor: u32,
    operator: usize,
    state: SolidState,
    drive: Vec<f64>,
    driven: Vec<DrivenNodes<D>>,
    load: Option<SolidLoad<D>>,
    /// Velocity of the nodes without contacts, of this step.
    free: Vec<f64>,
    /// Loads of this step that deform \[N\].
    acting: Vec<f64>,
    /// Free energy where it is not linear \[J\].
    stored: f64,
    /// Energies of the state, where the last step told.
    energies: Option<SolidEnergies>,
    /// Largest square of the velocities of nodes in the state, and of those without contacts, where the step
    /// told \[m²/s²\].
    fastest: [Option<f64>; 2],
    /// Forces of the supports in the last step \[N\], a number for each degree of freedom; empty without any.
    reaction: Vec<f64>,
    /// The end of this step, found by Newton's method.
    ended: Option<CoupledEnd>,
}

/// All deformable bodies.
#[derive(Debug, Default)]
pub struct Solids<const D: usize> {
    operators: Vec<SolidOperator<D>>,
    list: Vec<SolidBody<D>>,
    /// For each body its place in the list.
    of_body: Vec<Option<u32>>,
    /// Places of those that go through a step side by side.
    bundles: Vec<Vec<u32>>,
    /// Their numbers side by side, from one half of a step to the other and to the next step.
    sides: Vec<BundleSide<ABREAST>>,
}

impl<const D: usize> Solids<D> {
    /// Assembles and factors the bodies for a step \[s\] and a θ; congruent ones once.
    pub fn new(
        specs: Vec<DeformableSpec<D>>,
        h: f64,
        theta: f64,
        newton: NewtonParams,
    ) -> Result<Self, (u32, SolidError)> {
        let mut own = Self::default();
        for spec in specs {
            let fails = |error| (spec.body, error);
            let known = own
                .operators
                .iter()
                .position(|operator| operator.serves(&spec.model, &spec.frame, spec.inertia));
            let operator = match known {
                Some(known) => known,
                None => {
                    let (of, owner) = ((&spec.model, spec.inertia), own.list.len());
                    let made = SolidOperator::new(of, &spec.frame, h, theta, newton, owner).map_err(fails)?;
                    own.operators.push(made);
                    own.operators.len() - 1
                }
            };
            let body = spec.body as usize;
            own.of_body.resize(own.of_body.len().max(body + 1), None);
            own.of_body[body] = Some(own.list.len() as u32);
            let dofs = spec.model.dofs();
            let mut state = SolidState::at_rest(&spec.model);
            state.velocity.iter_mut().zip(&spec.velocity).for_each(|(v, given)| *v = *given);
            own.list.push(SolidBody {
                body: spec.body,
                contactor: spec.contactor,
                operator,
                state,
                drive: match spec.frame {
                    SolidFrame::World { drive, .. } => drive,
                    SolidFrame::Floating => Vec::new(),
                },
                driven: spec.driven,
                load: spec.load,
                free: vec![0.0; dofs],
                acting: Vec::new(),
                stored: 0.0,
                energies: None,
                fastest: [None; 2],
                reaction: Vec::new(),
                ended: None,
            });
        }
        own.bundles = bundled(own.list.iter().map(|solid| solid.operator));
        own.sides.resize_with(own.bundles.len(), BundleSide::default);
        Ok(own)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The bodies, as indices.
    pub fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        self.list.iter().map(|solid| solid.body)
    }

    /// Whether a body is deformable.
    #[inline]
    pub fn is_soft(&self, body: usize) -> bool {
        self.of_body.get(body).is_some_and(Option::is_some)
    }

    /// Whether a deformable body has rigid motion beside its deformation.
    pub fn is_floating(&self, body: usize) -> bool {
        self.solid(body).is_some_and(|solid| self.operator(solid).frame().is_some())
    }

    /// Whether the deformation of a body has inertia.
    pub fn has_inertia(&self, body: usize) -> bool {
        self.solid(body).is_some_and(|solid| self.operator(solid).inertia() != SolidInertia::None)
    }

    fn solid(&self, body: usize) -> Option<&SolidBody<D>> {
        self.of_body.get(body).copied().flatten().map(|place| &self.list[place as usize])
    }

    fn solid_mut(&mut self, body: usize) -> Option<&mut SolidBody<D>> {
        self.of_body.get(body).copied().flatten().map(|place| &mut self.list[place as usize])
    }

    fn operator(&self, solid: &SolidBody<D>) -> &SolidOperator<D> {
        &self.operators[solid.operator]
    }

    /// Mesh and material of a body.
    pub fn model(&self, body: usize) -> Option<&Arc<SolidModel<D>>> {
        self.solid(body).map(|solid| self.operator(solid).model())
    }

    /// Displacements and velocities of the nodes of a body, in its axes.
    pub fn state(&self, body: usize) -> Option<&SolidState> {
        self.solid(body).map(|solid| &solid.state)
    }

    /// Forces of the supports of a body in the last step \[N\], a number for each degree of freedom, in its
    /// axes; empty where nothing is held, and before the first step.
    pub fn reaction(&self, body: usize) -> &[f64] {
        self.solid(body).map_or(&[], |solid| &solid.reaction)
    }

    /// Whether nodes of a body are driven together along an axis, by the number of their list.
    pub fn has_driven(&self, body: usize, list: usize, axis: usize) -> bool {
        let nodes = self.solid(body).and_then(|solid| solid.driven.get(list)?.along.get(axis));
        nodes.is_some_and(|nodes| !nodes.is_empty())
    }

    /// Sets the velocity of nodes that are driven together at the end of the coming step, and where told
    /// their velocity now \[m/s\]. Those that there are not are passed over.
    pub fn drive_nodes(&mut self, body: usize, [list, axis]: [usize; 2], velocity: f64, now: bool) {
        let Some(solid) = self.solid_mut(body) else { return };
        let Some(nodes) = solid.driven.get(list).and_then(|driven| driven.along.get(axis)) else { return };
        for dof in nodes.iter().map(|&node| node as usize * D + axis) {
            solid.drive[dof] = velocity;
            if now {
                solid.state.velocity[dof] = velocity;
            }
        }
        if now {
            self.forget_sides();
        }
    }

    /// Forgets what is known of states beside them: they were changed.
    fn forget_sides(&mut self) {
        self.sides.iter_mut().for_each(|side| *side = BundleSide::default());
        for solid in &mut self.list {
            (solid.energies, solid.fastest) = (None, [None; 2]);
        }
    }

    /// Whether a body has a load on faces of this number.
    pub fn has_face_load(&self, body: usize, number: usize) -> bool {
        let load = self.solid(body).and_then(|solid| solid.load.as_ref());
        load.is_some_and(|load| number < load.faces.len())
    }

    /// Sets a number of a load on faces for the coming steps. One that is not there is passed over.
    pub fn load_faces(&mut self, body: usize, number: usize, part: FaceLoadPart, value: f64) {
        let load = self.solid_mut(body).and_then(|solid| solid.load.as_mut()?.faces.get_mut(number));
        match (load, part) {
            (Some(load), FaceLoadPart::Pressure) => load.pressure = value,
            (Some(load), FaceLoadPart::Force(axis)) if axis < D => load.force[axis] = value,
            _ => {}
        }
    }

    /// The θ by which the deformation of a body goes through a step; the given one where it has none of its
    /// own.
    pub fn theta(&self, body: usize, theta: f64) -> f64 {
        self.solid(body).map_or(theta, |solid| self.operator(solid).inertia().theta(theta))
    }

    /// Fastest deformation of any node of a body, now and without contacts \[m/s\].
    pub fn speed(&self, body: usize) -> f64 {
        self.solid(body).map_or(0.0, |solid| {
            let free = solid.fastest[1].unwrap_or_else(|| largest_square::<D>(&solid.free));
            solid.fastest_now().max(free).sqrt()
        })
    }

    /// Places of the skin's vertices of every deformable body after `dt`, with its contactor, in its frame. A
    /// body without inertia does not coast.
    pub fn placed(&self, dt: f64) -> impl Iterator<Item = (u32, impl Iterator<Item = Vector<D>> + '_)> {
        self.list.iter().map(move |solid| {
            let (mesh, state) = (self.operator(solid).model().mesh(), &solid.state);
            let dt = if self.operator(solid).inertia() == SolidInertia::None { 0.0 } else { dt };
            let place = move |&node: &u32| {
                let at = node as usize * D;
                let moved = |axis: usize| state.displacement[at + axis] + dt * state.velocity[at + axis];
                mesh.nodes()[node as usize] + Vector::from_fn(|axis, _| moved(axis))
            };
            (solid.contactor, self.operator(solid).skin().nodes.iter().map(place))
        })
    }

    /// The port of a body at a facet of its skin, by the weights of the facet's corners.
    pub fn port_on_facet(&self, body: usize, facet: usize, weights: [f64; 3]) -> Option<Port<D>> {
        let operator = self.operator(self.solid(body)?);
        operator.port_on_facet(facet, weights)
    }

    /// The port of a body over many points of its skin, each by a facet, the weights of the facet's corners,
    /// and a share; the shares sum up to one.
    pub fn port_over(
        &self,
        body: usize,
        points: impl Iterator<Item = (usize, [f64; 3], f64)>,
    ) -> Option<Port<D>> {
        let operator = self.operator(self.solid(body)?);
        if operator.has_linear_skin() {
            return operator.port_over_corners(points);
        }
        let (mut parts, mut place) = (Vec::with_capacity(32), Vector::zeros());
        for (facet, weights, share) in points {
            place += operator.hold_facet(facet, weights, share, &mut parts)? * share;
        }
        Some(Port { grip: Grip::new(parts), place })
    }

    /// The port of a body at a vertex of its skin.
    pub fn port_at_vertex(&self, body: usize, vertex: usize) -> Option<Port<D>> {
        let operator = self.operator(self.solid(body)?);
        let node = *operator.skin().nodes.get(vertex)?;
        Some(Port { grip: Grip::node(node), place: operator.model().mesh().nodes()[node as usize] })
    }

    /// A port at a place within the mesh of a body, in its frame and not deformed, for something that holds
    /// it for good; none outside of the mesh, and where the body is not deformable.
    pub fn hold_inside(&mut self, body: usize, place: &Vector<D>) -> Option<Port<D>> {
        let operator = self.solid(body)?.operator;
        self.operators[operator].hold_inside(place)
    }

    /// Displacement of a port by deformation after `dt`, in the axes of the body \[m\]. A body without
    /// inertia does not coast.
    pub fn deflection(&self, body: usize, port: &Port<D>, dt: f64) -> Vector<D> {
        self.solid(body).map_or_else(Vector::zeros, |solid| {
            let coasts = self.has_inertia(body);
            let (moved, velocity) = (&solid.state.displacement, &solid.state.velocity);
            port.grip.velocity::<D>(moved) + port.grip.velocity(velocity) * if coasts { dt } else { 0.0 }
        })
    }

    /// Velocities of deformation at a port in the axes of the body: at the beginning of the step, and at its
    /// end without contacts \[m/s\].
    pub fn port_velocities(&self, body: usize, port: &Port<D>) -> [Vector<D>; 2] {
        self.solid(body).map_or([Vector::zeros(); 2], |solid| {
            [port.grip.velocity(&solid.state.velocity), port.grip.velocity(&solid.free)]
        })
    }

    /// Compliance over the ports of a body, row after row, each port in the frame of its contact (columns
    /// are the axes of the contact in those of the body) \[1/kg\].
    pub fn port_compliance(&self, body: usize, ports: &[(Port<D>, Matrix<D, D>)]) -> Vec<f64> {
        self.solid(body).map_or_else(Vec::new, |solid| self.operator(solid).block(ports))
    }
}

impl<const D: usize> SolidBody<D> {
    /// Largest square of the velocities of nodes \[m²/s²\].
    fn fastest_now(&self) -> f64 {
        self.fastest[0].unwrap_or_else(|| largest_square::<D>(&self.state.velocity))
    }
}

/// Largest square of the velocities of nodes, in four running maxima: none of them waits for another.
fn largest_square<const D: usize>(v: &[f64]) -> f64 {
    let (fours, rest) = v.as_chunks::<D>().0.as_chunks::<4>();
    let mut most = [0.0; 4];
    for four in fours {
        for (most, v) in most.iter_mut().zip(four) {
            // `f64::max` would take twice as long to tell
            let square = squared(v);
            *most = if square > *most { square } else { *most };
        }
    }
    rest.iter().map(|v| squared(v)).chain(most).fold(0.0, f64::max)
}

#[inline(always)]
fn squared(v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in v {
        sum += x * x;
    }
    sum
}
