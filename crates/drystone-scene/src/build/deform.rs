//! Deformable bodies of a scene: their shapes filled with elements, groups found, loads spread over faces.

use crate::geometry::{closed_surface, polyhedron, vector};
use crate::materials::law_of;
use crate::place::{Place, Problems};
use crate::spec::{
    BodySpec, ElementName, HoldSpec, IntegrationName, MassName, Material, PlaneName, Probe, SceneSpec,
    ShapeRef, ShapeSpec, SignalSpec,
};
use drystone::{
    CentredSolid, Deformable, DrivenNodes, FaceLoad, GroupId, PerDof, Pose, SolidFrame, SolidLoad, centred,
};
use drystone_elements::MeshFault;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{
    Mesh, capsule_mesh, cuboid_mesh, cylinder_mesh, disk_mesh, polygon_mesh, polyhedron_mesh, rectangle_mesh,
    rounded_rectangle_mesh, sphere_mesh, stadium_mesh,
};
use drystone_elements::model::{Integration, Kinematics, MassKind, SolidModel, SolidOptions};
use drystone_elements::scheme::{SolidInertia, Supports};
use drystone_math::nalgebra::Vector3;
use drystone_math::{Orientation, Vector};
use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Nodes nearer to the axis than this, relative to the largest radius, are on it.
const ON_AXIS: f64 = 1e-9;

/// Makes deformable bodies; congruent ones share their elements.
#[derive(Default)]
pub(super) struct DeformMaker<const D: usize> {
    made: HashMap<String, CentredSolid<D>>,
}

impl<const D: usize> DeformMaker<D> {
    /// The body, its shape standing at `pose`, with a velocity and a spin about the shape's axes.
    pub fn make(
        &mut self,
        body: &BodySpec,
        spec: &SceneSpec,
        group: GroupId,
        (pose, velocity): (Pose<D>, PerDof<D>),
        place: &Place,
        problems: &mut Problems,
    ) -> Option<Deformable<D>> {
        let deform = body.deform.as_ref()?;
        let here = place.key("deform");
        let material = body.material.as_ref().and_then(|name| spec.materials.get(name));
        // what deforms by any amount has no frame that goes with it
        let around = deform.plane == Some(PlaneName::Axisymmetric);
        let in_world = around || !deform.hold.is_empty() || material.is_some_and(Material::is_nonlinear);
        // radii are distances from the axis of the world
        let turned = match around {
            true => Some(pose),
            false => in_world.then(|| Pose { orientation: pose.orientation, ..Pose::identity() }),
        };
        let solid = match self.solid(body, spec, turned) {
            Ok(solid) => solid,
            Err(why) => {
                problems.of(&here, why);
                return None;
            }
        };
        let mesh = Arc::clone(solid.model.mesh());
        let own = |probe: &Probe| probe.body.as_ref() == Some(&body.name);
        for (index, probe) in spec.probes.iter().enumerate().filter(|(_, probe)| own(probe)) {
            if let Some(group) = &probe.group {
                group_of(&mesh, group, &Place::ROOT.key("probe").item(index), problems)?;
            }
        }
        let (mut frame, mut driven) = (SolidFrame::Floating, Vec::new());
        if in_world {
            let hold = here.key("hold");
            let mut supports = Supports::none(solid.model.dofs());
            let mut drive = vec![0.0; solid.model.dofs()];
            for (index, held) in deform.hold.iter().enumerate() {
                let nodes = group_of(&mesh, &held.group, &hold.item(index), problems)?.0;
                let mut along = std::array::from_fn(|_| Vec::new());
                for axis in (0..D).filter(|&axis| is_held(held, axis)) {
                    supports = supports.hold::<D>(&nodes, axis);
                    let speed = number(held.velocity.as_ref().and_then(|v| v.get(axis)));
                    nodes.iter().for_each(|&node| drive[node as usize * D + axis] = speed);
                    // who holds a node last drives it
                    let sorted: BTreeSet<u32> = nodes.iter().copied().collect();
                    let free = |before: &mut DrivenNodes<D>| {
                        before.along[axis].retain(|node| !sorted.contains(node));
                    };
                    driven.iter_mut().for_each(free);
                    along[axis] = nodes.clone();
                }
                driven.push(DrivenNodes { along });
            }
            if around {
                supports = supports.hold::<D>(&on_axis(&mesh), 0);
            }
            if supports.held().iter().all(|&held| held) {
                problems.of(&hold, "leaves no node free; hold fewer groups or take smaller elements");
                return None;
            }
            if deform.quasi_static
                && let Err(error) = supports.check_rigid(&solid.model)
            {
                problems.of(&here.key("quasi_static"), format!("cannot be true: {error}"));
                return None;
            }
            frame = SolidFrame::World { supports, drive };
        }
        let load = load_of(body, &solid, &here, problems)?;
        let turn = if in_world { pose.orientation } else { solid.local.orientation.inverse() };
        let pose = match (around, in_world) {
            (true, _) => Pose::identity(),
            (_, true) => Pose::at(pose.position),
            _ => pose,
        };
        let inertia = if deform.quasi_static { SolidInertia::None } else { SolidInertia::Full };
        // spin about the axes of the shape, about those of the body
        let mut velocity = velocity;
        if D == 3 {
            let spin = Vector3::from_fn(|axis, _| velocity[D + axis]);
            velocity.set_spin(&(turn * spin));
        }
        let (name, self_contact) = (body.name.clone(), deform.self_contact);
        Some(Deformable { name, group, solid, pose, velocity, frame, load, driven, inertia, self_contact })
    }

    /// Mesh and material in the frame of the body; turned to world axes where the body is held, and placed
    /// where it goes around the axis of the world.
    fn solid(
        &mut self,
        body: &BodySpec,
        spec: &SceneSpec,
        turned: Option<Pose<D>>,
    ) -> Result<CentredSolid<D>, String> {
        let shape = match &body.shape {
            ShapeRef::Named(name) => spec.shapes.get(name),
            ShapeRef::Inline(shape) => Some(shape),
        };
        let material = body.material.as_ref().and_then(|name| spec.materials.get(name));
        let (Some(shape), Some(material), Some(deform)) = (shape, material, &body.deform) else {
            return Err("has no shape or no material".to_owned());
        };
        let heat = (deform.mass, deform.temperature);
        let kind = (deform.size, deform.element, deform.plane, deform.integration, heat);
        let name = format!("{shape:?} {material:?} {kind:?} {turned:?}");
        if let Some(known) = self.made.get(&name) {
            return Ok(known.clone());
        }
        let mut mesh = mesh_of::<D>(shape, deform.size.unwrap_or(0.0), deform.element)?;
        if let Some(pose) = turned {
            mesh = mesh.map_nodes(|node| pose.to_world(node));
        }
        let kinematics = match (D, deform.plane) {
            (2, Some(PlaneName::Stress)) => Kinematics::PlaneStress { depth: 1.0 },
            (2, Some(PlaneName::Axisymmetric)) => Kinematics::Axisymmetric,
            (2, _) => Kinematics::PlaneStrain { depth: 1.0 },
            _ => Kinematics::Space,
        };
        let integration = match deform.integration {
            Some(IntegrationName::BBar) => Integration::BBar,
            Some(IntegrationName::Reduced) => Integration::Reduced,
            _ => Integration::Full,
        };
        let mass = match deform.mass {
            Some(MassName::Lumped) => MassKind::Lumped,
            _ => MassKind::Consistent,
        };
        let temperature = deform.temperature.unwrap_or(0.0);
        let options = SolidOptions { integration, mass, temperature, ..SolidOptions::default() };
        // how the axes of the shape lie in those of the mesh
        let shape_axes = turned.map_or_else(Orientation::identity, |pose| pose.orientation);
        let made = centred(mesh, turned.is_none(), |mesh, axes| {
            let law = law_of(material, &(axes.inverse() * shape_axes))?;
            SolidModel::new(mesh, kinematics, law, material.density, options)
        })
        .map_err(said)?;
        self.made.insert(name, made.clone());
        Ok(made)
    }
}

/// Nodes on the axis of a body of revolution: they stay there.
fn on_axis<const D: usize>(mesh: &Mesh<D>) -> Vec<u32> {
    let widest = mesh.nodes().iter().map(|node| node[0]).fold(0.0, f64::max);
    let on = |node: &u32| mesh.nodes()[*node as usize][0] <= ON_AXIS * widest;
    (0..mesh.nodes().len() as u32).filter(on).collect()
}

/// Nodes and faces of a group.
fn group_of<const D: usize>(
    mesh: &Mesh<D>,
    name: &str,
    place: &Place,
    problems: &mut Problems,
) -> Option<(Vec<u32>, Vec<drystone_elements::mesh::ElementFace>)> {
    match mesh.group(name) {
        Ok(group) => Some((group.nodes.clone(), group.faces.clone())),
        Err(error) => {
            problems.of(&place.key("group"), error.to_string());
            None
        }
    }
}

/// The loads of a body; none where it has none.
fn load_of<const D: usize>(
    body: &BodySpec,
    solid: &CentredSolid<D>,
    place: &Place,
    problems: &mut Problems,
) -> Option<Option<SolidLoad<D>>> {
    let loads = body.deform.as_ref().map_or(&[][..], |deform| &deform.load);
    let (model, list) = (&solid.model, place.key("load"));
    let heat = match model.heat_load() {
        Ok(heat) => heat,
        Err(why) => {
            problems.of(&place.key("temperature"), said(why));
            return None;
        }
    };
    if loads.is_empty() && heat.is_none() {
        return Some(None);
    }
    let mut all = SolidLoad { following: heat.unwrap_or_default(), faces: Vec::new() };
    for (index, load) in loads.iter().enumerate() {
        let (nodes, faces) = group_of(model.mesh(), &load.group, &list.item(index), problems)?;
        let mut inwards = vec![0.0; model.dofs()];
        if load.pressure.is_some() {
            model.add_pressure(&faces, 1.0, None, &mut inwards);
        }
        let mut spread = vec![0.0; model.dofs()];
        if load.force.is_some() {
            let mut along = vector::<D>(&[]);
            along[0] = 1.0 / model.area(&faces);
            model.add_traction(&faces, &along, &mut spread);
        }
        all.faces.push(FaceLoad {
            inwards: (0..).zip(inwards).filter(|(_, push)| *push != 0.0).collect(),
            shares: nodes.iter().map(|&node| (node, spread[node as usize * D])).collect(),
            pressure: number(load.pressure.as_ref()),
            force: Vector::from_fn(|axis, _| number(load.force.as_ref().and_then(|force| force.get(axis)))),
        });
    }
    Some(Some(all))
}

/// Whether nodes are held along an axis.
fn is_held(held: &HoldSpec, axis: usize) -> bool {
    held.axes.as_ref().is_none_or(|axes| axes.iter().any(|given| given == ["x", "y", "z"][axis]))
}

/// A number that does not change, or 0: what changes is set once the simulation is there.
fn number(signal: Option<&SignalSpec>) -> f64 {
    match signal {
        Some(SignalSpec::Value(value)) => *value,
        _ => 0.0,
    }
}

/// A shape filled with elements.
fn mesh_of<const D: usize>(
    shape: &ShapeSpec,
    size: f64,
    element: Option<ElementName>,
) -> Result<Mesh<D>, String> {
    if let ShapeSpec::Elements(form) = shape {
        return form.mesh();
    }
    if let ShapeSpec::Mesh(form) = shape {
        let kind = element.map_or(ElementKind::Te4, ElementName::element);
        let mesh = closed_surface(form)?.fill_with_tetrahedra(size, kind).map_err(said)?;
        return as_wide(Box::new(mesh)).map_err(said);
    }
    filled(shape, size, element).map_err(said)
}

/// The mesh, where it has the dimension that is asked for.
fn as_wide<const D: usize>(made: Box<dyn Any>) -> Result<Mesh<D>, MeshFault> {
    made.downcast::<Mesh<D>>().map(|mesh| *mesh).map_err(|_| MeshFault::Empty)
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A simple shape filled with elements of a size.
fn filled<const D: usize>(
    shape: &ShapeSpec,
    size: f64,
    element: Option<ElementName>,
) -> Result<Mesh<D>, MeshFault> {
    let kind = element.map(ElementName::element);
    let pair = |sides: &[f64]| [sides[0], sides[1]];
    let made: Box<dyn Any> = match (D, shape) {
        (2, ShapeSpec::Disk { radius }) => {
            Box::new(disk_mesh(*radius, size, kind.unwrap_or(ElementKind::T3))?)
        }
        (2, ShapeSpec::Polygon { vertices, .. }) => {
            let corners: Vec<Vector<2>> = vertices.iter().map(|corner| vector(corner)).collect();
            Box::new(polygon_mesh(&corners, size, kind.unwrap_or(ElementKind::T3))?)
        }
        (2, ShapeSpec::RoundedRectangle { size: sides, radius }) => {
            let kind = kind.unwrap_or(ElementKind::T3);
            Box::new(rounded_rectangle_mesh(pair(sides), *radius, size, kind)?)
        }
        (2, ShapeSpec::Capsule { length, radius }) => {
            Box::new(stadium_mesh(*length, *radius, size, kind.unwrap_or(ElementKind::T3))?)
        }
        (3, ShapeSpec::Sphere { radius }) => {
            Box::new(sphere_mesh(*radius, size, kind.unwrap_or(ElementKind::H8))?)
        }
        (3, ShapeSpec::Capsule { length, radius }) => {
            Box::new(capsule_mesh(*length, *radius, size, kind.unwrap_or(ElementKind::H8))?)
        }
        (3, ShapeSpec::Polyhedron { .. }) => {
            let solid = polyhedron(shape).ok_or(MeshFault::Empty)?;
            let faces: Vec<Vec<u32>> = solid.faces().iter().map(|face| face.vertices.to_vec()).collect();
            Box::new(polyhedron_mesh(solid.vertices(), &faces, size, kind.unwrap_or(ElementKind::Te4))?)
        }
        (2, ShapeSpec::Box { size: sides }) => {
            Box::new(rectangle_mesh(pair(sides), size, kind.unwrap_or(ElementKind::Q4))?)
        }
        (3, ShapeSpec::Box { size: sides }) => {
            let sides = [sides[0], sides[1], sides[2]];
            Box::new(cuboid_mesh(sides, size, kind.unwrap_or(ElementKind::H8))?)
        }
        (3, ShapeSpec::Cylinder { radius, height }) => {
            Box::new(cylinder_mesh(*radius, *height, size, kind.unwrap_or(ElementKind::H8))?)
        }
        _ => return Err(MeshFault::Empty),
    };
    as_wide(made)
}
