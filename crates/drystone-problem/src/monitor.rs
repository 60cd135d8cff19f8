//! A line between a solve and whoever waits for it: asks it to stop, hears how far it is. Decides nothing,
//! and no result depends on it: a solve that was interrupted is thrown away.

use crate::Report;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// How far the solve that is going on has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveStatus {
    /// Iterations so far.
    pub iterations: u32,
    /// The residual last seen.
    pub residual: f64,
    /// How far forces are from being in balance, signed, where it was last seen.
    pub gap: Option<f64>,
}

/// A handle on solves that are going on, for another thread; clones are handles on the same. The default has
/// nobody at its other end: it is never interrupted and forgets what it is told.
///
/// A solver asks once a sweep or factorisation. What an interrupted solve gives back is an iterate of no
/// meaning; a step of a simulation is then abandoned as if it had never begun.
#[doc(alias = "cancel")]
#[doc(alias = "abort")]
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    line: Option<Arc<SharedStatus>>,
}

#[derive(Debug, Default)]
struct SharedStatus {
    interrupted: AtomicBool,
    iterations: AtomicU32,
    residual: AtomicU64,
    gap: AtomicU64,
}

impl Monitor {
    /// A line with two ends.
    pub fn new() -> Self {
        Self { line: Some(Arc::default()) }
    }

    /// Asks whatever is going on to stop, and all that would follow.
    pub fn interrupt(&self) {
        if let Some(line) = &self.line {
            line.interrupted.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the request to stop back.
    pub fn resume(&self) {
        if let Some(line) = &self.line {
            line.interrupted.store(false, Ordering::Relaxed);
        }
    }

    /// Whether somebody asked to stop.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.interrupted.load(Ordering::Relaxed))
    }

    /// Tells how far a solve is.
    pub fn tell(&self, report: &Report) {
        if let Some(line) = &self.line {
            let gap = report.gap.map_or(f64::NAN, |gap| gap.signed);
            line.residual.store(report.residual.to_bits(), Ordering::Relaxed);
            line.gap.store(gap.to_bits(), Ordering::Relaxed);
            line.iterations.store(report.iterations, Ordering::Relaxed);
        }
    }

    /// How far the last solve is, or was; none before the first.
    pub fn status(&self) -> Option<SolveStatus> {
        let line = self.line.as_ref()?;
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        let iterations = line.iterations.load(Ordering::Relaxed);
        let gap = number(&line.gap);
        let status =
            SolveStatus { iterations, residual: number(&line.residual), gap: gap.is_finite().then_some(gap) };
        (iterations > 0).then_some(status)
    }
}

/// Who listens is no part of what is asked for.
impl PartialEq for Monitor {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkGap;

    #[test]
    fn both_ends_hear_each_other() {
        let (here, deaf) = (Monitor::new(), Monitor::default());
        let there = here.clone();
        assert_eq!(here.status(), None);
        let gap = Some(WorkGap { signed: -0.3, absolute: 0.4 });
        let report = Report { iterations: 7, residual: 1e-3, gap, ..Report::start() };
        for end in [&there, &deaf] {
            end.tell(&report);
            end.interrupt();
        }
        let status = SolveStatus { iterations: 7, residual: 1e-3, gap: Some(-0.3) };
        assert_eq!((here.status(), here.is_interrupted()), (Some(status), true));
        assert_eq!((deaf.status(), deaf.is_interrupted()), (None, false));
        there.resume();
        assert!(!here.is_interrupted());
    }
}
