//! What a solve has cost and may cost, in sweeps. Counts by fixed figures for a machine of reference; asks no
//! clock.

use super::decide::Task;
use crate::{AutoParams, Params};

/// The work of a solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Most of it, in sweeps.
    limit: f64,
    /// What was done, in sweeps.
    spent: f64,
    /// What one sweep is taken to cost \[ns\].
    sweep: f64,
}

impl Work {
    /// Nothing done yet; `sweep` is the cost of one \[ns\].
    pub fn new(task: &Task, sweep: f64) -> Self {
        Self { limit: task.work.map_or(f64::INFINITY, f64::from), spent: 0.0, sweep }
    }

    /// Counts sweeps.
    pub fn swept(&mut self, sweeps: u32) {
        self.spent += f64::from(sweeps);
    }

    /// Counts multiplications of the second-order methods.
    pub fn multiplied(&mut self, multiplications: f64, params: &AutoParams) {
        self.spent += multiplications * params.multiplication_ns / self.sweep;
    }

    /// Multiplications that may still be done.
    pub fn multiplications_left(&self, params: &AutoParams) -> f64 {
        (self.limit - self.spent).max(0.0) * self.sweep / params.multiplication_ns
    }

    /// Whether no more may be done.
    pub fn is_spent(&self) -> bool {
        self.spent >= self.limit
    }

    /// What was done, in whole sweeps.
    pub fn sweeps(&self) -> u32 {
        self.spent.ceil() as u32
    }
}

/// The most work of a solve: none is set for small problems, which cost little, nor outside runs.
pub(crate) fn limit(params: &Params, contacts: usize, in_a_run: bool) -> Option<u32> {
    params.work.filter(|_| in_a_run && contacts > params.auto.small as usize)
}
