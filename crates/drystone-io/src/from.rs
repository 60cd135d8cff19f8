//! A scene that goes on from a run: its state as the first of another. Writes nothing.

use crate::folder::scene_error;
use crate::{IoError, RunFolder};
use drystone::{AnySimulation, AnySnapshot, Snapshot};
use drystone_scene::{Scene, end_stage, stages_begun};
use std::sync::Arc;

/// The simulation of a scene, at the state of the run that the scene goes on from where it does. The scene
/// then says how many steps and stages came before.
pub fn begin(scene: &mut Scene) -> Result<AnySimulation, IoError> {
    let Some((folder, time)) = scene.origin().filter(|_| scene.steps_before.is_none()) else {
        return scene
            .build()
            .map_err(|error| IoError::Scene { path: error.file.clone().into(), reason: error.to_string() });
    };
    let run = RunFolder::open(&folder)?;
    let done = run.steps_done()?;
    let steps =
        match time {
            None => done,
            Some(time) => {
                let before = run.scene()?.steps_before.unwrap_or(0);
                let step = (time / scene.time.step).round();
                (step as u64).checked_sub(before).filter(|step| *step <= done).ok_or_else(|| {
                    IoError::NoStep { path: folder.clone(), step: step as u64, steps: before + done }
                })?
            }
        };
    let before = run.replay(steps)?;
    let (begun, inherited) = (stages_begun(&before), scene.inherited_stages as usize);
    scene.steps_before = Some(before.clock());
    // stages that had not begun are not taken over
    if begun < inherited {
        scene.stages.drain(begun..inherited);
        scene.inherited_stages = begun as u32;
    }
    let mut simulation = scene.build().map_err(|error| scene_error(&folder, error))?;
    let state = match (before.snapshot(), simulation.snapshot()) {
        (AnySnapshot::Plane(state), AnySnapshot::Plane(own)) => AnySnapshot::Plane(first(state, own)),
        (AnySnapshot::Space(state), AnySnapshot::Space(own)) => AnySnapshot::Space(first(state, own)),
        (state, _) => state,
    };
    simulation.restore(state).map_err(|error| IoError::damaged(&folder, error))?;
    if begun > 0 {
        end_stage(&mut simulation).map_err(|error| IoError::damaged(&folder, error))?;
    }
    Ok(simulation)
}

/// A state as the first of a run, with the laws and signals of that run.
fn first<const D: usize>(state: Snapshot<D>, own: Snapshot<D>) -> Snapshot<D> {
    let setup = state.setup.or(own.setup).map(|setup| Arc::new(setup.for_file()));
    Snapshot { step: 0, setup, ..state }
}
