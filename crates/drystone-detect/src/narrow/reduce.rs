//! Flat patches reduced to few of their corners. It moves no point and makes none: what is kept keeps its
//! name, its place and its gap.
//!
//! A contact patch passes on a force and its two moments in the plane of the patch: all that its points can
//! do is push with a resultant through any place of their hull. So a reduction is as good as the hull it
//! leaves. Kept are
//!
//! - the two corners `A`, `B` farthest from each other,
//! - the corner farthest from the line `AB` on either side of it, `C` and `D`,
//! - as long as more are allowed, the corner farthest out of the hull of those kept,
//! - the deepest corner, where it is deeper than all of these.
//!
//! The patch then keeps its length and, across it, its breadth. As `AB` is the longest chord, the patch lies
//! in the rectangle of these sides, of which `ACBD` fills half: at least half of the area stays. And the
//! centroid of the patch is in the hull, so that an even pressure is passed on exactly. For on one side of
//! `AB = d` the patch contains the triangle `ABC`; beyond the side `CB` it has at most the triangle `T` of
//! `C`, `B` and the corner of the rectangle. About the line `CB` a triangle on it weighs a third of its
//! height times its area, both as its width along `AB`: `d` for `ABC`, at most `d` for `T`. The centroid is
//! thus on the side of `A`, likewise for `AC`, and that of the whole lies between those of its two sides.

use drystone_math::Vector;

use crate::ContactPoint;
use crate::narrow::solid::SQUARE;

/// Lengths that differ by less than this, relative to the patch, are equal, and the corner of lower name
/// stays: rounding must not exchange the points of a body at rest.
const EQUAL: f64 = 1e-6;
/// Fewest points of a patch.
pub(crate) const FEWEST: usize = 4;

/// Leaves of every flat patch at most `most` points, at least four, and its deepest one; see the top of this
/// file. A patch is what two contactors have in common along one normal, as
/// [`Detector::find`](crate::Detector::find) sorts it; points whose gaps differ by more than 0.02 of their
/// distance are no patch. In the plane a patch has two points already.
#[doc(alias = "manifold reduction")]
pub fn reduce_patches<const D: usize>(touches: &mut Vec<ContactPoint<D>>, most: usize) {
    if D == 2 {
        return;
    }
    let most = most.max(FEWEST);
    let mut patch = PatchChoice::default();
    let mut keep = vec![true; touches.len()];
    let mut first = 0;
    for run in touches.chunk_by(|a, b| (a.contactors, a.image) == (b.contactors, b.image)) {
        let flags = &mut keep[first..first + run.len()];
        first += run.len();
        if run.len() > most {
            patch.reduce_run(run, flags, most);
        }
    }
    let mut flags = keep.into_iter();
    touches.retain(|_| flags.next().unwrap_or(true));
}

/// One patch: buffers kept from one to the next.
#[derive(Default)]
struct PatchChoice<const D: usize> {
    /// Points of the run not yet in a patch.
    open: Vec<usize>,
    /// Ranks in the run.
    members: Vec<usize>,
    /// Places in the plane of the patch, from the first point.
    flat: Vec<Vector<D>>,
    gaps: Vec<f64>,
    kept: Vec<usize>,
}

impl<const D: usize> PatchChoice<D> {
    /// Reduces the patches of two contactors, one for each normal.
    fn reduce_run(&mut self, run: &[ContactPoint<D>], keep: &mut [bool], most: usize) {
        self.open.clear();
        self.open.extend(0..run.len());
        while let Some(&seed) = self.open.first() {
            let normal = run[seed].normal;
            self.members.clear();
            let members = &mut self.members;
            self.open.retain(|&k| {
                let same = (run[k].normal - normal).norm() <= 1e-9;
                if same {
                    members.push(k);
                }
                !same
            });
            if self.members.len() <= most {
                continue;
            }
            let origin = run[seed].point;
            let flatten = |&k: &usize| {
                let arm = run[k].point - origin;
                arm - normal * normal.dot(&arm)
            };
            self.flat.clear();
            self.flat.extend(self.members.iter().map(flatten));
            self.gaps.clear();
            self.gaps.extend(self.members.iter().map(|&k| run[k].gap));
            if self.choose(&normal, most) {
                self.members.iter().for_each(|&k| keep[k] = false);
                self.kept.iter().for_each(|&rank| keep[self.members[rank]] = true);
            }
        }
    }

    /// Fills `kept`; false if the points make no flat patch.
    fn choose(&mut self, normal: &Vector<D>, most: usize) -> bool {
        let count = self.flat.len();
        let mut ends = (0, 0, 0.0);
        for i in 0..count {
            for j in i + 1..count {
                let length = (self.flat[j] - self.flat[i]).norm();
                if length > ends.2 * (1.0 + EQUAL) {
                    ends = (i, j, length);
                }
            }
        }
        let (a, b, length) = ends;
        let low = self.gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if length == 0.0 || high - low > SQUARE * length {
            return false;
        }
        self.kept.clear();
        self.kept.extend([a, b]);
        let from = self.flat[a];
        let across = cross(normal, &((self.flat[b] - from) / length));
        for side in [1.0, -1.0] {
            let beyond = |k: usize| side * across.dot(&(self.flat[k] - from));
            if let Some(k) = farthest(0..count, beyond, EQUAL * length) {
                self.kept.push(k);
            }
        }
        while self.kept.len() < most {
            let Some(k) = farthest(0..count, |k| self.outside(k, normal), EQUAL * length) else { break };
            self.kept.push(k);
        }
        let above = self.kept.iter().map(|&k| self.gaps[k]).fold(f64::INFINITY, f64::min);
        if let Some(k) = farthest(0..count, |k| above - self.gaps[k], EQUAL * length) {
            self.kept.push(k);
        }
        true
    }

    /// How far a point is out of the hull of those kept.
    fn outside(&self, k: usize, normal: &Vector<D>) -> f64 {
        let point = self.flat[k];
        let mut most = f64::NEG_INFINITY;
        for &i in &self.kept {
            for &j in self.kept.iter().filter(|&&j| j != i) {
                let (from, along) = (self.flat[i], self.flat[j] - self.flat[i]);
                let Some(out) = cross(&along, normal).try_normalize(0.0) else { continue };
                // a side of the hull has all of them behind it
                let behind = |&other: &usize| out.dot(&(self.flat[other] - from)) <= 1e-12 * along.norm();
                if self.kept.iter().all(behind) {
                    most = most.max(out.dot(&(point - from)));
                }
            }
        }
        most
    }
}

/// The number with the largest value above `least`; of nearly equal ones the first.
fn farthest(range: std::ops::Range<usize>, value: impl Fn(usize) -> f64, least: f64) -> Option<usize> {
    let mut best = None;
    let mut most = least;
    for k in range {
        let found = value(k);
        if found > most {
            (best, most) = (Some(k), found * (1.0 + EQUAL));
        }
    }
    best
}

fn cross<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    Vector::from_fn(|i, _| {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        a[j] * b[k] - a[k] * b[j]
    })
}
