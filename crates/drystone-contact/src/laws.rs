//! Which law acts between two groups of bodies.

use drystone_laws::Law;
use drystone_state::{GroupId, LAW_MEMORY};
use std::sync::Arc;

/// A law with what the assembly asks of it at every contact.
#[derive(Clone, Debug)]
pub(crate) struct Entry<const D: usize> {
    pub law: Arc<dyn Law<D>>,
    variables: Vec<&'static str>,
}

impl<const D: usize> Entry<D> {
    /// Whether the law keeps variables of its own.
    pub(crate) fn keeps(&self) -> bool {
        !self.variables.is_empty()
    }
}

/// A symmetric table of laws over pairs of groups. Copies share their laws, which never change.
#[derive(Clone, Debug)]
pub struct Laws<const D: usize> {
    groups: usize,
    laws: Vec<Entry<D>>,
    table: Vec<Option<u32>>,
}

impl<const D: usize> Laws<D> {
    /// An empty table for so many groups.
    pub fn new(groups: usize) -> Self {
        Self { groups, laws: Vec::new(), table: vec![None; groups * groups] }
    }

    /// Sets the law between two groups, or within one. Groups outside the table are ignored.
    pub fn set(&mut self, a: GroupId, b: GroupId, law: Box<dyn Law<D>>) {
        self.share(a, b, law.into());
    }

    /// The same with a law that others may hold as well. A law that was there before is forgotten.
    pub fn share(&mut self, a: GroupId, b: GroupId, law: Arc<dyn Law<D>>) {
        let (a, b) = (a.0 as usize, b.0 as usize);
        if a >= self.groups || b >= self.groups {
            return;
        }
        let mut variables = law.variables();
        variables.truncate(LAW_MEMORY);
        let entry = Entry { law, variables };
        if let Some(index) = self.table[a * self.groups + b] {
            self.laws[index as usize] = entry;
            return;
        }
        let index = self.laws.len() as u32;
        self.laws.push(entry);
        self.table[a * self.groups + b] = Some(index);
        self.table[b * self.groups + a] = Some(index);
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Makes room for so many groups; those there are keep their laws, new ones have none.
    pub fn grow(&mut self, groups: usize) {
        if groups <= self.groups {
            return;
        }
        let mut table = vec![None; groups * groups];
        for a in 0..self.groups {
            let row = &self.table[a * self.groups..(a + 1) * self.groups];
            table[a * groups..a * groups + self.groups].copy_from_slice(row);
        }
        (self.groups, self.table) = (groups, table);
    }

    /// The law between two groups, if there is one.
    pub fn law(&self, a: GroupId, b: GroupId) -> Option<&dyn Law<D>> {
        self.between(a, b).map(|entry| entry.law.as_ref())
    }

    /// Puts every law into the form of A-CD²; where one has none, the groups it acts between.
    pub fn atomise(&mut self) -> Result<(), [GroupId; 2]> {
        for (index, entry) in self.laws.iter_mut().enumerate() {
            let place = self.table.iter().position(|law| *law == Some(index as u32));
            match (entry.law.atomised(), place) {
                (Some(law), _) => *entry = Entry { variables: law.variables(), law: law.into() },
                (None, Some(place)) => {
                    return Err([place / self.groups, place % self.groups].map(|g| GroupId(g as u32)));
                }
                // another law took its place
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The law between two groups, if there is one.
    pub(crate) fn between(&self, a: GroupId, b: GroupId) -> Option<&Entry<D>> {
        let (a, b) = (a.0 as usize, b.0 as usize);
        if a >= self.groups || b >= self.groups {
            return None;
        }
        self.table[a * self.groups + b].map(|index| &self.laws[index as usize])
    }

    /// Whether there is a law between two groups.
    pub fn acts(&self, a: GroupId, b: GroupId) -> bool {
        self.between(a, b).is_some()
    }

    /// Names of the variables that the law between two groups keeps at a contact.
    pub fn variables(&self, a: GroupId, b: GroupId) -> &[&'static str] {
        self.between(a, b).map_or(&[], |entry| &entry.variables)
    }

    /// Names of the variables that any of the laws keeps, in alphabetical order.
    pub fn all_variables(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.laws.iter().flat_map(|entry| entry.variables.iter().copied()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Largest gap at which any of the laws may act \[m\].
    pub fn reach(&self) -> f64 {
        self.laws.iter().map(|entry| entry.law.reach()).fold(0.0, f64::max)
    }

    /// Whether any of the laws keeps variables of its own.
    pub(crate) fn keep(&self) -> bool {
        self.laws.iter().any(Entry::keeps)
    }

    /// Whether any of the laws is one of impacts.
    pub(crate) fn have_impacts(&self) -> bool {
        self.laws.iter().any(|entry| entry.law.is_impact())
    }

    /// Whether any of the laws asks for the area of contacts.
    pub(crate) fn want_area(&self) -> bool {
        self.laws.iter().any(|entry| entry.law.wants_area())
    }

    /// Whether any of the laws asks for the mean normal impulse.
    pub(crate) fn want_mean(&self) -> bool {
        self.laws.iter().any(|entry| entry.law.wants_mean())
    }
}
