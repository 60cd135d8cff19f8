//! Surfaces that move because bodies grow: what that adds to relative velocities at contacts. Makes no body
//! larger.
//!
//! A body whose lengths are `s(t)` times what they were moves its surface, seen from its centre of mass, with
//! `κ a`, `κ = ṡ/s` and `a` the arm to the point of the surface. Where `κ` is a difference of `s` from one
//! middle configuration to the next, over the step and the `s` of this one, gaps follow to the last digit.

use crate::context::image_of;
use crate::{Interaction, StepContext};
use drystone_detect::ContactPoint;
use drystone_math::{Pose, Vector};

impl<const D: usize> StepContext<'_, D> {
    /// How fast a body grows, relative to its size \[1/s\].
    pub(crate) fn growth_of(&self, body: usize) -> f64 {
        self.growth
            .map_or(0.0, |growth| growth.of(body).into_iter().fold(0.0, |most, rate| rate.abs().max(most)))
    }

    /// What growth adds to the relative velocity at a touch as the step begins and as it ends, in the frame
    /// \[m/s\]; none where nothing grows.
    pub(crate) fn growing(&self, touch: &ContactPoint<D>) -> Option<[Vector<D>; 2]> {
        let growth = self.growth?;
        let [a, b] = touch.contactors.map(|contactor| self.contactors[contactor as usize].body as usize);
        let (one, two) = (growth.of(a), growth.of(b));
        let arm = |pose: Pose<D>| touch.point - pose.position;
        let arms = [arm(self.middle[a]), arm(image_of(&self.middle[b], self.cell.as_ref(), touch))];
        // the point lies half way between the two surfaces
        let (frame, half) = (touch.frame(), touch.normal * (0.5 * touch.gap));
        let at = |end: usize| frame.tr_mul(&((arms[0] + half) * one[end] - (arms[1] - half) * two[end]));
        Some([at(0), at(1)])
    }

    /// What a contact did against the growth of its bodies \[J\], its impulse with the mean velocity that
    /// growth adds.
    pub fn work_of_growth(&self, contact: &Interaction<D>) -> f64 {
        let touch = ContactPoint {
            contactors: contact.id.contactors,
            image: contact.id.image,
            feature: contact.id.feature,
            point: contact.point,
            normal: contact.frame.column(0).into_owned(),
            gap: contact.gap,
        };
        self.growing(&touch).map_or(0.0, |[begin, end]| contact.r.dot(&(begin + end)) * 0.5)
    }
}
