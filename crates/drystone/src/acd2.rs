//! A-CD²: atomised stress contact dynamics respecting a Clausius–Duhem inequality, the second strategy beside
//! that of Moreau and Jean. Says how the two differ; the step itself, which they share, is in `step`.

use crate::BuildError;
use drystone_contact::Laws;
use drystone_laws::{Drift, Push};

/// A-CD² in the words of the scene file.
#[cfg(feature = "serde")]
const ACD2: &str = "A-CD²: percussions at the middle of the step, with laws on the mean of the velocities before and \
                    after.";

/// How forces and laws enter a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "kebab-case")
)]
pub enum Strategy {
    /// The θ-scheme with laws on the velocities at the end of the step (Moreau, Jean 1996).
    #[default]
    MoreauJean,
    /// All forces are percussions at the middle of the step, and laws are pseudopotentials of the mean of the
    /// velocities before and after (Dal Pont, Dimnet 2008, §4).
    ///
    /// Between the middles of steps bodies go on with constant velocities, so that the middle configuration
    /// is `q + (h/2) v_begin`, where contacts are sought, forces that depend on the place are taken and all
    /// percussions act, and the end `q + (h/2)(v_begin + v)`: that of the θ-scheme with θ = ½. Between the
    /// middles they turn as free bodies, by the gyroscopic moment.
    ///
    /// Laws are exchanged for their percussions: [`Percussion`](crate::Percussion) as it is,
    /// [`Inelastic`](crate::Inelastic) and [`Tresca`](crate::Tresca) by reactions and thresholds on the mean
    /// velocity at contacts that touch. Other laws are refused.
    #[cfg_attr(feature = "serde", schemars(description = ACD2))]
    Acd2,
}

impl Strategy {
    /// Brings the laws into the form of the strategy, and refuses a θ that is not its own.
    pub(crate) fn prepare<const D: usize>(self, theta: f64, laws: &mut Laws<D>) -> Result<(), BuildError> {
        if self == Self::MoreauJean {
            return Ok(());
        }
        if theta != 0.5 {
            let allowed = "0.5 with the strategy A-CD²";
            return Err(BuildError::Setting { name: "theta", value: theta, allowed });
        }
        Ok(laws.atomise()?)
    }

    /// What to add to the laws of contacts that overlap. Percussions answer to the mean of the velocities
    /// before and after: a normal velocity turned round is none to them, and friction would not oppose what
    /// it has come to.
    pub(crate) fn push(self, drift: Drift, steps_done: u64) -> Push {
        match (self, drift) {
            (Self::Acd2, Drift::Curvature) => Push::None,
            _ => drift.push(steps_done),
        }
    }
}
