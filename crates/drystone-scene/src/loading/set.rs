//! What a scene or a stage sets, brought into a simulation: first the bodies, then laws and signals, which a
//! run that goes on from a file is given once more. Decides nothing about when.

use super::curve::{SignalUse, signal};
use super::{axis_of, use_of};
use crate::spec::{
    CohesionSpec, DeformSpec, DriveKind, DriveSpec, FrictionSpec, GravitySpec, GrowthSpec, LawSpec,
    ListedSignal, LoadSpec, ReleaseSpec, SceneSpec, SignalSpec, StageSpec,
};
use drystone::prelude::{AnyLaw, Axis};
use drystone::{AnySimulation, ChangeError, Signal};

/// The changes of a scene or of one stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    remove: Vec<String>,
    fix: Vec<String>,
    release: Vec<ReleaseSpec>,
    laws: Vec<LawSpec>,
    frictions: Vec<FrictionSpec>,
    cohesions: Vec<CohesionSpec>,
    growths: Vec<GrowthSpec>,
    gravity: GravitySpec,
    loads: Vec<LoadSpec>,
    drives: Vec<DriveSpec>,
    /// Names of deformable bodies whose nodes or faces are driven or loaded in time.
    deforms: Vec<(String, DeformSpec)>,
}

impl Changes {
    /// Those of the scene itself.
    pub(super) fn of_scene(spec: &SceneSpec) -> Self {
        Self {
            frictions: spec.frictions.clone(),
            cohesions: spec.cohesions.clone(),
            growths: spec.growths.clone(),
            gravity: spec.gravity_in_time.clone().unwrap_or_default(),
            loads: spec.loads.clone(),
            drives: spec.drives.clone(),
            deforms: deforms(spec),
            ..Self::default()
        }
    }

    /// Those of a stage.
    pub(super) fn of_stage(stage: &StageSpec) -> Self {
        Self {
            remove: stage.remove.clone(),
            fix: stage.fix.clone(),
            release: stage.release.clone(),
            laws: stage.laws.clone(),
            frictions: stage.frictions.clone(),
            cohesions: stage.cohesions.clone(),
            growths: stage.growths.clone(),
            gravity: stage.gravity.clone().unwrap_or_default(),
            loads: stage.loads.clone(),
            drives: stage.drives.clone(),
            deforms: Vec::new(),
        }
    }

    /// Makes them.
    pub(super) fn set(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        self.set_bodies(simulation)?;
        self.set_signals(simulation)
    }

    /// Takes bodies away, holds them, lets them go.
    fn set_bodies(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        for name in &self.remove {
            let gone = simulation.members(name);
            simulation.remove(&gone)?;
        }
        for body in self.fix.iter().flat_map(|name| simulation.members(name)).collect::<Vec<_>>() {
            simulation.fix(body)?;
        }
        for one in &self.release {
            let all: &[&str] = match simulation.dimension() {
                2 => &["x", "y", "spin"],
                _ => &["x", "y", "z", "spin_x", "spin_y", "spin_z"],
            };
            let keys: Vec<&str> = match &one.axes {
                Some(axes) => axes.iter().map(String::as_str).collect(),
                None => all.to_vec(),
            };
            for body in one.on.as_slice().iter().flat_map(|name| simulation.members(name)).collect::<Vec<_>>()
            {
                for axis in keys.iter().filter_map(|key| axis_of(key)) {
                    simulation.release(body, axis)?;
                }
            }
        }
        Ok(())
    }

    /// Whether it prescribes how a body moves along an axis.
    pub(super) fn prescribes(&self, simulation: &AnySimulation, body: &str, axis: usize) -> bool {
        let own = simulation.members(body);
        let is_meant = |name: &String| simulation.members(name).iter().any(|member| own.contains(member));
        let along =
            |drive: &&DriveSpec| drive.entries().any(|(key, _)| axis_of(key) == Some(translation(axis)));
        self.fix.iter().any(is_meant)
            || self.drives.iter().filter(along).any(|drive| drive.on.as_slice().iter().any(is_meant))
    }

    /// Laws and signals: what a file does not hold.
    pub(super) fn set_signals(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        for law in &self.laws {
            if let ([a, b], Some(plane), Some(space)) =
                (law.between.as_slice(), law.law::<2>(), law.law::<3>())
            {
                simulation.set_law(a, b, AnyLaw::of(plane, space))?;
            }
        }
        for one in &self.frictions {
            let [a, b] = one.between.as_slice() else { continue };
            simulation.drive_frictions(a, b, &signal(&one.value, SignalUse::Value))?;
        }
        for one in &self.cohesions {
            let [a, b] = one.between.as_slice() else { continue };
            simulation.drive_cohesions(a, b, &signal(&one.factor, SignalUse::Value))?;
        }
        for one in &self.growths {
            let bodies: Vec<_> = one.on.as_slice().iter().flat_map(|name| simulation.members(name)).collect();
            simulation.grow(&bodies, one.keeps, from_the_beginning(&one.factor, simulation.step_size()))?;
        }
        for (key, spec) in self.gravity.entries() {
            if let Some(axis) = axis_of(key) {
                simulation.drive_gravity(axis, signal(spec, SignalUse::Acceleration))?;
            }
        }
        for load in &self.loads {
            for body in
                load.on.as_slice().iter().flat_map(|name| simulation.members(name)).collect::<Vec<_>>()
            {
                for (axis, spec) in load.entries().filter_map(|(key, spec)| Some((axis_of(key)?, spec))) {
                    simulation.load(body, axis, signal(spec, SignalUse::Value))?;
                }
            }
        }
        for drive in &self.drives {
            for body in
                drive.on.as_slice().iter().flat_map(|name| simulation.members(name)).collect::<Vec<_>>()
            {
                for (axis, spec) in drive.entries().filter_map(|(key, spec)| Some((axis_of(key)?, spec))) {
                    let signal = signal(spec, use_of(drive));
                    match drive.prescribes {
                        DriveKind::Velocity => simulation.drive(body, axis, signal)?,
                        DriveKind::Displacement => simulation.move_along(body, axis, signal)?,
                    }
                }
            }
        }
        self.deforms.iter().try_for_each(|(name, deform)| set_on_mesh(simulation, name, deform))
    }
}

/// Bodies with signals on their meshes that are more than numbers, which the bodies have already.
fn deforms(spec: &SceneSpec) -> Vec<(String, DeformSpec)> {
    let in_time = |deform: &&DeformSpec| deform.signals().any(|listed| is_in_time(&listed));
    let bodies = spec.bodies.iter();
    bodies
        .filter_map(|body| Some((body.name.clone(), body.deform.as_ref().filter(in_time)?.clone())))
        .collect()
}

/// Whether a signal is to be set once the simulation is there.
fn is_in_time((_, _, key, _, signal): &ListedSignal) -> bool {
    *key == "displacement" || !matches!(signal, SignalSpec::Value(_))
}

/// Drives nodes and loads faces of a deformable body in time.
fn set_on_mesh(simulation: &mut AnySimulation, name: &str, deform: &DeformSpec) -> Result<(), ChangeError> {
    let axes = [Axis::X, Axis::Y, Axis::Z];
    for (_, rank, key, axis, spec) in deform.signals().filter(is_in_time) {
        let axis = axis.and_then(|axis| axes.get(axis).copied());
        match (key, axis) {
            ("pressure", _) => simulation.press_faces(name, rank, signal(spec, SignalUse::Value))?,
            ("force", Some(axis)) => {
                simulation.pull_faces(name, rank, axis, signal(spec, SignalUse::Value))?;
            }
            // along other axes the nodes of the list are free
            (_, Some(axis)) if !simulation.drives_nodes(name, rank, axis) => {}
            ("velocity", Some(axis)) => {
                simulation.drive_nodes(name, rank, axis, signal(spec, SignalUse::Velocity))?;
            }
            (_, Some(axis)) => simulation.move_nodes(name, rank, axis, signal(spec, SignalUse::Value))?,
            (_, None) => {}
        }
    }
    Ok(())
}

/// A size that a step has from its beginning on: what touches as growth begins does not overlap by what it
/// grows in half a step. The simulation takes sizes at the middle of steps.
fn from_the_beginning(spec: &SignalSpec, step: f64) -> Signal {
    match signal(spec, SignalUse::Value) {
        Signal::Constant(value) => value.into(),
        given => (move |time: f64| given.at((time - 0.5 * step).max(0.0)).unwrap_or(f64::NAN)).into(),
    }
}

/// The axis along which a wall moves.
pub(super) fn translation(axis: usize) -> Axis {
    match axis {
        0 => Axis::X,
        1 => Axis::Y,
        _ => Axis::Z,
    }
}
