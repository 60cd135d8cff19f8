//! Which law acts between two groups of bodies.

use drystone_laws::Law;
use drystone_state::{GroupId, LAW_MEMORY};
use std::sync::Arc;
use thiserror::Error;

/// Why a law cannot stand in the table.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum LawError {
    /// A group that the table has not.
    #[error("there is no group {group}: the table of laws has {groups}, numbered from 0; make it with more")]
    NoSuchGroup {
        /// The group.
        group: u32,
        /// Groups of the table.
        groups: usize,
    },
    /// More variables than a contact has room for.
    #[error(
        "a law keeps {found} variables at a contact, at most {LAW_MEMORY} are allowed; keep fewer: {names}"
    )]
    TooManyVariables {
        /// How many it keeps.
        found: usize,
        /// Their names.
        names: String,
    },
    /// A law that is not one of A-CD².
    #[error("the law between the groups {} and {} has no percussion, which A-CD² needs", groups[0], groups[1])]
    NoPercussion {
        /// The groups it acts between.
        groups: [u32; 2],
    },
}

/// A law with what the assembly asks of it at every contact.
#[derive(Clone, Debug)]
pub(crate) struct LawEntry<const D: usize> {
    pub law: Arc<dyn Law<D>>,
    variables: Vec<&'static str>,
}

impl<const D: usize> LawEntry<D> {
    fn new(law: Arc<dyn Law<D>>) -> Result<Self, LawError> {
        Laws::check(law.as_ref())?;
        Ok(Self { variables: law.variables(), law })
    }

    /// Whether the law keeps variables of its own.
    pub(crate) fn keeps(&self) -> bool {
        !self.variables.is_empty()
    }
}

/// A symmetric table of laws over pairs of groups. Copies share their laws, which never change.
#[doc(alias = "law table")]
#[doc(alias = "see table")]
#[doc(alias = "contact law")]
#[derive(Clone, Debug)]
pub struct Laws<const D: usize> {
    groups: usize,
    laws: Vec<LawEntry<D>>,
    table: Vec<Option<u32>>,
}

impl<const D: usize> Laws<D> {
    /// An empty table for so many groups.
    pub fn new(groups: usize) -> Self {
        Self { groups, laws: Vec::new(), table: vec![None; groups * groups] }
    }

    /// Sets the law between two groups, or within one. Refuses groups outside the table and laws that keep
    /// more variables than a contact has room for; the table is then as it was.
    pub fn set(&mut self, a: GroupId, b: GroupId, law: Box<dyn Law<D>>) -> Result<(), LawError> {
        self.share(a, b, law.into())
    }

    /// The same with a law that others may hold as well. A law that was there before is forgotten.
    pub fn share(&mut self, a: GroupId, b: GroupId, law: Arc<dyn Law<D>>) -> Result<(), LawError> {
        if let Some(group) = [a, b].into_iter().find(|group| group.0 as usize >= self.groups) {
            return Err(LawError::NoSuchGroup { group: group.0, groups: self.groups });
        }
        let (a, b) = (a.0 as usize, b.0 as usize);
        let entry = LawEntry::new(law)?;
        if let Some(index) = self.table[a * self.groups + b] {
            self.laws[index as usize] = entry;
            return Ok(());
        }
        let index = self.laws.len() as u32;
        self.laws.push(entry);
        self.table[a * self.groups + b] = Some(index);
        self.table[b * self.groups + a] = Some(index);
        Ok(())
    }

    /// Whether a law can stand in a table: it must not keep more variables than a contact has room for.
    pub fn check(law: &dyn Law<D>) -> Result<(), LawError> {
        let variables = law.variables();
        match variables.len() {
            0..=LAW_MEMORY => Ok(()),
            found => Err(LawError::TooManyVariables { found, names: variables.join(", ") }),
        }
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

    /// Puts every law into the form of A-CD²; refuses where one has none.
    pub fn atomise(&mut self) -> Result<(), LawError> {
        for (index, entry) in self.laws.iter_mut().enumerate() {
            let place = self.table.iter().position(|law| *law == Some(index as u32));
            match (entry.law.atomised(), place) {
                (Some(law), _) => *entry = LawEntry::new(law.into())?,
                (None, Some(place)) => {
                    let groups = [place / self.groups, place % self.groups].map(|group| group as u32);
                    return Err(LawError::NoPercussion { groups });
                }
                // another law took its place
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The law between two groups, if there is one.
    pub(crate) fn between(&self, a: GroupId, b: GroupId) -> Option<&LawEntry<D>> {
        self.index(a, b).map(|index| &self.laws[index])
    }

    fn index(&self, a: GroupId, b: GroupId) -> Option<usize> {
        let (a, b) = (a.0 as usize, b.0 as usize);
        if a >= self.groups || b >= self.groups {
            return None;
        }
        self.table[a * self.groups + b].map(|index| index as usize)
    }

    /// Whether there is a law between two groups.
    pub fn acts(&self, a: GroupId, b: GroupId) -> bool {
        self.between(a, b).is_some()
    }

    /// Names of the variables that the law between two groups keeps at a contact.
    pub fn variables(&self, a: GroupId, b: GroupId) -> &[&'static str] {
        self.between(a, b).map_or(&[], |entry| &entry.variables)
    }

    /// Where the variable of a name stands at the contacts between two groups. The name is looked up once for
    /// each law, not once for each contact.
    pub fn place_of(&self, name: &str) -> impl Fn(GroupId, GroupId) -> Option<usize> + '_ {
        let place = |entry: &LawEntry<D>| entry.variables.iter().position(|known| *known == name);
        let places: Vec<Option<usize>> = self.laws.iter().map(place).collect();
        move |a, b| self.index(a, b).and_then(|law| places[law])
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
        self.laws.iter().any(LawEntry::keeps)
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

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_laws::{Approach, Change, Inelastic};

    /// A law with so many variables.
    #[derive(Debug)]
    struct Keeping(Vec<&'static str>);

    impl Law<2> for Keeping {
        fn change(&self, approach: &Approach<2>) -> Option<Change<2>> {
            Inelastic { friction: 0.0 }.change(approach)
        }

        fn variables(&self) -> Vec<&'static str> {
            self.0.clone()
        }
    }

    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

    #[test]
    fn groups_that_are_not_there_are_refused() {
        let mut laws = Laws::<2>::new(2);
        let wrong = laws.set(GroupId(1), GroupId(2), Box::new(Inelastic { friction: 0.5 }));
        assert_eq!(wrong, Err(LawError::NoSuchGroup { group: 2, groups: 2 }));
        assert!(laws.laws.is_empty() && !laws.acts(GroupId(1), GroupId(1)));
        laws.set(GroupId(1), GroupId(0), Box::new(Inelastic { friction: 0.5 })).unwrap();
        assert!(laws.acts(GroupId(0), GroupId(1)));
    }

    #[test]
    fn more_variables_than_there_is_room_for_are_refused() {
        let mut laws = Laws::<2>::new(1);
        let group = GroupId(0);
        laws.set(group, group, Box::new(Keeping(NAMES[..LAW_MEMORY].to_vec()))).unwrap();
        let wrong = laws.set(group, group, Box::new(Keeping(NAMES.to_vec())));
        assert!(matches!(wrong, Err(LawError::TooManyVariables { found: 9, .. })), "{wrong:?}");
        assert!(wrong.unwrap_err().to_string().contains("a, b, c, d, e, f, g, h, i"));
        assert_eq!(laws.variables(group, group).len(), LAW_MEMORY, "the law before is still there");
    }

    #[test]
    fn variables_stand_where_their_law_put_them() {
        let mut laws = Laws::<2>::new(3);
        let group = GroupId;
        laws.set(group(0), group(0), Box::new(Keeping(vec!["slip", "damage"]))).unwrap();
        laws.set(group(0), group(1), Box::new(Keeping(vec!["damage"]))).unwrap();
        let place = laws.place_of("damage");
        assert_eq!(place(group(0), group(0)), Some(1));
        assert_eq!((place(group(0), group(1)), place(group(1), group(0))), (Some(0), Some(0)));
        assert_eq!((place(group(1), group(1)), place(group(0), group(9))), (None, None));
        assert_eq!(laws.place_of("slip")(group(0), group(1)), None);
    }
}
