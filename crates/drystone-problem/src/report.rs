//! What a solver is told and what it tells.

use crate::auto_params::AutoParams;
use crate::monitor::Monitor;
use crate::route::Route;
use crate::{Measure, Residual, WorkGap};
use std::time::Instant;

/// In which order a sweep visits the contacts. Rigid contact forces are not unique: the order picks one of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// As they come, by identity; 64 contacts or more between pairs of bodies by colours, eight at a time.
    #[default]
    Cyclic,
    /// As they come, by identity, one after the other however many there are: the sweep of the texts.
    Identity,
    /// The other way round.
    Reversed,
    /// Shuffled anew before every sweep, repeatably.
    Random {
        /// Seed of the shuffle.
        seed: u64,
    },
}

/// Which solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Method {
    /// Nonlinear Gauss–Seidel.
    #[doc(alias = "nonlinear Gauss-Seidel")]
    #[doc(alias = "NLGS")]
    #[doc(alias = "projected Gauss-Seidel")]
    #[doc(alias = "PGS")]
    Nlgs,
    /// Gauss–Seidel with Nesterov's extrapolation and restart.
    Accelerated,
    /// Gauss–Seidel with Anderson's mixing of the last sweeps.
    Anderson,
    /// Proximal point with semismooth Newton inside; at most `auto.most_contacts`.
    Proximal,
    /// Primal–dual interior point on the exact problem, finished by the proximal point.
    Interior,
    /// Projected Jacobi with mass splitting.
    Jacobi,
    /// Conjugate projected gradient.
    Cpg,
    /// Accelerated projected gradient with De Saxcé's shift.
    Apgd,
    /// Alternating directions with a factor that is kept; at most `auto.most_contacts`.
    Admm,
    /// Uzawa's method with thresholds that move with the reactions.
    Uzawa,
    /// Accelerated sweeps, handed over to a second-order finish where that costs less than the sweeps left.
    #[default]
    Auto,
}

impl Method {
    /// All of them, the default first.
    pub const ALL: [Self; 11] = [
        Self::Auto,
        Self::Accelerated,
        Self::Anderson,
        Self::Nlgs,
        Self::Interior,
        Self::Proximal,
        Self::Jacobi,
        Self::Cpg,
        Self::Apgd,
        Self::Admm,
        Self::Uzawa,
    ];

    /// Its name in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nlgs => "nlgs",
            Self::Accelerated => "accelerated",
            Self::Anderson => "anderson",
            Self::Proximal => "proximal",
            Self::Interior => "interior",
            Self::Auto => "auto",
            Self::Jacobi => "jacobi",
            Self::Cpg => "cpg",
            Self::Apgd => "apgd",
            Self::Admm => "admm",
            Self::Uzawa => "uzawa",
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Parameters of a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Which solver.
    pub method: Method,
    /// Stop when the residual is at most this.
    pub tolerance: f64,
    /// Which residual; in a run that of the worst contact or the mean one.
    pub measure: Measure,
    /// Stop after so many iterations in any case.
    pub max_iterations: u32,
    /// Each local answer is taken over by this factor, in (0, 2).
    pub relaxation: f64,
    /// Order of the sweep.
    pub order: Order,
    /// Start from the impulses of the last step.
    #[doc(alias = "warm start")]
    pub memory: bool,
    /// Go on beyond the tolerance, so that a step at rest stays at rest and a tower does not creep: `auto`
    /// and the proximal point take small problems to rounding, `auto` sweeps over larger ones a few times
    /// more unless forces are in balance. Without it the tolerance is the tolerance. See [`AutoParams`] for
    /// how far.
    pub polish: bool,
    /// The policy of [`Method::Auto`], and the limits of the second-order methods.
    pub auto: AutoParams,
    /// Give up at this moment, at the next look at the residual. Never set in a run: its results must not
    /// depend on the clock.
    pub deadline: Option<Instant>,
    /// Most work of [`Method::Auto`] on a problem of more than [`AutoParams::small`] contacts, in sweeps; a
    /// simulation sets it for each step from those before it, see [`AutoParams::work_limit`].
    pub work: Option<u32>,
    /// Who may interrupt the solve and hears how far it is.
    pub monitor: Monitor,
}

impl Params {
    /// Whether to give up: somebody asked for it, or the deadline has passed. Asks the clock where there is
    /// one, so call it as rarely as the residual.
    pub fn is_called_off(&self) -> bool {
        self.monitor.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            tolerance: 1e-6,
            measure: Measure::default(),
            max_iterations: 50_000,
            relaxation: 1.0,
            order: Order::Cyclic,
            memory: true,
            polish: true,
            auto: AutoParams::default(),
            deadline: None,
            work: None,
            monitor: Monitor::default(),
        }
    }
}

/// Outcome of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Sweeps and Newton iterations done.
    pub iterations: u32,
    /// Of these, the Newton iterations: one factorisation each, 0 where the sweeps did it alone.
    pub newton: u32,
    /// Contacts visited in all of the sweeps.
    pub updates: u64,
    /// What all of it is taken to cost, in sweeps: factorisations are counted as so many sweeps.
    pub work: u32,
    /// Whether it ended above the tolerance because its work was spent.
    pub is_limited: bool,
    /// The residual reached, recomputed from scratch.
    pub residual: f64,
    /// The root of its mean square over the contacts, as last computed from scratch.
    pub mean: f64,
    /// How far the impulses are from being in balance, where the residual was computed from scratch.
    pub gap: Option<WorkGap>,
    /// Whether it is within the tolerance.
    pub converged: bool,
    /// The contact with the largest share of the residual.
    pub worst: Option<usize>,
    /// The way it went.
    pub route: Route,
}

impl Report {
    /// Takes over what an iterate was judged to be.
    pub fn judged(&mut self, residual: &Residual, tolerance: f64) {
        self.residual = residual.relative;
        self.worst = residual.worst;
        self.mean = residual.mean;
        self.gap = residual.gap;
        self.converged = residual.relative <= tolerance;
    }

    /// Counts an iteration that is a factorisation.
    pub fn factored(&mut self) {
        self.iterations += 1;
        self.newton += 1;
    }

    /// Nothing done yet, nothing wrong yet.
    pub fn start() -> Self {
        Self {
            iterations: 0,
            newton: 0,
            updates: 0,
            work: 0,
            is_limited: false,
            residual: 0.0,
            mean: 0.0,
            gap: None,
            converged: true,
            worst: None,
            route: Route::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name() {
        for method in Method::ALL {
            assert_eq!(Method::named(method.name()), Some(method));
        }
        assert_eq!(Method::named("Nlgs"), None);
    }
}
