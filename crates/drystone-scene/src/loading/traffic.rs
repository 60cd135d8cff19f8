//! Sources and outlets, carried out by a hook before each step. How far they are is in named slots, so that a
//! run which goes on later makes the same bodies.

use super::mould::Mould;
use crate::spec::{OutletSpec, SceneSpec, SourceSpec};
use drystone::prelude::{Body, Coordinates};
use drystone::{
    AnySimulation, BodyHandle, ChangeError, GroupId, Hook, HookError, Newcomer, Simulation, Slot, StepReport,
    Vector,
};

/// Places that are tried for a body in one step.
const TRIES: u32 = 20;

struct Feeder {
    spec: SourceSpec,
    /// What bodies are made of that are no disks or spheres.
    mould: Option<Mould>,
    made: Slot,
    tried: Slot,
    /// Whether the last body has come to rest: contacts are known after a step only.
    settled: Slot,
}

struct Drain {
    spec: OutletSpec,
    axis: usize,
    gone: Slot,
}

/// The sources and outlets of a scene.
pub(super) struct Traffic {
    sources: Vec<Feeder>,
    outlets: Vec<Drain>,
}

impl Traffic {
    /// Those of a scene, with their slots in the simulation.
    pub(super) fn new(spec: &SceneSpec, simulation: &mut AnySimulation) -> Result<Self, ChangeError> {
        let (mut sources, mut outlets) = (Vec::new(), Vec::new());
        for source in &spec.sources {
            let mould = Mould::of(source, spec);
            let spec = source;
            let made = simulation.named_slot(&format!("source {}", spec.name), 0.0)?;
            let tried = simulation.named_slot(&format!("source {} tried", spec.name), 0.0)?;
            let settled = simulation.named_slot(&format!("source {} settled", spec.name), 1.0)?;
            sources.push(Feeder { spec: spec.clone(), mould, made, tried, settled });
        }
        for spec in &spec.outlets {
            let gone = simulation.named_slot(&format!("outlet {}", spec.name), 0.0)?;
            let axis = ["x", "y", "z"].iter().position(|axis| *axis == spec.axis).unwrap_or(0);
            outlets.push(Drain { spec: spec.clone(), axis, gone });
        }
        Ok(Self { sources, outlets })
    }
}

impl Hook for Traffic {
    fn before_step(&mut self, simulation: &mut AnySimulation) -> Result<(), HookError> {
        self.outlets.iter().try_for_each(|outlet| outlet.take(simulation))?;
        self.sources.iter().try_for_each(|source| source.give(simulation))?;
        Ok(())
    }

    fn after_step(&mut self, simulation: &mut AnySimulation, _: &StepReport) -> Result<(), HookError> {
        for source in &self.sources {
            if let Some(rest) = source.spec.rest {
                let settled = source.has_settled(simulation, rest)?;
                simulation.set_slot(source.settled, f64::from(settled))?;
            }
        }
        Ok(())
    }
}

impl Drain {
    fn take(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        let is_beyond = |x: f64| {
            self.spec.above.is_some_and(|limit| x > limit) || self.spec.below.is_some_and(|limit| x < limit)
        };
        let mut gone: Vec<BodyHandle> = Vec::new();
        for (body, place) in simulation.free_bodies() {
            if place.get(self.axis).is_some_and(|&x| is_beyond(x)) {
                gone.push(body);
            }
        }
        if !gone.is_empty() {
            let before = simulation.slot_value(self.gone)?;
            simulation.set_slot(self.gone, before + gone.len() as f64)?;
            simulation.remove(&gone)?;
        }
        Ok(())
    }
}

impl Feeder {
    fn give(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        loop {
            let made = simulation.slot_value(self.made)?;
            let clock = simulation.clock() as f64 * simulation.step_size() - self.spec.start;
            // rounding must not put a body off by a step
            if clock < -1e-9 * simulation.step_size() || made >= f64::from(self.spec.count) {
                return Ok(());
            }
            let is_due = match self.spec.rate {
                Some(rate) => made <= clock * rate + 1e-9,
                None => simulation.slot_value(self.settled)? != 0.0,
            };
            if !is_due || !self.make(simulation, made)? || self.spec.rate.is_none() {
                return Ok(());
            }
        }
    }

    /// Whether the last body is at rest, or gone.
    fn has_settled(&self, simulation: &AnySimulation, rest: f64) -> Result<bool, ChangeError> {
        let made = simulation.slot_value(self.made)?;
        let last = self.called(made);
        if made == 0.0 || simulation.members(&last).is_empty() {
            return Ok(true);
        }
        let velocity = simulation.velocity(&last)?;
        // one that has just come has not fallen yet
        let touches = simulation.contact_force(&last)?.iter().any(|force| *force != 0.0);
        Ok(touches && velocity.iter().map(|v| v * v).sum::<f64>().sqrt() <= rest)
    }

    fn called(&self, number: f64) -> String {
        format!("{} {number}", self.spec.name)
    }

    /// The place of a try.
    fn place(&self, tried: f64, dimension: usize) -> Vec<f64> {
        let one = |axis: usize| {
            let [low, high] =
                [&self.spec.lower, &self.spec.upper].map(|corner| corner.get(axis).copied().unwrap_or(0.0));
            low + (high - low) * unit(self.spec.seed, tried as u64, 1 + axis as u64)
        };
        (0..dimension).map(one).collect()
    }

    /// Puts a body from the mould where there is room; tells whether there was.
    fn cast<const D: usize>(
        &self,
        simulation: &mut Simulation<D>,
        made: Option<Newcomer<D>>,
        name: &str,
    ) -> Result<bool, ChangeError> {
        let wrong = || ChangeError::Hook(format!("the source cannot make {name:?}: its shape has no mass"));
        let mut made = made.ok_or_else(wrong)?;
        let group = simulation.group_names().iter().position(|known| known == self.spec.group());
        let group = group.ok_or_else(|| ChangeError::NoSuchGroup(self.spec.group().into()))?;
        made.body.group = GroupId(group as u32);
        let about = made.body.pose.position;
        for _ in 0..TRIES {
            let tried = simulation.slot_value(self.tried)?;
            simulation.set_slot(self.tried, tried + 1.0)?;
            made.body.pose.position = about + Vector::<D>::from_row_slice(&self.place(tried, D));
            if simulation.has_room(made.body.pose.position.as_slice(), made.body.radius) {
                simulation.add(made)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes a body where there is room; tells whether there was.
    fn make(&self, simulation: &mut AnySimulation, made: f64) -> Result<bool, ChangeError> {
        let spec = &self.spec;
        let (low, high) =
            (spec.radius.first().copied().unwrap_or(0.0), spec.radius.last().copied().unwrap_or(0.0));
        let radius = low + (high - low) * unit(spec.seed, made as u64, 0);
        let name = self.called(made + 1.0);
        if let Some(mould) = &self.mould {
            let number = made as u64;
            let is_made = match simulation {
                AnySimulation::Plane(plane) => {
                    self.cast(plane, mould.body(name.clone(), number, radius), &name)?
                }
                AnySimulation::Space(space) => {
                    self.cast(space, mould.body(name.clone(), number, radius), &name)?
                }
            };
            if is_made {
                simulation.set_slot(self.made, made + 1.0)?;
            }
            return Ok(is_made);
        }
        for _ in 0..TRIES {
            let tried = simulation.slot_value(self.tried)?;
            simulation.set_slot(self.tried, tried + 1.0)?;
            let place = self.place(tried, simulation.dimension());
            if !simulation.has_room(&place, radius) {
                continue;
            }
            let body = match simulation.dimension() {
                2 => Body::disk(radius),
                _ => Body::sphere(radius),
            };
            let velocity = spec.velocity.clone().unwrap_or_else(|| vec![0.0; simulation.dimension()]);
            let body = body.density(spec.density).at(coordinates(&place)).velocity(coordinates(&velocity));
            simulation.add(body.named(name).group(spec.group()))?;
            simulation.set_slot(self.made, made + 1.0)?;
            return Ok(true);
        }
        Ok(false)
    }
}

/// Two numbers in the plane, three in space.
fn coordinates(numbers: &[f64]) -> Coordinates {
    match *numbers {
        [x, y, z] => [x, y, z].into(),
        _ => [0, 1].map(|axis| numbers.get(axis).copied().unwrap_or(0.0)).into(),
    }
}

/// A number from 0 to 1 that depends on nothing but these (SplitMix64).
fn unit(seed: u32, number: u64, stream: u64) -> f64 {
    let mut z = (u64::from(seed) << 32) ^ number.wrapping_mul(8).wrapping_add(stream);
    for _ in 0..2 {
        z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
    }
    (z >> 11) as f64 / (1u64 << 53) as f64
}
