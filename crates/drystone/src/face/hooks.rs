//! What is called before and after each step. Decides nothing itself.

use crate::{AnySimulation, StepReport};

use super::each;

/// Why a hook or a sink did not do what it should: any error, or a sentence.
pub type HookError = Box<dyn std::error::Error + Send + Sync>;

/// Something that is called before and after each step. It may read everything, and write forces, prescribed
/// velocities, slots and laws; bodies may come and go.
///
/// What a hook remembers itself is not in a snapshot. Let it remember in a [slot](AnySimulation::slot) what a
/// run that is restored must know.
pub trait Hook: Send + Sync {
    /// Called before a step, at the time at which it begins. What is set here acts in the step.
    fn before_step(&mut self, _simulation: &mut AnySimulation) -> Result<(), HookError> {
        Ok(())
    }

    /// Called after a step, with what it did.
    fn after_step(&mut self, _simulation: &mut AnySimulation, _report: &StepReport) -> Result<(), HookError> {
        Ok(())
    }
}

/// What a closure that is a hook may give back: nothing, or whether it went well.
pub trait HookResult {
    /// As a result.
    fn into_result(self) -> Result<(), HookError>;
}

impl HookResult for () {
    fn into_result(self) -> Result<(), HookError> {
        Ok(())
    }
}

impl<E: Into<HookError>> HookResult for Result<(), E> {
    fn into_result(self) -> Result<(), HookError> {
        self.map_err(Into::into)
    }
}

/// A closure called before each step.
struct Before<F>(F);

/// A closure called after each step.
struct After<F>(F);

impl<R: HookResult, F: FnMut(&mut AnySimulation) -> R + Send + Sync> Hook for Before<F> {
    fn before_step(&mut self, simulation: &mut AnySimulation) -> Result<(), HookError> {
        (self.0)(simulation).into_result()
    }
}

impl<R: HookResult, F: FnMut(&mut AnySimulation) -> R + Send + Sync> Hook for After<F> {
    fn after_step(&mut self, simulation: &mut AnySimulation, _: &StepReport) -> Result<(), HookError> {
        (self.0)(simulation).into_result()
    }
}

impl AnySimulation {
    /// Adds a hook; hooks are called in the order in which they were added.
    pub fn add_hook(&mut self, hook: Box<dyn Hook>) {
        each!(self, simulation => simulation.face.hooks.push(hook));
    }

    /// Calls a closure after each step. It may fail: with `?` in it, and `Ok(())` at its end.
    ///
    /// ```
    /// # use drystone::prelude::*;
    /// # fn main() -> Result<(), ChangeError> {
    /// let ball = Body::sphere(0.1).density(1000.0).named("ball");
    /// let mut sim = Simulation::space().step(0.01).gravity([0.0, 0.0, -9.81]).body(ball).build()?;
    /// sim.on_step(|s| {
    ///     let fallen = -s.position("ball")?[2];
    ///     if fallen > 1.0 { s.remove(&[s.body("ball")?])?; }
    ///     Ok::<(), ChangeError>(())
    /// });
    /// assert!(sim.run_until(1.0).is_err()); // the body is gone, and the hook asks for it again
    /// assert_eq!(sim.bodies().len(), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_step<R: HookResult + 'static>(
        &mut self,
        hook: impl FnMut(&mut AnySimulation) -> R + Send + Sync + 'static,
    ) {
        self.add_hook(Box::new(After(hook)));
    }

    /// Calls a closure before each step.
    pub fn before_step<R: HookResult + 'static>(
        &mut self,
        hook: impl FnMut(&mut AnySimulation) -> R + Send + Sync + 'static,
    ) {
        self.add_hook(Box::new(Before(hook)));
    }

    /// Takes all hooks off.
    pub fn clear_hooks(&mut self) {
        self.take_hooks();
    }

    /// Calls all hooks; those that they add come behind them, and are called from the next time on.
    pub(super) fn call_hooks(
        &mut self,
        mut call: impl FnMut(&mut dyn Hook, &mut Self) -> Result<(), HookError>,
    ) -> Result<(), HookError> {
        let mut hooks = self.take_hooks();
        let result = hooks.iter_mut().try_for_each(|hook| call(hook.as_mut(), self));
        hooks.append(&mut self.take_hooks());
        each!(self, simulation => simulation.face.hooks = hooks);
        result
    }

    fn take_hooks(&mut self) -> Vec<Box<dyn Hook>> {
        each!(self, simulation => std::mem::take(&mut simulation.face.hooks))
    }
}
