//! From a resolved scene to a simulation: mass properties, principal axes, drives, laws. Takes only what
//! `validate` let pass, and reports what only geometry can tell.

mod body;
mod deform;
mod tie;

use crate::geometry::{FromSpec, Solid, vector};
use crate::loading::Possible;
use crate::place::{Place, Problem, Problems};
use crate::spec::{BodySpec, CellSpec, ForceSpec, MeshSpec, SceneSpec, ShapeRef, ShapeSpec, Treat};
use crate::validate::{Groups, law_table};
use body::BodyMaker;
use deform::DeformMaker;
use drystone::{
    AnySimulation, Bodies, BodyId, BuildError, Cell, Contactor, DeformableSpec, GroupId, Gyroscopic, Law,
    Laws, Newcomer, Polytope, Pose, Rest, Settings, Shape, Simulation, SolidFrame, SolverParams, StartForce,
    Tie, Tolerances, mesh_place, misfit,
};
use drystone_elements::scheme::NewtonParams;
use std::borrow::Cow;
use std::collections::HashMap;

/// Everything a simulation of either dimension is made of.
pub(crate) enum AnyPlan {
    /// In the plane.
    Plane(Box<BuildPlan<2>>),
    /// In space.
    Space(Box<BuildPlan<3>>),
}

impl AnyPlan {
    /// Lays out a resolved scene.
    pub(crate) fn new(spec: &SceneSpec) -> Result<Self, Vec<Problem>> {
        match spec.dimension {
            2 => BuildPlan::new(spec).map(|plan| Self::Plane(Box::new(plan))),
            _ => BuildPlan::new(spec).map(|plan| Self::Space(Box::new(plan))),
        }
    }

    /// How the gyroscopic moment of each body is treated.
    pub(crate) fn gyroscopic(&self) -> &[Gyroscopic] {
        match self {
            Self::Plane(plan) => &plan.bodies.gyroscopic,
            Self::Space(plan) => &plan.bodies.gyroscopic,
        }
    }

    /// Puts it together.
    pub(crate) fn simulation(self) -> Result<AnySimulation, BuildError> {
        match self {
            Self::Plane(plan) => plan.simulation().map(AnySimulation::Plane),
            Self::Space(plan) => plan.simulation().map(AnySimulation::Space),
        }
    }
}

/// Everything a simulation is made of.
pub(crate) struct BuildPlan<const D: usize> {
    settings: Settings<D>,
    /// The bodies, in the order of the scene.
    bodies: Bodies<D>,
    contactors: Vec<Contactor<D>>,
    laws: Laws<D>,
    ties: Vec<Tie<D>>,
    /// The bodies that deform.
    solids: Vec<DeformableSpec<D>>,
    forces: Vec<StartForce<D>>,
    /// Names of the groups.
    groups: Vec<String>,
}

impl<const D: usize> BuildPlan<D>
where
    Polytope<D>: FromSpec<D>,
{
    /// Lays out a resolved scene.
    fn new(spec: &SceneSpec) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        let named = named_solids(spec, &mut problems);
        let groups = Groups::of(spec);
        let root = Place::ROOT;
        let list = root.key("body");
        let mut bodies = Bodies::new();
        let mut contactors = Vec::with_capacity(spec.bodies.len());
        let (mut solids, mut deformable) = (Vec::new(), DeformMaker::default());
        for (index, body) in spec.bodies.iter().enumerate() {
            let place = list.item(index);
            let own;
            let solid = match &body.shape {
                ShapeRef::Named(name) => named.get(name.as_str()),
                ShapeRef::Inline(shape) => {
                    own = built(&filled_shape(shape, body), spec, &place.key("shape"), &mut problems);
                    own.as_ref()
                }
            };
            let Some(solid) = solid else { continue };
            let group = GroupId(groups.index(&body.group).unwrap_or(0) as u32);
            let maker = BodyMaker { body, solid, spec, place: &place };
            if body.deform.is_some() {
                let start = maker.start();
                let made = deformable.make(body, spec, group, start, &place, &mut problems);
                if let Some(made) = made {
                    let load = maker.load();
                    let entered = made.enter(&mut bodies, &mut contactors);
                    solids.extend(entered.inspect(|entered| bodies.load[entered.body as usize] = load));
                }
            } else if let Some((body, local)) = maker.make(group, &mut problems) {
                let body = bodies.push(body).0;
                bodies.own_axes[body as usize] = local.orientation.inverse();
                let place = |(shape, pose): &(Shape<D>, Pose<D>)| Contactor {
                    body,
                    shape: shape.clone(),
                    local: local.compose(pose),
                };
                contactors.extend(solid.parts.iter().map(place));
            }
        }
        let ties = match problems.is_empty() {
            true => tie::ties(spec, &bodies, &mut problems),
            false => Vec::new(),
        };
        // said here with the others, before anything is factored
        let tie_list = root.key("tie");
        for (index, (tie, side)) in ties.iter().flat_map(|tie| [(tie, 0), (tie, 1)]).enumerate() {
            let own = |solid: &&DeformableSpec<D>| Some(BodyId(solid.body)) == tie.bodies[side];
            for solid in solids.iter().filter(own).filter(|solid| solid.frame != SolidFrame::Floating) {
                let name = &bodies.name[solid.body as usize];
                let place = mesh_place(&solid.model, &tie.local[side].position);
                if let Err(error) = tie.check_frameless(place, name) {
                    let said = error.to_string();
                    // the place says whose it is
                    let text = said.strip_prefix(&format!("tie \"{}\" ", tie.name)).unwrap_or(&said);
                    problems.of(&tie_list.item(index / 2), text);
                }
            }
        }
        // a missing law is worth a word only once everything else is right
        let table = match problems.is_empty() {
            true => law_table(spec, &groups, &mut problems),
            false => Vec::new(),
        };
        if !problems.is_empty() {
            return Err(problems.0);
        }
        let mut laws = Laws::new(groups.len());
        let soft = |group: usize| {
            let own = |solid: &DeformableSpec<D>| bodies.group[solid.body as usize].0 as usize == group;
            solids.iter().any(own)
        };
        for (a, b, law) in table {
            if law.law().is_some_and(|law: Box<dyn Law<D>>| law.is_impact()) && (soft(a) || soft(b)) {
                let text = "gives restitution to deformable bodies, whose waves decide how they come back; take inelastic";
                problems.of(&root.key("law"), text);
                return Err(problems.0);
            }
            if let Some(law) = law.law()
                && let Err(error) = laws.set(GroupId(a as u32), GroupId(b as u32), law)
            {
                problems.of(&root.key("law"), error.to_string());
                return Err(problems.0);
            }
        }
        let settings: Settings<D> = settings(spec);
        let misfit = settings.cell.and_then(|cell| misfit(&cell, &bodies, &contactors));
        if let Some((body, misfit)) = misfit {
            problems.of(&list.item(body.0 as usize), misfit.to_string());
            return Err(problems.0);
        }
        let groups: Vec<String> = groups.names().map(str::to_owned).collect();
        Possible { spec, bodies: &bodies, laws: &laws, groups: &groups }.check(&mut problems);
        if !problems.is_empty() {
            return Err(problems.0);
        }
        let forces = forces(spec);
        Ok(Self { settings, bodies, contactors, laws, ties, solids, forces, groups })
    }

    /// Puts it together.
    fn simulation(self) -> Result<Simulation<D>, BuildError> {
        let simulation = Simulation::new(self.settings, self.bodies, self.contactors, self.laws)?;
        simulation
            .with_groups(self.groups)
            .with_solids(self.solids)?
            .with_ties(self.ties)?
            .with_forces(self.forces)
    }
}

/// The shape of a body, whose elements fill what is not convex as well as what is.
fn filled_shape<'a>(shape: &'a ShapeSpec, body: &BodySpec) -> Cow<'a, ShapeSpec> {
    match shape {
        ShapeSpec::Polygon { vertices, treat: Treat::Convex } if body.deform.is_some() => {
            Cow::Owned(ShapeSpec::Polygon { vertices: vertices.clone(), treat: Treat::Decompose })
        }
        ShapeSpec::Mesh(form) if form.treat == Treat::Convex && body.deform.is_some() => {
            Cow::Owned(ShapeSpec::Mesh(MeshSpec { treat: Treat::Surface, ..form.clone() }))
        }
        shape => Cow::Borrowed(shape),
    }
}

fn forces<const D: usize>(spec: &SceneSpec) -> Vec<StartForce<D>> {
    let ids: HashMap<&str, u32> = spec.body_names().zip(0..).collect();
    let known = |force: &ForceSpec| {
        let [a, b] = [0, 1].map(|side| ids.get(force.between[side].as_str()).map(|&body| BodyId(body)));
        let at = force.at.as_ref().map(|at| vector(at));
        Some(StartForce { bodies: [a?, b?], force: vector(&force.force), at })
    };
    spec.forces.iter().filter_map(known).collect()
}

fn settings<const D: usize>(spec: &SceneSpec) -> Settings<D> {
    let (solver, detection) = (&spec.solver, &spec.detection);
    Settings {
        gravity: vector(&spec.gravity()),
        step: spec.time.step,
        theta: spec.time.theta,
        strategy: spec.time.strategy,
        drift: spec.time.drift,
        alert: detection.alert,
        patch_points: detection.patch_points.map(|most| most as usize),
        grazing: detection.grazing,
        skin: detection.skin,
        tolerances: Tolerances { touching: detection.touching, sliding: detection.sliding },
        cell: spec.cell.as_ref().and_then(cell),
        inconsistent: solver.inconsistent,
        rest: Rest {
            rule: solver.rest,
            contacts: solver.rest_contacts as usize,
            multiplications: solver.rest_multiplications,
            speed: solver.rest_speed,
            rounding: solver.rest_rounding,
        },
        even_rounds: solver.even_rounds,
        newton: NewtonParams {
            tolerance: solver.newton_tolerance,
            most_iterations: solver.newton_iterations as usize,
            contraction: solver.newton_contraction,
            most_halvings: solver.newton_halvings,
        },
        solver: SolverParams {
            method: solver.method,
            tolerance: solver.tolerance,
            measure: solver.criterion.measure(),
            max_iterations: solver.max_iterations,
            relaxation: solver.relaxation,
            order: solver.order.order(solver.seed),
            memory: solver.memory,
            polish: solver.polish,
            auto: solver.auto,
            ..SolverParams::default()
        },
    }
}

/// The periodic cell; the validation let it pass.
fn cell<const D: usize>(spec: &CellSpec) -> Option<Cell<D>> {
    Cell::new(vector(spec.origin.as_deref().unwrap_or(&[])), [spec.x, spec.y]).ok()
}

fn named_solids<'a, const D: usize>(
    spec: &'a SceneSpec,
    problems: &mut Problems,
) -> HashMap<&'a str, Solid<D>>
where
    Polytope<D>: FromSpec<D>,
{
    let root = Place::ROOT;
    let shapes = root.key("shapes");
    let mut named = HashMap::new();
    for (name, shape) in &spec.shapes {
        if let Some(solid) = built(shape, spec, &shapes.key(name), problems) {
            named.insert(name.as_str(), solid);
        }
    }
    named
}

/// One body of a scene as it comes into a run, in the first group; none where it cannot be built.
pub(crate) fn newcomer<const D: usize>(body: &BodySpec, spec: &SceneSpec) -> Option<Newcomer<D>>
where
    Polytope<D>: FromSpec<D>,
{
    let shape = match &body.shape {
        ShapeRef::Named(name) => spec.shapes.get(name)?,
        ShapeRef::Inline(shape) => shape,
    };
    let solid = Solid::new(shape, spec).ok()?;
    let place = &Place::ROOT;
    let maker = BodyMaker { body, solid: &solid, spec, place };
    let (made, local) = maker.make(GroupId(0), &mut Problems::default())?;
    let parts = solid.parts.iter().map(|(shape, pose)| (shape.clone(), local.compose(pose))).collect();
    Some(Newcomer { body: made, parts, own_axes: local.orientation.inverse() })
}

/// The solid of a shape, its problems reported.
fn built<const D: usize>(
    shape: &ShapeSpec,
    spec: &SceneSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Solid<D>>
where
    Polytope<D>: FromSpec<D>,
{
    let solid = Solid::new(shape, spec);
    solid.map_err(|refusal| refusal.note(&place.key(shape.kind()), problems)).ok()
}
