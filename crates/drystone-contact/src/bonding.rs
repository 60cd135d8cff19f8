//! Which contacts of a step are born bonded. What a bond is, the laws know.

use drystone_state::BodyId;

/// The contacts that are bonded in a step: laws with bonds, liquid bridges or gaps counted from a start take
/// these as they take the contacts of the first step of a run. Contacts that go on from the last step are
/// left as they are, but for those that are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bonding<'a> {
    /// Whether every new contact is: so in the first step of a run.
    pub newborn: bool,
    /// Bodies whose contacts with each other are, new or not; `None` for those with whatever the first one
    /// touches. Bonds that such contacts have are made anew.
    pub pairs: &'a [(BodyId, Option<BodyId>)],
}

impl Bonding<'_> {
    /// Whether the contacts between two bodies are named.
    pub(crate) fn names(&self, [a, b]: [u32; 2]) -> bool {
        self.pairs.iter().any(|&(BodyId(one), other)| match other {
            None => one == a || one == b,
            Some(BodyId(other)) => (one, other) == (a, b) || (one, other) == (b, a),
        })
    }
}
