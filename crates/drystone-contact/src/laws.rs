//! Which law acts between two groups of bodies.

use drystone_laws::Law;
use drystone_state::GroupId;

/// A symmetric table of laws over pairs of groups.
#[derive(Debug)]
pub struct Laws<const D: usize> {
    groups: usize,
    laws: Vec<Box<dyn Law<D>>>,
    table: Vec<Option<u32>>,
}

impl<const D: usize> Laws<D> {
    /// An empty table for so many groups.
    pub fn new(groups: usize) -> Self {
        Self { groups, laws: Vec::new(), table: vec![None; groups * groups] }
    }

    /// Sets the law between two groups, or within one. Groups outside the table are ignored.
    pub fn set(&mut self, a: GroupId, b: GroupId, law: Box<dyn Law<D>>) {
        let (a, b) = (a.0 as usize, b.0 as usize);
        if a >= self.groups || b >= self.groups {
            return;
        }
        let index = self.laws.len() as u32;
        self.laws.push(law);
        self.table[a * self.groups + b] = Some(index);
        self.table[b * self.groups + a] = Some(index);
    }

    /// The law between two groups, if there is one.
    pub fn between(&self, a: GroupId, b: GroupId) -> Option<&dyn Law<D>> {
        let (a, b) = (a.0 as usize, b.0 as usize);
        if a >= self.groups || b >= self.groups {
            return None;
        }
        self.table[a * self.groups + b].map(|index| &*self.laws[index as usize])
    }
}
