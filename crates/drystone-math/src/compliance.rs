//! How a body gives way to impulses, and where its degrees of freedom lie among those of all: what rows of H
//! and bodies have to agree on. Knows neither.

/// Where the generalised velocities of a body lie among those of all bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dofs {
    /// The first of them.
    pub start: u32,
    /// How many.
    pub count: u32,
}

impl Dofs {
    /// As a range of indices.
    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// How a body answers impulses on its degrees of freedom, `v = C p` with C symmetric and nowhere negative:
/// the inverse of its mass matrix, or of `M + θ²h²K` where the body is elastic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compliance<'a> {
    /// Not at all.
    Fixed,
    /// Each by itself; a component that cannot move has 0.
    Diagonal(&'a [f64]),
    /// By a full matrix, row after row.
    Dense(&'a [f64]),
}
