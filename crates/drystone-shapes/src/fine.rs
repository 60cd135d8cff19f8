//! Fine detection of many pairs side by side, and their contacts in order. How two shapes touch is told by the pair table.

use drystone_math::{Matrix, Pose, Vector};
use rayon::prelude::*;

use crate::deal::{Order, Sorter, pieces};
use crate::facets::Placement;
use crate::rows::Place;
use crate::window::Near;
use crate::{Contactor, LEVEL_AXES, Polytope, Shape, Touch, ball, frame_from_normal, pairs};

/// Contactors where they are.
pub(crate) struct Placed<'a, const D: usize> {
    pub contactors: &'a [Contactor<D>],
    pub poses: &'a [Pose<D>],
    pub margins: &'a [f64],
}

/// What a pair of balls needs, side by side in memory.
#[derive(Clone, Copy, Debug)]
struct Ball<const D: usize> {
    centre: Vector<D>,
    /// Not a number for other shapes.
    radius: f64,
    margin: f64,
    index: u32,
}

/// No image.
const HERE: [i32; LEVEL_AXES] = [0; LEVEL_AXES];

/// In place of a task: two balls, whose contact is made where it belongs, not copied there.
const BALLS: u32 = u32::MAX;

/// Contacts of one pair.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    contactors: [u32; 2],
    /// Whose list has them.
    task: u32,
    /// The first of them in that list and how many, or the ranks of two balls.
    first: u32,
    count: u32,
}

impl Run {
    /// How many contacts.
    fn len(&self) -> usize {
        if self.task == BALLS { 1 } else { self.count as usize }
    }

    /// The order of pairs.
    fn key(&self) -> u64 {
        u64::from(self.contactors[0]) << 32 | u64::from(self.contactors[1])
    }
}

/// What one task found.
#[derive(Debug, Default)]
struct Found<const D: usize> {
    touches: Vec<Touch<D>>,
    runs: Vec<Run>,
}

impl<const D: usize> AsRef<[Run]> for Found<D> {
    fn as_ref(&self) -> &[Run] {
        &self.runs
    }
}

/// Contacts of all pairs, its buffers kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Fine<const D: usize> {
    /// By rank.
    balls: Vec<Ball<D>>,
    /// By rank where a polytope is, of no meaning elsewhere; empty without polytopes.
    placements: Vec<Placement<D>>,
    found: Vec<Found<D>>,
    tasks: usize,
    sorter: Sorter<Run>,
    starts: Vec<usize>,
}

impl<const D: usize> Fine<D> {
    /// Finds the contacts of the pairs of each task, which `look` may first look for: what is near is then still in the
    /// cache. Pairs are of ranks, `places` tells of which contactors.
    pub fn examine(
        &mut self,
        placed: &Placed<D>,
        places: &[Place],
        near: &mut [Near<D>],
        look: &(impl Fn(usize, &mut Near<D>) + Sync),
    ) {
        let ball = |place: &Place| {
            let index = place.index as usize;
            let shape = &placed.contactors[index].shape;
            let radius = if let Shape::Ball { radius } = shape { *radius } else { f64::NAN };
            Ball {
                centre: placed.poses[index].position,
                radius,
                margin: placed.margins[index],
                index: place.index,
            }
        };
        places.par_iter().with_min_len(1024).map(ball).collect_into_vec(&mut self.balls);
        self.place(placed, places);
        self.tasks = near.len();
        if self.found.len() < near.len() {
            self.found.resize_with(near.len(), Found::default);
        }
        let (balls, placements) = (&self.balls, &self.placements);
        near.par_iter_mut().zip(&mut self.found).enumerate().for_each(|(task, (near, found))| {
            look(task, near);
            found.examine(task, placed, (balls, placements), &near.pairs);
        });
    }

    /// Turns the orientations of polytopes into rotations, once for all their pairs.
    fn place(&mut self, placed: &Placed<D>, places: &[Place]) {
        self.placements.clear();
        if self.balls.par_iter().with_min_len(4096).all(|ball| !ball.radius.is_nan()) {
            return;
        }
        let placement = |place: &Place| {
            let index = place.index as usize;
            match placed.contactors[index].shape {
                Shape::Polytope(_) => Placement::of(&placed.poses[index]),
                _ => Placement { rotation: Matrix::zeros(), position: Vector::zeros() },
            }
        };
        places.par_iter().with_min_len(1024).map(placement).collect_into_vec(&mut self.placements);
    }

    /// Replaces `touches` by the contacts sorted by contactors and feature.
    pub fn gather(&mut self, contactors: usize, touches: &mut Vec<Touch<D>>) {
        let found = &self.found[..self.tasks];
        // a power of two in a block: a shift is quicker than a division
        let bits = (contactors / 256).clamp(512, 1 << 31).next_power_of_two().trailing_zeros();
        let mask = (1u32 << bits) - 1;
        self.sorter.sort(
            found,
            &Order {
                blocks: (contactors >> bits) + 1,
                slots: 1 << bits,
                block: |run: &Run, _| (run.contactors[0] >> bits) as usize,
                slot: |run: &Run| (run.contactors[0] & mask) as usize,
                key: Run::key,
            },
        );
        let runs = self.sorter.sorted();
        self.starts.clear();
        self.starts.push(0);
        let mut total = 0;
        for ends in self.sorter.starts().windows(2) {
            total += runs[ends[0]..ends[1]].iter().map(Run::len).sum::<usize>();
            self.starts.push(total);
        }
        let none = Touch {
            contactors: [0; 2],
            image: HERE,
            feature: 0,
            point: Vector::zeros(),
            frame: Matrix::zeros(),
            gap: 0.0,
        };
        touches.resize(total, none);
        let balls = &self.balls;
        let blocks = self.sorter.starts().par_windows(2);
        pieces(touches, &self.starts).zip(blocks).for_each(|(mut rest, ends)| {
            for run in &runs[ends[0]..ends[1]] {
                let (place, after) = rest.split_at_mut(run.len());
                rest = after;
                let first = run.first as usize;
                if run.task == BALLS {
                    let [one, two] = [first, run.count as usize].map(|rank| &balls[rank]);
                    one.meet(two, &mut |feature, point, normal, gap| {
                        let frame = frame_from_normal(&normal);
                        place[0] =
                            Touch { contactors: run.contactors, image: HERE, feature, point, frame, gap };
                    });
                } else {
                    place.copy_from_slice(&found[run.task as usize].touches[first..first + place.len()]);
                }
            }
        });
    }
}

/// The polytope of a shape that is one, and no piece of a solid.
fn lone<const D: usize>(shape: &Shape<D>) -> Option<&Polytope<D>> {
    match shape {
        Shape::Polytope(form) if form.neighbours.is_empty() => Some(form),
        _ => None,
    }
}

impl<const D: usize> Ball<D> {
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

impl<const D: usize> Found<D> {
    fn examine(
        &mut self,
        task: usize,
        placed: &Placed<D>,
        (balls, placements): (&[Ball<D>], &[Placement<D>]),
        pairs: &[[u32; 2]],
    ) {
        self.touches.clear();
        self.runs.clear();
        for pair in pairs {
            let [one, two] = pair.map(|rank| &balls[rank as usize]);
            let contactors = [one.index, two.index];
            if !(one.radius.is_nan() || two.radius.is_nan()) {
                if one.meets(two) {
                    self.runs.push(Run { contactors, task: BALLS, first: pair[0], count: pair[1] });
                }
                continue;
            }
            let first = self.touches.len();
            let touches = &mut self.touches;
            let alert = one.margin + two.margin;
            let mut emit = |feature, point, normal: Vector<D>, gap| {
                let frame = frame_from_normal(&normal);
                touches.push(Touch { contactors, image: HERE, feature, point, frame, gap });
            };
            let [a, b] = contactors.map(|index| &placed.contactors[index as usize].shape);
            match (lone(a), lone(b)) {
                (Some(a), Some(b)) => {
                    let [at_a, at_b] = pair.map(|rank| &placements[rank as usize]);
                    pairs::polytopes((a, at_a), (b, at_b), alert, &mut emit);
                }
                _ => {
                    let [at_a, at_b] = contactors.map(|index| &placed.poses[index as usize]);
                    pairs::touch((a, at_a), (b, at_b), alert, &mut emit);
                }
            }
            let count = self.touches.len() - first;
            if count > 1 {
                self.touches[first..].sort_unstable_by_key(|touch| touch.feature);
            }
            if count > 0 {
                let [task, first, count] = [task, first, count].map(|number| number as u32);
                self.runs.push(Run { contactors, task, first, count });
            }
        }
    }
}
