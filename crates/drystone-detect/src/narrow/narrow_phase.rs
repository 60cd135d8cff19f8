//! NarrowPhase detection of many pairs side by side, and their contacts in order. How two shapes touch is
//! told by the pair table.

use drystone_math::{Matrix, Pose, Vector};
use rayon::prelude::*;

use crate::broad::samplesort::{Order, Sorter, pieces};
use crate::broad::window::Near;
use crate::narrow::core::Placement;
use crate::narrow::separating_axis::SeparatingFaces;
use crate::narrow::spreads::Spreads;
use crate::narrow::{ball, pairs};
use crate::{ContactPoint, LEVEL_AXES};
use drystone_geometry::{Contactor, Polytope, Shape};

/// Contactors where they are.
pub(crate) struct Placed<'a, const D: usize> {
    pub contactors: &'a [Contactor<D>],
    pub poses: &'a [Pose<D>],
    pub margins: &'a [f64],
}

/// A contactor, and all that a pair of balls needs, side by side in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proxy<const D: usize> {
    centre: Vector<D>,
    /// Not a number unless it is a ball \[m\].
    radius: f64,
    margin: f64,
    pub index: u32,
    pub body: u32,
}

impl<const D: usize> Default for Proxy<D> {
    fn default() -> Self {
        Self { centre: Vector::zeros(), radius: f64::NAN, margin: 0.0, index: 0, body: 0 }
    }
}

impl<const D: usize> Proxy<D> {
    #[inline]
    pub fn of(contactor: &Contactor<D>, pose: &Pose<D>, margin: f64, index: u32) -> Self {
        let radius = if let Shape::Ball { radius } = contactor.shape { radius } else { f64::NAN };
        Self { centre: pose.position, radius, margin, index, body: contactor.body }
    }
}

/// No image.
const HERE: [i32; LEVEL_AXES] = [0; LEVEL_AXES];

/// Set in the first number of [`ContactSpan::what`] unless it is the rank of a ball: ranks stay below.
const LISTED: u32 = 1 << 31;

/// Contacts of one pair.
#[derive(Clone, Copy, Debug, Default)]
struct ContactSpan {
    contactors: [u32; 2],
    /// The ranks of two balls, whose contact is made where it belongs, not copied there; or, marked, whose
    /// list has the contacts and where their places are told.
    what: [u32; 2],
}

impl ContactSpan {
    /// The task that listed the contacts, and where it tells their places; none for balls.
    fn listed(&self) -> Option<[usize; 2]> {
        let [task, span] = self.what;
        (task & LISTED != 0).then_some([(task & !LISTED) as usize, span as usize])
    }
}

/// Runs by their contactors, a slot for each first one.
struct ByContactors {
    contactors: usize,
    /// A power of two in a block: a shift is quicker than a division.
    bits: u32,
}

impl ByContactors {
    fn of(contactors: usize) -> Self {
        let bits = (contactors / 256).clamp(512, 1 << 31).next_power_of_two().trailing_zeros();
        Self { contactors, bits }
    }
}

impl Order<ContactSpan> for ByContactors {
    type Key = u64;

    fn key(&self, span: &ContactSpan) -> u64 {
        u64::from(span.contactors[0]) << 32 | u64::from(span.contactors[1])
    }

    fn blocks(&self) -> usize {
        (self.contactors >> self.bits) + 1
    }

    fn block(&self, span: &ContactSpan, _: usize) -> usize {
        (span.contactors[0] >> self.bits) as usize
    }

    fn slots(&self) -> usize {
        1 << self.bits
    }

    fn slot(&self, span: &ContactSpan) -> usize {
        span.contactors[0] as usize & (self.slots() - 1)
    }
}

/// What one task found.
#[derive(Debug, Default)]
struct PairContacts<const D: usize> {
    touches: Vec<ContactPoint<D>>,
    /// Where the touches of each listed span end; those of the first begin at 0.
    ends: Vec<u32>,
    /// More than there are: the first `count` have a meaning.
    spans: Vec<ContactSpan>,
    count: usize,
    separating: SeparatingFaces,
    spreads: Spreads,
}

impl<const D: usize> AsRef<[ContactSpan]> for PairContacts<D> {
    fn as_ref(&self) -> &[ContactSpan] {
        &self.spans[..self.count]
    }
}

/// Contacts of all pairs, its buffers kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct NarrowPhase<const D: usize> {
    /// By rank.
    proxies: Vec<Proxy<D>>,
    /// By rank where a polytope is, of no meaning elsewhere; empty without polytopes.
    placements: Vec<Placement<D>>,
    found: Vec<PairContacts<D>>,
    tasks: usize,
    sorter: Sorter<ContactSpan>,
    starts: Vec<usize>,
}

impl<const D: usize> NarrowPhase<D> {
    /// Takes the contactors anew, by rank.
    pub fn set_proxies(&mut self, proxies: impl IndexedParallelIterator<Item = Proxy<D>>) {
        proxies.with_min_len(1024).collect_into_vec(&mut self.proxies);
    }

    /// Follows the contactors to where they are now.
    pub fn update_proxies(&mut self, placed: &Placed<D>) {
        self.proxies.par_iter_mut().with_min_len(1024).for_each(|proxy| {
            let index = proxy.index as usize;
            (proxy.centre, proxy.margin) = (placed.poses[index].position, placed.margins[index]);
        });
    }

    /// Finds the contacts of the pairs of each task, which `look` may first look for: what is near is then
    /// still in the cache. Pairs are of ranks.
    pub fn examine(
        &mut self,
        placed: &Placed<D>,
        near: &mut [Near<D>],
        look: &(impl Fn(usize, &mut Near<D>) + Sync),
    ) {
        self.place(placed);
        self.tasks = near.len();
        if self.found.len() < near.len() {
            self.found.resize_with(near.len(), PairContacts::default);
        }
        let (proxies, placements) = (&self.proxies, &self.placements);
        near.par_iter_mut().zip(&mut self.found).enumerate().for_each(|(task, (near, found))| {
            look(task, near);
            found.examine(task, placed, (proxies, placements), &near.pairs);
        });
    }

    /// Turns the orientations of polytopes into rotations, once for all their pairs.
    fn place(&mut self, placed: &Placed<D>) {
        self.placements.clear();
        if self.proxies.par_iter().with_min_len(4096).all(|proxy| !proxy.radius.is_nan()) {
            return;
        }
        let placement = |proxy: &Proxy<D>| {
            let index = proxy.index as usize;
            match placed.contactors[index].shape {
                Shape::Polytope(_) => Placement::of(&placed.poses[index]),
                _ => Placement { rotation: Matrix::zeros(), position: Vector::zeros() },
            }
        };
        let proxies = self.proxies.par_iter().with_min_len(1024);
        proxies.map(placement).collect_into_vec(&mut self.placements);
    }

    /// Replaces `spreads` by how contacts are spread over skins.
    pub fn gather_spreads(&self, spreads: &mut Spreads) {
        spreads.clear();
        let found = self.found[..self.tasks].iter().map(|found| &found.spreads);
        found.filter(|found| !found.is_empty()).for_each(|found| spreads.append(found));
        spreads.sort();
    }

    /// Replaces `touches` by the contacts sorted by contactors and feature.
    pub fn gather(&mut self, contactors: usize, touches: &mut Vec<ContactPoint<D>>) {
        let found = &self.found[..self.tasks];
        let order = ByContactors::of(contactors);
        self.sorter.scatter(found, &order);
        self.starts.clear();
        if found.iter().all(|found| found.ends.is_empty()) {
            // balls alone: a contact a span
            self.starts.extend_from_slice(self.sorter.starts());
        } else {
            let length =
                |span: &ContactSpan| span.listed().map_or(1, |[task, span]| found[task].span(span).len());
            let sorter = &self.sorter;
            let lengths = (0..order.blocks()).into_par_iter();
            let lengths = lengths.map(|block| sorter.scattered(block).map(length).sum());
            lengths.collect_into_vec(&mut self.starts);
            self.starts.push(0);
            let mut total = 0;
            for start in &mut self.starts {
                (total, *start) = (total + *start, total);
            }
        }
        let none = ContactPoint {
            contactors: [0; 2],
            image: HERE,
            feature: 0,
            point: Vector::zeros(),
            normal: Vector::zeros(),
            gap: 0.0,
        };
        touches.resize(self.starts[order.blocks()], none);
        let proxies = &self.proxies;
        self.sorter.finish(&order, pieces(touches, &self.starts), |spans, mut rest| {
            for span in spans {
                let listed = span.listed().map(|[task, span]| &found[task].touches[found[task].span(span)]);
                let (place, after) = rest.split_at_mut(listed.map_or(1, <[_]>::len));
                rest = after;
                if let Some(touches) = listed {
                    place.copy_from_slice(touches);
                    continue;
                }
                let [one, two] = span.what.map(|rank| &proxies[rank as usize]);
                one.meet(two, &mut |feature, point, normal, gap| {
                    place[0] = ContactPoint {
                        contactors: span.contactors,
                        image: HERE,
                        feature,
                        point,
                        normal,
                        gap,
                    };
                });
            }
        });
    }
}

/// The polytope of a shape that is one, and no piece of a solid.
fn lone<const D: usize>(shape: &Shape<D>) -> Option<&Polytope<D>> {
    match shape {
        Shape::Polytope(form) if form.neighbours().is_empty() => Some(form),
        _ => None,
    }
}

impl<const D: usize> Proxy<D> {
    /// The contact of two balls.
    fn meet(&self, other: &Self, emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64)) {
        let alert = self.margin + other.margin;
        ball::balls((self.radius, &self.centre), (other.radius, &other.centre), alert, emit);
    }

    /// Whether two balls have one.
    fn meets(&self, other: &Self) -> bool {
        let alert = self.margin + other.margin;
        ball::are_near((self.radius, &self.centre), (other.radius, &other.centre), alert)
    }
}

impl<const D: usize> PairContacts<D> {
    /// The places of the touches of one listed span.
    fn span(&self, span: usize) -> std::ops::Range<usize> {
        let start = if span == 0 { 0 } else { self.ends[span - 1] };
        start as usize..self.ends[span] as usize
    }

    fn examine(
        &mut self,
        task: usize,
        placed: &Placed<D>,
        (proxies, placements): (&[Proxy<D>], &[Placement<D>]),
        pairs: &[[u32; 2]],
    ) {
        self.touches.clear();
        self.ends.clear();
        self.spreads.clear();
        self.count = 0;
        if self.spans.len() < pairs.len() {
            self.spans.resize(pairs.len(), ContactSpan::default());
        }
        if !placements.is_empty() {
            self.separating.make_room(pairs.len());
        }
        for pair in pairs {
            let [one, two] = pair.map(|rank| &proxies[rank as usize]);
            let contactors = [one.index, two.index];
            if !(one.radius.is_nan() || two.radius.is_nan()) {
                // written over one another until one is near: no branch foretells which
                self.spans[self.count] = ContactSpan { contactors, what: *pair };
                self.count += usize::from(one.meets(two));
                continue;
            }
            let first = self.touches.len();
            let touches = &mut self.touches;
            let alert = one.margin + two.margin;
            let mut emit = |feature, point, normal, gap| {
                touches.push(ContactPoint { contactors, image: HERE, feature, point, normal, gap });
            };
            let [a, b] = contactors.map(|index| &placed.contactors[index as usize].shape);
            match (lone(a), lone(b)) {
                (Some(a), Some(b)) => {
                    let [at_a, at_b] = pair.map(|rank| &placements[rank as usize]);
                    let mut face = self.separating.face(contactors);
                    pairs::polytopes((a, at_a), (b, at_b), alert, &mut face, &mut emit);
                    self.separating.note(contactors, face);
                }
                _ => {
                    let [at_a, at_b] = contactors.map(|index| &placed.poses[index as usize]);
                    let (a, b) = ((a, at_a), (b, at_b));
                    match [a.0, b.0].iter().any(|shape| matches!(shape, Shape::Skin(_))) {
                        true => {
                            let spreads = (contactors, &mut self.spreads);
                            pairs::touch_with_skin(a, b, alert, spreads, &mut emit);
                        }
                        false => pairs::touch(a, b, alert, &mut emit),
                    }
                }
            }
            let count = self.touches.len() - first;
            if count > 1 {
                self.touches[first..].sort_unstable_by_key(|touch| touch.feature);
            }
            if count > 0 {
                self.spans[self.count] =
                    ContactSpan { contactors, what: [task as u32 | LISTED, self.ends.len() as u32] };
                self.count += 1;
                self.ends.push(self.touches.len() as u32);
            }
        }
    }
}
