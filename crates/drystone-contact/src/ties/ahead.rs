//! Where tied bodies will be seen next, as far as that is known before the step is solved. Judges no error.

use super::Ties;
use crate::StepContext;
use drystone_bulk::coast;
use drystone_math::Pose;
use drystone_math::per_dof::spin;
use drystone_state::{BodyId, TieMemory, Velocities};

/// Largest change of spin in a step, relative to the spin, for which the impulses of the last step are taken
/// for those of this one. Smooth motion has about the angle of a turn in a step; after a blow it is of order
/// 1.
const SMOOTH: f64 = 0.1;

/// Tied bodies at the middle configuration after this one; the others where they are.
pub(crate) struct Ahead<const D: usize> {
    pub poses: Vec<Pose<D>>,
    /// The velocities that lead there.
    pub velocities: Velocities,
    /// Whether these are forecasts for the end of the step; else they are those of its beginning.
    forecast: Vec<bool>,
}

impl<const D: usize> Ahead<D> {
    /// Whether the velocities of all these bodies are forecast for the end of the step; the world has none.
    pub fn is_forecast(&self, bodies: &[Option<BodyId>; 2]) -> bool {
        bodies.iter().flatten().all(|body| self.forecast[body.0 as usize])
    }
}

impl<const D: usize> Ties<D> {
    /// Where tied bodies would be seen next: with the impulses of the last step where the motion is smooth,
    /// with the velocities of the beginning elsewhere, and where positions are projected, which leaves no
    /// error to forecast.
    pub(crate) fn ahead(&self, step: &StepContext<D>, memory: &[TieMemory<D>]) -> Ahead<D> {
        let bodies = step.bodies;
        let mut velocities = step.free.clone();
        for (tie, kept) in self.list.iter().zip(memory).filter(|(_, kept)| !kept.broken) {
            let tie = tie.deflected(step.solids, step.h * (1.0 - step.theta));
            let parts = tie.parts(step.middle, kept.value, self.world());
            for (row, impulse) in parts.iter().zip(&kept.impulse) {
                for (side, &body) in row.iter().flat_map(|row| row.bodies.iter().enumerate()) {
                    // the world is not moved
                    if let Some(row) = row.as_ref().filter(|_| (body as usize) < bodies.len()) {
                        let inverse_mass = &bodies.inverse_mass[body as usize];
                        let change = row.h[side].transposed_times(impulse).zip(&**inverse_mass);
                        let velocity = velocities[body as usize].iter_mut();
                        velocity.zip(change).for_each(|(v, (change, m))| *v += change * m);
                    }
                }
            }
        }
        let mut ahead =
            Ahead { poses: step.middle.to_vec(), velocities, forecast: vec![false; bodies.len()] };
        for BodyId(body) in self.list.iter().flat_map(|tie| tie.bodies).flatten() {
            let body = body as usize;
            let [begin, end] = [&bodies.velocity[body], &ahead.velocities[body]].map(spin::<D>);
            ahead.forecast[body] = !step.projected && (end - begin).norm() <= SMOOTH * begin.norm();
            if !ahead.forecast[body] {
                ahead.velocities[body].copy_from_slice(&bodies.velocity[body]);
            }
            let here = (&step.middle[body], &ahead.velocities[body]);
            ahead.poses[body] = coast(bodies, body, here, step.h).0;
        }
        ahead
    }
}
