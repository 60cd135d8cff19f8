//! Contacts as force lines: one through the point where two bodies touch once, one along the resultant where
//! they touch along a face. Draws nothing.

use crate::geometry::{V3, add, dot, norm, scale, sub, unit, usable};
use crate::picture::{ForceSegment, Picture, Status};
use std::collections::BTreeMap;

/// Bodies this much larger than their partner have no centre worth showing.
const LARGER: f64 = 6.0;
/// Length of a stub on a body without such a centre, in radii of the smaller body.
const STUB: f64 = 0.4;
/// Half the length of the bar of a face, in radii of the smaller body.
const BAR: f64 = 0.34;

/// The force between two bodies as it is drawn.
pub(crate) struct Carried {
    /// Where it passes: of a face, the centre of pressure `Σ |N_i| x_i / Σ |N_i|` \[m\].
    pub point: V3,
    /// The line, in world axes \[m\].
    pub line: Vec<V3>,
    pub slips: bool,
    /// Norm of the resultant \[N\].
    pub force: f64,
}

/// The sums over the contacts of two bodies.
struct PairSum<'a> {
    first: &'a ForceSegment,
    contacts: usize,
    force: V3,
    /// Normals and places, each by its normal force.
    normal: V3,
    moment: V3,
    weight: f64,
    slips: bool,
}

/// One line for each pair of bodies, weakest first. `radii` are of the bodies that have an end \[m\].
pub(crate) fn carried(picture: &Picture, radii: &BTreeMap<u32, f64>, mean_size: f64) -> Vec<Carried> {
    let mut joints: BTreeMap<[u32; 2], PairSum> = BTreeMap::new();
    for contact in &picture.contacts {
        let Some(normal) = unit(contact.normal) else { continue };
        let push = dot(contact.force, normal);
        if !usable(contact.point) || !usable(contact.force) || push == 0.0 {
            continue;
        }
        let [a, b] = contact.bodies;
        let joint = joints.entry([a.min(b), a.max(b)]).or_insert_with(|| PairSum::new(contact));
        // the same way round as the first
        let sign = if contact.bodies == joint.first.bodies { 1.0 } else { -1.0 };
        joint.contacts += 1;
        joint.force = add(joint.force, scale(contact.force, sign));
        joint.normal = add(joint.normal, scale(normal, sign * push.abs()));
        joint.moment = add(joint.moment, scale(sub(contact.point, joint.first.point), push.abs()));
        joint.weight += push.abs();
        joint.slips |= contact.status == Status::Slip;
    }
    let mut all: Vec<Carried> = joints.values().filter_map(|joint| joint.carried(radii, mean_size)).collect();
    all.sort_by(|a, b| a.force.total_cmp(&b.force));
    all
}

impl<'a> PairSum<'a> {
    fn new(first: &'a ForceSegment) -> PairSum<'a> {
        let zero = [0.0; 3];
        PairSum { first, contacts: 0, force: zero, normal: zero, moment: zero, weight: 0.0, slips: false }
    }

    fn carried(&self, radii: &BTreeMap<u32, f64>, mean_size: f64) -> Option<Carried> {
        let point = add(self.first.point, scale(self.moment, 1.0 / self.weight));
        let (force, normal) = (norm(self.force), unit(self.normal)?);
        let radius = self.first.bodies.map(|body| radii.get(&body).copied().unwrap_or(f64::INFINITY));
        let smaller = radius[0].min(radius[1]);
        let line = if self.contacts > 1 {
            let half = scale(unit(self.force)?, BAR * smaller.min(2.0 * mean_size));
            vec![sub(point, half), add(point, half)]
        } else {
            let centres = self.first.centres.map(|centre| centre.filter(|centre| usable(*centre)));
            let stub = STUB * smaller.min(mean_size);
            // the normal points into the first body
            let end = |own: usize, sign: f64| match centres[own] {
                Some(centre) if radius[own] < LARGER * radius[1 - own] || radius[own].is_infinite() => centre,
                _ => add(point, scale(normal, sign * stub)),
            };
            vec![end(0, 1.0), point, end(1, -1.0)]
        };
        (force > 0.0 && force.is_finite()).then_some(Carried { point, line, slips: self.slips, force })
    }
}
