//! Walls that press with a given stress: the force is the stress times the area of the moment, so that it
//! holds while the sample shrinks. Begins nothing by itself.

use super::curve::{SignalUse, signal};
use super::set::{Changes, translation};
use crate::spec::PressureSpec;
use drystone::{AnySimulation, ChangeError, Signal};

/// One wall under pressure.
struct Wall {
    name: String,
    axis: usize,
    sign: f64,
    stress: Signal,
    area: Option<f64>,
    across: Vec<String>,
    /// The step at which the time of its signal is 0.
    origin: u64,
}

/// The walls under pressure, the last word of each.
#[derive(Default)]
pub(super) struct Walls(Vec<Wall>);

impl Walls {
    /// Lets walls press from now on, or again after the run was saved: then they are free to move already.
    pub(super) fn press(
        &mut self,
        list: &[PressureSpec],
        origin: u64,
        simulation: &mut AnySimulation,
        again: bool,
    ) -> Result<(), ChangeError> {
        for spec in list {
            let (axis, sign) = spec.direction.parts();
            if !again {
                simulation.release(&spec.on, translation(axis))?;
            }
            self.0.retain(|wall| wall.name != spec.on || wall.axis != axis);
            self.0.push(Wall {
                name: spec.on.clone(),
                axis,
                sign,
                stress: signal(&spec.stress, SignalUse::Value),
                area: spec.area,
                across: spec.across.clone().unwrap_or_default(),
                origin,
            });
        }
        Ok(())
    }

    /// Ends the pressure of walls whose motion along its axis a stage prescribes.
    pub(super) fn end(
        &mut self,
        changes: &Changes,
        simulation: &mut AnySimulation,
        again: bool,
    ) -> Result<(), ChangeError> {
        let ends = |wall: &Wall| changes.prescribes(simulation, &wall.name, wall.axis);
        let (ended, kept) = std::mem::take(&mut self.0).into_iter().partition(ends);
        self.0 = kept;
        let ended: Vec<Wall> = ended;
        for wall in ended.iter().filter(|_| !again) {
            simulation.load(&wall.name, translation(wall.axis), 0.0)?;
        }
        Ok(())
    }

    /// Sets the forces of the coming step: stresses at its middle, areas at its beginning.
    pub(super) fn push(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        for wall in &self.0 {
            // a wall that was taken away presses no more
            if simulation.members(&wall.name).is_empty() {
                continue;
            }
            let done = simulation.clock().saturating_sub(wall.origin);
            let stress = wall.stress.at((done as f64 + 0.5) * simulation.step_size()).unwrap_or(f64::NAN);
            let weight = simulation.mass(&wall.name)? * simulation.gravity_along(wall.axis);
            let force = wall.sign * stress * wall.area(simulation)? - weight;
            simulation.load(&wall.name, translation(wall.axis), force)?;
        }
        Ok(())
    }
}

impl Wall {
    fn area(&self, simulation: &AnySimulation) -> Result<f64, ChangeError> {
        let mut area = self.area.unwrap_or(1.0);
        let others = (0..simulation.dimension()).filter(|&axis| axis != self.axis);
        for (pair, axis) in self.across.chunks(2).zip(others) {
            let [a, b] = pair else { continue };
            let [a, b] = [simulation.extent(a, axis)?, simulation.extent(b, axis)?];
            // between the faces that look at each other
            area *= (b[0] - a[1]).max(a[0] - b[1]).max(0.0);
        }
        Ok(area)
    }
}
