//! Whether accelerated sweeps run in circles, and with them their momentum. Knows no iterate: what it learns
//! are figures of looks.

use crate::{AutoParams, Report};

/// Sweeps with momentum, or plain ones where those run in circles.
///
/// The exact Coulomb law is not associated, and no theory keeps extrapolated sweeps from running in circles
/// about a solution: in a drum that turns one step in seventy does, for ever. Plain sweeps from there come
/// out of it within a few hundred, more often than not; where they are stuck themselves momentum has its turn
/// again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stall {
    plain: bool,
    /// The least residual of this turn, and after how many sweeps.
    least: (f64, u32),
    /// Sweeps at the beginning of the turn.
    since: u32,
}

impl Stall {
    /// With momentum, as long as it helps, after so many sweeps.
    pub fn new(since: u32) -> Self {
        Self { plain: false, least: (f64::INFINITY, since), since }
    }

    /// Whether sweeps go without momentum.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Learns from a look; whether the other kind of sweep has its turn now. A turn ends once its residual has
    /// not become less for `stall_sweeps` and for half of the turn.
    pub fn learn(&mut self, report: &Report, params: &AutoParams) -> bool {
        let now = report.iterations;
        if report.residual < self.least.0 {
            self.least = (report.residual, now);
        }
        let ends = now - self.least.1 > params.stall_sweeps.max((now - self.since) / 2);
        if ends {
            *self = Self { plain: !self.plain, least: (f64::INFINITY, now), since: now };
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns that end within so many sweeps of a residual, looked at every ten of them.
    fn stalls(sweeps: u32, residual: impl Fn(u32) -> f64) -> Vec<(u32, bool)> {
        let params = AutoParams::default();
        let mut stall = Stall::new(0);
        let look = |iterations: u32| Report { iterations, residual: residual(iterations), ..Report::start() };
        (1..=sweeps / 10)
            .map(|look| 10 * look)
            .filter_map(|now| stall.learn(&look(now), &params).then(|| (now, stall.is_plain())))
            .collect()
    }

    #[test]
    fn turns_end_where_the_residual_stays() {
        assert_eq!(stalls(5000, |n| 1.0 / f64::from(n)), [], "it falls");
        assert_eq!(
            stalls(500, |n| 2.0 + f64::from(n % 3)),
            [(120, true), (240, false), (360, true), (480, false)],
            "in circles"
        );
        // best after 1000 sweeps: half of a turn is waited for
        let slow = |n: u32| (f64::from(n) - 1000.0).abs();
        assert_eq!(stalls(2100, slow).first(), Some(&(2010, true)));
    }
}
