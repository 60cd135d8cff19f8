//! Bonds made while a run goes on. What a bond is, the laws know.

use crate::Simulation;
use drystone_state::BodyId;

impl<const D: usize> Simulation<D> {
    /// The contacts that are bonded in the next step.
    #[cfg(feature = "diagnose")]
    pub(crate) fn bonding(&self) -> drystone_contact::Bonding<'_> {
        drystone_contact::Bonding { newborn: self.parts_done(0) == 0, pairs: &self.bonds }
    }

    /// Asks for the contacts of a body with another, or with whatever it touches, to be bonded in the next
    /// step: their laws take them as those of a first step.
    pub(crate) fn ask_for_bond(&mut self, body: BodyId, other: Option<BodyId>) {
        self.bonds.push((body, other));
    }
}
