//! Impacts taken at the moment of touch. Bodies that came to overlap since the last middle configuration are
//! moved back to where they met, and their contacts found there anew. It assembles nothing and moves no body
//! for good.
//!
//! At the middle configuration bodies overlap by up to `h |u_N|`: arms that end half way between the two
//! surfaces are too short by half of that, and the normal of round or turning bodies has turned on, so that
//! the impulse and the spin of a shock would be off by O(h). With `τ = g / u_N`, the time since the touch,
//! the bodies stood at `q_m − τ v_begin`; there the arms end on both surfaces, and what is left is of the
//! order of h².
//!
//! A shock at that place keeps the angular momentum about it. It is kept on the way of the scheme, too, if
//! the bodies go on from there with their new velocities, that is, are farther by `τ M⁻¹ Hᵀ r` at the end of
//! the step. Two bodies alone are moved so; their centre of mass, and with it their energy in a field of
//! gravity, does not notice. A body that is driven takes up any moment, so that nothing has to be moved.
//! Where more bodies or ties take part each contact would have its own moment, and the moves would undo each
//! other: those shocks stay at the middle configuration.

use crate::StepContext;
use crate::context::image_of;
use drystone_bulk::{Bulk, coast};
use drystone_detect::{ContactPoint, contact_points_of_pair};
use drystone_math::Pose;
use drystone_math::per_dof::norm;

/// Overlaps below this, relative to the smaller body, change no arm worth mentioning.
const SHALLOW: f64 = 1e-11;
/// A contact is new if it was open a step before; this much longer ago, relative to the step, since bodies
/// turn on the way.
const SINCE: f64 = 1.01;
/// Gap, relative to the smaller body, at which bodies touch, and how often the moment is sought with Newton's
/// method.
const CLOSED: f64 = 1e-13;
const ROUNDS: u32 = 5;

/// The touches of a step, those of impacts at the moment of touch.
pub(crate) struct Impacts<const D: usize> {
    /// By increasing identity; the gaps are those of the middle configuration.
    pub touches: Vec<ContactPoint<D>>,
    /// How long before the middle configuration each of them is taken \[s\], 0 for all but impacts.
    pub early: Vec<f64>,
}

/// The touches with impacts at their moment of touch; none where there are no impacts.
pub(crate) fn at_touch<const D: usize>(
    step: &StepContext<D>,
    touches: &[ContactPoint<D>],
) -> Option<Impacts<D>> {
    if !step.laws.have_impacts() {
        return None;
    }
    let same = |a: &ContactPoint<D>, b: &ContactPoint<D>| (a.contactors, a.image) == (b.contactors, b.image);
    // a deformable body has no place to go back to
    let soft = |run: &[ContactPoint<D>]| bodies_of(step, &run[0]).into_iter().any(|body| step.is_soft(body));
    // nor has one that was smaller then
    let grows =
        |run: &[ContactPoint<D>]| bodies_of(step, &run[0]).iter().any(|&body| step.growth_of(body) > 0.0);
    let since = |run: &[ContactPoint<D>]| if soft(run) || grows(run) { 0.0 } else { since_touch(step, run) };
    let early: Vec<f64> = touches.chunk_by(same).map(since).collect();
    if early.iter().all(|&early| early == 0.0) {
        return None;
    }
    let company = company(step, touches);
    let mut all = Impacts { touches: Vec::with_capacity(touches.len()), early: Vec::new() };
    for (run, early) in touches.chunk_by(same).zip(early) {
        let [a, b] = bodies_of(step, &run[0]);
        let alone = step.bodies.is_driven(a) || step.bodies.is_driven(b) || company[a].max(company[b]) < 2;
        let found = if early > 0.0 && alone { again(step, run, early) } else { None };
        let early = match found {
            Some((found, early)) => {
                all.touches.extend(found);
                early
            }
            None => {
                all.touches.extend_from_slice(run);
                0.0
            }
        };
        all.early.resize(all.touches.len(), early);
    }
    Some(all)
}

/// Where the two bodies of a touch stand, so long before the middle configuration.
pub(crate) fn poses_of<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    early: f64,
) -> [Pose<D>; 2] {
    let [a, b] = bodies_of(step, touch);
    let poses = [step.middle[a], image_of(&step.middle[b], step.cell.as_ref(), touch)];
    if early == 0.0 {
        return poses;
    }
    let back =
        |body: usize, pose: &Pose<D>| coast(step.bodies, body, (pose, &step.bodies.velocity[body]), -early).0;
    [back(a, &poses[0]), back(b, &poses[1])]
}

fn bodies_of<const D: usize>(step: &StepContext<D>, touch: &ContactPoint<D>) -> [usize; 2] {
    touch.contactors.map(|contactor| step.contactors[contactor as usize].body as usize)
}

/// Of each body the number of pairs of contactors that touch, and of ties.
fn company<const D: usize>(step: &StepContext<D>, touches: &[ContactPoint<D>]) -> Vec<u32> {
    let mut company = vec![0; step.bodies.len()];
    let same = |a: &ContactPoint<D>, b: &ContactPoint<D>| (a.contactors, a.image) == (b.contactors, b.image);
    for run in touches.chunk_by(same).filter(|run| run.iter().any(|touch| touch.gap <= 0.0)) {
        bodies_of(step, &run[0]).into_iter().for_each(|body| company[body] += 1);
    }
    for tie in step.ties.list() {
        let bodies = tie.bodies.iter().flatten().map(|body| body.0 as usize);
        bodies.filter(|&body| body < step.bodies.len()).for_each(|body| company[body] += 2);
    }
    company
}

/// How long ago the contactors of a run of touches met \[s\]: 0 if they do not overlap, or have done so for
/// longer than a step.
fn since_touch<const D: usize>(step: &StepContext<D>, run: &[ContactPoint<D>]) -> f64 {
    let at @ [a, b] = bodies_of(step, &run[0]);
    let deepest = run.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
    let size = step.bodies.radius[a].min(step.bodies.radius[b]);
    if deepest <= SHALLOW * size || deepest > SINCE * step.h * (fastest(step, a) + fastest(step, b)) {
        return 0.0;
    }
    let [group_a, group_b] = at.map(|body| step.bodies.group[body]);
    if !step.laws.between(group_a, group_b).is_some_and(|entry| entry.law.is_impact()) {
        return 0.0;
    }
    let mut since = 0.0_f64;
    for touch in run.iter().filter(|touch| touch.gap < 0.0) {
        let speed = -normal_velocity(step, touch, &poses_of(step, touch, 0.0));
        // on its way out again, it is not what this step is about
        if speed > 0.0 {
            since = since.max(-touch.gap / speed);
        }
    }
    if since <= SINCE * step.h { since } else { 0.0 }
}

/// Speed that no point of a body exceeds.
fn fastest<const D: usize>(step: &StepContext<D>, body: usize) -> f64 {
    let (velocity, radius) = (&step.bodies.velocity[body], step.bodies.radius[body]);
    let spin = norm(&velocity[D..]);
    norm(&velocity[..D]) + if spin > 0.0 { spin * radius } else { 0.0 }
}

/// Normal part of the relative velocity at the beginning of the step, for given places of the bodies.
fn normal_velocity<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    poses: &[Pose<D>; 2],
) -> f64 {
    let [a, b] = bodies_of(step, touch);
    let frame = touch.frame();
    let velocity = |body: usize, pose: &Pose<D>| -> f64 {
        step.bodies.jacobian(body, &frame, &touch.point, pose).times(&step.bodies.velocity[body])[0]
    };
    velocity(a, &poses[0]) - velocity(b, &poses[1])
}

/// The contacts of a pair at the moment of touch, about so long ago, with the gaps that they have come to
/// since; and how long ago that was. None where nothing is found there.
fn again<const D: usize>(
    step: &StepContext<D>,
    run: &[ContactPoint<D>],
    mut early: f64,
) -> Option<(Vec<ContactPoint<D>>, f64)> {
    let now = poses_of(step, &run[0], 0.0);
    // what overlaps now was so far apart
    let before = |touch: &ContactPoint<D>| touch.gap - early * normal_velocity(step, touch, &now);
    let reach = run.iter().filter(|touch| touch.gap < 0.0).map(before).fold(0.0, f64::max);
    let [a, b] = bodies_of(step, &run[0]);
    let size = step.bodies.radius[a].min(step.bodies.radius[b]);
    let deepest = run.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
    let alert = 1.5 * reach + 0.1 * deepest;
    let speed = deepest / early;
    for round in 0..ROUNDS {
        let poses = poses_of(step, &run[0], early);
        let [one, two] = [0, 1].map(|side| {
            let contactor = &step.contactors[run[0].contactors[side] as usize];
            (&contactor.shape, poses[side].compose(&contactor.local))
        });
        let mut found = contact_points_of_pair(one, two, alert, &run[0]);
        let least = found.iter().min_by(|one, two| one.gap.total_cmp(&two.gap));
        // ridges and corners that meet exactly have no normal at the touch
        let least = least?;
        let rate = -normal_velocity(step, least, &poses);
        let off = least.gap;
        if off.abs() > CLOSED * size && round + 1 < ROUNDS && rate > 0.1 * speed {
            early -= off / rate;
            continue;
        }
        let known = |touch: &ContactPoint<D>| run.iter().find(|other| other.feature == touch.feature);
        // what a patch was reduced to it stays
        if found.iter().any(|touch| known(touch).is_some()) {
            found.retain(|touch| known(touch).is_some());
        }
        for touch in &mut found {
            touch.gap = match known(touch) {
                Some(known) => known.gap,
                None => touch.gap + early * normal_velocity(step, touch, &poses),
            };
        }
        let sound = (0.0..=SINCE * SINCE * step.h).contains(&early) && off.abs() <= 0.1 * deepest;
        return (sound && found.iter().any(|touch| touch.gap <= 0.0)).then_some((found, early));
    }
    None
}
