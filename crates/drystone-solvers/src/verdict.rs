//! What can be the matter with a solve. Finds nothing out itself: that is the diagnosis, which is a crate of
//! its own.

/// What is the matter with a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is proved that a solution exists and that no impulses balance each other: it is a matter of
    /// iterations.
    Slow,
    /// Impulses can balance each other inside the cones, but the motion does not work on them: a solution
    /// exists, it is not unique, and the way to it is long.
    IllConditioned,
    /// Impulses that balance each other work against the motion: they grow without bound, and a solution is
    /// not guaranteed.
    Inconsistent,
    /// The problem holds numbers that make no sense.
    BadInput,
    /// Neither a solution nor that there may be none is proved: not all contacts were looked at, or no proof
    /// passed its check.
    Undecided,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Slow, Self::IllConditioned, Self::Inconsistent, Self::BadInput, Self::Undecided];

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::IllConditioned => "ill-conditioned",
            Self::Inconsistent => "inconsistent",
            Self::BadInput => "bad input",
            Self::Undecided => "undecided",
        }
    }
}
