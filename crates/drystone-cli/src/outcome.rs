//! How a run of the command ended. What the run found is `answer`'s.

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It reached its end.
    Completed,
    /// Everything came to rest before.
    Equilibrium,
    /// Everything came to rest before, but the structure is not where it was built.
    Fallen,
    /// Somebody asked it to stop.
    Stopped,
    /// A step had no solution, and the scene asks to stop there.
    Inconsistent,
    /// A state that is not finite, or no way to go on.
    Failed,
}

impl Outcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Equilibrium => "equilibrium",
            Self::Fallen => "fallen",
            Self::Stopped => "stopped",
            Self::Inconsistent => "inconsistent",
            Self::Failed => "failed",
        }
    }
}
