//! Which waves the momentum of accelerated sweeps is for: the long ones that carry weight through a pile, or
//! the short ones between neighbours. Knows no iterate: what it learns are figures of looks.

use crate::{AutoParams, Report};
use drystone_problem::WorkGap;

/// The phase that sweeps are in.
///
/// Momentum that is dropped as soon as steps grow clears errors between neighbours and kills the waves that
/// cross a pile, which then come to rest after thousands of sweeps only; momentum that is dropped where it
/// points uphill alone fills in the weight within a few crossings and keeps neighbours noisy. So the second
/// comes first where impulses are too small by the work gap, and the first follows once what is left of the
/// gap has one sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waves {
    long: bool,
    /// Sweeps at the beginning of the phase.
    since: u32,
    /// The least mean residual of the phase, and when.
    least: (f64, u32),
}

impl Waves {
    /// Begins at a guess that was judged.
    pub fn new(guess: &Report, params: &AutoParams) -> Self {
        // a guess without work holds nothing yet
        let empty = guess.gap == Some(WorkGap::default()) && guess.residual > 0.0;
        let long = empty || guess.gap.is_some_and(|gap| gap.signed < -params.wave_return);
        Self { long, since: guess.iterations, least: (f64::INFINITY, guess.iterations) }
    }

    /// Whether momentum is for the long waves.
    pub fn are_long(&self) -> bool {
        self.long
    }

    /// Learns from a look; whether the phase changed, so that the momentum is to be dropped.
    pub fn learn(&mut self, report: &Report, params: &AutoParams) -> bool {
        let Some(gap) = report.gap else { return false };
        let now = report.iterations;
        if report.mean < self.least.0 {
            self.least = (report.mean, now);
        }
        let done = now - self.since;
        let turns = match self.long {
            true => {
                let filled = done > params.wave_sweeps / 4 && gap.signed >= 0.5 * gap.absolute;
                let stuck = now - self.least.1 > params.wave_sweeps.max(done / 3);
                filled || stuck
            }
            false => done >= params.wave_sweeps && gap.signed < -params.wave_return,
        };
        if turns {
            *self = Self { long: !self.long, since: now, least: (f64::INFINITY, now) };
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(iterations: u32, mean: f64, signed: f64, absolute: f64) -> Report {
        Report {
            iterations,
            mean,
            residual: mean,
            gap: Some(WorkGap { signed, absolute }),
            ..Report::start()
        }
    }

    #[test]
    fn long_waves_come_first_where_weight_is_missing() {
        let params = AutoParams::default();
        let begins =
            |signed: f64, absolute: f64| Waves::new(&look(0, 1.0, signed, absolute), &params).are_long();
        assert!(begins(-0.3, 0.4) && begins(0.0, 0.0));
        assert!(!begins(-0.04, 0.2) && !begins(0.3, 0.4));
        assert!(!Waves::new(&Report::start(), &params).are_long(), "nothing is known");
    }

    #[test]
    fn phases_follow_the_gap() {
        let params = AutoParams::default();
        let mut waves = Waves::new(&look(0, 1.0, -0.5, 0.5), &params);
        assert!(!waves.learn(&look(5, 0.5, 0.3, 0.3), &params), "too early");
        assert!(!waves.learn(&look(20, 0.4, -0.1, 0.3), &params) && waves.are_long());
        assert!(waves.learn(&look(60, 0.3, 0.2, 0.3), &params) && !waves.are_long(), "filled in");
        assert!(!waves.learn(&look(80, 0.2, -0.2, 0.3), &params), "too early");
        assert!(waves.learn(&look(100, 0.2, -0.2, 0.3), &params) && waves.are_long(), "missing again");
        assert!(!waves.learn(&look(140, 0.3, -0.2, 0.3), &params));
        assert!(waves.learn(&look(181, 0.3, -0.2, 0.3), &params) && !waves.are_long(), "it does not help");
    }
}
