//! Groups of bodies and the laws between them, by name. Which law acts where, the table of laws knows.

use crate::{ChangeError, Law, Laws, Simulation, Strategy};
use drystone_state::GroupId;
use std::sync::Arc;

/// The name that stands for every group.
pub(crate) const EVERY: &str = "*";

/// A law between groups by name.
#[derive(Clone, Debug)]
pub(crate) struct Rule<const D: usize> {
    groups: [String; 2],
    law: Arc<dyn Law<D>>,
}

impl<const D: usize> Rule<D> {
    pub(crate) fn new(a: &str, b: &str, law: Arc<dyn Law<D>>) -> Self {
        Self { groups: [a.into(), b.into()], law }
    }

    fn fits(&self, a: &str, b: &str) -> bool {
        let one = |rule: &str, name: &str| rule == EVERY || rule == name;
        let [x, y] = &self.groups;
        one(x, a) && one(y, b) || one(x, b) && one(y, a)
    }
}

impl<const D: usize> Simulation<D> {
    /// The same with names for its groups, in their order; groups beyond the laws are dropped.
    pub fn with_groups(mut self, names: Vec<String>) -> Self {
        self.face.groups = names;
        self.face.groups.truncate(self.laws.groups());
        self
    }

    /// Names of the groups, by their ids; groups that were made without a name may be missing at the end.
    pub fn group_names(&self) -> &[String] {
        &self.face.groups
    }

    /// The group of a name; a new one, with the laws given for it, where there is none yet.
    pub(crate) fn group(&mut self, name: &str) -> GroupId {
        self.name_groups();
        if let Some(known) = self.face.groups.iter().position(|group| group == name) {
            return GroupId(known as u32);
        }
        self.face.groups.push(name.into());
        self.fit_laws();
        GroupId(self.face.groups.len() as u32 - 1)
    }

    /// The group of a name, if there is one.
    pub(crate) fn known_group(&self, name: &str) -> Result<GroupId, ChangeError> {
        let known = self.face.groups.iter().position(|group| group == name);
        known.map(|known| GroupId(known as u32)).ok_or_else(|| ChangeError::NoSuchGroup(name.into()))
    }

    pub(crate) fn group_name(&self, group: GroupId) -> String {
        let name = self.face.groups.get(group.0 as usize).cloned();
        name.unwrap_or_else(|| format!("group {}", group.0))
    }

    /// Names for groups that were made without.
    fn name_groups(&mut self) {
        for group in self.face.groups.len()..self.laws.groups() {
            self.face.groups.push(format!("group {group}"));
        }
    }

    /// Makes room for all groups in the table of laws, new ones with the laws given for them.
    pub(crate) fn fit_laws(&mut self) {
        let before = self.laws.groups();
        let groups = self.face.groups.len();
        self.laws.grow(groups);
        for a in before..groups {
            (0..=a).for_each(|b| self.take_law(a, b));
        }
    }

    /// Takes a law for groups by name, all of them for `*`, over what acts between them now.
    pub(crate) fn rule(&mut self, rule: Rule<D>) -> Result<(), ChangeError> {
        let law = match self.settings.strategy {
            Strategy::MoreauJean => rule.law,
            Strategy::Acd2 => match rule.law.atomised() {
                Some(law) => law.into(),
                None => return Err(ChangeError::NoPercussion { groups: rule.groups }),
            },
        };
        // from here on the law fits wherever it is put
        Laws::check(law.as_ref())?;
        let rule = Rule { law, ..rule };
        self.name_groups();
        let names = self.face.groups.clone();
        for a in 0..names.len() {
            for b in (0..=a).filter(|&b| rule.fits(&names[a], &names[b])) {
                self.laws.share(GroupId(a as u32), GroupId(b as u32), rule.law.clone())?;
            }
        }
        self.face.rules.push(rule);
        Ok(())
    }

    fn take_law(&mut self, a: usize, b: usize) {
        let names = [&self.face.groups[a], &self.face.groups[b]];
        if let Some(rule) = self.face.rules.iter().rev().find(|rule| rule.fits(names[0], names[1])) {
            let shared = self.laws.share(GroupId(a as u32), GroupId(b as u32), rule.law.clone());
            debug_assert!(shared.is_ok(), "a law was taken without being checked");
        }
    }
}
