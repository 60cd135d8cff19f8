//! Interaction laws, a file each. A law is a change of variables to a canonical set of the waist; it solves nothing
//! and knows neither bodies nor shapes.

mod inelastic;
mod restitution;

pub use inelastic::Inelastic;
pub use restitution::Restitution;

use drystone_math::Vector;
use drystone_problem::Set;

/// What a law sees of one contact at the start of a step, in the contact frame (normal first).
#[derive(Clone, Copy, Debug)]
pub struct Approach<const D: usize> {
    /// Signed distance at the middle configuration q_m \[m\], negative when the bodies overlap.
    pub gap: f64,
    /// Relative velocity at the beginning of the step \[m/s\].
    pub u_begin: Vector<D>,
    /// Time step \[s\].
    pub h: f64,
}

/// The change of variables of one contact for one step: `(u + shift, r)` must lie in `set`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change<const D: usize> {
    /// The canonical set.
    pub set: Set,
    /// Added to the relative velocity \[m/s\].
    pub shift: Vector<D>,
}

/// An interaction law.
pub trait Law<const D: usize>: std::fmt::Debug + Send + Sync {
    /// The change of variables for this step, or `None` where the contact takes no part in it.
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>>;

    /// Updates the internal variables after the solve, from the velocity and impulse in the contact frame.
    fn keep(&self, _u: &Vector<D>, _r: &Vector<D>, _internal: &mut [f64]) {}
}
