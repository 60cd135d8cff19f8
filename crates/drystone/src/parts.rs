//! A step made in parts, where a deformable body finds no end of it as a whole: halves, quarters, and so on.
//! What a part is, the step itself knows.

use crate::{ChangeError, Simulation, StepReport};
use drystone_bulk::{SolidFailure, SolidOperators};
use drystone_state::{ContactMemory, TieMemory};

/// Where within a step the simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepPart {
    /// Parts of the step, a power of two; 1 for a whole one.
    pub parts: u64,
    /// Parts that are done.
    pub done: u64,
}

impl Default for StepPart {
    fn default() -> Self {
        Self { parts: 1, done: 0 }
    }
}

impl<const D: usize> Simulation<D> {
    /// Steps since time 0 that are done, with what is done of the current one, in parts of a step.
    pub(crate) fn parts_done(&self, since: u64) -> u64 {
        self.clock().saturating_sub(since) * self.part.parts + self.part.done
    }

    /// Counts a step or a part of one.
    pub(crate) fn count_part(&mut self) {
        self.part.done += 1;
        if self.part.done == self.part.parts {
            (self.part.done, self.steps_done) = (0, self.steps_done + 1);
        }
    }

    /// Makes a step that failed as a whole in parts, halved wherever a part fails as well. Steps that were
    /// abandoned for another reason, and parts, stay as they are.
    pub(crate) fn in_parts(&mut self, whole: StepReport) -> StepReport {
        let most = 1 << self.settings.newton.most_halvings.min(MOST_HALVINGS);
        if !self.has_failed() || self.part.parts > 1 || most == 1 {
            return whole;
        }
        let (before, interactions) = (self.snapshot(), self.interactions.clone());
        let (h, mut usual, mut sum) = (self.settings.step, None, whole);
        let ended = loop {
            if self.has_failed() {
                if self.part.parts == most {
                    break false;
                }
                let Ok(operators) = self.halve() else { break false };
                usual.get_or_insert(operators);
            }
            let report = self.step();
            sum = sum.with_part(&report);
            if report.is_abandoned && !self.has_failed() {
                break false;
            }
            if !report.is_abandoned && self.part.done == 0 {
                break true;
            }
        };
        sum.parts = self.part.parts as u32;
        self.end_parts(h, usual);
        if !ended {
            let failed = self.controls.failed.take();
            let restored = self.restore(before);
            debug_assert!(restored.is_ok(), "a state of this very simulation does not fit it");
            self.interactions = interactions;
            self.controls.failed = failed.map(|failed| self.failure_of_parts(failed, sum.parts));
            return StepReport { is_abandoned: true, step: self.steps_done, time: self.time(), ..sum };
        }
        sum
    }

    /// Goes on with parts half as long; gives the operators there were.
    fn halve(&mut self) -> Result<SolidOperators<D>, SolidFailure> {
        let h = 0.5 * self.settings.step;
        let before = self.solids.change_step(h, self.settings.theta, self.settings.newton)?;
        self.settings.step = h;
        self.part = StepPart { parts: 2 * self.part.parts, done: 2 * self.part.done };
        self.scale_impulses(0.5);
        Ok(before)
    }

    /// Goes on with whole steps of length `h`: impulses are those that would give the last forces for a whole
    /// step.
    fn end_parts(&mut self, h: f64, usual: Option<SolidOperators<D>>) {
        if let Some(operators) = usual {
            self.solids.put_back(operators);
        }
        let parts = self.part.parts as f64;
        self.scale_impulses(parts);
        for contact in &mut self.interactions {
            contact.r *= parts;
            contact.beside.iter_mut().for_each(|r| *r *= parts);
        }
        (self.settings.step, self.part) = (h, StepPart::default());
    }

    /// Impulses that the next step begins with are those of a step of another length.
    fn scale_impulses(&mut self, factor: f64) {
        for ContactMemory { impulse, beside, .. } in &mut self.memory {
            *impulse *= factor;
            beside.iter_mut().for_each(|r| *r *= factor);
        }
        for TieMemory { impulse, friction, stops, .. } in &mut self.tie_memory {
            impulse.iter_mut().for_each(|r| *r *= factor);
            *friction *= factor;
            stops.iter_mut().for_each(|r| *r *= factor);
        }
        self.mean_normal *= factor;
    }

    /// What is told of a step that failed in parts, too.
    fn failure_of_parts(&self, failed: ChangeError, parts: u32) -> ChangeError {
        match failed {
            ChangeError::Solid { body, why, .. } => {
                ChangeError::Solid { body, why, time: self.time(), parts }
            }
            other => other,
        }
    }
}

/// A step has no more than 2²⁰ parts.
const MOST_HALVINGS: u32 = 20;
