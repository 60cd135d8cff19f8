//! The way a solver took to its answer, stage by stage. Decides nothing.

use std::fmt;

/// One stage of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// What worked here.
    pub name: &'static str,
    /// Why it was tried.
    pub why: &'static str,
    /// Sweeps or factorisations it took.
    pub iterations: u32,
    /// The best residual known after it.
    pub residual: f64,
}

/// The stages of a solve, in order. Later ones than it can hold replace the last.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Route {
    stages: [Option<Stage>; 8],
}

impl Route {
    /// The stages, in order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.stages.iter().flatten()
    }

    /// Adds a stage; one that did nothing is left out.
    pub fn add(&mut self, stage: Stage) {
        if stage.iterations == 0 {
            return;
        }
        let free = self.stages.iter().position(Option::is_none).unwrap_or(self.stages.len() - 1);
        self.stages[free] = Some(stage);
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages().enumerate() {
            let then = if index > 0 { ", then " } else { "" };
            write!(f, "{then}{} {} to {:.0e}", stage.iterations, stage.name, stage.residual)?;
            if !stage.why.is_empty() {
                write!(f, " ({})", stage.why)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_every_stage_once() {
        let mut route = Route::default();
        let stage = |name, iterations| Stage { name, why: "", iterations, residual: 1e-3 };
        route.add(stage("sweeps", 60));
        route.add(stage("interior", 0));
        route.add(stage("proximal", 4));
        assert_eq!(route.to_string(), "60 sweeps to 1e-3, then 4 proximal to 1e-3");
        for _ in 0..20 {
            route.add(stage("sweeps", 1));
        }
        assert_eq!(route.stages().count(), 8);
    }
}
