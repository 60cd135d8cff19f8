//! What becomes of the relative velocity at a contact until the end of the step because the contact moves
//! over the bodies. Knows no law.
//!
//! Contacts are sought at the middle configuration, laws hold for velocities at the end of the step. A disk
//! that runs round on its rim has another of its particles on the floor by then: holding the one of the
//! middle configuration would be late by half a step, an error of first order in rolling. With the velocity
//! `ċ` of the contact point, `u_T` at the end is
//!
//! `u_T + θ h t · [ω × (ċ − v) + ω̇ × a]`,
//!
//! taken for both bodies, `ω̇` that of a body that coasts. It vanishes for balls that roll straight on, and
//! at rest.

use crate::StepContext;
use drystone_bulk::particle_rate;
use drystone_detect::ContactPoint;
use drystone_laws::Change;
use drystone_math::{Pose, Vector};
use drystone_state::ContactMemory;

/// Farthest that a contact moves in a step and is taken for the same, relative to its distance from the
/// centre of mass: beyond it a step does not resolve the motion, or another corner took over.
const SMOOTH: f64 = 0.1;

/// Lets a law that holds for tangential velocities hold for those at the end of the step, where the contact
/// pressed in the last step and went on smoothly.
pub(crate) fn hold_at_end<const D: usize>(
    step: &StepContext<D>,
    touch: &ContactPoint<D>,
    poses: &[Pose<D>; 2],
    kept: Option<&ContactMemory<D>>,
    change: &mut Change<D>,
) {
    let zero = |vector: &Vector<D>, from: usize| vector.rows_range(from..).iter().all(|&x| x == 0.0);
    let of_the_end = zero(&change.shift, 1) && zero(&change.compliance, 0) && change.returns == 0.0;
    let Some(kept) = kept.filter(|kept| of_the_end && kept.impulse.dot(&touch.normal) > 0.0) else { return };
    let bodies = touch.contactors.map(|contactor| step.contactors[contactor as usize].body as usize);
    if bodies.iter().all(|&body| zero_spin(step, body)) {
        return;
    }
    let way = touch.point - kept.point;
    let arm = |side: usize| match step.bodies.is_driven(bodies[side]) {
        true => f64::INFINITY,
        false => (touch.point - poses[side].position).norm(),
    };
    if way.norm() > SMOOTH * arm(0).min(arm(1)) {
        return;
    }
    let moving = way / step.h;
    let rate = |side: usize| particle_rate(step.bodies, bodies[side], &poses[side], &touch.point, &moving);
    let later = touch.frame().tr_mul(&(rate(0) - rate(1))) * (step.theta * step.h);
    (1..D).for_each(|axis| change.shift[axis] = later[axis]);
}

fn zero_spin<const D: usize>(step: &StepContext<D>, body: usize) -> bool {
    step.bodies.velocity[body][D..].iter().all(|&spin| spin == 0.0)
}
