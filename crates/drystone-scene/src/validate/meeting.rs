//! Groups of bodies and the law between each two of them. Complains where two groups can meet without a law.

use super::body::is_driven;
use crate::place::{Place, Problems};
use crate::spec::{LawSpec, SceneSpec};
use std::collections::HashMap;

/// The table of laws grows with the square of this.
const MOST_GROUPS: usize = 1000;

/// The groups in the order they appear.
pub(crate) struct Groups<'a> {
    names: Vec<&'a str>,
    index: HashMap<&'a str, usize>,
    /// First body, first free body, number of bodies.
    members: Vec<Members>,
}

#[derive(Clone, Copy)]
struct Members {
    first: usize,
    count: usize,
    free: bool,
}

impl<'a> Groups<'a> {
    /// The groups of a scene.
    pub(crate) fn of(spec: &'a SceneSpec) -> Self {
        let mut groups = Self { names: Vec::new(), index: HashMap::new(), members: Vec::new() };
        for (first, body) in spec.bodies.iter().enumerate() {
            let name = body.group.as_str();
            let group = *groups.index.entry(name).or_insert_with(|| {
                groups.names.push(name);
                groups.members.push(Members { first, count: 0, free: false });
                groups.names.len() - 1
            });
            groups.members[group].count += 1;
            groups.members[group].free |= !is_driven(body, spec.dimension);
        }
        // bodies that come later
        for source in &spec.sources {
            let first = spec.bodies.len().saturating_sub(1);
            let name = source.group();
            let group = *groups.index.entry(name).or_insert_with(|| {
                groups.names.push(name);
                groups.members.push(Members { first, count: 0, free: true });
                groups.names.len() - 1
            });
            groups.members[group].count += 2;
            groups.members[group].free = true;
        }
        groups
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Their names, in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().copied()
    }

    /// Number of a group.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Whether two bodies of these groups can meet: they are two, and not both driven.
    fn can_meet(&self, a: usize, b: usize) -> bool {
        (self.members[a].free || self.members[b].free) && (a != b || self.members[a].count > 1)
    }
}

/// The law of every pair of groups that has one, `a ≤ b`; problems where one is missing or two speak at once.
pub(crate) fn law_table<'a>(
    spec: &'a SceneSpec,
    groups: &Groups,
    problems: &mut Problems,
) -> Vec<(usize, usize, &'a LawSpec)> {
    let root = Place::ROOT;
    let (bodies, list) = (root.key("body"), root.key("law"));
    if groups.len() > MOST_GROUPS {
        let place = bodies.item(groups.members[MOST_GROUPS].first);
        problems.at(
            &place.key("group"),
            format!("more than {MOST_GROUPS} groups; give bodies alike the same group"),
        );
        return Vec::new();
    }
    let mut given: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, law) in spec.laws.iter().enumerate() {
        if let [a, b] = law.between.as_slice() {
            given.insert((a, b), index);
            given.insert((b, a), index);
        }
    }
    let mut table = Vec::new();
    for a in 0..groups.len() {
        for b in a..groups.len() {
            let (first, second) = (groups.names[a], groups.names[b]);
            let find = |x, y| given.get(&(x, y)).copied();
            let (left, right) = (find(first, "*"), find("*", second));
            if let (None, Some(left), Some(right)) = (find(first, second), left, right)
                && !spec.laws[left].says_the_same(&spec.laws[right])
                && groups.can_meet(a, b)
            {
                let later = list.item(left.max(right));
                let text = format!(
                    "two laws with \"*\" speak of {first:?} and {second:?}; add one between = [{first:?}, {second:?}]"
                );
                problems.at(&later.key("between"), text);
            }
            match find(first, second).or(left).or(right).or_else(|| find("*", "*")) {
                Some(law) => table.push((a, b, &spec.laws[law])),
                None if groups.can_meet(a, b) => missing(spec, groups, a, b, problems),
                None => {}
            }
        }
    }
    table
}

fn missing(spec: &SceneSpec, groups: &Groups, a: usize, b: usize, problems: &mut Problems) {
    let root = Place::ROOT;
    let list = root.key("body");
    let (first, second) = (groups.names[a], groups.names[b]);
    let body = |group: usize| &spec.bodies[groups.members[group].first].name;
    let who = if a == b {
        format!("no law between the bodies of group {first:?} (such as {:?})", body(a))
    } else {
        format!(
            "no law between group {first:?} (body {:?}) and group {second:?} (body {:?})",
            body(a),
            body(b)
        )
    };
    let lines = format!("[[law]]\nbetween = [{first:?}, {second:?}]\ninelastic.friction = 0.5");
    problems.at(&list.item(groups.members[a].first), format!("{who}; add for example\n{lines}"));
}
