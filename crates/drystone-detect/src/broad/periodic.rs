//! Contacts across the seam of a periodic cell. It knows images; how two shapes touch, and which are near
//! each other, it leaves to the detector.
//!
//! Every contactor is brought into the cell, by whole periods. Where two contactors touch, one of them may
//! have to be an image, `m` periods away from its place in the cell; seen from the other the first is then
//! `-m` periods away. Of these two ways to see one contact the one with the positive `m` counts (the first
//! number of `m` that is not zero is positive), so that it is found once: contactors at their places meet
//! each other and images with positive `m`, images do not meet each other. An image is made where its box
//! reaches the boxes of those at their places.

use drystone_math::{Pose, Vector};

use crate::broad::cell::{Cell, LEVEL_AXES};
use crate::{ContactPoint, Detector};
use drystone_geometry::aabb::{Aabb, aabb};
use drystone_geometry::{Contactor, Shape};

/// Most periods that an image may be away. More are asked for only by bodies that pass through the whole cell
/// in one step.
const FARTHEST: i32 = 3;

/// A contactor at its place, or an image of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Image {
    contactor: u32,
    /// Periods from where the contactor is.
    periods: [i32; LEVEL_AXES],
    /// Whether it is in the cell.
    at_home: bool,
}

/// Finds the contacts of many contactors in a periodic cell, keeping its buffers from call to call.
#[derive(Debug)]
pub struct PeriodicDetector<const D: usize> {
    cell: Cell<D>,
    detector: Detector<D>,
    /// In the order of the contactors, so that the lower index is the candidate whichever of the two is an
    /// image.
    images: Vec<Image>,
    contactors: Vec<Contactor<D>>,
    poses: Vec<Pose<D>>,
    margins: Vec<f64>,
    found: Vec<ContactPoint<D>>,
    seam: Vec<ContactPoint<D>>,
}

impl<const D: usize> PeriodicDetector<D> {
    /// A detector with empty buffers.
    pub fn new(cell: Cell<D>) -> Self {
        Self {
            cell,
            detector: Detector::new(),
            images: Vec::new(),
            contactors: Vec::new(),
            poses: Vec::new(),
            margins: Vec::new(),
            found: Vec::new(),
            seam: Vec::new(),
        }
    }

    /// As [`Detector::find`], with the contacts across the seam. The point of a contact is where the
    /// candidate is, not an image of it; `image` of a touch tells by how many periods the antagonist is moved
    /// to touch it there. Contacts are sorted by contactors, image and feature.
    pub fn find(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        touches: &mut Vec<ContactPoint<D>>,
    ) {
        self.place(contactors, poses, margins);
        // bodies of images are numbered behind those at home
        let bodies = contactors.iter().map(|contactor| contactor.body + 1).max().unwrap_or(1);
        self.contactors.clear();
        self.contactors.extend(self.images.iter().map(|image| {
            let mut one = contactors[image.contactor as usize].clone();
            one.body += if image.at_home { 0 } else { bodies };
            one
        }));
        let meet = |a: u32, b: u32| {
            let [one, two] = [a % bodies, b % bodies];
            (a < bodies || b < bodies) && one != two && may_meet(one, two)
        };
        self.detector.find(&self.contactors, &self.poses, &self.margins, &meet, &mut self.found);
        self.name(touches);
    }

    /// Brings all contactors into the cell and makes the images that something may meet.
    fn place(&mut self, contactors: &[Contactor<D>], poses: &[Pose<D>], margins: &[f64]) {
        self.images.clear();
        self.poses.clear();
        self.margins.clear();
        let home = |contactor: usize| match contactors[contactor].shape {
            Shape::HalfSpace => [0; LEVEL_AXES],
            _ => self.cell.turns(&poses[contactor].position).map(|turns| -turns),
        };
        let boxed = |contactor: usize| {
            let shift = self.cell.shift(home(contactor));
            let own = aabb(&contactors[contactor].shape, &poses[contactor], margins[contactor]);
            Aabb { low: own.low + shift, high: own.high + shift }
        };
        let boxes: Vec<Aabb<D>> = (0..contactors.len()).map(boxed).collect();
        let none = (Vector::<D>::repeat(f64::INFINITY), Vector::<D>::repeat(f64::NEG_INFINITY));
        let join =
            |(low, high): (Vector<D>, Vector<D>), one: &Aabb<D>| (low.inf(&one.low), high.sup(&one.high));
        let (low, high) = boxes.iter().filter(|one| one.is_finite()).fold(none, join);
        let all = Aabb { low, high };
        for (contactor, own) in boxes.iter().enumerate() {
            let home = home(contactor);
            let mut add = |moved: [i32; LEVEL_AXES]| {
                let periods = std::array::from_fn(|axis| home[axis] + moved[axis]);
                let image = Image { contactor: contactor as u32, periods, at_home: moved == [0; LEVEL_AXES] };
                let position = poses[contactor].position + self.cell.shift(periods);
                self.images.push(image);
                self.poses.push(Pose { position, ..poses[contactor] });
                self.margins.push(margins[contactor]);
            };
            add([0; LEVEL_AXES]);
            if own.is_finite() {
                let [first, second] = self.cell.within(own, &all);
                for x in 0..=first[1] {
                    for y in if x == 0 { 1 } else { second[0] }..=second[1] {
                        add([x, y]);
                    }
                }
            }
        }
    }

    /// Gives the contacts their names and their places, in order.
    fn name(&mut self, touches: &mut Vec<ContactPoint<D>>) {
        self.seam.clear();
        touches.clear();
        for found in &self.found {
            let [one, two] = found.contactors.map(|index| self.images[index as usize]);
            let endless = matches!(self.contactors[found.contactors[1] as usize].shape, Shape::HalfSpace);
            // a half-space is its own image, and meets the image of another where it meets the other
            if endless && !one.at_home {
                continue;
            }
            let between = std::array::from_fn(|axis| two.periods[axis] - one.periods[axis]);
            let touch = ContactPoint {
                contactors: [one.contactor, two.contactor],
                image: if endless { [0; LEVEL_AXES] } else { between },
                point: found.point - self.cell.shift(one.periods),
                ..*found
            };
            if one.at_home && two.at_home { touches.push(touch) } else { self.seam.push(touch) }
        }
        self.seam.sort_unstable_by_key(name);
        merge(touches, &self.seam);
    }
}

impl<const D: usize> Cell<D> {
    /// From which to which period along each level axis a box may be moved and still meet another.
    fn within(&self, own: &Aabb<D>, other: &Aabb<D>) -> [[i32; 2]; LEVEL_AXES] {
        let mut ranges = [[0; 2]; LEVEL_AXES];
        for (axis, period) in self.periods() {
            let low = ((other.low[axis] - own.high[axis]) / period).ceil() as i32;
            let high = ((other.high[axis] - own.low[axis]) / period).floor() as i32;
            ranges[axis] = [low.max(-FARTHEST), high.min(FARTHEST)];
        }
        ranges
    }
}

/// The order of contacts.
fn name<const D: usize>(touch: &ContactPoint<D>) -> ([u32; 2], [i32; LEVEL_AXES], u64) {
    (touch.contactors, touch.image, touch.feature)
}

/// Puts more sorted contacts among sorted ones, from the end.
fn merge<const D: usize>(touches: &mut Vec<ContactPoint<D>>, more: &[ContactPoint<D>]) {
    let mut left = touches.len();
    touches.extend_from_slice(more);
    let mut rest = more.len();
    while rest > 0 {
        let place = left + rest - 1;
        if left > 0 && name(&touches[left - 1]) > name(&more[rest - 1]) {
            left -= 1;
            touches[place] = touches[left];
        } else {
            rest -= 1;
            touches[place] = more[rest];
        }
    }
}
