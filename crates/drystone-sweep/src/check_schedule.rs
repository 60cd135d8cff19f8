//! When a solver looks at the residual while it sweeps. Does not look itself.

/// Most sweeps between two looks: where sweeps run in circles some iterates are better than others.
const RAREST: u32 = 30;
/// A look that was brought forward comes after one in so many of the sweeps so far at the soonest.
const OFTENEST: u32 = 40;

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

    /// Brings the next look forward to where so many sweeps more are forecast to do: sweeps that were not
    /// needed cost as much as looks.
    pub fn bring_forward(&mut self, iterations: u32, needed: f64) {
        let soonest = iterations + 1 + iterations / OFTENEST;
        let forecast = iterations.saturating_add(needed.ceil().max(1.0) as u32);
        self.next = self.next.min(forecast.max(soonest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_brings_looks_forward_and_never_puts_them_off() {
        let after = |needed: f64| {
            let mut looks = CheckSchedule::new();
            assert!(looks.due(100));
            looks.bring_forward(100, needed);
            (101..).find(|&sweeps| looks.due(sweeps)).unwrap()
        };
        assert_eq!([after(1.0), after(7.2), after(1e9), after(f64::INFINITY)], [103, 108, 121, 121]);
    }
}
