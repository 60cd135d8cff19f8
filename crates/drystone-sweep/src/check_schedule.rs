//! When a solver looks at the residual while it sweeps. Does not look itself.

/// Most sweeps between two looks: where sweeps run in circles some iterates are better than others.
const RAREST: u32 = 30;

/// When to look at the residual, which costs about as much as a sweep: after 1, 2, 3, … sweeps and then more
/// rarely.
#[derive(Clone, Copy, Debug)]
pub struct CheckSchedule {
    next: u32,
}

impl CheckSchedule {
    /// The first look comes after the first sweep.
    #[expect(clippy::new_without_default, reason = "a schedule is begun, there is no empty one")]
    pub fn new() -> Self {
        Self { next: 1 }
    }

    /// Whether to look after so many sweeps.
    pub fn due(&mut self, iterations: u32) -> bool {
        let due = iterations >= self.next;
        if due {
            self.next = iterations + 1 + (iterations / 5).min(RAREST);
        }
        due
    }
}
