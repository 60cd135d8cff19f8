//! The admissible impulses of one contact while its thresholds of friction are held: a half-line and one or
//! two disks, or a linear space. Knows no law: what the thresholds should be is the set's.

use drystone_problem::{Set, Vector};
use std::ops::Range;

/// An impulse this close to the border of its disk, relative to the radius, is on it.
const BORDER: f64 = 1e-12;

/// The components of a contact and what they are held to.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Whether the normal may only push.
    unilateral: bool,
    /// Where the second and the third disk begin; the first one begins at `first`.
    split: [usize; 2],
    first: usize,
    radii: [f64; 3],
}

impl Held {
    /// The thresholds that belong to an impulse.
    pub fn new<const D: usize>(set: &Set, x: &Vector<D>) -> Self {
        let [sliding, rolls, twists] = set.frictions::<D>();
        let (first, split) = (sliding.start, [rolls.start, twists.start]);
        match *set {
            // held components know no bound, the others no impulse
            Set::Bilateral { rows } => {
                let split = [rows.clamp(1, D), D];
                Self { unilateral: false, split, first: 1, radii: [f64::INFINITY, 0.0, 0.0] }
            }
            Set::Rolling { rolling, twisting, .. } => {
                let radii = [set.threshold(x[0]), rolling * x[0], twisting.unwrap_or(0.0) * x[0]];
                Self { unilateral: true, split, first, radii }
            }
            Set::Bearing { .. } => {
                let borne = (0..first).map(|i| x[i] * x[i]).sum::<f64>().sqrt();
                Self { unilateral: false, split, first, radii: [set.threshold(borne); 3] }
            }
            _ => Self { unilateral: true, split, first, radii: [set.threshold(x[0]), 0.0, 0.0] },
        }
    }

    fn parts<const D: usize>(&self) -> [(Range<usize>, f64); 3] {
        let [second, third] = self.split;
        [(self.first..second, self.radii[0]), (second..third, self.radii[1]), (third..D, self.radii[2])]
    }

    /// The nearest admissible impulse.
    pub fn project<const D: usize>(&self, x: &Vector<D>) -> Vector<D> {
        let mut projected = *x;
        if self.unilateral {
            projected[0] = x[0].max(0.0);
        }
        for (part, radius) in self.parts::<D>() {
            let length = part.clone().map(|i| x[i] * x[i]).sum::<f64>().sqrt();
            if length > radius {
                let factor = if radius > 0.0 { radius / length } else { 0.0 };
                part.for_each(|i| projected[i] *= factor);
            }
        }
        projected
    }

    /// The part of a direction that does not leave the set at `x`: the normal only grows where it is zero,
    /// and on the border of a disk friction turns or falls.
    pub fn face<const D: usize>(&self, x: &Vector<D>, direction: &Vector<D>) -> Vector<D> {
        let mut kept = *direction;
        if self.unilateral && x[0] <= 0.0 {
            kept[0] = kept[0].max(0.0);
        }
        for (part, radius) in self.parts::<D>() {
            if radius.is_nan() || radius <= 0.0 {
                part.for_each(|i| kept[i] = 0.0);
                continue;
            }
            let square: f64 = part.clone().map(|i| x[i] * x[i]).sum();
            let outward: f64 = part.clone().map(|i| x[i] * direction[i]).sum();
            if outward > 0.0 && square.sqrt() >= radius * (1.0 - BORDER) {
                part.for_each(|i| kept[i] -= x[i] * outward / square);
            }
        }
        kept
    }

    /// The square of the change of friction that other thresholds would make: none where friction is below
    /// both.
    pub fn change<const D: usize>(&self, other: &Self, x: &Vector<D>) -> f64 {
        let mut change = 0.0;
        for (k, (part, radius)) in self.parts::<D>().into_iter().enumerate() {
            let length = part.map(|i| x[i] * x[i]).sum::<f64>().sqrt();
            let least = radius.min(other.radii[k]);
            if length >= least * (1.0 - BORDER) && other.radii[k] != radius {
                change += (other.radii[k] - radius).powi(2);
            }
        }
        change
    }
}
