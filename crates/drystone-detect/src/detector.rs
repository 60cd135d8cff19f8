//! The broad phase: which contactors are near each other. It knows boxes only; the pair table finds the
//! contacts.

use drystone_math::{Pose, Vector};
use rayon::prelude::*;

use crate::ContactPoint;
use crate::broad::grid::{Grid, GridPlace, World, chunk};
use crate::broad::window::Near;
use crate::narrow::half_space::up;
use crate::narrow::narrow_phase::{NarrowPhase, Placed, Proxy};
use crate::narrow::spreads::Spreads;
use drystone_geometry::aabb::{Aabb, Bounds, bounds, max_or_first};
use drystone_geometry::{Contactor, Shape};

/// Contactors bounded together.
const PART: usize = 1024;

/// Finds the contacts of many contactors, keeping its buffers from call to call.
#[doc(alias = "broad phase")]
#[doc(alias = "narrow phase")]
#[doc(alias = "collision detection")]
#[derive(Debug, Default)]
pub struct Detector<const D: usize> {
    grid: Grid<D>,
    /// Contactors and their bounds with margins, in the order of the look before, if it was of as many: what
    /// was near in space a step ago is near in memory.
    proxies: Vec<Proxy<D>>,
    bounds: Vec<Bounds<D>>,
    order: Vec<u32>,
    /// Places of the half-spaces in that order.
    half_spaces: Vec<u32>,
    /// The pairs each task found at the last look, and how many tasks there were.
    near: Vec<Near<D>>,
    tasks: usize,
    narrow: NarrowPhase<D>,
    /// How the contacts of the last call are spread over skins.
    spreads: Spreads,
    /// How far boxes reach beyond their margins, over the radius; zero to look for pairs at every call.
    skin: f64,
    /// Poses and margins when the pairs were last looked for.
    seen: Vec<(Pose<D>, f64)>,
    looked: bool,
}

impl<const D: usize> Detector<D> {
    /// A detector with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A detector that keeps its pairs as long as they are good (Verlet 1967): boxes reach beyond their
    /// margins by half of `skin` times the bounding radius of their contactor, of their margin if it is more,
    /// and pairs are looked for again once a contactor has moved, or its margin grown, by more than that. It
    /// misses nothing and gives the same bits as one without a skin. After a change of what `may_meet` says,
    /// or of the contactors other than their number, call [`Self::forget`].
    pub fn with_skin(skin: f64) -> Self {
        Self { skin: if skin.is_finite() { skin.max(0.0) } else { 0.0 }, ..Self::default() }
    }

    /// Looks for pairs at the next call, whatever is known.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// Whether the last call looked for pairs, rather than taking those it had.
    pub fn has_looked(&self) -> bool {
        self.looked
    }

    /// Replaces `touches` by all contacts whose gap is at most the sum of the two margins, sorted by
    /// contactors and feature: the same bits at any number of threads.
    ///
    /// `poses` and `margins` are those of the contactors, in world axes; `may_meet` is asked with indices of
    /// bodies; contactors of the same body never meet, nor does one whose pose is not finite. The contactor
    /// of lower index is the candidate, but a half-space is always the antagonist.
    pub fn find(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        touches: &mut Vec<ContactPoint<D>>,
    ) {
        debug_assert!(contactors.len() == poses.len() && contactors.len() == margins.len());
        self.looked = !self.pairs_are_good(contactors, poses, margins);
        if self.looked {
            self.place(contactors, poses, margins);
        }
        let placed = Placed { contactors, poses, margins };
        let mut near = std::mem::take(&mut self.near);
        let mut narrow = std::mem::take(&mut self.narrow);
        if self.looked {
            narrow.set_proxies(self.grid.order().map(|place| self.proxies[place as usize]));
        } else {
            narrow.update_proxies(&placed);
        }
        narrow.examine(&placed, &mut near[..self.tasks], &|task, near| {
            if self.looked {
                self.look(task, &placed, may_meet, near);
            }
        });
        narrow.gather(contactors.len(), touches);
        narrow.gather_spreads(&mut self.spreads);
        (self.near, self.narrow) = (near, narrow);
    }

    /// How the contacts of the last call are spread over skins.
    pub fn spreads(&self) -> &Spreads {
        &self.spreads
    }

    /// The pairs that the broad phase left at the last look, sorted.
    pub fn candidate_pairs(&self) -> Vec<[u32; 2]> {
        let index = |rank: u32| self.grid.places[rank as usize].index;
        let pairs = self.near[..self.tasks].iter().flat_map(|near| &near.pairs);
        let mut pairs: Vec<_> = pairs.map(|pair| pair.map(index)).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Whether no contactor has left the box it had when the pairs were looked for.
    fn pairs_are_good(&self, contactors: &[Contactor<D>], poses: &[Pose<D>], margins: &[f64]) -> bool {
        self.skin > 0.0
            && self.seen.len() == contactors.len()
            && (0..contactors.len()).all(|k| {
                let (before, margin) = &self.seen[k];
                let moved = if poses[k] == *before {
                    0.0
                } else {
                    // the chord of the turn at the farthest point, without end for a half-space
                    let turn = before.orientation.inverse() * poses[k].orientation;
                    let swept = 2.0 * turn.imag().norm() * contactors[k].shape.bounding_radius();
                    (poses[k].position - before.position).norm() + swept
                };
                moved + (margins[k] - margin).max(0.0)
                    <= 0.998 * beyond(self.skin, &contactors[k].shape, *margin)
            })
    }

    /// Puts the bounds of all contactors, each with its margin, in rows.
    fn place(&mut self, contactors: &[Contactor<D>], poses: &[Pose<D>], margins: &[f64]) {
        self.seen.clear();
        if self.skin > 0.0 {
            self.seen.extend(poses.iter().copied().zip(margins.iter().copied()));
        }
        let skin = self.skin;
        let count = contactors.len();
        self.order.clear();
        if self.grid.places.len() == count {
            self.order.extend(self.grid.places.iter().map(|place| place.index));
        } else {
            self.order.extend(0..count as u32);
        }
        let none = Bounds { aabb: Aabb { low: Vector::zeros(), high: Vector::zeros() }, radius: 0.0 };
        self.bounds.resize(count, none);
        self.proxies.resize(count, Proxy::default());
        // all that is read of a contactor, while it is at hand
        let parts = self.bounds.par_chunks_mut(PART).zip(self.proxies.par_chunks_mut(PART));
        let world = parts.zip(self.order.par_chunks(PART)).map(|((some, proxies), order)| {
            let mut world = World::NONE;
            for (k, &index) in order.iter().enumerate() {
                let at = index as usize;
                let shape = &contactors[at].shape;
                some[k] = bounds(shape, &poses[at], margins[at] + beyond(skin, shape, margins[at]));
                proxies[k] = Proxy::of(&contactors[at], &poses[at], margins[at], index);
                world.add(&some[k].aabb);
            }
            world
        });
        let world = world.reduce(|| World::NONE, World::join);
        self.half_spaces.clear();
        // half-spaces have no finite box
        if !self.grid.survey(world) {
            let is_floor = |index: u32| matches!(contactors[index as usize].shape, Shape::HalfSpace);
            let floors = self.order.iter().zip(0..).filter(|&(&index, _)| is_floor(index));
            self.half_spaces.extend(floors.map(|(_, place)| place));
        }
        let place =
            |place: usize| GridPlace { index: self.proxies[place].index, body: self.proxies[place].body };
        self.grid.fill(&self.bounds, &place, &self.half_spaces);
        // each part of the rows meets the rows, then every half-space
        self.tasks = self.grid.count.div_ceil(chunk(self.grid.count)) * (1 + self.half_spaces.len());
        if self.near.len() < self.tasks {
            self.near.resize_with(self.tasks, Near::default);
        }
    }

    /// One task of the search for pairs: a part of the rows, or what of a part of the contactors reaches a
    /// half-space.
    fn look(
        &self,
        task: usize,
        placed: &Placed<D>,
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        near: &mut Near<D>,
    ) {
        let count = self.grid.count;
        let size = chunk(count);
        let parts = count.div_ceil(size);
        let first = task % parts * size;
        let ranks = first..(first + size).min(count);
        if task < parts {
            return self.grid.search(ranks, may_meet, near);
        }
        let floor = count + task / parts - 1;
        let own = self.grid.places[floor];
        let pose = &placed.poses[own.index as usize];
        let normal = up(pose);
        let margin = placed.margins[own.index as usize];
        near.pairs.clear();
        for rank in ranks {
            let other = self.grid.places[rank];
            if lowest(&self.bounds[self.grid.came_from(rank)].aabb, &normal, &pose.position) <= margin
                && other.body != own.body
                && may_meet(other.body, own.body)
            {
                near.pairs.push([rank as u32, floor as u32]);
            }
        }
    }
}

/// How far the box of a shape reaches beyond its margin \[m\]. Half-spaces have no box: once they move, pairs
/// are looked for.
#[inline]
fn beyond<const D: usize>(skin: f64, shape: &Shape<D>, margin: f64) -> f64 {
    if skin == 0.0 || matches!(shape, Shape::HalfSpace) {
        return 0.0;
    }
    // points have no radius
    0.5 * skin * max_or_first(shape.bounding_radius(), margin)
}

/// Least height of a box above a plane; not a number for the box of a half-space.
fn lowest<const D: usize>(extent: &Aabb<D>, normal: &Vector<D>, origin: &Vector<D>) -> f64 {
    (0..D)
        .map(|axis| {
            let corner = if normal[axis] > 0.0 { extent.low[axis] } else { extent.high[axis] };
            normal[axis] * (corner - origin[axis])
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::pairs;
    use drystone_geometry::Polytope;
    use drystone_math::Orientation;

    /// The boxes must lose no contact that the pair table finds.
    #[test]
    fn boxes_hold_their_shapes() {
        let forms: [Shape<3>; 3] =
            [Polytope::cuboid([1.0, 0.3, 0.6]).unwrap().into(), Shape::ball(0.4).unwrap(), Shape::HalfSpace];
        let wave = |k: usize, rate: f64| (k as f64 * rate).sin();
        let mut seen = 0;
        for k in 0..3000 {
            let pose = |k: usize| Pose::<3> {
                position: Vector::<3>::new(wave(k, 0.7), wave(k, 1.3), wave(k, 2.1)),
                orientation: Orientation::from_euler_angles(
                    3.0 * wave(k, 0.9),
                    wave(k, 0.5),
                    3.0 * wave(k, 1.7),
                ),
            };
            let shapes = [&forms[k % 2], &forms[k / 2 % 3]];
            let poses = [pose(k), pose(k + 5000)];
            let mut expected = Vec::new();
            pairs::touch((shapes[0], &poses[0]), (shapes[1], &poses[1]), 0.1, &mut |feature, _, _, gap| {
                expected.push((feature, gap));
            });
            expected.sort_by_key(|touch| touch.0);
            let contactor =
                |body| Contactor { body, shape: shapes[body as usize].clone(), local: Pose::identity() };
            let mut touches = Vec::new();
            let contactors = [contactor(0), contactor(1)];
            Detector::new().find(&contactors, &poses, &[0.03, 0.07], &|_, _| true, &mut touches);
            let found: Vec<_> = touches.iter().map(|touch| (touch.feature, touch.gap)).collect();
            assert_eq!(found, expected);
            seen += found.len();
        }
        assert!(seen > 1000);
    }
}
