//! How a run goes on: steps with hooks, and frames for a sink. The step itself is in `step`.

use super::each;
use super::hooks::HookError;
use super::sink::Sink;
use crate::{AnySimulation, ChangeError, Monitor, StepReport};

/// What a run over many steps came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunReport {
    /// Steps done.
    pub steps: u64,
    /// Of these, how many did not converge.
    pub not_converged: u64,
    /// Largest residual of a step.
    pub residual: f64,
}

impl RunReport {
    fn enter(&mut self, step: &StepReport) {
        self.steps += 1;
        self.not_converged += u64::from(!step.converged);
        self.residual = self.residual.max(step.residual);
    }
}

impl AnySimulation {
    /// Goes on by one time step, with the hooks before and after it. A hook that fails before the step stops
    /// it; after a step that was [abandoned](StepReport::is_abandoned) none is called.
    pub fn step(&mut self) -> Result<StepReport, ChangeError> {
        self.call_hooks(|hook, simulation| hook.before_step(simulation)).map_err(failed)?;
        let report = each!(self, simulation => simulation.step());
        if let Some(failure) = each!(self, simulation => simulation.take_failure()) {
            return Err(failure);
        }
        if report.is_abandoned {
            return Ok(report);
        }
        self.call_hooks(|hook, simulation| hook.after_step(simulation, &report)).map_err(failed)?;
        Ok(report)
    }

    /// Goes on until a time \[s\]: to the step whose end is nearest to it, or until it is interrupted.
    pub fn run_until(&mut self, time: f64) -> Result<RunReport, ChangeError> {
        let last = self.last_step(time)?;
        let mut report = RunReport::default();
        while self.steps_done() < last {
            let step = self.step()?;
            if step.is_abandoned {
                break;
            }
            report.enter(&step);
        }
        Ok(report)
    }

    /// Goes on until a time \[s\] and gives frames to a sink: one at once where nothing was done yet, then
    /// one whenever `every` seconds have passed, counted from time 0, and one at the end.
    pub fn run_into(&mut self, time: f64, every: f64, sink: &mut dyn Sink) -> Result<RunReport, ChangeError> {
        let last = self.last_step(time)?;
        let apart = (every / self.step_size()).round();
        if !(1.0..1e15).contains(&apart) {
            let what = "the time between two frames".into();
            return Err(ChangeError::Number { what, value: every, allowed: "times of a step or more" });
        }
        self.run_to_step(last, apart as u64, sink)
    }

    /// The same by steps: goes on until so many are done in all, or until the sink wants no more, with a
    /// frame at once where nothing was done yet, one whenever the steps done are a multiple of `every`, and
    /// one at the end.
    pub fn run_to_step(
        &mut self,
        last: u64,
        every: u64,
        sink: &mut dyn Sink,
    ) -> Result<RunReport, ChangeError> {
        let mut report = RunReport::default();
        if self.steps_done() == 0 {
            sink.frame(self).map_err(failed)?;
        }
        while self.steps_done() < last && sink.wants_step(self).map_err(failed)? {
            let step = self.step()?;
            if step.is_abandoned {
                break;
            }
            report.enter(&step);
            sink.step(self, &step).map_err(failed)?;
            if self.steps_done().is_multiple_of(every) {
                sink.frame(self).map_err(failed)?;
            }
        }
        if !self.steps_done().is_multiple_of(every) {
            sink.last_frame(self).map_err(failed)?;
        }
        Ok(report)
    }

    /// Lets somebody interrupt the steps and hear how far their solves are. An interrupted step is
    /// [abandoned](StepReport::is_abandoned), and a run ends before it.
    pub fn watch(&mut self, monitor: &Monitor) {
        each!(self, simulation => simulation.settings.solver.monitor = monitor.clone());
    }

    fn last_step(&self, time: f64) -> Result<u64, ChangeError> {
        let last = (time / self.step_size()).round();
        match (0.0..1e15).contains(&last) {
            true => Ok(last as u64),
            false => {
                let allowed = "times of zero or more and less than 1e15 steps";
                Err(ChangeError::Number { what: "the end of the run".into(), value: time, allowed })
            }
        }
    }
}

fn failed(error: HookError) -> ChangeError {
    match error.downcast::<ChangeError>() {
        Ok(error) => *error,
        Err(error) => ChangeError::Hook(error.to_string()),
    }
}
