//! Whether sweeps beyond the tolerance go on until forces are in balance. Sweeps nothing itself.

use crate::{Params, Report};

/// Forces as they come into balance, look by look.
pub(crate) struct BalanceWatch {
    start: u32,
    /// Iterations and how far forces were from being in balance, where it was known.
    looks: Vec<(u32, f64)>,
}

impl BalanceWatch {
    /// Begins at an iterate within the tolerance.
    pub fn new(report: &Report) -> Self {
        Self { start: report.iterations, looks: Vec::new() }
    }

    /// Whether to go on after a look: forces are not in balance, sweeps are left, and the last
    /// `polish_sweeps` of them have made the balance better by `polish_gain`. Where bodies flow, single
    /// contacts stay out of balance however long one sweeps.
    pub fn wants_more(&mut self, report: &Report, params: &Params) -> bool {
        let policy = &params.auto;
        if let Some(gap) = report.gap.filter(|_| report.converged) {
            if gap.is_within(policy.balance) {
                return false;
            }
            self.looks.push((report.iterations, gap.size()));
        }
        let done = report.iterations - self.start;
        if done >= policy.balance_sweeps || report.iterations >= params.max_iterations {
            return false;
        }
        if done < policy.polish_sweeps {
            return true;
        }
        let then = self.looks.iter().rev().find(|look| look.0 + policy.polish_sweeps <= report.iterations);
        match (self.looks.last(), then) {
            (Some(&(_, now)), Some(&(_, then))) => now <= (1.0 - policy.polish_gain) * then,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_problem::WorkGap;

    /// Sweeps until the watch has enough, where the gap is a function of the sweeps, looked at every five.
    fn sweeps(gap: impl Fn(u32) -> Option<f64>) -> u32 {
        let params = Params::default();
        let at = |iterations: u32| {
            let gap = gap(iterations).map(|gap| WorkGap { signed: -gap, absolute: gap });
            Report { iterations, gap, ..Report::start() }
        };
        let mut watch = BalanceWatch::new(&at(0));
        (0..).map(|look| 5 * look).find(|&iterations| !watch.wants_more(&at(iterations), &params)).unwrap()
    }

    #[test]
    fn sweeps_go_on_as_long_as_it_helps() {
        assert_eq!(sweeps(|_| Some(0.019)), 0, "in balance");
        assert_eq!(sweeps(|n| Some(0.3 * 0.98f64.powi(n as i32))), 135, "until they are in balance");
        assert_eq!(sweeps(|_| Some(0.3)), 20, "it does not help");
        assert_eq!(sweeps(|_| None), 20, "nothing is known");
        assert_eq!(sweeps(|n| Some(10.0 * 0.99f64.powi(n as i32))), 200, "for no longer than that");
    }
}
