//! Sums over the steps of a run, for its summary; they survive a resume. Judges nothing.

use drystone::{Seconds, StepReport};
use serde::Serialize;

/// Sums and extremes over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Steps added.
    pub steps: u64,
    /// Sweeps of the solver.
    pub iterations: u64,
    /// Contacts visited in all sweeps.
    pub updates: u64,
    /// Contacts, summed over the steps.
    pub contacts_sum: u64,
    /// Contacts of the fullest step.
    pub contacts_max: u64,
    /// Steps whose residual stayed above the tolerance.
    pub steps_not_converged: u64,
    /// Steps in a row, up to the last, that were at rest: for the caller's criterion of equilibrium.
    pub steps_at_rest: u64,
    /// Largest residual.
    pub residual_max: f64,
    /// Deepest overlap \[m\].
    pub penetration_max: f64,
    /// Wall-clock time of detection \[s\].
    pub seconds_detection: f64,
    /// Wall-clock time of assembly \[s\].
    pub seconds_assembly: f64,
    /// Wall-clock time of the solver \[s\].
    pub seconds_solver: f64,
    /// Wall-clock time of all the rest and output \[s\], if the caller adds it.
    pub seconds_other: f64,
}

impl Totals {
    /// Adds a step. `steps_at_rest` and `seconds_other` belong to the caller.
    pub fn add(&mut self, report: &StepReport) {
        let Seconds { detection, assembly, solver } = report.seconds;
        self.steps += 1;
        self.iterations += u64::from(report.iterations);
        self.updates += report.updates;
        self.contacts_sum += report.contacts as u64;
        self.contacts_max = self.contacts_max.max(report.contacts as u64);
        self.steps_not_converged += u64::from(!report.converged);
        self.residual_max = self.residual_max.max(report.residual);
        self.penetration_max = self.penetration_max.max(report.penetration);
        self.seconds_detection += detection;
        self.seconds_assembly += assembly;
        self.seconds_solver += solver;
    }

    /// All fields as words, numbers by their bits.
    pub(crate) fn to_words(self) -> Vec<u64> {
        let Self {
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            steps_at_rest,
            residual_max,
            penetration_max,
            seconds_detection,
            seconds_assembly,
            seconds_solver,
            seconds_other,
        } = self;
        let counts =
            [steps, iterations, updates, contacts_sum, contacts_max, steps_not_converged, steps_at_rest];
        let numbers = [
            residual_max,
            penetration_max,
            seconds_detection,
            seconds_assembly,
            seconds_solver,
            seconds_other,
        ];
        counts.into_iter().chain(numbers.map(f64::to_bits)).collect()
    }

    /// What `to_words` gave.
    pub(crate) fn from_words(words: &[u64]) -> Option<Self> {
        let (counts, numbers) = words.split_at_checked(7)?;
        let &[steps, iterations, updates, contacts_sum, contacts_max, steps_not_converged, steps_at_rest] =
            counts
        else {
            return None;
        };
        let &[residual_max, penetration_max, detection, assembly, solver, other] = numbers else {
            return None;
        };
        Some(Self {
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            steps_at_rest,
            residual_max: f64::from_bits(residual_max),
            penetration_max: f64::from_bits(penetration_max),
            seconds_detection: f64::from_bits(detection),
            seconds_assembly: f64::from_bits(assembly),
            seconds_solver: f64::from_bits(solver),
            seconds_other: f64::from_bits(other),
        })
    }
}
