//! The stages of a run, carried out by a hook: what changes when one begins, and when it ends. All that must
//! survive a stop is in named slots; laws and signals, which a file does not hold, are set again.

use super::membrane::Membranes;
use super::pressure::Walls;
use super::set::Changes;
use crate::spec::{MembraneSpec, PressureSpec, ReachedQuantity, ReachesSpec, SceneSpec, UntilSpec};
use drystone::{AnySimulation, ChangeError, Hook, HookError, Slot, StepReport};
use drystone_measure::{Reference, Request, measure_now_any};

/// Where a run is among its stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageState {
    /// Stages that have begun.
    pub begun: usize,
    /// Whether the last of them has ended.
    pub ended: bool,
    /// Whether the last stage of all has ended.
    pub finished: bool,
}

/// Where a run is among the stages of its scene; none where it has none.
pub fn stage_state(spec: &SceneSpec, simulation: &AnySimulation) -> Option<StageState> {
    if spec.stages.len() <= spec.inherited_stages as usize {
        return None;
    }
    let value = |name: &str| simulation.slot_of(name).and_then(|slot| simulation.slot_value(slot).ok());
    let begun = value(BEGUN).unwrap_or(0.0) as usize;
    let ended = value(ENDED).unwrap_or(0.0) != 0.0;
    Some(StageState { begun, ended, finished: ended && begun >= spec.stages.len() })
}

/// Ends the stage of the moment: a run that goes on from here begins with its own.
pub fn end_stage(simulation: &mut AnySimulation) -> Result<(), ChangeError> {
    match simulation.slot_of(ENDED) {
        Some(slot) => simulation.set_slot(slot, 1.0),
        None => Ok(()),
    }
}

/// How many stages have begun in a run, whatever its scene.
pub fn stages_begun(simulation: &AnySimulation) -> usize {
    let begun = simulation.slot_of(BEGUN).and_then(|slot| simulation.slot_value(slot).ok());
    begun.unwrap_or(0.0) as usize
}

const BEGUN: &str = "stages begun";
const ENDED: &str = "stage ended";
const REST: &str = "steps at rest";

/// One stage as it is carried out.
struct StageProgram {
    changes: Changes,
    pressures: Vec<PressureSpec>,
    membranes: Vec<MembraneSpec>,
    /// Steps it lasts at most.
    most: Option<u64>,
    until: UntilSpec,
    /// The measure that ends it.
    measure: Option<Request>,
    /// The step at which it began.
    start: Slot,
    /// Where the body that ends it was then.
    place: [Slot; 3],
}

/// The stages, and the walls and membranes under pressure.
pub(super) struct Protocol {
    stages: Vec<StageProgram>,
    whole: Vec<PressureSpec>,
    whole_membranes: Vec<MembraneSpec>,
    walls: Walls,
    membranes: Membranes,
    /// The bodies as the scene has them, for measures.
    reference: Reference,
    begun: Slot,
    ended: Slot,
    rest: Slot,
    /// Stages whose laws and signals are in force.
    in_force: usize,
    is_ready: bool,
}

impl Protocol {
    /// The stages of a scene, with their slots in the simulation.
    pub(super) fn new(spec: &SceneSpec, simulation: &mut AnySimulation) -> Result<Self, ChangeError> {
        let begun = simulation.named_slot(BEGUN, 0.0)?;
        let ended = simulation.named_slot(ENDED, 0.0)?;
        let rest = simulation.named_slot(REST, 0.0)?;
        let mut stages = Vec::new();
        for (index, stage) in spec.stages.iter().enumerate() {
            let mut slot = |what: &str| simulation.named_slot(&format!("stage {} {what}", index + 1), 0.0);
            let reaches = stage.until.as_ref().and_then(|until| until.reaches.as_ref());
            let text = reaches.and_then(|reaches| reaches.measure.as_ref());
            stages.push(StageProgram {
                measure: text.and_then(|text| Request::parse(text).ok()),
                changes: Changes::of_stage(stage),
                pressures: stage.pressures.clone(),
                membranes: stage.membranes.clone(),
                most: stage.duration.map(|duration| (duration / spec.time.step).round().max(1.0) as u64),
                until: stage.until.clone().unwrap_or_default(),
                start: slot("start")?,
                place: [slot("x")?, slot("y")?, slot("z")?],
            });
        }
        Ok(Self {
            stages,
            whole: spec.pressures.clone(),
            whole_membranes: spec.membranes.clone(),
            walls: Walls::default(),
            membranes: Membranes::default(),
            reference: Reference::of_any(simulation),
            begun,
            ended,
            rest,
            in_force: 0,
            is_ready: false,
        })
    }

    fn value(&self, simulation: &AnySimulation, slot: Slot) -> Result<f64, ChangeError> {
        simulation.slot_value(slot)
    }

    /// Lets a stage begin.
    fn begin(&mut self, index: usize, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        let Some(stage) = self.stages.get(index) else { return Ok(()) };
        let now = simulation.clock();
        simulation.set_slot(stage.start, now as f64)?;
        simulation.set_slot(self.begun, (index + 1) as f64)?;
        simulation.set_slot(self.ended, 0.0)?;
        simulation.set_slot(self.rest, 0.0)?;
        if let Some(body) = stage.until.reaches.as_ref().and_then(|reaches| reaches.body.as_ref())
            && let Ok(place) = simulation.position(body)
        {
            for (slot, x) in stage.place.iter().zip(place.iter()) {
                simulation.set_slot(*slot, *x)?;
            }
        }
        simulation.set_signal_origin(now);
        stage.changes.set(simulation)?;
        self.walls.press(&stage.pressures, now, simulation, false)?;
        self.membranes.press(&stage.membranes, now);
        self.in_force = index + 1;
        Ok(())
    }

    /// Sets laws and signals again that were in force when the run was saved.
    fn go_on(&mut self, begun: usize, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        let is_new = simulation.clock() == 0 && begun == 0;
        self.walls = Walls::default();
        self.membranes = Membranes::default();
        simulation.set_signal_origin(0);
        self.walls.press(&self.whole, 0, simulation, !is_new)?;
        self.membranes.press(&self.whole_membranes, 0);
        for index in 0..begun.min(self.stages.len()) {
            let start = self.value(simulation, self.stages[index].start)? as u64;
            let stage = &self.stages[index];
            simulation.set_signal_origin(start);
            simulation.set_again(|simulation| stage.changes.set_signals(simulation))?;
            self.walls.press(&stage.pressures, start, simulation, true)?;
            self.membranes.press(&stage.membranes, start);
        }
        self.in_force = begun;
        Ok(())
    }

    /// Whether the stage of the moment is over.
    fn is_over(&self, index: usize, simulation: &AnySimulation) -> Result<bool, ChangeError> {
        let Some(stage) = self.stages.get(index) else { return Ok(false) };
        let start = self.value(simulation, stage.start)? as u64;
        if stage.most.is_some_and(|most| simulation.clock().saturating_sub(start) >= most) {
            return Ok(true);
        }
        let rest = self.value(simulation, self.rest)?;
        if stage.until.equilibrium.as_ref().is_some_and(|rule| rest >= f64::from(rule.steps.max(1))) {
            return Ok(true);
        }
        if stage.until.collapsed.is_some_and(|limit| simulation.farthest() > limit) {
            return Ok(true);
        }
        match &stage.until.reaches {
            Some(reaches) => self.reached(reaches, stage, simulation),
            None => Ok(false),
        }
    }

    fn reached(
        &self,
        reaches: &ReachesSpec,
        stage: &StageProgram,
        simulation: &AnySimulation,
    ) -> Result<bool, ChangeError> {
        let axis =
            reaches.axis.as_deref().and_then(|axis| ["x", "y", "z"].iter().position(|one| *one == axis));
        let size = |vector: &[f64]| match axis {
            Some(axis) => vector.get(axis).copied().unwrap_or(0.0),
            None => vector.iter().map(|x| x * x).sum::<f64>().sqrt(),
        };
        let body = reaches.body.as_deref().unwrap_or_default();
        let has_crossed = |value: f64| {
            reaches.above.is_some_and(|above| value >= above)
                || reaches.below.is_some_and(|below| value <= below)
        };
        if let Some(request) = &stage.measure {
            let value = measure_now_any(simulation, &self.reference, request);
            return value.map(has_crossed).map_err(|error| ChangeError::Hook(error.to_string()));
        }
        let Some(quantity) = reaches.quantity else { return Ok(false) };
        // a body that is gone reaches nothing any more
        if quantity.is_of_a_body() && simulation.members(body).is_empty() {
            return Ok(false);
        }
        let value = match quantity {
            ReachedQuantity::Position => size(&simulation.position(body)?),
            ReachedQuantity::Velocity => size(&simulation.velocity(body)?),
            ReachedQuantity::Force => size(&simulation.contact_force(body)?),
            ReachedQuantity::Displacement => {
                let now = simulation.position(body)?;
                let mut way = Vec::new();
                for (slot, x) in stage.place.iter().zip(now.iter()) {
                    way.push(x - self.value(simulation, *slot)?);
                }
                size(&way)
            }
            ReachedQuantity::KineticEnergy => simulation.energy().kinetic,
            ReachedQuantity::Bodies => simulation.bodies().len() as f64,
            ReachedQuantity::Contacts => {
                let presses = |force: &drystone::prelude::Coordinates| force.iter().any(|x| *x != 0.0);
                simulation.contacts().iter().filter(|contact| presses(&contact.force)).count() as f64
            }
        };
        Ok(has_crossed(value))
    }
}

impl Hook for Protocol {
    fn before_step(&mut self, simulation: &mut AnySimulation) -> Result<(), HookError> {
        let begun = self.value(simulation, self.begun)? as usize;
        if !self.is_ready || self.in_force != begun {
            self.go_on(begun, simulation)?;
            self.is_ready = true;
        }
        let ended = self.value(simulation, self.ended)? != 0.0;
        if begun == 0 || ended && begun < self.stages.len() {
            self.begin(begun, simulation)?;
        }
        self.walls.push(simulation)?;
        self.membranes.push(simulation)?;
        Ok(())
    }

    fn after_step(&mut self, simulation: &mut AnySimulation, report: &StepReport) -> Result<(), HookError> {
        let begun = self.value(simulation, self.begun)? as usize;
        let Some(index) = begun.checked_sub(1) else { return Ok(()) };
        if let Some(rule) = self.stages.get(index).and_then(|stage| stage.until.equilibrium.as_ref()) {
            let rest = self.value(simulation, self.rest)?;
            let rest = if report.speed <= rule.speed { rest + 1.0 } else { 0.0 };
            simulation.set_slot(self.rest, rest)?;
        }
        if self.value(simulation, self.ended)? == 0.0 && self.is_over(index, simulation)? {
            simulation.set_slot(self.ended, 1.0)?;
        }
        Ok(())
    }
}
