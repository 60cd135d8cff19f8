//! Where the work of a contact goes. Sums nothing over steps or contacts.

use crate::{Approach, Outcome};

/// What the bodies lost to a contact in one step \[J\]. The parts add up to minus the work of its impulses,
/// taken with the mean of the velocities at the two ends of the step.
#[doc(alias = "dissipation")]
#[doc(alias = "work")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipated {
    /// Dissipated by shocks and other work of the normal impulse.
    pub shocks: f64,
    /// Dissipated by friction, of rolling and twisting too.
    pub friction: f64,
    /// Dissipated by bonds that break.
    pub cohesion: f64,
    /// Dissipated by viscosity, that of an implicit scheme included.
    pub viscosity: f64,
    /// Dissipated by the θ-scheme, where a law takes its work with the way the bodies went; zero for θ = ½.
    pub scheme: f64,
    /// Lost to the correction of overlaps, negative where it pushes bodies apart.
    pub drift: f64,
    /// Stored in the contact; negative where it gives back.
    pub stored: f64,
}

impl Dissipated {
    /// A contact that stores nothing: the work of the normal is lost in shocks, that of the tangents in
    /// friction.
    pub fn rigid<const D: usize>(approach: &Approach<D>, outcome: &Outcome<D>) -> Self {
        let mean = approach.mean(&outcome.u);
        let r = &outcome.r;
        Self {
            shocks: -(r[0] * mean[0]),
            friction: -(1..D).map(|t| r[t] * mean[t]).sum::<f64>(),
            ..Self::default()
        }
    }

    /// Adds what another contact spent.
    pub fn add(&mut self, other: &Self) {
        self.shocks += other.shocks;
        self.friction += other.friction;
        self.cohesion += other.cohesion;
        self.viscosity += other.viscosity;
        self.scheme += other.scheme;
        self.drift += other.drift;
        self.stored += other.stored;
    }

    /// All of it: minus the work of the contact.
    pub fn total(&self) -> f64 {
        self.shocks + self.friction + self.cohesion + self.viscosity + self.scheme + self.drift + self.stored
    }
}
