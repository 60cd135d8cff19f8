//! Rough detection: which contactors are near each other. It knows boxes only; the pair table finds the contacts.

use drystone_math::{Pose, Vector};
use rayon::prelude::*;

use crate::cells::{Cells, Extent};
use crate::extent::extent;
use crate::half_space::up;
use crate::{Contactor, Shape, Touch, frame_from_normal, pairs};

/// Pairs examined by one task; fixed, so that the order of the results does not depend on the number of threads.
const CHUNK: usize = 512;

/// Finds the contacts of many contactors, keeping its buffers from call to call.
#[derive(Debug, Default)]
pub struct Detector<const D: usize> {
    cells: Cells<D>,
    /// Boxes of the finite contactors with their margins; empty ones for half-spaces.
    extents: Vec<Extent<D>>,
    half_spaces: Vec<u32>,
    /// Body of each contactor.
    bodies: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    sorted: Vec<[u32; 2]>,
    /// Pairs of candidate `k` are `sorted[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
    found: Vec<Vec<Touch<D>>>,
    /// How far boxes reach beyond their margins \[m\]; zero to look for pairs at every call.
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

    /// A detector that keeps its pairs as long as they are good (Verlet 1967): boxes reach beyond their margins by half of
    /// `skin` \[m\], and pairs are looked for again once a contactor has moved, or its margin grown, by more than that. It
    /// misses nothing and gives the same bits as one without a skin. After a change of what `may_meet` says, or of
    /// the contactors other than their number, start with a new one.
    pub fn with_skin(skin: f64) -> Self {
        Self { skin: if skin.is_finite() { skin.max(0.0) } else { 0.0 }, ..Self::default() }
    }

    /// Whether the last call looked for pairs, rather than taking those it had.
    pub fn has_looked(&self) -> bool {
        self.looked
    }

    /// Replaces `touches` by all contacts whose gap is at most the sum of the two margins, sorted by contactors
    /// and feature: the same bits at any number of threads.
    ///
    /// `poses` and `margins` are those of the contactors, in world axes; `may_meet` is asked with indices of bodies;
    /// contactors of the same body never meet, nor does one whose pose is not finite. The contactor of lower index is
    /// the candidate, but a half-space is always the antagonist.
    pub fn find(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        touches: &mut Vec<Touch<D>>,
    ) {
        debug_assert!(contactors.len() == poses.len() && contactors.len() == margins.len());
        self.looked = !self.pairs_are_good(contactors, poses, margins);
        if self.looked {
            self.look(contactors, poses, margins, may_meet);
        }
        self.examine(contactors, poses, margins, touches);
    }

    /// The pairs that the rough detection left at the last look, sorted.
    pub(crate) fn candidate_pairs(&self) -> &[[u32; 2]] {
        &self.sorted
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
                moved + (margins[k] - margin).max(0.0) <= 0.499 * self.skin
            })
    }

    /// Looks for the pairs of contactors whose boxes overlap.
    fn look(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
    ) {
        self.seen.clear();
        if self.skin > 0.0 {
            self.seen.extend(poses.iter().copied().zip(margins.iter().copied()));
        }
        self.place(contactors, poses, margins);
        // apart from the contactors, the bodies fit in a near cache
        let bodies = std::mem::take(&mut self.bodies);
        let meet = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|index| bodies[index as usize]);
            a != b && may_meet(a, b)
        };
        self.pairs.clear();
        self.cells.overlapping(&self.extents, &meet, &mut self.pairs);
        self.above_half_spaces(poses, margins, &meet);
        self.bodies = bodies;
        self.sort_pairs(contactors.len());
    }

    /// Boxes of all contactors, each with its margin.
    fn place(&mut self, contactors: &[Contactor<D>], poses: &[Pose<D>], margins: &[f64]) {
        self.bodies.clear();
        self.bodies.extend(contactors.iter().map(|contactor| contactor.body));
        self.half_spaces.clear();
        let floors = contactors.iter().enumerate().filter(|(_, one)| matches!(one.shape, Shape::HalfSpace));
        self.half_spaces.extend(floors.map(|(index, _)| index as u32));
        let half = 0.5 * self.skin;
        let boxes = contactors.par_iter().with_min_len(1024).zip(poses).zip(margins);
        boxes
            .map(|((contactor, pose), &margin)| extent(&contactor.shape, pose, margin + half))
            .collect_into_vec(&mut self.extents);
    }

    /// Appends the pairs of every half-space with every box that reaches it: few half-spaces, each against all.
    fn above_half_spaces(
        &mut self,
        poses: &[Pose<D>],
        margins: &[f64],
        meet: &(impl Fn(u32, u32) -> bool + Sync),
    ) {
        for &floor in &self.half_spaces {
            let (normal, origin) = (up(&poses[floor as usize]), poses[floor as usize].position);
            let margin = margins[floor as usize] + 0.5 * self.skin;
            let reaches = |&(index, extent): &(usize, &Extent<D>)| {
                lowest(extent, &normal, &origin) <= margin && meet(index as u32, floor)
            };
            let boxes = self.extents.par_iter().with_min_len(CHUNK).enumerate().filter(reaches);
            self.pairs.par_extend(boxes.map(|(index, _)| [index as u32, floor]));
        }
    }

    /// Sorts the pairs by candidate, then antagonist: a counting sort, then short runs.
    fn sort_pairs(&mut self, contactors: usize) {
        self.starts.clear();
        self.starts.resize(contactors + 1, 0);
        self.pairs.iter().for_each(|pair| self.starts[pair[0] as usize + 1] += 1);
        for k in 0..contactors {
            self.starts[k + 1] += self.starts[k];
        }
        self.sorted.clear();
        self.sorted.resize(self.pairs.len(), [0; 2]);
        for pair in self.pairs.iter().rev() {
            let end = &mut self.starts[pair[0] as usize + 1];
            *end -= 1;
            self.sorted[*end as usize] = *pair;
        }
        self.sorted.chunk_by_mut(|a, b| a[0] == b[0]).for_each(|run| run.sort_unstable());
    }

    /// Fine detection of the sorted pairs, chunk by chunk, collected in order.
    fn examine(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        touches: &mut Vec<Touch<D>>,
    ) {
        let chunks = self.sorted.len().div_ceil(CHUNK);
        if self.found.len() < chunks {
            self.found.resize_with(chunks, Vec::new);
        }
        let found = &mut self.found[..chunks];
        found.par_iter_mut().zip(self.sorted.par_chunks(CHUNK)).for_each(|(list, pairs)| {
            list.clear();
            for &[a, b] in pairs {
                let first = list.len();
                let [one, two] =
                    [a, b].map(|index| (&contactors[index as usize].shape, &poses[index as usize]));
                let alert = margins[a as usize] + margins[b as usize];
                pairs::touch(one, two, alert, &mut |feature, point, normal, gap| {
                    let frame = frame_from_normal(&normal);
                    list.push(Touch { contactors: [a, b], feature, point, frame, gap });
                });
                list[first..].sort_unstable_by_key(|touch| touch.feature);
            }
        });
        gather(found, touches);
    }
}

/// Replaces `touches` by the lists one after the other, each copied by its own task.
fn gather<const D: usize>(lists: &[Vec<Touch<D>>], touches: &mut Vec<Touch<D>>) {
    let total = lists.iter().map(Vec::len).sum();
    match lists.iter().find_map(|list| list.first()) {
        Some(any) => touches.resize(total, *any),
        None => touches.clear(),
    }
    let mut rest = touches.as_mut_slice();
    let mut places = Vec::with_capacity(lists.len());
    for list in lists {
        let (place, after) = rest.split_at_mut(list.len());
        places.push(place);
        rest = after;
    }
    places.into_par_iter().zip(lists).for_each(|(place, list)| place.copy_from_slice(list));
}

/// Least height of a box above a plane; not a number for the box of a half-space.
fn lowest<const D: usize>(extent: &Extent<D>, normal: &Vector<D>, origin: &Vector<D>) -> f64 {
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
    use crate::Polytope;
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
