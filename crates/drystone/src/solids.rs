//! The deformable bodies of a simulation: how they enter it, how their skins are placed, what a step does to
//! them. Their mechanics are in `drystone-bulk` and `drystone-elements`.

use crate::{BuildError, Settings, Simulation};
use drystone_bulk::{CentredSolid, DeformableSpec, DrivenNodes, SolidFrame, SolidLoad, Solids};
use drystone_contact::{Assembly, Detection};
use drystone_elements::law::PointHistory;
use drystone_elements::mesh::SkinFacet;
use drystone_elements::model::{Kinematics, PointField, SolidModel};
use drystone_elements::scheme::SolidInertia;
use drystone_elements::tensor::{principal, stress_tensor, von_mises};
use drystone_geometry::{Contactor, Shape, SkinShape};
use drystone_laws::Drift;
use drystone_math::{PerDof, Pose, Vector, rigid_turns};
use drystone_state::{Bodies, Body, BodyId, GroupId, Gyroscopic};
use std::sync::Arc;

/// A deformable body and where it begins.
#[derive(Clone, Debug)]
pub struct Deformable<const D: usize> {
    /// Name, for messages and output.
    pub name: String,
    /// Group, for laws.
    pub group: GroupId,
    /// Mesh and material in the frame of the body, its mass.
    pub solid: CentredSolid<D>,
    /// Where the axes in which the mesh was given stand.
    pub pose: Pose<D>,
    /// Velocity \[m/s\] in world axes, then spin \[rad/s\] in the axes of the mesh; in the world frame those
    /// of its nodes at the beginning.
    pub velocity: PerDof<D>,
    /// What its motion is relative to.
    pub frame: SolidFrame,
    /// Given loads on its nodes.
    pub load: Option<SolidLoad<D>>,
    /// Nodes that are driven together, see [`Simulation::drive_nodes`].
    pub driven: Vec<DrivenNodes<D>>,
    /// Whether its deformation has inertia.
    pub inertia: SolidInertia,
    /// Whether its skin may touch itself.
    pub self_contact: bool,
}

impl<const D: usize> Deformable<D> {
    /// Adds its rigid line to the bodies and its skin to the contactors; gives what
    /// [`Simulation::with_solids`] takes. None where the mesh has no skin.
    pub fn enter(
        self,
        bodies: &mut Bodies<D>,
        contactors: &mut Vec<Contactor<D>>,
    ) -> Option<DeformableSpec<D>> {
        let mut skin = skin_of(&self.solid.model)?;
        if self.self_contact {
            skin = skin.touching_itself(own_depth(&self.solid.model));
        }
        let held = self.frame != SolidFrame::Floating;
        let velocity = if held { self.nodal_velocity() } else { Vec::new() };
        let body = bodies.push(Body {
            name: self.name,
            group: self.group,
            pose: self.pose.compose(&self.solid.local),
            velocity: if held { PerDof::zeros() } else { self.velocity },
            mass: self.solid.mass,
            driven: PerDof::from_fn(|_| held.then_some(0.0)),
            load: PerDof::zeros(),
            gyroscopic: if held || rigid_turns(D) == 1 { Gyroscopic::Omitted } else { Gyroscopic::Implicit },
            radius: self.solid.radius,
        });
        bodies.own_axes[body.0 as usize] = self.solid.local.orientation.inverse();
        contactors.push(Contactor { body: body.0, shape: skin.into(), local: Pose::identity() });
        Some(DeformableSpec {
            body: body.0,
            contactor: contactors.len() as u32 - 1,
            model: self.solid.model,
            frame: self.frame,
            load: self.load,
            driven: self.driven,
            inertia: self.inertia,
            velocity,
        })
    }

    /// The velocity as that of the nodes, in the axes of the body; what is held goes with its drive.
    fn nodal_velocity(&self) -> Vec<f64> {
        if self.velocity.iter().all(|&v| v == 0.0) {
            return Vec::new();
        }
        let turned = self.pose.compose(&self.solid.local).rotation();
        let speed = turned.tr_mul(&Vector::<D>::from_fn(|axis, _| self.velocity[axis]));
        let spin = |k: usize| self.velocity[D + k];
        let at = |x: &Vector<D>, axis: usize| match (D, axis) {
            (2, 0) => -spin(0) * x[1],
            (2, _) => spin(0) * x[0],
            _ => {
                let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
                spin(p) * x[q] - spin(q) * x[p]
            }
        };
        let nodes = self.solid.model.mesh().nodes().iter();
        nodes.flat_map(|x| (0..D).map(move |axis| speed[axis] + at(x, axis))).collect()
    }
}

/// The boundary of a mesh as a shape: its vertices are the nodes of the boundary, in their order.
pub fn skin_of<const D: usize>(model: &SolidModel<D>) -> Option<SkinShape<D>> {
    let (mesh, skin) = (model.mesh(), model.mesh().skin());
    let place = |node: u32| skin.nodes.binary_search(&node).unwrap_or(0) as u32;
    let vertices = skin.nodes.iter().map(|&node| mesh.nodes()[node as usize]).collect();
    // the third corner of a segment counts for nothing
    let facets = skin.facets.iter().map(|facet| facet.corners.map(place)).collect();
    let shape = SkinShape::new(vertices, facets)?;
    Some(match model.kinematics() {
        Kinematics::Axisymmetric => shape.around_axis(),
        _ => shape,
    })
}

/// Half of what the thinnest element of the skin has behind its facet \[m\]: the other side of the body is
/// farther away, however thin it is.
fn own_depth<const D: usize>(model: &SolidModel<D>) -> f64 {
    let (mesh, skin) = (model.mesh(), model.mesh().skin());
    let thickness = |facet: &SkinFacet| {
        let corners: Vec<_> = facet.corners[..D].iter().map(|&node| mesh.nodes()[node as usize]).collect();
        let behind =
            mesh.element(facet.face.element as usize).iter().map(|&node| mesh.nodes()[node as usize]);
        behind.map(|x| distance(&corners, &x)).fold(0.0, f64::max)
    };
    0.5 * skin.facets.iter().map(thickness).fold(f64::INFINITY, f64::min)
}

/// Distance of a point from the line or plane through the corners of a facet.
fn distance<const D: usize>(corners: &[Vector<D>], x: &Vector<D>) -> f64 {
    let mut away = x - corners[0];
    let mut along: Vec<Vector<D>> = Vec::new();
    for corner in &corners[1..] {
        let side = along.iter().fold(corner - corners[0], |side, a| side - a * a.dot(&side));
        along.extend(side.try_normalize(0.0));
    }
    along.iter().for_each(|a| away -= a * a.dot(&away));
    away.norm()
}

/// What is known at the vertices of a skin, in their order.
#[derive(Clone, Debug, Default)]
pub struct SkinFields<const D: usize> {
    /// Displacement by deformation, in world axes \[m\].
    pub displacement: Vec<Vector<D>>,
    /// Von Mises' stress, smoothed to nodes \[Pa\].
    pub von_mises: Vec<f64>,
    /// Principal stresses, largest first \[Pa\].
    pub principal: Vec<[f64; 3]>,
    /// Velocity, in world axes \[m/s\].
    pub velocity: Vec<Vector<D>>,
    /// Accumulated plastic strain; empty where the law has none.
    pub accumulated: Vec<f64>,
}

impl<const D: usize> Simulation<D> {
    /// Displacement, velocity and stress at the vertices of the skin of a deformable body; none for others.
    pub fn skin_fields(&self, BodyId(body): BodyId) -> Option<SkinFields<D>> {
        let (model, state) = (self.solids.model(body as usize)?, self.solids.state(body as usize)?);
        let recovered = model.recover(&state.displacement, None, &state.history).ok()?;
        let stress = model.smooth(&recovered, PointField::Stress);
        let plastic = state.history.iter().any(|history| matches!(history, PointHistory::Plastic(_)));
        let accumulated = plastic.then(|| model.smooth(&recovered, PointField::Accumulated));
        let rotation = self.bodies.pose[body as usize].rotation();
        let mut fields = SkinFields::default();
        for node in model.mesh().skin().nodes {
            let at = node as usize * D;
            fields.displacement.push(rotation * Vector::from_fn(|axis, _| state.displacement[at + axis]));
            fields.von_mises.push(von_mises(&stress[node as usize]));
            fields.principal.push(principal(&stress_tensor(&stress[node as usize])).0);
            fields.velocity.push(self.node_motion(body as usize, node as usize)?[2]);
            fields.accumulated.extend(accumulated.as_ref().map(|strain| strain[node as usize][0]));
        }
        Some(fields)
    }

    /// The same with some of its bodies deformable, each the rigid line of one and with its skin as a
    /// contactor (see [`Deformable::enter`]).
    pub fn with_solids(mut self, specs: Vec<DeformableSpec<D>>) -> Result<Self, BuildError> {
        if specs.is_empty() {
            return Ok(self);
        }
        let name = |body: u32| self.bodies.name.get(body as usize).cloned().unwrap_or_default();
        let refuse = |body: u32, why: &str| BuildError::Solid { body: name(body), why: why.into() };
        for spec in &specs {
            let contactor = self.contactors.get(spec.contactor as usize);
            let fits = contactor.is_some_and(|c| c.body == spec.body && matches!(c.shape, Shape::Skin(_)));
            if !fits {
                return Err(refuse(spec.body, "it has no skin among the contactors"));
            }
            if self.settings.drift == Drift::Projection {
                let why =
                    "positions of deformable bodies are not projected; take another treatment of overlaps";
                return Err(refuse(spec.body, why));
            }
        }
        let Settings { step, theta, newton, .. } = self.settings;
        let solids = Solids::new(specs, step, theta, newton);
        self.solids = solids.map_err(|(body, error)| refuse(body, &error.to_string()))?;
        self.ties.hold_meshes(&mut self.solids, &self.bodies.name)?;
        // skins move within their bodies: near pairs are looked for at every step
        self.settings.skin = 0.0;
        self.detection = Detection::new(self.settings.cell, 0.0);
        self.kinetic_start = self.kinetic();
        Ok(self)
    }

    /// The deformable bodies.
    pub fn solids(&self) -> &Solids<D> {
        &self.solids
    }

    /// Whether a body is deformable.
    pub fn is_deformable(&self, BodyId(body): BodyId) -> bool {
        self.solids.is_soft(body as usize)
    }

    /// Places the skins where their nodes are after `dt`.
    pub(crate) fn place_skins(&mut self, dt: f64) {
        for (contactor, vertices) in self.solids.placed(dt) {
            if let Shape::Skin(skin) = &mut self.contactors[contactor as usize].shape {
                Arc::make_mut(skin).set_vertices(vertices);
            }
        }
    }

    /// Ends the step of the deformable bodies with the impulses of a solution, and enters their works.
    pub(crate) fn deform(&mut self, assembly: &Assembly<D>) {
        if self.solids.is_empty() {
            return;
        }
        let works = self.solids.depart(&assembly.port_impulses(), &self.settings.gravity);
        self.ledger.loads += works.loads;
        self.ledger.drives += works.drives;
        self.ledger.viscosity += works.viscous + works.plastic;
        self.ledger.plastic += works.plastic;
        self.ledger.scheme += works.scheme;
        self.place_skins(0.0);
    }
}
