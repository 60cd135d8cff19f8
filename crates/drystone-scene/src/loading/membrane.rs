//! Membranes: the pressure on the outer bodies of a plane sample, found anew before each step. Keeps nothing
//! from step to step, so that a run that goes on has the same forces.

use super::curve::{SignalUse, signal};
use crate::spec::MembraneSpec;
use drystone::prelude::Axis;
use drystone::{AnySimulation, BodyHandle, BodyId, ChangeError, OutlineLink, Signal, Vector, outline};

/// The ball touches what is nearer than its radius by more than this share of it.
const TOUCH: f64 = 1e-9;

/// One membrane.
struct Membrane {
    spec: MembraneSpec,
    pressure: Signal,
    /// The step at which the time of its signal is 0.
    origin: u64,
}

/// The membranes, the last word of each sample.
#[derive(Default)]
pub(super) struct Membranes(Vec<Membrane>);

/// The bodies of a sample, as disks.
struct SampleDisks {
    handles: Vec<BodyHandle>,
    centres: Vec<Vector<2>>,
    radii: Vec<f64>,
}

impl Membranes {
    /// Lets membranes press from now on.
    pub(super) fn press(&mut self, list: &[MembraneSpec], origin: u64) {
        for spec in list {
            self.0.retain(|known| known.spec.on.as_slice() != spec.on.as_slice());
            let pressure = signal(&spec.pressure, SignalUse::Value);
            self.0.push(Membrane { spec: spec.clone(), pressure, origin });
        }
    }

    /// Sets the forces of the coming step: pressures at its middle, places at its beginning.
    pub(super) fn push(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        self.0.iter().try_for_each(|membrane| membrane.push(simulation))
    }
}

impl Membrane {
    fn push(&self, simulation: &mut AnySimulation) -> Result<(), ChangeError> {
        let done = simulation.clock().saturating_sub(self.origin);
        let pressure = self.pressure.at((done as f64 + 0.5) * simulation.step_size()).unwrap_or(f64::NAN);
        let sample = SampleDisks::of(self.spec.on.as_slice(), simulation);
        let largest = sample.radii.iter().copied().fold(0.0, f64::max);
        let ball = self.spec.ball.unwrap_or(largest);
        let chain = outline(&sample.centres, &sample.radii, ball);
        let forces = self.lines(&sample, &chain, ball, simulation)?.forces(&sample, pressure);
        // those inside as well: they may have been outer ones before
        for (body, force) in sample.handles.iter().zip(forces) {
            simulation.load(*body, Axis::X, force[0])?;
            simulation.load(*body, Axis::Y, force[1])?;
        }
        Ok(())
    }

    /// The lines of the membrane: all links of a closed one, else those between two ends and the pieces that
    /// lead to these.
    fn lines(
        &self,
        sample: &SampleDisks,
        chain: &[OutlineLink],
        ball: f64,
        simulation: &AnySimulation,
    ) -> Result<Lines, ChangeError> {
        let count = chain.len();
        let mut closed_by = Vec::with_capacity(count);
        for link in chain {
            closed_by.push(self.end_at(&link.ball, ball, simulation)?);
        }
        let line = |k: usize| [chain[k].disk, chain[(k + 1) % count].disk];
        let Some(first) = closed_by.iter().position(Option::is_some) else {
            return Ok(Lines { whole: (0..count).map(line).collect(), pieces: Vec::new() });
        };
        let mut lines = Lines::default();
        let mut from = closed_by[first];
        let mut part: Vec<usize> = Vec::new();
        for k in (1..=count).map(|k| (first + k) % count) {
            let Some(end) = closed_by[k] else {
                part.push(k);
                continue;
            };
            // with several ends, what begins and ends at the same one is a hollow under it
            let is_outside = from != Some(end) || self.spec.ends.len() < 2;
            if let (Some(&a), Some(&z), true) = (part.first(), part.last(), is_outside) {
                lines.whole.extend(part.iter().map(|&k| line(k)));
                let [begin, finish] = [line(a)[0], line(z)[1]];
                let foot = |disk: usize, end: Option<usize>| self.foot(sample, disk, end, ball, simulation);
                lines.pieces.extend(foot(begin, from)?.map(|foot| (begin, sample.centres[begin] - foot)));
                lines
                    .pieces
                    .extend(foot(finish, Some(end))?.map(|foot| (finish, foot - sample.centres[finish])));
            }
            part.clear();
            from = Some(end);
        }
        Ok(lines)
    }

    /// The first end that a ball about this place would enter.
    fn end_at(
        &self,
        place: &Vector<2>,
        ball: f64,
        simulation: &AnySimulation,
    ) -> Result<Option<usize>, ChangeError> {
        for (index, name) in self.spec.ends.iter().enumerate() {
            // one that was taken away ends nothing any more
            let is_there = !simulation.members(name).is_empty();
            let place = [place[0], place[1]];
            if is_there && simulation.nearest_point(name.as_str(), place, ball * (1.0 - TOUCH))?.is_some() {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Where the membrane leaves a body for the end beside it.
    fn foot(
        &self,
        sample: &SampleDisks,
        disk: usize,
        end: Option<usize>,
        ball: f64,
        simulation: &AnySimulation,
    ) -> Result<Option<Vector<2>>, ChangeError> {
        let Some(name) = end.and_then(|end| self.spec.ends.get(end)) else { return Ok(None) };
        let (centre, reach) = (sample.centres[disk], sample.radii[disk] + 2.0 * ball);
        let foot = simulation.nearest_point(name.as_str(), [centre[0], centre[1]], reach)?;
        Ok(foot.map(|foot| Vector::<2>::new(foot[0], foot[1])))
    }
}

/// Straight lines that a membrane consists of, the sample to the left of them.
#[derive(Default)]
struct Lines {
    /// From a body to the next one.
    whole: Vec<[usize; 2]>,
    /// Between a body and an end beside it, as a way \[m\].
    pieces: Vec<(usize, Vector<2>)>,
}

impl Lines {
    /// The force on each body of the sample \[N\]: of each line half the pressure times its length.
    fn forces(&self, sample: &SampleDisks, pressure: f64) -> Vec<Vector<2>> {
        let mut forces = vec![Vector::zeros(); sample.handles.len()];
        let inwards = |way: Vector<2>| Vector::<2>::new(-way[1], way[0]) * (0.5 * pressure);
        for &[a, b] in &self.whole {
            let force = inwards(sample.centres[b] - sample.centres[a]);
            forces[a] += force;
            forces[b] += force;
        }
        for &(body, way) in &self.pieces {
            forces[body] += inwards(way);
        }
        forces
    }
}

impl SampleDisks {
    fn of(names: &[String], simulation: &AnySimulation) -> Self {
        let mut sample = Self { handles: Vec::new(), centres: Vec::new(), radii: Vec::new() };
        let AnySimulation::Plane(plane) = simulation else { return sample };
        let bodies = plane.bodies();
        let is_meant = |body: usize| {
            let group = plane.group_names().get(bodies.group[body].0 as usize);
            names.iter().any(|name| *name == bodies.name[body] || Some(name) == group)
        };
        for body in (0..bodies.len()).filter(|&body| is_meant(body) && bodies.radius[body].is_finite()) {
            if let Some(handle) = plane.handle(BodyId(body as u32)) {
                sample.handles.push(handle);
                sample.centres.push(bodies.pose[body].position);
                sample.radii.push(bodies.radius[body]);
            }
        }
        sample
    }
}
