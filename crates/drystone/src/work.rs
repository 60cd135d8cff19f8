//! What the last steps cost, which bounds the next. Counts sweeps; asks no clock, so that a run is the same
//! on every machine.

use drystone_solvers::AutoParams;

/// Steps that are remembered.
const REMEMBERED: usize = 31;

/// Steps that make a median.
const ENOUGH: usize = 5;

/// Work of the last steps with contacts enough for a limit, in sweeps, the latest last. Part of a
/// [snapshot](crate::Snapshot): what a step may cost decides where it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkHistory {
    sweeps: Vec<u32>,
}

impl WorkHistory {
    /// Most work of the next step, of so many contacts, in sweeps.
    pub fn limit(&self, contacts: usize, params: &AutoParams) -> u32 {
        let least = (params.work_floor / contacts.max(1) as f64).max(f64::from(params.work_sweeps));
        if self.sweeps.len() < ENOUGH {
            return (params.work_first * least) as u32;
        }
        let mut sorted = self.sweeps.clone();
        sorted.sort_unstable();
        let usual = params.work_limit * f64::from(sorted[sorted.len() / 2]);
        let last = 2.0 * self.sweeps.last().map_or(0.0, |&last| f64::from(last));
        usual.max(last).max(least) as u32
    }

    /// Remembers a step of so many contacts.
    pub(crate) fn add(&mut self, contacts: usize, sweeps: u32, params: &AutoParams) {
        if contacts <= params.small as usize {
            return;
        }
        if self.sweeps.len() >= REMEMBERED {
            self.sweeps.remove(0);
        }
        self.sweeps.push(sweeps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_may_cost_a_multiple_of_the_median() {
        let params = AutoParams {
            work_limit: 20.0,
            work_floor: 1e5,
            work_sweeps: 50,
            work_first: 5.0,
            ..AutoParams::default()
        };
        let mut work = WorkHistory::default();
        let mut after = |sweeps: &[u32]| {
            sweeps.iter().for_each(|&sweeps| work.add(1000, sweeps, &params));
            work.limit(1000, &params)
        };
        assert_eq!(after(&[30, 2, 4, 5]), 500, "too few are known");
        assert_eq!(after(&[3]), 100, "20 × 4 is less than the least");
        assert_eq!(after(&[40, 40, 40, 40]), 20 * 30);
        assert_eq!(after(&[600]), 2 * 600, "twice the last");
        assert_eq!(after(&[7; 31]), 20 * 7, "the others are forgotten");
        work.add(params.small as usize, 1_000_000, &params);
        assert_eq!(work.limit(1000, &params), 20 * 7, "small problems do not count");
        work.add(1000, 1, &params);
        assert_eq!([500, 1_000_000].map(|contacts| work.limit(contacts, &params)), [200, 140]);
    }
}
