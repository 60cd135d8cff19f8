//! Which touch is which, and which contact of the last step it goes on from. Moves nothing, and leaves the
//! impulses to the assembly.

use crate::Laws;
use drystone_detect::ContactPoint;
use drystone_geometry::Contactor;
use drystone_state::{Bodies, ContactId, ContactMemory};

/// How far a contact may jump and still be found under another name, relative to the radius of the smaller
/// body.
const JUMP: f64 = 0.1;

/// The identity of a touch.
pub(crate) fn id_of<const D: usize>(touch: &ContactPoint<D>) -> ContactId {
    ContactId { contactors: touch.contactors, image: touch.image, feature: touch.feature }
}

/// Whether a touch is of a body with itself.
pub(crate) fn is_own<const D: usize>(touch: &ContactPoint<D>) -> bool {
    touch.contactors[0] == touch.contactors[1]
}

/// For every touch the contact of the last step it goes on from, and the energy that was stored in those
/// nobody goes on from \[J\].
///
/// Features change their names where corners pass each other: a corner of one face over another, a moment
/// later the other way round. An impulse may be lost at such a moment, a bond may not. Where the law keeps
/// variables, what has no partner of its name is matched with the nearest of the same two contactors that has
/// none either.
pub(crate) fn partners<const D: usize>(
    touches: &[ContactPoint<D>],
    memory: &[ContactMemory<D>],
    bodies: &Bodies<D>,
    contactors: &[Contactor<D>],
    laws: &Laws<D>,
) -> (Vec<Option<usize>>, f64) {
    let named = |touch: &ContactPoint<D>| memory.binary_search_by_key(&id_of(touch), |kept| kept.id).ok();
    let mut partners: Vec<Option<usize>> = touches.iter().map(named).collect();
    let mut taken = vec![false; memory.len()];
    partners.iter().flatten().for_each(|&kept| taken[kept] = true);
    let mut start = 0;
    while start < touches.len() {
        let pair = (touches[start].contactors, touches[start].image);
        let same = |touch: &&ContactPoint<D>| (touch.contactors, touch.image) == pair;
        let end = start + touches[start..].iter().take_while(same).count();
        let [a, b] = pair.0.map(|contactor| contactors[contactor as usize].body as usize);
        let keeps = laws.between(bodies.group[a], bodies.group[b]).is_some_and(|law| law.keeps());
        if keeps && partners[start..end].contains(&None) {
            let from = memory.partition_point(|kept| (kept.id.contactors, kept.id.image) < pair);
            let to = memory.partition_point(|kept| (kept.id.contactors, kept.id.image) <= pair);
            let farthest = JUMP * bodies.radius[a].min(bodies.radius[b]);
            let mut near = Vec::new();
            for touch in (start..end).filter(|&touch| partners[touch].is_none()) {
                for kept in (from..to).filter(|&kept| !taken[kept]) {
                    let distance = (touches[touch].point - memory[kept].point).norm();
                    if distance <= farthest {
                        near.push((distance, touch, kept));
                    }
                }
            }
            near.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
            for (_, touch, kept) in near {
                if partners[touch].is_none() && !taken[kept] {
                    partners[touch] = Some(kept);
                    taken[kept] = true;
                }
            }
        }
        start = end;
    }
    let lost = memory.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(kept, _)| kept.stored).sum();
    (partners, lost)
}
