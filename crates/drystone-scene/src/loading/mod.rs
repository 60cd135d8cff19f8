//! Loads, motion, gravity, friction and pressure in time, and the stages of a run: from the scene into a
//! simulation. What is written is `spec`'s, what may be written `validate`'s.

mod curve;
mod files;
mod membrane;
mod mould;
mod possible;
mod pressure;
mod protocol;
mod set;
mod traffic;

pub(crate) use curve::{SignalUse, points, signal};
pub(crate) use files::embed;
pub(crate) use possible::Possible;
pub use protocol::{StageState, end_stage, stage_state, stages_begun};

use crate::place::Place;
use crate::spec::{DeformSpec, DriveKind, DriveSpec, SceneSpec, SignalSpec, StageSpec};
use drystone::prelude::Axis;
use drystone::{AnySimulation, ChangeError};

/// Puts everything into a simulation that was just built. Without anything in time nothing is done.
pub(crate) fn install(spec: &SceneSpec, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
    if let Some(steps) = spec.steps_before {
        simulation.set_steps_before(steps);
    }
    let whole = set::Changes::of_scene(spec);
    whole.set(simulation)?;
    // before the stages, of which a run that goes on from another has more
    if !spec.sources.is_empty() || !spec.outlets.is_empty() {
        let traffic = traffic::Traffic::new(spec, simulation)?;
        simulation.add_hook(Box::new(traffic));
    }
    if !spec.stages.is_empty() || !spec.pressures.is_empty() || !spec.membranes.is_empty() {
        let protocol = protocol::Protocol::new(spec, simulation)?;
        simulation.add_hook(Box::new(protocol));
    }
    Ok(())
}

/// What a scene says of the whole run, as if it were a stage.
pub(crate) fn of_whole_run(spec: &SceneSpec) -> StageSpec {
    StageSpec {
        loads: spec.loads.clone(),
        drives: spec.drives.clone(),
        frictions: spec.frictions.clone(),
        cohesions: spec.cohesions.clone(),
        growths: spec.growths.clone(),
        gravity: spec.gravity_in_time.clone(),
        pressures: spec.pressures.clone(),
        membranes: spec.membranes.clone(),
        ..StageSpec::default()
    }
}

/// The axis of a key of a load or a drive.
pub(crate) fn axis_of(key: &str) -> Option<Axis> {
    Some(match key {
        "x" => Axis::X,
        "y" => Axis::Y,
        "z" => Axis::Z,
        "spin" | "moment" | "spin_z" | "moment_z" => Axis::TurnZ,
        "spin_x" | "moment_x" => Axis::TurnX,
        "spin_y" | "moment_y" => Axis::TurnY,
        _ => return None,
    })
}

/// What the signals of a drive are used for.
pub(crate) fn use_of(drive: &DriveSpec) -> SignalUse {
    match drive.prescribes {
        DriveKind::Velocity => SignalUse::Velocity,
        DriveKind::Displacement => SignalUse::Value,
    }
}

/// A signal with its place, its use and the time for which it must last \[s\].
pub(crate) struct Placed<'a> {
    pub(crate) place: &'a Place<'a>,
    pub(crate) signal: &'a SignalSpec,
    pub(crate) used: SignalUse,
    pub(crate) lasts: f64,
}

/// Shows all signals of a scene.
pub(crate) fn for_each_signal(spec: &SceneSpec, show: &mut dyn FnMut(Placed)) {
    let root = Place::ROOT;
    let duration = spec.time.duration;
    let whole = of_whole_run(spec);
    one_stage(&whole, &root, "gravity_in_time", duration, show);
    let list = root.key("body");
    for (index, body) in spec.bodies.iter().enumerate() {
        let here = list.item(index);
        let here = here.key("deform");
        for (kind, rank, key, axis, signal) in body.deform.iter().flat_map(DeformSpec::signals) {
            let used = if key == "velocity" { SignalUse::Velocity } else { SignalUse::Value };
            at_signal(&here, (kind, rank, key, axis), &mut |place| {
                show(Placed { place, signal, used, lasts: duration });
            });
        }
    }
    let list = root.key("stage");
    for (index, stage) in spec.stages.iter().enumerate() {
        one_stage(stage, &list.item(index), "gravity", stage.duration.unwrap_or(duration), show);
    }
}

/// The place of a signal of a deformable body.
fn at_signal(
    deform: &Place,
    (kind, rank, key, axis): (&str, usize, &str, Option<usize>),
    show: &mut dyn FnMut(&Place),
) {
    let list = deform.key(kind);
    let item = list.item(rank);
    let place = item.key(key);
    match axis {
        Some(axis) => show(&place.item(axis)),
        None => show(&place),
    }
}

fn one_stage(stage: &StageSpec, at: &Place, gravity: &str, lasts: f64, show: &mut dyn FnMut(Placed)) {
    let list = at.key("load");
    for (index, load) in stage.loads.iter().enumerate() {
        for (key, signal) in load.entries() {
            let (item, used) = (list.item(index), SignalUse::Value);
            show(Placed { place: &item.key(key), signal, used, lasts });
        }
    }
    let list = at.key("drive");
    for (index, drive) in stage.drives.iter().enumerate() {
        for (key, signal) in drive.entries() {
            let (item, used) = (list.item(index), use_of(drive));
            show(Placed { place: &item.key(key), signal, used, lasts });
        }
    }
    let list = at.key("friction");
    for (index, friction) in stage.frictions.iter().enumerate() {
        let (item, used) = (list.item(index), SignalUse::Value);
        show(Placed { place: &item.key("value"), signal: &friction.value, used, lasts });
    }
    let list = at.key("cohesion");
    for (index, cohesion) in stage.cohesions.iter().enumerate() {
        let (item, used) = (list.item(index), SignalUse::Value);
        show(Placed { place: &item.key("factor"), signal: &cohesion.factor, used, lasts });
    }
    let list = at.key("growth");
    for (index, growth) in stage.growths.iter().enumerate() {
        let (item, used) = (list.item(index), SignalUse::Value);
        show(Placed { place: &item.key("factor"), signal: &growth.factor, used, lasts });
    }
    let table = at.key(gravity);
    for (key, signal) in stage.gravity.iter().flat_map(|gravity| gravity.entries()) {
        show(Placed { place: &table.key(key), signal, used: SignalUse::Acceleration, lasts });
    }
    let list = at.key("pressure");
    for (index, pressure) in stage.pressures.iter().enumerate() {
        let (item, used) = (list.item(index), SignalUse::Value);
        show(Placed { place: &item.key("stress"), signal: &pressure.stress, used, lasts });
    }
    let list = at.key("membrane");
    for (index, membrane) in stage.membranes.iter().enumerate() {
        let (item, used) = (list.item(index), SignalUse::Value);
        show(Placed { place: &item.key("pressure"), signal: &membrane.pressure, used, lasts });
    }
}

/// Shows all signals of a scene, to change them.
pub(crate) fn for_each_signal_mut(spec: &mut SceneSpec, show: &mut dyn FnMut(&Place, &mut SignalSpec)) {
    let root = Place::ROOT;
    let SceneSpec {
        loads,
        drives,
        frictions,
        cohesions,
        growths,
        gravity_in_time,
        pressures,
        membranes,
        stages,
        bodies,
        ..
    } = spec;
    let list = root.key("body");
    for (index, body) in bodies.iter_mut().enumerate() {
        let here = list.item(index);
        let here = here.key("deform");
        for (kind, rank, key, axis, signal) in body.deform.iter_mut().flat_map(DeformSpec::signals_mut) {
            at_signal(&here, (kind, rank, key, axis), &mut |place| show(place, signal));
        }
    }
    let mut whole = StageSpec {
        loads: std::mem::take(loads),
        drives: std::mem::take(drives),
        frictions: std::mem::take(frictions),
        cohesions: std::mem::take(cohesions),
        growths: std::mem::take(growths),
        gravity: gravity_in_time.take(),
        pressures: std::mem::take(pressures),
        membranes: std::mem::take(membranes),
        ..StageSpec::default()
    };
    one_stage_mut(&mut whole, &root, "gravity_in_time", show);
    (*loads, *drives, *frictions) = (whole.loads, whole.drives, whole.frictions);
    (*gravity_in_time, *pressures) = (whole.gravity, whole.pressures);
    (*cohesions, *membranes, *growths) = (whole.cohesions, whole.membranes, whole.growths);
    let list = root.key("stage");
    for (index, stage) in stages.iter_mut().enumerate() {
        one_stage_mut(stage, &list.item(index), "gravity", show);
    }
}

fn one_stage_mut(
    stage: &mut StageSpec,
    at: &Place,
    gravity: &str,
    show: &mut dyn FnMut(&Place, &mut SignalSpec),
) {
    let list = at.key("load");
    for (index, load) in stage.loads.iter_mut().enumerate() {
        load.entries_mut().for_each(|(key, signal)| show(&list.item(index).key(key), signal));
    }
    let list = at.key("drive");
    for (index, drive) in stage.drives.iter_mut().enumerate() {
        drive.entries_mut().for_each(|(key, signal)| show(&list.item(index).key(key), signal));
    }
    let list = at.key("friction");
    for (index, friction) in stage.frictions.iter_mut().enumerate() {
        show(&list.item(index).key("value"), &mut friction.value);
    }
    let list = at.key("cohesion");
    for (index, cohesion) in stage.cohesions.iter_mut().enumerate() {
        show(&list.item(index).key("factor"), &mut cohesion.factor);
    }
    let list = at.key("growth");
    for (index, growth) in stage.growths.iter_mut().enumerate() {
        show(&list.item(index).key("factor"), &mut growth.factor);
    }
    let table = at.key(gravity);
    if let Some(gravity) = &mut stage.gravity {
        gravity.entries_mut().for_each(|(key, signal)| show(&table.key(key), signal));
    }
    let list = at.key("pressure");
    for (index, pressure) in stage.pressures.iter_mut().enumerate() {
        show(&list.item(index).key("stress"), &mut pressure.stress);
    }
    let list = at.key("membrane");
    for (index, membrane) in stage.membranes.iter_mut().enumerate() {
        show(&list.item(index).key("pressure"), &mut membrane.pressure);
    }
}
