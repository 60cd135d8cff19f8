//! Rough detection: which contactors are near each other. It knows boxes only; the pair table finds the contacts.

use drystone_math::Pose;

use crate::{Contactor, Shape, Touch, frame_from_normal, pairs};

/// Finds the contacts of many contactors, keeping its buffers from call to call.
#[derive(Debug, Default)]
pub struct Detector<const D: usize> {}

impl<const D: usize> Detector<D> {
    /// A detector with empty buffers.
    pub fn new() -> Self {
        Self {}
    }

    /// Replaces `touches` by all contacts whose gap is at most the sum of the two margins, sorted by contactors
    /// and feature: the same bits at any number of threads.
    ///
    /// `poses` and `margins` are those of the contactors, in world axes; `may_meet` is asked with indices of bodies;
    /// contactors of the same body never meet.
    pub fn find(
        &mut self,
        contactors: &[Contactor<D>],
        poses: &[Pose<D>],
        margins: &[f64],
        may_meet: &(dyn Fn(u32, u32) -> bool + Sync),
        touches: &mut Vec<Touch<D>>,
    ) {
        touches.clear();
        for i in 0..contactors.len() {
            for j in i + 1..contactors.len() {
                let (a, b) = if matches!(contactors[i].shape, Shape::HalfSpace) {
                    (j, i)
                } else {
                    (i, j)
                };
                let bodies = [contactors[a].body, contactors[b].body];
                if bodies[0] == bodies[1] || !may_meet(bodies[0], bodies[1]) {
                    continue;
                }
                let first = (&contactors[a].shape, &poses[a]);
                let second = (&contactors[b].shape, &poses[b]);
                pairs::touch(
                    first,
                    second,
                    margins[a] + margins[b],
                    &mut |feature, point, normal, gap| {
                        let frame = frame_from_normal(&normal);
                        touches.push(Touch {
                            contactors: [a as u32, b as u32],
                            feature,
                            point,
                            frame,
                            gap,
                        });
                    },
                );
            }
        }
        touches.sort_by_key(|touch| (touch.contactors, touch.feature));
    }
}
