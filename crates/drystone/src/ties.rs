//! The ties of a simulation: how they enter it and what they show. What they do is in `drystone-contact`.

use crate::{BuildError, Simulation};
use drystone_contact::{Tie, TieRow, TieView, Ties};
use drystone_math::Pose;

impl<const D: usize> Simulation<D> {
    /// The same with bodies tied to each other or to the world, as they stand now.
    pub fn with_ties(mut self, ties: Vec<Tie<D>>) -> Result<Self, BuildError> {
        self.ties = Ties::new(ties, self.bodies.len())?;
        self.ties.hold_meshes(&mut self.solids, &self.bodies.name)?;
        self.tie_memory = self.ties.begin(&self.bodies.pose);
        Ok(self)
    }

    /// The ties after the last step, in their order.
    pub fn ties(&self) -> impl ExactSizeIterator<Item = TieView<'_, D>> {
        self.ties.view(&self.bodies.pose, &self.tie_memory, self.settings.step, &self.solids)
    }

    /// Position errors of the rigid ties with bodies standing at `poses`, with their rows of H.
    pub fn tie_errors(&self, poses: &[Pose<D>]) -> Vec<TieRow<D>> {
        self.ties.errors(poses, &self.tie_memory)
    }
}
