//! Whether a structure stands: how far its bodies went since the start and which of them no longer touch.
//! Judges a state; changes nothing.

use crate::Simulation;
use drystone_contact::{Detection, StepContext};
use drystone_state::{BodyHandle, BodyId};

/// Two bodies touch where they are no farther apart than this part of the smaller one's radius.
const TOUCHING: f64 = 1e-3;

/// A structure as it was built: which bodies touched, and where they were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Pairs of bodies that touched, at least one of them free; each once, in order.
    pairs: Vec<[BodyId; 2]>,
    /// Bodies that stood: free ones that touch one that is driven or fixed, and those that touch these.
    standing: Vec<BodyId>,
    /// Centres of mass of all bodies \[m\], the missing third component 0.
    places: Vec<[f64; 3]>,
    /// Who the bodies are, should some of them go.
    handles: Vec<BodyHandle>,
}

/// How a structure fares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Bodies looked at.
    pub bodies: usize,
    /// Of them moved by more than the limit.
    pub moved: usize,
    /// Largest way of a centre of mass relative to the radius of its body \[-\].
    pub displacement: f64,
    /// The same way \[m\].
    pub way: f64,
    /// Whose way it is.
    pub worst: Option<BodyId>,
    /// Pairs of bodies that touched at the start.
    pub pairs: usize,
    /// Of them apart now.
    pub lost: usize,
    /// Bodies that moved by more than the limit, with their ways \[m\], farthest in radii first; at most
    /// [`LISTED`].
    pub farthest: Vec<(BodyId, f64)>,
    /// Pairs that are apart now, at most [`LISTED`].
    pub opened: Vec<[BodyId; 2]>,
}

/// Bodies and pairs that a [`Standing`] lists by name.
pub const LISTED: usize = 10;

impl Structure {
    /// The structure of a simulation as it is now, before its first step.
    pub fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let pairs = simulation.touching();
        let bodies = simulation.bodies();
        let mut neighbours = vec![Vec::new(); bodies.len()];
        for &[BodyId(a), BodyId(b)] in &pairs {
            neighbours[a as usize].push(b as usize);
            neighbours[b as usize].push(a as usize);
        }
        // from what is held to what stands on it; what is held passes nothing on to other things held
        let mut stands = vec![false; bodies.len()];
        let mut next: Vec<usize> = (0..bodies.len()).filter(|&body| bodies.is_driven(body)).collect();
        while let Some(body) = next.pop() {
            for &other in &neighbours[body] {
                if !stands[other] && !bodies.is_driven(other) {
                    stands[other] = true;
                    next.push(other);
                }
            }
        }
        let standing = (0..bodies.len()).filter(|&body| stands[body]).map(|body| BodyId(body as u32));
        let ids = (0..bodies.len()).map(|body| BodyId(body as u32));
        let handles = ids.filter_map(|body| simulation.handle(body)).collect();
        Self { pairs, standing: standing.collect(), places: places(simulation), handles }
    }

    /// Compares the present state with the structure as it was: `named` bodies, or those that stood; `limit`
    /// is the way of a centre of mass that counts, relative to the radius of its body. Bodies without a size
    /// are left out, and so are those that are gone.
    pub fn gauge<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        named: Option<&[BodyId]>,
        limit: f64,
    ) -> Standing {
        let mut ways = Vec::new();
        let mut found = Standing { pairs: self.pairs.len(), ..Standing::default() };
        let now = places(simulation);
        let there = |BodyId(body): BodyId| {
            self.handles.get(body as usize).and_then(|&handle| simulation.handles().body(handle))
        };
        for &begin in named.unwrap_or(&self.standing) {
            let Some(BodyId(body)) = there(begin) else { continue };
            let (index, place) = (body as usize, self.places[begin.0 as usize]);
            let radius = simulation.bodies().radius[index];
            if !(radius > 0.0 && radius.is_finite()) {
                continue;
            }
            let square = |axis: usize| (now[index][axis] - place[axis]).powi(2);
            let way = (0..3).map(square).sum::<f64>().sqrt();
            found.bodies += 1;
            if way > limit * radius {
                found.moved += 1;
                ways.push((BodyId(body), way, way / radius));
            }
            if found.worst.is_none() || way / radius > found.displacement {
                (found.displacement, found.way) = (way / radius, way);
                found.worst = Some(BodyId(body));
            }
        }
        let left = simulation.touching();
        let apart = |[a, b]: &[BodyId; 2]| {
            let [a, b] = [there(*a)?, there(*b)?];
            let pair = [a.min(b), a.max(b)];
            left.binary_search(&pair).is_err().then_some(pair)
        };
        let opened: Vec<[BodyId; 2]> = self.pairs.iter().filter_map(apart).collect();
        found.lost = opened.len();
        found.opened = opened.into_iter().take(LISTED).collect();
        ways.sort_by(|a, b| b.2.total_cmp(&a.2));
        found.farthest = ways.into_iter().take(LISTED).map(|(body, way, _)| (body, way)).collect();
        found
    }
}

fn places<const D: usize>(simulation: &Simulation<D>) -> Vec<[f64; 3]> {
    let place = |axis: usize, pose: &drystone_math::Pose<D>| pose.position.get(axis).copied().unwrap_or(0.0);
    simulation.bodies().pose.iter().map(|pose| std::array::from_fn(|axis| place(axis, pose))).collect()
}

impl<const D: usize> Simulation<D> {
    /// Pairs of bodies that touch as they stand now, in order.
    fn touching(&self) -> Vec<[BodyId; 2]> {
        let mut detection = Detection::new(self.settings.cell, 0.0);
        let touches = detection.find(&StepContext { alert: TOUCHING, ..self.standing() });
        let pair = |contactors: [u32; 2]| contactors.map(|c| BodyId(self.contactors[c as usize].body));
        let mut pairs: Vec<[BodyId; 2]> = touches.iter().map(|touch| pair(touch.contactors)).collect();
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
